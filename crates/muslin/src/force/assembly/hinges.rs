//! Bending of hinges, four at a time (BW5, BW6, MF4): the formulas of [`hinge`] in lanes.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::Linearised;
use super::block::{Block, Column, Row};
use super::chunk::{Apart, Chunk, Sums};
use super::elements::{AHEAD, Hinge, Hinges};
use crate::cloth::{Cloth, HingeRest};
use crate::force::hinge::{self, BendForm};
use crate::math::lanes::{Four, Number, Simd, Vector, angle_of, each, fetch_all, four, load};
use fearless_simd::prelude::*;

/// The angle of a hinge, or of each of several, and its gradient.
struct Folds<N> {
    /// `θ` \[rad\].
    angle: N,
    /// `∂θ/∂x_i` \[1/m\], zero where a wing has no area.
    gradient: [Vector<N>; 4],
}

impl<N: Number> Folds<N> {
    /// With `E = x3 − x2`, `a = x0 − x2` and `d = x1 − x2`, the normals of MF4 are `N1 = E×a` and
    /// `N2 = d×E`, and `(N1×N2)·E = −|E|² a·N2`. Gradients at the edge follow from those at the tips: the
    /// angle does not change when all move together, or turn.
    #[inline(always)]
    fn new([a, d, e]: [Vector<N>; 3]) -> Self {
        let (n1, n2) = (e.cross(a), d.cross(e));
        let (ee, q1, q2) = (e.dot(e), n1.dot(n1), n2.dot(n2));
        let length = ee.root();
        let (zero, one) = (ee.same(0.0), ee.same(1.0));
        let smallest = length.smaller(q1.smaller(q2));
        let if_open = |x: N| smallest.if_above(ee.same(f64::MIN_POSITIVE), x, zero);
        let angle = angle_of(-(length * a.dot(n2)), n1.dot(n2));
        let inverse = if_open(one / ee);
        let (g0, g1) = (n1 * -if_open(length / q1), n2 * -if_open(length / q2));
        let g3 = -(g0 * (a.dot(e) * inverse) + g1 * (d.dot(e) * inverse));
        let g2 = -(g0 + g1 + g3);
        Self { angle, gradient: [g0, g1, g2, g3] }
    }

    /// Change of the angles when the corners 0, 1 and 3 move against the corner 2, `Σ ∂θ/∂x_i·d_i`.
    #[inline(always)]
    fn along(&self, [a, d, e]: [Vector<N>; 3]) -> N {
        let g = &self.gradient;
        g[0].dot(a) + g[1].dot(d) + g[3].dot(e)
    }
}

/// How many numbers a hinge has at rest.
pub(super) const REST: usize = 4;

/// Its places corner by corner; stiffness, damping, rest angle, and zero unless it bends by half sines.
pub(super) fn at_rest(cloth: &Cloth, hinge: &Hinge) -> ([u32; 4], [f64; REST]) {
    let rest = &cloth.hinges[hinge.index as usize];
    let by_sines = f64::from(rest.form == BendForm::HalfSine);
    let mut places = [0; 4];
    for (corner, place) in hinge.corners.iter().zip(hinge.places) {
        places[*corner as usize] = place;
    }
    (places, [rest.stiffness, rest.damping, rest.rest_angle, by_sines])
}

/// Adds hinges to the rows of a chunk.
#[inline(always)]
pub(super) fn add<S: Simd>(
    simd: S,
    chunk: &mut Chunk,
    (cloth, at): (&Cloth, &Linearised),
    groups: &[Hinges],
) {
    let mut sums = chunk.sums();
    for group in groups {
        fetch_all(simd, std::ptr::from_ref(group).wrapping_add(AHEAD));
        let [tip, other, from, to] = &group.places;
        let a = Apart::new(simd, sums.points, from, tip);
        let d = Apart::new(simd, sums.points, from, other);
        let e = Apart::new(simd, sums.points, from, to);
        let folds = Folds::new([a.x, d.x, e.x]);
        let rate = folds.along([a.v, d.v, e.v]);
        let change = folds.along([a.shift, d.shift, e.shift]);
        let moments = Moments::new(simd, (cloth, group), folds.angle, [rate, change], at.beta);
        let rows = each(|corner| folds.gradient[corner].rows(moments.weight));
        let (now, shifted) = (-moments.now, -moments.shifted);
        for lane in 0..4 {
            let moment = Four::splat(simd, now[lane]).combine(Four::splat(simd, shifted[lane]));
            for (places, rows) in group.places.iter().zip(&rows) {
                sums.add_forces(places[lane], rows[lane].combine(rows[lane]) * moment);
            }
            add_blocks(&mut sums, group, moments.weight[lane], lane, &rows);
        }
    }
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
    /// For hinges whose angles change with `rate`, and by `change` in the shift.
    #[inline(always)]
    fn new(
        simd: S,
        (cloth, group): (&Cloth, &Hinges),
        angle: Four<S>,
        [rate, change]: [Four<S>; 2],
        beta: f64,
    ) -> Self {
        let number = |i: usize| load(simd, &group.rest[i]);
        let (mut stiffness, damping, rest_angle) = (number(0), number(1), number(2));
        let mut elastic = stiffness * (angle - rest_angle);
        if group.rest[3] != [0.0; 4] {
            let (moment, tangent) = by_form(cloth, group, angle.into());
            (elastic, stiffness) = (four(simd, moment), four(simd, tangent));
        }
        let now = elastic + damping * rate;
        let weight = (stiffness * beta + damping) * beta;
        Self { now, shifted: now + stiffness * change, weight }
    }
}

/// Moments and their derivatives of hinges with any law.
#[cold]
fn by_form(cloth: &Cloth, group: &Hinges, angle: [f64; 4]) -> ([f64; 4], [f64; 4]) {
    let of = |lane: usize, law: fn(&HingeRest, f64) -> f64| {
        let rest = &cloth.hinges[group.index[lane] as usize];
        if lane < group.count { law(rest, angle[lane]) } else { 0.0 }
    };
    (each(|lane| of(lane, hinge::elastic_moment)), each(|lane| of(lane, hinge::tangent)))
}

/// Adds the blocks `weight ∂θ/∂x_i ∂θ/∂x_jᵀ` of one hinge.
#[inline(always)]
fn add_blocks<S: Simd>(
    sums: &mut Sums,
    group: &Hinges,
    weight: f64,
    lane: usize,
    gradient: &[[Four<S>; 4]; 4],
) {
    let corner = |i: usize| gradient[(group.corners[lane] >> (2 * i)) as usize & 3][lane];
    let sorted = [corner(0), corner(1), corner(2), corner(3)];
    let row = |i: usize| Row::new(sorted[i] * weight);
    let rows = [row(1), row(2), row(3)];
    let columns = [Column::new(sorted[0]), Column::new(sorted[1]), Column::new(sorted[2])];
    let pairs = [[0, 0], [1, 0], [2, 0], [1, 1], [2, 1], [2, 2]];
    for (blocks, [row, column]) in group.blocks.iter().zip(pairs) {
        sums.add_lower(blocks[lane], Block::outer(&rows[row], &columns[column]));
    }
}

#[cfg(test)]
mod tests;
