//! The angle of a hinge as one of its triangles sees it (BW5, MF4): the formulas of [`hinge`](crate::force::hinge) along the
//! normals of both.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use crate::math::lanes::{Number, Vector};

/// A triangle, or each of several, as its hinges need it.
pub(super) struct Face<N> {
    /// Edges from the first corner to the second, to the third, and from the second to the third \[m\].
    edges: [Vector<N>; 3],
    /// `p×q` of the first two \[m²\].
    pub normal: Vector<N>,
    /// Its square \[m⁴\].
    squared: N,
    /// One over it.
    inverse: N,
}

/// The angle at an edge as seen from one of its triangles, and its gradient.
#[derive(Clone, Copy)]
pub(super) struct Fold<N> {
    /// The neighbour's normal `m` \[m²\].
    pub other: Vector<N>,
    /// `α` of the own tip, the start and the end of the edge \[1/m³\].
    pub own: [N; 3],
    /// `β` of the other tip, the start and the end \[1/m³\].
    pub across: [N; 3],
    /// A point in the direction of the angle `θ`, `y` first, with the sign that goes with `n` \[m⁴\].
    pub direction: [N; 2],
}

impl<N: Number> Face<N> {
    #[inline(always)]
    pub fn new([p, q]: [Vector<N>; 2]) -> Self {
        let normal = p.cross(q);
        let squared = normal.dot(normal);
        let inverse = squared.same(1.0) / squared;
        Self { edges: [p, q, q - p], normal, squared, inverse }
    }

    /// The fold at the edge across from corner `tip`; `d` leads from the edge's start to the other tip.
    #[inline(always)]
    pub fn fold(&self, tip: usize, d: Vector<N>) -> Fold<N> {
        let [p, q, e] = self.edges;
        // Edge, arm of the own tip from its start, and the other normal: `n` is edge × arm, or the same turned round.
        let (edge, arm, other) = match tip {
            0 => (e, -p, d.cross(e)),
            1 => (q, p, q.cross(d)),
            _ => (p, q, d.cross(p)),
        };
        let (squared, across) = (edge.dot(edge), other.dot(other));
        let length = squared.root();
        let direction = [-(length * arm.dot(other)), self.normal.dot(other)];
        let (zero, one) = (squared.same(0.0), squared.same(1.0));
        let smallest = length.smaller(self.squared.smaller(across));
        let if_open = |x: N| smallest.if_above(squared.same(f64::MIN_POSITIVE), x, zero);
        let inverse = if_open(one / squared);
        // The angle does not change when all move together, or turn.
        let (a, b) = (-if_open(length * self.inverse), -if_open(length / across));
        let (a_end, b_end) = (-(a * (arm.dot(edge) * inverse)), -(b * (d.dot(edge) * inverse)));
        Fold { other, own: [a, -(a + a_end), a_end], across: [b, -(b + b_end), b_end], direction }
    }

    /// How much the angle of the fold across from corner `tip` changes when corners move: along the normal by `second` and
    /// `third`, the other tip against the edge's start by `d`, and its end by `end`.
    #[inline(always)]
    pub fn change(
        tip: usize,
        fold: &Fold<N>,
        [second, third]: [N; 2],
        [d, end]: [Vector<N>; 2],
    ) -> N {
        let [tip_along, end_along] = match tip {
            0 => [-second, third - second],
            1 => [second, third],
            _ => [third, second],
        };
        let own = fold.own[0] * tip_along + fold.own[2] * end_along;
        own + (fold.other.dot(d) * fold.across[0] + fold.other.dot(end) * fold.across[2])
    }
}

#[cfg(test)]
mod tests;
