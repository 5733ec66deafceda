//! Block incomplete Cholesky without fill, chunk by chunk: additive Schwarz without overlap, each
//! block of it solved incompletely.

use super::block_jacobi::BlockJacobi;
use super::factor::BlockFactor;
use super::held::HeldMatrix;
use crate::linalg::Pattern;
use crate::math::{Mat3, Random, Vec3};

/// Shares added to the diagonal, tried in this order until the factor is stable (Manteuffel's shift).
///
/// Some shift is needed always: without it factors of wrinkled cloth break down or, worse, nearly do. Up to
/// 0.05 it costs few iterations, 0.1 costs a tenth more, 0.2 a fifth.
const SHIFTS: [f64; 5] = [0.02, 0.05, 0.1, 0.25, 0.5];

/// Vertices of a mesh from which the first shift is not worth a trial: at 200² most factors need the second.
const FINE: usize = 20_000;

/// Largest [gain](IncompleteCholesky::gain) of a stable factor. Stable ones have 1.6 to 2.6; those of 8.5 and
/// more, up to 1e14 with all pivots in order, cost up to thirty times the iterations (3070 instead of 112 in
/// eight solves at 250² vertices).
const LARGEST_GAIN: f64 = 5.0;

/// The incomplete factor of one chunk.
#[derive(Clone, Debug)]
pub(in crate::linalg) struct IncompleteCholesky {
    factor: BlockFactor<glam::Mat3>,
    /// Used where the factor broke down with every shift.
    fallback: Option<BlockJacobi>,
    /// A residual to try the factor with, and what it makes of it.
    trial: [Vec<Vec3>; 2],
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
        let trial = [vec![Vec3::ZERO; columns.len()], vec![Vec3::ZERO; columns.len()]];
        let factor = BlockFactor::new(columns.iter().map(Vec::as_slice));
        Self { factor, fallback: None, trial }
    }

    /// Refills the factor, with the first shift that works.
    pub fn refill(&mut self, pattern: &Pattern, chunk: usize, fine: &HeldMatrix) {
        let start = pattern.chunk(chunk).start;
        let shifts = &SHIFTS[usize::from(pattern.size() > FINE)..];
        let worked = shifts.iter().any(|&shift| {
            let upper = |i: usize, k: usize| {
                let at = pattern.inner(start + i).start + k;
                fine.upper(at, start + i, pattern.column(at))
            };
            let diagonal = |i: usize| fine.diagonal(start + i);
            self.factor.refill(shift, diagonal, upper).is_some()
                && self.gain(diagonal) < LARGEST_GAIN
        });
        self.fallback = (!worked).then(|| {
            let mut jacobi = BlockJacobi::default();
            jacobi.refill(pattern, chunk, fine);
            jacobi
        });
    }

    /// How much the factor makes of a residual without any order, beside block-Jacobi: `rᵀP⁻¹r / rᵀD⁻¹r`,
    /// `D` the diagonal blocks and `r_i = √D_ii (±1, ±1, ±1)`, signs from a seed. Errors of an unstable factor
    /// grow from row to row of a solve, whatever its pivots.
    fn gain(&mut self, diagonal: impl Fn(usize) -> Mat3) -> f64 {
        let [residual, motion] = &mut self.trial;
        let mut random = Random::new(0);
        for (i, r) in residual.iter_mut().enumerate() {
            let bits = random.bits();
            let sign = |axis: u64| if bits >> axis & 1 == 0 { 1.0 } else { -1.0 };
            *r = root_times(&diagonal(i), Vec3::new(sign(0), sign(1), sign(2)));
        }
        self.factor.solve(residual, motion) / (3 * residual.len()) as f64
    }

    /// `z = P⁻¹ r`; returns `rᵀz`.
    pub fn solve(&self, r: &[Vec3], z: &mut [Vec3]) -> f64 {
        match &self.fallback {
            Some(jacobi) => jacobi.solve(r, z),
            None => self.factor.solve(r, z),
        }
    }
}

/// `L a` with `L Lᵀ` a positive definite block, `L` lower; rounding is held off from roots of nothing.
fn root_times(block: &Mat3, a: Vec3) -> Vec3 {
    let (b, c) = (block.x_axis, block.y_axis);
    let xx = b.x.sqrt();
    let (yx, zx) = (b.y / xx, b.z / xx);
    let yy = (c.y - yx * yx).max(f64::MIN_POSITIVE).sqrt();
    let zy = (c.z - zx * yx) / yy;
    let zz = (block.z_axis.z - zx * zx - zy * zy).max(0.0).sqrt();
    Vec3::new(xx * a.x, yx * a.x + yy * a.y, zx * a.x + zy * a.y + zz * a.z)
}
