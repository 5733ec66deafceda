//! Why a scene cannot be built or run.

use crate::cache::CacheError;
use crate::formats::ReadError;
use muslin::sim::StepError;
use thiserror::Error;

/// Why a scene cannot be built or run; one sentence each.
#[derive(Debug, Error)]
pub enum RunError {
    /// The scene asks for something this version cannot do.
    #[error("{place}: {what} is not available in this version of Muslin; {remedy}")]
    Unsupported {
        /// Which part of the scene.
        place: String,
        /// What it asks for.
        what: String,
        /// What to do instead.
        remedy: String,
    },
    /// A part of the scene cannot be made.
    #[error("{place}: {message}")]
    Part {
        /// Which part of the scene.
        place: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A file cannot be read.
    #[error("{place}: {source}")]
    File {
        /// Which part of the scene.
        place: String,
        /// What is wrong with the file.
        source: ReadError,
    },
    /// Cloth intersects something before it has moved (R6).
    #[error(
        "the scene starts with {count} crossing pairs of triangles ({examples}); move the cloth apart"
    )]
    Tangled {
        /// How many pairs.
        count: usize,
        /// The first of them, named.
        examples: String,
    },
    /// The simulation cannot go on (R5).
    #[error("frame {frame}, {place}: {source}")]
    Step {
        /// The frame that could not be reached.
        frame: u64,
        /// The cloth.
        place: String,
        /// What happened.
        source: StepError,
    },
    /// A real-time engine cannot go on (R5).
    #[error("frame {frame}, {place}: {message}")]
    Engine {
        /// The frame that could not be reached.
        frame: u64,
        /// The cloth.
        place: String,
        /// What happened.
        message: String,
    },
    /// Whoever watches the run asked it to stop; it stands at the frame before.
    #[error(
        "the simulation was stopped on the way to frame {frame}; it stands at the frame before"
    )]
    Stopped {
        /// The frame that was not reached.
        frame: u64,
    },
    /// A snapshot does not fit the scene.
    #[error("the checkpoint does not fit the scene: {0}; run without --resume")]
    Snapshot(String),
    /// The cache.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

impl RunError {
    /// A word for the kind of error, for machines.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unsupported { .. } => "unsupported",
            Self::Part { .. } => "scene",
            Self::File { .. } => "file",
            Self::Tangled { .. } => "tangled",
            Self::Step { .. } | Self::Engine { .. } => "simulation",
            Self::Stopped { .. } => "stopped",
            Self::Snapshot(_) => "checkpoint",
            Self::Cache(_) => "cache",
        }
    }

    /// Where it happened.
    pub fn location(&self) -> String {
        match self {
            Self::Unsupported { place, .. }
            | Self::Part { place, .. }
            | Self::File { place, .. } => place.clone(),
            Self::Tangled { .. } => "frame 0".to_owned(),
            Self::Step { frame, place, .. } | Self::Engine { frame, place, .. } => {
                format!("frame {frame}, {place}")
            }
            Self::Stopped { frame } => format!("frame {frame}"),
            Self::Snapshot(_) => "checkpoint".to_owned(),
            Self::Cache(_) => "cache".to_owned(),
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "errors and texts are made at the call")]
    pub(super) fn part(place: &str, message: impl ToString) -> Self {
        Self::Part { place: place.to_owned(), message: message.to_string() }
    }

    pub(super) fn unsupported(place: &str, what: &str, remedy: &str) -> Self {
        Self::Unsupported {
            place: place.to_owned(),
            what: what.to_owned(),
            remedy: remedy.to_owned(),
        }
    }
}
