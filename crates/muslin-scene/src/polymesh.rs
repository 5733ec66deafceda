//! Polygon meshes that keep what came in: quads and n-gons, vertex order, uv seams, materials,
//! groups. The engine works on their triangles; exports write the polygons back.

mod closed;
mod normals;
mod only;
mod triangulate;
mod units;
mod validate;

pub use triangulate::Triangulation;
pub use units::{UnitError, UpAxis};
pub use validate::MeshError;

use muslin::math::{Vec2, Vec3};

/// A mesh of polygons. A *corner* is one entry of `face_vertices`: a vertex as one face uses it.
///
/// The readers in [`crate::formats`] only return meshes whose indices are in range and whose
/// positions are finite. Call [`PolyMesh::validate`] on a mesh assembled by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct PolyMesh {
    /// Where the vertices are [m, once converted by [`PolyMesh::into_world`]].
    pub positions: Vec<Vec3>,
    /// Corners of face `f`: `face_offsets[f]..face_offsets[f + 1]`. Starts with 0.
    pub face_offsets: Vec<u32>,
    /// Vertex of each corner, face after face.
    pub face_vertices: Vec<u32>,
    /// Texture coordinates, where the file had any.
    pub uv: Option<CornerUv>,
    /// Material names, in the order of their first use.
    pub materials: Vec<String>,
    /// Index into `materials` for each face; empty where the mesh has no materials.
    pub face_materials: Vec<Option<u32>>,
    /// Named sets of faces, in the order of their first use.
    pub groups: Vec<FaceGroup>,
}

/// Texture coordinates that may differ between the corners that meet at a vertex (uv seams).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CornerUv {
    /// The distinct coordinates, in file order.
    pub values: Vec<Vec2>,
    /// Index into `values` for each corner; `None` where the file gave that corner no uv.
    pub corners: Vec<Option<u32>>,
}

/// What kind of name a [`FaceGroup`] carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// An OBJ `o` line: each face belongs to at most one.
    Object,
    /// An OBJ `g` line: a face may belong to several.
    Group,
}

/// A named set of faces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaceGroup {
    /// The name in the file.
    pub name: String,
    /// Object or group.
    pub kind: GroupKind,
    /// Faces in the set, ascending.
    pub faces: Vec<u32>,
}

impl Default for PolyMesh {
    fn default() -> Self {
        Self {
            positions: Vec::new(),
            face_offsets: vec![0],
            face_vertices: Vec::new(),
            uv: None,
            materials: Vec::new(),
            face_materials: Vec::new(),
            groups: Vec::new(),
        }
    }
}

impl PolyMesh {
    /// A mesh of triangles without uv, materials or groups.
    pub fn from_triangles(positions: Vec<Vec3>, triangles: &[[u32; 3]]) -> Self {
        let mut mesh = Self { positions, ..Self::default() };
        for triangle in triangles {
            mesh.push_face(triangle);
        }
        mesh
    }

    /// Appends a face with these vertices, counter-clockwise seen from outside.
    pub fn push_face(&mut self, vertices: &[u32]) {
        self.face_vertices.extend_from_slice(vertices);
        self.face_offsets.push(self.face_vertices.len() as u32);
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// The number of faces.
    pub fn face_count(&self) -> usize {
        self.face_offsets.len().saturating_sub(1)
    }

    /// The corners of a face, as a range of indices into `face_vertices`.
    pub fn corners(&self, face: usize) -> std::ops::Range<usize> {
        self.face_offsets[face] as usize..self.face_offsets[face + 1] as usize
    }

    /// The vertices of a face, in order around it.
    pub fn face(&self, face: usize) -> &[u32] {
        &self.face_vertices[self.corners(face)]
    }

    /// All faces, in order.
    pub fn faces(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.face_count()).map(|face| self.face(face))
    }

    /// The texture coordinate of a corner, where it has one.
    pub fn corner_uv(&self, corner: usize) -> Option<Vec2> {
        let uv = self.uv.as_ref()?;
        uv.corners[corner].map(|index| uv.values[index as usize])
    }

    /// One uv per vertex, or `None` where a vertex has none or has two that differ (a seam).
    pub fn vertex_uv(&self) -> Option<Vec<Vec2>> {
        self.uv.as_ref()?;
        let mut per_vertex: Vec<Option<Vec2>> = vec![None; self.vertex_count()];
        for (corner, &vertex) in self.face_vertices.iter().enumerate() {
            let here = self.corner_uv(corner)?;
            let known = per_vertex[vertex as usize].get_or_insert(here);
            if *known != here {
                return None;
            }
        }
        per_vertex.into_iter().collect()
    }

    /// The vertices of all groups and objects of this name, ascending; `None` where there is none.
    pub fn group_vertices(&self, name: &str) -> Option<Vec<u32>> {
        let mut named = self.groups.iter().filter(|group| group.name == name).peekable();
        named.peek()?;
        let mut vertices: Vec<u32> = named
            .flat_map(|group| &group.faces)
            .flat_map(|&face| self.face(face as usize))
            .copied()
            .collect();
        vertices.sort_unstable();
        vertices.dedup();
        Some(vertices)
    }

    /// Whether both meshes have the same faces over the same number of vertices, so that frames
    /// of one can be read as motion of the other.
    pub fn same_topology(&self, other: &Self) -> bool {
        self.vertex_count() == other.vertex_count()
            && self.face_offsets == other.face_offsets
            && self.face_vertices == other.face_vertices
    }
}

#[cfg(test)]
mod tests;
