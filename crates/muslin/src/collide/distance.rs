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
///
/// If positions are not finite, the distance is not a number or infinite.
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
    let mut best = Best::default();
    let plane = components_in_plane(-t0, t1 - t0, t2 - t0);
    if let Some(InPlane { a, b, rest, slender }) = plane
        && a >= 0.0
        && b >= 0.0
        && a + b <= 1.0
    {
        best.offer([1.0, -(1.0 - a - b), -a, -b], rest);
        if !slender {
            return best.0;
        }
    }
    if beyond(plane.as_ref(), |a, b| a + b > 1.0) {
        let (s, at) = nearest_to_origin(t1, t2);
        best.offer([1.0, 0.0, -(1.0 - s), -s], -at);
    }
    if beyond(plane.as_ref(), |a, _| a < 0.0) {
        let (s, at) = nearest_to_origin(t0, t2);
        best.offer([1.0, -(1.0 - s), 0.0, -s], -at);
    }
    if beyond(plane.as_ref(), |_, b| b < 0.0) {
        let (s, at) = nearest_to_origin(t0, t1);
        best.offer([1.0, -(1.0 - s), -s, 0.0], -at);
    }
    best.0
}

/// [`edge_edge`] with `a0` at the origin.
pub(super) fn edge_edge_relative(a1: Vec3, b0: Vec3, b1: Vec3) -> Closest {
    let weights = |s: f64, t: f64| [1.0 - s, s, -(1.0 - t), -t];
    let mut best = Best::default();
    // −b0 = −s a1 + t (b1 − b0) + delta, and delta is perpendicular to both edges.
    let plane = components_in_plane(-b0, -a1, b1 - b0);
    if let Some(InPlane { a: s, b: t, rest, slender }) = plane
        && (0.0..=1.0).contains(&s)
        && (0.0..=1.0).contains(&t)
    {
        best.offer(weights(s, t), rest);
        if !slender {
            return best.0;
        }
    }
    if beyond(plane.as_ref(), |s, _| s < 0.0) {
        let (t, at) = nearest_to_origin(b0, b1);
        best.offer(weights(0.0, t), -at);
    }
    if beyond(plane.as_ref(), |s, _| s > 1.0) {
        let (t, at) = nearest_to_origin(b0 - a1, b1 - a1);
        best.offer(weights(1.0, t), -at);
    }
    if beyond(plane.as_ref(), |_, t| t < 0.0) {
        let (s, at) = nearest_to_origin(-b0, a1 - b0);
        best.offer(weights(s, 0.0), at);
    }
    if beyond(plane.as_ref(), |_, t| t > 1.0) {
        let (s, at) = nearest_to_origin(-b1, a1 - b1);
        best.offer(weights(s, 1.0), at);
    }
    best.0
}

/// Whether the optimum may lie on a side of the domain: the stationary point is beyond that side,
/// or not known well. On the way from the optimum to the stationary point the distance falls, so
/// that way must be barred by a side which holds the optimum and has the other point beyond it.
fn beyond(plane: Option<&InPlane>, side: impl Fn(f64, f64) -> bool) -> bool {
    plane.is_none_or(|p| p.slender || side(p.a, p.b))
}

/// The best candidate so far.
struct Best(Closest);

impl Default for Best {
    fn default() -> Self {
        Self(Closest {
            weights: [1.0, 0.0, -1.0, 0.0],
            delta: Vec3::NAN,
            distance_squared: f64::INFINITY,
        })
    }
}

impl Best {
    /// Takes a candidate if it is closer; between equals, the one that involves more vertices.
    ///
    /// Squared distances tie although feet differ by up to 1e-8 of the distance. A foot inside an
    /// edge is the optimum of that edge, so it is at least as good as a vertex that ties with it.
    fn offer(&mut self, weights: [f64; 4], delta: Vec3) {
        let distance_squared = delta.length_squared();
        let tie = 4.0 * f64::EPSILON * distance_squared;
        let involved = |weights: &[f64; 4]| weights.iter().filter(|&&w| w != 0.0).count();
        let gain = self.0.distance_squared - distance_squared;
        if gain > tie || (gain >= -tie && involved(&weights) > involved(&self.0.weights)) {
            self.0 = Closest { weights, delta, distance_squared };
        }
    }
}

/// Where the segment `a b` is nearest to the origin: the fraction from `a` to `b` (0 if it has no
/// length) and the point. It is reckoned from the nearer end, so that a foot close to a vertex
/// is as accurate as the vertex; and a second round makes it perpendicular to the segment, see
/// [`components_in_plane`].
fn nearest_to_origin(a: Vec3, b: Vec3) -> (f64, Vec3) {
    let e = b - a;
    let (beyond_a, beyond_b) = (-a.dot(e), b.dot(e));
    let inverse = 1.0 / e.length_squared();
    if beyond_a > 0.0 && beyond_b > 0.0 {
        let from_a = beyond_a < beyond_b;
        let (end, s) = if from_a { (a, beyond_a * inverse) } else { (b, -beyond_b * inverse) };
        let at = end + e * s;
        let ds = -at.dot(e) * inverse;
        let s = if from_a { s + ds } else { 1.0 + (s + ds) };
        (s.clamp(0.0, 1.0), at + e * ds)
    } else if beyond_a > 0.0 {
        (1.0, b)
    } else {
        (0.0, a)
    }
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
/// With `n = u × v`: `a = r·(v×n) / n²`, `b = r·(n×u) / n²`. This loses the digits that the sine
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
    let (along_u, along_v) = (v.cross(n) / n2, n.cross(u) / n2);
    let (mut a, mut b, mut rest) = (0.0, 0.0, r);
    for _ in 0..if slender { 4 } else { 2 } {
        let (da, db) = (rest.dot(along_u), rest.dot(along_v));
        rest -= u * da + v * db;
        (a, b) = (a + da, b + db);
    }
    Some(InPlane { a, b, rest, slender })
}

#[cfg(test)]
mod tests;
