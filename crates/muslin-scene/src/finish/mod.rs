//! Finishing: frames of a cache, or of another program's animation, cleaned, subdivided or drawn curved
//! (BF13, OS4–OS7), each on its own.
//!
//! A [`Source`] says what there is, a [`Finisher`] is made once for it and then turns frame after frame, in any
//! order and in parallel, into frames of a cache with finer meshes.

mod curved;
mod finer;
mod finisher;
mod foreign;
mod obstacles;
mod source;
#[cfg(test)]
mod tests;

pub use finisher::{Finished, Finisher};
pub use foreign::ForeignSettings;
pub use source::Source;

use crate::cache::CacheError;
use crate::formats::ReadError;
use crate::polymesh::UnitError;
use muslin::finish::CurvedError;
use muslin::finish::cleanup::CleanUp;
use muslin::finish::subdivide::SubdivideError;
use muslin::mesh::MeshError;

/// How cloth is made finer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fineness {
    /// Subdivided this many times (BF13); 0 keeps the mesh.
    Subdivide(u32),
    /// Drawn with curved faces (OS4–OS7), this many segments along every edge; the paper's 18 triangles a
    /// face when not given.
    Curved(Option<u32>),
}

/// How cloth is moved out of bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cleaning {
    /// Pushed out to this distance [m]; wrinkles that have sunk in go flat.
    Flatten(f64),
    /// In the order of depths, so that wrinkles stay (MF8).
    KeepWrinkles(CleanUp),
}

/// What finishing does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FinishSettings {
    /// How cloth is made finer.
    pub fineness: Fineness,
    /// Move cloth out of bodies.
    pub clean_up: Option<Cleaning>,
    /// Keep seams sharp.
    pub sharp_seams: bool,
}

/// Why something cannot be finished.
#[derive(Debug, thiserror::Error)]
pub enum FinishError {
    /// The cache cannot be read or written.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The animation cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The unit of the animation makes no sense.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// The mesh is no cloth.
    #[error("{place}: {problem}")]
    Mesh {
        /// The cache or file.
        place: String,
        /// What is wrong with it.
        problem: MeshError,
    },
    /// The polygons of an imported mesh cannot be cloth.
    #[error("{place}: {problem}")]
    Polygons {
        /// The file.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The mesh cannot be subdivided.
    #[error(transparent)]
    Subdivide(#[from] SubdivideError),
    /// The mesh cannot be drawn curved.
    #[error(transparent)]
    Curved(#[from] CurvedError),
    /// There is no cloth.
    #[error("{place} has no cloth, so there is nothing to finish: name a cache with cloth in it")]
    NoCloth {
        /// The cache.
        place: String,
    },
}
