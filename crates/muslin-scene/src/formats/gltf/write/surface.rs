//! A mesh as glTF wants it: triangles by material, and one vertex for every uv that meets at it.

use super::Target;
use crate::{
    formats::{WriteProblem, animation::AnimatedMesh, atomic::Writer},
    polymesh::PolyMesh,
};
use muslin::math::{Vec2, Vec3};
use std::io::Write;

/// The grey of a mesh without a colour, linear.
const GREY: [f64; 3] = [0.6, 0.6, 0.6];

/// The triangles that wear one material.
pub(super) struct Primitive {
    /// The name of the material; the mesh's own where it has none.
    pub(super) material: String,
    pub(super) indices: Vec<u32>,
}

/// A mesh ready to be written.
pub(super) struct Surface {
    pub(super) name: String,
    /// Linear red, green and blue.
    pub(super) color: [f64; 3],
    pub(super) primitives: Vec<Primitive>,
    /// The vertex of the mesh that each vertex here stands for.
    pub(super) from: Vec<u32>,
    pub(super) uv: Option<Vec<Vec2>>,
    /// Frame 0 [m], as the numbers of single precision in the file and the scale give it.
    pub(super) positions: Vec<Vec3>,
    /// Normals of frame 0, rounded likewise.
    pub(super) normals: Vec<Vec3>,
    /// By how much its node enlarges what is written.
    pub(super) scale: f64,
    /// One for each frame after the first; empty if the mesh does not move.
    pub(super) targets: Vec<Target>,
}

impl Surface {
    pub(super) fn new(
        animated: &AnimatedMesh,
        first: &[Vec3],
        frame_count: usize,
        scale: f64,
    ) -> Result<Self, WriteProblem> {
        let mesh = PolyMesh { positions: first.to_vec(), ..animated.mesh.clone() };
        let name = animated.name;
        if mesh.face_count() == 0 {
            let problem = format!("`{name}` has no faces, and glTF has no meshes without");
            return Err(WriteProblem::Invalid(problem));
        }
        let color = animated.color.unwrap_or(GREY).map(|channel| channel.clamp(0.0, 1.0));
        let split = Split::new(&mesh);
        if color.iter().any(|c| c.is_nan()) || split.uv.iter().flatten().any(|uv| !uv.is_finite()) {
            let problem = format!("a uv or the colour of `{name}` is not a finite number");
            return Err(WriteProblem::Invalid(problem));
        }
        let normals = mesh.vertex_normals(first);
        let rounded = |list: &[Vec3], scale: f64| -> Vec<Vec3> {
            let small = split.from.iter().map(|&vertex| (list[vertex as usize] / scale).as_vec3());
            small.map(|v| v.as_dvec3() * scale).collect()
        };
        let moving = animated.animated && frame_count > 1;
        Ok(Self {
            name: name.into(),
            color,
            primitives: primitives(&mesh, &split.corners, name),
            positions: rounded(first, scale),
            normals: rounded(&normals, 1.0),
            scale,
            from: split.from,
            uv: split.uv,
            targets: vec![Target::WIDEST; if moving { frame_count - 1 } else { 0 }],
        })
    }

    pub(super) fn vertices(&self) -> usize {
        self.from.len()
    }

    /// How many targets the file has: one for each frame after the first, and one that takes the normals of
    /// frame 0 away; none if the mesh does not move.
    pub(super) fn weights(&self) -> usize {
        if self.targets.is_empty() { 0 } else { self.targets.len() + 1 }
    }

    /// Positions of frame 0 as they are written, before the node enlarges them.
    pub(super) fn small_positions(&self) -> impl Iterator<Item = Vec3> {
        self.positions.iter().map(|x| *x / self.scale)
    }

    /// Everything but the motion: indices, positions, normals, uv, and what takes the normals away.
    pub(super) fn write_constants(&self, out: &mut Writer) -> Result<(), WriteProblem> {
        let indices = self.primitives.iter().flat_map(|primitive| &primitive.indices);
        for index in indices {
            out.write_all(&index.to_le_bytes())?;
        }
        let vectors = self.small_positions().chain(self.normals.iter().copied());
        for number in vectors.flat_map(|v| v.as_vec3().to_array()) {
            out.write_all(&number.to_le_bytes())?;
        }
        for uv in self.uv.iter().flatten() {
            // glTF counts v from the top of the picture.
            out.write_all(&(uv.x as f32).to_le_bytes())?;
            out.write_all(&((1.0 - uv.y) as f32).to_le_bytes())?;
        }
        if self.weights() > 0 {
            for number in self.normals.iter().flat_map(|normal| (-*normal).as_vec3().to_array()) {
                out.write_all(&number.to_le_bytes())?;
            }
        }
        Ok(())
    }
}

/// Vertices, one for each uv that meets at a vertex of the mesh, in the order of the mesh.
struct Split {
    from: Vec<u32>,
    uv: Option<Vec<Vec2>>,
    /// The vertex of each corner of the mesh.
    corners: Vec<u32>,
}

impl Split {
    fn new(mesh: &PolyMesh) -> Self {
        let vertices = mesh.vertex_count() as u32;
        let Some(uv) = &mesh.uv else {
            let from = (0..vertices).collect();
            return Self { from, uv: None, corners: mesh.face_vertices.clone() };
        };
        let value = |corner: usize| {
            let index = uv.corners[corner];
            index.map_or(Vec2::ZERO, |index| uv.values[index as usize])
        };
        let mut order: Vec<usize> = (0..mesh.face_vertices.len()).collect();
        order.sort_by(|&a, &b| {
            let (p, q) = (value(a), value(b));
            let by_vertex = mesh.face_vertices[a].cmp(&mesh.face_vertices[b]);
            by_vertex.then(p.x.total_cmp(&q.x)).then(p.y.total_cmp(&q.y))
        });
        let (mut from, mut values) = (Vec::new(), Vec::new());
        let mut corners = vec![0; order.len()];
        for corner in order {
            let (vertex, uv) = (mesh.face_vertices[corner], value(corner));
            // Vertices that no face uses keep their place in the order.
            while (from.last().map_or(0, |last| last + 1)) < vertex {
                from.push(from.last().map_or(0, |last| last + 1));
                values.push(Vec2::ZERO);
            }
            if from.last() != Some(&vertex) || values.last() != Some(&uv) {
                from.push(vertex);
                values.push(uv);
            }
            corners[corner] = from.len() as u32 - 1;
        }
        while (from.last().map_or(0, |last| last + 1)) < vertices {
            from.push(from.last().map_or(0, |last| last + 1));
            values.push(Vec2::ZERO);
        }
        Self { from, uv: Some(values), corners }
    }
}

/// The triangles, one list for each material that is used.
fn primitives(mesh: &PolyMesh, corners: &[u32], name: &str) -> Vec<Primitive> {
    let cut = mesh.triangulate();
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); mesh.materials.len() + 1];
    for (triangle, &face) in cut.corners.iter().zip(&cut.faces) {
        let material = mesh.face_materials.get(face as usize).copied().flatten();
        let list = &mut lists[material.map_or(mesh.materials.len(), |index| index as usize)];
        list.extend(triangle.map(|corner| corners[corner as usize]));
    }
    let names = mesh.materials.iter().map(String::as_str).chain([name]);
    let named = names.zip(lists).filter(|(_, indices)| !indices.is_empty());
    named.map(|(name, indices)| Primitive { material: name.into(), indices }).collect()
}
