//! A triangle linearised in the frame of its own `w_u`, `w_v`.
//!
//! All that a membrane does lies in the span of `w_u` and `w_v`, up to multiples of the identity: its
//! stress is `t_u w_u + s w_v`, and every 3×3 block of its Hessian is
//!
//! ```text
//! a w_u w_uᵀ + b w_u w_vᵀ + c w_v w_uᵀ + d w_v w_vᵀ + e I
//! ```
//!
//! Five numbers instead of nine per block, and sums of blocks over corners become sums of those. The
//! energies, dampings and projections are those of [`membrane`](crate::force::membrane).

use crate::cloth::TriangleRest;
use crate::force::membrane::{Map, project_2x2};
use crate::math::{Mat3, Vec3, outer};
use std::ops::Mul;

/// A 3×3 block in the frame of a triangle; the letters of the module's formula.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Block {
    uu: f64,
    uv: f64,
    vu: f64,
    vv: f64,
    identity: f64,
}

impl Block {
    fn transpose(self) -> Self {
        Self { uv: self.vu, vu: self.uv, ..self }
    }

    /// The block as a matrix.
    #[inline]
    pub fn expand(self, w: &Map) -> Mat3 {
        let plane =
            outer(w.u, w.u * self.uu + w.v * self.uv) + outer(w.v, w.u * self.vu + w.v * self.vv);
        plane + Mat3::from_diagonal(Vec3::splat(self.identity))
    }

    /// The block times `s`, of which the products `w_u·s` and `w_v·s` are known.
    #[inline]
    fn times(self, w: &Map, s: Vec3, [u, v]: [f64; 2]) -> Vec3 {
        w.u * (self.uu * u + self.uv * v) + w.v * (self.vu * u + self.vv * v) + s * self.identity
    }
}

impl Mul<f64> for Block {
    type Output = Self;

    #[inline]
    fn mul(self, s: f64) -> Self {
        Self {
            uu: self.uu * s,
            uv: self.uv * s,
            vu: self.vu * s,
            vv: self.vv * s,
            identity: self.identity * s,
        }
    }
}

/// A symmetric matrix over maps (`MapMatrix` of the membrane) in the frame of the triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Planar {
    uu: Block,
    uv: Block,
    vv: Block,
}

impl Planar {
    /// Matrix times a map.
    #[inline]
    pub fn times(&self, w: &Map, m: &Map) -> Map {
        let (on_u, on_v) = ([w.u.dot(m.u), w.v.dot(m.u)], [w.u.dot(m.v), w.v.dot(m.v)]);
        Map {
            u: self.uu.times(w, m.u, on_u) + self.uv.times(w, m.v, on_v),
            v: self.uv.transpose().times(w, m.u, on_u) + self.vv.times(w, m.v, on_v),
        }
    }

    /// Block (c, d) of the triangle, for corners with weights `c` and `d` in `w_u` and `w_v`:
    /// `c_u d_u H_uu + c_u d_v H_uv + c_v d_u H_uvᵀ + c_v d_v H_vv`.
    #[inline]
    pub fn between(&self, c: [f64; 2], d: [f64; 2]) -> Block {
        let (uu, vv) = (c[0] * d[0], c[1] * d[1]);
        let (uv, vu) = (c[0] * d[1], c[1] * d[0]);
        let both = uv + vu;
        let symmetric = uu * self.uu.uv + vv * self.vv.uv;
        Block {
            uu: uu * self.uu.uu + both * self.uv.uu + vv * self.vv.uu,
            uv: symmetric + uv * self.uv.uv + vu * self.uv.vu,
            vu: symmetric + uv * self.uv.vu + vu * self.uv.uv,
            vv: uu * self.uu.vv + both * self.uv.vv + vv * self.vv.vv,
            identity: uu * self.uu.identity + both * self.uv.identity + vv * self.vv.identity,
        }
    }
}

/// A triangle linearised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Membrane {
    /// Stress `P`: the force on corner `i` is `−(du_i P_u + dv_i P_v)`.
    pub stress: Map,
    /// `−∂f/∂x` in map space, projected.
    pub stiffness: Planar,
    /// `−β² ∂f/∂x − β ∂f/∂v` in map space.
    pub matrix: Planar,
}

/// One stretch condition: `P = t w`, `K = a wwᵀ + e I`, `D = d wwᵀ`.
struct Stretch {
    stress: f64,
    along: f64,
    across: f64,
    damping: f64,
}

/// `t = a (k (|w| − b) + k_d ŵ·ẇ)/|w|`; its positive part is the stiffness across `w`.
#[inline]
fn stretch(rest: &TriangleRest, axis: usize, squared: f64, along_rate: f64) -> Stretch {
    if squared == 0.0 {
        return Stretch { stress: 0.0, along: 0.0, across: 0.0, damping: 0.0 };
    }
    let inverse = 1.0 / squared.sqrt();
    let (k, damping) = (rest.stretch[axis] * rest.area, rest.stretch_damping * rest.area);
    let tension = k * (squared * inverse - rest.target[axis]) + damping * (along_rate * inverse);
    let stress = tension * inverse;
    let across = stress.max(0.0);
    let inverse_squared = inverse * inverse;
    Stretch {
        stress,
        along: (k - across) * inverse_squared,
        across,
        damping: damping * inverse_squared,
    }
}

/// Linearises a triangle with deformation map `w` that changes at `rate`.
#[inline]
pub(super) fn linearise(rest: &TriangleRest, w: &Map, rate: &Map, beta: f64) -> Membrane {
    let (uu, uv, vv) = (w.u.length_squared(), w.u.dot(w.v), w.v.length_squared());
    let on_u = stretch(rest, 0, uu, w.u.dot(rate.u));
    let on_v = stretch(rest, 1, vv, w.v.dot(rate.v));
    let (k, damping) = (rest.shear * rest.area, rest.shear_damping * rest.area);
    let c = k * uv + damping * (rate.u.dot(w.v) + w.u.dot(rate.v));
    let mut stiffness = shear_stiffness(k, c, [uu, uv, vv]);
    stiffness.uu.uu += on_u.along;
    stiffness.uu.identity += on_u.across;
    stiffness.vv.vv += on_v.along;
    stiffness.vv.identity += on_v.across;
    // ∂d/∂v: k_d ŵŵᵀ of each stretch, and k_d g gᵀ of shear with g = (w_v, w_u).
    let (bx, bv) = (beta * beta, beta);
    let mut matrix = Planar { uu: stiffness.uu * bx, uv: stiffness.uv * bx, vv: stiffness.vv * bx };
    matrix.uu.uu += bv * on_u.damping;
    matrix.uu.vv += bv * damping;
    matrix.uv.vu += bv * damping;
    matrix.vv.uu += bv * damping;
    matrix.vv.vv += bv * on_v.damping;
    Membrane {
        stress: Map { u: w.u * on_u.stress + w.v * c, v: w.v * on_v.stress + w.u * c },
        stiffness,
        matrix,
    }
}

/// Shear `k g gᵀ + c Q`, projected as in the membrane: with `s = (w_v + w_u)/√2`, `t = (w_v − w_u)/√2`
/// it is `A ssᵀ + B (stᵀ + tsᵀ) + D ttᵀ` in sums and differences, plus multiples of the identity.
#[inline]
fn shear_stiffness(k: f64, c: f64, [uu, uv, vv]: [f64; 3]) -> Planar {
    let (ss, tt) = (0.5 * (uu + vv) + uv, 0.5 * (uu + vv) - uv);
    let (ss, tt) = (ss.max(0.0), tt.max(0.0));
    let st = (ss * tt).sqrt();
    let (a, b, d) = project_2x2(k * ss + c, k * st, k * tt - c);
    let share = |x: f64, of: f64| if of > 0.0 { x / of } else { 0.0 };
    let a = 0.25 * share(a - c.max(0.0), ss);
    let d = 0.25 * share(d - (-c).max(0.0), tt);
    let b = 0.5 * share(b, st);
    let (sum, difference) = (a + d, a - d);
    let (low, high) = (sum - b, sum + b);
    Planar {
        uu: Block { uu: low, uv: difference, vu: difference, vv: high, identity: 0.5 * c.abs() },
        uv: Block { uu: difference, uv: low, vu: high, vv: difference, identity: 0.5 * c },
        vv: Block { uu: high, uv: difference, vu: difference, vv: low, identity: 0.5 * c.abs() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::membrane;
    use crate::math::Random;

    /// The same numbers as the membrane's own matrices, stretched, compressed and sheared.
    #[test]
    fn agrees_with_the_membrane() {
        let mut random = Random::new(11);
        let mut vector =
            |scale: f64| Vec3::from_array(std::array::from_fn(|_| random.between(-scale, scale)));
        let rest = TriangleRest {
            area: 0.3,
            du: [-1.0, 1.0, 0.0],
            dv: [-1.0, 0.0, 1.0],
            target: [1.1, 0.9],
            stretch: [700.0, 300.0],
            shear: 90.0,
            stretch_damping: 2.0,
            shear_damping: 0.5,
        };
        let beta = 0.01;
        for _ in 0..2000 {
            let w = Map { u: vector(1.5), v: vector(1.5) };
            let (rate, shift) =
                (Map { u: vector(9.0), v: vector(9.0) }, Map { u: vector(1.0), v: vector(1.0) });
            let ours = linearise(&rest, &w, &rate, beta);
            let (k, d) = membrane::stiffness_and_damping(&rest, &w, &rate);
            let stress = membrane::stress(&rest, &w, &rate);
            assert!(ours.stress.u.distance(stress.u) < 1e-10 * stress.u.length().max(1.0));
            assert!(ours.stress.v.distance(stress.v) < 1e-10 * stress.v.length().max(1.0));
            let (change, expected) = (ours.stiffness.times(&w, &shift), k.times(&shift));
            assert!(change.u.distance(expected.u) < 1e-10 * expected.u.length().max(100.0));
            assert!(change.v.distance(expected.v) < 1e-10 * expected.v.length().max(100.0));
            let (c, d_) = ([0.7, -0.2], [-1.3, 0.4]);
            let full =
                |of: fn(&membrane::MapMatrix) -> Mat3| of(&k) * (beta * beta) + of(&d) * beta;
            let (uu, uv, vv) = (full(|m| m.uu), full(|m| m.uv), full(|m| m.vv));
            let expected = uu * (c[0] * d_[0])
                + uv * (c[0] * d_[1])
                + uv.transpose() * (c[1] * d_[0])
                + vv * (c[1] * d_[1]);
            let block = ours.matrix.between(c, d_).expand(&w);
            assert!(block.abs_diff_eq(expected, 1e-10), "{block} {expected}");
        }
    }
}
