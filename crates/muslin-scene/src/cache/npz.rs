//! Frames, checkpoints and the topology as `.npz` bytes and back.
//!
//! Equal contents make equal bytes, so a file is whole exactly if its contents, encoded again,
//! give it back: that covers the few header bytes that no checksum of an archive covers.

use std::io::Cursor;

use muslin::math::Vec3;

use super::arrays::{Arrays, wrong_kind};
use super::error::CacheError;
use super::frame::Frame;
use super::run::{Run, Span, Surface};
use super::sha256::Sha256;
use super::snapshot::{Array as SnapshotArray, FRAME_ENTRY, Snapshot};
use super::topology::Topology;
use crate::formats::npy::{Array, Values};
use crate::formats::npz::NpzWriter;

/// The array of what holds each vertex, in frames that know.
const MARKS: &str = "marks";

/// Adds positions to a fingerprint: f64, little endian, x y z.
pub(super) fn add_positions(sum: &mut Sha256, positions: &[Vec3]) {
    for position in positions {
        for coordinate in position.to_array() {
            sum.update(&coordinate.to_le_bytes());
        }
    }
}

/// The bytes of a frame's file.
pub(super) fn encode_frame(index: u64, frame: &Frame) -> Result<Vec<u8>, CacheError> {
    frame_archive(index, frame, frame.report.to_string().into_bytes())
}

fn frame_archive(index: u64, frame: &Frame, report: Vec<u8>) -> Result<Vec<u8>, CacheError> {
    let rows = |rows: &[Vec3]| (vec![rows.len(), 3], flat(rows));
    let mut arrays = vec![
        (FRAME_ENTRY, (vec![], whole_numbers(&[index]))),
        ("time", (vec![], Values::F64(vec![frame.time]))),
        ("positions", rows(&frame.positions)),
        ("velocities", rows(&frame.velocities)),
        ("bodies", rows(&frame.bodies)),
    ];
    if !frame.marks.is_empty() {
        arrays.push((MARKS, (vec![frame.marks.len()], Values::U8(frame.marks.clone()))));
    }
    arrays.push(("report", (vec![report.len()], Values::U8(report))));
    encode(&format!("frame {index}"), arrays)
}

/// The frame in a file's bytes, or what is wrong with them.
pub(super) fn decode_frame(bytes: &[u8], index: u64, run: &Run) -> Result<Frame, String> {
    let mut arrays = Arrays::read(bytes)?;
    arrays.expect_frame(index)?;
    let time = arrays.f64s("time")?.first().copied().unwrap_or_default();
    let positions = arrays.rows("positions")?;
    let velocities = arrays.rows("velocities")?;
    let bodies = arrays.rows("bodies")?;
    let marks = if arrays.has(MARKS) { arrays.u8s(MARKS)? } else { Vec::new() };
    let text = arrays.u8s("report")?;
    let report =
        serde_json::from_slice(&text).map_err(|e| format!("its report is no JSON: {e}"))?;
    let frame = Frame { time, positions, velocities, bodies, marks, report };
    frame.check(index, run).map_err(|e| e.to_string())?;
    same_bytes(frame_archive(index, &frame, text), bytes)?;
    Ok(frame)
}

/// The bytes of a checkpoint's file. Whole numbers are stored as signed ones of the same bits.
pub(super) fn encode_snapshot(index: u64, snapshot: &Snapshot) -> Result<Vec<u8>, CacheError> {
    let mut arrays = vec![(FRAME_ENTRY, (vec![], whole_numbers(&[index])))];
    for (name, array) in snapshot.arrays() {
        let values = match array {
            SnapshotArray::F64(numbers) => Values::F64(numbers.clone()),
            SnapshotArray::U64(numbers) => whole_numbers(numbers),
            SnapshotArray::U8(bytes) => Values::U8(bytes.clone()),
        };
        arrays.push((name, (vec![values.len()], values)));
    }
    encode(&format!("checkpoint {index}"), arrays)
}

/// The checkpoint in a file's bytes, or what is wrong with them.
pub(super) fn decode_snapshot(bytes: &[u8], index: u64) -> Result<Snapshot, String> {
    let mut arrays = Arrays::read(bytes)?;
    arrays.expect_frame(index)?;
    let mut snapshot = Snapshot::default();
    for (name, values) in arrays.into_rest() {
        match values {
            Values::F64(numbers) => snapshot.push(name, numbers),
            Values::I64(numbers) => snapshot.push(name, unsigned(numbers)),
            Values::U8(bytes) => snapshot.push(name, bytes),
            other => return Err(wrong_kind(&name, &other)),
        }
    }
    snapshot.check(index).map_err(|e| e.to_string())?;
    same_bytes(encode_snapshot(index, &snapshot), bytes)?;
    Ok(snapshot)
}

/// The bytes of `topology.npz`.
pub(super) fn encode_topology(topology: &Topology, run: &Run) -> Result<Vec<u8>, CacheError> {
    let Topology { triangles, corner_uv, polygon_offsets, polygon_vertices, .. } = topology;
    let u32s = |numbers: &[u32]| Values::U32(numbers.to_vec());
    let spans = |span_of: fn(&Surface) -> Span| {
        let pairs = run.surfaces.iter().map(span_of).flat_map(|s| [s.first, s.count]);
        (vec![run.surfaces.len(), 2], whole_numbers(&pairs.collect::<Vec<_>>()))
    };
    let uv = Values::F64(corner_uv.as_flattened().as_flattened().to_vec());
    let texture_uv = &topology.texture_uv;
    let names = serde_json::json!(topology.material_names).to_string().into_bytes();
    let bodies = &topology.body_positions;
    let lengths = &topology.rest_lengths;
    encode(
        "topology.npz",
        vec![
            ("triangles", (vec![triangles.len(), 3], u32s(triangles.as_flattened()))),
            ("corner_uv", (vec![corner_uv.len(), 3, 2], uv)),
            ("polygon_offsets", (vec![polygon_offsets.len()], u32s(polygon_offsets))),
            ("polygon_vertices", (vec![polygon_vertices.len()], u32s(polygon_vertices))),
            ("polygon_materials", indices(&topology.polygon_materials)),
            ("material_names", (vec![names.len()], Values::U8(names))),
            (
                "texture_uv",
                (vec![texture_uv.len(), 2], Values::F64(texture_uv.as_flattened().to_vec())),
            ),
            ("polygon_uv", indices(&topology.polygon_uv)),
            ("surface_vertices", spans(|s| s.vertices)),
            ("surface_triangles", spans(|s| s.triangles)),
            ("surface_polygons", spans(|s| s.polygons)),
            ("edges", (vec![topology.edges.len(), 2], u32s(topology.edges.as_flattened()))),
            ("rest_lengths", (vec![lengths.len()], Values::F64(lengths.clone()))),
            ("body_positions", (vec![bodies.len(), 3], flat(bodies))),
        ],
    )
}

/// The topology in a file's bytes, or what is wrong with them or does not fit the run.
pub(super) fn decode_topology(bytes: &[u8], run: &Run) -> Result<Topology, String> {
    let mut arrays = Arrays::read(bytes)?;
    let uv = arrays.f64s("corner_uv")?;
    let (uv_pairs, _) = uv.as_chunks::<2>();
    let material_names = serde_json::from_slice(&arrays.u8s("material_names")?)
        .map_err(|e| format!("`material_names` is no JSON list of names: {e}"))?;
    let topology = Topology {
        triangles: arrays.u32s("triangles")?.as_chunks::<3>().0.to_vec(),
        corner_uv: uv_pairs.as_chunks::<3>().0.to_vec(),
        polygon_offsets: arrays.u32s("polygon_offsets")?,
        polygon_vertices: arrays.u32s("polygon_vertices")?,
        polygon_materials: arrays.indices("polygon_materials")?,
        material_names,
        texture_uv: arrays.f64s("texture_uv")?.as_chunks::<2>().0.to_vec(),
        polygon_uv: arrays.indices("polygon_uv")?,
        edges: arrays.u32s("edges")?.as_chunks::<2>().0.to_vec(),
        rest_lengths: arrays.f64s("rest_lengths")?,
        body_positions: arrays.rows("body_positions")?,
    };
    topology.check(run)?;
    same_bytes(encode_topology(&topology, run), bytes)?;
    Ok(topology)
}

/// Lengths along each axis, and the numbers.
type Shaped = (Vec<usize>, Values);

/// Puts named arrays into an archive.
fn encode(what: &str, arrays: Vec<(&str, Shaped)>) -> Result<Vec<u8>, CacheError> {
    let unfit = |detail: String| CacheError::unfit(what, detail);
    let mut npz = NpzWriter::new(Cursor::new(Vec::new())).map_err(|e| unfit(e.to_string()))?;
    for (name, (shape, values)) in arrays {
        let added = Array::new(&shape, values).and_then(|array| npz.add(name, &array));
        added.map_err(|e| unfit(e.to_string()))?;
    }
    npz.finish().map(Cursor::into_inner).map_err(|e| unfit(e.to_string()))
}

/// Whether a file is what its contents encode to.
fn same_bytes(again: Result<Vec<u8>, CacheError>, bytes: &[u8]) -> Result<(), String> {
    match again {
        Ok(again) if again == bytes => Ok(()),
        _ => Err("bytes outside its arrays were changed".to_owned()),
    }
}

/// Whole numbers as numpy's int64, bit for bit.
fn whole_numbers(numbers: &[u64]) -> Values {
    Values::I64(numbers.iter().map(|n| n.cast_signed()).collect())
}

/// Indices as numpy's int32, −1 for none.
fn indices(indices: &[Option<u32>]) -> Shaped {
    let signed = indices.iter().map(|index| index.map_or(-1, u32::cast_signed));
    (vec![indices.len()], Values::I32(signed.collect()))
}

fn unsigned(numbers: Vec<i64>) -> Vec<u64> {
    numbers.into_iter().map(i64::cast_unsigned).collect()
}

fn flat(rows: &[Vec3]) -> Values {
    Values::F64(rows.iter().flat_map(Vec3::to_array).collect())
}
