//! What can be wrong with a mesh, each with the elements to look at. Elements count from 0.

use super::{PolyMesh, normals::area_vector};
use thiserror::Error;

/// One thing that is wrong with a mesh.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeshError {
    /// Nothing to simulate.
    #[error(
        "the mesh has {vertices} vertices and {faces} faces, but it needs at least one face: \
         check that the right object was exported"
    )]
    Empty {
        /// Number of vertices.
        vertices: usize,
        /// Number of faces.
        faces: usize,
    },
    /// Lists that should go together have different lengths.
    #[error("the mesh lists {found} {what}, but {expected} are needed: give one for each")]
    Layout {
        /// What the list holds.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// An index points past the end of its list.
    #[error(
        "face {face} (counted from 0) names {what} {index}, but the mesh has {count}: \
         export the mesh again"
    )]
    OutOfRange {
        /// The face with the index.
        face: usize,
        /// What the index counts.
        what: &'static str,
        /// The index.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// A position that is not a number.
    #[error("vertex {vertex} (counted from 0) has a coordinate that is not finite: repair it")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A texture coordinate that is not a number.
    #[error("uv {index} (counted from 0) is not finite: repair it or export without uv")]
    UvNotFinite {
        /// The entry of the list of uv.
        index: usize,
    },
    /// A face without area, with fewer than three corners, or with two corners in one place.
    #[error(
        "face {face} (counted from 0) {reason}: remove it (in Blender: Mesh > Clean Up > \
         Degenerate Dissolve)"
    )]
    Degenerate {
        /// The face.
        face: usize,
        /// What makes it degenerate.
        reason: &'static str,
    },
    /// Two vertices in the same place that no edge joins: the surface is torn there.
    #[error(
        "vertices {first} and {second} (counted from 0) lie in the same place but are not \
         connected: merge them, or the surface tears there"
    )]
    Duplicate {
        /// The lower vertex.
        first: usize,
        /// The higher vertex.
        second: usize,
    },
    /// An edge that three or more faces share.
    #[error(
        "the edge between vertices {a} and {b} (counted from 0) is shared by {count} faces \
         ({x}, {y}, {z}{more}), but a cloth has at most two on an edge: remove the extra faces",
        x = faces[0], y = faces[1], z = faces[2], more = if *count > 3 { ", ..." } else { "" }
    )]
    NonManifoldEdge {
        /// The lower vertex of the edge.
        a: u32,
        /// The higher vertex of the edge.
        b: u32,
        /// How many faces share it.
        count: usize,
        /// The first three of them.
        faces: [u32; 3],
    },
}

/// A face whose area is below this part of its longest edge squared counts as degenerate: far
/// below any sliver worth simulating, far above the rounding of an exactly straight one.
const DEGENERATE_AREA: f64 = 1e-13;

/// One use of an edge by a face: lower vertex, higher vertex, face.
type EdgeUse = (u32, u32, u32);

impl MeshError {
    /// Whether a body may have it: coincident vertices and crowded edges do no harm to what only has to
    /// be touched.
    pub fn is_harmless_for_bodies(&self) -> bool {
        matches!(self, Self::Duplicate { .. } | Self::NonManifoldEdge { .. })
    }
}

impl PolyMesh {
    /// The first thing wrong with the mesh, if anything is.
    pub fn validate(&self) -> Result<(), MeshError> {
        self.problems(1).into_iter().next().map_or(Ok(()), Err)
    }

    /// What is wrong with the mesh, at most `limit` entries, worst kinds first. Geometry is only
    /// looked at once all indices and positions are sound.
    pub fn problems(&self, limit: usize) -> Vec<MeshError> {
        let mut found: Vec<MeshError> = self.layout_problems().take(limit).collect();
        if found.is_empty() {
            found.extend(self.element_problems().take(limit));
        }
        if found.is_empty() {
            let edges = self.sorted_edge_uses();
            let geometry = self
                .degenerate_faces()
                .chain(crowded_edges(&edges))
                .chain(self.duplicate_vertices(&edges));
            found.extend(geometry.take(limit));
        }
        found
    }

    fn layout_problems(&self) -> impl Iterator<Item = MeshError> {
        let (vertices, faces) = (self.vertex_count(), self.face_count());
        let empty = (vertices == 0 || faces == 0).then_some(MeshError::Empty { vertices, faces });
        let corners = self.face_vertices.len();
        let listed = self.face_offsets.last().map_or(0, |&end| end as usize);
        let ordered = self.face_offsets.is_sorted() && self.face_offsets.first() == Some(&0);
        let uv_corners = self.uv.as_ref().map_or(corners, |uv| uv.corners.len());
        let materials = self.face_materials.len();
        let wrong = |bad: bool, what, found, expected| {
            bad.then_some(MeshError::Layout { what, found, expected })
        };
        empty
            .into_iter()
            .chain(wrong(!ordered || listed != corners, "corners in its offsets", listed, corners))
            .chain(wrong(uv_corners != corners, "uv corners", uv_corners, corners))
            .chain(wrong(materials != 0 && materials != faces, "face materials", materials, faces))
    }

    fn element_problems(&self) -> impl Iterator<Item = MeshError> {
        let uv_count = self.uv.as_ref().map_or(0, |uv| uv.values.len());
        let faces = (0..self.face_count()).flat_map(move |face| {
            let out = move |what, index: u32, count: usize| {
                (index as usize >= count).then_some(MeshError::OutOfRange {
                    face,
                    what,
                    index,
                    count,
                })
            };
            let vertices = self.face(face).iter();
            let uv = self.uv.iter().flat_map(move |uv| uv.corners[self.corners(face)].iter());
            let material = self.face_materials.get(face).copied().flatten();
            vertices
                .filter_map(move |&vertex| out("vertex", vertex, self.vertex_count()))
                .chain(uv.flatten().filter_map(move |&index| out("uv", index, uv_count)))
                .chain(material.and_then(|index| out("material", index, self.materials.len())))
        });
        let positions = self.positions.iter().enumerate();
        let positions = positions.filter(|(_, position)| !position.is_finite());
        let uv = self.uv.iter().flat_map(|uv| uv.values.iter().enumerate());
        let uv = uv.filter(|(_, uv)| !uv.is_finite());
        faces
            .chain(positions.map(|(vertex, _)| MeshError::NotFinite { vertex }))
            .chain(uv.map(|(index, _)| MeshError::UvNotFinite { index }))
    }

    fn degenerate_faces(&self) -> impl Iterator<Item = MeshError> {
        (0..self.face_count()).filter_map(|face| {
            let reason = self.degeneracy(self.face(face))?;
            Some(MeshError::Degenerate { face, reason })
        })
    }

    fn degeneracy(&self, face: &[u32]) -> Option<&'static str> {
        if face.len() < 3 {
            return Some("has fewer than three corners");
        }
        let mut sorted = face.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Some("uses a vertex twice");
        }
        let points = face.iter().map(|&vertex| self.positions[vertex as usize]);
        let after = points.clone().cycle().skip(1);
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0_f64);
        for length in points.clone().zip(after).map(|(a, b)| a.distance_squared(b)) {
            shortest = shortest.min(length);
            longest = longest.max(length);
        }
        if shortest == 0.0 {
            return Some("has an edge of length zero");
        }
        let area = area_vector(points).length();
        (area <= DEGENERATE_AREA * longest).then_some("has no area")
    }

    fn sorted_edge_uses(&self) -> Vec<EdgeUse> {
        let mut edges = Vec::with_capacity(self.face_vertices.len());
        for (index, face) in self.faces().enumerate() {
            for (corner, &vertex) in face.iter().enumerate() {
                let after = face[(corner + 1) % face.len()];
                edges.push((vertex.min(after), vertex.max(after), index as u32));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    fn duplicate_vertices(&self, edges: &[EdgeUse]) -> impl Iterator<Item = MeshError> {
        let mut pairs = Vec::new();
        for run in self.coincident_vertices() {
            for &second in &run[1..] {
                let start = edges.partition_point(|&(a, b, _)| (a, b) < (run[0], second));
                let joined = edges.get(start).is_some_and(|e| (e.0, e.1) == (run[0], second));
                if !joined {
                    pairs.push((run[0] as usize, second as usize));
                }
            }
        }
        pairs.sort_unstable();
        pairs.into_iter().map(|(first, second)| MeshError::Duplicate { first, second })
    }
}

fn crowded_edges(edges: &[EdgeUse]) -> impl Iterator<Item = MeshError> {
    edges.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)).filter(|uses| uses.len() > 2).map(|uses| {
        let faces = [uses[0].2, uses[1].2, uses[2].2];
        MeshError::NonManifoldEdge { a: uses[0].0, b: uses[0].1, count: uses.len(), faces }
    })
}
