//! The rows of one chunk, being filled.

use super::elements::{ChunkElements, Inflow};
use crate::linalg::{BlockMatrix, Pattern};
use crate::math::lanes::{Two, TwoVec3, transpose};
use crate::math::{Mat3, Vec3};
use std::ops::Range;

/// A 3×3 block as it is stored, column by column.
type Entries = [f64; 9];

/// A vector spread over registers: `(a_x, a_y)`, `(a_z, a_x)`, `(a_y, a_z)`. That is a column of a block
/// and the first third of the next, and so on; or twice the vector, for a force and its shifted one.
pub(super) type Spread = [Two; 3];

/// Force and shifted force of a vertex \[N\], one after the other: `(f_x, f_y)`, `(f_z, s_x)`, `(s_y, s_z)`.
pub(super) type Forces = [Two; 3];

/// A block in registers: entries 0 to 7 in pairs, and the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub pairs: [Two; 4],
    pub last: f64,
}

impl Block {
    /// The blocks of both lanes, from entries column by column.
    #[inline]
    pub fn of_lanes(e: &[Two; 9]) -> [Self; 2] {
        let [a, b] = [transpose(e[0], e[1]), transpose(e[2], e[3])];
        let [c, d] = [transpose(e[4], e[5]), transpose(e[6], e[7])];
        let last = e[8].to_array();
        [
            Self { pairs: [a[0], b[0], c[0], d[0]], last: last[0] },
            Self { pairs: [a[1], b[1], c[1], d[1]], last: last[1] },
        ]
    }

    #[inline]
    fn of(block: &Mat3) -> Self {
        let e: &Entries = block.as_ref();
        let pair = |k: usize| Two::new([e[k], e[k + 1]]);
        Self { pairs: [pair(0), pair(2), pair(4), pair(6)], last: e[8] }
    }

    /// The outer product `row columnᵀ`.
    #[inline]
    pub fn outer(row: &Spread, column: &Spread) -> Self {
        let [[x, y], [z, _]] = [column[0].to_array(), column[1].to_array()];
        Self {
            pairs: [
                row[0] * Two::splat(x),
                row[1] * column[0],
                row[2] * Two::splat(y),
                row[0] * Two::splat(z),
            ],
            last: row[1].to_array()[0] * z,
        }
    }

    /// Adds this to a stored block.
    #[inline]
    fn add_to(self, block: &mut Mat3) {
        (Self::of(block) + self).store(block);
    }

    /// Takes this away from a stored block.
    #[inline]
    fn take_from(self, block: &mut Mat3) {
        let old = Self::of(block);
        let ([p, q, r, s], [t, u, v, w]) = (old.pairs, self.pairs);
        Self { pairs: [p - t, q - u, r - v, s - w], last: old.last - self.last }.store(block);
    }

    #[inline]
    fn store(self, block: &mut Mat3) {
        let entries: &mut Entries = block.as_mut();
        let [[a, b], [c, d]] = [self.pairs[0].to_array(), self.pairs[1].to_array()];
        let [[e, f], [g, h]] = [self.pairs[2].to_array(), self.pairs[3].to_array()];
        *entries = [a, b, c, d, e, f, g, h, self.last];
    }
}

impl std::ops::Add for Block {
    type Output = Self;

    #[inline]
    fn add(self, b: Self) -> Self {
        let ([p, q, r, s], [t, u, v, w]) = (self.pairs, b.pairs);
        Self { pairs: [p + t, q + u, r + v, s + w], last: self.last + b.last }
    }
}

/// Vectors of both lanes, spread.
#[inline]
pub(super) fn spread(TwoVec3 { x, y, z }: TwoVec3) -> [Spread; 2] {
    let (xy, zx, yz) = (transpose(x, y), transpose(z, x), transpose(y, z));
    [[xy[0], zx[0], yz[0]], [xy[1], zx[1], yz[1]]]
}

/// What a chunk adds to rows of later ones, kept between solves.
#[derive(Clone, Debug, Default)]
pub(super) struct Beyond {
    /// Forces of the chunk's own rows, and then of those beyond.
    pub forces: Vec<Forces>,
    /// Diagonal blocks, not yet symmetric.
    pub diagonal: Vec<Mat3>,
    /// Upper blocks.
    pub upper: Vec<Mat3>,
}

impl Beyond {
    pub fn new(elements: &ChunkElements, rows: usize) -> Self {
        let beyond = elements.rows_beyond.len();
        Self {
            forces: vec![[Two::splat(0.0); 3]; rows + beyond],
            diagonal: vec![Mat3::ZERO; beyond],
            upper: vec![Mat3::ZERO; elements.blocks_beyond.len()],
        }
    }
}

/// The rows of one chunk.
pub(super) struct Rows<'a> {
    range: Range<usize>,
    diagonal: &'a mut [Mat3],
    upper: &'a mut [Mat3],
    force: &'a mut [Vec3],
    shifted: &'a mut [Vec3],
}

impl<'a> Rows<'a> {
    /// The rows of all chunks: of the matrix, the forces and the shifted forces.
    pub fn of_chunks(
        pattern: &Pattern,
        matrix: &'a mut BlockMatrix,
        [force, shifted]: [&'a mut [Vec3]; 2],
    ) -> Vec<Self> {
        let (mut diagonal, mut upper) =
            (matrix.diagonal.as_mut_slice(), matrix.upper.as_mut_slice());
        let (mut force, mut shifted) = (force, shifted);
        let chunk = |c: usize| {
            let range = pattern.chunk(c);
            let (count, blocks) = (range.len(), pattern.blocks(range.clone()).len());
            Self {
                range,
                diagonal: diagonal.split_off_mut(..count).unwrap_or_default(),
                upper: upper.split_off_mut(..blocks).unwrap_or_default(),
                force: force.split_off_mut(..count).unwrap_or_default(),
                shifted: shifted.split_off_mut(..count).unwrap_or_default(),
            }
        };
        (0..pattern.chunk_count()).map(chunk).collect()
    }

    /// Positions of the blocks of some rows, all counted from the chunk's first.
    fn blocks(&self, pattern: &Pattern, local: &Range<usize>) -> Range<usize> {
        let start = self.range.start;
        let first = pattern.row(start).start;
        let blocks = pattern.blocks(start + local.start..start + local.end);
        blocks.start - first..blocks.end - first
    }

    /// Adds what an earlier chunk has for this one.
    pub fn merge(&mut self, pattern: &Pattern, from: (&ChunkElements, &Beyond), inflow: &Inflow) {
        let (elements, beyond) = from;
        let first = pattern.blocks(self.range.clone()).start;
        for i in inflow.blocks.clone() {
            self.upper[elements.blocks_beyond[i] as usize - first] += beyond.upper[i];
        }
        let own = beyond.forces.len() - beyond.diagonal.len();
        for i in inflow.rows.clone() {
            let row = elements.rows_beyond[i] as usize - self.range.start;
            self.diagonal[row] += symmetric(&beyond.diagonal[i]);
            let [force, shifted] = apart(&beyond.forces[own + i]);
            self.force[row] += force;
            self.shifted[row] += shifted;
        }
    }
}

/// Force and shifted force.
#[inline]
fn apart(forces: &Forces) -> [Vec3; 2] {
    let [a, b, c] = forces;
    let [[fx, fy], [fz, sx], [sy, sz]] = [a.to_array(), b.to_array(), c.to_array()];
    [Vec3::new(fx, fy, fz), Vec3::new(sx, sy, sz)]
}

/// The rows of one chunk, being filled by its own elements.
pub(super) struct Chunk<'a, 'b> {
    pub rows: &'a mut Rows<'b>,
    pub beyond: &'a mut Beyond,
}

impl Chunk<'_, '_> {
    /// Clears what the chunk has for rows of others.
    pub fn clear_beyond(&mut self) {
        let Self { rows, beyond } = self;
        beyond.forces[rows.range.len()..].fill([Two::splat(0.0); 3]);
        beyond.diagonal.fill(Mat3::ZERO);
        beyond.upper.fill(Mat3::ZERO);
    }

    /// Clears some of its rows, counted from the first.
    pub fn clear(&mut self, pattern: &Pattern, mass: &[f64], local: Range<usize>) {
        let Self { rows, beyond } = self;
        let masses = &mass[rows.range.clone()][local.clone()];
        for (block, mass) in rows.diagonal[local.clone()].iter_mut().zip(masses) {
            *block = Mat3::from_diagonal(Vec3::splat(*mass));
        }
        let blocks = rows.blocks(pattern, &local);
        rows.upper[blocks].fill(Mat3::ZERO);
        beyond.forces[local].fill([Two::splat(0.0); 3]);
    }

    /// Adds to the forces of the vertex at `place`.
    #[inline]
    pub fn add_forces(&mut self, place: u32, add: &Forces) {
        let forces = &mut self.beyond.forces[place as usize];
        let [a, b, c] = *forces;
        *forces = [a + add[0], b + add[1], c + add[2]];
    }

    /// Adds to the diagonal block of the vertex at `place`.
    #[inline]
    pub fn add_diagonal(&mut self, place: u32, add: Block) {
        add.add_to(entry(self.rows.diagonal, &mut self.beyond.diagonal, place));
    }

    /// Adds to an upper block.
    #[inline]
    pub fn add_upper(&mut self, block: u32, add: Block) {
        add.add_to(entry(self.rows.upper, &mut self.beyond.upper, block));
    }

    /// Completes the diagonal of some rows, counted from the first: elastic forces do not change when all
    /// vertices move together, so every row of the matrix sums to its mass. A block counts for its row and,
    /// transposed, for its column: of the diagonal only the symmetric part is kept, so no block need be
    /// transposed. `columns_beyond` goes on where it was left at the row before.
    pub fn close(
        &mut self,
        pattern: &Pattern,
        local: Range<usize>,
        columns_beyond: &mut std::slice::Iter<u32>,
    ) {
        let Self { rows, beyond } = self;
        let blocks = rows.blocks(pattern, &local);
        let Rows { range, diagonal, upper, force, shifted } = &mut **rows;
        let mut blocks = upper[blocks].iter();
        for local in local {
            let mut sum = Block::of(&Mat3::ZERO);
            for (k, block) in pattern.row(range.start + local).zip(&mut blocks) {
                let block = Block::of(block);
                sum = sum + block;
                if let Some(diagonal) = diagonal.get_mut(pattern.column(k) - range.start) {
                    block.take_from(diagonal);
                } else if let Some(&column) = columns_beyond.next()
                    && let Some(diagonal) = beyond.diagonal.get_mut(column as usize)
                {
                    block.take_from(diagonal);
                }
            }
            // Blocks of later rows never reach this one: it is complete.
            let block = &mut diagonal[local];
            sum.take_from(block);
            *block = symmetric(block);
            [force[local], shifted[local]] = apart(&beyond.forces[local]);
        }
    }

    /// Completes what the chunk has for diagonals of others.
    pub fn close_beyond(&mut self, elements: &ChunkElements) {
        let Beyond { diagonal, upper, .. } = &mut *self.beyond;
        for (&[row, column], block) in elements.pairs_beyond.iter().zip(&*upper) {
            let block = Block::of(block);
            block.take_from(&mut diagonal[row as usize]);
            block.take_from(&mut diagonal[column as usize]);
        }
    }
}

/// An entry of the chunk's own, or of what lies beyond.
#[inline]
fn entry<'a>(own: &'a mut [Mat3], beyond: &'a mut [Mat3], place: u32) -> &'a mut Mat3 {
    let (place, count) = (place as usize, own.len());
    if place < count { &mut own[place] } else { &mut beyond[place - count] }
}

#[inline]
fn symmetric(block: &Mat3) -> Mat3 {
    (*block + block.transpose()) * 0.5
}
