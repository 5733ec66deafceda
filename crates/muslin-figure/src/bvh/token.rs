//! Words of a BVH file, with their lines.

use super::BvhError;

/// Words and lines of a text.
pub struct Tokens<'a> {
    lines: Vec<&'a str>,
    line: usize,
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// The words of a text.
    pub fn new(text: &'a str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let rest = lines.first().copied().unwrap_or("");
        Self { lines, line: 0, rest }
    }

    /// The line of the last word, counted from 1.
    pub fn line(&self) -> usize {
        (self.line + 1).min(self.lines.len().max(1))
    }

    /// The next word.
    pub fn next(&mut self) -> Option<&'a str> {
        loop {
            let trimmed = self.rest.trim_start();
            if !trimmed.is_empty() {
                let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
                self.rest = &trimmed[end..];
                return Some(&trimmed[..end]);
            }
            if !self.next_line() {
                return None;
            }
        }
    }

    fn next_line(&mut self) -> bool {
        self.line = (self.line + 1).min(self.lines.len());
        self.rest = self.lines.get(self.line).copied().unwrap_or("");
        self.line < self.lines.len()
    }

    /// The next word, which must be there.
    pub fn word(&mut self, expected: &'static str) -> Result<&'a str, BvhError> {
        self.next().ok_or_else(|| BvhError::End { line: self.line(), expected })
    }

    /// The next word, which must be `word` in upper or lower case.
    pub fn keyword(&mut self, word: &'static str) -> Result<(), BvhError> {
        let found = self.word(word)?;
        if found.eq_ignore_ascii_case(word) { Ok(()) } else { Err(self.unexpected(word, found)) }
    }

    /// The next word as a finite number.
    pub fn number(&mut self) -> Result<f64, BvhError> {
        let found = self.word("a number")?;
        parse_number(found, self.line())
    }

    /// The next word as a count.
    pub fn count(&mut self) -> Result<usize, BvhError> {
        let found = self.word("a count")?;
        found.parse().map_err(|_| self.unexpected("a count", found))
    }

    /// What is left of the present line: a name with spaces.
    pub fn rest_of_line(&mut self) -> &'a str {
        std::mem::take(&mut self.rest).trim()
    }

    /// The lines after the present one, with their numbers; empty lines are left out.
    pub fn following_lines(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let first = (self.line + 1).min(self.lines.len());
        let number = move |(i, line): (usize, &&'a str)| (first + i + 1, *line);
        self.lines[first..].iter().enumerate().map(number).filter(|(_, l)| !l.trim().is_empty())
    }

    /// An error about the last word.
    pub fn unexpected(&self, expected: &'static str, found: &str) -> BvhError {
        BvhError::Unexpected { line: self.line(), expected, found: shortened(found) }
    }
}

/// A finite number.
pub fn parse_number(word: &str, line: usize) -> Result<f64, BvhError> {
    let number: f64 = word.parse().map_err(|_| BvhError::Unexpected {
        line,
        expected: "a number",
        found: shortened(word),
    })?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err(BvhError::NotFinite { line, found: shortened(word) })
    }
}

/// At most forty characters of a word.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}
