//! Other programs' files. Readers take bytes and a name for messages, never panic, and check
//! every count against the size of the file before they allocate. Writers go through [`atomic`]:
//! a file appears whole or not at all.

pub mod alembic;
pub mod animation;
pub mod atomic;
pub mod field;
pub mod foreign;
pub mod gltf;
pub mod mdd;
pub mod npy;
pub mod npz;
pub mod obj;
pub mod pc2;
pub mod ply;
pub mod point_cache;
pub mod sequence;
pub mod usd_core;
pub mod usda;
mod zip_store;

use crate::polymesh::PolyMesh;
use std::{
    io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Why a file could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refused.
    #[error("cannot read {file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A line of a text file is wrong.
    #[error("{file}, line {line}: {problem}")]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// A place in a binary file is wrong.
    #[error("{file}, byte {offset}: {problem}")]
    Byte {
        /// The file.
        file: String,
        /// The place, counted from 0.
        offset: usize,
        /// What was found and what was expected.
        problem: String,
    },
    /// The file as a whole is wrong.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What was found and what was expected.
        problem: String,
    },
}

impl ReadError {
    fn file(file: &str, problem: impl Into<String>) -> Self {
        Self::File { file: file.into(), problem: problem.into() }
    }

    fn line(file: &str, line: usize, problem: impl Into<String>) -> Self {
        Self::Line { file: file.into(), line, problem: problem.into() }
    }

    fn byte(file: &str, offset: usize, problem: impl Into<String>) -> Self {
        Self::Byte { file: file.into(), offset, problem: problem.into() }
    }
}

/// Why a file could not be written, and which. Whatever was there before is untouched.
#[derive(Debug, Error)]
#[error("cannot write {path}: {problem}", path = path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    #[source]
    pub problem: WriteProblem,
}

/// What went wrong while a file was being written.
#[derive(Debug, Error)]
pub enum WriteProblem {
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The frames could not be had from where they come from.
    #[error("frame {frame} is not available: {source}")]
    Source {
        /// The frame, counted from 0.
        frame: usize,
        /// What its source said.
        source: animation::SourceError,
    },
    /// A frame has the wrong number of entries.
    #[error("frame {frame} has {found} {what}, but the mesh has {expected} vertices")]
    FrameLength {
        /// The frame, counted from 0.
        frame: usize,
        /// Positions or velocities.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A value that single precision cannot hold.
    #[error("frame {frame}, vertex {vertex}: one of the {what} is not a finite 32-bit number")]
    NotFinite {
        /// The frame, counted from 0.
        frame: usize,
        /// Positions or velocities.
        what: &'static str,
        /// The vertex, counted from 0.
        vertex: usize,
    },
    /// A frame without velocities where the format or the first frame asks for them.
    #[error("frame {frame} has no velocities, but {reason}")]
    NoVelocities {
        /// The frame, counted from 0.
        frame: usize,
        /// Why it needs them.
        reason: &'static str,
    },
    /// Too large for the format.
    #[error("{what} takes {size}, but the format ends at {limit}: {advice}")]
    TooLarge {
        /// What is too large.
        what: String,
        /// How large it is.
        size: u64,
        /// The largest the format can hold.
        limit: u64,
        /// What to do instead.
        advice: &'static str,
    },
    /// The caller asked for something the format cannot say.
    #[error("{0}")]
    Invalid(String),
}

/// A face with more corners than this is refused: splitting it takes quadratic time.
const MAX_FACE_CORNERS: usize = 10_000;

/// The largest number of vertices or corners: indices are 32 bits.
const MAX_ELEMENTS: usize = u32::MAX as usize - 1;

/// Reads a mesh, by extension: `.obj`, `.ply`, or the first frame of what
/// [`foreign::Animation::open`] knows. Axes and unit are the file's: see [`PolyMesh::into_world`].
pub fn read_mesh(path: &Path) -> Result<PolyMesh, ReadError> {
    let file = path.display().to_string();
    let parse = match extension(path).as_str() {
        "obj" => obj::read,
        "ply" => ply::read,
        "glb" | "gltf" | "usda" | "usd" | "usdc" | "usdz" => {
            let animation = foreign::Animation::open(path, &foreign::Options::default())?;
            return Ok(animation.into_mesh());
        }
        other => {
            let problem = format!(
                "cannot read a mesh from `.{other}`: use `.obj`, `.ply`, `.glb`, `.gltf` or `.usda`"
            );
            return Err(ReadError::file(&file, problem));
        }
    };
    parse(&read_bytes(path)?, &file)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(path).map_err(|source| ReadError::Io { file: path.display().to_string(), source })
}

/// The extension in lower case, without the dot.
fn extension(path: &Path) -> String {
    path.extension().map(|ext| ext.to_string_lossy().to_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
