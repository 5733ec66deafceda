//! Coarse faces keep apart from each other: particles from faces, edges from edges (OS8).
//!
//! Beyond the paper, which leaves self-collision open. Each pair is kept on the side on which it was when
//! the step began: a pair that is nearer than the distance, or would pass, is moved apart along the
//! line between its nearest points, by inverse masses, and loses its approaching motion.

mod active;
mod flat;
mod gather;
mod pair;

use super::collision::Particles;
use super::paths::Paths;
use crate::collide::aabb::Aabb;
use crate::finish::pair_tree::PairTree;
use crate::math::Vec3;
use crate::mesh::TriMesh;
use crate::share::Share;
use active::Active;
use flat::Flat;
use pair::Pair;

/// Pairs that are kept for a frame, for every particle and edge.
const PAIRS_EACH: usize = 12;
/// The distance as a part of the shortest edge, at most \[-\].
const MOST_OF_EDGE: f64 = 0.25;
/// Times the distance by which a pair must be separated more than it needs not to be active in a step \[-\]: its
/// particles may move by half of that before it is looked at again.
const WAITING: f64 = 0.5;

/// Times the distance by which a pair must be separated more than it needs, all the frame, for nobody to look what
/// separates it as a step begins \[-\].
const FORESEEN: f64 = 1.0;

/// Times the distance by which a particle may be astray before pairs are gathered anew \[-\]: as much as pairs that
/// were left out are separated by.
const ASTRAY: f64 = gather::FORESIGHT;

/// A pair that may meet within the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gathered {
    pair: Pair,
    /// What one direction separates it by at least, all the frame, if all go on at their velocities \[m\].
    gap: f64,
}

/// What keeps the faces of a garment apart.
#[derive(Clone, Debug)]
pub(super) struct KeepApart {
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    points_tree: PairTree,
    faces_tree: PairTree,
    edges_tree: PairTree,
    /// Distance to keep \[m\].
    distance: f64,
    /// Boxes around the ways of all particles, faces and edges over a frame, grown such that those of pairs meet
    /// that may come within the distance.
    point_ways: Vec<Aabb>,
    face_ways: Vec<Aabb>,
    edge_ways: Vec<Aabb>,
    /// Positions when pairs were gathered, and at the end of the frame if all go on at their velocities \[m\].
    start: Vec<Vec3>,
    ahead: Vec<Vec3>,
    /// Part of the frame that was done then \[-\].
    gathered_at: f64,
    /// Around which particles the cloth is flat.
    flat: Flat,
    pairs: Vec<Gathered>,
    /// Most pairs there is room for.
    room: usize,
    /// Those of edges while they are gathered, half by half of the search.
    of_edges: [Vec<Gathered>; 2],
    /// Who looks.
    pub share: Share,
    /// Which of them may come too near in the step, and which wait until a particle of theirs has moved.
    active: Vec<Active>,
    waiting: Vec<u32>,
    /// For every particle, the position \[m\] for which its waiting pairs were looked at, and how far from there
    /// it may be before they must be again \[m\].
    at: Vec<Vec3>,
    allowed: Vec<f64>,
    paths: Paths,
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
        let most = x.len().max(faces.len());
        let room = PAIRS_EACH * (x.len() + edges.len());
        Self {
            point_ways: vec![Aabb::EMPTY; x.len()],
            face_ways: vec![Aabb::EMPTY; faces.len()],
            edge_ways: vec![Aabb::EMPTY; edges.len()],
            start: x.to_vec(),
            ahead: x.to_vec(),
            gathered_at: 0.0,
            triangles: mesh.triangles().to_vec(),
            flat: Flat::new(mesh),
            points_tree: PairTree::new(x, most),
            faces_tree: PairTree::new(&faces, most),
            edges_tree: PairTree::new(&middles, 0),
            edges,
            distance: distance.min(MOST_OF_EDGE * shortest),
            pairs: Vec::with_capacity(room),
            of_edges: [Vec::with_capacity(room), Vec::with_capacity(room)],
            room,
            share: Share::Alone,
            active: Vec::with_capacity(room),
            waiting: Vec::with_capacity(room),
            at: x.to_vec(),
            allowed: vec![0.0; x.len()],
            paths: Paths::new(x),
            astray: vec![0.0; x.len()],
            moved: vec![false; x.len()],
        }
    }

    /// Begins a step, between the parts `span` \[-\] of the frame: leaves out gathered pairs that cannot come too
    /// near. Gathers them anew where cloth has gone astray; how many there was no room for.
    ///
    /// A pair is left out if one direction separates its features by more than the distance before and
    /// after the step, for then it does so all the way; and by as much more as both may still move. The direction
    /// found when the pair was gathered will do, less what its particles are astray by.
    pub fn begin(&mut self, cloth: &Particles, span: [f64; 2]) -> usize {
        self.active.clear();
        self.waiting.clear();
        self.at.copy_from_slice(cloth.x);
        self.allowed.fill(f64::INFINITY);
        self.paths.begin(cloth.x);
        self.astray.fill(0.0);
        self.note_astray(cloth.before, span[0]);
        self.note_astray(cloth.x, span[1]);
        let most = self.astray.iter().copied().fold(0.0, f64::max);
        let left_out = if most > ASTRAY * self.distance {
            self.astray.fill(0.0);
            self.gather_again(cloth, span)
        } else {
            0
        };
        for i in 0..self.pairs.len() {
            let Gathered { pair, gap } = self.pairs[i];
            let [a, b, c, d] = pair.particles().map(|v| self.astray[v as usize]);
            let foreseen = gap - 2.0 * a.max(b).max(c).max(d) - self.distance;
            let spare = if foreseen > FORESEEN * self.distance {
                foreseen
            } else {
                self.spare(cloth, pair)
            };
            if self.waits(pair, spare, None) {
                self.waiting.push(i as u32);
            }
        }
        left_out
    }

    /// How much more than it needs separates a pair in this step \[m\].
    #[inline]
    fn spare(&self, cloth: &Particles, pair: Pair) -> f64 {
        pair.separation_of(cloth.before, cloth.x) - self.distance
    }

    /// Whether a pair with so much to spare \[m\] can wait until one of its particles has moved by half of it; if not it
    /// is active. The particles are at `x` \[m\], or nowhere else than when they were looked at.
    #[inline]
    fn waits(&mut self, pair: Pair, spare: f64, x: Option<&[Vec3]>) -> bool {
        if spare <= WAITING * self.distance {
            // Ways are counted from now on, but nobody has looked what nearest points it has.
            self.active.push(Active::new(
                pair,
                self.paths.of(pair.particles().map(|v| v as usize)) + spare.max(0.0),
            ));
            return false;
        }
        for v in pair.particles().map(|v| v as usize) {
            let gone = x.map_or(0.0, |x| x[v].distance(self.at[v]));
            let allowed = 0.5 * spare - gone;
            self.allowed[v] = self.allowed[v].min(allowed);
        }
        true
    }

    /// Notes how far particles at `x` \[m\] are from where they were to be at the part `done` \[-\] of the frame. What
    /// all are off by together brings nobody nearer.
    fn note_astray(&mut self, x: &[Vec3], done: f64) {
        let done = (done - self.gathered_at) / (1.0 - self.gathered_at);
        let foreseen = || self.start.iter().zip(&self.ahead).map(|(a, b)| a.lerp(*b, done));
        let off: Vec3 = x.iter().zip(foreseen()).map(|(x, to_be)| *x - to_be).sum();
        let common = off / x.len().max(1) as f64;
        for ((astray, x), to_be) in self.astray.iter_mut().zip(x).zip(foreseen()) {
            *astray = astray.max((*x - to_be - common).length());
        }
    }

    /// Looks again at the pairs of particles that have moved too far since they began to wait.
    fn look_again(&mut self, cloth: &Particles) {
        let mut any = false;
        for (i, x) in cloth.x.iter().enumerate() {
            let allowed = self.allowed[i].max(0.0);
            self.moved[i] = x.distance_squared(self.at[i]) > allowed * allowed;
            if self.moved[i] {
                (self.at[i], self.allowed[i]) = (*x, f64::INFINITY);
                any = true;
            }
        }
        if !any {
            return;
        }
        let mut kept = 0;
        for k in 0..self.waiting.len() {
            let i = self.waiting[k];
            let pair = self.pairs[i as usize].pair;
            let [a, b, c, d] = pair.particles().map(|v| self.moved[v as usize]);
            if !(a | b | c | d) || self.waits(pair, self.spare(cloth, pair), Some(cloth.x)) {
                self.waiting[kept] = i;
                kept += 1;
            }
        }
        self.waiting.truncate(kept);
    }

    /// Moves active pairs apart; how many were too near.
    pub fn apply(&mut self, cloth: &mut Particles) -> usize {
        self.paths.follow(cloth.x, 0..cloth.x.len());
        self.look_again(cloth);
        let Self { active, paths, distance, .. } = self;
        active
            .iter_mut()
            .filter_map(|pair| pair.part(cloth, paths, *distance).then_some(()))
            .count()
    }

    /// Addresses and capacities of the lists.
    #[cfg(test)]
    pub fn buffers(&self) -> Vec<(usize, usize)> {
        let boxes = |of: &Vec<Aabb>| (of.as_ptr() as usize, of.capacity());
        let own = [
            boxes(&self.point_ways),
            boxes(&self.face_ways),
            boxes(&self.edge_ways),
            (self.ahead.as_ptr() as usize, self.ahead.capacity()),
            (self.pairs.as_ptr() as usize, self.pairs.capacity()),
            (self.active.as_ptr() as usize, self.active.capacity()),
            (self.at.as_ptr() as usize, self.at.capacity()),
            (self.waiting.as_ptr() as usize, self.waiting.capacity()),
            (self.allowed.as_ptr() as usize, self.allowed.capacity()),
            (self.start.as_ptr() as usize, self.start.capacity()),
        ];
        own.into_iter().chain(self.paths.buffers()).collect()
    }
}

/// The particles of a pair before and after \[m\].
#[cfg(test)]
fn ends(before: &[Vec3], after: &[Vec3], pair: Pair) -> [[Vec3; 4]; 2] {
    pair.ends(before, after)
}

#[cfg(test)]
mod tests;
