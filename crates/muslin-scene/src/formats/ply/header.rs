//! The text in front of the numbers: which elements follow, with which properties.

use crate::formats::ReadError;

/// How the numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A number type, under its old and its new name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    /// The size of a number [bytes].
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

pub(super) struct Property {
    name: String,
    pub(super) kind: Scalar,
    /// The type of the length, where the property is a list.
    pub(super) length: Option<Scalar>,
}

pub(super) struct Element {
    pub(super) name: String,
    count: usize,
    pub(super) properties: Vec<Property>,
}

impl Element {
    /// Rows to read: an element without properties takes no room, whatever its count says.
    pub(super) fn rows(&self) -> usize {
        if self.properties.is_empty() { 0 } else { self.count }
    }

    /// The place of a property that is a single number.
    pub(super) fn scalar(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|p| p.name == name && p.length.is_none())
    }

    /// The place of a property that is a list.
    pub(super) fn list(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|p| p.name == name && p.length.is_some())
    }
}

pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Where the numbers start [bytes], and on which line, counted from 1.
    pub(super) end: (usize, usize),
}

impl Header {
    pub(super) fn parse(bytes: &[u8], file: &str) -> Result<Self, ReadError> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut at = 0;
        for (index, raw) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            at += raw.len();
            let text = String::from_utf8_lossy(raw);
            let fail = |problem: String| Err(ReadError::line(file, index + 1, problem));
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            match words[..] {
                ["ply"] if index == 0 => {}
                _ if index == 0 => return fail("a PLY file starts with `ply`".into()),
                [] | ["comment" | "obj_info", ..] => {}
                ["format", name, "1.0"] => encoding = Some(parse_encoding(name, file, index + 1)?),
                ["element", name, count] => {
                    let Ok(count) = count.parse() else {
                        return fail(format!("`{count}` is not a count of `{name}`"));
                    };
                    if elements.iter().any(|element| element.name == name) {
                        return fail(format!("the element `{name}` is declared twice"));
                    }
                    elements.push(Element { name: name.into(), count, properties: Vec::new() });
                }
                ["property", ref words @ ..] => match (elements.last_mut(), property(words)) {
                    (Some(element), Some(property)) => element.properties.push(property),
                    _ => return fail(format!("`{}` declares no property", text.trim())),
                },
                ["end_header"] => {
                    let problem = "the header has no line `format … 1.0`";
                    let encoding =
                        encoding.ok_or_else(|| ReadError::line(file, index + 1, problem))?;
                    return Ok(Self { encoding, elements, end: (at, index + 2) });
                }
                _ => return fail(format!("`{}` is not a header line", text.trim())),
            }
        }
        Err(ReadError::file(file, "the header has no `end_header`: the file is cut off"))
    }
}

fn parse_encoding(name: &str, file: &str, line: usize) -> Result<Encoding, ReadError> {
    match name {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::LittleEndian),
        "binary_big_endian" => Ok(Encoding::BigEndian),
        _ => {
            let known = "ascii, binary_little_endian or binary_big_endian";
            Err(ReadError::line(file, line, format!("the format `{name}` is not {known}")))
        }
    }
}

fn property(words: &[&str]) -> Option<Property> {
    let (length, kind, name) = match words {
        ["list", length, kind, name] => (Some(Scalar::parse(length)?), kind, name),
        [kind, name] => (None, kind, name),
        _ => return None,
    };
    if matches!(length, Some(Scalar::F32 | Scalar::F64)) {
        return None;
    }
    Some(Property { name: (*name).into(), kind: Scalar::parse(kind)?, length })
}
