//! Where the blocks of a symmetric matrix stand, and into which chunks its rows are cut.

use crate::math::Vec2;
use rayon::prelude::*;
use std::ops::Range;

/// Most rows of a chunk. A chunk of this size, its matrix and its factor fit a second-level cache;
/// smaller chunks weaken the preconditioner (9 → 15 iterations from 1 to 16 chunks of 100² vertices).
const MOST_ROWS: usize = 3000;

/// Grid rows of a chunk of a large mesh, at least: strips of six grid rows need 225 iterations where strips of
/// twenty-four need 145 (500² vertices, eight solves). Such a matrix is streamed from memory anyway.
const LEAST_WIDTH: f64 = 24.0;

/// Matrices with fewer rows are one chunk: a fork costs more than it saves.
const LEAST_ROWS: usize = 2000;

/// What a chunk adds to rows of later chunks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Spill {
    /// Rows of later chunks that this one touches, increasing.
    pub rows: Vec<u32>,
    /// Per block that leaves the chunk, in storage order: index into `rows`.
    pub slots: Vec<u32>,
}

/// Part of another chunk's spill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inflow {
    /// The chunk it comes from.
    pub chunk: usize,
    /// Which of its spill rows.
    pub range: Range<usize>,
}

/// Where the blocks above the diagonal stand: row by row, columns increasing.
///
/// Rows are cut into chunks of equal length that depend on the size alone: all sums are made chunk by
/// chunk in this order, so their bits do not depend on threads (R4).
#[derive(Debug, PartialEq)]
pub struct Pattern {
    layout: Vec<Vec2>,
    row_starts: Vec<u32>,
    pub(super) columns: Vec<u32>,
    /// Per row: where its blocks leave the chunk. Columns increase, so those inside come first.
    inner_ends: Vec<u32>,
    chunk_rows: usize,
    pub(super) spills: Vec<Spill>,
    /// Per chunk: what earlier chunks add to its rows, in the order of chunks.
    pub(super) inflows: Vec<Vec<Inflow>>,
}

impl Pattern {
    /// The pattern that holds all `pairs` of different rows (any order, repeats allowed).
    ///
    /// `layout` is a place in the plane for every row, near each other for rows that are coupled: where
    /// the preconditioner cuts. It decides how fast systems are solved, not what comes out.
    pub fn new(layout: Vec<Vec2>, pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        let size = layout.len();
        let mut all: Vec<[u32; 2]> = pairs.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        all.par_sort_unstable();
        all.dedup();
        let mut row_starts = vec![0u32; size + 1];
        for [row, _] in &all {
            row_starts[*row as usize + 1] += 1;
        }
        for row in 0..size {
            row_starts[row + 1] += row_starts[row];
        }
        let mut pattern = Self {
            layout,
            row_starts,
            columns: all.into_iter().map(|[_, column]| column).collect(),
            inner_ends: Vec::with_capacity(size),
            chunk_rows: chunk_rows(size),
            spills: Vec::new(),
            inflows: Vec::new(),
        };
        for chunk in 0..pattern.chunk_count() {
            pattern.cut(chunk);
        }
        pattern.inflows = (0..pattern.chunk_count()).map(|c| pattern.inflow(c)).collect();
        pattern
    }

    /// A place in the plane for every row.
    pub fn layout(&self) -> &[Vec2] {
        &self.layout
    }

    /// Number of block rows.
    pub fn size(&self) -> usize {
        self.row_starts.len() - 1
    }

    /// Number of blocks above the diagonal.
    pub fn upper_count(&self) -> usize {
        self.columns.len()
    }

    /// Positions of the blocks of `row` in the list of blocks.
    #[inline]
    pub fn row(&self, row: usize) -> Range<usize> {
        self.row_starts[row] as usize..self.row_starts[row + 1] as usize
    }

    /// Positions of the blocks of consecutive rows.
    pub fn blocks(&self, rows: Range<usize>) -> Range<usize> {
        self.row_starts[rows.start] as usize..self.row_starts[rows.end] as usize
    }

    /// Columns of some blocks.
    #[inline]
    pub fn columns(&self, blocks: Range<usize>) -> &[u32] {
        &self.columns[blocks]
    }

    /// Column of block `index`.
    #[inline]
    pub fn column(&self, index: usize) -> usize {
        self.columns[index] as usize
    }

    /// Position of block (`row`, `column`) with `row < column`, if it is stored.
    pub fn find(&self, row: u32, column: u32) -> Option<usize> {
        let range = self.row(row as usize);
        let start = range.start;
        self.columns[range].binary_search(&column).ok().map(|k| start + k)
    }

    /// Rows per chunk; the last chunk may have fewer.
    pub fn chunk_rows(&self) -> usize {
        self.chunk_rows
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> usize {
        self.size().div_ceil(self.chunk_rows)
    }

    /// Rows of a chunk.
    pub fn chunk(&self, chunk: usize) -> Range<usize> {
        let start = chunk * self.chunk_rows;
        start..(start + self.chunk_rows).min(self.size())
    }

    /// Positions of the blocks of `row` whose column lies in the row's own chunk.
    #[inline]
    pub(super) fn inner(&self, row: usize) -> Range<usize> {
        self.row_starts[row] as usize..self.inner_ends[row] as usize
    }

    /// Per row: how many blocks have their column in the row's own chunk, and how many in a later one.
    #[inline]
    pub(super) fn lengths(&self, rows: Range<usize>) -> impl Iterator<Item = [usize; 2]> {
        let starts = self.row_starts[rows.start..=rows.end].windows(2);
        starts.zip(&self.inner_ends[rows]).map(|(ends, &inner)| match ends {
            &[start, end] => {
                [(inner.wrapping_sub(start)) as usize, end.wrapping_sub(inner) as usize]
            }
            _ => [0, 0],
        })
    }

    /// Finds where the rows of a chunk leave it, and what it spills.
    fn cut(&mut self, chunk: usize) {
        let rows = self.chunk(chunk);
        let end = rows.end as u32;
        let mut spilled = Vec::new();
        for row in rows.clone() {
            let range = self.row(row);
            let inside = self.columns[range.clone()].partition_point(|&column| column < end);
            self.inner_ends.push((range.start + inside) as u32);
            spilled.extend(&self.columns[range.start + inside..range.end]);
        }
        let mut touched = spilled.clone();
        touched.sort_unstable();
        touched.dedup();
        let slot = |column: &u32| touched.partition_point(|row| row < column) as u32;
        let slots = spilled.iter().map(slot).collect();
        self.spills.push(Spill { rows: touched, slots });
    }

    fn inflow(&self, chunk: usize) -> Vec<Inflow> {
        let rows = self.chunk(chunk);
        let before =
            |spill: &Spill, row: usize| spill.rows.partition_point(|&r| (r as usize) < row);
        let parts = self.spills[..chunk].iter().enumerate().map(|(c, spill)| Inflow {
            chunk: c,
            range: before(spill, rows.start)..before(spill, rows.end),
        });
        parts.filter(|part| !part.range.is_empty()).collect()
    }
}

/// Rows per chunk: an even number of chunks, so that two threads share them evenly.
fn chunk_rows(size: usize) -> usize {
    let most = MOST_ROWS.max((LEAST_WIDTH * (size as f64).sqrt()) as usize);
    let count = if size < LEAST_ROWS { 1 } else { 2 * size.div_ceil(2 * most) };
    size.div_ceil(count).max(1)
}
