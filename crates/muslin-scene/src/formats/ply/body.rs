//! The numbers behind the header, row by row.

use super::header::{Element, Encoding, Header, Scalar};
use crate::formats::ReadError;

/// One row of an element: for each property, a number or a list of them.
#[derive(Default)]
pub(super) struct Row {
    numbers: Vec<f64>,
    /// Where the numbers of each property end.
    ends: Vec<usize>,
}

impl Row {
    /// The numbers of a property.
    pub(super) fn numbers(&self, property: usize) -> &[f64] {
        let start = if property == 0 { 0 } else { self.ends[property - 1] };
        &self.numbers[start..self.ends[property]]
    }

    /// The number of a property that is no list.
    pub(super) fn number(&self, property: usize) -> f64 {
        self.numbers(property)[0]
    }
}

/// Reads numbers one after the other.
pub(super) struct Body<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    encoding: Encoding,
    file: &'a str,
}

impl<'a> Body<'a> {
    pub(super) fn new(bytes: &'a [u8], header: &Header, file: &'a str) -> Self {
        let (at, line) = header.end;
        Self { bytes, at, line, encoding: header.encoding, file }
    }

    /// An error at the present place.
    pub(super) fn fail<T>(&self, problem: impl Into<String>) -> Result<T, ReadError> {
        Err(match self.encoding {
            Encoding::Text => ReadError::line(self.file, self.line, problem),
            _ => ReadError::byte(self.file, self.at, problem),
        })
    }

    /// Refuses an element whose count cannot fit in what is left of the file.
    pub(super) fn check_room(&self, element: &Element) -> Result<(), ReadError> {
        let smallest = |length: Option<Scalar>, kind: Scalar| match self.encoding {
            // A digit and a blank.
            Encoding::Text => 2,
            _ => length.unwrap_or(kind).size(),
        };
        let row: usize = element.properties.iter().map(|p| smallest(p.length, p.kind)).sum();
        // The last number of a text needs no blank behind it.
        let left = self.bytes.len() - self.at + 1;
        let needed = row as u128 * element.rows() as u128;
        if needed > left as u128 {
            let (name, count) = (&element.name, element.rows());
            return self.fail(format!(
                "{count} of `{name}` are announced, but the file is too short for them: \
                 copy it again"
            ));
        }
        Ok(())
    }

    /// Reads a row into `row`, whose buffers are used again.
    pub(super) fn row(&mut self, element: &Element, row: &mut Row) -> Result<(), ReadError> {
        row.numbers.clear();
        row.ends.clear();
        for property in &element.properties {
            let length = match property.length {
                None => 1,
                Some(kind) => self.length(kind)?,
            };
            for _ in 0..length {
                row.numbers.push(self.number(property.kind)?);
            }
            row.ends.push(row.numbers.len());
        }
        Ok(())
    }

    fn length(&mut self, kind: Scalar) -> Result<usize, ReadError> {
        let length = self.number(kind)?;
        if length.fract() != 0.0 || !(0.0..=u32::MAX as f64).contains(&length) {
            return self.fail(format!("{length} is not the length of a list"));
        }
        Ok(length as usize)
    }

    fn number(&mut self, kind: Scalar) -> Result<f64, ReadError> {
        match self.encoding {
            Encoding::Text => self.word(),
            Encoding::LittleEndian => self.binary(kind, false),
            Encoding::BigEndian => self.binary(kind, true),
        }
    }

    fn word(&mut self) -> Result<f64, ReadError> {
        while let Some(byte) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_whitespace()) {
            self.line += usize::from(*byte == b'\n');
            self.at += 1;
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if length == 0 {
            return self.fail("the file ends where a number was expected: copy it again");
        }
        let word = &rest[..length];
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        let Some(number) = number else {
            return self.fail(format!("`{}` is not a number", String::from_utf8_lossy(word)));
        };
        self.at += length;
        Ok(number)
    }

    fn binary(&mut self, kind: Scalar, big_endian: bool) -> Result<f64, ReadError> {
        let size = kind.size();
        let Some(bytes) = self.bytes.get(self.at..self.at + size) else {
            return self.fail("the file ends where a number was expected: copy it again");
        };
        let mut little = [0; 8];
        little[..size].copy_from_slice(bytes);
        if big_endian {
            little[..size].reverse();
        }
        self.at += size;
        let [a, b, c, d, ..] = little;
        Ok(match kind {
            Scalar::I8 => i8::from_le_bytes([a]).into(),
            Scalar::U8 => a.into(),
            Scalar::I16 => i16::from_le_bytes([a, b]).into(),
            Scalar::U16 => u16::from_le_bytes([a, b]).into(),
            Scalar::I32 => i32::from_le_bytes([a, b, c, d]).into(),
            Scalar::U32 => u32::from_le_bytes([a, b, c, d]).into(),
            Scalar::F32 => f32::from_le_bytes([a, b, c, d]).into(),
            Scalar::F64 => f64::from_le_bytes(little),
        })
    }
}
