//! Triangles linearised in the frame of their own `w_u`, `w_v` (BW3, BW4, BW6).
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

#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use crate::cloth::TriangleRest;
use crate::math::lanes::{Number, Vector};

/// The deformation map of a triangle, or of each of several, or any vectors of that space.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneMap<N> {
    pub u: Vector<N>,
    pub v: Vector<N>,
}

impl<N: Number> LaneMap<N> {
    /// The map of triangles with edges `p` and `q` from their first corner, whose ends have the weights `b` and `c`
    /// in `w_u` and `w_v`.
    #[inline(always)]
    pub fn of_edges([p, q]: [Vector<N>; 2], [b, c]: [[N; 2]; 2]) -> Self {
        Self { u: p * b[0] + q * c[0], v: p * b[1] + q * c[1] }
    }

    /// What a corner with these weights has of it.
    #[inline(always)]
    pub fn at_corner(&self, weights: [N; 2]) -> Vector<N> {
        self.u * weights[0] + self.v * weights[1]
    }
}

/// Rest data as `TriangleRest` has it, stiffness and damping times area.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneRest<N> {
    pub target: [N; 2],
    pub stretch: [N; 2],
    pub shear: N,
    pub stretch_damping: N,
    pub shear_damping: N,
}

impl LaneRest<f64> {
    /// Of one triangle.
    pub fn of(rest: &TriangleRest) -> Self {
        let area = rest.area;
        Self {
            target: rest.target,
            stretch: rest.stretch.map(|k| k * area),
            shear: rest.shear * area,
            stretch_damping: rest.stretch_damping * area,
            shear_damping: rest.shear_damping * area,
        }
    }
}

/// A block in the frame of a triangle; the letters of the module's formula.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanarBlock<N> {
    uu: N,
    uv: N,
    vu: N,
    vv: N,
    identity: N,
}

impl<N: Number> PlanarBlock<N> {
    /// The entries of the block, column by column.
    #[inline(always)]
    pub fn expand(self, w: &LaneMap<N>) -> [N; 9] {
        let (p, q) = (w.u * self.uu + w.v * self.vu, w.u * self.uv + w.v * self.vv);
        let [a, b, c] = column(p, q, w.u.x, w.v.x);
        let [d, e, f] = column(p, q, w.u.y, w.v.y);
        let [g, h, i] = column(p, q, w.u.z, w.v.z);
        [a + self.identity, b, c, d, e + self.identity, f, g, h, i + self.identity]
    }
}

/// `p u + q v`.
#[inline(always)]
fn column<N: Number>(p: Vector<N>, q: Vector<N>, u: N, v: N) -> [N; 3] {
    [p.x * u + q.x * v, p.y * u + q.y * v, p.z * u + q.z * v]
}

/// A symmetric matrix over maps (`MapMatrix` of the membrane) in the frame of the triangle. Its blocks
/// (u, u), (u, v) and (v, v) are, in the order of [`PlanarBlock`],
///
/// ```text
/// [along_u, mixed, mixed, high, across_u], [mixed, low, high, mixed, across], [high, mixed, mixed, along_v, across_v]
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct Planar<N> {
    along: [N; 2],
    low: N,
    high: N,
    mixed: N,
    across: [N; 3],
}

impl<N: Number> Planar<N> {
    /// Matrix times maps.
    #[inline(always)]
    pub fn times(&self, w: &LaneMap<N>, m: &LaneMap<N>) -> LaneMap<N> {
        let (uu, vv) = (w.u.dot(m.u), w.v.dot(m.v));
        let cross = w.v.dot(m.u) + w.u.dot(m.v);
        let both = self.mixed * (uu + vv) + self.high * cross;
        let mixed = self.mixed * cross;
        let on_u = self.along[0] * uu + self.low * vv + mixed;
        let on_v = self.along[1] * vv + self.low * uu + mixed;
        let [across_u, across, across_v] = self.across;
        LaneMap {
            u: w.u * on_u + w.v * both + (m.u * across_u + m.v * across),
            v: w.v * on_v + w.u * both + (m.u * across + m.v * across_v),
        }
    }

    /// Block (c, d) of the triangle, for corners with weights `c` and `d` in `w_u` and `w_v`:
    /// `c_u d_u H_uu + c_u d_v H_uv + c_v d_u H_uvᵀ + c_v d_v H_vv`.
    #[inline(always)]
    pub fn between(&self, c: [N; 2], d: [N; 2]) -> PlanarBlock<N> {
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

/// N triangles linearised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Membranes<N> {
    /// Stress `P`: the force on corner `i` is `−(du_i P_u + dv_i P_v)`.
    pub stress: LaneMap<N>,
    /// `−∂f/∂x` in map space, projected.
    pub stiffness: Planar<N>,
    /// `−β² ∂f/∂x − β ∂f/∂v` in map space.
    pub matrix: Planar<N>,
}

/// One stretch condition: `P = t w`, `K = a wwᵀ + e I`, `D = d wwᵀ`.
struct Stretch<N> {
    stress: N,
    along: N,
    across: N,
    damping: N,
}

/// `t = a (k (|w| − b) + k_d ŵ·ẇ)/|w|`; its positive part is the stiffness across `w`. All zero where
/// `w` is.
#[inline(always)]
fn stretch<N: Number>(rest: &LaneRest<N>, axis: usize, squared: N, along_rate: N) -> Stretch<N> {
    let (zero, one) = (squared.same(0.0), squared.same(1.0));
    let inverse = squared.if_above(zero, one / squared.root(), zero);
    let (k, damping) = (rest.stretch[axis], rest.stretch_damping);
    let tension = k * (squared * inverse - rest.target[axis]) + damping * (along_rate * inverse);
    let stress = tension * inverse;
    let across = stress.larger(zero);
    let inverse_squared = inverse * inverse;
    Stretch {
        stress,
        along: (k - across) * inverse_squared,
        across,
        damping: damping * inverse_squared,
    }
}

/// Linearises triangles with deformation maps `w` that change at `rate`.
#[inline(always)]
pub(super) fn linearise<N: Number>(
    rest: &LaneRest<N>,
    w: &LaneMap<N>,
    rate: &LaneMap<N>,
    beta: f64,
) -> Membranes<N> {
    let (uu, uv, vv) = (w.u.dot(w.u), w.u.dot(w.v), w.v.dot(w.v));
    let on_u = stretch(rest, 0, uu, w.u.dot(rate.u));
    let on_v = stretch(rest, 1, vv, w.v.dot(rate.v));
    let (k, damping) = (rest.shear, rest.shear_damping);
    let c = k * uv + damping * (rate.u.dot(w.v) + w.u.dot(rate.v));
    let mut stiffness = shear_stiffness(k, c, [uu, uv, vv]);
    stiffness.along = [stiffness.along[0] + on_u.along, stiffness.along[1] + on_v.along];
    let [across_u, across, across_v] = stiffness.across;
    stiffness.across = [across_u + on_u.across, across, across_v + on_v.across];
    // ∂d/∂v: k_d ŵŵᵀ of each stretch, and k_d g gᵀ of shear with g = (w_v, w_u).
    let (bx, bv) = (beta * beta, beta);
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
    let stress = LaneMap { u: w.u * on_u.stress + w.v * c, v: w.v * on_v.stress + w.u * c };
    Membranes { stress, stiffness, matrix }
}

/// `x / of`, or zero where `of` is not positive.
#[inline(always)]
fn over<N: Number>(x: N, of: N) -> N {
    let zero = x.same(0.0);
    of.if_above(zero, x / of, zero)
}

/// Shear `k g gᵀ + c Q`, projected as in the membrane: with `s = (w_v + w_u)/√2`, `t = (w_v − w_u)/√2`
/// it is `A ssᵀ + B (stᵀ + tsᵀ) + D ttᵀ` in sums and differences, plus multiples of the identity.
///
/// The 2×2 block `[[k|s|² + c, k|s||t|], [k|s||t|, k|t|² − c]]` with eigenvalues `low ≤ high` has the
/// positive part `high/(high − l) (block − l I)`, `l = min(low, 0)`, and zero if `high` is negative.
#[inline(always)]
fn shear_stiffness<N: Number>(k: N, c: N, [uu, uv, vv]: [N; 3]) -> Planar<N> {
    let (zero, smallest) = (k.same(0.0), k.same(f64::MIN_POSITIVE));
    let mean = (uu + vv) * 0.5;
    let (ss, tt) = ((mean + uv).larger(zero), (mean - uv).larger(zero));
    let (a, d) = (k * ss + c, k * tt - c);
    let (middle, apart) = ((a + d) * 0.5, (a - d) * 0.5);
    let radius = (apart * apart + (k * ss) * (k * tt)).root();
    let (l, high) = ((middle - radius).smaller(zero), (middle + radius).larger(zero));
    let share = high / (high - l).larger(smallest);
    let (push, pull) = (c.larger(zero), (zero - c).larger(zero));
    let a = over(share * (a - l) - push, ss) * 0.25;
    let d = over(share * (d - l) - pull, tt) * 0.25;
    let b = (share * k) * 0.5;
    let (sum, mixed) = (a + d, a - d);
    let (low, high) = (sum - b, sum + b);
    let across = (push + pull) * 0.5;
    Planar { along: [low, low], low, high, mixed, across: [across, c * 0.5, across] }
}

#[cfg(test)]
mod tests;
