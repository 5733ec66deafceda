//! `[air]` and `[[wind]]`.

use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::keyframes::Keyed;

/// The air that cloth moves through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Air {
    /// Density [kg/m³].
    pub density: f64,
    /// Drag coefficient of motion along a triangle's normal (BW7).
    pub drag: Keyed<f64>,
    /// Lift coefficient of motion along a triangle.
    pub lift: Keyed<f64>,
    /// Air resistance of curtain nodes (XU4).
    pub resistance: Resistance,
}

impl Default for Air {
    fn default() -> Self {
        Self {
            density: 1.2,
            drag: Keyed::Constant(1.0),
            lift: Keyed::Constant(0.0),
            resistance: Resistance::default(),
        }
    }
}

/// Air resistance of curtain nodes: linear below a speed, quadratic above (XU4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Resistance {
    /// Coefficient c_r of nodes inside the cloth: force ÷ (density × area × speed²).
    pub inside: f64,
    /// Coefficient of nodes on the border.
    pub border: f64,
    /// Coefficient of corner nodes.
    pub corner: f64,
    /// Speed above which resistance grows with the square [m/s].
    pub linear_below: f64,
}

impl Default for Resistance {
    fn default() -> Self {
        Self { inside: 0.5, border: 0.6, corner: 0.7, linear_below: 1.0 }
    }
}

/// Random changes of a wind, the same for the same seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Turbulence {
    /// Size of the changes, as a fraction of the wind; keyframable.
    pub amplitude: Keyed<f64>,
    /// How many gusts pass a place in a second [1/s].
    pub frequency: f64,
    /// Size of a gust [m].
    pub length: f64,
    /// Added to the scene's seed.
    pub seed: u32,
}

impl Default for Turbulence {
    fn default() -> Self {
        Self { amplitude: Keyed::Constant(0.3), frequency: 1.0, length: 0.5, seed: 0 }
    }
}

/// A wind: exactly one of `uniform`, `cone` and `cylinder`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Wind {
    /// Name, for messages and overrides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The same wind everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniform: Option<UniformWind>,
    /// A conical source (XU3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cone: Option<ConeWind>,
    /// A cylindrical source (XU3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cylinder: Option<CylinderWind>,
    /// Random changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turbulence: Option<Turbulence>,
    /// Blows from this time on [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Blows until this time [s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

/// The source of a [`Wind`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindSource<'a> {
    /// The same everywhere.
    Uniform(&'a UniformWind),
    /// From the apex of a cone.
    Cone(&'a ConeWind),
    /// Along a cylinder.
    Cylinder(&'a CylinderWind),
}

impl Wind {
    /// The source; there is exactly one in a checked scene.
    pub fn source(&self) -> Option<WindSource<'_>> {
        let uniform = self.uniform.as_ref().map(WindSource::Uniform);
        let cone = self.cone.as_ref().map(WindSource::Cone);
        let cylinder = self.cylinder.as_ref().map(WindSource::Cylinder);
        uniform.or(cone).or(cylinder)
    }
}

/// The same wind everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UniformWind {
    /// Velocity of the air [m/s]; keyframable.
    pub velocity: Keyed<Vec3>,
}

/// A conical wind source (XU3): zero outside the cone and behind its base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConeWind {
    /// The apex A [m]; keyframable.
    pub apex: Keyed<Vec3>,
    /// Centre of the base, where the wind leaves the source [m]; keyframable.
    pub base_center: Keyed<Vec3>,
    /// Radius of the base [m].
    pub base_radius: f64,
    /// The force f_w on cloth across the axis at the base centre [N/m²]; keyframable.
    pub force: Keyed<Vec3>,
    /// The coefficient c_d of decay with distance.
    #[serde(default = "one")]
    pub decay: f64,
    /// The coefficient c_μ of the cloth's porosity.
    #[serde(default = "one")]
    pub porosity_effect: f64,
}

/// A cylindrical wind source: the cone of XU3 with its apex infinitely far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CylinderWind {
    /// Centre of the base, where the wind leaves the source [m]; keyframable.
    pub base_center: Keyed<Vec3>,
    /// Radius [m].
    pub radius: f64,
    /// The force on cloth across it at the base centre [N/m²], which also gives the direction; keyframable.
    pub force: Keyed<Vec3>,
    /// The coefficient c_d of decay with distance.
    #[serde(default = "one")]
    pub decay: f64,
    /// The coefficient c_μ of the cloth's porosity.
    #[serde(default = "one")]
    pub porosity_effect: f64,
}

fn one() -> f64 {
    1.0
}
