//! OBJ out. Numbers are the shortest that read back as the same `f64`.

use crate::{
    formats::{
        WriteError, WriteProblem,
        animation::{Clip, FrameSource},
        atomic,
        sequence::Pattern,
    },
    polymesh::{GroupKind, PolyMesh},
};
use muslin::math::Vec3;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Writes a mesh as it is, in its own axes and unit.
pub fn write(path: &Path, mesh: &PolyMesh) -> Result<(), WriteError> {
    let fixed = fixed_part(mesh);
    atomic::write(path, |writer| Ok(write_frame(writer, &mesh.positions, &fixed)?))
}

/// Writes one file per frame of mesh 0 of the source, `name_0000.obj` and so on, and returns
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
    let fixed = fixed_part(mesh);
    (0..clip.frame_count)
        .map(|frame| {
            let path = pattern.path(frame as u64);
            atomic::write(&path, |writer| {
                let fetched = clip.fetch(source, (0, mesh), frame)?;
                Ok(write_frame(writer, &fetched.positions, &fixed)?)
            })?;
            Ok(path)
        })
        .collect()
}

fn write_frame(writer: &mut impl Write, positions: &[Vec3], fixed: &str) -> io::Result<()> {
    for p in positions {
        writeln!(writer, "v {:?} {:?} {:?}", p.x, p.y, p.z)?;
    }
    writer.write_all(fixed.as_bytes())
}

/// Everything after the vertices: the same in every frame.
fn fixed_part(mesh: &PolyMesh) -> String {
    let mut text = String::new();
    for uv in mesh.uv.iter().flat_map(|uv| &uv.values) {
        text += &format!("vt {:?} {:?}\n", uv.x, uv.y);
    }
    let mut named: Vec<(u32, usize)> = Vec::new();
    for (index, group) in mesh.groups.iter().enumerate() {
        named.extend(group.faces.iter().map(|&face| (face, index)));
    }
    named.sort_unstable();
    let mut named = named.as_slice();
    let (mut object, mut groups, mut material) = (String::new(), String::new(), None);
    for face in 0..mesh.face_count() {
        let (here, later) = named.split_at(named.partition_point(|&(f, _)| f as usize <= face));
        named = later;
        let names = |kind| {
            let of_kind = here.iter().map(|&(_, index)| &mesh.groups[index]);
            of_kind.filter(move |group| group.kind == kind).map(|group| group.name.as_str())
        };
        let object_here: String = names(GroupKind::Object).take(1).map(line_name).collect();
        let groups_here: String =
            names(GroupKind::Group).map(|name| format!(" {}", word(name))).collect();
        let material_here = mesh.face_materials.get(face).copied().flatten();
        if object_here != object {
            text += &format!("o {object_here}\n");
            object = object_here;
        }
        if groups_here != groups {
            text += &format!("g{groups_here}\n");
            groups = groups_here;
        }
        if material_here != material {
            let name = material_here.map(|index| line_name(&mesh.materials[index as usize]));
            text += &format!("usemtl {}\n", name.unwrap_or_default());
            material = material_here;
        }
        face_line(mesh, face, &mut text);
    }
    text
}

fn face_line(mesh: &PolyMesh, face: usize, text: &mut String) {
    text.push('f');
    for corner in mesh.corners(face) {
        let vertex = mesh.face_vertices[corner] as u64 + 1;
        match mesh.uv.as_ref().and_then(|uv| uv.corners[corner]) {
            Some(uv) => *text += &format!(" {vertex}/{}", uv as u64 + 1),
            None => *text += &format!(" {vertex}"),
        }
    }
    text.push('\n');
}

/// A name that ends its line: no line breaks, no continuation.
fn line_name(name: &str) -> String {
    name.trim().replace(|c: char| c.is_control(), "_").trim_end_matches('\\').to_string()
}

/// A name among others: no blanks either.
fn word(name: &str) -> String {
    line_name(name).replace(char::is_whitespace, "_")
}
