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
/// Times the distance that particles may move before pairs that were far apart are looked at again \[-\].
const ALLOWED: f64 = 1.0;

/// Times the distance by which pairs must be separated on the way ahead not to be looked at in a frame: the
/// rest is for motion that nobody foresees \[-\].
const FORESIGHT: f64 = 4.0;

/// Two features that share no particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
    /// A particle and the corners of a face.
    PointFace([u32; 4]),
    /// The ends of two edges.
    EdgeEdge([u32; 4]),
}

/// A pair that may come too near in this step.
#[derive(Clone, Copy, Debug)]
struct Active {
    pair: Pair,
    /// Weights of the nearest points when the step began \[-\].
    weights: [f64; 4],
    /// Unit direction from the second to the first of them.
    normal: Vec3,
    /// How far apart they must be along it \[m\].
    least: f64,
    /// What a unit of impulse moves them apart \[1/kg\].
    softness: f64,
}

/// What keeps the faces of a garment apart.
#[derive(Clone, Debug)]
pub(super) struct KeepApart {
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    points_tree: BoxTree,
    faces_tree: BoxTree,
    edges_tree: BoxTree,
    /// Distance to keep \[m\].
    distance: f64,
    /// Boxes around the ways of all faces and of all edges over a frame.
    face_ways: Vec<Aabb>,
    edge_ways: Vec<Aabb>,
    /// Positions at the end of a frame if all go on at their velocities \[m\].
    ahead: Vec<Vec3>,
    pairs: Vec<Pair>,
    active: Vec<Active>,
    /// Positions for which the active pairs were chosen \[m\].
    at: Vec<Vec3>,
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
            face_ways: vec![Aabb::EMPTY; faces.len()],
            edge_ways: vec![Aabb::EMPTY; edges.len()],
            ahead: x.to_vec(),
            triangles: mesh.triangles().to_vec(),
            points_tree: BoxTree::new(x),
            faces_tree: BoxTree::new(&faces),
            edges_tree: BoxTree::new(&middles),
            edges,
            distance: distance.min(MOST_OF_EDGE * shortest),
            pairs: Vec::with_capacity(room),
            active: Vec::with_capacity(room),
            at: x.to_vec(),
        }
    }

    /// Looks for pairs that may meet within `dt` \[s\] if all go on at their velocities; how many there
    /// was no room for.
    pub fn gather(&mut self, x: &[Vec3], v: &[Vec3], dt: f64) -> usize {
        let Self { triangles, edges, distance, pairs, face_ways, edge_ways, ahead, .. } = self;
        pairs.clear();
        if *distance <= 0.0 {
            return 0;
        }
        // What all do together brings nobody nearer.
        let mean = v.iter().sum::<Vec3>() / v.len().max(1) as f64;
        for ((ahead, x), v) in ahead.iter_mut().zip(x).zip(v) {
            *ahead = *x + (*v - mean) * dt;
        }
        let swept = |corners: &[u32]| {
            let ends = corners.iter().map(|&c| c as usize);
            Aabb::around(ends.flat_map(|c| [x[c], ahead[c]]))
        };
        for (way, face) in face_ways.iter_mut().zip(&*triangles) {
            *way = swept(face);
        }
        for (way, edge) in edge_ways.iter_mut().zip(&*edges) {
            *way = swept(edge);
        }
        let (mut left_out, wanted) = (0, FORESIGHT * *distance);
        let mut keep = |pair: Pair| {
            let index = pair.particles();
            let ends = [x, &*ahead].map(|of| {
                let [a, b, c, d] = index;
                [of[a as usize], of[b as usize], of[c as usize], of[d as usize]]
            });
            if pair.is_separated(&ends, wanted) {
                return;
            }
            if pairs.len() < pairs.capacity() { pairs.push(pair) } else { left_out += 1 }
        };
        self.faces_tree.refit(|t| face_ways[t as usize]);
        self.points_tree.refit(|p| swept(&[p]));
        self.points_tree.pairs_within(&self.faces_tree, *distance, |p, t| {
            let face = triangles[t as usize];
            let way = || swept(&[p]).grown(*distance);
            if !face.contains(&p) && way().overlaps(&face_ways[t as usize]) {
                keep(Pair::PointFace([p, face[0], face[1], face[2]]));
            }
        });
        self.edges_tree.refit(|e| edge_ways[e as usize]);
        self.edges_tree.own_pairs_within(*distance, |e, o| {
            let ([a, b], [c, d]) = (edges[e as usize], edges[o as usize]);
            let way = || edge_ways[e as usize].grown(*distance);
            if !shares_end([a, b], [c, d]) && way().overlaps(&edge_ways[o as usize]) {
                keep(Pair::EdgeEdge([a, b, c, d]));
            }
        });
        left_out
    }

    /// Begins a step: leaves out gathered pairs that cannot come too near, and takes the nearest points of
    /// the others.
    ///
    /// A pair is left out if one direction separates its features by more than the distance before and
    /// after the step, for then it does so all the way; and by as much more as both may still move.
    pub fn begin(&mut self, cloth: &Particles) {
        let Self { pairs, active, at, distance, .. } = self;
        active.clear();
        at.copy_from_slice(cloth.x);
        let wanted = *distance * (1.0 + 2.0 * ALLOWED);
        for &pair in pairs.iter() {
            let ends = cloth.ends(pair.particles());
            if !pair.is_separated(&ends, wanted) {
                active.extend(Active::new(pair, ends[0], cloth, *distance));
            }
        }
    }

    /// Moves active pairs apart; how many were too near.
    pub fn apply(&mut self, cloth: &mut Particles) -> usize {
        let allowed = ALLOWED * self.distance;
        let strayed = |(x, at): (&Vec3, &Vec3)| x.distance_squared(*at) > allowed * allowed;
        if cloth.x.iter().zip(&self.at).any(strayed) {
            self.begin(cloth);
        }
        self.active.iter().filter(|active| active.part(cloth, self.distance)).count()
    }

    /// Addresses and capacities of the lists.
    #[cfg(test)]
    pub fn buffers(&self) -> [(usize, usize); 6] {
        let boxes = |of: &Vec<Aabb>| (of.as_ptr() as usize, of.capacity());
        [
            boxes(&self.face_ways),
            boxes(&self.edge_ways),
            (self.ahead.as_ptr() as usize, self.ahead.capacity()),
            (self.pairs.as_ptr() as usize, self.pairs.capacity()),
            (self.active.as_ptr() as usize, self.active.capacity()),
            (self.at.as_ptr() as usize, self.at.capacity()),
        ]
    }
}

impl Particles<'_> {
    /// Four particles when the step began and now \[m\].
    #[inline]
    fn ends(&self, index: [u32; 4]) -> [[Vec3; 4]; 2] {
        let [a, b, c, d] = index.map(|v| v as usize);
        let of = |x: &[Vec3]| [x[a], x[b], x[c], x[d]];
        [of(self.before), of(self.x)]
    }
}

impl Active {
    /// The pair with its nearest points at `before`; `None` if it touches, or nobody can move.
    fn new(pair: Pair, before: [Vec3; 4], cloth: &Particles, distance: f64) -> Option<Self> {
        let Closest { weights, delta, distance_squared } = pair.closest(before);
        let start = distance_squared.sqrt();
        let ends = pair.particles().into_iter().zip(weights);
        let softness = ends.map(|(v, w)| w * w * cloth.inverse_masses[v as usize]).sum();
        let least = distance.min(start + RECOVERY * distance);
        let good = start > 0.0 && start.is_finite() && softness > 0.0;
        good.then(|| Self { pair, weights, normal: delta / start, least, softness })
    }

    /// Moves the pair apart if it is too near; whether it was.
    fn part(&self, cloth: &mut Particles, distance: f64) -> bool {
        let Self { pair, weights, normal, least, softness } = self;
        let index = pair.particles().map(|v| v as usize);
        let sum = |of: &[Vec3]| (0..4).map(|k| of[index[k]].dot(*normal) * weights[k]).sum::<f64>();
        let missing = least - sum(cloth.x);
        if missing <= 0.0 {
            return false;
        }
        let way = |i: usize| [cloth.before[i], cloth.x[i]];
        let [a, b] = pair.features(index).map(|f| Aabb::around(f.iter().flat_map(|&i| way(i))));
        // The nearest points may have been others on the way.
        if !a.grown(distance).overlaps(&b)
            || pair.is_separated(&cloth.ends(pair.particles()), distance)
        {
            return false;
        }
        let approach = sum(cloth.v).min(0.0);
        for k in 0..4 {
            let share = *normal * (weights[k] * cloth.inverse_masses[index[k]] / softness);
            cloth.x[index[k]] += share * missing;
            cloth.v[index[k]] -= share * approach;
        }
        true
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

    /// Whether the direction between the middles separates the features by more than `distance` \[m\] at
    /// both `ends` of their way.
    fn is_separated(self, ends: &[[Vec3; 4]; 2], distance: f64) -> bool {
        let direction = match self {
            Self::PointFace(_) => |[p, a, b, c]: [Vec3; 4]| p * 3.0 - (a + b + c),
            Self::EdgeEdge(_) => |[a, b, c, d]: [Vec3; 4]| (a + b) - (c + d),
        };
        let n = direction(ends[0]) + direction(ends[1]);
        let gap = |x: [Vec3; 4]| {
            let [a, b, c, d] = x.map(|p| p.dot(n));
            match self {
                Self::PointFace(_) => a - b.max(c).max(d),
                Self::EdgeEdge(_) => a.min(b) - c.max(d),
            }
        };
        let gap = gap(ends[0]).min(gap(ends[1]));
        gap > 0.0 && gap * gap > distance * distance * n.length_squared()
    }

    fn closest(self, [a, b, c, d]: [Vec3; 4]) -> Closest {
        match self {
            Self::PointFace(_) => point_triangle(a, b, c, d),
            Self::EdgeEdge(_) => edge_edge(a, b, c, d),
        }
    }
}

/// Whether two edges have a particle in common.
fn shares_end([a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
    a == c || a == d || b == c || b == d
}

#[cfg(test)]
mod tests;
