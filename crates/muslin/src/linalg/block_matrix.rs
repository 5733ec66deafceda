//! Symmetric sparse matrices of 3×3 blocks (BW8): diagonal and upper half stored, pattern built once.

use super::coupling::{Coupling, Couplings};
use super::pattern::Pattern;
use crate::math::lanes::{Two, transpose};
use crate::math::{Mat3, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

/// A symmetric matrix over a [`Pattern`].
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Arc<Pattern>,
    /// Diagonal blocks.
    pub diagonal: Vec<Mat3>,
    /// Blocks above the diagonal, in the order of the pattern.
    pub upper: Vec<Mat3>,
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
            upper: vec![Mat3::ZERO; pattern.upper_count()],
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
        let Self { pattern, diagonal, upper, couplings, spill } = self;
        let rows = pattern.chunk_rows();
        let chunks = y.par_chunks_mut(rows).zip(spill.par_iter_mut()).enumerate();
        let energies: Vec<f64> = chunks
            .map(|(c, (y, spill))| multiply_chunk(pattern, diagonal, upper, c, x, y, spill))
            .collect();
        energies.iter().sum::<f64>() + couplings.begin(x)
    }

    /// The sum of all blocks, both halves: the mass of the whole, where rows sum to masses.
    pub(super) fn sum(&self) -> Mat3 {
        let chunks = (0..self.pattern.chunk_count()).into_par_iter().map(|c| {
            let rows = self.pattern.chunk(c);
            let blocks = self.pattern.blocks(rows.clone());
            let upper: Mat3 = self.upper[blocks].iter().sum();
            self.diagonal[rows].iter().sum::<Mat3>() + upper + upper.transpose()
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

/// The rows of one chunk: `y` gets what falls inside, `spill` the rest. Returns the chunk's part of
/// `xᵀAx = Σ x_i·(A_ii x_i + 2 Σ_{j>i} A_ij x_j)`.
fn multiply_chunk(
    pattern: &Pattern,
    diagonal: &[Mat3],
    upper: &[Mat3],
    chunk: usize,
    x: &[Vec3],
    y: &mut [Vec3],
    spill: &mut [Vec3],
) -> f64 {
    let rows = pattern.chunk(chunk);
    let x_inner = &x[rows.clone()];
    y.fill(Vec3::ZERO);
    spill.fill(Vec3::ZERO);
    let mut slots = pattern.spills[chunk].slots.iter();
    let mut energy = 0.0;
    for (local, row) in rows.clone().enumerate() {
        let mut product = RowProduct::new(x_inner[local]);
        let inner = pattern.inner(row);
        for (block, &column) in upper[inner.clone()].iter().zip(&pattern.columns[inner]) {
            let column = column as usize - rows.start;
            product.add(block, x_inner[column], &mut y[column]);
        }
        let outer = pattern.outer(row);
        let blocks = upper[outer.clone()].iter().zip(&pattern.columns[outer]);
        for ((block, &column), &slot) in blocks.zip(&mut slots) {
            product.add(block, x[column as usize], &mut spill[slot as usize]);
        }
        let (own, sum) = (diagonal[row] * x_inner[local], product.sum());
        energy += x_inner[local].dot(own + sum + sum);
        y[local] += own + sum;
    }
    energy
}

/// The product of one row, two entries of a block at a time. A block is stored column by column, so its pairs of
/// entries belong to the rows (x, y), (z, x), (y, z), (x, y), and the last to z.
struct RowProduct {
    /// The row's own `x` as the pairs of a column meet it: `(x, y)`, `(z, x)`, `(y, z)`.
    own: [Two; 3],
    z: f64,
    /// Sums over pairs.
    pairs: [Two; 4],
    /// Sum over last entries.
    last: f64,
}

impl RowProduct {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else sums are kept in memory")]
    fn new(Vec3 { x, y, z }: Vec3) -> Self {
        let own = [Two::new([x, y]), Two::new([z, x]), Two::new([y, z])];
        Self { own, z, pairs: [Two::splat(0.0); 4], last: 0.0 }
    }

    /// Adds block `B` of a column: `B x` to the row, and `Bᵀ` times the row's own `x` to the column.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else sums are kept in memory")]
    fn add(&mut self, block: &Mat3, x: Vec3, column: &mut Vec3) {
        let b: &[f64; 9] = block.as_ref();
        let (p, q) = (Two::new([b[0], b[1]]), Two::new([b[2], b[3]]));
        let (r, s) = (Two::new([b[4], b[5]]), Two::new([b[6], b[7]]));
        self.pairs[0] += p * Two::splat(x.x);
        self.pairs[1] += q * Two::new([x.x, x.y]);
        self.pairs[2] += r * Two::splat(x.y);
        self.pairs[3] += s * Two::splat(x.z);
        self.last += b[8] * x.z;
        let [first, second] = transpose(p * self.own[0], r * self.own[2]);
        let xy = Two::new([column.x, column.y]) + ((first + second) + q * self.own[1]);
        let [zx, zy] = (s * self.own[0]).to_array();
        [column.x, column.y] = xy.to_array();
        column.z += (zx + zy) + b[8] * self.z;
    }

    /// The sum of all `B x`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else sums are kept in memory")]
    fn sum(&self) -> Vec3 {
        let [xy, zx, yz] = [self.pairs[0] + self.pairs[3], self.pairs[1], self.pairs[2]];
        let ([x, y], [z, more_x], [more_y, more_z]) = (xy.to_array(), zx.to_array(), yz.to_array());
        Vec3::new(x + more_x, y + more_y, (z + more_z) + self.last)
    }
}

/// `Bᵀ x`.
#[inline]
pub(super) fn transpose_times(block: &Mat3, x: Vec3) -> Vec3 {
    Vec3::new(block.x_axis.dot(x), block.y_axis.dot(x), block.z_axis.dot(x))
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
        for u in &mut matrix.upper {
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
                    dense[i] += matrix.upper[k] * x[j];
                    dense[j] += matrix.upper[k].transpose() * x[i];
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
