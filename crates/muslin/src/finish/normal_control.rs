//! Particle normals from the elastic forces around a particle (OS5).
//!
//! A particle pulled by one face turns its tangent plane towards that face. The normal is the mean of
//! the adjacent faces' normals, each weighted by the size of the elastic force its face applies.
//!
//! | paper | here | unit |
//! |---|---|---|
//! | `f_ia = K (\|p_a − p_i\| − L_ia) (p_a − p_i)/\|p_a − p_i\|` | `pull`, divided by `K` | m |
//! | `f_j = (f_ia + f_ib)/2` | mean of the two pulls of face `j` at particle `i` | m |
//! | `n_j` | unit normal of face `j` | - |
//!
//! `K` is common to all edges and drops out of the weights, so any mesh with rest lengths will do.

use crate::math::{Vec3, try_normalize};
use crate::mesh::{NO_TRIANGLE, TriMesh};

/// Weight every face has besides its force, as a part of the mean rest length around the particle.
/// The paper's weights are all zero at rest and pure rounding near it; this part lets the normal go
/// over into the plain mean there. A strain of 0.2 %: larger hides small forces, smaller flickers.
const RESTING_WEIGHT: f64 = 0.002;

/// Pulls and normals of one pose, with their buffers.
#[derive(Clone, Debug)]
pub struct NormalControl {
    /// Edge of every side of every face; side `k` runs from corner `k` to the next.
    face_edges: Vec<[u32; 3]>,
    rest_lengths: Vec<f64>,
    resting_weights: Vec<f64>,
    /// Pull along every edge on its first vertex \[m\].
    pulls: Vec<Vec3>,
    face_normals: Vec<Vec3>,
    plain: Vec<Vec3>,
    controlled: Vec<Vec3>,
}

impl NormalControl {
    /// Buffers for a mesh.
    pub fn new(mesh: &TriMesh) -> Self {
        let edge_count = mesh.topology().edges().len();
        Self::with_rest_lengths(mesh, (0..edge_count).map(|e| mesh.rest_length(e)).collect())
    }

    /// Buffers for a mesh whose edges have these rest lengths \[m\], one per edge.
    pub fn with_rest_lengths(mesh: &TriMesh, rest_lengths: Vec<f64>) -> Self {
        let edges = mesh.topology().edges();
        let mut face_edges = vec![[0u32; 3]; mesh.triangles().len()];
        let mut sums = vec![(0.0, 0.0); mesh.vertex_count()];
        for (e, edge) in edges.iter().enumerate() {
            for &t in edge.triangles.iter().filter(|&&t| t != NO_TRIANGLE) {
                let corners = mesh.triangles()[t as usize];
                let joins = |k: usize| {
                    let (a, b) = (corners[k], corners[(k + 1) % 3]);
                    [a.min(b), a.max(b)] == edge.vertices
                };
                if let Some(k) = (0..3).find(|&k| joins(k)) {
                    face_edges[t as usize][k] = e as u32;
                }
            }
            for v in edge.vertices {
                let (sum, count) = &mut sums[v as usize];
                *sum += rest_lengths[e];
                *count += 1.0;
            }
        }
        Self {
            resting_weights: sums.iter().map(|(sum, n)| RESTING_WEIGHT * sum / n).collect(),
            pulls: vec![Vec3::ZERO; edges.len()],
            face_normals: vec![Vec3::Z; face_edges.len()],
            plain: vec![Vec3::Z; mesh.vertex_count()],
            controlled: vec![Vec3::Z; mesh.vertex_count()],
            face_edges,
            rest_lengths,
        }
    }

    /// Computes all normals at positions `x` \[m\]. Allocates nothing.
    pub fn update(&mut self, mesh: &TriMesh, x: &[Vec3]) {
        for ((pull, edge), rest) in
            self.pulls.iter_mut().zip(mesh.topology().edges()).zip(&self.rest_lengths)
        {
            let [a, b] = edge.vertices.map(|v| x[v as usize]);
            *pull = self::pull(b - a, *rest);
        }
        for (normal, t) in self.face_normals.iter_mut().zip(mesh.triangles()) {
            let [a, b, c] = t.map(|v| x[v as usize]);
            *normal = try_normalize((b - a).cross(c - a)).unwrap_or(Vec3::ZERO);
        }
        for v in 0..mesh.vertex_count() {
            let (mut plain, mut weighted) = (Vec3::ZERO, Vec3::ZERO);
            for &t in mesh.topology().ring(v) {
                let normal = self.face_normals[t as usize];
                plain += normal;
                let size = self.face_force(mesh, t as usize, v as u32).length();
                weighted += normal * (size + self.resting_weights[v]);
            }
            let fallback = mesh.topology().ring(v).iter().find_map(|&t| {
                let n = self.face_normals[t as usize];
                (n != Vec3::ZERO).then_some(n)
            });
            let plain = try_normalize(plain).or(fallback).unwrap_or(Vec3::Z);
            self.plain[v] = plain;
            self.controlled[v] = try_normalize(weighted).unwrap_or(plain);
        }
    }

    /// `f_j`: half the sum of the pulls along the two edges of face `t` at particle `v`.
    fn face_force(&self, mesh: &TriMesh, t: usize, v: u32) -> Vec3 {
        let corners = mesh.triangles()[t];
        let k = usize::from(corners[1] == v) + 2 * usize::from(corners[2] == v);
        let on_v = |e: u32| {
            let first = mesh.topology().edges()[e as usize].vertices[0];
            let pull = self.pulls[e as usize];
            if first == v { pull } else { -pull }
        };
        (on_v(self.face_edges[t][k]) + on_v(self.face_edges[t][(k + 2) % 3])) * 0.5
    }

    /// The mean of the adjacent faces' normals, unit: what is used without control.
    pub fn plain(&self) -> &[Vec3] {
        &self.plain
    }

    /// Normals weighted by forces, unit (OS5).
    pub fn controlled(&self) -> &[Vec3] {
        &self.controlled
    }

    /// Unit normals of the faces; zero for a face without area.
    pub fn face_normals(&self) -> &[Vec3] {
        &self.face_normals
    }

    /// Edges of every face; side `k` runs from corner `k` to the next.
    pub fn face_edges(&self) -> &[[u32; 3]] {
        &self.face_edges
    }

    /// Rest length of every edge \[m\].
    pub fn rest_lengths(&self) -> &[f64] {
        &self.rest_lengths
    }
}

/// Eq. (1) divided by `K`: the pull on a particle from a neighbour at `offset`, whose rest distance
/// is `rest` \[m\].
#[inline]
pub fn pull(offset: Vec3, rest: f64) -> Vec3 {
    let length = offset.length();
    if length > 0.0 { offset * ((length - rest) / length) } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;

    /// Two faces over the edge 0–1 (along y): face 0 horizontal on the left, face 1 folded up by 90°.
    fn roof() -> (TriMesh, Vec<Vec3>) {
        let triangles = vec![[0, 1, 2], [1, 0, 3]];
        let uv = |t: [[f64; 2]; 3]| t.map(Vec2::from);
        let uv = vec![
            uv([[0.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]),
            uv([[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]]),
        ];
        let x = vec![Vec3::ZERO, Vec3::Y, -Vec3::X, Vec3::Z];
        (TriMesh::new(4, triangles, uv).unwrap(), x)
    }

    /// At rest all forces vanish and the normal is the plain mean of (0,0,1) and (−1,0,0).
    #[test]
    fn os5_at_rest_the_normal_is_the_plain_mean() {
        let (mesh, x) = roof();
        let mut control = NormalControl::new(&mesh);
        control.update(&mesh, &x);
        assert!(control.face_normals()[0].distance(Vec3::Z) < 1e-15);
        assert!(control.face_normals()[1].distance(-Vec3::X) < 1e-15);
        let mean = Vec3::new(-1.0, 0.0, 1.0) / 2f64.sqrt();
        assert!(control.plain()[0].distance(mean) < 1e-15);
        assert!(control.controlled()[0].distance(mean) < 1e-15);
    }

    /// Particle 3 pulled up to height 1.5: only edges 0–3 and 1–3 are stretched, so at particle 0
    /// face 0 has force 0 and face 1 has `|½(0, 0, 0.5)| = 0.25`.
    ///
    /// With the resting part `r = 0.002 · (1 + 1 + 1)/3` the weights are `r` and `0.25 + r`.
    #[test]
    fn os5_force_turns_the_normal_towards_the_pulling_face() {
        let (mesh, mut x) = roof();
        x[3] = Vec3::Z * 1.5;
        let mut control = NormalControl::new(&mesh);
        control.update(&mesh, &x);
        let r = 0.002;
        let expected = try_normalize(Vec3::Z * r - Vec3::X * (0.25 + r)).unwrap();
        assert!(control.controlled()[0].distance(expected) < 1e-14);
        let mean = Vec3::new(-1.0, 0.0, 1.0) / 2f64.sqrt();
        assert!(control.plain()[0].distance(mean) < 1e-15);
    }

    /// Forces are averaged as vectors: opposite pulls of equal size cancel.
    #[test]
    fn os5_opposite_pulls_cancel() {
        let a = pull(Vec3::X * 1.2, 1.0);
        let b = pull(-Vec3::X * 1.2, 1.0);
        assert!((a - Vec3::X * 0.2).length() < 1e-15 && (a + b).length() < 1e-15);
        assert_eq!(pull(Vec3::ZERO, 1.0), Vec3::ZERO);
        assert!((pull(Vec3::Y * 0.7, 1.0) + Vec3::Y * 0.3).length() < 1e-15);
    }

    #[test]
    fn collapsed_faces_leave_unit_normals() {
        let (mesh, _) = roof();
        let mut control = NormalControl::new(&mesh);
        control.update(&mesh, &[Vec3::ONE; 4]);
        assert!(control.controlled().iter().all(|n| (n.length() - 1.0).abs() < 1e-12));
    }
}
