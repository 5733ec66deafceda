use super::{
    animation::{Clip, Frame, SourceError},
    *,
};
use crate::polymesh::UpAxis;
use muslin::math::Vec3;
use std::{fs, io::Write};

mod fuzz;

/// A folder for one test, gone afterwards.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("muslin-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.0.clone() } else { self.0.join(name) }
    }

    /// The files in the folder, hidden ones too.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two frames of two vertices, not representable in single precision.
#[expect(clippy::unnecessary_wraps, reason = "the signature of a frame source")]
fn frames(_mesh: usize, frame: usize) -> Result<Frame, SourceError> {
    let at = |x: f64| Vec3::new(x, 0.1 * x, -1.0 / 3.0);
    let positions = vec![at(frame as f64), at(frame as f64 + 0.7)];
    Ok(Frame { positions, velocities: Some(vec![Vec3::X; 2]), time: 0.04 * frame as f64 })
}

fn two_vertices() -> PolyMesh {
    PolyMesh { positions: vec![Vec3::ZERO; 2], ..PolyMesh::default() }
}

pub(super) const CLIP: Clip = Clip { frame_count: 2, fps: 25.0, up: UpAxis::Z };

#[test]
fn point_caches_read_back_as_single_precision() {
    let scratch = Scratch::new("point-caches");
    let (pc2_path, mdd_path) = (scratch.path("a.pc2"), scratch.path("a.mdd"));
    pc2::write(&pc2_path, &CLIP, &two_vertices(), &mut frames).unwrap();
    mdd::write(&mdd_path, &CLIP, &two_vertices(), &mut frames).unwrap();
    let (pc2_bytes, mdd_bytes) = (fs::read(pc2_path).unwrap(), fs::read(mdd_path).unwrap());
    assert_eq!(pc2_bytes[..12], *b"POINTCACHE2\0");
    assert_eq!(
        pc2_bytes[12..32],
        [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 2, 0, 0, 0]
    );
    assert_eq!(mdd_bytes[..12], [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0]);
    let pc2 = pc2::read(&pc2_bytes, "a.pc2").unwrap();
    let mdd = mdd::read(&mdd_bytes, "a.mdd").unwrap();
    assert_eq!(pc2.times, [0.0, 1.0]);
    assert_eq!(mdd.times, [0.0, 0.04]);
    for cache in [pc2, mdd] {
        assert_eq!((cache.vertex_count, cache.frame_count()), (2, 2));
        for frame in 0..2 {
            let exact = frames(0, frame).unwrap().positions;
            let rounded: Vec<Vec3> = exact.iter().map(|p| p.as_vec3().as_dvec3()).collect();
            assert_eq!(cache.positions(frame), Some(rounded));
        }
        assert_eq!(cache.positions(2), None);
    }
}

#[test]
fn bad_point_caches_are_refused() {
    let pc2_error = |bytes: &[u8]| pc2::read(bytes, "a.pc2").unwrap_err().to_string();
    let mdd_error = |bytes: &[u8]| mdd::read(bytes, "a.mdd").unwrap_err().to_string();
    let header = |version: i32, vertices: i32, samples: i32| {
        let mut bytes = b"POINTCACHE2\0".to_vec();
        bytes.extend([version, vertices, 0, 0, samples].iter().flat_map(|n| n.to_le_bytes()));
        bytes
    };
    assert_eq!(
        pc2_error(b"POINT"),
        "a.pc2: a PC2 file starts with `POINTCACHE2`, but this does not"
    );
    assert_eq!(
        pc2_error(&header(2, 1, 1)),
        "a.pc2, byte 12: version 2 of PC2 is not known, only 1 is"
    );
    assert_eq!(
        pc2_error(&header(1, -1, 1)),
        "a.pc2, byte 16: the vertex count is -1, but it must be positive"
    );
    assert_eq!(
        pc2_error(&header(1, i32::MAX, i32::MAX)),
        "a.pc2, byte 32: 0 bytes follow the header, but its counts ask for 55340232169589047308: \
         copy or export the file again"
    );
    assert_eq!(
        pc2_error(&header(1, 1, 1)[..20]),
        "a.pc2, byte 20: the file ends before the first frame: copy or export it again"
    );
    assert_eq!(
        mdd_error(&[0, 0, 0, 1, 0, 0, 0, 1]),
        "a.mdd, byte 8: 0 bytes follow the header, but its counts ask for 16: \
         copy or export the file again"
    );
}

#[test]
fn a_clip_without_frames_or_rate_is_refused() {
    let scratch = Scratch::new("clip");
    let attempt = |clip: Clip| {
        let error = pc2::write(&scratch.path("a.pc2"), &clip, &two_vertices(), &mut frames);
        error.unwrap_err().problem.to_string()
    };
    assert_eq!(
        attempt(Clip { frame_count: 0, ..CLIP }),
        "the clip has no frames: give at least one"
    );
    for fps in [0.0, -1.0, f64::NAN] {
        let message = format!("{fps} frames per second: give a positive number");
        assert_eq!(attempt(Clip { fps, ..CLIP }), message);
    }
    assert!(scratch.names().is_empty());
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let scratch = Scratch::new("atomic");
    let path = scratch.path("a.txt");
    let put = |text: &'static str, fails: bool| {
        atomic::write(&path, |writer| {
            writer.write_all(text.as_bytes())?;
            if fails { Err(WriteProblem::Invalid("stop".into())) } else { Ok(()) }
        })
    };
    put("first", false).unwrap();
    let error = put("second", true).unwrap_err().to_string();
    assert_eq!(error, format!("cannot write {}: stop", path.display()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "first");
    put("third", false).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "third");
    assert_eq!(scratch.names(), ["a.txt"]);
    assert!(atomic::write(&scratch.path("no/folder/a"), |_| Ok(())).is_err());
    assert!(atomic::write(Path::new("/"), |_| Ok(())).is_err());
}

#[test]
fn meshes_are_read_by_extension() {
    let scratch = Scratch::new("by-extension");
    let path = scratch.path("a.OBJ");
    fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3").unwrap();
    assert_eq!(read_mesh(&path).unwrap().face_count(), 1);
    let message = read_mesh(Path::new("a.fbx")).unwrap_err().to_string();
    assert_eq!(
        message,
        "a.fbx: cannot read a mesh from `.fbx`: use `.obj`, `.ply`, `.glb`, `.gltf` or `.usda`"
    );
    let message = read_mesh(Path::new("/nowhere/a.obj")).unwrap_err().to_string();
    assert!(message.starts_with("cannot read /nowhere/a.obj: "), "{message}");
}
