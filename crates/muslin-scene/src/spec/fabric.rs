//! `fabric`: a name from the library, numbers of one's own, or a lab sheet.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

use super::forms::{Limit, allow_string, string_or_table};
use super::paint::{Directional, Paint};

/// A fabric: `"denim"`, or a table whose numbers win over those of its `base`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self", deny_unknown_fields, default)]
#[schemars(transform = allow_string)]
pub struct Fabric {
    /// The fabric of the library to start from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Mass per area [kg/m²].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Thickness, the distance at which cloth touches cloth [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thickness: Option<f64>,
    /// Stretch stiffness along u and v (BW3) [N/m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch: Option<Directional>,
    /// How it stiffens: tension over strain, instead of `stretch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch_table: Option<StretchCurve>,
    /// Shear stiffness (BW4) [N/m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shear: Option<Paint>,
    /// Bending stiffness along u and v (BW5) [N·m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bending: Option<Directional>,
    /// Damping of stretch, shear and bending (BW6) [s]: damping constant ÷ stiffness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<Damping>,
    /// Coulomb friction, static and kinetic (BF9).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Static friction; `friction` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_static: Option<f64>,
    /// Kinetic friction; `friction` when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_kinetic: Option<f64>,
    /// Largest stretch (BF2), as a fraction, or "off"; the solver's when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strain_limit: Option<Limit>,
    /// Largest compression (MF3), as a fraction, or "off"; the solver's when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strain_limit_compression: Option<Limit>,
    /// Largest change of strain in a step (BF2), or "off"; the solver's when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strain_rate_limit: Option<Limit>,
    /// Porosity μ to wind (XU3), from 0 (tight) to 1 (open).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub porosity: Option<f64>,
    /// Yarn factor of a node's mass (XU2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yarn: Option<f64>,
    /// Measurements that give the numbers above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lab: Option<Lab>,
}

impl Fabric {
    /// The fabric of the library called `name`.
    pub fn named(name: impl Into<String>) -> Self {
        Self { base: Some(name.into()), ..Self::default() }
    }

    /// The name, where nothing else is said.
    fn only_name(&self) -> Option<&str> {
        let name = self.base.as_deref()?;
        (*self == Self::named(name)).then_some(name)
    }
}

string_or_table!(Fabric, Fabric::named, Fabric::only_name, "a fabric's name or a table of numbers");

/// Points [strain, tension per width [N/m]] along u and v, both growing from [0, 0].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StretchCurve {
    /// Along u.
    pub u: Vec<[f64; 2]>,
    /// Along v; as along u when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v: Option<Vec<[f64; 2]>>,
}

/// Damping constant ÷ stiffness, one for all or one each [s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// Of stretch [s].
    pub stretch: f64,
    /// Of shear [s].
    pub shear: f64,
    /// Of bending [s].
    pub bend: f64,
}

/// The table form of [`Damping`].
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DampingTable {
    /// Of stretch [s].
    #[serde(default)]
    stretch: f64,
    /// Of shear [s].
    #[serde(default)]
    shear: f64,
    /// Of bending [s].
    #[serde(default)]
    bend: f64,
}

impl<'de> Deserialize<'de> for Damping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DampingVisitor;
        impl<'de> Visitor<'de> for DampingVisitor {
            type Value = Damping;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or { stretch = …, shear = …, bend = … }")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Damping, E> {
                Ok(Damping { stretch: value, shear: value, bend: value })
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Damping, E> {
                self.visit_f64(value as f64)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Damping, A::Error> {
                let DampingTable { stretch, shear, bend } =
                    DampingTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Damping { stretch, shear, bend })
            }
        }
        deserializer.deserialize_any(DampingVisitor)
    }
}

impl Serialize for Damping {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { stretch, shear, bend } = *self;
        DampingTable { stretch, shear, bend }.serialize(serializer)
    }
}

impl JsonSchema for Damping {
    fn schema_name() -> Cow<'static, str> {
        "Damping".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<DampingTable>();
        json_schema!({ "anyOf": [{ "type": "number", "minimum": 0 }, table] })
    }
}

/// A lab sheet, in SI units. Pairs are [u (weft), v (warp)].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Lab {
    /// Mass per area [kg/m²].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Bending length of the cantilever test, in which a strip bends under its own weight [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bending_length: Option<[f64; 2]>,
    /// Overhang at which the strip touches a slope of 41.5° [m]: twice the bending length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overhang: Option<[f64; 2]>,
    /// Tensile test: pull per width [N/m] that gives the strain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensile: Option<Tensile>,
    /// Shear test: force per width [N/m] that gives the angle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shear: Option<ShearTest>,
}

/// A tensile test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tensile {
    /// Pull per width [N/m].
    pub load: f64,
    /// Strain along u and v at that load, as a fraction.
    pub strain: [f64; 2],
}

/// A shear test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShearTest {
    /// Force per width [N/m].
    pub load: f64,
    /// Angle of shear at that load [degrees].
    pub angle: f64,
}
