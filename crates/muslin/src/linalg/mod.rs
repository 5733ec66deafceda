//! Sparse linear algebra: symmetric 3×3-block matrices, constraint filters, conjugate gradients.

mod block_matrix;
mod filter;
mod pcg;

pub use block_matrix::{BlockMatrix, Pattern};
pub use filter::{Constraint, Filter};
pub use pcg::{Pcg, Solve, Tolerance};

use crate::math::Vec3;
use rayon::prelude::*;

/// Vertices per chunk of a parallel loop. Fixed, so that partial sums are the same whatever the
/// number of threads (R4).
pub const CHUNK: usize = 1024;

/// `aᵀb`, summed chunk by chunk in a fixed order.
pub fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    let partial: Vec<f64> = a
        .par_chunks(CHUNK)
        .zip(b.par_chunks(CHUNK))
        .map(|(a, b)| a.iter().zip(b).map(|(p, q)| p.dot(*q)).sum())
        .collect();
    partial.iter().sum()
}
