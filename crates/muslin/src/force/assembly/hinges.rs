//! Bending of hinges, two at a time (BW5, BW6, MF4): the formulas of [`hinge`] in lanes.

use super::Linearised;
use super::chunk::{Block, Chunk, Spread, spread};
use super::elements::Hinge;
use crate::cloth::{Cloth, HingeRest};
use crate::force::hinge::{self, BendForm};
use crate::math::Vec3;
use crate::math::lanes::{Two, TwoVec3, above, angle_of};

/// Two hinges: angle, its gradient, and its change along velocity and shift.
struct Folds {
    /// `θ` \[rad\].
    angle: Two,
    /// `∂θ/∂x_i` \[1/m\].
    gradient: [TwoVec3; 4],
    /// Which have wings with area: all bits of a lane, or none.
    open: Two,
}

impl Folds {
    /// With `E = x3 − x2`, `a = x0 − x2` and `d = x1 − x2`, the normals of MF4 are `N1 = E×a` and
    /// `N2 = d×E`, and `(N1×N2)·E = −|E|² a·N2`. Gradients at the edge follow from those at the tips: the
    /// angle does not change when all move together, or turn.
    #[inline]
    fn new(x: [TwoVec3; 4]) -> Self {
        let (e, a, d) = (x[3] - x[2], x[0] - x[2], x[1] - x[2]);
        let (n1, n2) = (e.cross(a), d.cross(e));
        let (ee, q1, q2) = (e.dot(e), n1.dot(n1), n2.dot(n2));
        let length = ee.sqrt();
        let smallest = Two::splat(f64::MIN_POSITIVE);
        let open = above(length, smallest) & above(q1, smallest) & above(q2, smallest);
        let angle = angle_of(-(length * a.dot(n2)), n1.dot(n2));
        let inverse = Two::splat(1.0) / ee;
        let (g0, g1) = (n1 * -(length / q1), n2 * -(length / q2));
        let g3 = -(g0 * (a.dot(e) * inverse) + g1 * (d.dot(e) * inverse));
        let g2 = -(g0 + g1 + g3);
        Self { angle, gradient: [g0, g1, g2, g3], open }
    }

    /// Change of the angles for `d`, `Σ ∂θ/∂x_i·d_i`.
    #[inline]
    fn along(&self, d: [TwoVec3; 4]) -> Two {
        let g = &self.gradient;
        (g[0].dot(d[0]) + g[1].dot(d[1])) + (g[2].dot(d[2]) + g[3].dot(d[3]))
    }
}

/// Adds hinges to the rows of a chunk.
#[inline]
pub(super) fn add(chunk: &mut Chunk, cloth: &Cloth, at: &Linearised, elements: &[Hinge]) {
    let size = at.x.len();
    let (x, v, shift) = (&at.x[..size], &at.v[..size], &at.shift[..size]);
    for pair in elements.chunks(2) {
        // The last of an odd number comes in both lanes, of which one counts.
        let both = [&pair[0], &pair[pair.len() - 1]];
        let rest = [&cloth.hinges[both[0].index as usize], &cloth.hinges[both[1].index as usize]];
        let corners = [&rest[0].vertices, &rest[1].vertices];
        let folds = Folds::new(gather(x, corners));
        let rate = folds.along(gather(v, corners));
        let change = folds.along(gather(shift, corners));
        let moments = Moments::new(rest, folds.angle, rate, change, at.beta);
        let [a, b, c, d] = folds.gradient;
        let [a, b, c, d] = [spread(a), spread(b), spread(c), spread(d)];
        let open = folds.open.to_bitmask();
        if open & 1 != 0 {
            scatter(chunk, both[0], &moments, 0, &[a[0], b[0], c[0], d[0]]);
        }
        if open & 2 != 0 && pair.len() == 2 {
            scatter(chunk, both[1], &moments, 1, &[a[1], b[1], c[1], d[1]]);
        }
    }
}

/// Vectors of the corners of two hinges.
#[inline(always)]
#[expect(clippy::inline_always, reason = "else lanes are put together in memory, and wait for it")]
fn gather(a: &[Vec3], [p, q]: [&[u32; 4]; 2]) -> [TwoVec3; 4] {
    let corner = |i: usize| TwoVec3::new([a[p[i] as usize], a[q[i] as usize]]);
    [corner(0), corner(1), corner(2), corner(3)]
}

/// What two hinges do with their gradients.
struct Moments {
    /// Moment at the state \[N·m\].
    now: Two,
    /// Moment after the shift \[N·m\].
    shifted: Two,
    /// `β² k + β k_d` \[N·m·s²\].
    weight: Two,
}

impl Moments {
    #[inline]
    fn new(rest: [&HingeRest; 2], angle: Two, rate: Two, change: Two, beta: f64) -> Self {
        let [p, q] = rest;
        let mut stiffness = Two::new([p.stiffness, q.stiffness]);
        let mut elastic = stiffness * (angle - Two::new([p.rest_angle, q.rest_angle]));
        if p.form != BendForm::Angle || q.form != BendForm::Angle {
            (elastic, stiffness) = by_form(rest, angle);
        }
        let damping = Two::new([p.damping, q.damping]);
        let now = elastic + damping * rate;
        let beta = Two::splat(beta);
        let weight = beta * (beta * stiffness + damping);
        Self { now, shifted: now + stiffness * change, weight }
    }
}

/// Moments and their derivatives of hinges with any law.
#[cold]
fn by_form([p, q]: [&HingeRest; 2], angle: Two) -> (Two, Two) {
    let [a, b] = angle.to_array();
    let moment = Two::new([hinge::elastic_moment(p, a), hinge::elastic_moment(q, b)]);
    (moment, Two::new([hinge::tangent(p, a), hinge::tangent(q, b)]))
}

/// `f_i = −moment ∂θ/∂x_i`, blocks `(β² k + β k_d) ∂θ/∂x_i ∂θ/∂x_jᵀ`.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the lane is known where it is called")]
fn scatter(
    chunk: &mut Chunk,
    element: &Hinge,
    moments: &Moments,
    lane: usize,
    gradient: &[Spread; 4],
) {
    let corner = |i: usize| &gradient[element.corners[i] as usize & 3];
    let sorted = [corner(0), corner(1), corner(2), corner(3)];
    let (now, shifted) = (-moments.now.to_array()[lane], -moments.shifted.to_array()[lane]);
    let [p, q, r] = [Two::splat(now), Two::new([now, shifted]), Two::splat(shifted)];
    for (&place, g) in element.places.iter().zip(sorted) {
        chunk.add_forces(place, &[g[0] * p, g[1] * q, g[2] * r]);
    }
    let weight = Two::splat(moments.weight.to_array()[lane]);
    let times = |g: &Spread| [g[0] * weight, g[1] * weight, g[2] * weight];
    let weighted = [times(sorted[0]), times(sorted[1]), times(sorted[2])];
    let mut add = |pair: usize, c: usize, d: usize| {
        chunk.add_upper(element.blocks[pair], Block::outer(&weighted[c], sorted[d]));
    };
    add(0, 0, 1);
    add(1, 0, 2);
    add(2, 0, 3);
    add(3, 1, 2);
    add(4, 1, 3);
    add(5, 2, 3);
}

#[cfg(test)]
mod tests;
