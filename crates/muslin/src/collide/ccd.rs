//! Continuous collision of moving points, triangles and edges (BF6) without false negatives (R2).
//!
//! Vertices move linearly, `x(t) = (1−t) x⁰ + t x¹` for `t` in `[0, 1]`. The question is the first
//! time at which the features come as close as a given separation `ε`.
//!
//! **Certificate.** Two convex features are farther than `ε` from each other if some direction `d`
//! has `(a − b)·d > ε|d|` for all vertices `a` of the first and `b` of the second. For a fixed `d`
//! each of these three (point–triangle) or four (edge–edge) *gaps* is linear in `t`. So if all of
//! them exceed `ε|d|` at two times, they do at every time between.
//!
//! **Search.** From a time until which the motion is certified, the closest points give a direction
//! in which the features are apart now, and the smallest root of the gaps tells until when they
//! stay apart in that direction: the next time. This is Newton's method for "distance = ε", but
//! with a lower bound of the distance in place of its tangent, so it never steps over a contact.
//! It ends at `t = 1` (a miss), or with a distance that is `ε` up to a tiny tolerance (a hit).
//!
//! Three refinements make it fast. Two cheap directions are tried on the whole motion first: most
//! candidates of a bounding-box search are far from touching. A direction taken from a time ahead,
//! shortly before the closest points would meet, serves longer than one from the present, if it
//! keeps the features apart at present as well. And features that turn together while almost
//! touching would take many short steps: after a few, a direction turning linearly in time is tried.
//!
//! Deviation from BF6: no roots of the coplanarity cubic. A root missed by rounding, a cubic that
//! vanishes because the motion is flat, and the end-of-step test disappear with it; and the
//! separation is part of the question instead of being added to the answer.
//!
//! Certificates hold in spite of rounding, see the private module `motion`. Whatever
//! cannot be certified, not-a-number included, is a hit.

mod motion;

use super::distance::Closest;
use crate::math::{Vec3, try_normalize};
use motion::{Features, Motion, ROUNDING};

/// A contact between two features of four vertices, at the first time they come too close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Time in `[0, 1]` until which the features are certainly farther apart than the separation.
    pub time: f64,
    /// Weights of the closest points at that time, see [`Closest::weights`].
    pub weights: [f64; 4],
    /// Unit vector from the second feature to the first, as they lie before the impact.
    pub normal: Vec3,
}

/// First time at which the vertex `x[0]` comes within `separation` [m] of the triangle
/// `x[1] x[2] x[3]`, moving linearly from `x0` to `x1` (BF6, R2).
///
/// Never misses a contact. A motion that stays farther than `separation + 2⁻²² M` is not reported,
/// where `M` is the sum of the largest |x|, |y| and |z| relative to `x[0]`; mostly `2⁻³³ M` is enough.
/// A pair that starts within the separation (touching, if that is 0) is a hit at time 0.
pub fn point_triangle(x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> Option<Impact> {
    Motion::new(Features::PointTriangle, x0, x1, separation).first_impact()
}

/// First time at which the edges `x[0] x[1]` and `x[2] x[3]` come within `separation` [m] of each
/// other, moving linearly from `x0` to `x1` (BF6, R2). Same guarantees as [`point_triangle`].
pub fn edge_edge(x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> Option<Impact> {
    Motion::new(Features::EdgeEdge, x0, x1, separation).first_impact()
}

/// Whether the vertex `x[0]` and the triangle `x[1] x[2] x[3]` may come within `separation` \[m\] of each
/// other. Quick: `false` is certain, `true` is not.
pub fn point_may_reach_triangle(x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> bool {
    !Motion::new(Features::PointTriangle, x0, x1, separation).is_apart()
}

/// The same for the edges `x[0] x[1]` and `x[2] x[3]`.
pub fn edge_may_reach_edge(x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> bool {
    !Motion::new(Features::EdgeEdge, x0, x1, separation).is_apart()
}

/// Distance above the separation that already counts as a hit, as a fraction of `M`: well above
/// [`ROUNDING`], so that a certificate exists beyond it.
const FINEST_TOLERANCE: f64 = 1.0 / (1u64 << 33) as f64;
/// The same for motions that graze for long.
const COARSEST_TOLERANCE: f64 = 1.0 / (1u64 << 22) as f64;
/// Steps after which turning directions are tried and the tolerance starts to grow,
/// by a factor of 2 in so many steps.
const PATIENCE: u32 = 8;
/// How long before the expected contact to look for a direction, as a fraction of the time left;
/// squared with each success.
const FIRST_MARGIN: f64 = 0.125;
/// The smallest such fraction.
const LAST_MARGIN: f64 = 1.0 / (1u64 << 24) as f64;
/// Steps after which the search gives up and reports a hit. Torture tests stay far below it.
const MOST_STEPS: u32 = 10_000;
/// Distance, as a fraction of `M`, below which the side is taken from the motion before.
const UNCLEAR_SIDE: f64 = 16.0 * ROUNDING;

impl Motion {
    fn first_impact(&self) -> Option<Impact> {
        if self.is_apart() { None } else { self.search() }
    }

    /// Whether one of two cheap directions keeps the features apart throughout.
    #[inline]
    fn is_apart(&self) -> bool {
        // A sum over all positions is finite only if they are: comparisons below ignore NaN.
        let offset = self.mean_offset();
        offset.is_finite()
            && (self.apart_throughout(offset) || self.apart_throughout(self.start_normal()))
    }

    /// The search described in the module documentation. `time` is certified, `trial` is the time
    /// whose closest points give the next direction.
    fn search(&self) -> Option<Impact> {
        let (mut time, mut trial, mut certified) = (0.0, 0.0, None);
        let (mut stride, mut margin) = (1.0, FIRST_MARGIN);
        for step in 0..MOST_STEPS {
            let closest = self.features.closest(&self.at(trial));
            let tolerance = self.tolerance(step);
            let apart = closest.distance_squared.sqrt() > self.separation + tolerance;
            let mut next = if apart { self.apart_until(closest.delta, time) } else { time };
            if apart && step >= PATIENCE && next < 1.0 && trial == time {
                let target = (time + stride).min(1.0);
                let turned = next < target && self.apart_turning(closest.delta, time, target);
                stride *= if turned { 2.0 } else { 0.5 };
                next = if turned { target } else { next };
            }
            if next >= 1.0 {
                return None;
            }
            if next > time {
                (time, certified) = (next, Some(closest.delta));
                trial = self.next_trial(&closest, trial, time, margin, tolerance);
                margin = (margin * margin).max(LAST_MARGIN);
            } else if trial > time {
                trial = time;
                margin = FIRST_MARGIN;
            } else {
                return Some(self.impact(time, &closest, certified));
            }
        }
        let closest = self.features.closest(&self.at(time));
        Some(self.impact(time, &closest, certified))
    }

    /// The time to look at next: a little before the closest points of `trial` would meet,
    /// or `time`, if that is near enough or they do not meet.
    fn next_trial(&self, closest: &Closest, trial: f64, time: f64, margin: f64, near: f64) -> f64 {
        let distance = closest.distance_squared.sqrt();
        let velocity = self.relative_velocity(&closest.weights);
        let approach = -velocity.dot(closest.delta) / distance;
        let left = trial - time + (distance - self.separation) / approach;
        if approach > 0.0 && approach * left > near && time + left <= 1.0 {
            time + left * (1.0 - margin)
        } else {
            time
        }
    }

    /// What counts as touching on top of the separation [m], after so many steps.
    fn tolerance(&self, step: u32) -> f64 {
        let doublings = (step / PATIENCE).saturating_sub(1).min(40);
        let growth = (1u64 << doublings) as f64;
        (FINEST_TOLERANCE * growth).min(COARSEST_TOLERANCE) * self.size
    }

    /// The contact at `time`; `certified` is the direction that kept the features apart until then.
    fn impact(&self, time: f64, closest: &Closest, certified: Option<Vec3>) -> Impact {
        let clear = closest.distance_squared.sqrt() > UNCLEAR_SIDE * self.size;
        let normal = clear
            .then_some(closest.delta)
            .or(certified)
            .and_then(try_normalize)
            .unwrap_or_else(|| self.touching_normal(closest));
        Impact { time, weights: closest.weights, normal }
    }

    /// A unit normal for features that touch from the start: their common normal or, failing
    /// that, the direction of approach, against the approach in either case.
    fn touching_normal(&self, closest: &Closest) -> Vec3 {
        let approach = self.relative_velocity(&closest.weights);
        let normal = try_normalize(self.features.cross(&self.start))
            .or_else(|| try_normalize(approach))
            .unwrap_or(Vec3::Z);
        if normal.dot(approach) > 0.0 { -normal } else { normal }
    }
}

#[cfg(test)]
mod tests;
