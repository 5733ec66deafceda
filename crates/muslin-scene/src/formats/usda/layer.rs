//! The prims of a USD text layer and those of their properties that say what is where.

use super::cursor::{Cursor, Span};
use crate::formats::ReadError;

/// Prims nested deeper than this are refused.
const MAX_DEPTH: usize = 100;

/// Words that may stand before the type of a property.
const QUALIFIERS: [&str; 8] =
    ["custom", "uniform", "varying", "config", "prepend", "append", "add", "delete"];

/// A property over time.
#[derive(Debug, Clone, Default)]
pub(super) struct Attribute {
    pub(super) name: String,
    /// The type, such as `texCoord2f[]`.
    pub(super) kind: String,
    /// The value that holds where no sample does.
    pub(super) fixed: Option<Span>,
    /// Values by time code, ascending.
    pub(super) samples: Vec<(f64, Span)>,
    /// `vertex`, `faceVarying` and so on; empty where nothing is said.
    pub(super) interpolation: String,
}

impl Attribute {
    /// The value itself, or the first sample.
    pub(super) fn any(&self) -> Option<&Span> {
        self.fixed.as_ref().or(self.samples.first().map(|(_, span)| span))
    }
}

/// A prim.
#[derive(Debug, Clone, Default)]
pub(super) struct Prim {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) parent: Option<usize>,
    pub(super) attributes: Vec<Attribute>,
}

impl Prim {
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

/// A layer: its prims, parents first, and what it says about itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    pub(super) prims: Vec<Prim>,
    /// Numbers and words of the layer's own metadata.
    pub(super) metadata: Vec<(String, String)>,
    /// Whether anything comes from other files or prims.
    pub(super) composed: bool,
}

impl Layer {
    pub(super) fn parse(bytes: &[u8], file: &str) -> Result<Self, ReadError> {
        let mut layer = Self::default();
        let mut cursor = Cursor { bytes, at: 0, file };
        if !bytes.starts_with(b"#usda") {
            return cursor.fail("USD text starts with `#usda`, but this does not");
        }
        if cursor.take(b'(') {
            layer.layer_metadata(&mut cursor)?;
        }
        layer.block(&mut cursor, None, 0)?;
        Ok(layer)
    }

    /// A number of the layer's metadata.
    pub(super) fn number(&self, key: &str) -> Option<f64> {
        self.text(key)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// A word of the layer's metadata.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        let found = self.metadata.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.trim_matches('"'))
    }

    fn layer_metadata(&mut self, cursor: &mut Cursor) -> Result<(), ReadError> {
        while !cursor.take(b')') {
            if matches!(cursor.peek(), Some(b'"' | b'\'')) {
                cursor.skip_value()?;
                continue;
            }
            let (key, span) = metadatum(cursor)?;
            self.composed |= key == "subLayers";
            if span.len() < 100 {
                let value = String::from_utf8_lossy(&cursor.bytes[span]).into_owned();
                self.metadata.push((key, value));
            }
        }
        Ok(())
    }

    /// The statements of a prim up to its closing bracket, or of the whole file.
    fn block(
        &mut self,
        cursor: &mut Cursor,
        prim: Option<usize>,
        depth: usize,
    ) -> Result<(), ReadError> {
        loop {
            match cursor.peek() {
                None if prim.is_none() => return Ok(()),
                Some(b'}') if prim.is_some() => {
                    cursor.at += 1;
                    return Ok(());
                }
                None => return cursor.fail("the file ends inside a prim: copy or export it again"),
                Some(_) => {}
            }
            match cursor.word()? {
                "def" => self.prim(cursor, prim, depth)?,
                "over" | "class" => skip_prim(cursor)?,
                "variantSet" => {
                    self.composed = true;
                    cursor.string()?;
                    cursor.expect(b'=', "after the variant set's name")?;
                    cursor.skip_value()?;
                }
                "reorder" => {
                    cursor.word()?;
                    cursor.expect(b'=', "after `reorder`")?;
                    cursor.skip_value()?;
                }
                word => match prim {
                    Some(prim) => self.property(cursor, prim, word)?,
                    None => {
                        return cursor.fail(format!("`def` expected, but `{word}` found"));
                    }
                },
            }
        }
    }

    fn prim(
        &mut self,
        cursor: &mut Cursor,
        parent: Option<usize>,
        depth: usize,
    ) -> Result<(), ReadError> {
        if depth >= MAX_DEPTH {
            return cursor.fail(format!("prims more than {MAX_DEPTH} deep: flatten the file"));
        }
        let kind = match cursor.peek() {
            Some(b'"' | b'\'') => String::new(),
            _ => cursor.word()?.to_string(),
        };
        let name = cursor.string()?;
        if cursor.take(b'(') {
            while !cursor.take(b')') {
                if matches!(cursor.peek(), Some(b'"' | b'\'')) {
                    cursor.skip_value()?;
                    continue;
                }
                let (key, _) = metadatum(cursor)?;
                self.composed |=
                    ["references", "payload", "inherits", "specializes"].contains(&key.as_str());
            }
        }
        cursor.expect(b'{', "after the prim's name")?;
        let index = self.prims.len();
        self.prims.push(Prim { name, kind, parent, attributes: Vec::new() });
        self.block(cursor, Some(index), depth + 1)
    }

    fn property(&mut self, cursor: &mut Cursor, prim: usize, first: &str) -> Result<(), ReadError> {
        let mut kind = first.to_string();
        while QUALIFIERS.contains(&kind.as_str()) {
            kind = cursor.word()?.to_string();
        }
        if cursor.take(b'[') {
            cursor.expect(b']', "after `[`")?;
            kind += "[]";
        }
        let full = cursor.word()?.to_string();
        let (name, part) = full.split_once('.').unwrap_or((&full, ""));
        let mut attribute = Attribute { name: name.into(), kind, ..Attribute::default() };
        if cursor.take(b'=') {
            match part {
                "timeSamples" => attribute.samples = time_samples(cursor)?,
                "" | "default" => {
                    let span = cursor.skip_value()?;
                    let blocked = &cursor.bytes[span.clone()] == b"None";
                    attribute.fixed = (!blocked).then_some(span);
                }
                _ => {
                    cursor.skip_value()?;
                }
            }
        }
        if cursor.take(b'(') {
            while !cursor.take(b')') {
                if matches!(cursor.peek(), Some(b'"' | b'\'')) {
                    cursor.skip_value()?;
                    continue;
                }
                let (key, span) = metadatum(cursor)?;
                if key == "interpolation" {
                    let text = String::from_utf8_lossy(&cursor.bytes[span]);
                    attribute.interpolation = text.trim_matches('"').to_string();
                }
            }
        }
        self.keep(prim, attribute);
        Ok(())
    }

    /// Notes a property that says what is where. Default and samples of one may come apart.
    fn keep(&mut self, prim: usize, new: Attribute) {
        let wanted = ["points", "faceVertexCounts", "faceVertexIndices", "orientation", "purpose"];
        let by_start = ["primvars:", "xformOp"];
        if new.kind == "rel"
            || !(wanted.contains(&new.name.as_str())
                || by_start.iter().any(|start| new.name.starts_with(start)))
        {
            return;
        }
        let attributes = &mut self.prims[prim].attributes;
        // Declarations of one property follow each other.
        match attributes.last_mut().filter(|known| known.name == new.name) {
            None => attributes.push(new),
            Some(known) => {
                known.fixed = new.fixed.or(known.fixed.take());
                if !new.samples.is_empty() {
                    known.samples = new.samples;
                }
                if !new.interpolation.is_empty() {
                    known.interpolation = new.interpolation;
                }
            }
        }
    }
}

/// `[prepend] key = value`.
fn metadatum(cursor: &mut Cursor) -> Result<(String, Span), ReadError> {
    let mut key = cursor.word()?.to_string();
    while cursor.peek() != Some(b'=') {
        key = cursor.word()?.to_string();
        if cursor.take(b'[') {
            cursor.expect(b']', "after `[`")?;
        }
    }
    cursor.expect(b'=', "after the key")?;
    Ok((key, cursor.skip_value()?))
}

fn skip_prim(cursor: &mut Cursor) -> Result<(), ReadError> {
    if !matches!(cursor.peek(), Some(b'"' | b'\'')) {
        cursor.word()?;
    }
    cursor.string()?;
    if cursor.peek() == Some(b'(') {
        cursor.skip_value()?;
    }
    cursor.skip_value().map(drop)
}

/// `{ 0: value, 1: value }`.
fn time_samples(cursor: &mut Cursor) -> Result<Vec<(f64, Span)>, ReadError> {
    cursor.expect(b'{', "after `timeSamples =`")?;
    let mut samples: Vec<(f64, Span)> = Vec::new();
    while !cursor.take(b'}') {
        let start = cursor.at;
        let word = cursor.word()?;
        // The colon is part of the word unless a blank stands before it.
        let digits = word.split(':').next().unwrap_or(word);
        let Some(code) = digits.parse().ok().filter(|code: &f64| code.is_finite()) else {
            return cursor.fail(format!("a time expected, but `{word}` found"));
        };
        if digits.len() < word.len() {
            cursor.at -= word.len() - digits.len() - 1;
        } else if !cursor.word()?.starts_with(':') {
            cursor.at = start;
            return cursor.fail("`:` expected after a time");
        }
        let span = cursor.skip_value()?;
        if &cursor.bytes[span.clone()] != b"None" {
            samples.push((code, span));
        }
        cursor.take(b',');
    }
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(samples)
}
