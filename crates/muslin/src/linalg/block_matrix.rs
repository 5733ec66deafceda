//! Symmetric sparse matrices of 3×3 blocks (BW8): diagonal and upper half stored, pattern built once.

use crate::math::{Mat3, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

/// Rows per chunk of a product. Fixed: the order of additions does not depend on threads (R4).
const ROWS: usize = 1024;

/// Where the blocks above the diagonal stand: row by row, columns increasing.
#[derive(Debug, PartialEq, Eq)]
pub struct Pattern {
    row_starts: Vec<u32>,
    columns: Vec<u32>,
    /// Per chunk of rows: one past its largest column, at least its own end.
    reach: Vec<u32>,
}

impl Pattern {
    /// The pattern that holds all `pairs` of different rows (any order, repeats allowed).
    pub fn new(size: usize, pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        let mut all: Vec<[u32; 2]> = pairs.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        all.par_sort_unstable();
        all.dedup();
        let mut row_starts = vec![0u32; size + 1];
        for [row, _] in &all {
            row_starts[*row as usize + 1] += 1;
        }
        for row in 0..size {
            row_starts[row + 1] += row_starts[row];
        }
        let columns: Vec<u32> = all.into_iter().map(|[_, column]| column).collect();
        let reach = (0..size)
            .step_by(ROWS)
            .map(|start| {
                let end = (start + ROWS).min(size);
                let range = row_starts[start] as usize..row_starts[end] as usize;
                let last = columns[range].iter().copied().max().unwrap_or(0);
                (last + 1).max(end as u32)
            })
            .collect();
        Self { row_starts, columns, reach }
    }

    /// Number of block rows.
    pub fn size(&self) -> usize {
        self.row_starts.len() - 1
    }

    /// Number of blocks above the diagonal.
    pub fn upper_count(&self) -> usize {
        self.columns.len()
    }

    /// Positions of the blocks of `row` in the list of upper blocks.
    pub fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.row_starts[row] as usize..self.row_starts[row + 1] as usize
    }

    /// Column of upper block `index`.
    pub fn column(&self, index: usize) -> usize {
        self.columns[index] as usize
    }

    /// Position of block (`row`, `column`) with `row < column`, if it is stored.
    pub fn find(&self, row: u32, column: u32) -> Option<usize> {
        let range = self.row(row as usize);
        let start = range.start;
        self.columns[range].binary_search(&column).ok().map(|k| start + k)
    }
}

/// A symmetric matrix over a [`Pattern`].
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Arc<Pattern>,
    /// Diagonal blocks.
    pub diagonal: Vec<Mat3>,
    /// Blocks above the diagonal, in the order of the pattern.
    pub upper: Vec<Mat3>,
    /// What each chunk adds to rows after its own, kept between products.
    spill: Vec<Vec<Vec3>>,
}

impl BlockMatrix {
    /// The zero matrix.
    pub fn new(pattern: Arc<Pattern>) -> Self {
        let spill = pattern
            .reach
            .iter()
            .enumerate()
            .map(|(c, &reach)| {
                let end = ((c + 1) * ROWS).min(pattern.size());
                vec![Vec3::ZERO; reach as usize - end]
            })
            .collect();
        Self {
            diagonal: vec![Mat3::ZERO; pattern.size()],
            upper: vec![Mat3::ZERO; pattern.upper_count()],
            pattern,
            spill,
        }
    }

    /// Where the blocks stand.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// `y = A x`: every stored block is read once and used for its row and its column.
    pub fn multiply(&mut self, x: &[Vec3], y: &mut [Vec3]) {
        let Self { pattern, diagonal, upper, spill } = self;
        y.par_chunks_mut(ROWS).zip(spill.par_iter_mut()).enumerate().for_each(|(c, (y, spill))| {
            let start = c * ROWS;
            for (slot, (d, x)) in y.iter_mut().zip(diagonal[start..].iter().zip(&x[start..])) {
                *slot = *d * *x;
            }
            spill.fill(Vec3::ZERO);
            let end = start + y.len();
            for row in start..end {
                let x_row = x[row];
                let range = pattern.row(row);
                let mut sum = Vec3::ZERO;
                for (block, &column) in upper[range.clone()].iter().zip(&pattern.columns[range]) {
                    let column = column as usize;
                    sum += *block * x[column];
                    let transposed = transpose_times(block, x_row);
                    if column < end {
                        y[column - start] += transposed;
                    } else {
                        spill[column - end] += transposed;
                    }
                }
                y[row - start] += sum;
            }
        });
        for (c, spill) in spill.iter().enumerate() {
            let end = ((c + 1) * ROWS).min(y.len());
            for (slot, add) in y[end..].iter_mut().zip(spill) {
                *slot += *add;
            }
        }
    }
}

/// `Bᵀ x`.
#[inline]
fn transpose_times(block: &Mat3, x: Vec3) -> Vec3 {
    Vec3::new(block.x_axis.dot(x), block.y_axis.dot(x), block.z_axis.dot(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn random_matrix(size: usize, random: &mut Random) -> BlockMatrix {
        let pairs: Vec<[u32; 2]> = (0..size * 4)
            .map(|_| [0, 1].map(|_| (random.bits() % size as u64) as u32))
            .filter(|[a, b]| a != b)
            .collect();
        let mut matrix = BlockMatrix::new(Arc::new(Pattern::new(size, pairs.into_iter())));
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

    /// Against a dense product, over several chunks and far columns.
    #[test]
    fn product_matches_the_dense_one() {
        let mut random = Random::new(3);
        for size in [1, 2, 700, 3000] {
            let mut matrix = random_matrix(size, &mut random);
            let x: Vec<Vec3> =
                (0..size).map(|_| Vec3::new(random.unit(), random.unit(), random.unit())).collect();
            let mut dense: Vec<Vec3> = (0..size).map(|i| matrix.diagonal[i] * x[i]).collect();
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
        }
    }
}
