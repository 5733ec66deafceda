//! A query's motion and the certificates that keep its features apart.
//!
//! Rounding: `u = 2⁻⁵³`; `M` bounds all coordinates relative to vertex 0 (sum of the largest
//! |x|, |y|, |z|), so `|x_i| ≤ M`. One subtraction makes `x_i` (error `u M`), a dot product adds
//! `3u M|d|`, a difference of two such `2u M|d|`: a gap is off by at most `10u M|d|`. Its
//! interpolation in time, or the root found for it, adds `12.4u M|d|`, interpolated
//! positions `6u M|d|`, and `ε|d|`, where it can be exceeded at all (`ε < 2M`), `12u M|d|`.
//! Together less than `64u M|d|`: this much is asked for on top of `ε|d|`.

use super::super::distance::{self, Closest};
use crate::math::{Vec3, try_normalize};

/// Rounding of a gap, as a fraction of `M|d|`: `64u`, see the top of this file.
pub(super) const ROUNDING: f64 = 64.0 * (f64::EPSILON / 2.0);
/// Added to what a gap has to exceed, for products that underflow.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;
/// Directions with a smaller squared length are not used: their length has lost digits.
const SHORTEST_SQUARED: f64 = 1e-280;

/// The two kinds of pairs.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Features {
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
    pub(super) fn closest(self, x: &[Vec3; 4]) -> Closest {
        match self {
            Self::PointTriangle => distance::point_triangle_relative(x[1], x[2], x[3]),
            Self::EdgeEdge => distance::edge_edge_relative(x[1], x[2], x[3]),
        }
    }

    /// The plane's normal or the common perpendicular of the edges, of any sign.
    pub(super) fn cross(self, x: &[Vec3; 4]) -> Vec3 {
        match self {
            Self::PointTriangle => (x[2] - x[1]).cross(x[3] - x[1]),
            Self::EdgeEdge => x[1].cross(x[3] - x[2]),
        }
    }
}

/// A query: two features moving linearly, relative to vertex 0.
pub(super) struct Motion {
    pub(super) features: Features,
    pub(super) start: [Vec3; 4],
    end: [Vec3; 4],
    /// `ε` [m].
    pub(super) separation: f64,
    /// `M` of the rounding bound [m]: the sum of the largest |x|, |y| and |z|.
    pub(super) size: f64,
}

impl Motion {
    pub(super) fn new(features: Features, x0: &[Vec3; 4], x1: &[Vec3; 4], separation: f64) -> Self {
        let start = x0.map(|x| x - x0[0]);
        let end = x1.map(|x| x - x1[0]);
        let mut largest = Vec3::ZERO;
        for i in 1..4 {
            largest = largest.max(start[i].abs()).max(end[i].abs());
        }
        let size = largest.x + largest.y + largest.z;
        Self { features, start, end, separation, size }
    }

    /// Velocity of the weighted sum of the vertices.
    pub(super) fn relative_velocity(&self, weights: &[f64; 4]) -> Vec3 {
        (1..4).map(|i| (self.end[i] - self.start[i]) * weights[i]).sum()
    }

    /// Vertices at time `t`, relative to vertex 0.
    pub(super) fn at(&self, t: f64) -> [Vec3; 4] {
        std::array::from_fn(|i| self.start[i] * (1.0 - t) + self.end[i] * t)
    }

    /// What gaps along `d` must exceed, divided by `|d|`.
    fn required(&self) -> f64 {
        self.separation + ROUNDING * self.size
    }

    /// From the middle of the second feature to that of the first, averaged over the motion.
    pub(super) fn mean_offset(&self) -> Vec3 {
        let [_, x1, x2, x3] = std::array::from_fn(|i| self.start[i] + self.end[i]);
        match self.features {
            Features::PointTriangle => -(x1 + x2 + x3),
            Features::EdgeEdge => x1 - x2 - x3,
        }
    }

    /// The features' common normal at the start, towards the first feature.
    pub(super) fn start_normal(&self) -> Vec3 {
        let normal = self.features.cross(&self.start);
        if normal.dot(self.start[2]) > 0.0 { -normal } else { normal }
    }

    /// Whether direction `d` keeps the features apart at both ends, hence throughout.
    pub(super) fn apart_throughout(&self, d: Vec3) -> bool {
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
    pub(super) fn apart_until(&self, d: Vec3, from: f64) -> f64 {
        let d2 = d.length_squared();
        let required = self.required() * d2.sqrt() + UNDERFLOW;
        let start = self.start.map(|x| x.dot(d));
        let end = self.end.map(|x| x.dot(d));
        let mut until: f64 = 1.0;
        for &(i, j) in self.features.pairs() {
            let (gap0, gap1) = (start[i] - start[j], end[i] - end[j]);
            let apart = gap0 * (1.0 - from) + gap1 * from > required && d2 > SHORTEST_SQUARED;
            if !apart {
                return from;
            }
            if gap1 <= required {
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
    pub(super) fn apart_turning(&self, d: Vec3, from: f64, to: f64) -> bool {
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
}
