//! Block incomplete Cholesky without fill, chunk by chunk: additive Schwarz without overlap, each
//! block of it solved incompletely.

use super::block_jacobi::BlockJacobi;
use super::factor::BlockFactor;
use super::held::HeldMatrix;
use crate::linalg::Pattern;
use crate::math::Vec3;

/// Shares added to the diagonal, tried in this order until no pivot breaks down (Manteuffel's shift).
///
/// The first is used always: without it pivots broke down on wrinkled cloth (567 iterations against 51
/// at 150² vertices), and up to 0.03 it costs no iterations elsewhere; 0.1 costs a third more.
const SHIFTS: [f64; 3] = [0.02, 0.1, 0.5];

/// The incomplete factor of one chunk.
#[derive(Clone, Debug)]
pub(in crate::linalg) struct IncompleteCholesky {
    factor: BlockFactor,
    /// Used where the factor broke down with every shift.
    fallback: Option<BlockJacobi>,
}

impl IncompleteCholesky {
    /// The pattern of the blocks inside a chunk.
    pub fn new(pattern: &Pattern, chunk: usize) -> Self {
        let rows = pattern.chunk(chunk);
        let start = rows.start as u32;
        let columns: Vec<Vec<u32>> = rows
            .map(|i| {
                pattern.columns[pattern.inner(i)].iter().map(|&column| column - start).collect()
            })
            .collect();
        Self { factor: BlockFactor::new(columns.iter().map(Vec::as_slice)), fallback: None }
    }

    /// Refills the factor, with the first shift that works.
    pub fn refill(&mut self, pattern: &Pattern, chunk: usize, fine: &HeldMatrix) {
        let start = pattern.chunk(chunk).start;
        let worked = SHIFTS.iter().any(|&shift| {
            let upper = |i: usize, k: usize| {
                let at = pattern.inner(start + i).start + k;
                fine.upper(at, start + i, pattern.column(at))
            };
            self.factor.refill(shift, |i| fine.diagonal(start + i), upper).is_some()
        });
        self.fallback = (!worked).then(|| {
            let mut jacobi = BlockJacobi::default();
            jacobi.refill(pattern, chunk, fine);
            jacobi
        });
    }

    /// `z = P⁻¹ r`; returns `rᵀz`.
    pub fn solve(&self, r: &[Vec3], z: &mut [Vec3]) -> f64 {
        match &self.fallback {
            Some(jacobi) => jacobi.solve(r, z),
            None => self.factor.solve(r, z),
        }
    }
}
