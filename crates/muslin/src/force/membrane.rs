//! Stretch and shear of a triangle (BW3, BW4) with damping of each condition (BW6).
//!
//! | BW | here | unit |
//! |---|---|---|
//! | `w_u`, `w_v` | `Map::u`, `Map::v`, linear in positions | - |
//! | `a` | `rest.area` | m² |
//! | `b_u`, `b_v` | `rest.target` | - |
//! | stretch `C = √a (|w_u| − b_u, |w_v| − b_v)` | `E = ½ k a (|w| − b)²` per direction | J |
//! | shear `C = √a (w_u·w_v)` | `E = ½ k a (w_u·w_v)²` | J |
//!
//! Deviation: the paper scales conditions by `a`; `√a` makes a stiffness a property of the material.
//! The transverse part of the stretch Hessian is clamped at zero and the shear Hessian is projected
//! by its analytic eigen-system, so that what reaches CG is positive semi-definite (V1).

use crate::cloth::TriangleRest;
use crate::math::{Mat3, Vec3, outer};

/// The deformation map `(w_u, w_v)` of a triangle, or its rate, or any vector of that space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Map {
    /// The column along u.
    pub u: Vec3,
    /// The column along v.
    pub v: Vec3,
}

impl Map {
    /// The map of three corner vectors: positions give `w`, velocities its rate.
    #[inline]
    pub fn of(rest: &TriangleRest, corners: [Vec3; 3]) -> Self {
        let combine = |w: &[f64; 3]| corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2];
        Self { u: combine(&rest.du), v: combine(&rest.dv) }
    }
}

/// A symmetric 6 × 6 matrix over maps, in 3 × 3 blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MapMatrix {
    /// Block (u, u), symmetric.
    pub uu: Mat3,
    /// Block (u, v); block (v, u) is its transpose.
    pub uv: Mat3,
    /// Block (v, v), symmetric.
    pub vv: Mat3,
}

impl MapMatrix {
    /// Matrix times map.
    #[inline]
    pub fn times(&self, m: &Map) -> Map {
        Map { u: self.uu * m.u + self.uv * m.v, v: self.uv.transpose() * m.u + self.vv * m.v }
    }
}

/// Stretch and shear energy \[J\].
pub fn energy(rest: &TriangleRest, corners: [Vec3; 3]) -> f64 {
    let w = Map::of(rest, corners);
    let [ku, kv] = rest.stretch;
    let (cu, cv) = (w.u.length() - rest.target[0], w.v.length() - rest.target[1]);
    let shear = w.u.dot(w.v);
    0.5 * rest.area * (ku * cu * cu + kv * cv * cv + rest.shear * shear * shear)
}

/// Stress `P` \[J\]: the force on corner `i` is `−(du_i P_u + dv_i P_v)`. Elastic and damping parts
/// together; with `rate` zero it is purely elastic.
#[inline]
pub fn stress(rest: &TriangleRest, w: &Map, rate: &Map) -> Map {
    let mut p =
        Map { u: stretch_stress(rest, 0, w.u, rate.u), v: stretch_stress(rest, 1, w.v, rate.v) };
    // Shear: C = √a w_u·w_v, Ċ = √a (ẇ_u·w_v + w_u·ẇ_v).
    let c = w.u.dot(w.v);
    let c_rate = rate.u.dot(w.v) + w.u.dot(rate.v);
    let s = rest.area * (rest.shear * c + rest.shear_damping * c_rate);
    p.u += w.v * s;
    p.v += w.u * s;
    p
}

/// `a (k (|w| − b) + k_d ŵ·ẇ) ŵ`.
#[inline]
fn stretch_stress(rest: &TriangleRest, axis: usize, w: Vec3, rate: Vec3) -> Vec3 {
    let length = w.length();
    if length == 0.0 {
        return Vec3::ZERO;
    }
    let unit = w / length;
    let c = length - rest.target[axis];
    unit * (rest.area * (rest.stretch[axis] * c + rest.stretch_damping * unit.dot(rate)))
}

/// `−∂f/∂x` and `−∂f/∂v` in map space: the first projected to be positive semi-definite.
///
/// The plain form, checked against differences; the assembly uses the same matrices in the frame of
/// `w_u` and `w_v`, checked against these.
#[inline]
pub fn stiffness_and_damping(rest: &TriangleRest, w: &Map, rate: &Map) -> (MapMatrix, MapMatrix) {
    let (k_uu, d_uu) = stretch_matrices(rest, 0, w.u, rate.u);
    let (k_vv, d_vv) = stretch_matrices(rest, 1, w.v, rate.v);
    let mut k = shear_stiffness(rest, w, rate);
    k.uu += k_uu;
    k.vv += k_vv;
    // ∂d/∂v of shear: k_d a g gᵀ with g = (w_v, w_u).
    let kd = rest.area * rest.shear_damping;
    let d = MapMatrix {
        uu: d_uu + outer(w.v * kd, w.v),
        uv: outer(w.v * kd, w.u),
        vv: d_vv + outer(w.u * kd, w.u),
    };
    (k, d)
}

/// Stretch: `k a [ŵŵᵀ + (1 − b/|w|)(I − ŵŵᵀ)]` plus the kept damping term
/// `k_d a (ŵ·ẇ)/|w| (I − ŵŵᵀ)`, the transverse sum clamped at zero; and `k_d a ŵŵᵀ`.
#[inline]
fn stretch_matrices(rest: &TriangleRest, axis: usize, w: Vec3, rate: Vec3) -> (Mat3, Mat3) {
    let length = w.length();
    if length == 0.0 {
        return (Mat3::ZERO, Mat3::ZERO);
    }
    let unit = w / length;
    let along = outer(unit, unit);
    let k = rest.stretch[axis] * rest.area;
    let kd = rest.stretch_damping * rest.area;
    let across = (k * (length - rest.target[axis]) + kd * unit.dot(rate)).max(0.0) / length;
    (along * (k - across) + Mat3::from_diagonal(Vec3::splat(across)), along * kd)
}

/// Shear: `a (k g gᵀ + c Q)` with `g = (w_v, w_u)`, `Q` swapping u and v, `c = k w_u·w_v + k_d Ċ`,
/// projected exactly.
///
/// In sums and differences `s = (u+v)/√2`, `t = (u−v)/√2`, `Q` is `+1` on s and `−1` on t, and
/// `g = (g_s, g_t)`. So the matrix has eigenvalue `c` on s ⟂ g_s, `−c` on t ⟂ g_t, and a 2 × 2 block
/// on the plane of ĝ_s and ĝ_t. (The eigen-system of Kim 2020, in other coordinates.)
#[inline]
fn shear_stiffness(rest: &TriangleRest, w: &Map, rate: &Map) -> MapMatrix {
    let k = rest.shear * rest.area;
    let c_rate = rate.u.dot(w.v) + w.u.dot(rate.v);
    let c = k * w.u.dot(w.v) + rest.shear_damping * rest.area * c_rate;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let (gs, gt) = ((w.v + w.u) * half, (w.v - w.u) * half);
    let (ls, lt) = (gs.length(), gt.length());
    let unit = |g: Vec3, l: f64| if l > 0.0 { g / l } else { Vec3::ZERO };
    let (us, ut) = (unit(gs, ls), unit(gt, lt));
    let (a, b, d) = project_2x2(k * ls * ls + c, k * ls * lt, k * lt * lt - c);
    let (rest_s, rest_t) = (c.max(0.0), (-c).max(0.0));
    let ss = outer(us * (a - rest_s), us) + Mat3::from_diagonal(Vec3::splat(rest_s));
    let tt = outer(ut * (d - rest_t), ut) + Mat3::from_diagonal(Vec3::splat(rest_t));
    let st = outer(us * b, ut);
    let ts = st.transpose();
    MapMatrix {
        uu: (ss + st + ts + tt) * 0.5,
        uv: (ss - st + ts - tt) * 0.5,
        vv: (ss - st - ts + tt) * 0.5,
    }
}

/// The positive semi-definite part of `[[a, b], [b, d]]`.
#[inline]
pub(super) fn project_2x2(a: f64, b: f64, d: f64) -> (f64, f64, f64) {
    let mean = 0.5 * (a + d);
    let radius = (0.25 * (a - d) * (a - d) + b * b).sqrt();
    let (low, high) = (mean - radius, mean + radius);
    if low >= 0.0 {
        return (a, b, d);
    }
    if high <= 0.0 || radius == 0.0 {
        return (0.0, 0.0, 0.0);
    }
    // high · (projector on its eigenvector) = high · (M − low I) / (high − low).
    let s = high / (high - low);
    (s * (a - low), s * b, s * (d - low))
}
