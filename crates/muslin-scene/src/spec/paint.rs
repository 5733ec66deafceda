//! Values painted over a cloth: one number, a formula, a file, or a vertex group.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

use super::forms::{NO_MEANING, custom};
use crate::formula::Formula;

/// What a file of painted values has one number for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    /// One number per vertex.
    #[default]
    Vertex,
    /// One number per triangle.
    Triangle,
}

/// A painted value: the same everywhere, or different over the cloth.
#[derive(Clone, Debug, PartialEq)]
pub enum Paint {
    /// The same everywhere.
    Number(f64),
    /// A formula of the place.
    Formula(Formula),
    /// A text or `.npy` file.
    File {
        /// The file, relative to the scene file.
        file: String,
        /// What it has one number for.
        per: Per,
    },
    /// One value in a vertex group, another elsewhere.
    Group {
        /// The group's name.
        group: String,
        /// The value in the group.
        value: f64,
        /// The value elsewhere; that of an unpainted cloth when not given.
        otherwise: Option<f64>,
    },
}

/// A painted value for each of the cloth's directions u and v.
#[derive(Clone, Debug, PartialEq)]
pub struct Directional {
    /// Along u (weft).
    pub u: Paint,
    /// Along v (warp).
    pub v: Paint,
}

impl Directional {
    /// The same value in both directions.
    pub fn both(paint: Paint) -> Self {
        Self { u: paint.clone(), v: paint }
    }
}

const EXPECTED_PAINT: &str = "a number, { formula = … }, { file = …, per = … } or \
                              { group = …, value = …, otherwise = … }";

/// The table form of [`Paint`] and [`Directional`].
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct PaintTable {
    /// A formula of u, v, x, y, z, i and t.
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<Formula>,
    /// A text or `.npy` file with one number per vertex or triangle.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// What the file has one number for.
    #[serde(skip_serializing_if = "Option::is_none")]
    per: Option<Per>,
    /// A vertex group.
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    /// The value in the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// The value outside the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    otherwise: Option<f64>,
    /// The value along u; only where u and v may differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    u: Option<Paint>,
    /// The value along v; only where u and v may differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<Paint>,
}

impl PaintTable {
    fn paint<E: Error>(self) -> Result<Paint, E> {
        let bad = || custom(NO_MEANING, EXPECTED_PAINT, "keep the keys of one of these forms");
        let rest = (self.per, self.value, self.otherwise);
        match (self.formula, self.file, self.group) {
            _ if self.u.is_some() || self.v.is_some() => Err(bad()),
            (Some(formula), None, None) if rest == (None, None, None) => {
                Ok(Paint::Formula(formula))
            }
            (None, Some(file), None) if self.value.or(self.otherwise).is_none() => {
                Ok(Paint::File { file, per: self.per.unwrap_or_default() })
            }
            (None, None, Some(group)) if self.per.is_none() => {
                let value = self.value.ok_or_else(bad)?;
                Ok(Paint::Group { group, value, otherwise: self.otherwise })
            }
            _ => Err(bad()),
        }
    }

    fn directional<E: Error>(self) -> Result<Directional, E> {
        match (self.u.clone(), self.v.clone()) {
            (None, None) => self.paint().map(Directional::both),
            (Some(u), Some(v))
                if self.formula.is_none() && self.file.is_none() && self.group.is_none() =>
            {
                Ok(Directional { u, v })
            }
            _ => Err(custom(
                NO_MEANING,
                "both `u` and `v`, and nothing else",
                "give both, or one value for both",
            )),
        }
    }
}

impl From<Paint> for PaintTable {
    fn from(paint: Paint) -> Self {
        match paint {
            Paint::Number(value) => Self { value: Some(value), ..Self::default() },
            Paint::Formula(formula) => Self { formula: Some(formula), ..Self::default() },
            Paint::File { file, per } => {
                Self { file: Some(file), per: Some(per), ..Self::default() }
            }
            Paint::Group { group, value, otherwise } => {
                Self { group: Some(group), value: Some(value), otherwise, ..Self::default() }
            }
        }
    }
}

impl<'de> Deserialize<'de> for Paint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PaintVisitor;
        impl<'de> Visitor<'de> for PaintVisitor {
            type Value = Paint;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXPECTED_PAINT)
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Paint, E> {
                Ok(Paint::Number(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Paint, E> {
                Ok(Paint::Number(value as f64))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Paint, A::Error> {
                PaintTable::deserialize(MapAccessDeserializer::new(map))?.paint()
            }
        }
        deserializer.deserialize_any(PaintVisitor)
    }
}

impl Serialize for Paint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(value) => serializer.serialize_f64(*value),
            _ => PaintTable::from(self.clone()).serialize(serializer),
        }
    }
}

impl JsonSchema for Paint {
    fn schema_name() -> Cow<'static, str> {
        "Paint".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = generator.subschema_for::<PaintTable>();
        json_schema!({ "anyOf": [{ "type": "number" }, table] })
    }
}

impl<'de> Deserialize<'de> for Directional {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DirectionalVisitor;
        impl<'de> Visitor<'de> for DirectionalVisitor {
            type Value = Directional;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{EXPECTED_PAINT}, or [u, v] of these")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Directional, E> {
                Ok(Directional::both(Paint::Number(value)))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Directional, E> {
                self.visit_f64(value as f64)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Directional, A::Error> {
                let missing = |n| A::Error::invalid_length(n, &"two values, [u, v]");
                let u = seq.next_element()?.ok_or_else(|| missing(0))?;
                let v = seq.next_element()?.ok_or_else(|| missing(1))?;
                Ok(Directional { u, v })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Directional, A::Error> {
                PaintTable::deserialize(MapAccessDeserializer::new(map))?.directional()
            }
        }
        deserializer.deserialize_any(DirectionalVisitor)
    }
}

impl Serialize for Directional {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.u == self.v {
            self.u.serialize(serializer)
        } else {
            [&self.u, &self.v].serialize(serializer)
        }
    }
}

impl JsonSchema for Directional {
    fn schema_name() -> Cow<'static, str> {
        "Directional".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let paint = generator.subschema_for::<Paint>();
        json_schema!({ "anyOf": [
            paint.clone(),
            { "type": "array", "items": paint, "minItems": 2, "maxItems": 2 }
        ] })
    }
}
