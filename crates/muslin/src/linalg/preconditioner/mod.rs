//! Preconditioners of conjugate gradients, one file per kind.
//!
//! All act as `z = S (Σ_chunks L_c⁻¹ + P (PᵀÃP)⁻¹ Pᵀ) r`: something local to every chunk of rows, and a
//! coarse level or none. Both parts are built from `Ã`, the matrix with its constraints
//! ([`HeldMatrix`]), are symmetric positive definite, and stay so when a factor breaks down: an
//! incomplete factor falls back to block-Jacobi, a coarse level is left out.

mod aggregates;
mod block_jacobi;
mod coarse;
mod factor;
mod graph;
mod held;
mod incomplete_cholesky;

use coarse::Coarse;
pub(super) use held::{Held, HeldMatrix};

use super::Pattern;
use crate::math::Vec3;
use block_jacobi::BlockJacobi;
use incomplete_cholesky::IncompleteCholesky;
use rayon::prelude::*;
use std::sync::Arc;

/// Vertices from which a coarse level pays: smaller meshes would have six aggregates at most.
const LEAST_TWO_LEVEL: usize = 1000;

/// How the linear system is preconditioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preconditioner {
    /// Inverse diagonal blocks (BW9).
    BlockJacobi,
    /// Block incomplete Cholesky on every chunk of rows.
    IncompleteCholesky,
    /// Incomplete Cholesky on every chunk, and a coarse level of aggregates factorised exactly.
    TwoLevel,
}

impl Preconditioner {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::BlockJacobi, Self::IncompleteCholesky, Self::TwoLevel];

    /// The fastest kind for a mesh of that many vertices, as measured (docs/results/solver.md); it
    /// does not depend on the material, because the same one won for all.
    pub fn choose(vertex_count: usize) -> Self {
        if vertex_count < LEAST_TWO_LEVEL { Self::IncompleteCholesky } else { Self::TwoLevel }
    }
}

/// What a preconditioner does to the rows of one chunk alone.
#[derive(Clone, Debug)]
pub(super) enum Local {
    Jacobi(BlockJacobi),
    Cholesky(Box<IncompleteCholesky>),
}

impl Local {
    /// `z = L⁻¹ r`; returns `rᵀz`.
    #[inline]
    pub fn solve(&self, r: &[Vec3], z: &mut [Vec3]) -> f64 {
        match self {
            Self::Jacobi(jacobi) => jacobi.solve(r, z),
            Self::Cholesky(cholesky) => cholesky.solve(r, z),
        }
    }

    fn refill(&mut self, pattern: &Pattern, chunk: usize, fine: &HeldMatrix) {
        match self {
            Self::Jacobi(jacobi) => jacobi.refill(pattern, chunk, fine),
            Self::Cholesky(cholesky) => cholesky.refill(pattern, chunk, fine),
        }
    }
}

/// A preconditioner with its values.
#[derive(Clone, Debug, Default)]
pub(super) struct Prepared {
    /// What the lists below were built for.
    built: Option<(Preconditioner, Arc<Pattern>)>,
    /// One per chunk.
    pub local: Vec<Local>,
    /// Possibly without aggregates.
    pub coarse: Coarse,
}

impl Prepared {
    /// Takes over the values of a matrix; builds the lists where kind or pattern are new.
    pub fn refill(&mut self, kind: Preconditioner, fine: &HeldMatrix) {
        let pattern = fine.matrix.pattern();
        let fits = |built: &(_, Arc<Pattern>)| built.0 == kind && Arc::ptr_eq(&built.1, pattern);
        if !self.built.as_ref().is_some_and(fits) {
            self.build(kind, pattern);
        }
        let Self { local, coarse, .. } = self;
        rayon::join(
            || coarse.refill(fine),
            || {
                let chunks = local.par_iter_mut().enumerate();
                chunks.for_each(|(c, local)| local.refill(pattern, c, fine));
            },
        );
    }

    /// Rows per chunk; 1 before the first refill.
    pub fn chunk_rows(&self) -> usize {
        self.built.as_ref().map_or(1, |(_, pattern)| pattern.chunk_rows())
    }

    fn build(&mut self, kind: Preconditioner, pattern: &Arc<Pattern>) {
        let chunks = (0..pattern.chunk_count()).into_par_iter();
        self.local = match kind {
            Preconditioner::BlockJacobi => {
                chunks.map(|_| Local::Jacobi(BlockJacobi::default())).collect()
            }
            _ => chunks
                .map(|c| Local::Cholesky(Box::new(IncompleteCholesky::new(pattern, c))))
                .collect(),
        };
        self.coarse = match kind {
            Preconditioner::TwoLevel => Coarse::new(pattern),
            _ => Coarse::none(pattern),
        };
        self.built = Some((kind, Arc::clone(pattern)));
    }
}
