//! Air on a triangle: drag along its normal, lift across the stream, and skin drag along it (BW7, V9).

use crate::math::Vec3;

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AirForce {
    /// Force on the whole triangle \[N\].
    pub force: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// `−∂f/∂v = c_n n̂n̂ᵀ + c_t (I − n̂n̂ᵀ)`: `c_n` \[N·s/m\].
    pub normal_rate: f64,
    /// The same for motion along the surface, `c_t` \[N·s/m\].
    pub tangential_rate: f64,
}

/// Force on a triangle with corners `x` moving at the mean velocity `v`.
///
/// `f = −½ ρ A (c_n |r_n| r_n n̂ + c_t |r_t| r_t + c_l |r| r_n e)` with `r = v − wind` and `e` the part of
/// `n̂` across `r`.
///
/// Deviation: BW's drag is linear in the velocity; the quadratic law is what air does at the speeds of
/// clothing. The derivative of `|r_t| r_t` keeps its isotropic part `|r_t|` only, and lift, which does no
/// work, is left out of the derivative.
#[inline]
pub fn on_triangle(air: &Air, x: [Vec3; 3], v: Vec3) -> AirForce {
    let cross = (x[1] - x[0]).cross(x[2] - x[0]);
    let twice_area = cross.length();
    if twice_area == 0.0 {
        return AirForce::default();
    }
    let normal = cross / twice_area;
    let r = v - air.wind;
    let r_n = r.dot(normal);
    let r_t = r - normal * r_n;
    let half = 0.25 * air.density * twice_area;
    let (c_n, c_t) = (half * air.normal * r_n.abs(), half * air.tangential * r_t.length());
    let speed_squared = r.length_squared();
    let lift = if air.lift != 0.0 && speed_squared > 0.0 {
        let across = normal - r * (r_n / speed_squared);
        across * (half * air.lift * speed_squared.sqrt() * r_n)
    } else {
        Vec3::ZERO
    };
    AirForce {
        force: -(normal * (c_n * r_n) + r_t * c_t + lift),
        normal,
        normal_rate: 2.0 * c_n,
        tangential_rate: c_t,
    }
}
