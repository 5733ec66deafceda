//! Which elements a chunk of rows computes, and where their blocks go.

use crate::linalg::Pattern;
use std::ops::Range;

/// An element of `N` vertices with `P` pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<const N: usize, const P: usize> {
    /// Index in the cloth.
    pub index: u32,
    /// Its vertices, increasing: a pair of them is a row and a larger column.
    pub vertices: [u32; N],
    /// Their places in the chunk: a row of its own, or one beyond, counted on from its last.
    pub places: [u32; N],
    /// Which corner each of them is.
    pub corners: [u8; N],
    /// Blocks of the pairs (0,1), (0,2), …, (1,2), …, counted from the chunk's first; those of rows
    /// beyond are counted on from its last.
    pub blocks: [u32; P],
}

/// A triangle: three vertices, three pairs.
pub(super) type Triangle = Element<3, 3>;

/// A hinge: four vertices, six pairs.
pub(super) type Hinge = Element<4, 6>;

/// Four of a group of one to four elements: the last fills it up.
#[inline(always)]
#[expect(clippy::inline_always, reason = "part of what is dispatched to vector registers")]
pub(super) fn four_of<E>(group: &[E]) -> [&E; 4] {
    let last = group.len() - 1;
    [&group[0], &group[last.min(1)], &group[last.min(2)], &group[last]]
}

/// All elements whose first vertex is a row of the chunk, in the order of those. Their other vertices
/// may lie beyond: what they add there is kept apart and merged later, so that nobody writes into
/// another's rows.
#[derive(Clone, Debug, Default)]
pub(super) struct ChunkElements {
    pub triangles: Vec<Triangle>,
    pub hinges: Vec<Hinge>,
    /// Rows of later chunks that the elements touch, increasing.
    pub rows_beyond: Vec<u32>,
    /// Blocks of those rows that they touch, by position in the matrix, increasing.
    pub blocks_beyond: Vec<u32>,
    /// Row and column of each of those blocks, as positions in `rows_beyond`.
    pub pairs_beyond: Vec<[u32; 2]>,
    /// For every block of the chunk whose column lies beyond, in order: position in `rows_beyond`, or a
    /// number out of range where no element of this chunk adds to it.
    pub columns_beyond: Vec<u32>,
    /// What earlier chunks have for this one.
    pub inflows: Vec<Inflow>,
    /// The rows in parts that are filled one after the other.
    pub windows: Vec<Window>,
}

/// Rows of a window: as many as stay in a second-level cache together with those that their elements reach.
const WINDOW_ROWS: usize = 512;

/// Consecutive rows of a chunk. Elements that come first in later rows add nothing to them, so that a chunk is
/// filled in one sweep: a window is cleared, filled and completed before it leaves the cache.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// The rows, counted from the chunk's first.
    pub rows: Range<usize>,
    /// The first row after all of the chunk's that elements up to this window reach.
    pub reach: usize,
    /// Triangles whose first vertex is one of the rows.
    pub triangles: Range<usize>,
    /// Hinges whose first vertex is one of the rows.
    pub hinges: Range<usize>,
}

/// Parts of another chunk's `rows_beyond` and `blocks_beyond`.
#[derive(Clone, Debug)]
pub(super) struct Inflow {
    pub chunk: usize,
    pub rows: Range<usize>,
    pub blocks: Range<usize>,
}

impl ChunkElements {
    /// Deals out elements, given by their vertices corner by corner.
    pub fn distribute(
        pattern: &Pattern,
        triangles: impl Iterator<Item = [u32; 3]>,
        hinges: impl Iterator<Item = [u32; 4]>,
    ) -> Vec<Self> {
        let mut chunks = vec![Self::default(); pattern.chunk_count()];
        let chunk_of = |first: u32| first as usize / pattern.chunk_rows();
        for (index, corners) in triangles.enumerate() {
            let triangle = Element::new(index, corners);
            chunks[chunk_of(triangle.vertices[0])].triangles.push(triangle);
        }
        for (index, corners) in hinges.enumerate() {
            let hinge = Element::new(index, corners);
            chunks[chunk_of(hinge.vertices[0])].hinges.push(hinge);
        }
        for (c, chunk) in chunks.iter_mut().enumerate() {
            chunk.triangles.sort_by_key(|t| t.vertices[0]);
            chunk.hinges.sort_by_key(|h| h.vertices[0]);
            chunk.place(pattern, pattern.chunk(c));
        }
        for c in 1..chunks.len() {
            let (earlier, later) = chunks.split_at_mut(c);
            later[0].inflows = inflows(pattern, c, earlier);
        }
        chunks
    }

    /// Finds where everything goes.
    fn place(&mut self, pattern: &Pattern, rows: Range<usize>) {
        let blocks = pattern.blocks(rows.clone());
        let mut found = Vec::new();
        let mut all = Vec::new();
        self.triangles.iter_mut().for_each(|t| t.find(pattern, &mut all));
        self.hinges.iter_mut().for_each(|h| h.find(pattern, &mut all));
        for (block, pair) in all {
            if block as usize >= blocks.end {
                found.push((block, pair));
            }
            self.rows_beyond.extend(pair.iter().filter(|&&v| v as usize >= rows.end));
        }
        self.rows_beyond.sort_unstable();
        self.rows_beyond.dedup();
        found.sort_unstable();
        found.dedup();
        let beyond = |row: u32| self.rows_beyond.binary_search(&row).map_or(u32::MAX, |i| i as u32);
        self.blocks_beyond = found.iter().map(|(block, _)| *block).collect();
        self.pairs_beyond = found.iter().map(|(_, pair)| pair.map(beyond)).collect();
        let columns = blocks.clone().map(|k| pattern.column(k));
        self.columns_beyond =
            columns.filter(|&c| c >= rows.end).map(|c| beyond(c as u32)).collect();
        let (rows_beyond, blocks_beyond) = (&self.rows_beyond, &self.blocks_beyond);
        let row_place = |v: u32| local(v, &rows, rows_beyond);
        let block_place = |k: u32| local(k, &blocks, blocks_beyond);
        self.triangles.iter_mut().for_each(|t| t.place(row_place, block_place));
        self.hinges.iter_mut().for_each(|h| h.place(row_place, block_place));
        self.windows = self.cut(rows.len());
    }

    /// Cuts `count` rows into windows.
    fn cut(&self, count: usize) -> Vec<Window> {
        let own = |place: &u32| Some(*place as usize + 1).filter(|end| *end <= count);
        let (mut triangles, mut hinges, mut reach) = (0..0, 0..0, 0);
        let windows = (0..count).step_by(WINDOW_ROWS).map(|start| {
            let rows = start..(start + WINDOW_ROWS).min(count);
            triangles = triangles.end..first_from(&self.triangles, rows.end);
            hinges = hinges.end..first_from(&self.hinges, rows.end);
            let of_triangles = self.triangles[triangles.clone()].iter().flat_map(|t| &t.places);
            let of_hinges = self.hinges[hinges.clone()].iter().flat_map(|h| &h.places);
            let furthest = of_triangles.chain(of_hinges).filter_map(own).max();
            reach = reach.max(rows.end).max(furthest.unwrap_or(0));
            Window { rows, reach, triangles: triangles.clone(), hinges: hinges.clone() }
        });
        windows.collect()
    }
}

/// Position of the first element, by first rows, that comes at `row` or later.
fn first_from<const N: usize, const P: usize>(elements: &[Element<N, P>], row: usize) -> usize {
    elements.partition_point(|e| (e.places[0] as usize) < row)
}

/// A place in a range, or in the sorted list that follows it.
fn local(index: u32, own: &Range<usize>, beyond: &[u32]) -> u32 {
    if own.contains(&(index as usize)) {
        index - own.start as u32
    } else {
        (own.len() + beyond.partition_point(|&b| b < index)) as u32
    }
}

fn inflows(pattern: &Pattern, chunk: usize, earlier: &[ChunkElements]) -> Vec<Inflow> {
    let rows = pattern.chunk(chunk);
    let blocks = pattern.blocks(rows.clone());
    let part = |list: &[u32], range: &Range<usize>| {
        let before = |end: usize| list.partition_point(|&i| (i as usize) < end);
        before(range.start)..before(range.end)
    };
    let all = earlier.iter().enumerate().map(|(chunk, from)| Inflow {
        chunk,
        rows: part(&from.rows_beyond, &rows),
        blocks: part(&from.blocks_beyond, &blocks),
    });
    all.filter(|inflow| !inflow.rows.is_empty()).collect()
}

impl<const N: usize, const P: usize> Element<N, P> {
    fn new(index: usize, corners: [u32; N]) -> Self {
        let mut order: [u8; N] = std::array::from_fn(|c| c as u8);
        order.sort_unstable_by_key(|&c| corners[c as usize]);
        let vertices = order.map(|c| corners[c as usize]);
        Self { index: index as u32, vertices, places: [0; N], corners: order, blocks: [0; P] }
    }

    /// Finds the blocks in the matrix, and lists them with their rows and columns.
    fn find(&mut self, pattern: &Pattern, all: &mut Vec<(u32, [u32; 2])>) {
        let pairs = (0..N).flat_map(|c| (c + 1..N).map(move |d| [c, d]));
        for (block, pair) in self.blocks.iter_mut().zip(pairs) {
            let [row, column] = pair.map(|i| self.vertices[i]);
            if let Some(at) = pattern.find(row, column) {
                *block = at as u32;
                all.push((*block, [row, column]));
            }
        }
    }

    fn place(&mut self, row: impl Fn(u32) -> u32, block: impl Fn(u32) -> u32) {
        self.places = self.vertices.map(row);
        self.blocks = self.blocks.map(block);
    }
}
