//! Coarse faces keep apart from each other: particles from faces, edges from edges (OS8).
//!
//! Beyond the paper, which leaves self-collision open. Each pair is kept on the side on which it was when
//! the step began: a pair that is nearer than the distance, or would pass, is moved apart along the
//! line between its nearest points, by inverse masses, and loses its approaching motion.

use super::collision::Particles;
use crate::collide::aabb::Aabb;
use crate::collide::distance::{Closest, edge_edge, point_triangle};
use crate::finish::box_tree::BoxTree;
use crate::math::Vec3;
use crate::mesh::TriMesh;

/// Pairs that are kept for a frame, for every particle and edge.
const PAIRS_EACH: usize = 12;
/// The distance as a part of the shortest edge, at most \[-\].
const MOST_OF_EDGE: f64 = 0.25;
/// Part of the distance by which a pair that is too near comes apart in a step \[-\].
const RECOVERY: f64 = 0.25;

/// Two features that share no particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
    /// A particle and the corners of a face.
    PointFace([u32; 4]),
    /// The ends of two edges.
    EdgeEdge([u32; 4]),
}

/// What keeps the faces of a garment apart.
#[derive(Clone, Debug)]
pub(super) struct KeepApart {
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    faces_tree: BoxTree,
    edges_tree: BoxTree,
    /// Distance to keep \[m\].
    distance: f64,
    pairs: Vec<Pair>,
}

impl KeepApart {
    /// Faces of `mesh` at `x` are kept `distance` \[m\] apart, less where edges are short.
    pub fn new(mesh: &TriMesh, x: &[Vec3], distance: f64) -> Self {
        let edges: Vec<[u32; 2]> = mesh.topology().edges().iter().map(|e| e.vertices).collect();
        let shortest = (0..edges.len()).map(|e| mesh.rest_length(e)).fold(f64::INFINITY, f64::min);
        let middle = |corners: &[u32]| {
            corners.iter().map(|&v| x[v as usize]).sum::<Vec3>() / corners.len() as f64
        };
        let faces: Vec<Vec3> = mesh.triangles().iter().map(|t| middle(t)).collect();
        let middles: Vec<Vec3> = edges.iter().map(|e| middle(e)).collect();
        let room = PAIRS_EACH * (x.len() + edges.len());
        Self {
            triangles: mesh.triangles().to_vec(),
            faces_tree: BoxTree::new(&faces),
            edges_tree: BoxTree::new(&middles),
            edges,
            distance: distance.min(MOST_OF_EDGE * shortest),
            pairs: Vec::with_capacity(room),
        }
    }

    /// Looks for pairs that may meet within `dt` \[s\] if all go on at their velocities; how many there
    /// was no room for.
    pub fn gather(&mut self, x: &[Vec3], v: &[Vec3], dt: f64) -> usize {
        let Self { triangles, edges, faces_tree, edges_tree, distance, pairs } = self;
        pairs.clear();
        if *distance <= 0.0 {
            return 0;
        }
        let swept = |corners: &[u32]| {
            let ends = corners.iter().map(|&c| c as usize);
            Aabb::around(ends.flat_map(|c| [x[c], x[c] + v[c] * dt]))
        };
        let mut left_out = 0;
        let mut keep = |pair: Pair| {
            if pairs.len() < pairs.capacity() { pairs.push(pair) } else { left_out += 1 }
        };
        faces_tree.refit(|t| swept(&triangles[t as usize]));
        for p in 0..x.len() as u32 {
            visit(faces_tree, &swept(&[p]).grown(*distance), |t, way| {
                let face = triangles[t as usize];
                if !face.contains(&p) && way.overlaps(&swept(&face)) {
                    keep(Pair::PointFace([p, face[0], face[1], face[2]]));
                }
            });
        }
        edges_tree.refit(|e| swept(&edges[e as usize]));
        for (e, edge) in edges.iter().enumerate() {
            visit(edges_tree, &swept(edge).grown(*distance), |other, way| {
                let ends = edges[other as usize];
                let apart = !ends.iter().any(|end| edge.contains(end));
                if other as usize > e && apart && way.overlaps(&swept(&ends)) {
                    keep(Pair::EdgeEdge([edge[0], edge[1], ends[0], ends[1]]));
                }
            });
        }
        left_out
    }

    /// Moves the gathered pairs apart; how many were too near.
    pub fn apply(&self, cloth: &mut Particles) -> usize {
        self.pairs.iter().filter(|pair| self.part(pair, cloth)).count()
    }

    fn part(&self, pair: &Pair, cloth: &mut Particles) -> bool {
        let index = pair.particles().map(|v| v as usize);
        let way = |i: usize| [cloth.before[i], cloth.x[i]];
        let [a, b] = pair.features(index).map(|f| Aabb::around(f.iter().flat_map(|&i| way(i))));
        if !a.grown(self.distance).overlaps(&b) {
            return false;
        }
        let Closest { weights, delta, distance_squared } =
            pair.closest(index.map(|i| cloth.before[i]));
        let start = distance_squared.sqrt();
        if !(start > 0.0 && start.is_finite()) {
            return false;
        }
        let normal = delta / start;
        let sum = |of: &[Vec3]| (0..4).map(|k| of[index[k]].dot(normal) * weights[k]).sum::<f64>();
        let least = self.distance.min(start + RECOVERY * self.distance);
        let missing = least - sum(cloth.x);
        let masses = index.map(|i| cloth.inverse_masses[i]);
        let softness: f64 = (0..4).map(|k| weights[k] * weights[k] * masses[k]).sum();
        if missing <= 0.0 || softness == 0.0 {
            return false;
        }
        let approach = sum(cloth.v).min(0.0);
        for k in 0..4 {
            let share = normal * (weights[k] * masses[k] / softness);
            cloth.x[index[k]] += share * missing;
            cloth.v[index[k]] -= share * approach;
        }
        true
    }

    /// Address and capacity of the list of pairs.
    #[cfg(test)]
    pub fn buffer(&self) -> (usize, usize) {
        (self.pairs.as_ptr() as usize, self.pairs.capacity())
    }
}

impl Pair {
    fn particles(&self) -> [u32; 4] {
        let (Self::PointFace(all) | Self::EdgeEdge(all)) = self;
        *all
    }

    /// The particles of the first feature and of the second.
    fn features(self, [a, b, c, d]: [usize; 4]) -> [[usize; 3]; 2] {
        match self {
            Self::PointFace(_) => [[a; 3], [b, c, d]],
            Self::EdgeEdge(_) => [[a, b, b], [c, d, d]],
        }
    }

    fn closest(self, [a, b, c, d]: [Vec3; 4]) -> Closest {
        match self {
            Self::PointFace(_) => point_triangle(a, b, c, d),
            Self::EdgeEdge(_) => edge_edge(a, b, c, d),
        }
    }
}

/// Visits all items of a tree whose leaves overlap a box.
fn visit(tree: &BoxTree, way: &Aabb, mut with: impl FnMut(u32, &Aabb)) {
    let bound = |node: &Aabb| if node.overlaps(way) { 0.0 } else { f64::INFINITY };
    tree.search(1.0, bound, |item, best| {
        with(item, way);
        best
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge;
    use crate::math::Vec2;

    /// Two faces above each other, 0.1 m apart, turned against each other.
    fn two_faces() -> (TriMesh, Vec<Vec3>) {
        let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from);
        let mesh = TriMesh::new(6, vec![[0, 1, 2], [3, 4, 5]], vec![uv; 2]).unwrap();
        let upper = [[0.3, 0.3, 0.1], [-0.7, 0.3, 0.1], [0.3, -0.7, 0.1]];
        let lower = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        (mesh, lower.into_iter().chain(upper).map(Vec3::from).collect())
    }

    /// A face that would pass another one in one step pushes it instead: they never cross, and momentum
    /// is kept.
    #[test]
    fn os8_faces_do_not_pass_each_other() {
        let (mesh, mut x) = two_faces();
        let mut apart = KeepApart::new(&mesh, &x, 0.02);
        let h = 0.01;
        let mut v = vec![Vec3::ZERO; 6];
        v[3..].fill(Vec3::Z * -20.0);
        let inverse_masses = [1.0; 6];
        assert_eq!(apart.gather(&x, &v, 0.1), 0);
        assert!(!apart.pairs.is_empty());
        for step in 0..10 {
            let before = x.clone();
            for i in 0..6 {
                x[i] += v[i] * h;
            }
            for _ in 0..20 {
                let (x, v) = (&mut x, &mut v);
                apart.apply(&mut Particles {
                    before: &before,
                    x,
                    v,
                    inverse_masses: &inverse_masses,
                });
            }
            let crossing = judge::intersecting_pairs(&x, mesh.triangles());
            assert!(crossing.is_empty(), "step {step}: {x:?}");
        }
        let momentum: Vec3 = v.iter().sum();
        assert!(momentum.distance(Vec3::Z * -60.0) < 1e-9, "{momentum}");
        assert!(v[..3].iter().any(|v| v.z < -1.0), "nothing was passed on: {v:?}");
    }

    /// By hand: a particle of mass 1 kg, 5 mm above the middle of a held face, is lifted by a
    /// quarter of 20 mm and stopped.
    #[test]
    fn os8_one_particle_by_hand() {
        let (mesh, mut x) = two_faces();
        x[3] = Vec3::new(0.25, 0.25, 0.005);
        let mut v = vec![Vec3::ZERO; 6];
        v[3] = Vec3::new(1.0, 0.0, -2.0);
        let mut apart = KeepApart::new(&mesh, &x, 0.02);
        apart.pairs.push(Pair::PointFace([3, 0, 1, 2]));
        let before = x.clone();
        let inverse_masses = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let mut cloth =
            Particles { before: &before, x: &mut x, v: &mut v, inverse_masses: &inverse_masses };
        assert_eq!(apart.apply(&mut cloth), 1);
        assert!(x[3].distance(Vec3::new(0.25, 0.25, 0.01)) < 1e-15);
        assert!(v[3].distance(Vec3::X) < 1e-15);
        assert_eq!(x[..3], before[..3]);
    }

    /// Pairs that meet are found as brute force finds them.
    #[test]
    fn os8_gathered_pairs_agree_with_brute_force() {
        let (mesh, mut x) = crate::sparse::skirt::skirt(&[8, 12, 14, 16, 16]).unwrap();
        for (i, p) in x.iter_mut().enumerate() {
            // Crumpled: heights pressed together, and some of them moved to the other side.
            p.z *= 0.1;
            p.x *= if i % 3 == 0 { -0.5 } else { 0.5 };
        }
        let mut apart = KeepApart::new(&mesh, &x, 0.02);
        assert_eq!(apart.gather(&x, &vec![Vec3::ZERO; x.len()], 0.1), 0, "there is no room");
        let mut expected = 0;
        for (p, at) in x.iter().enumerate() {
            for t in mesh.triangles().iter().filter(|t| !t.contains(&(p as u32))) {
                let [a, b, c] = t.map(|v| x[v as usize]);
                if point_triangle(*at, a, b, c).distance_squared < 0.02 * 0.02 {
                    expected += 1;
                    let pair = Pair::PointFace([p as u32, t[0], t[1], t[2]]);
                    assert!(apart.pairs.contains(&pair), "{pair:?}");
                }
            }
        }
        assert!(expected > 10, "{expected}");
    }
}
