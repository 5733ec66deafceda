//! A matrix with its constraints: what every preconditioner is built from.

use crate::linalg::{BlockMatrix, Constraint, Filter, Pattern};
use crate::math::{Mat3, Vec3};
use std::ops::Range;

/// Marks a free vertex.
const FREE: u32 = u32::MAX;

/// The constraints of a solve, ordered by vertex and cut like the rows of the matrix.
#[derive(Clone, Debug, Default)]
pub(in crate::linalg) struct Held {
    constraints: Vec<Constraint>,
    /// Per chunk: where its constraints start; one more at the end.
    chunk_starts: Vec<usize>,
    /// Per vertex: its constraint, or [`FREE`].
    slots: Vec<u32>,
}

impl Held {
    /// Takes over the constraints of a solve.
    pub fn refill(&mut self, filter: &Filter, pattern: &Pattern) {
        self.constraints.clear();
        self.constraints.extend(filter.constraints());
        self.constraints.sort_by_key(|c| c.vertex);
        self.slots.clear();
        self.slots.resize(pattern.size(), FREE);
        for (slot, c) in self.constraints.iter().enumerate() {
            self.slots[c.vertex as usize] = slot as u32;
        }
        let before = |row: usize| self.constraints.partition_point(|c| (c.vertex as usize) < row);
        self.chunk_starts.clear();
        self.chunk_starts
            .extend((0..=pattern.chunk_count()).map(|c| before(c * pattern.chunk_rows())));
    }

    /// `a ← S a` for the rows of a chunk, which start at row `start`.
    #[inline]
    pub fn apply(&self, chunk: usize, start: usize, a: &mut [Vec3]) {
        for c in &self.constraints[self.of_chunk(chunk)] {
            let slot = &mut a[c.vertex as usize - start];
            *slot = c.allowed * *slot;
        }
    }

    fn of_chunk(&self, chunk: usize) -> Range<usize> {
        self.chunk_starts[chunk]..self.chunk_starts[chunk + 1]
    }

    fn allowed(&self, vertex: usize) -> Option<&Mat3> {
        self.constraints.get(self.slots[vertex] as usize).map(|c| &c.allowed)
    }
}

/// `Ã = S A S + (I − S) tr(A_ii)/3`: positive definite on the whole space, and what CG sees of `A` on
/// the free part.
#[derive(Clone, Copy, Debug)]
pub(in crate::linalg) struct HeldMatrix<'a> {
    /// `A`.
    pub matrix: &'a BlockMatrix,
    /// `S`.
    pub held: &'a Held,
}

impl HeldMatrix<'_> {
    /// Diagonal block `i`.
    #[inline]
    pub fn diagonal(&self, i: usize) -> Mat3 {
        let block = self.matrix.diagonal[i];
        self.held.allowed(i).map_or(block, |s| {
            let mean = (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0;
            *s * block * *s + (Mat3::IDENTITY - *s) * mean
        })
    }

    /// Upper block `k`, of row `i` and column `j`.
    #[inline]
    pub fn upper(&self, k: usize, i: usize, j: usize) -> Mat3 {
        let block = self.matrix.lower[k].transpose();
        if self.held.slots[i] & self.held.slots[j] == FREE {
            return block;
        }
        let left = self.held.allowed(i).map_or(block, |s| *s * block);
        self.held.allowed(j).map_or(left, |s| left * *s)
    }
}
