//! Wind sources (XU3): uniform streams, cones and cylinders, with keyframed strength and seeded
//! turbulence.

mod keyframes;
mod turbulence;

use crate::math::{Vec3, try_normalize};
pub use keyframes::{Interpolation, Keyframes};
pub use turbulence::Turbulence;
use turbulence::Waves;

/// Density of air by which pressures and speeds are converted \[kg/m³\].
const AIR_DENSITY: f64 = 1.2;

/// Where a wind comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// Air that moves everywhere at this velocity \[m/s\].
    Uniform(Vec3),
    /// A cone of wind.
    Cone {
        /// Vertex A of the cone \[m\].
        apex: Vec3,
        /// Centre of the base plane, through which the wind enters the scene \[m\].
        base: Vec3,
        /// Radius of the base \[m\].
        radius: f64,
        /// Size of `f_w`, the force on cloth across the axis at the base centre \[N/m²\].
        pressure: f64,
    },
    /// Parallel wind: a cone whose apex is infinitely far away.
    Cylinder {
        /// Centre of the base disc \[m\].
        base: Vec3,
        /// Direction in which it blows, of any length.
        axis: Vec3,
        /// Radius of the base disc \[m\].
        radius: f64,
        /// Size of `f_w` \[N/m²\].
        pressure: f64,
    },
}

/// A source with its strength over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Wind {
    /// Shape, place and nominal strength.
    pub source: Source,
    /// Factor on the nominal strength (speed or pressure) over time \[-\].
    pub strength: Keyframes,
    /// Random disturbance.
    pub turbulence: Turbulence,
    /// Velocity at which eddies travel \[m/s\]; that of the source when not given. A wind whose source
    /// changes needs one that does not, or its eddies would jump.
    pub drift: Option<Vec3>,
}

/// How cloth takes the force of a cone or cylinder (XU3, Eq. (3)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Permeability {
    /// Porosity `μ`, from 0 (sailcloth) to 1 (the wind goes through) \[-\].
    pub porosity: f64,
    /// Weight `c_μ` of the porosity \[-\].
    pub porosity_weight: f64,
    /// Weight `c_d` of the distance term `1 + |d|²` \[-\].
    pub distance_weight: f64,
}

impl Default for Permeability {
    fn default() -> Self {
        Self { porosity: 0.2, porosity_weight: 1.0, distance_weight: 1.0 }
    }
}

impl Wind {
    /// A steady uniform wind of `velocity` \[m/s\].
    pub fn uniform(velocity: Vec3) -> Self {
        Self::steady(Source::Uniform(velocity))
    }

    /// A steady, undisturbed wind from `source`.
    pub fn steady(source: Source) -> Self {
        let strength = Keyframes::constant(1.0);
        Self { source, strength, turbulence: Turbulence::NONE, drift: None }
    }

    /// The wind as it blows at `time` \[s\].
    pub fn at(&self, time: f64) -> Blow {
        let strength = self.strength.at(time);
        let jet = |apex: Option<Vec3>, base: Vec3, axis: Vec3, radius: f64, pressure: f64| {
            let axis = try_normalize(axis).unwrap_or(Vec3::ZERO);
            let flow = Flow::Jet { apex, base, axis, radius, force: axis * (pressure * strength) };
            (flow, axis * speed_of_pressure(pressure))
        };
        // Eddies travel at the nominal speed, so that a changing strength does not make them jump.
        let (flow, carrier) = match self.source {
            Source::Uniform(velocity) => (Flow::Everywhere(velocity * strength), velocity),
            Source::Cone { apex, base, radius, pressure } => {
                jet(Some(apex), base, base - apex, radius, pressure)
            }
            Source::Cylinder { base, axis, radius, pressure } => {
                jet(None, base, axis, radius, pressure)
            }
        };
        Blow {
            flow,
            waves: Waves::new(&self.turbulence, self.drift.unwrap_or(carrier), time),
            turbulent: self.turbulence.intensity != 0.0,
        }
    }

    /// Velocity of the air at `x` \[m\] and `time` \[s\], in m/s. For a cone or cylinder this is the
    /// speed whose stagnation pressure `½ ρ v²` is the pressure there.
    pub fn velocity_at(&self, x: Vec3, time: f64) -> Vec3 {
        self.at(time).velocity(x)
    }

    /// Force per area \[N/m²\] of a cone or cylinder on cloth at `x` \[m\] with unit normal `normal`
    /// (XU3); zero for a uniform wind, which acts through the air resistance (XU4) instead.
    pub fn force_on(&self, x: Vec3, normal: Vec3, cloth: &Permeability, time: f64) -> Vec3 {
        self.at(time).pressure(x, normal, cloth)
    }
}

/// A wind at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    flow: Flow,
    waves: Waves,
    turbulent: bool,
}

#[derive(Clone, Copy, Debug)]
enum Flow {
    Everywhere(Vec3),
    Jet {
        apex: Option<Vec3>,
        base: Vec3,
        axis: Vec3,
        radius: f64,
        /// `f_w` \[N/m²\].
        force: Vec3,
    },
}

impl Blow {
    /// Whether this wind acts as moving air ([`Blow::velocity`]) rather than as a force.
    pub fn is_stream(&self) -> bool {
        matches!(self.flow, Flow::Everywhere(_))
    }

    /// Velocity of the air at `x`, see [`Wind::velocity_at`].
    #[inline]
    pub fn velocity(&self, x: Vec3) -> Vec3 {
        match self.flow {
            Flow::Everywhere(velocity) => self.disturbed(velocity, x),
            Flow::Jet { .. } => {
                let Some((force, distance_squared)) = self.jet_force(x) else {
                    return Vec3::ZERO;
                };
                let size = force.length();
                if size == 0.0 {
                    return Vec3::ZERO;
                }
                let speed = speed_of_pressure(size / (1.0 + distance_squared));
                self.disturbed(force * (speed / size), x)
            }
        }
    }

    /// Force per area on cloth at `x`, see [`Wind::force_on`]. XU3, Eq. (3):
    /// `f = (1 − c_μ μ) |cos Ψ| / (c_d (1 + |d|²)) f_temp`.
    ///
    /// Deviation: the absolute value of `cos Ψ`, because cloth has no front; the wind is a force
    /// per area, so that the motion does not depend on how finely the cloth is divided.
    #[inline]
    pub fn pressure(&self, x: Vec3, normal: Vec3, cloth: &Permeability) -> Vec3 {
        let Some((force, distance_squared)) = self.jet_force(x) else {
            return Vec3::ZERO;
        };
        let force = self.disturbed(force, x);
        let size = force.length();
        if size == 0.0 {
            return Vec3::ZERO;
        }
        let cos_psi = (force.dot(normal) / size).abs();
        let passed = (1.0 - cloth.porosity_weight * cloth.porosity).max(0.0);
        force * (passed * cos_psi / (cloth.distance_weight * (1.0 + distance_squared)))
    }

    /// XU3, Eq. (2): `f_temp = (f_w·d / |d|²) d` and `|d|²`, with `d` from B, where the line from
    /// the apex to the node meets the base plane, to the node. `None` outside the cone, behind the
    /// base, and for a uniform wind.
    ///
    /// Deviation: none; `d` is parallel to the line from the apex, whose direction is used
    /// instead, because it exists when `d` vanishes.
    #[inline]
    fn jet_force(&self, x: Vec3) -> Option<(Vec3, f64)> {
        let Flow::Jet { apex, base, axis, radius, force } = self.flow else {
            return None;
        };
        let depth = (x - base).dot(axis);
        if depth < 0.0 {
            return None;
        }
        let Some(apex) = apex else {
            let off_axis = x - base - axis * depth;
            let inside = off_axis.length_squared() <= radius * radius;
            return inside.then_some((force, depth * depth));
        };
        let ray = x - apex;
        let along = ray.dot(axis);
        if along <= 0.0 {
            return None;
        }
        // B = A + ray (height of the cone / along), so |d| is `depth / along` of the ray.
        let entry = apex + ray * ((base - apex).dot(axis) / along);
        if (entry - base).length_squared() > radius * radius {
            return None;
        }
        let ray_squared = ray.length_squared();
        let fraction = depth / along;
        Some((ray * (force.dot(ray) / ray_squared), fraction * fraction * ray_squared))
    }

    /// `mean` with the turbulence at `x` added.
    #[inline]
    fn disturbed(&self, mean: Vec3, x: Vec3) -> Vec3 {
        if self.turbulent { mean + self.waves.fluctuation(x) * mean.length() } else { mean }
    }
}

/// Speed whose stagnation pressure is `pressure`, with its sign.
fn speed_of_pressure(pressure: f64) -> f64 {
    (2.0 * pressure.abs() / AIR_DENSITY).sqrt().copysign(pressure)
}

#[cfg(test)]
mod tests;
