//! Symmetric sparse matrices of 3×3 blocks (BW8): diagonal and lower half stored, pattern built once.

use super::coupling::{Coupling, Couplings};
use super::pattern::Pattern;
use super::row_product::RowProduct;
use crate::math::lanes::fetch;
use crate::math::{Mat3, Vec3};
use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;
use std::sync::Arc;

/// How many blocks ahead of their use they are asked for: some twenty rows. Beyond the cache one thread takes 17 ns a row with
/// 32 and 13 with 128, as fast as memory is read at all; inside it nothing changes.
const AHEAD: usize = 128;

/// A symmetric matrix over a [`Pattern`].
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Arc<Pattern>,
    /// Diagonal blocks.
    pub diagonal: Vec<Mat3>,
    /// Blocks `A_ji` below the diagonal, for the pairs of rows `i < j` in the order of the pattern.
    pub lower: Vec<Mat3>,
    /// Contacts of this solve.
    couplings: Couplings,
    /// What each chunk adds to rows after its own, kept between products.
    spill: Vec<Vec<Vec3>>,
}

impl BlockMatrix {
    /// The zero matrix.
    pub fn new(pattern: Arc<Pattern>) -> Self {
        let spill = pattern.spills.iter().map(|s| vec![Vec3::ZERO; s.rows.len()]).collect();
        Self {
            diagonal: vec![Mat3::ZERO; pattern.size()],
            lower: vec![Mat3::ZERO; pattern.upper_count()],
            pattern,
            couplings: Couplings::default(),
            spill,
        }
    }

    /// Adds the contacts of this solve, in place of earlier ones. The diagonal must have been refilled.
    pub fn couple(&mut self, couplings: &[Coupling]) {
        self.couplings.refill(couplings, &mut self.diagonal);
    }

    /// Where the blocks stand.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// `y = A x`: every stored block is read once and used for its row and its column.
    pub fn multiply(&mut self, x: &[Vec3], y: &mut [Vec3]) {
        self.multiply_unmerged(x, y);
        let rows = self.pattern.chunk_rows();
        y.par_chunks_mut(rows).enumerate().for_each(|(c, y)| self.merge(c, x, y));
    }

    /// `y = A x` but for what chunks add to each other, which waits for [`Self::merge`]; returns
    /// `xᵀAx`, which needs no merging.
    pub(super) fn multiply_unmerged(&mut self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        let Self { pattern, diagonal, lower, couplings, spill } = self;
        let (rows, level) = (pattern.chunk_rows(), Level::new());
        let chunks = y.par_chunks_mut(rows).zip(spill.par_iter_mut()).enumerate();
        let energies: Vec<f64> = chunks
            .map(|(c, (y, spill))| {
                let rows = ChunkRows { pattern, diagonal, lower, chunk: c };
                dispatch!(level, simd => rows.multiply(simd, x, y, spill))
            })
            .collect();
        energies.iter().sum::<f64>() + couplings.begin(x)
    }

    /// The sum of all blocks, both halves: the mass of the whole, where rows sum to masses.
    pub(super) fn sum(&self) -> Mat3 {
        let chunks = (0..self.pattern.chunk_count()).into_par_iter().map(|c| {
            let rows = self.pattern.chunk(c);
            let blocks = self.pattern.blocks(rows.clone());
            let lower: Mat3 = self.lower[blocks].iter().sum();
            self.diagonal[rows].iter().sum::<Mat3>() + lower + lower.transpose()
        });
        chunks.collect::<Vec<_>>().iter().sum::<Mat3>() + self.couplings.sum()
    }

    /// Adds what earlier chunks and couplings found for the rows `y` of this one.
    #[inline]
    pub(super) fn merge(&self, chunk: usize, x: &[Vec3], y: &mut [Vec3]) {
        let start = self.pattern.chunk(chunk).start;
        self.couplings.add(start, x, y);
        for inflow in &self.pattern.inflows[chunk] {
            let rows = &self.pattern.spills[inflow.chunk].rows[inflow.range.clone()];
            for (&row, add) in rows.iter().zip(&self.spill[inflow.chunk][inflow.range.clone()]) {
                y[row as usize - start] += *add;
            }
        }
    }
}

/// The rows of one chunk.
struct ChunkRows<'a> {
    pattern: &'a Pattern,
    diagonal: &'a [Mat3],
    lower: &'a [Mat3],
    chunk: usize,
}

impl ChunkRows<'_> {
    /// `y` gets what falls inside, `spill` the rest. Returns the chunk's part of
    /// `xᵀAx = Σ x_i·(A_ii x_i + 2 Σ_{j>i} A_ij x_j)`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "is dispatched to what registers the machine has")]
    fn multiply<S: Simd>(&self, simd: S, x: &[Vec3], y: &mut [Vec3], spill: &mut [Vec3]) -> f64 {
        let Self { pattern, diagonal, lower, chunk } = *self;
        let rows = pattern.chunk(chunk);
        let (first, count) = (rows.start as u32, rows.len());
        let (x_inner, y) = (&x[rows.clone()][..count], &mut y[..count]);
        y.fill(Vec3::ZERO);
        spill.fill(Vec3::ZERO);
        let mut slots = pattern.spills[chunk].slots.iter();
        let mut energy = 0.0;
        let blocks = pattern.blocks(rows.clone());
        let (mut blocks, mut columns) = (&lower[blocks.clone()], &pattern.columns[blocks]);
        let lengths = pattern.lengths(rows.clone());
        for ((local, [inside, outside]), diagonal) in lengths.enumerate().zip(&diagonal[rows]) {
            let own = x_inner[local];
            let mut product = RowProduct::new(simd, own);
            let (row, rest) = blocks.split_at(inside);
            let (row_columns, rest_columns) = columns.split_at(inside);
            (blocks, columns) = (rest, rest_columns);
            fetch(simd, std::ptr::from_ref(diagonal).wrapping_add(AHEAD / 4));
            for (block, column) in row.iter().zip(row_columns) {
                fetch(simd, std::ptr::from_ref(block).wrapping_add(AHEAD));
                let column = column.wrapping_sub(first) as usize;
                product.add(block, x_inner[column], &mut y[column]);
            }
            if outside > 0 {
                let (row, rest) = blocks.split_at(outside);
                let (row_columns, rest_columns) = columns.split_at(outside);
                (blocks, columns) = (rest, rest_columns);
                for ((block, &column), &slot) in row.iter().zip(row_columns).zip(&mut slots) {
                    product.add(block, x[column as usize], &mut spill[slot as usize]);
                }
            }
            let (on_diagonal, sum) = (*diagonal * own, product.sum());
            energy += own.dot(on_diagonal + sum + sum);
            y[local] += on_diagonal + sum;
        }
        energy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Vec2};

    fn random_matrix(size: usize, random: &mut Random) -> BlockMatrix {
        let pairs: Vec<[u32; 2]> = (0..size * 4)
            .map(|_| [0, 1].map(|_| (random.bits() % size as u64) as u32))
            .filter(|[a, b]| a != b)
            .collect();
        let layout = (0..size).map(|i| Vec2::new(i as f64, 0.0)).collect();
        let mut matrix = BlockMatrix::new(Arc::new(Pattern::new(layout, pairs.into_iter())));
        let mut block =
            || Mat3::from_cols_array(&std::array::from_fn(|_| random.between(-1.0, 1.0)));
        for d in &mut matrix.diagonal {
            let b = block();
            *d = b + b.transpose();
        }
        for u in &mut matrix.lower {
            *u = block();
        }
        matrix
    }

    fn random_couplings(size: usize, random: &mut Random) -> Vec<Coupling> {
        let count = if size < 8 { 0 } else { size / 2 };
        let mut coupling = |_| {
            let first = (random.bits() % (size as u64 - 7)) as u32;
            let p = Vec3::new(random.unit(), random.unit(), random.unit());
            Coupling {
                vertices: [first + 4, first, first + 2, first + 7],
                weights: [1.0, -0.2, -0.8, 0.0],
                block: crate::math::outer(p, p),
            }
        };
        (0..count).map(&mut coupling).collect()
    }

    /// Against a dense product, over several chunks and far columns; and the energy `xᵀAx`.
    #[test]
    fn product_matches_the_dense_one() {
        let mut random = Random::new(3);
        for size in [1, 2, 700, 2500, 7001] {
            let mut matrix = random_matrix(size, &mut random);
            let x: Vec<Vec3> =
                (0..size).map(|_| Vec3::new(random.unit(), random.unit(), random.unit())).collect();
            let mut dense: Vec<Vec3> = (0..size).map(|i| matrix.diagonal[i] * x[i]).collect();
            let couplings = random_couplings(size, &mut random);
            for c in &couplings {
                let sum: Vec3 = (0..4).map(|k| x[c.vertices[k] as usize] * c.weights[k]).sum();
                for k in 0..4 {
                    dense[c.vertices[k] as usize] += c.block * sum * c.weights[k];
                }
            }
            matrix.couple(&couplings);
            for i in 0..size {
                for k in matrix.pattern().row(i) {
                    let j = matrix.pattern().column(k);
                    dense[i] += matrix.lower[k].transpose() * x[j];
                    dense[j] += matrix.lower[k] * x[i];
                }
            }
            let mut y = vec![Vec3::ZERO; size];
            matrix.multiply(&x, &mut y);
            for (a, b) in y.iter().zip(&dense) {
                assert!(a.distance(*b) < 1e-12);
            }
            let energy: f64 = x.iter().zip(&dense).map(|(x, y)| x.dot(*y)).sum();
            let found = matrix.multiply_unmerged(&x, &mut y);
            assert!((found - energy).abs() < 1e-12 * size as f64);
        }
    }
}
