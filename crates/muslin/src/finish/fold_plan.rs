//! Which way a fold goes and how high it may rise: beyond the paper (OS8).
//!
//! The paper lets every fold rise along the normal and lets it pass through other cloth. Here the
//! bending around an edge decides the side, and the free way to the next face limits the height.

use super::pair_tree::PairTree;
use crate::collide::aabb::Aabb;
use crate::math::{Vec3, try_normalize};
use crate::mesh::TriMesh;

/// Mean bend around an edge \[rad\] below which the cloth counts as hollow there. Noise in flat cloth
/// stays above it; a crease that the eye sees is below.
const HOLLOW: f64 = -0.15;

/// Part of the free way to another face that one fold may take: both sides of a gap may fold into
/// it, and the rest of the gap keeps them apart.
const PART_OF_GAP: f64 = 0.45;

/// Hinges around every edge, and a tree over the faces.
#[derive(Clone, Debug)]
pub(super) struct FoldPlan {
    /// Per edge: where its hinges begin in `hinges`.
    starts: Vec<u32>,
    hinges: Vec<u32>,
    /// Sine of every hinge's angle (MF4), positive on a ridge \[-\].
    bends: Vec<f64>,
    directions: Vec<Vec3>,
    tree: Option<PairTree>,
}

impl FoldPlan {
    /// Collects for every edge the hinges that touch either end.
    pub fn new(mesh: &TriMesh, start: Option<&[Vec3]>) -> Self {
        let topology = mesh.topology();
        let mut around = vec![Vec::new(); mesh.vertex_count()];
        for (h, hinge) in topology.hinges().iter().enumerate() {
            for &v in &hinge.vertices[2..] {
                around[v as usize].push(h as u32);
            }
        }
        let mut starts = vec![0];
        let mut hinges = Vec::new();
        for edge in topology.edges() {
            hinges.extend(edge.vertices.iter().flat_map(|&v| &around[v as usize]));
            starts.push(hinges.len() as u32);
        }
        let tree = start.map(|x| {
            let centroid = |t: &[u32; 3]| t.iter().map(|&v| x[v as usize]).sum::<Vec3>() / 3.0;
            PairTree::new(&mesh.triangles().iter().map(centroid).collect::<Vec<_>>(), 0)
        });
        let count = topology.hinges().len();
        Self { starts, hinges, bends: vec![0.0; count], directions: vec![Vec3::ZERO; count], tree }
    }

    /// Bends at positions `x` with the faces' unit normals.
    pub fn bend(&mut self, mesh: &TriMesh, x: &[Vec3], face_normals: &[Vec3]) {
        for (h, hinge) in mesh.topology().hinges().iter().enumerate() {
            let e = x[hinge.vertices[3] as usize] - x[hinge.vertices[2] as usize];
            let along = try_normalize(e).unwrap_or(Vec3::ZERO);
            let [n1, n2] = hinge.triangles.map(|t| face_normals[t as usize]);
            self.directions[h] = along;
            self.bends[h] = n1.cross(n2).dot(along);
        }
    }

    /// The tree's boxes at positions `x`.
    pub fn fit(&mut self, mesh: &TriMesh, x: &[Vec3]) {
        if let Some(tree) = &mut self.tree {
            let corners = |t: u32| mesh.triangles()[t as usize].map(|v| x[v as usize]);
            tree.refit(|t| Aabb::around(corners(t)));
        }
    }

    /// The side a fold on edge `e` goes to: −1 where the cloth is hollow along the edge, else +1.
    ///
    /// The bend along a direction `d` is the mean of the hinges' bends, each by `|d × e|²`: a hinge
    /// bends the cloth across its own edge and not along it.
    pub fn side(&self, mesh: &TriMesh, x: &[Vec3], e: usize) -> f64 {
        let [a, b] = mesh.topology().edges()[e].vertices.map(|v| x[v as usize]);
        let along = try_normalize(b - a).unwrap_or(Vec3::ZERO);
        let (mut sum, mut weights) = (0.0, 0.0);
        for &h in &self.hinges[self.starts[e] as usize..self.starts[e + 1] as usize] {
            let weight = along.cross(self.directions[h as usize]).length_squared();
            sum += self.bends[h as usize] * weight;
            weights += weight;
        }
        if sum < HOLLOW * weights { -1.0 } else { 1.0 }
    }

    /// Greatest height \[m\] of a fold on edge `e`; infinite if nothing is in its way.
    pub fn limit(&self, mesh: &TriMesh, x: &[Vec3], e: usize, ray: Ray) -> f64 {
        let Some(tree) = &self.tree else { return f64::INFINITY };
        let Ray { p, d, highest } = ray;
        let reach = highest / PART_OF_GAP;
        let ends = mesh.topology().edges()[e].vertices;
        // A hair more, for what is rounded.
        let way = Aabb::around([p, p + d * reach]).grown(1e-9 * reach);
        let mut first = reach;
        tree.overlapping(&way, |t| {
            let corners = mesh.triangles()[t as usize];
            if !corners.iter().any(|v| ends.contains(v)) {
                let hit = ray_triangle(p, d, corners.map(|v| x[v as usize]));
                first = hit.map_or(first, |t| first.min(t));
            }
        });
        if first < reach { PART_OF_GAP * first } else { f64::INFINITY }
    }
}

/// Where a fold would go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    /// Start \[m\].
    pub p: Vec3,
    /// Unit direction.
    pub d: Vec3,
    /// Height it cannot exceed \[m\].
    pub highest: f64,
}

/// Distance along the ray `p + t d`, `t ≥ 0`, to a triangle.
fn ray_triangle(p: Vec3, d: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f64> {
    let (e1, e2, r) = (b - a, c - a, p - a);
    let n = e1.cross(e2);
    let det = -d.dot(n);
    if det == 0.0 {
        return None;
    }
    let (t, q) = (r.dot(n) / det, r.cross(d));
    let (u, v) = (e2.dot(q) / det, -e1.dot(q) / det);
    (t >= 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Diagonals, Sheet};

    #[test]
    fn rays_meet_triangles_where_they_should() {
        let t = [Vec3::new(0.0, 0.0, 1.0), Vec3::new(2.0, 0.0, 1.0), Vec3::new(0.0, 2.0, 1.0)];
        let p = Vec3::new(0.5, 0.5, 0.25);
        assert_eq!(ray_triangle(p, Vec3::Z, t), Some(0.75));
        assert_eq!(ray_triangle(p, -Vec3::Z, t), None);
        assert_eq!(ray_triangle(Vec3::new(1.5, 1.0, 0.0), Vec3::Z, t), None);
        assert_eq!(ray_triangle(Vec3::new(-0.1, 1.0, 0.0), Vec3::Z, t), None);
        assert_eq!(ray_triangle(p, Vec3::X, t), None);
    }

    fn face_normals(mesh: &TriMesh, x: &[Vec3]) -> Vec<Vec3> {
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| x[v as usize]);
            try_normalize((b - a).cross(c - a)).unwrap()
        };
        mesh.triangles().iter().map(normal).collect()
    }

    /// Cloth on a cylinder: edges around it fold outwards on the convex side and inwards on the
    /// hollow one, edges along the axis are straight and fold along the normal in both.
    #[test]
    fn folds_follow_the_bend() {
        let Sheet { positions, mesh } =
            Sheet::grid([1.0, 1.0], [9, 9], Diagonals::Regular).unwrap();
        for (curvature, around) in [(3.0, 1.0), (-3.0, -1.0)] {
            let bend = |p: &Vec3| {
                let angle = p.x * curvature;
                Vec3::new(angle.sin() / curvature, p.y, (angle.cos() - 1.0) / curvature)
            };
            let x: Vec<Vec3> = positions.iter().map(bend).collect();
            let mut plan = FoldPlan::new(&mesh, None);
            plan.bend(&mesh, &x, &face_normals(&mesh, &x));
            for (e, edge) in mesh.topology().edges().iter().enumerate() {
                let [a, b] = edge.vertices.map(|v| positions[v as usize]);
                let inner = |p: Vec3| p.x.abs() < 0.3 && p.y.abs() < 0.3;
                if !inner(a) || !inner(b) {
                    continue;
                }
                if a.y == b.y {
                    assert_eq!(plan.side(&mesh, &x, e), around);
                } else if a.x == b.x {
                    assert_eq!(plan.side(&mesh, &x, e), 1.0);
                }
            }
        }
    }
}
