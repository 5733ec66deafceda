//! What can go wrong with a cache, one clear sentence each (R5, R6).

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::Status;

/// Why a cache could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The folder exists and holds something else.
    #[error(
        "{} is not a Muslin cache (it has no manifest.json of one): name an empty or new folder \
         with -o", dir.display()
    )]
    NotACache {
        /// The folder.
        dir: PathBuf,
    },
    /// The folder already holds a cache.
    #[error(
        "{} already holds a {status} cache of scene `{scene}`: continue it with `muslin run \
         --resume`, or replace it with --overwrite", dir.display()
    )]
    Exists {
        /// The folder.
        dir: PathBuf,
        /// Name of the scene that made it.
        scene: String,
        /// How far it got.
        status: Status,
    },
    /// The folder holds another cache than the one to go on with.
    #[error(
        "{} holds a cache that differs in {what} from the one to be written: name another folder \
         with -o, or replace it with --overwrite", dir.display()
    )]
    Differs {
        /// The folder.
        dir: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// Another writer is at work in the folder.
    #[error(
        "{} is being written by process {process}: wait for it to end, stop it, or name another \
         folder with -o", dir.display()
    )]
    Locked {
        /// The folder.
        dir: PathBuf,
        /// Process number of the other writer, as it left it in the lock file.
        process: String,
    },
    /// The file system refused an operation.
    #[error("cannot {action} {}: {source}{}", path.display(), remedy(source))]
    Io {
        /// What was tried: "write", "read", "remove" …
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
    /// A file of the cache is not what was written.
    #[error("{} is damaged ({detail}): {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
        /// What to do.
        remedy: Remedy,
    },
    /// The cache was written by a newer Muslin.
    #[error(
        "{} has cache format {found}, and this Muslin reads format {known}: read it with a newer \
         Muslin", path.display()
    )]
    Version {
        /// The manifest.
        path: PathBuf,
        /// Format version in the file.
        found: u32,
        /// Format version of this program.
        known: u32,
    },
    /// A frame that the cache does not hold.
    #[error(
        "{} has no frame {frame} (it holds {present}): name a frame it holds, or make the others \
         with `muslin run --resume`", dir.display()
    )]
    MissingFrame {
        /// The cache.
        dir: PathBuf,
        /// The frame asked for.
        frame: u64,
        /// The frames it holds, in words.
        present: String,
    },
    /// Somebody asked to stop while frames were being read.
    #[error("{} was not read to its end: somebody asked to stop", dir.display())]
    Stopped {
        /// The cache.
        dir: PathBuf,
    },
    /// A number that is not finite was about to be written (R5).
    #[error(
        "frame {frame}: `{array}` of vertex {vertex} of {surface} is not a finite number, so the \
         run stops and keeps the frames before it: try a smaller time step"
    )]
    NotFinite {
        /// The frame.
        frame: u64,
        /// The array: positions, velocities or bodies.
        array: &'static str,
        /// Vertex within its surface.
        vertex: usize,
        /// The surface, in words: "cloth `skirt`".
        surface: String,
    },
    /// The time or a checkpoint array holds a number that is not finite (R5).
    #[error(
        "frame {frame}: entry {index} of `{array}` is not a finite number, so the run stops and \
         keeps the frames before it: try a smaller time step"
    )]
    NotFiniteState {
        /// The frame.
        frame: u64,
        /// Name of the array.
        array: String,
        /// Index of the entry in the flat array.
        index: usize,
    },
    /// What was handed over to be written does not fit the cache.
    #[error("cannot write {what}: {detail}")]
    Unfit {
        /// What was to be written: "frame 12", "the cache" …
        what: String,
        /// What was expected and what came.
        detail: String,
    },
}

/// What mends a damaged cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Going on from the checkpoint before the damage makes the file again.
    Resume,
    /// The run has to be made again.
    Replace,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resume => {
                "an unfinished run makes it again with `muslin run --resume`, a finished one with \
                 `muslin run --overwrite`"
            }
            Self::Replace => "make the cache again with `muslin run --overwrite`",
        })
    }
}

impl CacheError {
    /// Wraps what the system answered to `action` on `path`.
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// A file that is not what was written.
    pub(super) fn damaged(path: &Path, detail: impl Into<String>, remedy: Remedy) -> Self {
        Self::Damaged { path: path.to_owned(), detail: detail.into(), remedy }
    }

    /// Something that does not fit the cache.
    pub(super) fn unfit(what: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Unfit { what: what.into(), detail: detail.into() }
    }
}

/// What to do about an error of the file system; every frame already written stays good.
fn remedy(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": free some space, then continue with `muslin run --resume`"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            ": give yourself the right to write there, or name another folder with -o"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            ": part of that path is a file, so name another folder with -o"
        }
        io::ErrorKind::NotFound => ": check the path",
        _ => ": check the disk, then continue with `muslin run --resume`",
    }
}
