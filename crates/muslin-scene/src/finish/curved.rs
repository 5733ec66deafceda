//! Curved faces (OS4–OS7) over the cloths of a cache, kept from crossing as subdivision is.

use super::FinishError;
use super::finer::Finer;
use muslin::finish::subdivide::Cage;
use muslin::finish::{CurvedFaces, CurvedSettings, Tessellation};
use muslin::math::{Vec2, Vec3};
use muslin::mesh::TriMesh;

/// The curved faces of all cloths, as a plan for any frame.
#[derive(Debug)]
pub(super) struct Curved {
    parts: Vec<CurvedFaces>,
    part_ends: Vec<usize>,
    /// Coarse vertices and weights of every drawn vertex in the flat faces.
    flat: Vec<[(u32, f64); 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Curved {
    /// Plans the faces of a cage, drawn first at `start` [m].
    pub(super) fn new(
        cage: &Cage,
        segments: Option<u32>,
        start: &[Vec3],
    ) -> Result<(Self, Finer), FinishError> {
        let settings = CurvedSettings {
            tessellation: segments.map_or(Tessellation::Paper, Tessellation::Segments),
            ..CurvedSettings::default()
        };
        let mut parts = Vec::new();
        let (mut first, mut first_edge, mut first_triangle) = (0, 0, 0);
        for &end in &cage.part_ends {
            let (mesh, edges) = part(&cage.mesh, first, end, first_triangle)?;
            let lengths = cage.rest_lengths[first_edge..first_edge + edges].to_vec();
            first_triangle += mesh.triangles().len();
            let own = &start[first..end];
            parts.push(CurvedFaces::with_rest_lengths(&mesh, lengths, own, settings)?);
            (first, first_edge) = (end, first_edge + edges);
        }
        let mut curved = Self {
            parts,
            part_ends: cage.part_ends.clone(),
            flat: Vec::new(),
            triangles: Vec::new(),
        };
        let finer = curved.finer(cage)?;
        Ok((curved, finer))
    }

    /// Lists the drawn triangles and where their vertices are in the coarse ones.
    fn finer(&mut self, cage: &Cage) -> Result<Finer, FinishError> {
        let (mut uv, mut part_ends): (Vec<[Vec2; 3]>, Vec<usize>) = (Vec::new(), Vec::new());
        for faces in &self.parts {
            let offset = part_ends.last().copied().unwrap_or(0);
            self.triangles.extend(faces.triangles().iter().map(|t| t.map(|v| v + offset as u32)));
            uv.extend_from_slice(faces.uv());
            part_ends.push(offset + faces.positions().len());
        }
        let per_triangle = self.triangles.len() / cage.mesh.triangles().len().max(1);
        let count = part_ends.last().copied().unwrap_or(0);
        self.flat = vec![[(0, 0.0); 3]; count];
        for (t, (corners, rest)) in self.triangles.iter().zip(&uv).enumerate() {
            let coarse = cage.mesh.triangles()[t / per_triangle];
            let [a, b, c] = cage.mesh.uv()[t / per_triangle];
            let area = (b - a).perp_dot(c - a);
            for (&v, p) in corners.iter().zip(rest) {
                let w = [(c - b).perp_dot(*p - b), (a - c).perp_dot(*p - c)].map(|w| w / area);
                let weights = [w[0], w[1], 1.0 - w[0] - w[1]];
                self.flat[v as usize] = std::array::from_fn(|k| (coarse[k], weights[k]));
            }
        }
        let drawn = TriMesh::new(count, self.triangles.clone(), uv.clone()).map_err(|problem| {
            FinishError::Mesh { place: "the curved faces".to_owned(), problem }
        })?;
        let edges = drawn.topology().edges();
        Ok(Finer {
            part_ends,
            triangles: self.triangles.clone(),
            uv,
            per_triangle,
            edges: edges.iter().map(|edge| edge.vertices).collect(),
            rest_lengths: (0..edges.len()).map(|e| drawn.rest_length(e)).collect(),
        })
    }

    /// Drawn triangles of all cloths.
    pub(super) fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Vectors of the coarse vertices, linear in the flat faces.
    pub(super) fn flat(&self, coarse: &[Vec3]) -> Vec<Vec3> {
        let mean =
            |stencil: &[(u32, f64); 3]| stencil.iter().map(|&(v, w)| coarse[v as usize] * w).sum();
        self.flat.iter().map(mean).collect()
    }

    /// Where the curved faces of a frame are [m].
    pub(super) fn draw(&self, x: &[Vec3]) -> Result<Vec<Vec3>, FinishError> {
        let (mut drawn, mut first) = (Vec::with_capacity(self.flat.len()), 0);
        for (faces, &end) in self.parts.iter().zip(&self.part_ends) {
            let mut faces = faces.clone();
            faces.update(&x[first..end])?;
            drawn.extend_from_slice(faces.positions());
            first = end;
        }
        Ok(drawn)
    }
}

/// The mesh of one cloth, whose vertices are `first..end`, and how many edges it has.
fn part(
    mesh: &TriMesh,
    first: usize,
    end: usize,
    first_triangle: usize,
) -> Result<(TriMesh, usize), FinishError> {
    let own = |t: &&[u32; 3]| (t[0] as usize) < end;
    let triangles: Vec<[u32; 3]> = mesh.triangles()[first_triangle..]
        .iter()
        .take_while(own)
        .map(|t| t.map(|v| v - first as u32))
        .collect();
    let uv = mesh.uv()[first_triangle..first_triangle + triangles.len()].to_vec();
    let part = TriMesh::new(end - first, triangles, uv)
        .map_err(|problem| FinishError::Mesh { place: "the cloth".to_owned(), problem })?;
    let edges = part.topology().edges().len();
    Ok((part, edges))
}
