//! What is wrong with a scene, where, what was expected and what to do (R6).

use std::fmt;
use std::ops::Range;

/// The kind of a [`SceneError`], for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneErrorKind {
    /// The file cannot be read, or is not text.
    Unreadable,
    /// The file is not TOML.
    Syntax,
    /// The file is larger or nested deeper than is read.
    TooLarge,
    /// There is no such key.
    UnknownKey,
    /// A key that is needed is not there, or one too many is.
    WrongKeys,
    /// A value is of the wrong type or not one of the words allowed.
    WrongValue,
    /// A number is out of range, or in the wrong unit.
    OutOfRange,
    /// There is no cloth, body, panel or group of this name, or there are two.
    WrongName,
    /// A file the scene names is not there.
    MissingFile,
    /// An override does not fit the scene.
    Override,
}

impl SceneErrorKind {
    /// The kind in lower-case words joined by dashes, as `--json` prints it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Syntax => "syntax",
            Self::TooLarge => "too-large",
            Self::UnknownKey => "unknown-key",
            Self::WrongKeys => "wrong-keys",
            Self::WrongValue => "wrong-value",
            Self::OutOfRange => "out-of-range",
            Self::WrongName => "wrong-name",
            Self::MissingFile => "missing-file",
            Self::Override => "override",
        }
    }
}

/// What is wrong with a scene. Prints as one sentence, the line with the place underlined, what was
/// expected, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError(Box<SceneErrorDetails>);

impl std::ops::Deref for SceneError {
    type Target = SceneErrorDetails;
    fn deref(&self) -> &SceneErrorDetails {
        &self.0
    }
}

/// The parts of a [`SceneError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneErrorDetails {
    /// The kind, for programs.
    pub kind: SceneErrorKind,
    /// The scene file, or `--set`.
    pub file: String,
    /// The line, from 1; `None` for an override and for a file that cannot be read.
    pub line: Option<usize>,
    /// The column, in characters from 1.
    pub column: usize,
    /// The key, such as `cloth[0].fabric`; empty for the whole file.
    pub key: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What was expected.
    pub expected: String,
    /// What to do about it.
    pub help: String,
    /// The line in question and the marks below it; both empty where there is no text.
    pub snippet: [String; 2],
}

impl std::error::Error for SceneError {}

impl SceneError {
    /// The place: `scene.toml:7:1`, or `--set`.
    pub fn location(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}:{}", self.file, self.column),
            None => self.file.clone(),
        }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location(), self.message)?;
        if !self.snippet[0].is_empty() {
            let number = self.line.map_or(String::new(), |line| line.to_string());
            let blank = " ".repeat(number.len());
            write!(
                f,
                "\n{blank} |\n{number} | {}\n{blank} | {}",
                self.snippet[0], self.snippet[1]
            )?;
        }
        if !self.expected.is_empty() {
            write!(f, "\nexpected: {}", self.expected)?;
        }
        if !self.help.is_empty() {
            write!(f, "\nhelp: {}", self.help)?;
        }
        Ok(())
    }
}

/// A stretch of one of the [`Sources`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub source: usize,
    pub span: Range<usize>,
}

/// The texts a scene is put together from: the file, then the overrides and presets.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources(Vec<(String, String)>);

impl Sources {
    /// Adds a text and gives its number.
    pub fn add(&mut self, name: &str, text: &str) -> usize {
        self.0.push((name.to_owned(), text.to_owned()));
        self.0.len() - 1
    }

    /// The error for `problem`, which lies at `place`.
    pub fn error(&self, problem: Problem, place: &Place) -> SceneError {
        let (name, text) = self.0.get(place.source).map_or(("scene", ""), |(n, t)| (n, t));
        let start = floor_boundary(text, place.span.start);
        let end = floor_boundary(text, place.span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let (before, marked) = (&text[line_start..start], &text[start..end.min(line_end)]);
        let column = before.chars().count() + 1;
        SceneError(Box::new(SceneErrorDetails {
            kind: problem.kind,
            file: name.to_owned(),
            line: (place.source == 0 && problem.kind != SceneErrorKind::Unreadable)
                .then(|| text[..start].matches('\n').count() + 1),
            column,
            key: problem.path.to_string(),
            message: problem.message,
            expected: problem.expected,
            help: problem.help,
            snippet: snippet(&text[line_start..line_end], column, marked.chars().count()),
        }))
    }
}

/// The line (its neighbourhood where it is long) and marks under `count` characters at `column`.
fn snippet(line: &str, column: usize, count: usize) -> [String; 2] {
    const WIDEST: usize = 100;
    let skip = if column > WIDEST - 20 { column - 20 } else { 0 };
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = line.chars().skip(skip).take(WIDEST).map(printable).collect();
    let shown = shown.trim_end().to_owned();
    if shown.is_empty() {
        return [String::new(), String::new()];
    }
    let marks = count.clamp(1, (WIDEST + skip).saturating_sub(column - 1).max(1));
    [shown, " ".repeat(column - 1 - skip) + &"^".repeat(marks)]
}

/// The last character boundary of `text` at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// One step into a scene: a key or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    Key(String),
    Index(usize),
}

/// The way to a value: `cloth[0].fabric.density`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyPath(pub Vec<Segment>);

impl KeyPath {
    pub fn key(&self, key: &str) -> Self {
        self.with(Segment::Key(key.to_owned()))
    }

    pub fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    fn with(&self, segment: Segment) -> Self {
        let mut path = self.clone();
        path.0.push(segment);
        path
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if i == 0 => write!(f, "{key}")?,
                Segment::Key(key) => write!(f, ".{key}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// A [`SceneError`] whose place in the text is not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub kind: SceneErrorKind,
    pub path: KeyPath,
    pub message: String,
    pub expected: String,
    pub help: String,
}

impl Problem {
    pub fn new(kind: SceneErrorKind, path: &KeyPath, message: impl Into<String>) -> Self {
        let (expected, help) = (String::new(), String::new());
        Self { kind, path: path.clone(), message: message.into(), expected, help }
    }

    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// `` `a`, `b` and `c` ``.
pub(super) fn listed(names: &[&str], last_word: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {last_word} {last}", first.join(", ")),
    }
}
