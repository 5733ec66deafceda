use super::*;
use crate::formats::{
    animation::{Frame, SourceError},
    tests::Scratch,
};
use crate::polymesh::{CornerUv, PolyMesh};
use muslin::math::{Vec2, Vec3};
use std::{collections::BTreeMap, fs};

/// A reader of its own, from the description of the format: paths of objects and properties, with the
/// samples of each (keys left out) and its type, items and metadata.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    found: BTreeMap<String, Found>,
}

#[derive(Debug, Default, Clone)]
struct Found {
    metadata: String,
    pod: u32,
    extent: u32,
    samples: Vec<Vec<u8>>,
}

impl Found {
    fn floats(&self, sample: usize) -> Vec<f32> {
        let chunks = self.samples[sample].as_chunks::<4>().0;
        chunks.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }

    fn whole(&self) -> Vec<u32> {
        let chunks = self.samples[0].as_chunks::<4>().0;
        chunks.iter().map(|b| u32::from_le_bytes(*b)).collect()
    }
}

impl Archive {
    fn read(bytes: Vec<u8>) -> Self {
        assert_eq!(&bytes[..8], b"Ogawa\xff\x00\x01");
        let mut archive = Self { bytes, ..Self::default() };
        let root = archive.children(archive.u64(8));
        assert_eq!(root.len(), 6);
        assert_eq!(archive.data(root[0]), 0_i32.to_le_bytes());
        archive.found.insert(
            "times".into(),
            Found { samples: vec![archive.data(root[4]).to_vec()], ..Found::default() },
        );
        archive.object(root[2], "");
        archive
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.bytes[at..at + 8].try_into().unwrap())
    }

    fn children(&self, group: u64) -> Vec<u64> {
        assert_eq!(group >> 63, 0, "a group was expected");
        let at = group as usize;
        if at == 0 {
            return Vec::new();
        }
        (1..=self.u64(at) as usize).map(|child| self.u64(at + 8 * child)).collect()
    }

    fn data(&self, entry: u64) -> &[u8] {
        assert_eq!(entry >> 63, 1, "data was expected");
        let at = (entry & !(1 << 63)) as usize;
        if at == 0 { &[] } else { &self.bytes[at + 8..at + 8 + self.u64(at) as usize] }
    }

    fn object(&mut self, group: u64, path: &str) {
        let children = self.children(group);
        self.compound(children[0], path);
        let last = self.data(*children.last().unwrap());
        let headers = last[..last.len() - 32].to_vec();
        let mut cursor = Cursor(&headers);
        for child in &children[1..children.len() - 1] {
            let name = cursor.text();
            assert_eq!(cursor.take(1), [0xff]);
            let metadata = cursor.text();
            let path = format!("{path}/{name}");
            let found = Found { metadata, ..Found::default() };
            assert!(self.found.insert(path.clone(), found).is_none(), "{path} is there twice");
            self.object(*child, &path);
        }
        assert!(cursor.0.is_empty());
    }

    fn compound(&mut self, group: u64, path: &str) {
        let children = self.children(group);
        let Some((last, properties)) = children.split_last() else { return };
        let headers = self.data(*last).to_vec();
        let mut cursor = Cursor(&headers);
        for &property in properties {
            let info = cursor.u32();
            let kind = info & 3;
            let mut count = 0;
            if kind > 0 {
                count = cursor.u32() as usize;
                assert_eq!(cursor.u32(), 1, "the sampling of the clip");
                assert_eq!(info & 0x800 != 0, count == 1);
            }
            let path = format!("{path}/{}", cursor.text());
            let metadata = cursor.text();
            let mut found =
                Found { metadata, pod: info >> 4 & 15, extent: info >> 12 & 255, samples: vec![] };
            if kind == 0 {
                self.compound(property, &path);
            } else {
                let stride = kind as usize;
                let entries = self.children(property);
                assert_eq!(entries.len(), stride * count);
                found.samples =
                    entries.iter().step_by(stride).map(|e| self.data(*e)[16..].to_vec()).collect();
            }
            self.found.insert(path, found);
        }
        assert!(cursor.0.is_empty());
    }
}

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take(4).try_into().unwrap())
    }

    fn text(&mut self) -> String {
        let length = self.u32() as usize;
        String::from_utf8(self.take(length).to_vec()).unwrap()
    }
}

/// A quad and a triangle with a corner that has no uv, of two materials.
fn patch() -> PolyMesh {
    let mut mesh = PolyMesh { positions: vec![Vec3::ZERO; 5], ..PolyMesh::default() };
    mesh.push_face(&[0, 1, 2, 3]);
    mesh.push_face(&[1, 4, 2]);
    mesh.materials = vec!["a/b".into(), "unused".into(), "c".into()];
    mesh.face_materials = vec![Some(0), Some(2)];
    let values = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let corners = [Some(0), Some(1), Some(2), Some(3), Some(1), None, Some(2)].to_vec();
    mesh.uv = Some(CornerUv { values, corners });
    mesh
}

fn place(vertex: usize, frame: usize) -> Vec3 {
    let (v, f) = (vertex as f64, frame as f64);
    Vec3::new(0.1 * v, 1.0 - f / 3.0, 0.7 * v * f)
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of a frame source")]
fn moving(_mesh: usize, frame: usize) -> Result<Frame, SourceError> {
    let positions = (0..5).map(|vertex| place(vertex, frame)).collect();
    Ok(Frame { positions, velocities: Some(vec![Vec3::Y; 5]), time: 0.0 })
}

const CLIP: Clip = Clip { frame_count: 3, fps: 25.0, up: UpAxis::Z };

fn animated(mesh: &PolyMesh) -> [AnimatedMesh<'_>; 1] {
    [AnimatedMesh { mesh, name: "a", color: None, animated: true }]
}

fn written(meshes: &[AnimatedMesh], source: &mut impl FrameSource) -> Archive {
    let scratch = Scratch::new(&format!("alembic-{}", meshes[0].name.len()));
    write(&scratch.path("a.abc"), &CLIP, meshes, source).unwrap();
    assert_eq!(scratch.names(), ["a.abc"]);
    Archive::read(fs::read(scratch.path("a.abc")).unwrap())
}

#[test]
fn a_mesh_reads_back_in_every_frame() {
    let mesh = patch();
    let meshes = [AnimatedMesh { mesh: &mesh, name: "sheet", color: None, animated: true }];
    let archive = written(&meshes, &mut moving);
    let of = |name: &str| &archive.found[&format!("/sheet/sheetShape/.geom/{name}")];
    let points = of("P");
    assert_eq!((points.pod, points.extent, points.samples.len()), (10, 3, 3));
    for frame in 0..3 {
        // y up: (x, y, z) becomes (x, z, -y).
        let turned = |x: Vec3| [x.x as f32, x.z as f32, -x.y as f32];
        let expected: Vec<f32> = (0..5).flat_map(|v| turned(place(v, frame))).collect();
        assert_eq!(points.floats(frame), expected);
        assert_eq!(of(".velocities").floats(frame), [0.0, 0.0, -1.0].repeat(5));
        let bounds: Vec<f64> = of(".selfBnds").samples[frame]
            .as_chunks::<8>()
            .0
            .iter()
            .map(|b| f64::from_le_bytes(*b))
            .collect();
        for axis in 0..3 {
            let along = || expected.iter().skip(axis).step_by(3).map(|x| f64::from(*x));
            assert_eq!(bounds[axis], along().fold(f64::MAX, f64::min));
            assert_eq!(bounds[axis + 3], along().fold(f64::MIN, f64::max));
        }
    }
    assert_eq!(of(".faceCounts").whole(), [4, 3]);
    assert_eq!(of(".faceIndices").whole(), [3, 2, 1, 0, 2, 4, 1], "clockwise");
    assert_eq!(of("uv/.vals").floats(0), [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(of("uv/.indices").whole(), [3, 2, 1, 0, 2, 4, 1]);
    let sets: Vec<(&String, Vec<u32>)> = archive
        .found
        .iter()
        .filter(|(path, _)| path.contains("/.faceset/.faces"))
        .map(|(path, found)| (path, found.whole()))
        .collect();
    assert_eq!(sets.len(), 2);
    assert!(sets[0].0.contains("/a_b/") && sets[0].1 == [0]);
    assert!(sets[1].0.contains("/c/") && sets[1].1 == [1]);
    assert!(archive.found["/sheet"].metadata.contains("AbcGeom_Xform_v3:.xform"));
    // Two samplings of 24 bytes: most samples, seconds between them, one time, 0.
    let times = &archive.found["times"].samples[0];
    assert_eq!(times[24..28], 3_u32.to_le_bytes());
    assert_eq!(times[28..36], 0.04_f64.to_le_bytes());
}

#[test]
fn meshes_that_stand_still_have_one_sample_and_names_differ() {
    let mesh = PolyMesh { uv: None, ..patch() };
    let still = AnimatedMesh { mesh: &mesh, name: "", color: None, animated: false };
    let mut source = |_: usize, frame: usize| -> Result<Frame, SourceError> {
        assert_eq!(frame, 0);
        Ok(Frame { velocities: None, ..moving(0, frame)? })
    };
    let archive = written(&[still, AnimatedMesh { name: "mesh", ..still }], &mut source);
    for name in ["mesh", "mesh_1"] {
        let path = format!("/{name}/{name}Shape/.geom");
        assert_eq!(archive.found[&format!("{path}/P")].samples.len(), 1);
        assert!(!archive.found.contains_key(&format!("{path}/.velocities")));
        assert!(!archive.found.contains_key(&format!("{path}/uv")));
    }
}

#[test]
fn what_cannot_be_said_is_refused_and_leaves_nothing() {
    let scratch = Scratch::new("alembic-refused");
    let path = scratch.path("a.abc");
    let mut mesh = patch();
    let mut forgetful = |_: usize, frame: usize| -> Result<Frame, SourceError> {
        let whole = moving(0, frame)?;
        Ok(if frame == 2 { Frame { velocities: None, ..whole } } else { whole })
    };
    let error = write(&path, &CLIP, &animated(&mesh), &mut forgetful).unwrap_err();
    assert!(error.to_string().contains("frame 2 has no velocities"), "{error}");
    mesh.uv.as_mut().unwrap().values[1].x = 1e300;
    let error = write(&path, &CLIP, &animated(&mesh), &mut moving).unwrap_err();
    assert!(error.to_string().contains("a uv of `a`"), "{error}");
    assert!(scratch.names().is_empty());
}
