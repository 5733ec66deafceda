//! Blocks in vector registers, and the product of one row of a symmetric matrix.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use crate::math::lanes::{Four, Simd, four};
use crate::math::{Mat3, Vec3};
use fearless_simd::f32x4;
use fearless_simd::prelude::*;

/// The columns of a block, each with a fourth number that means nothing.
#[inline(always)]
pub(super) fn columns<S: Simd>(simd: S, block: &Mat3) -> [Four<S>; 3] {
    let b: &[f64; 9] = block.as_ref();
    let last = Four::from_slice(simd, &b[5..]);
    [Four::from_slice(simd, &b[..4]), Four::from_slice(simd, &b[3..7]), last.slide::<1>(last)]
}

/// The same of a block in single precision.
#[inline(always)]
pub(super) fn columns_of_single<S: Simd>(simd: S, block: &glam::Mat3) -> [Four<S>; 3] {
    let b: &[f32; 9] = block.as_ref();
    let last = widened(simd, &b[5..]);
    [widened(simd, &b[..4]), widened(simd, &b[3..7]), last.slide::<1>(last)]
}

/// Four numbers of single precision.
#[inline(always)]
fn widened<S: Simd>(simd: S, numbers: &[f32]) -> Four<S> {
    let four = f32x4::from_slice(simd, numbers);
    simd.widen_f32x8(four.combine(four)).0
}

/// A vector, and a fourth number that means nothing.
#[inline(always)]
pub(super) fn spread<S: Simd>(simd: S, v: Vec3) -> Four<S> {
    four(simd, [v.x, v.y, v.z, v.z])
}

/// Each number of a vector in all lanes.
#[inline(always)]
pub(super) fn splat<S: Simd>(simd: S, v: Vec3) -> [Four<S>; 3] {
    [Four::splat(simd, v.x), Four::splat(simd, v.y), Four::splat(simd, v.z)]
}

/// The first three numbers.
#[inline(always)]
pub(super) fn vector<S: Simd>(four: Four<S>) -> Vec3 {
    let [x, y, z, _] = four.into();
    Vec3::new(x, y, z)
}

/// For each number the sum of its first three lanes.
#[inline(always)]
pub(super) fn across<S: Simd>(sums: [Four<S>; 3]) -> Vec3 {
    let [[a, b, c, _], [d, e, f, _], [g, h, i, _]]: [[f64; 4]; 3] =
        [sums[0].into(), sums[1].into(), sums[2].into()];
    Vec3::new((a + b) + c, (d + e) + f, (g + h) + i)
}

/// Sums over the blocks of a row, in registers.
///
/// What is stored of a pair of rows `i < j` is `A_ji`, column by column, and its columns are the rows of `A_ij`: so
/// `A_ji x_i` is a sum of columns, and the numbers of `A_ij x_j` are added up across lanes once a row.
pub(super) struct RowProduct<S: Simd> {
    simd: S,
    /// The numbers of the row's own `x`, each in all lanes.
    own: [Four<S>; 3],
    /// For each number of the row the products that make it, in three lanes. The fourth means nothing.
    sums: [Four<S>; 3],
}

impl<S: Simd> RowProduct<S> {
    #[inline(always)]
    pub fn new(simd: S, own: Vec3) -> Self {
        Self { simd, own: splat(simd, own), sums: [Four::splat(simd, 0.0); 3] }
    }

    /// Adds the pair with a later row, of which `A_ji` is stored: `A_ij x` to this row, and `A_ji` times this row's
    /// own `x` to the later one.
    #[inline(always)]
    pub fn add(&mut self, stored: &Mat3, x: Vec3, later: &mut Vec3) {
        let [a, b, c] = columns(self.simd, stored);
        let x = spread(self.simd, x);
        self.sums = [self.sums[0] + a * x, self.sums[1] + b * x, self.sums[2] + c * x];
        *later += vector(a * self.own[0] + b * self.own[1] + c * self.own[2]);
    }

    /// The sum of all `A_ij x`.
    #[inline(always)]
    pub fn sum(&self) -> Vec3 {
        across(self.sums)
    }
}
