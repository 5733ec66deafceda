//! Closest points of a point and a triangle, and of two edges (BF5), degenerate ones included.
//!
//! Both problems minimise a convex quadratic over a convex set, so the minimum is either the
//! stationary point of the supporting plane (lines), when that lies inside, or on the boundary:
//! a point and a segment. The best of these few candidates is taken, never a decision tree, so a
//! wrong sign in a nearly degenerate case costs no more than rounding. All differences are formed
//! first, relative to one vertex; nothing depends on how far the features are from the origin.
//!
//! Lengths between 1e-60 m and 1e60 m are safe from underflow and overflow.

use crate::math::Vec3;

/// The closest points of two features with four vertices `x` in all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Weights of the four vertices, positive for the first feature, negative for the second;
    /// they sum to zero: `Σ weightsᵢ xᵢ = delta`.
    pub weights: [f64; 4],
    /// From the closest point of the second feature to the closest point of the first [m].
    pub delta: Vec3,
    /// `|delta|²` [m²].
    pub distance_squared: f64,
}

/// Square of the sine below which two directions count as slender: solving for components along
/// them needs more rounds, and the boundary is looked at even if the solution lies inside.
const SLENDER_SINE_SQUARED: f64 = 1e-4;
/// Square of the sine below which two directions count as parallel: a cross product is then mostly
/// rounding, and every interior point lies within this sine times an edge length of the boundary.
const PARALLEL_SINE_SQUARED: f64 = 1e-28;

/// Closest point of the triangle `t0 t1 t2` to the point `p` (BF5).
///
/// Weights are `[1, −w0, −w1, −w2]` with `w ≥ 0`, `w0 + w1 + w2 = 1`. A triangle of no area is
/// the union of its edges.
pub fn point_triangle(p: Vec3, t0: Vec3, t1: Vec3, t2: Vec3) -> Closest {
    point_triangle_relative(t0 - p, t1 - p, t2 - p)
}

/// Closest points of the edges `a0 a1` and `b0 b1` (BF5).
///
/// Weights are `[1−s, s, −(1−t), −t]` with `s` and `t` in `[0, 1]`. Edges may be parallel,
/// collinear or of no length; where the closest points are not unique, one pair of them is returned.
pub fn edge_edge(a0: Vec3, a1: Vec3, b0: Vec3, b1: Vec3) -> Closest {
    edge_edge_relative(a1 - a0, b0 - a0, b1 - a0)
}

/// [`point_triangle`] with the point at the origin.
pub(super) fn point_triangle_relative(t0: Vec3, t1: Vec3, t2: Vec3) -> Closest {
    let mut best = None;
    if let Some(InPlane {
        a,
        b,
        rest,
        slender,
    }) = components_in_plane(-t0, t1 - t0, t2 - t0)
        && a >= 0.0
        && b >= 0.0
        && a + b <= 1.0
    {
        let inside = closest([1.0, -(1.0 - a - b), -a, -b], rest);
        if !slender {
            return inside;
        }
        best = Some(inside);
    }
    let (s01, at01) = nearest_to_origin(t0, t1 - t0);
    let (s02, at02) = nearest_to_origin(t0, t2 - t0);
    let (s12, at12) = nearest_to_origin(t1, t2 - t1);
    nearer(best, closest([1.0, -(1.0 - s01), -s01, 0.0], -at01))
        .or_nearer(closest([1.0, -(1.0 - s02), 0.0, -s02], -at02))
        .or_nearer(closest([1.0, 0.0, -(1.0 - s12), -s12], -at12))
}

/// [`edge_edge`] with `a0` at the origin.
pub(super) fn edge_edge_relative(a1: Vec3, b0: Vec3, b1: Vec3) -> Closest {
    let v = b1 - b0;
    let pair = |s: f64, t: f64, delta: Vec3| closest([1.0 - s, s, -(1.0 - t), -t], delta);
    let mut best = None;
    // −b0 = −s a1 + t v + delta, and delta is perpendicular to both edges.
    if let Some(InPlane {
        a,
        b,
        rest,
        slender,
    }) = components_in_plane(-b0, -a1, v)
        && (0.0..=1.0).contains(&a)
        && (0.0..=1.0).contains(&b)
    {
        if !slender {
            return pair(a, b, rest);
        }
        best = Some(pair(a, b, rest));
    }
    let (t_of_a0, from_a0) = nearest_to_origin(b0, v);
    let (t_of_a1, from_a1) = nearest_to_origin(b0 - a1, v);
    let (s_of_b0, from_b0) = nearest_to_origin(-b0, a1);
    let (s_of_b1, from_b1) = nearest_to_origin(-b1, a1);
    nearer(best, pair(0.0, t_of_a0, -from_a0))
        .or_nearer(pair(1.0, t_of_a1, -from_a1))
        .or_nearer(pair(s_of_b0, 0.0, from_b0))
        .or_nearer(pair(s_of_b1, 1.0, from_b1))
}

fn closest(weights: [f64; 4], delta: Vec3) -> Closest {
    Closest {
        weights,
        delta,
        distance_squared: delta.length_squared(),
    }
}

fn nearer(best: Option<Closest>, other: Closest) -> Closest {
    best.map_or(other, |best| best.or_nearer(other))
}

impl Closest {
    /// `other` if it is closer; between equals, the one that involves more vertices.
    ///
    /// Squared distances tie although feet differ by up to 1e-8 of the distance. A foot inside an
    /// edge is the optimum of that edge, so it is at least as good as a vertex that ties with it.
    fn or_nearer(self, other: Self) -> Self {
        if other.handicapped() < self.handicapped() {
            other
        } else {
            self
        }
    }

    /// The squared distance, more by a few units of rounding for each vertex not involved.
    fn handicapped(&self) -> f64 {
        let absent = self.weights.iter().filter(|&&w| w == 0.0).count();
        self.distance_squared * (1.0 + 4.0 * f64::EPSILON * absent as f64)
    }
}

/// Where the segment `a + s e`, `s` in `[0, 1]`, is nearest to the origin: `s` (0 if it has no
/// length) and the point. A point inside the segment gets a second round, see
/// [`components_in_plane`].
fn nearest_to_origin(a: Vec3, e: Vec3) -> (f64, Vec3) {
    let length_squared = e.length_squared();
    let s = -a.dot(e) / length_squared;
    if s >= 1.0 {
        return (1.0, a + e);
    }
    if s > 0.0 {
        let at = a + e * s;
        let ds = -at.dot(e) / length_squared;
        return ((s + ds).clamp(0.0, 1.0), at + e * ds);
    }
    (0.0, a)
}

/// A vector `a u + b v + rest`, see [`components_in_plane`].
struct InPlane {
    a: f64,
    b: f64,
    /// The part perpendicular to both directions.
    rest: Vec3,
    /// The two directions are nearly parallel, so `a` and `b` may be inaccurate.
    slender: bool,
}

/// `r = a u + b v + rest` with `rest` perpendicular to `u` and `v`; `None` if these are parallel.
///
/// With `n = u × v`: `a = (r×v)·n / n²`, `b = (u×r)·n / n²`. This loses the digits that the sine
/// between `u` and `v` lacks; the same formula applied to the rest gets as many back each time.
/// It also makes the rest perpendicular to rounding *of its own length*, however short it is,
/// which is what makes it a usable contact normal and separating direction.
fn components_in_plane(r: Vec3, u: Vec3, v: Vec3) -> Option<InPlane> {
    let n = u.cross(v);
    let (n2, uv2) = (n.length_squared(), u.length_squared() * v.length_squared());
    if n2 <= PARALLEL_SINE_SQUARED * uv2 {
        return None;
    }
    let slender = n2 <= SLENDER_SINE_SQUARED * uv2;
    let (mut a, mut b, mut rest) = (0.0, 0.0, r);
    for _ in 0..if slender { 4 } else { 2 } {
        let (da, db) = (rest.cross(v).dot(n) / n2, u.cross(rest).dot(n) / n2);
        rest -= u * da + v * db;
        (a, b) = (a + da, b + db);
    }
    Some(InPlane {
        a,
        b,
        rest,
        slender,
    })
}

#[cfg(test)]
mod tests;
