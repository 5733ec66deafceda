//! OBJ out. Numbers are the shortest that read back as the same `f64`.

use crate::{
    formats::{
        WriteError, WriteProblem,
        animation::{Clip, FrameSource},
        atomic,
        sequence::Pattern,
    },
    polymesh::{FaceGroup, GroupKind, PolyMesh},
};
use muslin::math::Vec3;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Writes a mesh as it is, in its own axes and unit.
pub fn write(path: &Path, mesh: &PolyMesh) -> Result<(), WriteError> {
    atomic::write(path, |writer| {
        write_vertices(writer, &mesh.positions)?;
        Ok(write_fixed_part(writer, mesh)?)
    })
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
    let mut fixed = Vec::new();
    write_fixed_part(&mut fixed, mesh).map_err(|error| fail(error.into()))?;
    (0..clip.frame_count)
        .map(|frame| {
            let path = pattern.path(frame as u64);
            atomic::write(&path, |writer| {
                let fetched = clip.fetch(source, (0, mesh), frame)?;
                write_vertices(writer, &fetched.positions)?;
                Ok(writer.write_all(&fixed)?)
            })?;
            Ok(path)
        })
        .collect()
}

fn write_vertices(out: &mut impl Write, positions: &[Vec3]) -> io::Result<()> {
    positions.iter().try_for_each(|p| writeln!(out, "v {:?} {:?} {:?}", p.x, p.y, p.z))
}

/// Everything after the vertices: the same in every frame.
fn write_fixed_part(out: &mut impl Write, mesh: &PolyMesh) -> io::Result<()> {
    for uv in mesh.uv.iter().flat_map(|uv| &uv.values) {
        writeln!(out, "vt {:?} {:?}", uv.x, uv.y)?;
    }
    let mut named: Vec<(u32, usize)> = Vec::new();
    for (index, group) in mesh.groups.iter().enumerate() {
        named.extend(group.faces.iter().map(|&face| (face, index)));
    }
    named.sort_unstable();
    let mut later = named.as_slice();
    let mut before = FaceNames::default();
    for face in 0..mesh.face_count() {
        let here;
        (here, later) = later.split_at(later.partition_point(|&(f, _)| f as usize <= face));
        let groups: Vec<&FaceGroup> = here.iter().map(|&(_, index)| &mesh.groups[index]).collect();
        let names = FaceNames::of(mesh, face, &groups);
        names.write_changes(out, &before)?;
        write_face(out, mesh, face)?;
        before = names;
    }
    Ok(())
}

/// The names in force at a face, as their lines say them.
#[derive(Default)]
struct FaceNames {
    object: String,
    groups: String,
    material: String,
}

impl FaceNames {
    fn of(mesh: &PolyMesh, face: usize, groups: &[&FaceGroup]) -> Self {
        let of_kind = |kind| groups.iter().filter(move |group| group.kind == kind);
        let object = of_kind(GroupKind::Object).next().map(|group| line_name(&group.name));
        let words: Vec<String> = of_kind(GroupKind::Group).map(|group| word(&group.name)).collect();
        let material = mesh.face_materials.get(face).copied().flatten();
        let material = material.map(|index| line_name(&mesh.materials[index as usize]));
        Self {
            object: object.unwrap_or_default(),
            groups: words.join(" "),
            material: material.unwrap_or_default(),
        }
    }

    fn write_changes(&self, out: &mut impl Write, before: &Self) -> io::Result<()> {
        let lines = [
            ("o", &self.object, &before.object),
            ("g", &self.groups, &before.groups),
            ("usemtl", &self.material, &before.material),
        ];
        for (keyword, name, _) in lines.iter().filter(|(_, name, before)| name != before) {
            writeln!(out, "{keyword} {name}")?;
        }
        Ok(())
    }
}

fn write_face(out: &mut impl Write, mesh: &PolyMesh, face: usize) -> io::Result<()> {
    write!(out, "f")?;
    for corner in mesh.corners(face) {
        let vertex = mesh.face_vertices[corner] as u64 + 1;
        match mesh.uv.as_ref().and_then(|uv| uv.corners[corner]) {
            Some(uv) => write!(out, " {vertex}/{}", uv as u64 + 1)?,
            None => write!(out, " {vertex}")?,
        }
    }
    writeln!(out)
}

/// A name that ends its line: no line breaks, no continuation.
fn line_name(name: &str) -> String {
    name.trim().replace(|c: char| c.is_control(), "_").trim_end_matches('\\').to_string()
}

/// A name among others: no blanks either.
fn word(name: &str) -> String {
    line_name(name).replace(char::is_whitespace, "_")
}
