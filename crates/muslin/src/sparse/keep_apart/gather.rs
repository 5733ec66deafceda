//! Which pairs of features may meet within a frame.

use super::flat::Flat;
use super::pair::Pair;
use super::{Gathered, KeepApart};
use crate::collide::aabb::Aabb;
use crate::math::Vec3;
use crate::sparse::collision::Particles;

/// Times the distance by which pairs must be separated on the way ahead not to be looked at in a frame: the
/// rest is for motion that nobody foresees \[-\].
pub(super) const FORESIGHT: f64 = 4.0;

impl KeepApart {
    /// Looks for pairs that may meet within `dt` \[s\] if all go on at their velocities; how many there
    /// was no room for.
    pub fn gather(&mut self, x: &[Vec3], v: &[Vec3], dt: f64) -> usize {
        self.start.copy_from_slice(x);
        self.gathered_at = 0.0;
        // What all do together brings nobody nearer.
        let mean = v.iter().sum::<Vec3>() / v.len().max(1) as f64;
        for ((ahead, x), v) in self.ahead.iter_mut().zip(x).zip(v) {
            *ahead = *x + (*v - mean) * dt;
        }
        self.collect()
    }

    /// The same for the rest of the frame, if all go on as in the step between the parts `span` \[-\] of it.
    pub(super) fn gather_again(&mut self, cloth: &Particles, span: [f64; 2]) -> usize {
        self.start.copy_from_slice(cloth.before);
        self.gathered_at = span[0];
        let ways = || cloth.x.iter().zip(cloth.before).map(|(x, before)| *x - *before);
        let mean = ways().sum::<Vec3>() / cloth.x.len().max(1) as f64;
        let steps = (1.0 - span[0]) / (span[1] - span[0]);
        for ((ahead, x), way) in self.ahead.iter_mut().zip(&self.start).zip(ways()) {
            *ahead = *x + (way - mean) * steps;
        }
        self.collect()
    }

    /// Looks for pairs that may meet between the start and what is ahead.
    fn collect(&mut self) -> usize {
        let Self { triangles, edges, distance, pairs, start: x, ahead, flat, .. } = self;
        let Self { point_ways, face_ways, edge_ways, of_edges, share, .. } = self;
        let Self { points_tree, faces_tree, edges_tree, room, .. } = self;
        pairs.clear();
        if *distance <= 0.0 {
            return 0;
        }
        let grow = || {
            for ((way, x), ahead) in point_ways.iter_mut().zip(&*x).zip(&*ahead) {
                *way = Aabb { min: x.min(*ahead), max: x.max(*ahead) };
            }
            for (way, &[a, b, c]) in face_ways.iter_mut().zip(&*triangles) {
                let [a, b, c] = [a, b, c].map(|v| &point_ways[v as usize]);
                *way = a.union(b).union(c);
            }
            for (way, &[a, b]) in edge_ways.iter_mut().zip(&*edges) {
                let both = point_ways[a as usize].union(&point_ways[b as usize]);
                *way = both.grown(0.5 * *distance);
            }
            for way in point_ways.iter_mut() {
                *way = way.grown(*distance);
            }
        };
        share.join(|| flat.look(triangles, x, ahead), grow);
        let ways = Ways { flat, x, ahead, wanted: FORESIGHT * *distance, room: *room };
        let points = || {
            faces_tree.refit(|t| face_ways[t as usize]);
            points_tree.refit(|p| point_ways[p as usize]);
            let mut left_out = 0;
            points_tree.pairs(faces_tree, |p, t| {
                let face = triangles[t as usize];
                if !face.contains(&p) {
                    left_out += ways.keep(Pair::PointFace([p, face[0], face[1], face[2]]), pairs);
                }
            });
            left_out
        };
        let between = || {
            edges_tree.refit(|e| edge_ways[e as usize]);
            edges_tree.own_pairs_in_halves(*share, of_edges, |e, o, kept| {
                let ([a, b], [c, d]) = (edges[e as usize], edges[o as usize]);
                if shares_end([a, b], [c, d]) {
                    0
                } else {
                    ways.keep(Pair::EdgeEdge([a, b, c, d]), kept)
                }
            })
        };
        let (left_out, more) = share.join(points, between);
        let mut lost = left_out + more;
        for kept in of_edges.iter_mut() {
            let taken = kept.len().min(*room - pairs.len());
            lost += kept.len() - taken;
            pairs.extend(kept.drain(..).take(taken));
        }
        lost
    }
}

/// What decides whether a pair must be watched.
#[derive(Clone, Copy, Debug)]
struct Ways<'a> {
    flat: &'a Flat,
    x: &'a [Vec3],
    ahead: &'a [Vec3],
    /// What must separate it not to be watched \[m\].
    wanted: f64,
    /// Most pairs of a list.
    room: usize,
}

impl Ways<'_> {
    /// Keeps a pair if it must be watched; 1 if there is no room for it.
    #[inline]
    fn keep(&self, pair: Pair, pairs: &mut Vec<Gathered>) -> usize {
        if self.flat.clears(pair) || pair.is_separated(self.x, self.ahead, self.wanted) {
            return 0;
        }
        let gathered = Gathered { pair, gap: pair.separation_of(self.x, self.ahead) };
        let room = pairs.len() < self.room;
        if room {
            pairs.push(gathered);
        }
        usize::from(!room)
    }
}

/// Whether two edges have a particle in common.
fn shares_end([a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
    a == c || a == d || b == c || b == d
}
