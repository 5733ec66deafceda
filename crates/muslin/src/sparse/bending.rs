//! Bending of hinges, four at a time (OS1): the formulas of [`hinge::angle`](crate::force::hinge::angle) in lanes, to
//! the bit.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use crate::math::Vec3;
use crate::math::lanes::{Four, Number, Simd, Vector, angle_of, each, four};
use fearless_simd::{Level, dispatch};
use std::f64::consts::{PI, TAU};

/// A hinge with its rest angle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    /// Wing tips, then the ends of the edge.
    pub vertices: [u32; 4],
    /// Rest angle \[rad\].
    pub rest_angle: f64,
}

/// What all hinges have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bending<'a> {
    /// Stiffness of a hinge \[N·m\].
    pub stiffness: f64,
    /// The step that forces act for \[s\].
    pub step: f64,
    /// One over the mass of every particle; zero for attached ones \[1/kg\].
    pub inverse_masses: &'a [f64],
}

impl Bending<'_> {
    /// Adds `f_i = −k (θ − θ̄) ∂θ/∂x_i`, divided by `1 + h² k Σ |∂θ/∂x_i|²/m_i`, for particles at `x` \[m\].
    ///
    /// The divisor is near 1 for faces of good shape; it keeps collapsed ones, whose angle changes
    /// wildly, from being thrown out. It scales a whole hinge, so no momentum is made.
    pub fn add(&self, bends: &[Bend], x: &[Vec3], out: &mut [Vec3]) {
        dispatch!(Level::new(), simd => self.add_in(simd, bends, x, out));
    }

    #[inline(always)]
    fn add_in<S: Simd>(&self, simd: S, bends: &[Bend], x: &[Vec3], out: &mut [Vec3]) {
        for group in bends.chunks(4) {
            let own = each(|lane| &group[lane.min(group.len() - 1)]);
            let corner =
                |i: usize| Vector::of(simd, each(|lane| x[own[lane].vertices[i] as usize]));
            let hinges = Hinges::new([corner(0), corner(1), corner(2), corner(3)]);
            let mut softness = four(simd, [0.0; 4]);
            for (i, g) in hinges.gradient.iter().enumerate() {
                let mass = |lane: usize| self.inverse_masses[own[lane].vertices[i] as usize];
                softness += g.dot(*g) * four(simd, each(mass));
            }
            let bent = hinges.angle - four(simd, each(|lane| own[lane].rest_angle));
            let divisor = softness * (self.step * self.step * self.stiffness) + 1.0;
            let moment = wrapped(bent) * self.stiffness / divisor;
            let pushes = each(|i| (hinges.gradient[i] * moment).rows(moment));
            for (lane, bend) in group.iter().enumerate() {
                if !hinges.is_open(lane) {
                    continue;
                }
                for (v, push) in bend.vertices.into_iter().zip(&pushes) {
                    let push = push[lane & 3];
                    out[v as usize] -= Vec3::new(push[0], push[1], push[2]);
                }
            }
        }
    }
}

/// Hinges side by side.
struct Hinges<N> {
    /// `θ` \[rad\].
    angle: N,
    /// `∂θ/∂x_i` \[1/m\].
    gradient: [Vector<N>; 4],
    /// Length of the edge \[m\] and squared normals of the wings \[m⁴\].
    sizes: [N; 3],
}

impl<N: Number> Hinges<N> {
    /// At these positions \[m\].
    #[inline(always)]
    fn new(x: [Vector<N>; 4]) -> Self {
        let e = x[3] - x[2];
        let (a2, a3, b2, b3) = (x[0] - x[2], x[0] - x[3], x[1] - x[2], x[1] - x[3]);
        let (n1, n2) = (a2.cross(a3), b3.cross(b2));
        let (length, q1, q2) = (e.dot(e).root(), n1.dot(n1), n2.dot(n2));
        let angle = angle_of(n1.cross(n2).dot(e) / length, n1.dot(n2));
        let (h1, h2, along) = (over(n1, q1), over(n2, q2), over(e, length));
        let g2 = -(h1 * a3.dot(along) + h2 * b3.dot(along));
        let g3 = h1 * a2.dot(along) + h2 * b2.dot(along);
        Self { angle, gradient: [-(h1 * length), -(h2 * length), g2, g3], sizes: [length, q1, q2] }
    }
}

impl<S: Simd> Hinges<Four<S>> {
    /// Whether the edge of a hinge has length and its wings have area.
    #[inline(always)]
    fn is_open(&self, lane: usize) -> bool {
        self.sizes.iter().all(|size| size[lane & 3] > f64::MIN_POSITIVE)
    }
}

/// A vector over a number.
#[inline(always)]
fn over<N: Number>(a: Vector<N>, b: N) -> Vector<N> {
    Vector { x: a.x / b, y: a.y / b, z: a.z / b }
}

/// Angle differences in `(−π, π]`.
#[inline(always)]
fn wrapped<N: Number>(angle: N) -> N {
    let above = angle.if_above(angle.same(PI), angle + -TAU, angle);
    angle.if_above(angle.same(-PI), above, angle + TAU)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::hinge;
    use crate::math::Random;

    /// Eleven hinges, one of them without area: the same bits as hinge by hinge.
    #[test]
    fn os1_bending_in_lanes_has_the_bits_of_single_hinges() {
        let mut random = Random::new(17);
        let mut point = || Vec3::new(random.unit(), random.unit(), random.unit());
        let mut x: Vec<Vec3> = (0..20).map(|_| point()).collect();
        x[5] = x[4];
        let bend = |i: u32| Bend {
            vertices: [i, i + 5, i + 1, i + 7],
            rest_angle: 0.9 * f64::from(i) - 4.0,
        };
        let bends: Vec<Bend> = (0..11).map(bend).collect();
        let inverse_masses: Vec<f64> = (0..20).map(|i| 100.0 * f64::from(i % 3)).collect();
        let (stiffness, step) = (0.03, 0.01);
        let mut expected = vec![Vec3::ZERO; 20];
        let mut none = 0;
        for bend in &bends {
            let index = bend.vertices.map(|v| v as usize);
            let Some(angle) = hinge::angle(index.map(|v| x[v])) else {
                none += 1;
                continue;
            };
            let mut softness = 0.0;
            for (g, &v) in angle.gradient.iter().zip(&index) {
                softness += g.length_squared() * inverse_masses[v];
            }
            let bent = angle.value - bend.rest_angle;
            let turn = if bent > PI {
                -TAU
            } else if bent <= -PI {
                TAU
            } else {
                0.0
            };
            let moment = stiffness * (bent + turn) / (1.0 + step * step * stiffness * softness);
            for (g, &v) in angle.gradient.iter().zip(&index) {
                expected[v] -= *g * moment;
            }
        }
        let mut out = vec![Vec3::ZERO; 20];
        Bending { stiffness, step, inverse_masses: &inverse_masses }.add(&bends, &x, &mut out);
        assert_eq!(out, expected);
        assert_eq!(none, 1);
    }
}
