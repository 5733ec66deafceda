//! A face as four patches, each of them again as four, as often as its edges were cut (OS6).

use super::edge_length::{Fold, shape};
use super::pn_triangle::{Curve, PnTriangle, edge_curve, reversed};
use crate::math::Vec3;

/// Most pieces of an edge: four folds.
pub(super) const MOST_PIECES: usize = 8;

/// One side of a face: its pieces and the normals at the cuts between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pieces: [Curve; MOST_PIECES],
    normals: [Vec3; MOST_PIECES],
    count: usize,
}

impl Side {
    /// Copies an edge, backwards if its direction is not the face's.
    pub fn new(pieces: &[Curve], normals: &[Vec3], backwards: bool) -> Self {
        let mut side = Self {
            pieces: [[Vec3::ZERO; 4]; MOST_PIECES],
            normals: [Vec3::ZERO; MOST_PIECES],
            count: pieces.len(),
        };
        let n = pieces.len();
        for k in 0..n {
            side.pieces[k] = if backwards { reversed(&pieces[n - 1 - k]) } else { pieces[k] };
        }
        for k in 0..n - 1 {
            side.normals[k] = if backwards { normals[n - 2 - k] } else { normals[k] };
        }
        side
    }

    fn middle(&self) -> (Vec3, Vec3) {
        let half = self.count / 2;
        (self.pieces[half][0], self.normals[half - 1])
    }

    fn half(&self, second: bool) -> Self {
        let n = self.count / 2;
        let at = if second { n } else { 0 };
        Self::new(&self.pieces[at..at + n], &self.normals[at..at + n - 1], false)
    }

    fn turned(&self) -> Self {
        Self::new(&self.pieces[..self.count], &self.normals[..self.count - 1], true)
    }
}

/// A face with its sides cut, and what lengths its inner sides should have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Unit normals of the corners.
    pub normals: [Vec3; 3],
    /// Side `k` runs from corner `k` to the next.
    pub sides: [Side; 3],
    /// Fold of every side; an inner side gets half of the side it is parallel to.
    pub folds: Option<[Fold; 3]>,
}

impl Face {
    /// Calls `emit` with every patch and its number, in the numbering of the tessellation.
    pub fn patches(&self, number: usize, emit: &mut impl FnMut(usize, &PnTriangle)) {
        if self.sides[0].count == 1 {
            let [a, b, c] = &self.sides;
            let patch = PnTriangle::from_sides([&a.pieces[0], &b.pieces[0], &c.pieces[0]]);
            emit(number, &patch);
            return;
        }
        let halved = self.folds.map(|folds| folds.map(|f| f.halved()));
        let middles = self.sides.map(|side| side.middle());
        // Inner side k cuts off corner k: from the middle of side k to that of the side before.
        let inner = [0, 1, 2].map(|k| self.inner_side(k, &middles, halved.as_ref()));
        for k in 0..3 {
            let (next, last) = ((k + 1) % 3, (k + 2) % 3);
            let corner = Self {
                normals: [self.normals[k], middles[k].1, middles[last].1],
                sides: [self.sides[k].half(false), inner[k], self.sides[last].half(true)],
                folds: halved.map(|f| [f[k], f[next], f[last]]),
            };
            corner.patches(4 * number + k, emit);
        }
        let middle = Self {
            normals: [middles[1].1, middles[2].1, middles[0].1],
            sides: [inner[2].turned(), inner[0].turned(), inner[1].turned()],
            folds: halved,
        };
        middle.patches(4 * number + 3, emit);
    }

    fn inner_side(&self, k: usize, middles: &[(Vec3, Vec3); 3], folds: Option<&[Fold; 3]>) -> Side {
        let ((p, n), (q, m)) = (middles[k], middles[(k + 2) % 3]);
        let curve = edge_curve([p, q], [n, m]);
        let count = self.sides[0].count / 2;
        let mut side = Side::new(&[curve], &[], false);
        side.count = count;
        let fold = folds.map(|f| &f[(k + 1) % 3]);
        shape(&curve, [n, m], fold, &mut side.pieces[..count], &mut side.normals[..count - 1]);
        side
    }
}
