//! The points of a field: integers in units of the finest cell, numbered along a space-filling curve.

use crate::collide::aabb::Aabb;
use crate::math::Vec3;

/// A point of the lattice, in units of the finest cell.
pub(super) type Point = [u32; 3];

/// Most cells along a side: coordinates have 20 bits, so that three fit a key.
pub(super) const MOST_CELLS: u32 = 1 << 20;

/// Where the points of a field are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lattice {
    /// The lowest point \[m\].
    pub origin: Vec3,
    /// Side of the finest cells \[m\].
    pub cell: f64,
    /// Sizes of cells besides the finest.
    pub levels: u32,
    /// Coarsest cells along each axis.
    pub roots: [u32; 3],
}

impl Lattice {
    /// A lattice around a box.
    pub fn around(bounds: &Aabb, cell: f64, levels: u32) -> Self {
        let root = cell * f64::from(1u32 << levels);
        let roots = ((bounds.max - bounds.min) / root).ceil().max(Vec3::ONE);
        let origin = (bounds.min + bounds.max - roots * root) * 0.5;
        Self { origin, cell, levels, roots: roots.to_array().map(|n| n as u32) }
    }

    /// The place of a point \[m\].
    #[inline]
    pub fn place(&self, [x, y, z]: Point) -> Vec3 {
        self.origin + Vec3::new(f64::from(x), f64::from(y), f64::from(z)) * self.cell
    }

    /// Side of the cells of a level in units of the finest; level 0 is the coarsest.
    #[inline]
    pub fn side(&self, level: u32) -> u32 {
        1 << (self.levels - level)
    }

    /// Points along each axis.
    pub fn extent(&self) -> Point {
        self.roots.map(|n| n << self.levels)
    }

    /// The level whose cells first have this point as a corner.
    #[inline]
    pub fn level_of(&self, [x, y, z]: Point) -> u32 {
        self.levels - (x | y | z).trailing_zeros().min(self.levels)
    }

    /// The lowest corners of the coarsest cells, x fastest.
    pub fn root_cells(&self) -> impl Iterator<Item = Point> {
        let [nx, ny, nz] = self.roots;
        let at = move |i: u32| [i % nx, i / nx % ny, i / nx / ny].map(|c| c << self.levels);
        (0..nx * ny * nz).map(at)
    }
}

/// Corner `k` of a cell: bits 0, 1 and 2 of `k` say which side along x, y and z.
#[inline]
pub(super) fn corner([x, y, z]: Point, side: u32, k: u32) -> Point {
    [x + side * (k & 1), y + side * (k >> 1 & 1), z + side * (k >> 2)]
}

/// The number of a point along the space-filling curve (Morton order): neighbours get similar numbers.
#[inline]
pub(super) fn key([x, y, z]: Point) -> u64 {
    spread(x) | spread(y) << 1 | spread(z) << 2
}

/// The point of a key.
#[inline]
pub(super) fn point(key: u64) -> Point {
    [gather(key), gather(key >> 1), gather(key >> 2)]
}

/// Puts two zero bits after each of the lower 21 bits.
#[inline]
fn spread(x: u32) -> u64 {
    let mut x = u64::from(x) & 0x1f_ffff;
    x = (x | x << 32) & 0x1f_0000_0000_ffff;
    x = (x | x << 16) & 0x1f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

/// Undoes [`spread`].
#[inline]
fn gather(x: u64) -> u32 {
    let mut x = x & 0x1249_2492_4924_9249;
    x = (x | x >> 2) & 0x10c3_0c30_c30c_30c3;
    x = (x | x >> 4) & 0x100f_00f0_0f00_f00f;
    x = (x | x >> 8) & 0x1f_0000_ff00_00ff;
    x = (x | x >> 16) & 0x1f_0000_0000_ffff;
    (x | x >> 32) as u32 & 0x1f_ffff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    #[test]
    fn keys_name_points_one_to_one() {
        let mut random = Random::new(5);
        for _ in 0..1000 {
            let p = [0; 3].map(|_: u32| (random.bits() as u32) & (2 * MOST_CELLS - 1));
            assert_eq!(point(key(p)), p);
        }
        // The eight corners of a cell come in the order of their numbers.
        let keys: Vec<u64> = (0..8).map(|k| key(corner([4, 8, 16], 1, k))).collect();
        assert!(keys.is_sorted() && keys[7] == keys[0] + 7);
    }

    #[test]
    fn levels_are_those_of_the_first_cell_with_that_corner() {
        let lattice = Lattice { origin: Vec3::ZERO, cell: 1.0, levels: 3, roots: [2; 3] };
        let levels = [[0, 8, 16], [4, 8, 0], [2, 4, 4], [1, 8, 8]].map(|p| lattice.level_of(p));
        assert_eq!(levels, [0, 1, 2, 3]);
    }
}
