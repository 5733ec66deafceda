//! TOML as a tree in which every value knows its place in the text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{KeyPath, Place, Problem, SceneError, SceneErrorKind, Segment, Sources};
use super::nesting;

/// The largest scene file that is read [bytes].
pub(super) const MAX_BYTES: usize = 16 << 20;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub value: Value,
    pub place: Place,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Whole(i64),
    Number(f64),
    Flag(bool),
    Date,
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key of a table and what it holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub key: String,
    pub key_place: Place,
    pub node: Node,
}

impl Node {
    /// Reads text number `source` of `sources` as a TOML file.
    pub fn parse(text: &str, source: usize, sources: &Sources) -> Result<Self, SceneError> {
        let reader = Reader { source, offset: 0, sources };
        reader.guard(text)?;
        let table = DeTable::parse(text).map_err(|error| reader.syntax(text, &error))?;
        let place = reader.place(&(0..0));
        Ok(Self { value: reader.table(table.get_ref()), place })
    }

    /// Reads `text`, which starts at `offset` of text number `source`, as one TOML value.
    pub fn parse_value(
        text: &str,
        (source, offset): (usize, usize),
        sources: &Sources,
    ) -> Result<Self, SceneError> {
        let reader = Reader { source, offset, sources };
        reader.guard(text)?;
        let value = DeValue::parse(text).map_err(|error| reader.syntax(text, &error))?;
        Ok(reader.node(&value))
    }

    /// The value of `key`, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|e| e.key == key).map(|e| &e.node),
            _ => None,
        }
    }

    /// The text of `key`, if this is a table that has it.
    pub fn text(&self, key: &str) -> Option<&str> {
        match &self.get(key)?.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The place of the value at `path`, or of what is nearest above it.
    pub fn place_of(&self, path: &KeyPath) -> &Place {
        let mut node = self;
        for segment in &path.0 {
            let next = match (segment, &node.value) {
                (Segment::Key(key), _) => node.get(key),
                (Segment::Index(index), Value::List(list)) => list.get(*index),
                (Segment::Index(_), _) => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        &node.place
    }

    /// Takes from `weaker` what is not here.
    pub fn fill_from(&mut self, weaker: Self) {
        if let (Value::Table(entries), Value::Table(others)) = (&mut self.value, weaker.value) {
            for other in others {
                match entries.iter_mut().find(|e| e.key == other.key) {
                    Some(entry) => entry.node.fill_from(other.node),
                    None => entries.push(other),
                }
            }
        }
    }

    /// The words for this kind of value.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "text",
            Value::Whole(_) | Value::Number(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// Turns TOML values into nodes.
struct Reader<'a> {
    source: usize,
    offset: usize,
    sources: &'a Sources,
}

impl Reader<'_> {
    fn place(&self, span: &std::ops::Range<usize>) -> Place {
        let span = span.start + self.offset..span.end + self.offset;
        Place { source: self.source, span }
    }

    fn error(&self, problem: Problem, span: &std::ops::Range<usize>) -> SceneError {
        self.sources.error(problem, &self.place(span))
    }

    fn guard(&self, text: &str) -> Result<(), SceneError> {
        let path = KeyPath::default();
        if text.len() > MAX_BYTES {
            let message = format!("the scene file has {} bytes", text.len());
            let problem = Problem::new(SceneErrorKind::TooLarge, &path, message)
                .expected(format!("at most {MAX_BYTES} bytes"))
                .help("put meshes and painted values into files of their own");
            return Err(self.error(problem, &(0..0)));
        }
        if let Some(at) = nesting::too_deep(text) {
            let message = "tables and lists nest too deeply here";
            let problem = Problem::new(SceneErrorKind::TooLarge, &path, message)
                .expected(format!("at most {} levels", nesting::MAX_DEPTH))
                .help("no part of a scene needs more than ten levels");
            return Err(self.error(problem, &(at..at + 1)));
        }
        Ok(())
    }

    fn syntax(&self, text: &str, error: &toml::de::Error) -> SceneError {
        let span = error.span().unwrap_or(0..0);
        let found = error.message().lines().next().unwrap_or("this is not TOML");
        let marked = text.get(span.clone()).unwrap_or("");
        let is_word = marked.starts_with(char::is_alphabetic);
        let help = match found {
            "duplicate key" => "keep one of them".to_owned(),
            _ if found.contains("boolean") && is_word => {
                format!("did you mean \"{marked}\", in quotes?")
            }
            _ => "text goes in quotes, lists in [ ], tables in { }".to_owned(),
        };
        let message = format!("this is not valid TOML: {found}");
        let problem = Problem::new(SceneErrorKind::Syntax, &KeyPath::default(), message)
            .expected("`key = value`, `[table]` or `[[list]]`, each key once")
            .help(help);
        self.error(problem, &span)
    }

    fn node(&self, spanned: &Spanned<DeValue<'_>>) -> Node {
        let value = match spanned.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string()),
            DeValue::Integer(whole) => match i64::from_str_radix(whole.as_str(), whole.radix()) {
                Ok(parsed) => Value::Whole(parsed),
                Err(_) => Value::Number(whole.as_str().parse().unwrap_or(f64::INFINITY)),
            },
            // What is not finite is refused where it is used, with its key.
            DeValue::Float(number) => Value::Number(number.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(items) => {
                Value::List(items.iter().map(|item| self.node(item)).collect())
            }
            DeValue::Table(table) => self.table(table),
        };
        Node { value, place: self.place(&spanned.span()) }
    }

    /// The table, its keys in the order of the text.
    fn table(&self, table: &DeTable<'_>) -> Value {
        let mut entries = Vec::new();
        for (key, value) in table {
            let key_place = self.place(&key.span());
            entries.push(Entry {
                key: key.get_ref().to_string(),
                key_place,
                node: self.node(value),
            });
        }
        entries.sort_by_key(|entry| entry.key_place.span.start);
        Value::Table(entries)
    }
}
