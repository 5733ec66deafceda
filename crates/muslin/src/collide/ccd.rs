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
//! in which the features are apart now, and the smallest root of the gaps tells until when
//! they stay apart in that direction: the next time. This is Newton's method for "distance = ε",
//! but with a lower bound of the distance in place of its tangent, so it never steps over a contact.
//! It ends at `t = 1` (a miss), or with a distance that is `ε` up to a tiny tolerance (a
//! hit). Before that, two cheap directions are tried on the whole motion: most candidates of a
//! bounding-box search are far from touching. Features that turn together while almost touching
//! would take many short steps; after a few, a direction turning linearly in time is tried too.
//!
//! Deviation from BF6: no roots of the coplanarity cubic. A root missed by rounding, a cubic that
//! vanishes because the motion is flat, and the end-of-step test disappear with it; and the
//! separation is part of the question instead of being added to the answer.
//!
//! **Rounding.** `u = 2⁻⁵³`; `M` bounds all coordinates relative to vertex 0 (sum of the largest
//! |x|, |y|, |z|), so `|x_i| ≤ M`. One subtraction makes `x_i` (error `u M`), a dot product adds
//! `3u M|d|`, a difference of two such `2u M|d|`: a gap is off by at most `10u M|d|`. Its
//! interpolation in time, or the root found for it, adds `12.4u M|d|`, interpolated
//! positions `6u M|d|`, and `ε|d|`, where it can be exceeded at all (`ε < 2M`), `12u M|d|`.
//! Together less than `64u M|d|`: this much is asked for on top of `ε|d|`. Whatever cannot be
//! certified, not-a-number included, is a hit.

use super::distance::{self, Closest};
use crate::math::{Vec3, try_normalize};

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
/// Never misses a contact. A motion that stays farther than
/// `separation + 2⁻²² M` is not reported, `M` the largest distance between vertices (see the
/// module). A pair that starts within the separation is a hit at time 0.
pub fn point_triangle(x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> Option<Impact> {
    Motion::new(Features::PointTriangle, x0, x1, separation).first_impact()
}

/// First time at which the edges `x[0] x[1]` and `x[2] x[3]` come within `separation` [m] of each
/// other, moving linearly from `x0` to `x1` (BF6, R2). Same guarantees as [`point_triangle`].
pub fn edge_edge(x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> Option<Impact> {
    Motion::new(Features::EdgeEdge, x0, x1, separation).first_impact()
}

/// Rounding of a gap, as a fraction of `M|d|`: `64u`, see the module.
const ROUNDING: f64 = 64.0 * (f64::EPSILON / 2.0);
/// Added to what a gap has to exceed, for products that underflow.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;
/// Directions with a smaller squared length are not used: their length has lost digits.
const SHORTEST_SQUARED: f64 = 1e-280;
/// Distance above the separation that already counts as a hit, as a fraction of `M`: well above
/// [`ROUNDING`], so that a certificate exists beyond it.
const FINEST_TOLERANCE: f64 = 1.0 / (1u64 << 40) as f64;
/// The same for motions that graze for long.
const COARSEST_TOLERANCE: f64 = 1.0 / (1u64 << 22) as f64;
/// Steps after which turning directions are tried and the tolerance starts to grow,
/// by a factor of 2 in so many steps.
const PATIENCE: u32 = 8;
/// Steps after which the search gives up and reports a hit. Torture tests stay far below it.
const MOST_STEPS: u32 = 10_000;
/// Distance, as a fraction of `M`, below which the side is taken from the motion before.
const UNCLEAR_SIDE: f64 = 16.0 * ROUNDING;

/// The two kinds of pairs.
#[derive(Clone, Copy, PartialEq)]
enum Features {
    PointTriangle,
    EdgeEdge,
}

impl Features {
    /// Pairs of vertices, one of the first and one of the second feature.
    const fn pairs(self) -> &'static [(usize, usize)] {
        match self {
            Self::PointTriangle => &[(0, 1), (0, 2), (0, 3)],
            Self::EdgeEdge => &[(0, 2), (0, 3), (1, 2), (1, 3)],
        }
    }

    /// Closest points for vertices relative to vertex 0.
    fn closest(self, x: &[Vec3; 4]) -> Closest {
        match self {
            Self::PointTriangle => distance::point_triangle_relative(x[1], x[2], x[3]),
            Self::EdgeEdge => distance::edge_edge_relative(x[1], x[2], x[3]),
        }
    }

    /// The plane's normal or the common perpendicular of the edges, of any sign.
    fn cross(self, x: &[Vec3; 4]) -> Vec3 {
        match self {
            Self::PointTriangle => (x[2] - x[1]).cross(x[3] - x[1]),
            Self::EdgeEdge => x[1].cross(x[3] - x[2]),
        }
    }
}

/// A query: two features moving linearly, relative to vertex 0.
struct Motion {
    features: Features,
    start: [Vec3; 4],
    end: [Vec3; 4],
    separation: f64,
    /// `M` of the module documentation [m].
    size: f64,
}

impl Motion {
    fn new(features: Features, x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> Self {
        let start = x0.map(|x| x - x0[0]);
        let end = x1.map(|x| x - x1[0]);
        let mut largest = Vec3::ZERO;
        for i in 1..4 {
            largest = largest.max(start[i].abs()).max(end[i].abs());
        }
        let size = largest.x + largest.y + largest.z;
        Self {
            features,
            start,
            end,
            separation,
            size,
        }
    }

    fn first_impact(&self) -> Option<Impact> {
        if self.apart_throughout(self.mean_offset()) || self.apart_throughout(self.start_normal()) {
            return None;
        }
        let (mut time, mut stride, mut certified) = (0.0, 1.0, None);
        for step in 0..MOST_STEPS {
            let closest = self.features.closest(&self.at(time));
            let distance = closest.distance_squared.sqrt();
            if !(distance > self.separation + self.tolerance(step)) {
                return Some(self.impact(time, &closest, certified));
            }
            let mut next = self.apart_until(closest.delta, time);
            if step >= PATIENCE && next < 1.0 {
                let target = (time + stride).min(1.0);
                let turned = next < target && self.apart_turning(closest.delta, time, target);
                stride *= if turned { 2.0 } else { 0.5 };
                next = if turned { target } else { next };
            }
            if next >= 1.0 {
                return None;
            }
            if !(next > time) {
                return Some(self.impact(time, &closest, certified));
            }
            (time, certified) = (next, Some(closest.delta));
        }
        let closest = self.features.closest(&self.at(time));
        Some(self.impact(time, &closest, certified))
    }

    /// Vertices at time `t`, relative to vertex 0.
    fn at(&self, t: f64) -> [Vec3; 4] {
        std::array::from_fn(|i| self.start[i] * (1.0 - t) + self.end[i] * t)
    }

    /// What counts as touching on top of the separation [m], after so many steps.
    fn tolerance(&self, step: u32) -> f64 {
        let doublings = (step / PATIENCE).saturating_sub(1).min(40);
        let growth = (1u64 << doublings) as f64;
        (FINEST_TOLERANCE * growth).min(COARSEST_TOLERANCE) * self.size
    }

    /// What gaps along `d` must exceed, divided by `|d|`.
    fn required(&self) -> f64 {
        self.separation + ROUNDING * self.size
    }

    /// From the middle of the second feature to that of the first, averaged over the motion.
    fn mean_offset(&self) -> Vec3 {
        let [_, x1, x2, x3] = std::array::from_fn(|i| self.start[i] + self.end[i]);
        match self.features {
            Features::PointTriangle => -(x1 + x2 + x3),
            Features::EdgeEdge => x1 - x2 - x3,
        }
    }

    /// The features' common normal at the start, towards the first feature.
    fn start_normal(&self) -> Vec3 {
        let normal = self.features.cross(&self.start);
        if normal.dot(self.start[2]) > 0.0 {
            -normal
        } else {
            normal
        }
    }

    /// Whether direction `d` keeps the features apart at both ends, hence throughout.
    fn apart_throughout(&self, d: Vec3) -> bool {
        let gap = self.gap(&self.start, d).min(self.gap(&self.end, d));
        let required = self.required();
        let d2 = d.length_squared();
        gap > 0.0 && d2 > SHORTEST_SQUARED && gap * gap > required * required * d2 + UNDERFLOW
    }

    /// The smallest gap along `d` for the given positions.
    fn gap(&self, x: &[Vec3; 4], d: Vec3) -> f64 {
        let [h1, h2, h3] = [x[1].dot(d), x[2].dot(d), x[3].dot(d)];
        match self.features {
            Features::PointTriangle => -(h1.max(h2).max(h3)),
            Features::EdgeEdge => h1.min(0.0) - h2.max(h3),
        }
    }

    /// The time until which direction `d` keeps the features apart from time `from` on;
    /// `from` itself if it does not keep them apart even there.
    fn apart_until(&self, d: Vec3, from: f64) -> f64 {
        let d2 = d.length_squared();
        if !(d2 > SHORTEST_SQUARED) {
            return from;
        }
        let required = self.required() * d2.sqrt() + UNDERFLOW;
        let start = self.start.map(|x| x.dot(d));
        let end = self.end.map(|x| x.dot(d));
        let mut until: f64 = 1.0;
        for &(i, j) in self.features.pairs() {
            let (gap0, gap1) = (start[i] - start[j], end[i] - end[j]);
            if !(gap0 * (1.0 - from) + gap1 * from > required) {
                return from;
            }
            if !(gap1 > required) {
                until = until.min((gap0 - required) / (gap0 - gap1));
            }
        }
        until.max(from)
    }

    /// Whether a direction turning linearly from `d` at time `from` to the closest points'
    /// direction at time `to` keeps the features apart between.
    ///
    /// Each gap is then quadratic, with Bernstein coefficients `r₀·d₀`, `½(r₀·d₁ + r₁·d₀)`, `r₁·d₁`
    /// for the offsets `r` of two vertices: it is nowhere smaller than the smallest of them. Unit
    /// vectors `d₀`, `d₁` make `|d| ≤ 1` between.
    fn apart_turning(&self, d: Vec3, from: f64, to: f64) -> bool {
        let (x0, x1) = (self.at(from), self.at(to));
        let closest = self.features.closest(&x1);
        let (Some(d0), Some(d1)) = (try_normalize(d), try_normalize(closest.delta)) else {
            return false;
        };
        let required = self.required() + UNDERFLOW;
        self.features.pairs().iter().all(|&(i, j)| {
            let middle = 0.5 * ((x0[i].dot(d1) - x0[j].dot(d1)) + (x1[i].dot(d0) - x1[j].dot(d0)));
            x0[i].dot(d0) - x0[j].dot(d0) > required
                && middle > required
                && x1[i].dot(d1) - x1[j].dot(d1) > required
        })
    }

    /// The contact at `time`; `certified` is the direction that kept the features apart until then.
    fn impact(&self, time: f64, closest: &Closest, certified: Option<Vec3>) -> Impact {
        let clear = closest.distance_squared.sqrt() > UNCLEAR_SIDE * self.size;
        let normal = clear
            .then_some(closest.delta)
            .or(certified)
            .and_then(try_normalize)
            .unwrap_or_else(|| self.touching_normal(closest));
        Impact {
            time,
            weights: closest.weights,
            normal,
        }
    }

    /// A unit normal for features that touch from the start: their common normal or, failing
    /// that, the direction of approach, against the approach in either case.
    fn touching_normal(&self, closest: &Closest) -> Vec3 {
        let approach: Vec3 = (0..4)
            .map(|i| (self.end[i] - self.start[i]) * closest.weights[i])
            .sum();
        let normal = try_normalize(self.features.cross(&self.start))
            .or_else(|| try_normalize(approach))
            .unwrap_or(Vec3::Z);
        if normal.dot(approach) > 0.0 {
            -normal
        } else {
            normal
        }
    }
}

#[cfg(test)]
mod tests;
