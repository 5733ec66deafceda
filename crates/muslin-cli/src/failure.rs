//! Every way a command can fail, as one sentence with its kind and its place (R6).

use clap::error::ErrorKind;
use muslin::fabric::{UnknownFabric, lab::LabError};
use muslin_render::{OutputError, RenderError};
use muslin_scene::cache::CacheError;
use muslin_scene::finish::FinishError;
use muslin_scene::formats::{ReadError, WriteError};
use muslin_scene::runner::RunError;
use muslin_scene::spec::SceneError;
use serde_json::{Value, json};
use std::io;
use std::path::Path;

/// Why a command could not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind, for programs: lower-case words joined by dashes.
    pub kind: String,
    /// The place: a file with its line, a frame, an argument. Empty where there is none.
    pub place: String,
    /// What is wrong, what was expected and what to do, in one line.
    pub message: String,
    /// The same for a person at a terminal, perhaps with the line of the file in question.
    shown: Option<String>,
}

impl Failure {
    /// A failure of a kind, at a place.
    pub fn new(kind: &str, place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), place: place.into(), message: message.into(), shown: None }
    }

    /// An argument that does not say what it should.
    pub fn argument(argument: &str, message: impl Into<String>) -> Self {
        Self::new("argument", argument, message)
    }

    /// What the system answered to `action` on `path`.
    pub fn io(action: &str, path: &Path, source: &io::Error) -> Self {
        let place = path.display().to_string();
        Self::new("io", place.clone(), format!("cannot {action} {place}: {source}"))
    }

    /// Arguments that the command line does not know.
    pub fn usage(error: &clap::Error) -> Self {
        let text = error.to_string().trim_end().to_owned();
        if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            let message = "no command was given: choose one, such as `muslin gallery`";
            return Self { shown: Some(text), ..Self::new("usage", "arguments", message) };
        }
        let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Self { shown: Some(text.clone()), ..Self::new("usage", "arguments", first) }
    }

    /// The same failure with a sentence added.
    #[must_use]
    pub fn and(mut self, sentence: &str) -> Self {
        self.message = format!("{}; {sentence}", self.message);
        self.shown = self.shown.map(|shown| format!("{shown}\n{sentence}"));
        self
    }

    /// The object that `--json` prints.
    pub fn to_json(&self) -> Value {
        json!({ "error": { "kind": self.kind, "where": self.place, "message": self.message } })
    }

    /// What a person reads.
    pub fn to_text(&self) -> String {
        match &self.shown {
            Some(text) if self.kind == "usage" => text.clone(),
            Some(text) => format!("error: {text}"),
            None => format!("error: {}", self.message),
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        let mut message = error.message.clone();
        for (word, part) in [("expected ", &error.expected), ("", &error.help)] {
            if !part.is_empty() {
                message = format!("{message}; {word}{part}");
            }
        }
        let shown = Some(error.to_string());
        Self { shown, ..Self::new(error.kind.as_str(), error.location(), message) }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::new(error.kind(), error.location(), error.to_string())
    }
}

impl From<CacheError> for Failure {
    fn from(error: CacheError) -> Self {
        let message = error.to_string();
        let (kind, place) = match error {
            CacheError::NotACache { dir } => ("not-a-cache", dir.display().to_string()),
            CacheError::Exists { dir, .. } => ("exists", dir.display().to_string()),
            CacheError::Differs { dir, .. } => ("differs", dir.display().to_string()),
            CacheError::Locked { dir, .. } => ("locked", dir.display().to_string()),
            CacheError::Io { path, .. } => ("io", path.display().to_string()),
            CacheError::Damaged { path, .. } => ("damaged", path.display().to_string()),
            CacheError::Version { path, .. } => ("version", path.display().to_string()),
            CacheError::MissingFrame { dir, .. } => ("missing-frame", dir.display().to_string()),
            CacheError::NotFinite { frame, .. } | CacheError::NotFiniteState { frame, .. } => {
                ("not-finite", format!("frame {frame}"))
            }
            CacheError::Stopped { dir } => ("stopped", dir.display().to_string()),
            CacheError::Unfit { what, .. } => ("unfit", what),
        };
        Self::new(kind, place, message)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        let message = error.to_string();
        let (kind, place) = match error {
            ReadError::Io { file, .. } => ("unreadable", file),
            ReadError::Line { file, line, .. } => ("mesh-file", format!("{file}:{line}")),
            ReadError::Byte { file, offset, .. } => ("mesh-file", format!("{file}, byte {offset}")),
            ReadError::File { file, .. } => ("mesh-file", file),
        };
        Self::new(kind, place, message)
    }
}

impl From<FinishError> for Failure {
    fn from(error: FinishError) -> Self {
        let message = error.to_string();
        match error {
            FinishError::Cache(error) => error.into(),
            FinishError::Read(error) => error.into(),
            FinishError::Mesh { place, .. } | FinishError::Polygons { place, .. } => {
                Self::new("mesh", place, message)
            }
            FinishError::Unit(_) => Self::argument("--unit", message),
            FinishError::Subdivide(_) => Self::argument("--subdivide", message),
            FinishError::Curved(_) => Self::argument("--curved", message),
            FinishError::NoCloth { place } => Self::new("no-cloth", place, message),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::new("write", error.path.display().to_string(), error.to_string())
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        let kind = if matches!(error, RenderError::Stopped) { "stopped" } else { "picture" };
        Self::new(kind, "", error.to_string())
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::new("picture", "", error.to_string())
    }
}

impl From<UnknownFabric> for Failure {
    fn from(error: UnknownFabric) -> Self {
        Self::new("unknown-fabric", error.name.clone(), error.to_string())
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        Self::new("lab-sheet", "--from-lab", error.to_string())
    }
}
