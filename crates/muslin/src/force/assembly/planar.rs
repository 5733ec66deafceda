//! Two triangles linearised in the frame of their own `w_u`, `w_v` (BW3, BW4, BW6).
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
use crate::math::lanes::{Two, TwoVec3, above, larger, smaller};

/// The deformation maps of two triangles, or any vectors of that space.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoMap {
    pub u: TwoVec3,
    pub v: TwoVec3,
}

/// Rest data of two triangles, as `TriangleRest` has it, stiffness and damping times area.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoRest {
    target: [Two; 2],
    stretch: [Two; 2],
    shear: Two,
    stretch_damping: Two,
    shear_damping: Two,
}

impl TwoRest {
    #[inline]
    pub fn new(rest: [&TriangleRest; 2]) -> Self {
        let [a, b] = rest;
        let of = |f: fn(&TriangleRest) -> f64| Two::new([f(a), f(b)]);
        let area = of(|r| r.area);
        Self {
            target: [of(|r| r.target[0]), of(|r| r.target[1])],
            stretch: [of(|r| r.stretch[0]) * area, of(|r| r.stretch[1]) * area],
            shear: of(|r| r.shear) * area,
            stretch_damping: of(|r| r.stretch_damping) * area,
            shear_damping: of(|r| r.shear_damping) * area,
        }
    }
}

/// A block in the frame of a triangle; the letters of the module's formula.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanarBlock {
    uu: Two,
    uv: Two,
    vu: Two,
    vv: Two,
    identity: Two,
}

impl PlanarBlock {
    /// The entries of the block, column by column.
    #[inline]
    pub fn expand(self, w: &TwoMap) -> [Two; 9] {
        let (p, q) = (w.u * self.uu + w.v * self.vu, w.u * self.uv + w.v * self.vv);
        let column = |u: Two, v: Two| [p.x * u + q.x * v, p.y * u + q.y * v, p.z * u + q.z * v];
        let [[a, b, c], [d, e, f]] = [column(w.u.x, w.v.x), column(w.u.y, w.v.y)];
        let [g, h, i] = column(w.u.z, w.v.z);
        [a + self.identity, b, c, d, e + self.identity, f, g, h, i + self.identity]
    }
}

/// A symmetric matrix over maps (`MapMatrix` of the membrane) in the frame of the triangle. Its blocks
/// (u, u), (u, v) and (v, v) are, in the order of [`PlanarBlock`],
///
/// ```text
/// [along_u, mixed, mixed, high, across_u], [mixed, low, high, mixed, across], [high, mixed, mixed, along_v, across_v]
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Planar {
    along: [Two; 2],
    low: Two,
    high: Two,
    mixed: Two,
    across: [Two; 3],
}

impl Planar {
    /// Matrix times maps.
    #[inline]
    pub fn times(&self, w: &TwoMap, m: &TwoMap) -> TwoMap {
        let (uu, vv) = (w.u.dot(m.u), w.v.dot(m.v));
        let cross = w.v.dot(m.u) + w.u.dot(m.v);
        let both = self.mixed * (uu + vv) + self.high * cross;
        let mixed = self.mixed * cross;
        let on_u = self.along[0] * uu + self.low * vv + mixed;
        let on_v = self.along[1] * vv + self.low * uu + mixed;
        let [across_u, across, across_v] = self.across;
        TwoMap {
            u: w.u * on_u + w.v * both + (m.u * across_u + m.v * across),
            v: w.v * on_v + w.u * both + (m.u * across + m.v * across_v),
        }
    }

    /// Block (c, d) of the triangle, for corners with weights `c` and `d` in `w_u` and `w_v`:
    /// `c_u d_u H_uu + c_u d_v H_uv + c_v d_u H_uvᵀ + c_v d_v H_vv`.
    #[inline]
    pub fn between(&self, c: [Two; 2], d: [Two; 2]) -> PlanarBlock {
        let (uu, vv) = (c[0] * d[0], c[1] * d[1]);
        let (uv, vu) = (c[0] * d[1], c[1] * d[0]);
        let both = uv + vu;
        let (aside, ahead) = (self.mixed * both, self.mixed * (uu + vv));
        let [across_u, across, across_v] = self.across;
        PlanarBlock {
            uu: self.along[0] * uu + self.high * vv + aside,
            uv: self.low * uv + self.high * vu + ahead,
            vu: self.high * uv + self.low * vu + ahead,
            vv: self.high * uu + self.along[1] * vv + aside,
            identity: across_u * uu + across * both + across_v * vv,
        }
    }
}

/// Two triangles linearised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Membranes {
    /// Stress `P`: the force on corner `i` is `−(du_i P_u + dv_i P_v)`.
    pub stress: TwoMap,
    /// `−∂f/∂x` in map space, projected.
    pub stiffness: Planar,
    /// `−β² ∂f/∂x − β ∂f/∂v` in map space.
    pub matrix: Planar,
}

/// One stretch condition: `P = t w`, `K = a wwᵀ + e I`, `D = d wwᵀ`.
struct Stretch {
    stress: Two,
    along: Two,
    across: Two,
    damping: Two,
}

/// `t = a (k (|w| − b) + k_d ŵ·ẇ)/|w|`; its positive part is the stiffness across `w`. All zero where
/// `w` is.
#[inline]
fn stretch(rest: &TwoRest, axis: usize, squared: Two, along_rate: Two) -> Stretch {
    let (zero, one) = (Two::splat(0.0), Two::splat(1.0));
    let inverse = above(squared, zero) & (one / squared.sqrt());
    let (k, damping) = (rest.stretch[axis], rest.stretch_damping);
    let tension = k * (squared * inverse - rest.target[axis]) + damping * (along_rate * inverse);
    let stress = tension * inverse;
    let across = larger(stress, zero);
    let inverse_squared = inverse * inverse;
    Stretch {
        stress,
        along: (k - across) * inverse_squared,
        across,
        damping: damping * inverse_squared,
    }
}

/// Linearises triangles with deformation maps `w` that change at `rate`.
#[inline]
pub(super) fn linearise(rest: &TwoRest, w: &TwoMap, rate: &TwoMap, beta: f64) -> Membranes {
    let (uu, uv, vv) = (w.u.dot(w.u), w.u.dot(w.v), w.v.dot(w.v));
    let on_u = stretch(rest, 0, uu, w.u.dot(rate.u));
    let on_v = stretch(rest, 1, vv, w.v.dot(rate.v));
    let (k, damping) = (rest.shear, rest.shear_damping);
    let c = k * uv + damping * (rate.u.dot(w.v) + w.u.dot(rate.v));
    let mut stiffness = shear_stiffness(k, c, [uu, uv, vv]);
    stiffness.along[0] += on_u.along;
    stiffness.across[0] += on_u.across;
    stiffness.along[1] += on_v.along;
    stiffness.across[2] += on_v.across;
    // ∂d/∂v: k_d ŵŵᵀ of each stretch, and k_d g gᵀ of shear with g = (w_v, w_u).
    let (bx, bv) = (Two::splat(beta * beta), Two::splat(beta));
    let matrix = Planar {
        along: [
            stiffness.along[0] * bx + on_u.damping * bv,
            stiffness.along[1] * bx + on_v.damping * bv,
        ],
        low: stiffness.low * bx,
        high: stiffness.high * bx + damping * bv,
        mixed: stiffness.mixed * bx,
        across: [stiffness.across[0] * bx, stiffness.across[1] * bx, stiffness.across[2] * bx],
    };
    let stress = TwoMap { u: w.u * on_u.stress + w.v * c, v: w.v * on_v.stress + w.u * c };
    Membranes { stress, stiffness, matrix }
}

/// Shear `k g gᵀ + c Q`, projected as in the membrane: with `s = (w_v + w_u)/√2`, `t = (w_v − w_u)/√2`
/// it is `A ssᵀ + B (stᵀ + tsᵀ) + D ttᵀ` in sums and differences, plus multiples of the identity.
///
/// The 2×2 block `[[k|s|² + c, k|s||t|], [k|s||t|, k|t|² − c]]` with eigenvalues `low ≤ high` has the
/// positive part `high/(high − l) (block − l I)`, `l = min(low, 0)`, and zero if `high` is negative.
#[inline]
fn shear_stiffness(k: Two, c: Two, [uu, uv, vv]: [Two; 3]) -> Planar {
    let (zero, half, quarter) = (Two::splat(0.0), Two::splat(0.5), Two::splat(0.25));
    let smallest = Two::splat(f64::MIN_POSITIVE);
    let mean = half * (uu + vv);
    let (ss, tt) = (larger(mean + uv, zero), larger(mean - uv, zero));
    let (a, d) = (k * ss + c, k * tt - c);
    let (middle, apart) = (half * (a + d), half * (a - d));
    let radius = (apart * apart + (k * ss) * (k * tt)).sqrt();
    let (l, high) = (smaller(middle - radius, zero), larger(middle + radius, zero));
    let share = high / larger(high - l, smallest);
    let (push, pull) = (larger(c, zero), larger(zero - c, zero));
    let over = |x: Two, of: Two| above(of, zero) & (x / of);
    let a = quarter * over(share * (a - l) - push, ss);
    let d = quarter * over(share * (d - l) - pull, tt);
    let b = half * (share * k);
    let (sum, mixed) = (a + d, a - d);
    let (low, high) = (sum - b, sum + b);
    let across = half * (push + pull);
    Planar { along: [low, low], low, high, mixed, across: [across, half * c, across] }
}

#[cfg(test)]
mod tests;
