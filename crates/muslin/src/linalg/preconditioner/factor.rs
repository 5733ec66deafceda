//! The block factorisation `A ≈ (I + W) D (I + Wᵀ)`, `W` strictly upper: incomplete on a given pattern,
//! exact on a pattern that holds all fill.
//!
//! Rows are eliminated from the last to the first, so that `W` stands where the upper half of a
//! [`BlockMatrix`](crate::linalg::BlockMatrix) stands. With `U = W D`:
//!
//! ```text
//! U_ij = A_ij − Σ_{m>j} U_im W_jmᵀ        (only where (i, j) is in the pattern)
//! W_ij = U_ij D_j⁻¹,     D_i = A_ii − Σ_j W_ij U_ijᵀ
//! ```
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use crate::linalg::row_product::{across, columns, columns_of_single, splat, spread, vector};
use crate::math::lanes::{Four, Simd, load};
use crate::math::{Mat3, Vec3};
use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};

/// Smallest `det D / (d00 d11 d22)` of a trusted pivot. Stiff cloth makes 1e-7 (mass against
/// stiffness); below this bound the digits of the determinant are rounding.
const SMALLEST_PIVOT: f64 = 1e-13;

/// One product of the elimination: `U[target] −= U[left] W[right]ᵀ`.
#[derive(Clone, Copy, Debug)]
struct Update {
    /// Index in the row.
    target: u32,
    /// Index in the row.
    left: u32,
    /// Index in all of `W`.
    right: u32,
}

/// How a block of `W` is kept: a solve reads all of them twice, and waits for memory.
pub(super) trait Stored: Copy + Default {
    /// The block, rounded; `None` where it cannot be kept.
    fn keep(block: Mat3) -> Option<Self>;
    /// The block.
    fn block(&self) -> Mat3;
    /// Its columns in registers.
    fn columns<S: Simd>(&self, simd: S) -> [Four<S>; 3];
}

/// As it is, for exact factors.
impl Stored for Mat3 {
    #[inline]
    fn keep(block: Mat3) -> Option<Self> {
        Some(block)
    }

    #[inline]
    fn block(&self) -> Mat3 {
        *self
    }

    #[inline(always)]
    fn columns<S: Simd>(&self, simd: S) -> [Four<S>; 3] {
        columns(simd, self)
    }
}

/// In half the bytes, for incomplete factors: rounding by 6e-8 is nothing beside what they leave out. The
/// preconditioner stays symmetric and definite whatever `W` is.
impl Stored for glam::Mat3 {
    #[inline]
    fn keep(block: Mat3) -> Option<Self> {
        let kept = block.as_mat3();
        kept.is_finite().then_some(kept)
    }

    #[inline]
    fn block(&self) -> Mat3 {
        self.as_dmat3()
    }

    #[inline(always)]
    fn columns<S: Simd>(&self, simd: S) -> [Four<S>; 3] {
        columns_of_single(simd, self)
    }
}

/// Pattern and values of one factor, in its own numbering from zero.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockFactor<B> {
    row_starts: Vec<u32>,
    columns: Vec<u32>,
    update_starts: Vec<u32>,
    updates: Vec<Update>,
    /// `Wᵀ`, block by block, in the order of the rows of `W`.
    weights: Vec<B>,
    /// `D⁻¹`.
    inverse: Vec<Mat3>,
    /// `U` of the row in work, column by column.
    row: Vec<[[f64; 4]; 3]>,
}

impl<B: Stored> BlockFactor<B> {
    /// A factor on a pattern: the columns of every row, increasing and larger than the row.
    pub fn new<'a>(rows: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut factor = Self { row_starts: vec![0], ..Self::default() };
        for row in rows {
            factor.columns.extend(row);
            factor.row_starts.push(factor.columns.len() as u32);
        }
        factor.update_starts.push(0);
        for row in 0..factor.size() {
            factor.list_updates(row);
            factor.update_starts.push(factor.updates.len() as u32);
        }
        factor.weights = vec![B::default(); factor.columns.len()];
        factor.inverse = vec![Mat3::ZERO; factor.size()];
        factor
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.row_starts.len() - 1
    }

    /// Columns of a row.
    pub fn columns(&self, row: usize) -> &[u32] {
        &self.columns[self.range(row)]
    }

    /// Refills the values. `diagonal(i)` and `upper(i, k)`, block `k` of row `i`, are the matrix;
    /// diagonals are taken `1 + shift` times. `None` when a pivot is not positive definite or a weight
    /// cannot be kept.
    pub fn refill(
        &mut self,
        shift: f64,
        diagonal: impl Fn(usize) -> Mat3,
        upper: impl Fn(usize, usize) -> Mat3,
    ) -> Option<()> {
        dispatch!(Level::new(), simd => self.refill_in(simd, shift, &diagonal, &upper))
    }

    #[inline(always)]
    fn refill_in<S: Simd>(
        &mut self,
        simd: S,
        shift: f64,
        diagonal: &impl Fn(usize) -> Mat3,
        upper: &impl Fn(usize, usize) -> Mat3,
    ) -> Option<()> {
        for i in (0..self.size()).rev() {
            let range = self.range(i);
            self.row.clear();
            for k in 0..range.len() {
                self.row.push(padded(&upper(i, k)));
            }
            let updates = self.update_starts[i] as usize..self.update_starts[i + 1] as usize;
            for update in &self.updates[updates] {
                let left = loaded(simd, &self.row[update.left as usize]);
                let [a, b, c] = times(left, &self.weights[update.right as usize].block());
                let target = &mut self.row[update.target as usize];
                let [x, y, z] = loaded(simd, target);
                (x - a).store_slice(&mut target[0]);
                (y - b).store_slice(&mut target[1]);
                (z - c).store_slice(&mut target[2]);
            }
            let mut pivot = columns(simd, &(diagonal(i) * (1.0 + shift)));
            for (u, k) in self.row.iter().zip(range) {
                let weight = times(loaded(simd, u), &self.inverse[self.columns[k] as usize]);
                // Of `weight uᵀ` column j is `weight` times row j of `u`.
                for (j, pivot) in pivot.iter_mut().enumerate() {
                    *pivot -= sum(weight, Vec3::new(u[0][j], u[1][j], u[2][j]));
                }
                self.weights[k] = B::keep(block(weight).transpose())?;
            }
            self.inverse[i] = inverse_of_definite(&block(pivot))?;
        }
        Some(())
    }

    /// `z = A⁻¹ r` as far as the factor knows; returns `rᵀz`.
    pub fn solve(&self, r: &[Vec3], z: &mut [Vec3]) -> f64 {
        dispatch!(Level::new(), simd => self.solve_in(simd, r, z))
    }

    #[inline(always)]
    fn solve_in<S: Simd>(&self, simd: S, r: &[Vec3], z: &mut [Vec3]) -> f64 {
        // (I + W) y = r, last row first.
        for i in (0..self.size()).rev() {
            let mut sums = [Four::splat(simd, 0.0); 3];
            let range = self.range(i);
            // The next row comes last: it has only just been found.
            let blocks = self.weights[range.clone()].iter().zip(&self.columns[range]);
            for (weight, &column) in blocks.rev() {
                let ([a, b, c], z) = (weight.columns(simd), spread(simd, z[column as usize]));
                sums = [sums[0] + a * z, sums[1] + b * z, sums[2] + c * z];
            }
            z[i] = r[i] - across(sums);
        }
        for (z, inverse) in z.iter_mut().zip(&self.inverse) {
            let ([a, b, c], [x, y, last]) = (columns(simd, inverse), splat(simd, *z));
            *z = vector(a * x + b * y + c * last);
        }
        // (I + Wᵀ) z = D⁻¹ y, first row first.
        let mut product = 0.0;
        for i in 0..self.size() {
            let z_i = z[i];
            product += z_i.dot(r[i]);
            let [x, y, z_i] = splat(simd, z_i);
            let range = self.range(i);
            for (weight, &column) in self.weights[range.clone()].iter().zip(&self.columns[range]) {
                let [a, b, c] = weight.columns(simd);
                z[column as usize] -= vector(a * x + b * y + c * z_i);
            }
        }
        product
    }

    #[inline]
    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.row_starts[row] as usize..self.row_starts[row + 1] as usize
    }

    /// All `(j, m)` of a row with `(j, m)` in the pattern too, the largest `j` first: what a product
    /// reads is finished by then.
    fn list_updates(&mut self, row: usize) {
        let range = self.range(row);
        for target in (0..range.len()).rev() {
            let mut theirs = self.range(self.columns[range.start + target] as usize);
            for left in target + 1..range.len() {
                let column = self.columns[range.start + left];
                while theirs.start < theirs.end && self.columns[theirs.start] < column {
                    theirs.start += 1;
                }
                if theirs.start < theirs.end && self.columns[theirs.start] == column {
                    let [target, left, right] = [target, left, theirs.start].map(|k| k as u32);
                    self.updates.push(Update { target, left, right });
                }
            }
        }
    }
}

/// The columns of a block, each with a fourth number that means nothing.
#[inline(always)]
fn padded(block: &Mat3) -> [[f64; 4]; 3] {
    let [a, b, c, d, e, f, g, h, i] = block.to_cols_array();
    [[a, b, c, 0.0], [d, e, f, 0.0], [g, h, i, 0.0]]
}

/// Those in registers.
#[inline(always)]
fn loaded<S: Simd>(simd: S, columns: &[[f64; 4]; 3]) -> [Four<S>; 3] {
    [load(simd, &columns[0]), load(simd, &columns[1]), load(simd, &columns[2])]
}

/// The block with these columns.
#[inline(always)]
fn block<S: Simd>([x, y, z]: [Four<S>; 3]) -> Mat3 {
    Mat3::from_cols(vector(x), vector(y), vector(z))
}

/// The columns of `A B`, of `A` with columns `a`.
#[inline(always)]
fn times<S: Simd>(a: [Four<S>; 3], b: &Mat3) -> [Four<S>; 3] {
    [sum(a, b.x_axis), sum(a, b.y_axis), sum(a, b.z_axis)]
}

/// The columns of a block times the numbers of a vector.
#[inline(always)]
fn sum<S: Simd>([a, b, c]: [Four<S>; 3], v: Vec3) -> Four<S> {
    let [x, y, z] = splat(a.simd, v);
    a * x + b * y + c * z
}

/// Inverse of a symmetric positive definite block, exactly symmetric; `None` for any other block.
#[inline]
pub(super) fn inverse_of_definite(m: &Mat3) -> Option<Mat3> {
    let (a, b, c) = (m.x_axis.x, m.x_axis.y, m.x_axis.z);
    let (d, e, f) = (m.y_axis.y, m.y_axis.z, m.z_axis.z);
    // Cofactors of the first column, the last principal minors and the determinant.
    let (ca, cb, cc) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let (cd, ce, cf) = (a * f - c * c, b * c - a * e, a * d - b * b);
    let determinant = a * ca + b * cb + c * cc;
    let definite = a > 0.0 && cf > 0.0 && determinant > SMALLEST_PIVOT * a * d * f;
    let s = 1.0 / determinant;
    (definite && s.is_finite()).then(|| {
        let (ca, cb, cc) = (ca * s, cb * s, cc * s);
        let (cd, ce, cf) = (cd * s, ce * s, cf * s);
        Mat3::from_cols(Vec3::new(ca, cb, cc), Vec3::new(cb, cd, ce), Vec3::new(cc, ce, cf))
    })
}
