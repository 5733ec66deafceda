//! Coarse faces keep apart from each other: particles from faces, edges from edges (OS8).
//!
//! Beyond the paper, which leaves self-collision open. Each pair is kept on the side on which it was when
//! the step began: a pair that is nearer than the distance, or would pass, is moved apart along the
//! line between its nearest points, by inverse masses, and loses its approaching motion.

mod pair;

use super::collision::Particles;
use crate::collide::aabb::Aabb;
use crate::collide::distance::Closest;
use crate::finish::box_tree::BoxTree;
use crate::math::Vec3;
use crate::mesh::TriMesh;
use pair::Pair;

/// Pairs that are kept for a frame, for every particle and edge.
const PAIRS_EACH: usize = 12;
/// The distance as a part of the shortest edge, at most \[-\].
const MOST_OF_EDGE: f64 = 0.25;
/// Part of the distance by which a pair that is too near comes apart in a step \[-\].
const RECOVERY: f64 = 0.25;
/// Times the distance that a particle may move before its pairs that were far apart are looked at again \[-\].
const ALLOWED: f64 = 0.25;

/// Times the distance that a particle may move before all pairs are looked at again, not just those that were
/// near enough to be watched \[-\].
const WATCHED: f64 = 1.0;

/// Times the distance by which pairs must be separated on the way ahead not to be looked at in a frame: the
/// rest is for motion that nobody foresees \[-\].
const FORESIGHT: f64 = 4.0;

/// A pair that may meet within the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gathered {
    pair: Pair,
    /// What one direction separates it by at least, all the frame, if all go on at their velocities \[m\].
    gap: f64,
}

/// A pair that may come too near in this step.
#[derive(Clone, Copy, Debug)]
struct Active {
    pair: Pair,
    /// Where it is nearest; `None` until somebody asks.
    nearest: Option<Nearest>,
}

/// Where a pair was nearest when the step began.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    /// Weights of the nearest points \[-\].
    weights: [f64; 4],
    /// Unit direction from the second to the first of them.
    normal: Vec3,
    /// How far apart they must be along it \[m\].
    least: f64,
    /// What a unit of impulse moves them apart \[1/kg\]; 0 if the pair touches, or nobody can move.
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
    /// Positions when the frame begins, and at its end if all go on at their velocities \[m\].
    start: Vec<Vec3>,
    ahead: Vec<Vec3>,
    pairs: Vec<Gathered>,
    /// Which of them are active.
    is_active: Vec<bool>,
    /// Pairs that are not, but may be before a particle has moved by [`WATCHED`] distances.
    watched: Vec<u32>,
    /// Positions for which these were chosen \[m\].
    watched_at: Vec<Vec3>,
    active: Vec<Active>,
    /// For every particle, the position for which its active pairs were chosen \[m\].
    at: Vec<Vec3>,
    /// How far every particle is from where it was to be, when the step begins or ends \[m\].
    astray: Vec<f64>,
    /// Particles that have moved too far since.
    moved: Vec<bool>,
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
            start: x.to_vec(),
            ahead: x.to_vec(),
            triangles: mesh.triangles().to_vec(),
            points_tree: BoxTree::new(x),
            faces_tree: BoxTree::new(&faces),
            edges_tree: BoxTree::new(&middles),
            edges,
            distance: distance.min(MOST_OF_EDGE * shortest),
            pairs: Vec::with_capacity(room),
            is_active: Vec::with_capacity(room),
            watched: Vec::with_capacity(room),
            watched_at: x.to_vec(),
            active: Vec::with_capacity(room),
            at: x.to_vec(),
            astray: vec![0.0; x.len()],
            moved: vec![false; x.len()],
        }
    }

    /// Looks for pairs that may meet within `dt` \[s\] if all go on at their velocities; how many there
    /// was no room for.
    pub fn gather(&mut self, x: &[Vec3], v: &[Vec3], dt: f64) -> usize {
        let Self { triangles, edges, distance, pairs, face_ways, edge_ways, ahead, .. } = self;
        pairs.clear();
        self.start.copy_from_slice(x);
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
            let gap = pair.separation(&ends);
            if gap > wanted {
                return;
            }
            let gathered = Gathered { pair, gap };
            if pairs.len() < pairs.capacity() { pairs.push(gathered) } else { left_out += 1 }
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

    /// Begins a step, between the parts `span` \[-\] of the frame: leaves out gathered pairs that cannot come too
    /// near.
    ///
    /// A pair is left out if one direction separates its features by more than the distance before and
    /// after the step, for then it does so all the way; and by as much more as both may still move. The direction
    /// found when the pair was gathered will do, less what its particles are astray by.
    pub fn begin(&mut self, cloth: &Particles, span: [f64; 2]) {
        self.active.clear();
        self.is_active.clear();
        self.is_active.resize(self.pairs.len(), false);
        self.at.copy_from_slice(cloth.x);
        self.astray.fill(0.0);
        self.note_astray(cloth.before, span[0]);
        self.note_astray(cloth.x, span[1]);
        self.choose(cloth);
    }

    /// Chooses active pairs among all that are not, and those to watch.
    fn choose(&mut self, cloth: &Particles) {
        self.watched.clear();
        self.watched_at.copy_from_slice(&self.at);
        let wanted = self.distance * (1.0 + 2.0 * ALLOWED);
        let watched = wanted + 2.0 * WATCHED * self.distance;
        for (i, &Gathered { pair, gap }) in self.pairs.iter().enumerate() {
            let most = pair.particles().map(|v| self.astray[v as usize]);
            let gap = gap - 2.0 * most[0].max(most[1]).max(most[2]).max(most[3]);
            if self.is_active[i] || gap > watched {
                continue;
            }
            if gap > wanted || pair.is_separated(&ends(cloth.before, &self.at, pair), wanted) {
                self.watched.push(i as u32);
            } else {
                self.is_active[i] = true;
                self.active.push(Active { pair, nearest: None });
            }
        }
    }

    /// Notes how far particles at `x` \[m\] are from where they were to be at the part `done` \[-\] of the frame. What
    /// all are off by together brings nobody nearer.
    fn note_astray(&mut self, x: &[Vec3], done: f64) {
        let foreseen = || self.start.iter().zip(&self.ahead).map(|(a, b)| a.lerp(*b, done));
        let off: Vec3 = x.iter().zip(foreseen()).map(|(x, to_be)| *x - to_be).sum();
        let common = off / x.len().max(1) as f64;
        for ((astray, x), to_be) in self.astray.iter_mut().zip(x).zip(foreseen()) {
            *astray = astray.max((*x - to_be - common).length());
        }
    }

    /// Looks again at the pairs of particles that have moved too far since they were left out.
    fn look_again(&mut self, cloth: &Particles) {
        let allowed = ALLOWED * self.distance;
        let mut farthest = 0.0f64;
        for (i, x) in cloth.x.iter().enumerate() {
            self.moved[i] = x.distance_squared(self.at[i]) > allowed * allowed;
            if self.moved[i] {
                self.at[i] = *x;
                farthest = farthest.max(x.distance(self.watched_at[i]));
            }
        }
        if farthest == 0.0 {
            return;
        }
        // A particle that is not moved is within what is allowed of where it was.
        if farthest + allowed > WATCHED * self.distance {
            for (i, astray) in self.astray.iter_mut().enumerate() {
                *astray += self.at[i].distance(self.watched_at[i]);
            }
            self.choose(cloth);
            return;
        }
        let Self { pairs, is_active, watched, active, at, moved, distance, .. } = self;
        let wanted = *distance * (1.0 + 2.0 * ALLOWED);
        for &i in watched.iter() {
            let (i, pair) = (i as usize, pairs[i as usize].pair);
            let near = !is_active[i] && pair.particles().iter().any(|v| moved[*v as usize]);
            if near && !pair.is_separated(&ends(cloth.before, at, pair), wanted) {
                is_active[i] = true;
                active.push(Active { pair, nearest: None });
            }
        }
    }

    /// Moves active pairs apart; how many were too near.
    pub fn apply(&mut self, cloth: &mut Particles) -> usize {
        self.look_again(cloth);
        let distance = self.distance;
        self.active.iter_mut().filter_map(|active| active.part(cloth, distance)).count()
    }

    /// Addresses and capacities of the lists.
    #[cfg(test)]
    pub fn buffers(&self) -> [(usize, usize); 9] {
        let boxes = |of: &Vec<Aabb>| (of.as_ptr() as usize, of.capacity());
        [
            boxes(&self.face_ways),
            boxes(&self.edge_ways),
            (self.ahead.as_ptr() as usize, self.ahead.capacity()),
            (self.pairs.as_ptr() as usize, self.pairs.capacity()),
            (self.active.as_ptr() as usize, self.active.capacity()),
            (self.at.as_ptr() as usize, self.at.capacity()),
            (self.watched.as_ptr() as usize, self.watched.capacity()),
            (self.is_active.as_ptr() as usize, self.is_active.capacity()),
            (self.start.as_ptr() as usize, self.start.capacity()),
        ]
    }
}

/// The particles of a pair before and after \[m\].
#[inline]
fn ends(before: &[Vec3], after: &[Vec3], pair: Pair) -> [[Vec3; 4]; 2] {
    let [a, b, c, d] = pair.particles().map(|v| v as usize);
    [before, after].map(|x| [x[a], x[b], x[c], x[d]])
}

impl Nearest {
    /// Where the pair is nearest at `before`.
    fn new(pair: Pair, before: [Vec3; 4], cloth: &Particles, distance: f64) -> Self {
        let Closest { weights, delta, distance_squared } = pair.closest(before);
        let start = distance_squared.sqrt();
        let ends = pair.particles().into_iter().zip(weights);
        let softness: f64 = ends.map(|(v, w)| w * w * cloth.inverse_masses[v as usize]).sum();
        let least = distance.min(start + RECOVERY * distance);
        let good = start > 0.0 && start.is_finite() && softness > 0.0;
        let (normal, softness) = if good { (delta / start, softness) } else { (Vec3::ZERO, 0.0) };
        Self { weights, normal, least, softness }
    }

    /// What the nearest points lack of their least distance \[m\] if the particles are `of`.
    #[inline]
    fn missing(&self, index: [usize; 4], of: &[Vec3]) -> f64 {
        if self.softness > 0.0 { self.least - self.along(index, of) } else { 0.0 }
    }

    /// The difference of the nearest points along the normal.
    #[inline]
    fn along(&self, index: [usize; 4], of: &[Vec3]) -> f64 {
        (0..4).map(|k| of[index[k]].dot(self.normal) * self.weights[k]).sum()
    }
}

impl Active {
    /// Moves the pair apart if it is too near, else nothing.
    fn part(&mut self, cloth: &mut Particles, distance: f64) -> Option<()> {
        let pair = self.pair;
        let index = pair.particles().map(|v| v as usize);
        if self.nearest.is_some_and(|nearest| nearest.missing(index, cloth.x) <= 0.0) {
            return None;
        }
        let way = |i: usize| [cloth.before[i], cloth.x[i]];
        let [a, b] = pair.features(index).map(|f| Aabb::around(f.iter().flat_map(|&i| way(i))));
        // The nearest points may have been others on the way.
        let ends = ends(cloth.before, cloth.x, pair);
        if !a.grown(distance).overlaps(&b) || pair.is_separated(&ends, distance) {
            return None;
        }
        let nearest =
            *self.nearest.get_or_insert_with(|| Nearest::new(pair, ends[0], cloth, distance));
        let missing = nearest.missing(index, cloth.x);
        if missing <= 0.0 {
            return None;
        }
        let Nearest { weights, normal, softness, .. } = nearest;
        let approach = nearest.along(index, cloth.v).min(0.0);
        for k in 0..4 {
            let share = normal * (weights[k] * cloth.inverse_masses[index[k]] / softness);
            cloth.x[index[k]] += share * missing;
            cloth.v[index[k]] -= share * approach;
        }
        Some(())
    }
}

/// Whether two edges have a particle in common.
fn shares_end([a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
    a == c || a == d || b == c || b == d
}

#[cfg(test)]
mod tests;
