//! Which elements a chunk of rows computes, and where their blocks go.

use super::bending;
use super::groups::Triangles;
use crate::cloth::Cloth;
use crate::linalg::Pattern;
use rayon::prelude::*;
use std::ops::Range;

/// A triangle with its hinges.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// Index in the cloth.
    pub index: u32,
    /// Its vertices, increasing: a pair of them is a row and a larger column.
    pub vertices: [u32; 3],
    /// Their places in the chunk: a row of its own, or one beyond, counted on from its last.
    pub places: [u32; 3],
    /// Which corner each of them is.
    pub corners: [u8; 3],
    /// Blocks of the pairs (0,1), (0,2), (1,2), counted from the chunk's first; those of rows
    /// beyond are counted on from its last.
    pub blocks: [u32; 3],
    /// What is across the edges, which are across from the vertices.
    pub wings: [Wing; 3],
}

/// What is on the other side of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wing {
    /// Index of the hinge, or [`NONE`] on the border.
    pub hinge: u32,
    /// Sign of the hinge's angle as seen from the triangle, see [`bending`].
    pub sign: f64,
    /// The other tip; on the border the start of the edge.
    pub tip: u32,
    /// Its place. Rows before the chunk's are counted on from those beyond.
    pub place: u32,
    /// Block of both tips, as in [`Triangle::blocks`], or [`NONE`] where the neighbour adds to it.
    pub block: u32,
}

/// No such thing.
pub(super) const NONE: u32 = u32::MAX;

/// All triangles whose first vertex is a row of the chunk, in the order of those. Their other vertices
/// may lie beyond: what they add there is kept apart and merged later, so that nobody writes into
/// another's rows.
#[derive(Clone, Debug, Default)]
pub(super) struct ChunkElements {
    pub triangles: Vec<Triangles>,
    /// Rows of later chunks that triangles and their neighbours touch, increasing.
    pub rows_beyond: Vec<u32>,
    /// Rows of earlier chunks where neighbours have their tips, increasing.
    pub rows_before: Vec<u32>,
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
    /// Groups of the triangles whose first vertex is one of the rows.
    pub triangles: Range<usize>,
}

/// Parts of another chunk's `rows_beyond` and `blocks_beyond`.
#[derive(Clone, Debug)]
pub(super) struct Inflow {
    pub chunk: usize,
    pub rows: Range<usize>,
    pub blocks: Range<usize>,
}

/// Hinges by their edges, and which tip is whose.
struct Sides(Vec<([u32; 3], u32, bool)>);

impl Sides {
    fn new(cloth: &Cloth) -> Self {
        let sides = cloth.hinges.iter().enumerate().flat_map(|(index, hinge)| {
            let [first, second, a, b] = hinge.vertices;
            let (low, high) = (a.min(b), a.max(b));
            [first, second].map(|tip| ([low, high, tip], index as u32, (tip == first) == (a < b)))
        });
        let mut sides: Vec<_> = sides.collect();
        sides.par_sort_unstable();
        Self(sides)
    }

    /// What is across the edge of increasing `vertices` that is across from the one of number `k`.
    fn wing(&self, cloth: &Cloth, vertices: &[u32; 3], k: usize) -> Wing {
        let [low, high] = [vertices[usize::from(k == 0)], vertices[2 - usize::from(k == 2)]];
        let own = vertices[k];
        let border = Wing { hinge: NONE, sign: 0.0, tip: low, place: 0, block: NONE };
        let at = self.0.partition_point(|(edge, ..)| *edge < [low, high, own]);
        let Some((_, hinge, first)) = self.0.get(at).filter(|(edge, ..)| *edge == [low, high, own])
        else {
            return border;
        };
        let [one, another, ..] = cloth.hinges[*hinge as usize].vertices;
        let sign = if *first == (k != 1) { 1.0 } else { -1.0 };
        Wing { hinge: *hinge, sign, tip: if one == own { another } else { one }, ..border }
    }
}

impl ChunkElements {
    /// Deals out the triangles of a cloth.
    pub fn distribute(pattern: &Pattern, cloth: &Cloth) -> Vec<Self> {
        let mut dealt = vec![Vec::new(); pattern.chunk_count()];
        let sides = Sides::new(cloth);
        for (index, corners) in cloth.triangles.iter().enumerate() {
            let triangle = Triangle::new(index, *corners, |v, k| sides.wing(cloth, v, k));
            dealt[triangle.vertices[0] as usize / pattern.chunk_rows()].push(triangle);
        }
        let chunk = |(c, mut dealt): (usize, Vec<Triangle>)| {
            dealt.sort_by_key(|t| t.vertices[0]);
            Self::place(pattern, pattern.chunk(c), dealt, cloth)
        };
        let mut chunks: Vec<Self> = dealt.into_iter().enumerate().map(chunk).collect();
        for c in 1..chunks.len() {
            let (earlier, later) = chunks.split_at_mut(c);
            later[0].inflows = inflows(pattern, c, earlier);
        }
        chunks
    }

    /// Finds where everything goes.
    fn place(
        pattern: &Pattern,
        rows: Range<usize>,
        mut dealt: Vec<Triangle>,
        cloth: &Cloth,
    ) -> Self {
        let mut chunk = Self::default();
        let blocks = pattern.blocks(rows.clone());
        let mut all = Vec::new();
        for triangle in &mut dealt {
            triangle.find(pattern, &mut all);
        }
        let touched = all.iter().flat_map(|(_, pair)| *pair);
        let tips = dealt.iter().flat_map(|t| t.wings.map(|wing| wing.tip));
        let touched: Vec<u32> = touched.chain(tips).collect();
        let sorted = |of: &dyn Fn(u32) -> bool| {
            let mut rows: Vec<u32> = touched.iter().copied().filter(|&v| of(v)).collect();
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        chunk.rows_beyond = sorted(&|v| v as usize >= rows.end);
        chunk.rows_before = sorted(&|v| (v as usize) < rows.start);
        all.retain(|(block, _)| *block as usize >= blocks.end);
        all.sort_unstable();
        all.dedup();
        let beyond = |row: u32| chunk.rows_beyond.binary_search(&row).map_or(NONE, |i| i as u32);
        chunk.blocks_beyond = all.iter().map(|(block, _)| *block).collect();
        chunk.pairs_beyond = all.iter().map(|(_, pair)| pair.map(beyond)).collect();
        let columns = blocks.clone().map(|k| pattern.column(k));
        chunk.columns_beyond =
            columns.filter(|&c| c >= rows.end).map(|c| beyond(c as u32)).collect();
        let (rows_beyond, blocks_beyond) = (&chunk.rows_beyond, &chunk.blocks_beyond);
        let behind = rows.len() + rows_beyond.len();
        let row_place = |v: u32| {
            let before = chunk.rows_before.binary_search(&v).map(|i| (behind + i) as u32);
            before.unwrap_or_else(|_| local(v, &rows, rows_beyond))
        };
        let block_place = |k: u32| local(k, &blocks, blocks_beyond);
        for triangle in &mut dealt {
            triangle.place(row_place, block_place);
        }
        chunk.cut(rows.len(), &dealt, cloth);
        chunk
    }

    /// Cuts `count` rows into windows, and their triangles into groups.
    fn cut(&mut self, count: usize, dealt: &[Triangle], cloth: &Cloth) {
        let own = |place: u32| Some(place as usize + 1).filter(|end| *end <= count);
        let (mut next, mut reach) = (0, 0);
        for start in (0..count).step_by(WINDOW_ROWS) {
            let rows = start..(start + WINDOW_ROWS).min(count);
            let end = dealt.partition_point(|t| (t.places[0] as usize) < rows.end);
            let triangles = &dealt[next..end];
            next = end;
            let tips = triangles.iter().flat_map(|t| t.wings.map(|wing| wing.place));
            let touched = triangles.iter().flat_map(|t| t.places).chain(tips);
            reach = reach.max(rows.end).max(touched.filter_map(own).max().unwrap_or(0));
            let first = self.triangles.len();
            self.triangles.extend(triangles.chunks(4).map(|group| Triangles::new(group, cloth)));
            self.windows.push(Window { rows, reach, triangles: first..self.triangles.len() });
        }
    }
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

impl Triangle {
    fn new(index: usize, corners: [u32; 3], wing: impl Fn(&[u32; 3], usize) -> Wing) -> Self {
        let mut order = [0, 1, 2u8];
        order.sort_unstable_by_key(|&c| corners[c as usize]);
        let vertices = order.map(|c| corners[c as usize]);
        let wings = [0, 1, 2].map(|k| wing(&vertices, k));
        let (index, places, blocks) = (index as u32, [0; 3], [0; 3]);
        Self { index, vertices, places, corners: order, blocks, wings }
    }

    /// Finds the blocks in the matrix, and lists them with their rows and columns.
    fn find(&mut self, pattern: &Pattern, all: &mut Vec<(u32, [u32; 2])>) {
        for (block, pair) in self.blocks.iter_mut().zip(bending::PAIRS) {
            let [row, column] = pair.map(|i| self.vertices[i]);
            if let Some(at) = pattern.find(row, column) {
                *block = at as u32;
                all.push((*block, [row, column]));
            }
        }
        for (wing, row) in self.wings.iter_mut().zip(self.vertices) {
            if wing.hinge != NONE
                && row < wing.tip
                && let Some(at) = pattern.find(row, wing.tip)
            {
                wing.block = at as u32;
                all.push((wing.block, [row, wing.tip]));
            }
        }
    }

    fn place(&mut self, row: impl Fn(u32) -> u32, block: impl Fn(u32) -> u32) {
        self.places = self.vertices.map(&row);
        self.blocks = self.blocks.map(&block);
        for wing in &mut self.wings {
            wing.place = row(wing.tip);
            if wing.block != NONE {
                wing.block = block(wing.block);
            }
        }
    }
}
