//! The rows of one chunk, being filled.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::Linearised;
use super::block::Block;
use super::elements::{ChunkElements, Inflow};
use crate::linalg::{BlockMatrix, Pattern};
use crate::math::lanes::{Eight, Four, Simd, Vector, each, fetch, four, transpose};
use crate::math::{Mat3, Vec3};
use fearless_simd::prelude::*;
use std::ops::Range;

/// How many blocks ahead memory is asked for while rows are cleared: the hardware looks ahead only to the end of a page.
const AHEAD: usize = 64;

/// Force and shifted force of a vertex \[N\], each with a fourth number that means nothing: a line of the cache, and one
/// register where those are as wide.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Forces([f64; 8]);

/// Position, velocity and shift of a vertex, one after the other.
pub(super) type Point = [f64; 9];

/// Differences of three vectors of each element to those of another vertex: of positions, velocities and shifts.
#[derive(Clone, Copy)]
pub(super) struct Apart<S: Simd> {
    pub x: Vector<Four<S>>,
    pub v: Vector<Four<S>>,
    pub shift: Vector<Four<S>>,
}

impl<S: Simd> Apart<S> {
    /// From the points at `from` to those at `to`.
    #[inline(always)]
    pub fn new(simd: S, points: &[Point], from: &[u32; 4], to: &[u32; 4]) -> Self {
        let a = each(|lane| &points[from[lane] as usize]);
        let b = each(|lane| &points[to[lane] as usize]);
        let part = |p: &Point, k: usize| Four::from_slice(simd, &p[k..k + 4]);
        let head = transpose(each(|lane| part(b[lane], 0) - part(a[lane], 0)));
        let tail = transpose(each(|lane| part(b[lane], 4) - part(a[lane], 4)));
        let last = four(simd, each(|lane| b[lane][8] - a[lane][8]));
        Self {
            x: Vector { x: head[0], y: head[1], z: head[2] },
            v: Vector { x: head[3], y: tail[0], z: tail[1] },
            shift: Vector { x: tail[2], y: tail[3], z: last },
        }
    }
}

/// What a chunk needs for itself, and what it adds to rows of later ones; kept between solves.
#[derive(Clone, Debug, Default)]
pub(super) struct Beyond {
    /// The vertices of the chunk's own rows, of those beyond, and of those before.
    pub points: Vec<Point>,
    /// Forces of the chunk's own rows, and then of those beyond.
    pub forces: Vec<Forces>,
    /// Diagonal blocks, not yet symmetric.
    pub diagonal: Vec<Mat3>,
    /// Lower blocks.
    pub lower: Vec<Mat3>,
}

impl Beyond {
    pub fn new(elements: &ChunkElements, rows: usize) -> Self {
        let beyond = elements.rows_beyond.len();
        Self {
            points: vec![Point::default(); rows + beyond + elements.rows_before.len()],
            forces: vec![Forces::default(); rows + beyond],
            diagonal: vec![Mat3::ZERO; beyond],
            lower: vec![Mat3::ZERO; elements.blocks_beyond.len()],
        }
    }
}

/// The rows of one chunk.
pub(super) struct Rows<'a> {
    range: Range<usize>,
    diagonal: &'a mut [Mat3],
    lower: &'a mut [Mat3],
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
        let (mut diagonal, mut lower) =
            (matrix.diagonal.as_mut_slice(), matrix.lower.as_mut_slice());
        let (mut force, mut shifted) = (force, shifted);
        let chunk = |c: usize| {
            let range = pattern.chunk(c);
            let (count, blocks) = (range.len(), pattern.blocks(range.clone()).len());
            Self {
                range,
                diagonal: diagonal.split_off_mut(..count).unwrap_or_default(),
                lower: lower.split_off_mut(..blocks).unwrap_or_default(),
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
            self.lower[elements.blocks_beyond[i] as usize - first] += beyond.lower[i];
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

#[inline(always)]
fn point(x: Vec3, v: Vec3, shift: Vec3) -> Point {
    [x.x, x.y, x.z, v.x, v.y, v.z, shift.x, shift.y, shift.z]
}

/// Force and shifted force.
#[inline(always)]
fn apart(forces: &Forces) -> [Vec3; 2] {
    let [x, y, z, _, a, b, c, _] = forces.0;
    [Vec3::new(x, y, z), Vec3::new(a, b, c)]
}

/// The rows of one chunk, being filled by its own elements.
pub(super) struct Chunk<'a, 'b> {
    pub rows: &'a mut Rows<'b>,
    pub beyond: &'a mut Beyond,
}

impl Chunk<'_, '_> {
    /// Takes over the vertices of rows of others, and clears what the chunk has for those beyond.
    pub fn begin(&mut self, elements: &ChunkElements, at: &Linearised) {
        let Self { rows, beyond } = self;
        let own = rows.range.len();
        let others = elements.rows_beyond.iter().chain(&elements.rows_before);
        for (there, &row) in beyond.points[own..].iter_mut().zip(others) {
            let row = row as usize;
            *there = point(at.x[row], at.v[row], at.shift[row]);
        }
        beyond.forces[own..].fill(Forces::default());
        beyond.diagonal.fill(Mat3::ZERO);
        beyond.lower.fill(Mat3::ZERO);
    }

    /// Takes over the vertices of some of its rows, counted from the first, and clears those rows.
    #[inline(always)]
    pub fn clear<S: Simd>(
        &mut self,
        simd: S,
        pattern: &Pattern,
        (mass, at): (&[f64], &Linearised),
        local: Range<usize>,
    ) {
        let Self { rows, beyond } = self;
        let blocks = rows.blocks(pattern, &local);
        let own = rows.range.start + local.start..rows.range.start + local.end;
        let masses = &mass[own.clone()];
        for (block, mass) in rows.diagonal[local.clone()].iter_mut().zip(masses) {
            *block = Mat3::from_diagonal(Vec3::splat(*mass));
        }
        let zero = four(simd, [0.0; 4]);
        let nothing = Block { fours: [zero; 2], last: 0.0 };
        for block in &mut rows.lower[blocks] {
            fetch(simd, std::ptr::from_ref(block).wrapping_add(AHEAD));
            nothing.store(block);
        }
        for forces in &mut beyond.forces[local.clone()] {
            zero.combine(zero).store_slice(&mut forces.0);
        }
        let vectors = at.x[own.clone()].iter().zip(&at.v[own.clone()]).zip(&at.shift[own]);
        for (there, ((x, v), shift)) in beyond.points[local].iter_mut().zip(vectors) {
            *there = point(*x, *v, *shift);
        }
    }

    /// What elements add to.
    #[inline(always)]
    pub fn sums(&mut self) -> Sums<'_> {
        let Beyond { points, forces, diagonal, lower } = &mut *self.beyond;
        Sums {
            points,
            forces,
            diagonal: [self.rows.diagonal, diagonal],
            lower: [self.rows.lower, lower],
        }
    }

    /// Completes the diagonal of some rows, counted from the first: elastic forces do not change when all
    /// vertices move together, so every row of the matrix sums to its mass. A block counts for its row and,
    /// transposed, for its column: of the diagonal only the symmetric part is kept, so no block need be
    /// transposed. `columns_beyond` goes on where it was left at the row before.
    #[inline(always)]
    pub fn close<S: Simd>(
        &mut self,
        simd: S,
        pattern: &Pattern,
        local: Range<usize>,
        columns_beyond: &mut std::slice::Iter<u32>,
    ) {
        let Self { rows, beyond } = self;
        let blocks = rows.blocks(pattern, &local);
        let Rows { range, diagonal, lower, force, shifted } = &mut **rows;
        let mut blocks = lower[blocks].iter();
        let start = range.start as u32;
        for local in local {
            let mut sum = Block::of(simd, &Mat3::ZERO);
            let columns = pattern.columns(pattern.row(range.start + local));
            for (column, block) in columns.iter().zip(&mut blocks) {
                let block = Block::of(simd, block);
                sum = sum + block;
                if let Some(diagonal) = diagonal.get_mut(column.wrapping_sub(start) as usize) {
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
    #[inline(always)]
    pub fn close_beyond<S: Simd>(&mut self, simd: S, elements: &ChunkElements) {
        let Beyond { diagonal, lower, .. } = &mut *self.beyond;
        for (&[row, column], block) in elements.pairs_beyond.iter().zip(&*lower) {
            let block = Block::of(simd, block);
            block.take_from(&mut diagonal[row as usize]);
            block.take_from(&mut diagonal[column as usize]);
        }
    }
}

/// Vertices, and the sums that elements add to: of a chunk's own rows, and then of those beyond.
pub(super) struct Sums<'a> {
    pub points: &'a [Point],
    forces: &'a mut [Forces],
    diagonal: [&'a mut [Mat3]; 2],
    lower: [&'a mut [Mat3]; 2],
}

impl Sums<'_> {
    /// Adds to force and shifted force of the vertex at `place`.
    #[inline(always)]
    pub fn add_forces<S: Simd>(&mut self, place: u32, add: Eight<S>) {
        let Forces(sum) = &mut self.forces[place as usize];
        (Eight::from_slice(add.simd, sum) + add).store_slice(sum);
    }

    /// Adds to the diagonal block of the vertex at `place`.
    #[inline(always)]
    pub fn add_diagonal<S: Simd>(&mut self, place: u32, add: Block<S>) {
        add.add_to(entry(&mut self.diagonal, place));
    }

    /// Adds to a lower block.
    #[inline(always)]
    pub fn add_lower<S: Simd>(&mut self, block: u32, add: Block<S>) {
        add.add_to(entry(&mut self.lower, block));
    }
}

/// An entry of the chunk's own, or of what lies beyond.
#[inline(always)]
fn entry<'a>([own, beyond]: &'a mut [&mut [Mat3]; 2], place: u32) -> &'a mut Mat3 {
    let (place, count) = (place as usize, own.len());
    match own.get_mut(place) {
        Some(entry) => entry,
        None => elsewhere(beyond, place, count),
    }
}

#[cold]
#[inline(never)]
fn elsewhere(beyond: &mut [Mat3], place: usize, count: usize) -> &mut Mat3 {
    &mut beyond[place - count]
}

#[inline(always)]
fn symmetric(block: &Mat3) -> Mat3 {
    (*block + block.transpose()) * 0.5
}
