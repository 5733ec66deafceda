//! Wavefront OBJ: polygons, uv per corner, `o` and `g` names, materials by name.

mod write;

pub use write::{write, write_sequence};

use super::{MAX_ELEMENTS, MAX_FACE_CORNERS, ReadError};
use crate::polymesh::{CornerUv, FaceGroup, GroupKind, PolyMesh};
use muslin::math::{Vec2, Vec3};
use std::{borrow::Cow, collections::BTreeMap};

/// A `g` line with more names than this is refused: every face would be listed that many times.
const MAX_GROUPS_PER_FACE: usize = 64;

/// Reads a mesh; `file` is its name in messages. Normals, lines, points, curves and material
/// libraries are skipped.
pub fn read(bytes: &[u8], file: &str) -> Result<PolyMesh, ReadError> {
    let mut parser = Parser::new(file);
    for (number, line) in (LogicalLines { rest: bytes, number: 1 }) {
        parser.number = number;
        parser.statement(&String::from_utf8_lossy(&line))?;
    }
    parser.finish()
}

/// Lines with `\` continuations joined, each with the number of its first line.
struct LogicalLines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> LogicalLines<'a> {
    fn physical_line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        self.number += 1;
        Some(line.trim_ascii())
    }
}

impl<'a> Iterator for LogicalLines<'a> {
    type Item = (usize, Cow<'a, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.number;
        let mut line = self.physical_line()?;
        if line.starts_with(b"#") || !line.ends_with(b"\\") {
            return Some((number, line.into()));
        }
        let mut joined = Vec::new();
        while let Some(start) = line.strip_suffix(b"\\") {
            joined.extend_from_slice(start);
            joined.push(b' ');
            line = self.physical_line().unwrap_or_default();
        }
        joined.extend_from_slice(line);
        Some((number, joined.into()))
    }
}

struct Parser<'a> {
    file: &'a str,
    /// The line being read, counted from 1.
    number: usize,
    mesh: PolyMesh,
    uv: CornerUv,
    /// The line of each face, to report an index past the end once the end is known.
    face_lines: Vec<usize>,
    material: Current<Option<u32>>,
    object: Current<Option<usize>>,
    groups: Current<Vec<usize>>,
    material_index: BTreeMap<String, u32>,
    group_index: BTreeMap<(bool, String), usize>,
}

/// A name that holds from here on. It enters the mesh with the first face that has it.
#[derive(Default)]
struct Current<T> {
    announced: Option<Vec<String>>,
    entered: T,
}

impl<'a> Parser<'a> {
    fn new(file: &'a str) -> Self {
        Self {
            file,
            number: 0,
            mesh: PolyMesh::default(),
            uv: CornerUv::default(),
            face_lines: Vec::new(),
            material: Current::default(),
            object: Current::default(),
            groups: Current::default(),
            material_index: BTreeMap::new(),
            group_index: BTreeMap::new(),
        }
    }

    fn fail<T>(&self, problem: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError::line(self.file, self.number, problem))
    }

    fn statement(&mut self, line: &str) -> Result<(), ReadError> {
        let (keyword, rest) =
            line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let name = || Some(vec![rest.trim().to_string()]);
        match keyword {
            "v" => {
                let [x, y, z] = self.numbers(rest, "a vertex", 3)?;
                self.mesh.positions.push(Vec3::new(x, y, z));
            }
            "vt" => {
                let [u, v, _] = self.numbers(rest, "a texture vertex", 1)?;
                self.uv.values.push(Vec2::new(u, v));
            }
            "f" => self.face(rest)?,
            "usemtl" => self.material.announced = name(),
            "o" => self.object.announced = name(),
            "g" => {
                let names: Vec<_> = rest.split_ascii_whitespace().map(String::from).collect();
                if names.len() > MAX_GROUPS_PER_FACE {
                    let count = names.len();
                    let limit = MAX_GROUPS_PER_FACE;
                    return self.fail(format!("{count} groups at once, but {limit} are the most"));
                }
                self.groups.announced = Some(names);
            }
            _ => {}
        }
        Ok(())
    }

    /// The first three numbers of a line; those after the first `needed` default to 0.
    fn numbers(&self, rest: &str, what: &str, needed: usize) -> Result<[f64; 3], ReadError> {
        let mut numbers = [0.0; 3];
        let mut words = rest.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
        for (index, number) in numbers.iter_mut().enumerate() {
            let Some(word) = words.next() else {
                if index >= needed {
                    break;
                }
                return self
                    .fail(format!("{what} needs {needed} numbers, but only {index} follow"));
            };
            match word.parse::<f64>() {
                Ok(value) if value.is_finite() => *number = value,
                _ => return self.fail(format!("`{word}` in {what} is not a finite number")),
            }
        }
        Ok(numbers)
    }

    fn face(&mut self, rest: &str) -> Result<(), ReadError> {
        let words = rest.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
        let first = self.mesh.face_vertices.len();
        for word in words {
            let mut parts = word.split('/');
            let vertex_count = self.mesh.positions.len();
            let vertex = self.index(parts.next().unwrap_or(""), word, vertex_count)?;
            let uv = match parts.next() {
                None | Some("") => None,
                Some(part) => Some(self.index(part, word, self.uv.values.len())?),
            };
            self.mesh.face_vertices.push(vertex);
            self.uv.corners.push(uv);
        }
        let total = self.mesh.face_vertices.len();
        match total - first {
            0..3 => return self.fail(format!("a face needs 3 corners, but has {}", total - first)),
            count if count > MAX_FACE_CORNERS => {
                let limit = MAX_FACE_CORNERS;
                return self
                    .fail(format!("a face of {count} corners: split it, {limit} are the most"));
            }
            _ if total > MAX_ELEMENTS => return self.fail("too many corners for 32-bit indices"),
            _ => {}
        }
        self.mesh.face_offsets.push(total as u32);
        self.face_lines.push(self.number);
        self.enter_names();
        Ok(())
    }

    /// An index of a face from 0. Positive ones may point forward: [`Self::finish`] checks them.
    fn index(&self, part: &str, word: &str, count: usize) -> Result<u32, ReadError> {
        let index: Option<i64> = part.parse().ok();
        let from_zero = match index {
            Some(index) if index > 0 => Some(index - 1),
            Some(index) if index < 0 => Some(count as i64 + index).filter(|&index| index >= 0),
            _ => None,
        };
        match from_zero.and_then(|index| u32::try_from(index).ok()) {
            Some(index) => Ok(index),
            None => self.fail(format!(
                "`{word}` is not a face corner: write v, v/vt, v//vn or v/vt/vn, counted from 1, \
                 or from -1 backwards"
            )),
        }
    }

    /// Notes material, object and groups of the face just read.
    fn enter_names(&mut self) {
        let face = (self.mesh.face_offsets.len() - 2) as u32;
        if let Some(names) = self.material.announced.take() {
            self.material.entered = names.into_iter().find(|name| !name.is_empty()).map(|name| {
                let next = self.mesh.materials.len() as u32;
                *self.material_index.entry(name).or_insert_with_key(|name| {
                    self.mesh.materials.push(name.clone());
                    next
                })
            });
        }
        if let Some(names) = self.object.announced.take() {
            self.object.entered = self.enter_groups(names, GroupKind::Object).pop();
        }
        if let Some(names) = self.groups.announced.take() {
            self.groups.entered = self.enter_groups(names, GroupKind::Group);
        }
        self.mesh.face_materials.push(self.material.entered);
        for &group in self.object.entered.iter().chain(&self.groups.entered) {
            self.mesh.groups[group].faces.push(face);
        }
    }

    fn enter_groups(&mut self, names: Vec<String>, kind: GroupKind) -> Vec<usize> {
        let mut entered = Vec::new();
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            let next = self.mesh.groups.len();
            let key = (kind == GroupKind::Object, name);
            let group = *self.group_index.entry(key).or_insert_with_key(|(_, name)| {
                self.mesh.groups.push(FaceGroup { name: name.clone(), kind, faces: Vec::new() });
                next
            });
            if !entered.contains(&group) {
                entered.push(group);
            }
        }
        entered
    }

    fn finish(mut self) -> Result<PolyMesh, ReadError> {
        let (vertex_count, uv_count) = (self.mesh.positions.len(), self.uv.values.len());
        if self.mesh.face_count() == 0 {
            let problem =
                format!("{vertex_count} vertices but no faces (`f` lines): export the faces");
            return Err(ReadError::file(self.file, problem));
        }
        for face in 0..self.mesh.face_count() {
            self.number = self.face_lines[face];
            for corner in self.mesh.corners(face) {
                let vertex = self.mesh.face_vertices[corner];
                if vertex as usize >= vertex_count {
                    return self.out_of_range("vertex", vertex, vertex_count);
                }
                if let Some(uv) = self.uv.corners[corner].filter(|&uv| uv as usize >= uv_count) {
                    return self.out_of_range("texture vertex", uv, uv_count);
                }
            }
        }
        if self.uv.corners.iter().any(Option::is_some) {
            self.mesh.uv = Some(self.uv);
        }
        if self.mesh.materials.is_empty() {
            self.mesh.face_materials.clear();
        }
        Ok(self.mesh)
    }

    fn out_of_range<T>(&self, what: &str, index: u32, count: usize) -> Result<T, ReadError> {
        let index = index as u64 + 1;
        self.fail(format!("the face names {what} {index}, but the file has {count}"))
    }
}

#[cfg(test)]
mod tests;
