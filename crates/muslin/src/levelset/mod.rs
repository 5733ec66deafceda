//! Bodies as signed distance fields (MF6).
//!
//! [`Solid`] is a triangle mesh that knows how far a point is from it and on which side, [`Field`] the
//! distance stored in an octree: exact near the surface, by fast marching farther away, and continuous
//! where cells of different sizes meet. [`LevelSet`] is the field of a body at all times: one field that
//! moves rigidly, or a [`Sequence`] of them.

mod arrays;
mod blend;
mod build;
mod field;
mod gradation;
mod grid;
mod lattice;
mod march;
mod measure;
mod parts;
mod refine;
mod sequence;
mod solid;
mod surface;
mod tree;

pub use arrays::{FieldArrays, FieldDamage};
pub use blend::{Limb, blend, smooth_min};
pub use field::{Field, Sample};
pub use grid::{Grid, GridError};
pub use measure::{Deviation, deviation};
pub use parts::{Meeting, meeting, union};
pub use sequence::{BodyField, Frame, FrameSource, LevelSet, Sequence};
pub use solid::{Signed, Solid, SolidError};

/// How finely a distance field is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Side of the finest cells \[m\].
    pub cell: f64,
    /// Distance from the surface within which the field keeps its `tolerance` \[m\].
    pub band: f64,
    /// Error that makes a cell be split \[m\]; the finest cells are not split.
    pub tolerance: f64,
    /// The coarsest cells are `2^levels` times as long as the finest; 0 stores a uniform grid.
    pub levels: u32,
}

impl Resolution {
    /// The usual settings for finest cells of side `cell` \[m\]: a band of three cells, a tolerance of a
    /// tenth of a cell, and five sizes of cells.
    pub fn new(cell: f64) -> Self {
        Self { cell, band: 3.0 * cell, tolerance: 0.1 * cell, levels: 4 }
    }

    /// How far the field may be from the exact distance inside the band \[m\].
    ///
    /// A distance changes by at most the way, so in a cell of side `h` whose corners are exact the
    /// weighted corners are within `√3/2 h` of it; cells that are not the finest were looked at and are
    /// within the tolerance where they were.
    pub fn error_bound(&self) -> f64 {
        self.tolerance.max(0.5 * 3f64.sqrt() * self.cell)
    }
}

#[cfg(test)]
mod tests;
