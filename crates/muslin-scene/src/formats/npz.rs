//! Archives of named arrays in numpy's `.npz` form, stored and checksummed, the same bytes for
//! the same arrays.

use super::{
    ReadError, WriteError, WriteProblem,
    animation::{Clip, Frame, FrameSource},
    atomic,
    npy::{self, Array, ElementKind, Values},
    zip_store::{self, ZipWriter},
};
use crate::polymesh::{PolyMesh, Triangulation};
use muslin::math::{Vec2, Vec3};
use std::{
    io::{Seek, Write},
    path::Path,
};

/// Writes an archive array by array. An array can be streamed: [`NpzWriter::begin`], any number
/// of [`NpzWriter::append`], [`NpzWriter::end`].
pub struct NpzWriter<W> {
    zip: ZipWriter<W>,
    open: Option<OpenArray>,
}

struct OpenArray {
    name: String,
    kind: ElementKind,
    missing: usize,
}

impl<W: Write + Seek> NpzWriter<W> {
    /// An archive that starts where `out` stands.
    pub fn new(out: W) -> Result<Self, WriteProblem> {
        Ok(Self { zip: ZipWriter::new(out)?, open: None })
    }

    /// Writes a whole array.
    pub fn add(&mut self, name: &str, array: &Array) -> Result<(), WriteProblem> {
        self.begin(name, array.values().kind(), array.shape())?;
        self.append(array.values())?;
        self.end()
    }

    /// Begins an array whose numbers follow in pieces.
    pub fn begin(
        &mut self,
        name: &str,
        kind: ElementKind,
        shape: &[usize],
    ) -> Result<(), WriteProblem> {
        self.end()?;
        let missing = npy::element_count(shape)
            .ok_or_else(|| WriteProblem::Invalid(format!("shape {shape:?} is too large")))?;
        self.zip.begin_entry(&format!("{name}.npy"))?;
        self.zip.append(&npy::header(kind, shape))?;
        self.open = Some(OpenArray { name: name.into(), kind, missing });
        Ok(())
    }

    /// Writes the next numbers of the array that was begun.
    pub fn append(&mut self, values: &Values) -> Result<(), WriteProblem> {
        let open = self.open.as_mut().filter(|open| open.kind == values.kind());
        let invalid = |problem: &str| WriteProblem::Invalid(problem.into());
        let open = open.ok_or_else(|| invalid("these numbers belong to no array of their type"))?;
        let left = open.missing.checked_sub(values.len());
        open.missing = left.ok_or_else(|| invalid("more numbers than the shape of the array"))?;
        self.zip.append(&values.bytes())
    }

    /// Ends the array that was begun; refuses one that is not complete.
    pub fn end(&mut self) -> Result<(), WriteProblem> {
        match self.open.take() {
            None => Ok(()),
            Some(OpenArray { missing: 0, .. }) => self.zip.end_entry(),
            Some(OpenArray { name, missing, .. }) => {
                let problem = format!("the array `{name}` still lacks {missing} numbers");
                Err(WriteProblem::Invalid(problem))
            }
        }
    }

    /// Completes the archive and hands the output back.
    pub fn finish(mut self) -> Result<W, WriteProblem> {
        self.end()?;
        self.zip.finish()
    }
}

/// Writes named arrays to a file, in this order.
pub fn write<'a>(
    path: &Path,
    arrays: impl IntoIterator<Item = (&'a str, &'a Array)>,
) -> Result<(), WriteError> {
    atomic::write(path, |writer| {
        let mut npz = NpzWriter::new(writer)?;
        for (name, array) in arrays {
            npz.add(name, array)?;
        }
        npz.finish().map(drop)
    })
}

/// Reads all arrays, in file order, without the `.npy` of their names; `file` is the archive's
/// name in messages. Sizes and checksums are verified.
pub fn read(bytes: &[u8], file: &str) -> Result<Vec<(String, Array)>, ReadError> {
    let entries = zip_store::read(bytes, file)?.into_iter();
    entries
        .map(|(entry, content)| {
            let array = npy::read(content, &format!("{file}, {entry}"))?;
            Ok((entry.strip_suffix(".npy").unwrap_or(&entry).to_string(), array))
        })
        .collect()
}

/// Writes the frames of mesh 0 of the source as `positions` (frames, vertices, 3) [m],
/// `velocities` (the same shape) [m/s], `triangles` (triangles, 3), `uv` and `time` (frames) [s].
///
/// `uv` is (vertices, 2) where every vertex has one uv, (triangles, 3, 2) where the mesh has uv
/// seams (NaN for corners without uv), and (0, 2) where it has no uv at all.
pub fn write_animation(
    path: &Path,
    clip: &Clip,
    mesh: &PolyMesh,
    source: &mut impl FrameSource,
) -> Result<(), WriteError> {
    let triangulation = mesh.triangulate();
    let triangles = triangulation.triangles.as_flattened().to_vec();
    let shape = [clip.frame_count, mesh.vertex_count(), 3];
    atomic::write(path, |writer| {
        clip.check()?;
        let mut npz = NpzWriter::new(writer)?;
        let mut times = Vec::with_capacity(clip.frame_count);
        npz.begin("positions", ElementKind::F64, &shape)?;
        for frame in 0..clip.frame_count {
            let fetched = clip.fetch(source, (0, mesh), frame)?;
            npz.append(&flatten(&fetched.positions))?;
            times.push(fetched.time);
        }
        npz.begin("velocities", ElementKind::F64, &shape)?;
        for frame in 0..clip.frame_count {
            let Frame { velocities, .. } = clip.fetch(source, (0, mesh), frame)?;
            let reason = "an NPZ export holds them: export to another format";
            let velocities = velocities.ok_or(WriteProblem::NoVelocities { frame, reason })?;
            npz.append(&flatten(&velocities))?;
        }
        let triangles = Array::new(&[triangles.len() / 3, 3], Values::U32(triangles))?;
        npz.add("triangles", &triangles)?;
        npz.add("uv", &uv_array(mesh, &triangulation)?)?;
        npz.add("time", &Array::new(&[times.len()], Values::F64(times))?)?;
        npz.finish().map(drop)
    })
}

fn flatten(vectors: &[Vec3]) -> Values {
    Values::F64(vectors.iter().flat_map(Vec3::to_array).collect())
}

fn uv_array(mesh: &PolyMesh, triangulation: &Triangulation) -> Result<Array, WriteProblem> {
    if let Some(uv) = mesh.vertex_uv() {
        let numbers = uv.iter().flat_map(Vec2::to_array).collect();
        return Array::new(&[uv.len(), 2], Values::F64(numbers));
    }
    if mesh.uv.is_none() {
        return Array::new(&[0, 2], Values::F64(Vec::new()));
    }
    let corners = triangulation.corners.as_flattened().iter();
    let uv = corners.map(|&corner| mesh.corner_uv(corner as usize));
    let numbers = uv.flat_map(|uv| uv.map_or([f64::NAN; 2], |uv| uv.to_array())).collect();
    Array::new(&[triangulation.corners.len(), 3, 2], Values::F64(numbers))
}

#[cfg(test)]
pub(super) mod tests;
