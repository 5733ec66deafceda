//! Formulas of scene files, limits that can be off, and names that may grow into tables.

use muslin::math::{Vec2, Vec3};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

use crate::formula::Formula;

/// The variables of scene formulas: u and v run from 0 to 1 across the cloth's rest shape; x, y, z
/// are the initial position [m]; i is the index of the vertex or triangle; t is the time [s].
pub const FORMULA_VARIABLES: [&str; 7] = ["u", "v", "x", "y", "z", "i", "t"];

/// Where a painted value is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PaintPoint {
    /// Rest coordinates, from 0 to 1 across the cloth.
    pub uv: Vec2,
    /// Initial position [m].
    pub position: Vec3,
    /// Index of the vertex or triangle.
    pub index: usize,
    /// Time [s].
    pub time: f64,
}

impl Formula {
    /// The value of a formula over [`FORMULA_VARIABLES`] at `point`.
    pub fn at(&self, point: &PaintPoint) -> f64 {
        let (uv, x) = (point.uv, point.position);
        self.eval(&[uv.x, uv.y, x.x, x.y, x.z, point.index as f64, point.time])
    }
}

impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let source = String::deserialize(deserializer)?;
        Self::parse(&source, &FORMULA_VARIABLES).map_err(|error| {
            custom(
                format_args!("has a mistake in {error}"),
                "a formula of u, v, x, y, z, i and t",
                "write it like \"1 - 0.2*(v > 0.8)\"",
            )
        })
    }
}

impl Serialize for Formula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.source())
    }
}

impl JsonSchema for Formula {
    fn schema_name() -> Cow<'static, str> {
        "Formula".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "A formula of u, v (0 to 1), x, y, z [m], i (index) and t [s], such as \"1 - 0.2*(v > 0.8)\"."
        })
    }
}

/// A limit that can be switched off: a number or "off".
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// No limit.
    Off,
    /// The limit.
    At(f64),
}

impl Limit {
    /// The limit, or `None` where it is off.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Off => None,
            Self::At(limit) => Some(limit),
        }
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LimitVisitor;
        impl Visitor<'_> for LimitVisitor {
            type Value = Limit;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or \"off\"")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Limit, E> {
                Ok(Limit::At(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Limit, E> {
                Ok(Limit::At(value as f64))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<Limit, E> {
                match value {
                    "off" => Ok(Limit::Off),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(value), &self)),
                }
            }
        }
        deserializer.deserialize_any(LimitVisitor)
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_str("off"),
            Self::At(limit) => serializer.serialize_f64(*limit),
        }
    }
}

impl JsonSchema for Limit {
    fn schema_name() -> Cow<'static, str> {
        "Limit".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "number", "minimum": 0 }, { "const": "off" }] })
    }
}

/// Said of a key whose parts do not go together.
pub(super) const NO_MEANING: &str = "is written in a way that has no meaning";

/// A serde error with its three parts: what is wrong (said of the key), what was expected, and what
/// to do.
pub(super) fn custom<E: Error>(wrong: impl fmt::Display, expected: &str, help: &str) -> E {
    E::custom(format_args!("{wrong}\n{expected}\n{help}"))
}

/// Reads and writes a table that may be written as one string, the value of its main key:
/// `fabric = "denim"` for `fabric = { base = "denim" }`. The type derives its table form with
/// `#[serde(remote = "Self")]`.
macro_rules! string_or_table {
    ($type:ident, $from_string:expr, $as_string:expr, $expected:literal) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct FormVisitor;
                impl<'de> serde::de::Visitor<'de> for FormVisitor {
                    type Value = $type;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($expected)
                    }
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                        let from_string: fn(String) -> $type = $from_string;
                        Ok(from_string(text.to_owned()))
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        map: A,
                    ) -> Result<$type, A::Error> {
                        $type::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    }
                }
                deserializer.deserialize_any(FormVisitor)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let as_string: fn(&$type) -> Option<&str> = $as_string;
                match as_string(self) {
                    Some(text) => serializer.serialize_str(text),
                    None => $type::serialize(self, serializer),
                }
            }
        }
    };
}
pub(super) use string_or_table;

/// Adds "or a string" to the schema of a table.
pub(super) fn allow_string(schema: &mut Schema) {
    let table = schema.clone();
    *schema = json_schema!({ "anyOf": [{ "type": "string" }, table] });
}
