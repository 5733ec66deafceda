//! Four boxes side by side, compared with four others at once.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::aabb::Aabb;
use crate::math::Vec3;
use crate::math::lanes::{Four, Simd, load};
use fearless_simd::prelude::*;

/// Of the 16 pairs of lanes of two groups, bit `4i + j` for lanes `i` and `j`: those with `j > i`.
pub(crate) const LATER: u64 = 0b0000_1000_1100_1110;
/// Those with `j = i`.
pub(crate) const ITSELF: u64 = 0b1000_0100_0010_0001;

/// Four boxes: least and greatest coordinates along x, y and z \[m\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxGroup {
    min: [[f64; 4]; 3],
    max: [[f64; 4]; 3],
}

impl BoxGroup {
    /// Four boxes of nothing, which overlap nothing.
    pub const EMPTY: Self = Self { min: [[f64::INFINITY; 4]; 3], max: [[f64::NEG_INFINITY; 4]; 3] };

    /// Replaces the box in one lane.
    #[inline]
    pub fn set(&mut self, lane: usize, bounds: &Aabb) {
        for axis in 0..3 {
            self.min[axis][lane] = bounds.min[axis];
            self.max[axis][lane] = bounds.max[axis];
        }
    }

    /// The box around all four.
    pub fn bounds(&self) -> Aabb {
        let least = |[a, b, c, d]: [f64; 4]| a.min(b).min(c.min(d));
        let most = |[a, b, c, d]: [f64; 4]| a.max(b).max(c.max(d));
        let ([x, y, z], [u, v, w]) = (self.min, self.max);
        Aabb {
            min: Vec3::new(least(x), least(y), least(z)),
            max: Vec3::new(most(u), most(v), most(w)),
        }
    }

    /// One bit for each box of `other` that overlaps box `lane` of this.
    #[inline(always)]
    pub fn overlaps<S: Simd>(&self, simd: S, lane: usize, other: &Self) -> u64 {
        let along = |axis: usize| {
            let low = Four::splat(simd, self.min[axis][lane]);
            let high = Four::splat(simd, self.max[axis][lane]);
            load(simd, &other.max[axis]).simd_ge(low) & load(simd, &other.min[axis]).simd_le(high)
        };
        (along(0) & along(1) & along(2)).to_bitmask()
    }

    /// One bit for each pair of lanes whose boxes overlap: bit `4i + j` for lane `i` of this and `j` of `other`.
    #[inline(always)]
    pub fn all_overlaps<S: Simd>(&self, simd: S, other: &Self) -> u64 {
        let mut all = 0;
        for lane in 0..4 {
            all |= self.overlaps(simd, lane, other) << (4 * lane);
        }
        all
    }
}
