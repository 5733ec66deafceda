//! Nodes into typed values through serde, every error with its path and place.

use serde::de::{
    self, DeserializeSeed, EnumAccess, Error as _, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::fmt;

use super::error::{KeyPath, Place, Problem, SceneErrorKind, Segment, listed};
use super::node::{Entry, Node, Value};
use super::suggest::did_you_mean;

/// What serde found wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DecodeError {
    what: What,
    /// From the inside out.
    path: Vec<Segment>,
    pub place: Option<Place>,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Custom(String),
    Type { found: String, expected: String },
    Length { found: usize, expected: String },
    Variant { found: String, known: &'static [&'static str] },
    Field { found: String, known: &'static [&'static str] },
    Missing(&'static str),
}

impl DecodeError {
    fn new(what: What) -> Self {
        Self { what, path: Vec::new(), place: None }
    }

    fn at(mut self, place: &Place) -> Self {
        self.place.get_or_insert_with(|| place.clone());
        self
    }

    fn inside(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    /// The error in words.
    pub fn problem(self) -> Problem {
        let path = KeyPath(self.path.into_iter().rev().collect());
        let name = if path.0.is_empty() { "the scene".to_owned() } else { format!("`{path}`") };
        let wrong = |message| Problem::new(SceneErrorKind::WrongValue, &path, message);
        match self.what {
            What::Custom(text) => {
                let mut parts = text.splitn(3, '\n');
                let mut part = || parts.next().unwrap_or("").to_owned();
                wrong(format!("{name} {}", part())).expected(part()).help(part())
            }
            What::Type { found, expected } => {
                let help = format!("give {expected}");
                wrong(format!("{name} is {found}")).expected(expected).help(help)
            }
            What::Length { found, expected } => wrong(format!("{name} has {found} values"))
                .help(format!("give {expected}"))
                .expected(expected),
            What::Variant { found, known } => wrong(format!("{name} cannot be \"{found}\""))
                .expected(format!("one of \"{}\"", known.join("\", \"")))
                .help(meant(&found, known)),
            What::Field { found, known } => {
                let message = format!("there is no key `{found}` in {name}");
                Problem::new(SceneErrorKind::UnknownKey, &path.key(&found), message)
                    .expected(format!("one of {}", listed(known, "and")))
                    .help(meant(&found, known))
            }
            What::Missing(key) => {
                let message = format!("{name} needs the key `{key}`");
                Problem::new(SceneErrorKind::WrongKeys, &path, message)
                    .expected(format!("a value for `{key}`"))
                    .help(format!("add `{key} = …`"))
            }
        }
    }
}

/// "did you mean", or "remove it".
fn meant(found: &str, known: &[&str]) -> String {
    match did_you_mean(found, known) {
        Some(close) => format!("did you mean `{close}`?"),
        None => "take one of the expected ones, or leave it out".to_owned(),
    }
}

impl std::error::Error for DecodeError {}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.clone().problem().message)
    }
}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(What::Custom(message.to_string()))
    }
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = expected_words(&expected.to_string());
        Self::new(What::Type { found: found_words(&found), expected })
    }
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }
    fn invalid_length(found: usize, expected: &dyn Expected) -> Self {
        Self::new(What::Length { found, expected: expected_words(&expected.to_string()) })
    }
    fn unknown_variant(found: &str, known: &'static [&'static str]) -> Self {
        Self::new(What::Variant { found: found.to_owned(), known })
    }
    fn unknown_field(found: &str, known: &'static [&'static str]) -> Self {
        Self::new(What::Field { found: found.to_owned(), known })
    }
    fn missing_field(key: &'static str) -> Self {
        Self::new(What::Missing(key))
    }
}

fn found_words(found: &Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(flag) => format!("`{flag}`"),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number:?}"),
        Unexpected::Str(text) => format!("the text {text:?}"),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        other => other.to_string(),
    }
}

/// serde's and glam's words for types, in ours.
fn expected_words(expected: &str) -> String {
    match expected {
        "f64" => "a number",
        "u32" | "u64" => "a whole number from 0 up",
        "i32" => "a whole number",
        "a boolean" => "true or false",
        "a string" => "text in quotes",
        "a sequence" => "a list",
        "an array of length 2" => "two numbers",
        "an array of length 3" | "a sequence of 3 f64 values" => "three numbers [x, y, z]",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        other => other,
    }
    .to_owned()
}

impl<'de> de::Deserializer<'de> for &'de Node {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.value {
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Whole(number) => visitor.visit_i64(*number),
            Value::Number(number) if number.is_finite() => visitor.visit_f64(*number),
            Value::Number(number) => Err(DecodeError::new(What::Type {
                found: format!("the number {number}"),
                expected: "a finite number".to_owned(),
            })),
            Value::Date => Err(DecodeError::new(What::Type {
                found: "a date".to_owned(),
                expected: "a number, text in quotes, a list or a table".to_owned(),
            })),
            Value::Flag(flag) => visitor.visit_bool(*flag),
            Value::List(list) => {
                let mut items = Items { list, next: 0 };
                visitor.visit_seq(&mut items).and_then(|value| items.finish(value))
            }
            Value::Table(entries) => visitor.visit_map(Entries { entries, next: 0 }),
        }
        .map_err(|error| error.at(&self.place))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match &self.value {
            Value::Text(text) => visitor.visit_enum(Word(text)),
            _ => Err(DecodeError::new(What::Type {
                found: self.kind().to_owned(),
                expected: format!("one of \"{}\"", known.join("\", \"")),
            })),
        }
        .map_err(|error| error.at(&self.place))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// The items of a list.
struct Items<'de> {
    list: &'de [Node],
    next: usize,
}

impl Items<'_> {
    /// `value`, if every item was taken.
    fn finish<T>(&self, value: T) -> Result<T, DecodeError> {
        if self.next == self.list.len() {
            return Ok(value);
        }
        let expected = format!("{} values", self.next);
        Err(DecodeError::new(What::Length { found: self.list.len(), expected }))
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        let Some(node) = self.list.get(self.next) else {
            return Ok(None);
        };
        let index = self.next;
        self.next += 1;
        seed.deserialize(node)
            .map(Some)
            .map_err(|error| error.at(&node.place).inside(Segment::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() - self.next)
    }
}

/// The keys and values of a table.
struct Entries<'de> {
    entries: &'de [Entry],
    next: usize,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DecodeError> {
        let Some(entry) = self.entries.get(self.next) else {
            return Ok(None);
        };
        let key: de::value::BorrowedStrDeserializer<'de, DecodeError> =
            de::value::BorrowedStrDeserializer::new(&entry.key);
        seed.deserialize(key).map(Some).map_err(|error| error.at(&entry.key_place))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, DecodeError> {
        let Some(entry) = self.entries.get(self.next) else {
            return Err(DecodeError::custom("a key has no value"));
        };
        self.next += 1;
        seed.deserialize(&entry.node)
            .map_err(|error| error.at(&entry.node.place).inside(Segment::Key(entry.key.clone())))
    }
}

/// A word that names a variant.
struct Word<'de>(&'de str);

impl<'de> EnumAccess<'de> for Word<'de> {
    type Error = DecodeError;
    type Variant = UnitOnly;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, UnitOnly), DecodeError> {
        seed.deserialize(self.0.into_deserializer()).map(|value| (value, UnitOnly))
    }
}

/// A variant that holds nothing.
struct UnitOnly;

impl<'de> VariantAccess<'de> for UnitOnly {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        Ok(())
    }
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, DecodeError> {
        Err(DecodeError::custom("a word is expected here"))
    }
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, DecodeError> {
        Err(DecodeError::custom("a word is expected here"))
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, DecodeError> {
        Err(DecodeError::custom("a word is expected here"))
    }
}
