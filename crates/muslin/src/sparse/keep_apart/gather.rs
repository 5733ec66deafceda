//! Which pairs of features may meet within a frame.

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
        let Self { point_ways, face_ways, edge_ways, .. } = self;
        pairs.clear();
        if *distance <= 0.0 {
            return 0;
        }
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
        flat.look(triangles, x, ahead);
        let (mut left_out, wanted) = (0, FORESIGHT * *distance);
        let mut keep = |pair: Pair| {
            if flat.clears(pair) || pair.is_separated(x, ahead, wanted) {
                return;
            }
            let gathered = Gathered { pair, gap: pair.separation_of(x, ahead) };
            if pairs.len() < pairs.capacity() { pairs.push(gathered) } else { left_out += 1 }
        };
        self.faces_tree.refit(|t| face_ways[t as usize]);
        self.points_tree.refit(|p| point_ways[p as usize]);
        self.points_tree.pairs(&self.faces_tree, |p, t| {
            let face = triangles[t as usize];
            if !face.contains(&p) {
                keep(Pair::PointFace([p, face[0], face[1], face[2]]));
            }
        });
        self.edges_tree.refit(|e| edge_ways[e as usize]);
        self.edges_tree.own_pairs(|e, o| {
            let ([a, b], [c, d]) = (edges[e as usize], edges[o as usize]);
            if !shares_end([a, b], [c, d]) {
                keep(Pair::EdgeEdge([a, b, c, d]));
            }
        });
        left_out
    }
}

/// Whether two edges have a particle in common.
fn shares_end([a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
    a == c || a == d || b == c || b == d
}
