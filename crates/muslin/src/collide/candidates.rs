//! Pairs of features of cloth that can meet while nothing moves far (BF4): over many short steps the hierarchy is
//! asked once, and the pairs it found are looked at again and again.
//!
//! Two features that come within `2 margin` of each other while every vertex stays within `way` of where it was
//! were within `2 (margin + way)` then. So a list of all pairs that were nearer than `reach` is complete as long as
//! `2 (margin + way) ≤ reach`. Distances do not change if all cloth moves along, so ways are measured
//! from its mean motion. Whether a pair is near or collides is decided as ever, so that not a bit of the result
//! depends on the list.

use super::aabb::Aabb;
use super::distance;
use super::surface::Pair;
use crate::math::Vec3;
use rayon::prelude::*;

/// More than what is needed that is kept for rounding.
const SLACK: f64 = 1.0 + 1e-9;

/// A list that is used fewer times than this was too short-lived, and the next one reaches farther.
const FEW_USES: u32 = 8;

/// A list that is used more often than this reached too far.
const MANY_USES: u32 = 100;

/// How often the hierarchy is asked directly after lists that were of no use.
const PAUSE: u32 = 100;

/// Longest reach, as a share of the mean length of edges: beyond it lists are full of neighbours.
const LONGEST_REACH: f64 = 0.5;

/// Pairs looked at by one parallel task, at least.
const MIN_PAIRS: usize = 512;

/// The list.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// Where the cloth was when they were listed \[m\].
    at: Vec<Vec3>,
    /// All pairs nearer than this are listed \[m\].
    reach: f64,
    pairs: Vec<Pair>,
    /// The vertices of the pairs, sorted.
    vertices: Vec<u32>,
    /// How far vertices may move from `at` with the widest margin \[m\].
    room: f64,
    /// The widest margin that was asked for \[m\].
    widest: f64,
    /// Longest reach \[m\].
    longest: f64,
    uses: u32,
    pause: u32,
}

/// What to do with a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Recall {
    /// The list has all pairs that can meet.
    Listed,
    /// List all pairs nearer than this at the start \[m\], and ask again.
    ListAnew(f64),
    /// Ask the hierarchy.
    Unlisted,
}

impl Candidates {
    /// No list yet; `mean_edge` is the mean length of the cloth's edges \[m\].
    pub fn new(mean_edge: f64) -> Self {
        Self { longest: LONGEST_REACH * mean_edge, ..Self::default() }
    }

    /// What to do for a motion from `x0` to `x1` and boxes grown by `margin` \[m\].
    pub fn recall(&mut self, x0: &[Vec3], x1: &[Vec3], margin: f64) -> Recall {
        self.widest = self.widest.max(margin);
        if self.pause > 0 {
            self.pause -= 1;
            return Recall::Unlisted;
        }
        if self.covers(x0, x1, margin) {
            self.uses += 1;
            return Recall::Listed;
        }
        let most = 0.5 * self.longest - self.widest;
        if self.uses < FEW_USES {
            // Also before the first list.
            if self.room >= most {
                (self.pause, self.room) = (PAUSE, 0.0);
                return Recall::Unlisted;
            }
            self.room = (2.0 * self.room).max(0.5 * self.widest);
        } else if self.uses > MANY_USES {
            self.room *= 0.7;
        }
        self.room = self.room.min(most);
        self.uses = 0;
        Recall::ListAnew(2.0 * (self.widest + self.room) * SLACK)
    }

    /// Takes the pairs nearer than `reach` \[m\] with the cloth at `x`.
    pub fn list(&mut self, pairs: Vec<Pair>, reach: f64, x: &[Vec3]) {
        self.vertices = pairs.iter().flat_map(Pair::vertices).collect();
        self.vertices.sort_unstable();
        self.vertices.dedup();
        self.at.clear();
        self.at.extend_from_slice(x);
        (self.pairs, self.reach) = (pairs, reach);
    }

    fn covers(&self, x0: &[Vec3], x1: &[Vec3], margin: f64) -> bool {
        if self.at.len() != x0.len() || self.at.is_empty() {
            return false;
        }
        let way = 0.5 * self.reach / SLACK - margin;
        let stays = |x: &[Vec3]| {
            let moved: Vec3 = x.iter().zip(&self.at).map(|(x, at)| *x - *at).sum();
            let along = moved / x.len() as f64;
            let within = |(x, at): (&Vec3, &Vec3)| (*x - *at - along).length_squared() <= way * way;
            x.iter().zip(&self.at).all(within)
        };
        way > 0.0 && stays(x0) && (std::ptr::eq(x0, x1) || stays(x1))
    }

    /// The vertices whose boxes are needed.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Visits the pairs whose boxes overlap, made of those of their vertices; results in a fixed order.
    pub fn visit<T: Send>(
        &self,
        boxes: &[Aabb],
        visit: impl Fn(Pair, &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        let overlap = |pair: &Pair| {
            let [a, b, c, d] = pair.vertices().map(|v| &boxes[v as usize]);
            match pair {
                Pair::PointTriangle(_) => a.overlaps(&b.union(c).union(d)),
                Pair::EdgeEdge(_) => a.union(b).overlaps(&c.union(d)),
            }
        };
        let some = |pairs: &[Pair]| {
            let mut found = Vec::new();
            for pair in pairs.iter().filter(|pair| overlap(pair)) {
                visit(*pair, &mut found);
            }
            found
        };
        if self.pairs.len() <= MIN_PAIRS {
            return some(&self.pairs);
        }
        let found: Vec<Vec<T>> = self.pairs.par_chunks(MIN_PAIRS).map(some).collect();
        found.into_iter().flatten().collect()
    }
}

/// Whether two features are nearer than `reach` \[m\].
pub(super) fn is_near(pair: &Pair, x: &[Vec3], reach: f64) -> bool {
    let [a, b, c, d] = pair.vertices().map(|v| x[v as usize]);
    let closest = match pair {
        Pair::PointTriangle(_) => distance::point_triangle(a, b, c, d),
        Pair::EdgeEdge(_) => distance::edge_edge(a, b, c, d),
    };
    closest.distance_squared < reach * reach
}

#[cfg(test)]
mod tests;
