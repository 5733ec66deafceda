//! Air on a triangle: drag along its normal, lift across the stream, and skin drag along it (BW7, V9).

use crate::math::{Mat3, Vec3, outer};

/// How air acts on cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Density of the air \[kg/m³\].
    pub density: f64,
    /// Coefficient of the pressure along the normal, `p = ½ ρ c_n |v_n| v_n` \[-\].
    pub normal: f64,
    /// Coefficient of the drag along the surface, `½ ρ c_t |v_t| v_t` per area \[-\].
    pub tangential: f64,
    /// Coefficient of the lift across the stream, `½ ρ c_l |v| v_n` per area \[-\].
    pub lift: f64,
    /// Velocity of the air \[m/s\], besides that of winds that differ from place to place.
    pub wind: Vec3,
}

impl Default for Air {
    /// Still air at sea level; a flat plate across the stream has a coefficient near 1.2.
    fn default() -> Self {
        Self { density: 1.2, normal: 1.2, tangential: 0.02, lift: 0.0, wind: Vec3::ZERO }
    }
}

/// Air on one triangle, linearised in its mean velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirForce {
    /// Force on the whole triangle \[N\].
    pub force: Vec3,
    /// `−∂f/∂v` \[N·s/m\], symmetric and positive semi-definite: exact for drag, of lift the part that CG
    /// can take.
    pub rate: Mat3,
}

impl AirForce {
    /// Of no air.
    pub const NONE: Self = Self { force: Vec3::ZERO, rate: Mat3::ZERO };

    /// A bound of the largest eigenvalue of the rate, its largest row sum \[N·s/m\].
    pub fn largest_rate(&self) -> f64 {
        let columns = [0, 1, 2].map(|i| self.rate.col(i).abs().element_sum());
        columns[0].max(columns[1]).max(columns[2])
    }
}

/// Force on a triangle with corners `x` moving at the mean velocity `v`.
///
/// `f = −½ ρ A (c_n |r_n| r_n n̂ + c_t |r_t| r_t + c_l |r| r_n s e)` with `r = v − wind` and `s e` the part of
/// `n̂` across `r`. Its rate in `v` is
/// `½ ρ A (2 c_n |r_n| n̂n̂ᵀ + c_t |r_t| (I − n̂n̂ᵀ + t̂t̂ᵀ))`, `t̂ = r_t/|r_t|`, and that of the lift.
///
/// Deviation: BW's drag is linear in the velocity; the quadratic law is what air does at the speeds of
/// clothing.
#[inline(always)]
#[expect(clippy::inline_always, reason = "what the caller has no use for is then left out")]
pub fn on_triangle(air: &Air, x: [Vec3; 3], v: Vec3) -> AirForce {
    let cross = (x[1] - x[0]).cross(x[2] - x[0]);
    let twice_area = cross.length();
    if twice_area == 0.0 {
        return AirForce { force: Vec3::ZERO, rate: Mat3::ZERO };
    }
    let normal = cross / twice_area;
    let r = v - air.wind;
    let r_n = r.dot(normal);
    let r_t = r - normal * r_n;
    let slip = r_t.length();
    let half = 0.25 * air.density * twice_area;
    let (c_n, c_t) = (half * air.normal * r_n.abs(), half * air.tangential * slip);
    let mut rate = outer(normal * (2.0 * c_n - c_t), normal);
    rate += Mat3::from_diagonal(Vec3::splat(c_t));
    if slip > 0.0 {
        rate += outer(r_t * (c_t / (slip * slip)), r_t);
    }
    let mut force = normal * (c_n * r_n) + r_t * c_t;
    if air.lift > 0.0 && slip > 0.0 {
        let (lift, lift_rate) = lift(half * air.lift, normal, r, slip);
        force += lift;
        rate += lift_rate;
    }
    AirForce { force: -force, rate }
}

/// `−f` and `−∂f/∂v` of the lift `f = −q |r| r_n s e`, `q = ½ ρ A c_l`, on a triangle past which air slips.
///
/// With `c` and `s` the cosine and sine between `n̂` and `r̂`, the symmetric part of the rate is, in the axes
/// `r̂`, `e` and `r̂ × e`, `q |r|` times `[[0, cs/2, 0], [cs/2, s² − c², 0], [0, 0, −c²]]`. Lift feeds some
/// motions, so this is indefinite; its one positive eigenvalue is kept.
fn lift(q: f64, normal: Vec3, r: Vec3, slip: f64) -> (Vec3, Mat3) {
    let speed = r.length();
    let along = r / speed;
    let (cosine, sine) = (normal.dot(along), slip / speed);
    let across = (normal - along * cosine) / sine;
    let force = across * (q * speed * speed * cosine * sine);
    let (mixed, straight) = (0.5 * cosine * sine, sine * sine - cosine * cosine);
    let value = 0.5 * (straight + (straight * straight + 4.0 * mixed * mixed).sqrt());
    // (0 − λ) a + (cs/2) b = 0.
    let axis = along * mixed + across * value;
    let size = axis.length_squared();
    let rate = if size > 0.0 { outer(axis * (q * speed * value / size), axis) } else { Mat3::ZERO };
    (force, rate)
}
