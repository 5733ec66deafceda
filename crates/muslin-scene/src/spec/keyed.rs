//! How keyframed values are written: `[0, 0, 1]`, `[[t, value], …]`, or
//! `{ keys = [[t, value], …], interpolation = "smooth", repeat = true }`.

use muslin::math::Vec3;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use super::forms::{NO_MEANING, custom};
use crate::keyframes::{Interpolation, KeyValue, Keyed, Keyframes};

/// A quantity that scene files may keyframe.
pub trait KeyedForm: KeyValue + Serialize {
    /// The words for one value in messages.
    const ONE: &'static str;
    /// The value written as `loose`, if it is one.
    fn from_loose(loose: &Loose) -> Option<Self>;
    /// The JSON Schema of one value.
    fn one_schema() -> Schema;
}

impl KeyedForm for f64 {
    const ONE: &'static str = "a number";
    fn from_loose(loose: &Loose) -> Option<Self> {
        match loose {
            Loose::Number(number) => Some(*number),
            Loose::List(_) => None,
        }
    }
    fn one_schema() -> Schema {
        json_schema!({ "type": "number" })
    }
}

impl KeyedForm for Vec3 {
    const ONE: &'static str = "three numbers [x, y, z]";
    fn from_loose(loose: &Loose) -> Option<Self> {
        match loose {
            Loose::List(list) => match list.as_slice() {
                [Loose::Number(x), Loose::Number(y), Loose::Number(z)] => {
                    Some(Self::new(*x, *y, *z))
                }
                _ => None,
            },
            Loose::Number(_) => None,
        }
    }
    fn one_schema() -> Schema {
        json_schema!({
            "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3
        })
    }
}

/// A number or a list of such, before it is known what it means.
#[derive(Clone, Debug, PartialEq)]
pub enum Loose {
    /// A number.
    Number(f64),
    /// A list.
    List(Vec<Loose>),
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LooseVisitor;
        impl<'de> Visitor<'de> for LooseVisitor {
            type Value = Loose;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a list of numbers")
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Loose, E> {
                Ok(Loose::Number(value))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Loose, E> {
                Ok(Loose::Number(value as f64))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Loose, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = seq.next_element()? {
                    list.push(item);
                }
                Ok(Loose::List(list))
            }
        }
        deserializer.deserialize_any(LooseVisitor)
    }
}

/// The table form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyTable<K> {
    keys: K,
    #[serde(default)]
    interpolation: Interpolation,
    #[serde(default)]
    repeat: bool,
}

fn keyframes<T: KeyedForm, E: Error>(table: KeyTable<Loose>) -> Result<Keyed<T>, E> {
    let bad = || {
        custom(
            NO_MEANING,
            &format!("keys [[time, value], …], each value {}", T::ONE),
            "give each key its time [s] and its value",
        )
    };
    let Loose::List(list) = table.keys else {
        return Err(bad());
    };
    let key = |loose: &Loose| match loose {
        Loose::List(pair) => match pair.as_slice() {
            [Loose::Number(time), value] => T::from_loose(value).map(|value| (*time, value)),
            _ => None,
        },
        Loose::Number(_) => None,
    };
    let keys: Option<Vec<_>> = list.iter().map(key).collect();
    Keyframes::new(keys.ok_or_else(bad)?, table.interpolation, table.repeat)
        .map(Keyed::Keys)
        .map_err(|error| {
            custom(
                format_args!("is no animation: {error}"),
                "keys in order of time",
                "sort the keys and remove doubled ones",
            )
        })
}

impl<'de, T: KeyedForm> Deserialize<'de> for Keyed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KeyedVisitor(PhantomData))
    }
}

struct KeyedVisitor<T>(PhantomData<T>);

impl<T: KeyedForm> KeyedVisitor<T> {
    fn plain<E: Error>(loose: Loose) -> Result<Keyed<T>, E> {
        let is_keys = match &loose {
            Loose::List(list) => list.iter().any(|item| matches!(item, Loose::List(_))),
            Loose::Number(_) => false,
        };
        if is_keys {
            return keyframes(KeyTable {
                keys: loose,
                interpolation: Interpolation::default(),
                repeat: false,
            });
        }
        let bad = || {
            let expected = format!("{} or keys [[time, value], …]", T::ONE);
            custom(NO_MEANING, &expected, &format!("give {}", T::ONE))
        };
        T::from_loose(&loose).map(Keyed::Constant).ok_or_else(bad)
    }
}

impl<'de, T: KeyedForm> Visitor<'de> for KeyedVisitor<T> {
    type Value = Keyed<T>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} or keys [[time, value], …]", T::ONE)
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Keyed<T>, E> {
        Self::plain(Loose::Number(value))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Keyed<T>, E> {
        Self::plain(Loose::Number(value as f64))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Keyed<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = seq.next_element()? {
            list.push(item);
        }
        Self::plain(Loose::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Keyed<T>, A::Error> {
        keyframes(KeyTable::deserialize(MapAccessDeserializer::new(map))?)
    }
}

impl<T: KeyedForm> Serialize for Keyed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(value) => value.serialize(serializer),
            Self::Keys(keyframes) => KeyTable {
                keys: keyframes.keys(),
                interpolation: keyframes.interpolation(),
                repeat: keyframes.repeat(),
            }
            .serialize(serializer),
        }
    }
}

impl<T: KeyedForm> JsonSchema for Keyed<T> {
    fn schema_name() -> Cow<'static, str> {
        if T::ONE == f64::ONE { "KeyedNumber".into() } else { "KeyedVector".into() }
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let key = json_schema!({
            "type": "array",
            "items": { "anyOf": [{ "type": "number" }, T::one_schema()] },
            "minItems": 2,
            "maxItems": 2
        });
        let keys = json_schema!({ "type": "array", "items": key, "minItems": 1 });
        let interpolation = generator.subschema_for::<Interpolation>();
        json_schema!({ "anyOf": [
            T::one_schema(),
            keys.clone(),
            {
                "type": "object",
                "properties": {
                    "keys": keys,
                    "interpolation": interpolation,
                    "repeat": { "type": "boolean", "default": false }
                },
                "required": ["keys"],
                "additionalProperties": false
            }
        ] })
    }
}
