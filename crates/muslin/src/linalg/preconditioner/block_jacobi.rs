//! Block-Jacobi: the inverse of every diagonal block, BW's preconditioner with whole blocks (BW9).

use super::factor::inverse_of_definite;
use super::held::HeldMatrix;
use crate::linalg::Pattern;
use crate::math::{Mat3, Vec3};

/// The inverse diagonal blocks of one chunk.
#[derive(Clone, Debug, Default)]
pub(in crate::linalg) struct BlockJacobi {
    inverse: Vec<Mat3>,
}

impl BlockJacobi {
    /// Refills the blocks. A block that is not positive definite becomes the identity divided by its
    /// largest diagonal entry, or the identity where even that is not positive.
    pub fn refill(&mut self, pattern: &Pattern, chunk: usize, fine: &HeldMatrix) {
        self.inverse.clear();
        self.inverse.extend(pattern.chunk(chunk).map(|i| {
            let block = fine.diagonal(i);
            inverse_of_definite(&block).unwrap_or_else(|| {
                let largest = block.x_axis.x.max(block.y_axis.y).max(block.z_axis.z);
                let scale = 1.0 / largest;
                let usable = largest > 0.0 && scale > 0.0 && scale.is_finite();
                Mat3::from_diagonal(Vec3::splat(if usable { scale } else { 1.0 }))
            })
        }));
    }

    /// `z = P⁻¹ r`; returns `rᵀz`.
    pub fn solve(&self, r: &[Vec3], z: &mut [Vec3]) -> f64 {
        let mut product = 0.0;
        for ((z, r), inverse) in z.iter_mut().zip(r).zip(&self.inverse) {
            *z = *inverse * *r;
            product += z.dot(*r);
        }
        product
    }
}
