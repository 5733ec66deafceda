//! Sculpted fields: distances on a plain grid, from wherever they come.

use super::field::{Field, LEAF};
use super::lattice::{Lattice, MOST_CELLS};
use crate::math::Vec3;
use thiserror::Error;

/// A value farther than this many spacings from its neighbour's cannot be a distance: distances change by
/// at most the way, and files round.
const MOST_SLOPE: f64 = 1.5;

/// Distances on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Points along x, y and z.
    pub counts: [usize; 3],
    /// The first point \[m\].
    pub origin: Vec3,
    /// Distance between neighbours \[m\].
    pub spacing: f64,
    /// `φ` \[m\], z fastest: the order of an array `phi[x, y, z]`.
    pub values: Vec<f64>,
}

/// Why numbers are not a distance field.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GridError {
    /// Too few or too many points.
    #[error(
        "the field has {} × {} × {} points; it needs 2 to a million along each axis",
        counts[0], counts[1], counts[2]
    )]
    Size {
        /// Points along each axis.
        counts: [usize; 3],
    },
    /// Numbers and points do not agree.
    #[error("the field has {found} distances for {expected} points; write it again")]
    Length {
        /// How many distances there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Origin or spacing make no sense.
    #[error("the field's spacing must be a positive number of metres and its origin finite")]
    Placement,
    /// A distance is NaN or infinite.
    #[error("the field's distance at point {}, {}, {} is not finite; write it again", at[0], at[1], at[2])]
    NotFinite {
        /// The point.
        at: [usize; 3],
    },
    /// The numbers change faster than distances can.
    #[error(
        "the field changes by {slope:.2} m per metre at point {}, {}, {}; distances change by at most 1: \
         redistance it, and give it in metres",
        at[0], at[1], at[2]
    )]
    TooSteep {
        /// The point.
        at: [usize; 3],
        /// Change per way \[-\].
        slope: f64,
    },
    /// No inside or no outside.
    #[error("the field has the same sign everywhere, so it has no surface; negative is inside")]
    NoSurface,
}

impl Grid {
    /// Samples a distance function.
    pub fn sample(
        counts: [usize; 3],
        origin: Vec3,
        spacing: f64,
        distance: impl Fn(Vec3) -> f64,
    ) -> Self {
        let grid = Self { counts, origin, spacing, values: Vec::new() };
        let values = (0..counts.iter().product()).map(|i| distance(grid.place(i))).collect();
        Self { values, ..grid }
    }

    /// The place of value `i` \[m\].
    pub fn place(&self, i: usize) -> Vec3 {
        self.origin + Vec3::from(self.point(i).map(|c| c as f64)) * self.spacing
    }

    pub(super) fn point(&self, i: usize) -> [usize; 3] {
        let [_, ny, nz] = self.counts;
        [i / (ny * nz), i / nz % ny, i % nz]
    }

    /// Whether these can be distances.
    pub fn check(&self) -> Result<(), GridError> {
        let Self { counts, values, .. } = self;
        let fits = |n: &usize| (2..=MOST_CELLS as usize).contains(n);
        let total = counts.iter().try_fold(1usize, |product, n| product.checked_mul(*n));
        let Some(expected) = total.filter(|n| counts.iter().all(fits) && *n < LEAF as usize) else {
            return Err(GridError::Size { counts: *counts });
        };
        if values.len() != expected {
            return Err(GridError::Length { found: values.len(), expected });
        }
        if !(self.spacing > 0.0 && self.spacing.is_finite() && self.origin.is_finite()) {
            return Err(GridError::Placement);
        }
        if let Some(i) = values.iter().position(|v| !v.is_finite()) {
            return Err(GridError::NotFinite { at: self.point(i) });
        }
        let [_, ny, nz] = *counts;
        for (axis, stride) in [ny * nz, nz, 1].into_iter().enumerate() {
            for i in (0..expected).filter(|i| self.point(*i)[axis] + 1 < counts[axis]) {
                let slope = (values[i + stride] - values[i]).abs() / self.spacing;
                if slope > MOST_SLOPE {
                    return Err(GridError::TooSteep { at: self.point(i), slope });
                }
            }
        }
        if values.iter().all(|v| *v > 0.0) || values.iter().all(|v| *v < 0.0) {
            return Err(GridError::NoSurface);
        }
        Ok(())
    }

    /// The field of these distances: every cell of the grid is one of its cells.
    pub fn into_field(self) -> Result<Field, GridError> {
        self.check()?;
        let roots = self.counts.map(|n| n as u32 - 1);
        let [_, ny, nz] = self.counts.map(|n| n as u32);
        let lattice = Lattice { origin: self.origin, cell: self.spacing, levels: 0, roots };
        let number = |[x, y, z]: [u32; 3]| (x * ny + y) * nz + z;
        let corners = lattice
            .root_cells()
            .map(|at| std::array::from_fn(|k| number(super::lattice::corner(at, 1, k as u32))));
        let corners: Vec<[u32; 8]> = corners.collect();
        let nodes = (0..corners.len() as u32).map(|i| i | LEAF).collect();
        Ok(Field { lattice, nodes, corners, values: self.values, nearest: Vec::new() })
    }
}
