//! A face as four patches, each of them again as four, as often as its edges were cut (OS6).

use super::edge_length::{Fold, length, shape};
use super::pn_triangle::{Curve, PnTriangle, edge_curve, reversed};
use crate::math::Vec3;

/// Most pieces of an edge: four folds.
pub(super) const MOST_PIECES: usize = 8;

/// One side of a face: its pieces and the normals at the cuts between them, as its edge has them or
/// the other way round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pieces: &'a [Curve],
    normals: &'a [Vec3],
    backwards: bool,
}

impl<'a> Side<'a> {
    /// A side along an edge, or against it.
    pub fn new(pieces: &'a [Curve], normals: &'a [Vec3], backwards: bool) -> Self {
        Self { pieces, normals, backwards }
    }

    fn only_piece(&self) -> Curve {
        if self.backwards { reversed(&self.pieces[0]) } else { self.pieces[0] }
    }

    fn middle(&self) -> (Vec3, Vec3) {
        let half = self.pieces.len() / 2;
        (self.pieces[half][0], self.normals[half - 1])
    }

    fn half(&self, second: bool) -> Self {
        let half = self.pieces.len() / 2;
        let (pieces, normals) = if second == self.backwards {
            (&self.pieces[..half], &self.normals[..half - 1])
        } else {
            (&self.pieces[half..], &self.normals[half..])
        };
        Self { pieces, normals, backwards: self.backwards }
    }

    fn turned(&self) -> Self {
        Self { backwards: !self.backwards, ..*self }
    }
}

/// A face with its sides cut, and what lengths its inner sides should have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face<'a> {
    /// Side `k` runs from corner `k` to the next.
    pub sides: [Side<'a>; 3],
    /// Fold of every side; an inner side gets half of the side it is parallel to.
    pub folds: Option<[Fold; 3]>,
}

impl Face<'_> {
    /// Calls `emit` with every patch and its number, in the numbering of the tessellation.
    pub fn patches(&self, number: usize, emit: &mut impl FnMut(usize, &PnTriangle)) {
        if self.sides[0].pieces.len() == 1 {
            let [a, b, c] = self.sides.map(|side| side.only_piece());
            emit(number, &PnTriangle::from_sides([&a, &b, &c]));
            return;
        }
        let halved = self.folds.map(|folds| folds.map(|f| f.halved()));
        let middles = self.sides.map(|side| side.middle());
        // Inner side k cuts off corner k: from the middle of side k to that of the side before.
        let mut pieces = [[[Vec3::ZERO; 4]; MOST_PIECES / 2]; 3];
        let mut normals = [[Vec3::ZERO; MOST_PIECES / 2]; 3];
        let count = self.sides[0].pieces.len() / 2;
        for k in 0..3 {
            let ((p, n), (q, m)) = (middles[k], middles[(k + 2) % 3]);
            let curve = edge_curve([p, q], [n, m]);
            let fold = halved.as_ref().map(|f| &f[(k + 1) % 3]);
            let (out, cuts) = (&mut pieces[k][..count], &mut normals[k][..count - 1]);
            let start = if fold.is_some() { length(&curve) } else { 0.0 };
            shape((&curve, start), [n, m], fold, out, cuts);
        }
        let inner = |k: usize| Side::new(&pieces[k][..count], &normals[k][..count - 1], false);
        for k in 0..3 {
            let (next, last) = ((k + 1) % 3, (k + 2) % 3);
            let corner = Face {
                sides: [self.sides[k].half(false), inner(k), self.sides[last].half(true)],
                folds: halved.map(|f| [f[k], f[next], f[last]]),
            };
            corner.patches(4 * number + k, emit);
        }
        let middle = Face {
            sides: [inner(2).turned(), inner(0).turned(), inner(1).turned()],
            folds: halved,
        };
        middle.patches(4 * number + 3, emit);
    }
}
