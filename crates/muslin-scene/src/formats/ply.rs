//! Stanford PLY: text, or binary of either byte order. Elements and properties that are not
//! needed are skipped.

mod body;
mod header;
mod write;

pub use write::{write, write_sequence};

use super::{MAX_ELEMENTS, MAX_FACE_CORNERS, ReadError};
use crate::polymesh::{CornerUv, PolyMesh};
use body::{Body, Row};
use header::{Element, Header};
use muslin::math::{Vec2, Vec3};

/// Names that programs use for the texture coordinates of a vertex.
const UV_NAMES: [[&str; 2]; 3] = [["s", "t"], ["u", "v"], ["texture_u", "texture_v"]];

/// Reads a mesh; `file` is its name in messages. Texture coordinates may be vertex properties
/// (`s t`, `u v`, `texture_u texture_v`) or a face list (`texcoord`, which wins).
pub fn read(bytes: &[u8], file: &str) -> Result<PolyMesh, ReadError> {
    let header = Header::parse(bytes, file)?;
    let mut body = Body::new(bytes, &header, file);
    let mut reader = Reader::default();
    for element in &header.elements {
        body.check_room(element)?;
        match element.name.as_str() {
            "vertex" => reader.vertices(&mut body, element)?,
            "face" => reader.faces(&mut body, element)?,
            _ => (0..element.rows()).try_for_each(|_| body.row(element, &mut Row::default()))?,
        }
    }
    reader.finish(file)
}

#[derive(Default)]
struct Reader {
    mesh: PolyMesh,
    vertex_uv: Vec<Vec2>,
    face_uv: CornerUv,
}

impl Reader {
    fn vertices(&mut self, body: &mut Body, element: &Element) -> Result<(), ReadError> {
        let scalar = |name: &str| element.scalar(name);
        let (Some(x), Some(y), Some(z)) = (scalar("x"), scalar("y"), scalar("z")) else {
            return body.fail("the vertices have no properties x, y and z");
        };
        let uv = UV_NAMES.iter().find_map(|[u, v]| Some((scalar(u)?, scalar(v)?)));
        let mut row = Row::default();
        for vertex in 0..element.rows() {
            body.row(element, &mut row)?;
            let position = Vec3::new(row.number(x), row.number(y), row.number(z));
            if !position.is_finite() {
                return body.fail(format!("vertex {vertex} has a coordinate that is not finite"));
            }
            self.mesh.positions.push(position);
            if let Some((u, v)) = uv {
                let uv = Vec2::new(row.number(u), row.number(v));
                if !uv.is_finite() {
                    return body.fail(format!("vertex {vertex} has a uv that is not finite"));
                }
                self.vertex_uv.push(uv);
            }
        }
        Ok(())
    }

    fn faces(&mut self, body: &mut Body, element: &Element) -> Result<(), ReadError> {
        let list = |name: &str| element.list(name);
        let Some(indices) = list("vertex_indices").or_else(|| list("vertex_index")) else {
            return body.fail("the faces have no list `vertex_indices`");
        };
        let uv = list("texcoord");
        let mut row = Row::default();
        for face in 0..element.rows() {
            body.row(element, &mut row)?;
            let corners = row.numbers(indices);
            let count = corners.len();
            if !(3..=MAX_FACE_CORNERS).contains(&count) {
                let limit = MAX_FACE_CORNERS;
                return body
                    .fail(format!("face {face} has {count} corners instead of 3 to {limit}"));
            }
            for &corner in corners {
                if corner.fract() != 0.0 || !(0.0..u32::MAX as f64).contains(&corner) {
                    return body.fail(format!("face {face} names vertex {corner}, no valid index"));
                }
                self.mesh.face_vertices.push(corner as u32);
            }
            if self.mesh.face_vertices.len() > MAX_ELEMENTS {
                return body.fail("too many corners for 32-bit indices");
            }
            self.mesh.face_offsets.push(self.mesh.face_vertices.len() as u32);
            if let Some(uv) = uv {
                self.face_texcoords(row.numbers(uv), count);
            }
        }
        Ok(())
    }

    /// A list `u v u v …`; one of another length, or not finite, leaves the face without uv.
    fn face_texcoords(&mut self, numbers: &[f64], corner_count: usize) {
        let finite = numbers.iter().all(|number| number.is_finite());
        let complete = finite && numbers.len() == 2 * corner_count;
        for corner in 0..corner_count {
            let index = complete.then(|| {
                self.face_uv.values.push(Vec2::new(numbers[2 * corner], numbers[2 * corner + 1]));
                self.face_uv.values.len() as u32 - 1
            });
            self.face_uv.corners.push(index);
        }
    }

    fn finish(mut self, file: &str) -> Result<PolyMesh, ReadError> {
        let vertex_count = self.mesh.vertex_count();
        if self.mesh.face_count() == 0 {
            let problem = format!("{vertex_count} vertices but no faces: export the faces");
            return Err(ReadError::file(file, problem));
        }
        let faces = self.mesh.faces().enumerate();
        for (face, vertex) in faces.flat_map(|(f, list)| list.iter().map(move |&v| (f, v))) {
            if vertex as usize >= vertex_count {
                let problem = format!(
                    "face {face} (counted from 0) names vertex {vertex}, but the file has \
                     {vertex_count}"
                );
                return Err(ReadError::file(file, problem));
            }
        }
        if self.face_uv.corners.iter().any(Option::is_some) {
            self.mesh.uv = Some(self.face_uv);
        } else if !self.vertex_uv.is_empty() {
            let corners = self.mesh.face_vertices.iter().map(|&vertex| Some(vertex)).collect();
            self.mesh.uv = Some(CornerUv { values: self.vertex_uv, corners });
        }
        Ok(self.mesh)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::samples as sample_files;
