//! Bending of hinges, four at a time (BW5, BW6, MF4): the formulas of [`hinge`] in lanes.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::Linearised;
use super::chunk::{Block, Chunk, Column, Row};
use super::elements::{Hinge, four_of};
use crate::cloth::{Cloth, HingeRest};
use crate::force::hinge::{self, BendForm};
use crate::math::Vec3;
use crate::math::lanes::{Four, Number, Simd, Vector, angle_of, each, four};

/// The angle of a hinge, or of each of several, and its gradient.
struct Folds<N> {
    /// `θ` \[rad\].
    angle: N,
    /// `∂θ/∂x_i` \[1/m\].
    gradient: [Vector<N>; 4],
    /// One where both wings have area, else zero.
    open: N,
}

impl<N: Number> Folds<N> {
    /// With `E = x3 − x2`, `a = x0 − x2` and `d = x1 − x2`, the normals of MF4 are `N1 = E×a` and
    /// `N2 = d×E`, and `(N1×N2)·E = −|E|² a·N2`. Gradients at the edge follow from those at the tips: the
    /// angle does not change when all move together, or turn.
    #[inline(always)]
    fn new(x: [Vector<N>; 4]) -> Self {
        let (e, a, d) = (x[3] - x[2], x[0] - x[2], x[1] - x[2]);
        let (n1, n2) = (e.cross(a), d.cross(e));
        let (ee, q1, q2) = (e.dot(e), n1.dot(n1), n2.dot(n2));
        let length = ee.root();
        let (zero, one) = (ee.same(0.0), ee.same(1.0));
        let smallest = length.smaller(q1.smaller(q2));
        let open = smallest.if_above(ee.same(f64::MIN_POSITIVE), one, zero);
        let angle = angle_of(-(length * a.dot(n2)), n1.dot(n2));
        let inverse = one / ee;
        let (g0, g1) = (n1 * -(length / q1), n2 * -(length / q2));
        let g3 = -(g0 * (a.dot(e) * inverse) + g1 * (d.dot(e) * inverse));
        let g2 = -(g0 + g1 + g3);
        Self { angle, gradient: [g0, g1, g2, g3], open }
    }

    /// Change of the angles for `d`, `Σ ∂θ/∂x_i·d_i`.
    #[inline(always)]
    fn along(&self, d: [Vector<N>; 4]) -> N {
        let g = &self.gradient;
        (g[0].dot(d[0]) + g[1].dot(d[1])) + (g[2].dot(d[2]) + g[3].dot(d[3]))
    }
}

/// Adds hinges to the rows of a chunk.
#[inline(always)]
pub(super) fn add<S: Simd>(
    simd: S,
    chunk: &mut Chunk,
    (cloth, at): (&Cloth, &Linearised),
    elements: &[Hinge],
) {
    let size = at.x.len();
    let (x, v, shift) = (&at.x[..size], &at.v[..size], &at.shift[..size]);
    for group in elements.chunks(4) {
        let hinges = four_of(group);
        let rest = each(|lane| &cloth.hinges[hinges[lane].index as usize]);
        let folds = Folds::new(gather(simd, x, rest));
        let rate = folds.along(gather(simd, v, rest));
        let change = folds.along(gather(simd, shift, rest));
        let moments = Moments::new(simd, rest, folds.angle, rate, change, at.beta);
        let rows = each(|corner| folds.gradient[corner].rows(moments.now));
        for (lane, hinge) in group.iter().enumerate() {
            if folds.open[lane & 3] != 0.0 {
                scatter(chunk, hinge, &moments, lane & 3, &rows);
            }
        }
    }
}

/// Vectors of the corners of hinges.
#[inline(always)]
fn gather<S: Simd>(simd: S, a: &[Vec3], rest: [&HingeRest; 4]) -> [Vector<Four<S>>; 4] {
    let corner = |i: usize| Vector::of(simd, each(|lane| a[rest[lane].vertices[i] as usize]));
    [corner(0), corner(1), corner(2), corner(3)]
}

/// What hinges do with their gradients.
struct Moments<S: Simd> {
    /// Moment at the state \[N·m\].
    now: Four<S>,
    /// Moment after the shift \[N·m\].
    shifted: Four<S>,
    /// `β² k + β k_d` \[N·m·s²\].
    weight: Four<S>,
}

impl<S: Simd> Moments<S> {
    #[inline(always)]
    fn new(
        simd: S,
        rest: [&HingeRest; 4],
        angle: Four<S>,
        rate: Four<S>,
        change: Four<S>,
        beta: f64,
    ) -> Self {
        let mut stiffness = four(simd, each(|lane| rest[lane].stiffness));
        let mut elastic = stiffness * (angle - four(simd, each(|lane| rest[lane].rest_angle)));
        if rest.iter().any(|r| r.form != BendForm::Angle) {
            let (moment, tangent) = by_form(rest, angle.into());
            (elastic, stiffness) = (four(simd, moment), four(simd, tangent));
        }
        let damping = four(simd, each(|lane| rest[lane].damping));
        let now = elastic + damping * rate;
        let weight = (stiffness * beta + damping) * beta;
        Self { now, shifted: now + stiffness * change, weight }
    }
}

/// Moments and their derivatives of hinges with any law.
#[cold]
fn by_form(rest: [&HingeRest; 4], angle: [f64; 4]) -> ([f64; 4], [f64; 4]) {
    let lanes = [0, 1, 2, 3];
    (
        lanes.map(|lane| hinge::elastic_moment(rest[lane], angle[lane])),
        lanes.map(|lane| hinge::tangent(rest[lane], angle[lane])),
    )
}

/// `f_i = −moment ∂θ/∂x_i`, blocks `(β² k + β k_d) ∂θ/∂x_i ∂θ/∂x_jᵀ`.
#[inline(always)]
fn scatter<S: Simd>(
    chunk: &mut Chunk,
    element: &Hinge,
    moments: &Moments<S>,
    lane: usize,
    gradient: &[[Four<S>; 4]; 4],
) {
    let corner = |i: usize| gradient[element.corners[i] as usize & 3][lane];
    let sorted = [corner(0), corner(1), corner(2), corner(3)];
    let (now, shifted) = (-moments.now[lane], -moments.shifted[lane]);
    for (&place, g) in element.places.iter().zip(sorted) {
        chunk.add_forces(place, [g * now, g * shifted]);
    }
    let row = |i: usize| Row::new(sorted[i] * moments.weight[lane]);
    let rows = [row(1), row(2), row(3)];
    let columns = [Column::new(sorted[0]), Column::new(sorted[1]), Column::new(sorted[2])];
    let pairs = [[0, 0], [1, 0], [2, 0], [1, 1], [2, 1], [2, 2]];
    for (&block, [row, column]) in element.blocks.iter().zip(pairs) {
        chunk.add_lower(block, Block::outer(&rows[row], &columns[column]));
    }
}

#[cfg(test)]
mod tests;
