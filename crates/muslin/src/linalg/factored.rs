//! A factor that outlives its matrix: filled once, and the preconditioner of many solves near to it.

use super::preconditioner::{Held, HeldMatrix, Prepared};
use super::{BlockMatrix, Filter, Preconditioner};
use crate::math::Vec3;
use rayon::prelude::*;

/// The block incomplete Cholesky factor `P` of a matrix as it was when it was filled, nothing of it held.
#[derive(Clone, Debug, Default)]
pub struct Factored {
    prepared: Prepared,
}

impl Factored {
    /// Takes over the values of a matrix.
    pub fn refill(&mut self, matrix: &BlockMatrix) {
        let mut held = Held::default();
        held.refill(&Filter::default(), matrix.pattern());
        let fine = HeldMatrix { matrix, held: &held };
        self.prepared.refill(Preconditioner::IncompleteCholesky, &fine);
    }

    /// `z = P⁻¹ r`; returns `rᵀz`.
    pub fn solve(&self, r: &[Vec3], z: &mut [Vec3]) -> f64 {
        let (local, rows) = (&self.prepared.local, self.prepared.chunk_rows());
        let chunks = r.par_chunks(rows).zip(z.par_chunks_mut(rows)).zip(local);
        let products: Vec<f64> = chunks.map(|((r, z), local)| local.solve(r, z)).collect();
        products.iter().sum()
    }
}
