//! How a mesh is drawn, and why it cannot be.

use super::tessellation::{MOST_SEGMENTS, Tessellation};
use crate::math::Vec3;
use crate::mesh::TriMesh;
use thiserror::Error;

/// Most vertices of a drawn surface; more are refused before memory is taken.
const MOST_DRAWN: usize = 50_000_000;

/// How many folds an edge may carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folds {
    /// None: plain PN triangles, one patch a face.
    None,
    /// One, the paper's: four patches a face (OS6).
    One,
    /// Up to two: sixteen patches a face.
    Two,
    /// Up to four: sixty-four patches a face.
    Four,
}

impl Folds {
    /// How often edges are cut in half.
    pub(super) fn depth(self) -> usize {
        match self {
            Self::None => 0,
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 3,
        }
    }
}

/// Which way folds go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldSide {
    /// Along the normal, always: the paper's.
    Normal,
    /// Against it where the cloth around the edge is bent hollow. Looks better in a still; in motion a
    /// fold changes sides at once when the bend does, by up to 8 cm in a frame of a kicked skirt.
    Bending,
}

/// How a mesh is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvedSettings {
    /// How finely faces are cut (OS7).
    pub tessellation: Tessellation,
    /// Weight normals by elastic forces (OS5); else they are plain means.
    pub normal_control: bool,
    /// Keep curves at their rest length by folds (OS6).
    pub folds: Folds,
    /// Which way folds go.
    pub side: FoldSide,
    /// Factor `k` of the first guess for a fold's height (OS6) \[-\].
    pub fold_guess: f64,
    /// Limit folds where other faces of the cloth are in their way.
    pub self_collision: bool,
}

impl Default for CurvedSettings {
    /// The paper's method and tessellation, with folds that keep clear of other faces.
    fn default() -> Self {
        Self {
            tessellation: Tessellation::Paper,
            normal_control: true,
            folds: Folds::One,
            side: FoldSide::Normal,
            fold_guess: 0.5,
            self_collision: true,
        }
    }
}

/// Why a mesh cannot be drawn curved.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum CurvedError {
    /// Too few or too many segments.
    #[error(
        "an edge can be drawn with 1 to {MOST_SEGMENTS} segments, not {segments}; choose one of those"
    )]
    Segments {
        /// What was asked for.
        segments: u32,
    },
    /// The first guess must be a positive factor.
    #[error("the factor of the first fold guess must be a positive number, not {value}")]
    FoldGuess {
        /// What was given.
        value: f64,
    },
    /// More than memory should hold.
    #[error("the surface would have {count} vertices, more than {MOST_DRAWN}; use fewer segments")]
    TooLarge {
        /// How many.
        count: usize,
    },
    /// One positive rest length per edge of the mesh.
    #[error(
        "the mesh has {expected} edges, and each needs a positive rest length; {found} have one"
    )]
    RestLengths {
        /// Edges of the mesh.
        expected: usize,
        /// Rest lengths that can be used.
        found: usize,
    },
    /// One position per vertex of the mesh.
    #[error(
        "the mesh has {expected} vertices but {found} positions were given; give one per vertex"
    )]
    PositionCount {
        /// Vertices of the mesh.
        expected: usize,
        /// Positions given.
        found: usize,
    },
    /// A position is NaN or infinite.
    #[error(
        "the position of vertex {vertex} is not a finite number; check the simulation or file it came from"
    )]
    NotFinite {
        /// Vertex number.
        vertex: usize,
    },
}

/// Vertices of the drawn surface.
pub(super) fn drawn_vertices(mesh: &TriMesh, tessellation: Tessellation) -> usize {
    let n = tessellation.segments();
    let inner = match tessellation {
        Tessellation::Paper => 4,
        Tessellation::Segments(_) => (n - 1) * n.saturating_sub(2) / 2,
    };
    let edges = mesh.topology().edges().len().saturating_mul(n - 1);
    mesh.vertex_count() + edges + mesh.triangles().len().saturating_mul(inner)
}

pub(super) fn check_settings(mesh: &TriMesh, settings: &CurvedSettings) -> Result<(), CurvedError> {
    if let Tessellation::Segments(segments) = settings.tessellation
        && !(1..=MOST_SEGMENTS).contains(&segments)
    {
        return Err(CurvedError::Segments { segments });
    }
    if !(settings.fold_guess > 0.0 && settings.fold_guess.is_finite()) {
        return Err(CurvedError::FoldGuess { value: settings.fold_guess });
    }
    let count = drawn_vertices(mesh, settings.tessellation);
    if count > MOST_DRAWN { Err(CurvedError::TooLarge { count }) } else { Ok(()) }
}

pub(super) fn check_rest_lengths(mesh: &TriMesh, lengths: &[f64]) -> Result<(), CurvedError> {
    let expected = mesh.topology().edges().len();
    let found = lengths.iter().filter(|length| length.is_finite() && **length > 0.0).count();
    let fit = found == expected && lengths.len() == expected;
    if fit { Ok(()) } else { Err(CurvedError::RestLengths { expected, found }) }
}

pub(super) fn check_positions(mesh: &TriMesh, x: &[Vec3]) -> Result<(), CurvedError> {
    let expected = mesh.vertex_count();
    if x.len() != expected {
        return Err(CurvedError::PositionCount { expected, found: x.len() });
    }
    match x.iter().position(|p| !p.is_finite()) {
        Some(vertex) => Err(CurvedError::NotFinite { vertex }),
        None => Ok(()),
    }
}
