//! 3×3 blocks in vector registers.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use crate::math::Mat3;
use crate::math::lanes::{Four, Simd, each, four, transpose};
use fearless_simd::prelude::*;

/// A 3×3 block as it is stored, column by column.
type Entries = [f64; 9];

/// A block in registers: entries 0 to 7 in fours, and the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<S: Simd> {
    pub fours: [Four<S>; 2],
    pub last: f64,
}

impl<S: Simd> Block<S> {
    /// The blocks of all lanes, from entries column by column.
    #[inline(always)]
    pub fn of_lanes(e: &[Four<S>; 9]) -> [Self; 4] {
        let (head, tail) =
            (transpose([e[0], e[1], e[2], e[3]]), transpose([e[4], e[5], e[6], e[7]]));
        let last: [f64; 4] = e[8].into();
        let of = |lane: usize| Self { fours: [head[lane], tail[lane]], last: last[lane] };
        each(of)
    }

    #[inline(always)]
    pub fn of(simd: S, block: &Mat3) -> Self {
        let e: &Entries = block.as_ref();
        Self {
            fours: [Four::from_slice(simd, &e[..4]), Four::from_slice(simd, &e[4..8])],
            last: e[8],
        }
    }

    /// The outer product `row columnᵀ`.
    #[inline(always)]
    pub fn outer(row: &Row<S>, column: &Column<S>) -> Self {
        Self {
            fours: [row.fours[0] * column.fours[0], row.fours[1] * column.fours[1]],
            last: row.last * column.last,
        }
    }

    /// Adds this to a stored block.
    #[inline(always)]
    pub fn add_to(self, block: &mut Mat3) {
        (Self::of(self.fours[0].simd, block) + self).store(block);
    }

    /// Takes this away from a stored block.
    #[inline(always)]
    pub fn take_from(self, block: &mut Mat3) {
        let old = Self::of(self.fours[0].simd, block);
        let fours = [old.fours[0] - self.fours[0], old.fours[1] - self.fours[1]];
        Self { fours, last: old.last - self.last }.store(block);
    }

    #[inline(always)]
    pub fn store(self, block: &mut Mat3) {
        let entries: &mut Entries = block.as_mut();
        self.fours[0].store_slice(&mut entries[..4]);
        self.fours[1].store_slice(&mut entries[4..8]);
        entries[8] = self.last;
    }
}

impl<S: Simd> std::ops::Add for Block<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        let fours = [self.fours[0] + b.fours[0], self.fours[1] + b.fours[1]];
        Self { fours, last: self.last + b.last }
    }
}

/// A vector as the entries of a block meet the number of their row: `(x, y, z, x)`, `(y, z, x, y)`, `z`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<S: Simd> {
    fours: [Four<S>; 2],
    last: f64,
}

impl<S: Simd> Row<S> {
    /// Of the first three numbers.
    #[inline(always)]
    pub fn new(vector: Four<S>) -> Self {
        let [x, y, z, _] = vector.into();
        let simd = vector.simd;
        Self { fours: [four(simd, [x, y, z, x]), four(simd, [y, z, x, y])], last: z }
    }
}

/// A vector as the entries of a block meet the number of their column: `(x, x, x, y)`, `(y, y, z, z)`, `z`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<S: Simd> {
    fours: [Four<S>; 2],
    last: f64,
}

impl<S: Simd> Column<S> {
    /// Of the first three numbers.
    #[inline(always)]
    pub fn new(vector: Four<S>) -> Self {
        let [x, y, z, _] = vector.into();
        let simd = vector.simd;
        Self { fours: [four(simd, [x, x, x, y]), four(simd, [y, y, z, z])], last: z }
    }
}
