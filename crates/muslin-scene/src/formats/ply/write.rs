//! PLY out: little endian, single precision, with normals, and with velocities where known.

use crate::{
    formats::{
        WriteError, WriteProblem,
        animation::{Clip, Frame, FrameSource},
        atomic,
        sequence::Pattern,
    },
    polymesh::PolyMesh,
};
use muslin::math::Vec2;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Writes a mesh as it is, in its own axes and unit. Materials and groups have no place in PLY.
pub fn write(path: &Path, mesh: &PolyMesh) -> Result<(), WriteError> {
    let frame = Frame { positions: mesh.positions.clone(), ..Frame::default() };
    let layout = Layout::new(mesh);
    atomic::write(path, |writer| Ok(layout.write_frame(writer, &frame)?))
}

/// Writes one file per frame of mesh 0 of the source, `name_0000.ply` and so on, and returns
/// their paths. The pattern has `####` or `%04d` in its file name, or `_####` is added.
pub fn write_sequence(
    pattern: &Path,
    clip: &Clip,
    mesh: &PolyMesh,
    source: &mut impl FrameSource,
) -> Result<Vec<PathBuf>, WriteError> {
    let fail = |problem: WriteProblem| WriteError { path: pattern.into(), problem };
    clip.check().map_err(fail)?;
    let pattern = Pattern::for_writing(pattern);
    let layout = Layout::new(mesh);
    (0..clip.frame_count)
        .map(|frame| {
            let path = pattern.path(frame as u64);
            atomic::write(&path, |writer| {
                let fetched = clip.fetch(source, (0, mesh), frame)?;
                Ok(layout.write_frame(writer, &fetched)?)
            })?;
            Ok(path)
        })
        .collect()
}

/// What is the same in every frame.
struct Layout<'a> {
    mesh: &'a PolyMesh,
    /// Texture coordinates as vertex properties, where there are no seams.
    vertex_uv: Option<Vec<Vec2>>,
    /// The faces in binary.
    faces: Vec<u8>,
    /// The type of list lengths: the smallest that holds the longest list.
    length_type: &'static str,
}

impl<'a> Layout<'a> {
    fn new(mesh: &'a PolyMesh) -> Self {
        let vertex_uv = mesh.vertex_uv();
        let longest = mesh.faces().map(<[u32]>::len).max().unwrap_or(0);
        let length_type = if u8::try_from(2 * longest).is_ok() { "uchar" } else { "uint" };
        let mut layout = Self { mesh, vertex_uv, faces: Vec::new(), length_type };
        for face in 0..mesh.face_count() {
            layout.push_length(mesh.face(face).len());
            layout.faces.extend(mesh.face(face).iter().flat_map(|vertex| vertex.to_le_bytes()));
            if layout.has_face_uv() {
                layout.push_face_uv(face);
            }
        }
        layout
    }

    fn has_face_uv(&self) -> bool {
        self.mesh.uv.is_some() && self.vertex_uv.is_none()
    }

    fn push_length(&mut self, length: usize) {
        match self.length_type {
            "uchar" => self.faces.push(length as u8),
            _ => self.faces.extend((length as u32).to_le_bytes()),
        }
    }

    /// The uv of all corners, or an empty list where one has none.
    fn push_face_uv(&mut self, face: usize) {
        let mesh = self.mesh;
        let uv: Option<Vec<Vec2>> = mesh.corners(face).map(|c| mesh.corner_uv(c)).collect();
        let uv = uv.unwrap_or_default();
        self.push_length(2 * uv.len());
        let numbers = uv.iter().flat_map(|uv| uv.as_vec2().to_array());
        self.faces.extend(numbers.flat_map(f32::to_le_bytes));
    }

    fn header(&self, has_velocities: bool) -> String {
        let velocity: &[&str] = if has_velocities { &["vx", "vy", "vz"] } else { &[] };
        let uv: &[&str] = if self.vertex_uv.is_some() { &["s", "t"] } else { &[] };
        let names = [&["x", "y", "z", "nx", "ny", "nz"], velocity, uv].concat();
        let length = self.length_type;
        let mut lines = vec!["ply".to_string(), "format binary_little_endian 1.0".into()];
        lines.push(format!("element vertex {}", self.mesh.vertex_count()));
        lines.extend(names.iter().map(|name| format!("property float {name}")));
        lines.push(format!("element face {}", self.mesh.face_count()));
        lines.push(format!("property list {length} uint vertex_indices"));
        if self.has_face_uv() {
            lines.push(format!("property list {length} float texcoord"));
        }
        lines.push("end_header\n".into());
        lines.join("\n")
    }

    fn write_frame(&self, writer: &mut impl Write, frame: &Frame) -> io::Result<()> {
        writer.write_all(self.header(frame.velocities.is_some()).as_bytes())?;
        let normals = self.mesh.vertex_normals(&frame.positions);
        let mut bytes = Vec::with_capacity(frame.positions.len() * 44);
        for vertex in 0..frame.positions.len() {
            let velocity = frame.velocities.as_ref().map(|velocities| velocities[vertex]);
            let vectors = [frame.positions[vertex], normals[vertex]].into_iter().chain(velocity);
            let uv = self.vertex_uv.as_ref().map(|uv| uv[vertex].as_vec2().to_array());
            let numbers =
                vectors.flat_map(|v| v.as_vec3().to_array()).chain(uv.into_iter().flatten());
            bytes.extend(numbers.flat_map(f32::to_le_bytes));
        }
        writer.write_all(&bytes)?;
        writer.write_all(&self.faces)
    }
}
