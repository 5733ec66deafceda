//! Reading USD's text form: words, strings, and values that are skipped or noted by their place.

use crate::formats::ReadError;
use std::ops::Range;

/// Where a value stands in the file [bytes].
pub(super) type Span = Range<usize>;

/// A place in the text.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) file: &'a str,
}

impl<'a> Cursor<'a> {
    pub(super) fn fail<T>(&self, problem: impl Into<String>) -> Result<T, ReadError> {
        let before = &self.bytes[..self.at.min(self.bytes.len())];
        let line = before.split(|&byte| byte == b'\n').count();
        Err(ReadError::line(self.file, line, problem))
    }

    /// The next byte that means something; comments and blanks are passed over.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                b'#' => self.skip_line(),
                byte if byte.is_ascii_whitespace() || byte == b';' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    /// Passes over `byte` if it comes next.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    pub(super) fn expect(&mut self, byte: u8, place: &str) -> Result<(), ReadError> {
        if self.take(byte) {
            return Ok(());
        }
        let found = self.found();
        self.fail(format!("`{}` expected {place}, but {found} follows", byte as char))
    }

    /// What comes next, for messages.
    fn found(&mut self) -> String {
        match self.peek() {
            None => "the end of the file".into(),
            Some(byte) if byte.is_ascii_graphic() => format!("`{}`", byte as char),
            Some(byte) => format!("byte {byte}"),
        }
    }

    /// A name, type or number: everything up to a blank or a bracket.
    pub(super) fn word(&mut self) -> Result<&'a str, ReadError> {
        self.peek();
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let length = word_length(rest);
        match std::str::from_utf8(&rest[..length]) {
            Ok(word) if !word.is_empty() => {
                self.at += length;
                Ok(word)
            }
            Ok(_) => {
                let found = self.found();
                self.fail(format!("a name expected, but {found} follows"))
            }
            Err(_) => self.fail("a name that is not UTF-8: export the file again"),
        }
    }

    /// A string between quotes, as it is written.
    pub(super) fn string(&mut self) -> Result<String, ReadError> {
        self.peek();
        let start = self.at;
        self.skip_value()?;
        let text = String::from_utf8_lossy(&self.bytes[start..self.at]);
        let quoted = text.starts_with(['"', '\'']);
        if !quoted {
            self.at = start;
            return self.fail("a name between quotes expected");
        }
        Ok(text.trim_matches(['"', '\'']).to_string())
    }

    /// Passes over one value of any kind and returns where it stood.
    pub(super) fn skip_value(&mut self) -> Result<Span, ReadError> {
        self.peek();
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                None => {
                    self.at = start;
                    return self.fail("the file ends before this value does: copy it again");
                }
                Some(b'(' | b'[' | b'{') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b')' | b']' | b'}') if depth == 0 => return self.fail("a value expected"),
                Some(b')' | b']' | b'}') => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b'"' | b'\'') => self.skip_string()?,
                Some(b'@') => {
                    self.skip_between(if self.looking_at(b"@@@") { b"@@@" } else { b"@" })?;
                }
                Some(b'<') => self.skip_between(b">")?,
                Some(_) if depth > 0 => self.at += word_length(&self.bytes[self.at..]).max(1),
                Some(_) => {
                    self.word()?;
                }
            }
            if depth == 0 {
                return Ok(start..self.at);
            }
        }
    }

    fn looking_at(&self, text: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(text)
    }

    /// Passes over everything up to and with `end`, which may also have opened it.
    fn skip_between(&mut self, end: &[u8]) -> Result<(), ReadError> {
        let start = self.at + if end == b">" { 1 } else { end.len() };
        let rest = self.bytes.get(start..).unwrap_or_default();
        match rest.windows(end.len()).position(|window| window == end) {
            Some(length) => {
                self.at = start + length + end.len();
                Ok(())
            }
            None => self.fail("the file ends before this value does: copy it again"),
        }
    }

    fn skip_string(&mut self) -> Result<(), ReadError> {
        let quote = self.bytes[self.at];
        let triple = self.looking_at(&[quote; 3]);
        let end: &[u8] = &[quote; 3][..if triple { 3 } else { 1 }];
        let mut at = self.at + end.len();
        while at < self.bytes.len() {
            if self.bytes[at..].starts_with(end) {
                self.at = at + end.len();
                return Ok(());
            }
            at += if self.bytes[at] == b'\\' { 2 } else { 1 };
        }
        self.fail("the file ends before this string does: copy it again")
    }
}

/// The bytes that end a word.
const ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let bytes = b" \t\n\r\x0c=()[]{}<>,\"'@#;";
    let mut k = 0;
    while k < bytes.len() {
        ends[bytes[k] as usize] = true;
        k += 1;
    }
    ends
};

fn word_length(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| ENDS[byte as usize]).unwrap_or(rest.len())
}

/// All numbers of a value, brackets and commas passed over.
pub(super) fn numbers(bytes: &[u8], span: &Span, file: &str) -> Result<Vec<f64>, ReadError> {
    let end = span.end.min(bytes.len());
    let mut cursor = Cursor { bytes: &bytes[..end], at: span.start, file };
    let mut numbers = Vec::new();
    while let Some(byte) = cursor.peek() {
        if b"()[],".contains(&byte) {
            cursor.at += 1;
            continue;
        }
        let word = cursor.word()?;
        match word.parse::<f64>() {
            Ok(number) if number.is_finite() => numbers.push(number),
            _ => return cursor.fail(format!("`{word}` is not a finite number")),
        }
    }
    Ok(numbers)
}
