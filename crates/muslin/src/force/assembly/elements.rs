//! Which elements a chunk of rows computes, and where their blocks go.

use super::{hinges, triangles};
use crate::cloth::Cloth;
use crate::linalg::Pattern;
use crate::math::lanes::each;
use std::array::from_fn;
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

/// Four triangles with [`triangles::at_rest`].
pub(super) type Triangles = Group<3, 3, { triangles::REST }>;

/// Four hinges with [`hinges::at_rest`].
pub(super) type Hinges = Group<4, 6, { hinges::REST }>;

/// How many groups ahead memory is asked for: beyond the cache it takes as long to come as some groups take to be computed.
pub(super) const AHEAD: usize = 4;

/// Four elements of `N` vertices, `P` pairs and `R` numbers at rest side by side, as vector registers take them. Where
/// there are fewer, the last is repeated, but with all numbers at rest zero: what it adds is zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<const N: usize, const P: usize, const R: usize> {
    /// How many there are.
    pub count: usize,
    /// [`Element::index`].
    pub index: [u32; 4],
    /// [`Element::places`], in the order that the kind of element needs.
    pub places: [[u32; 4]; N],
    /// [`Element::corners`], two bits each, the first lowest.
    pub corners: [u8; 4],
    /// [`Element::blocks`].
    pub blocks: [[u32; 4]; P],
    /// Numbers at rest, by kind of element.
    pub rest: [[f64; 4]; R],
}

impl<const N: usize, const P: usize, const R: usize> Group<N, P, R> {
    /// Of one to four elements, whose places and numbers `at_rest` finds.
    fn new(
        elements: &[Element<N, P>],
        at_rest: impl Fn(&Element<N, P>) -> ([u32; N], [f64; R]),
    ) -> Self {
        let of = |lane: usize| &elements[lane.min(elements.len() - 1)];
        let at_rest = each(|lane| at_rest(of(lane)));
        Self {
            count: elements.len(),
            index: each(|lane| of(lane).index),
            places: from_fn(|i| each(|lane| at_rest[lane].0[i])),
            corners: each(|lane| of(lane).corners.iter().rev().fold(0, |all, c| all << 2 | c)),
            blocks: from_fn(|i| each(|lane| of(lane).blocks[i])),
            rest: from_fn(|i| {
                each(|lane| if lane < elements.len() { at_rest[lane].1[i] } else { 0.0 })
            }),
        }
    }
}

/// All elements whose first vertex is a row of the chunk, in the order of those. Their other vertices
/// may lie beyond: what they add there is kept apart and merged later, so that nobody writes into
/// another's rows.
#[derive(Clone, Debug, Default)]
pub(super) struct ChunkElements {
    pub triangles: Vec<Triangles>,
    pub hinges: Vec<Hinges>,
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
    /// Groups of the triangles whose first vertex is one of the rows.
    pub triangles: Range<usize>,
    /// Groups of the hinges whose first vertex is one of the rows.
    pub hinges: Range<usize>,
}

/// Parts of another chunk's `rows_beyond` and `blocks_beyond`.
#[derive(Clone, Debug)]
pub(super) struct Inflow {
    pub chunk: usize,
    pub rows: Range<usize>,
    pub blocks: Range<usize>,
}

/// The elements of a chunk one by one, in the order of their first rows.
#[derive(Clone, Default)]
struct Dealt {
    triangles: Vec<Triangle>,
    hinges: Vec<Hinge>,
}

impl ChunkElements {
    /// Deals out the elements of a cloth.
    pub fn distribute(pattern: &Pattern, cloth: &Cloth) -> Vec<Self> {
        let mut dealt = vec![Dealt::default(); pattern.chunk_count()];
        let chunk_of = |first: u32| first as usize / pattern.chunk_rows();
        for (index, corners) in cloth.triangles.iter().enumerate() {
            let triangle = Element::new(index, *corners);
            dealt[chunk_of(triangle.vertices[0])].triangles.push(triangle);
        }
        for (index, hinge) in cloth.hinges.iter().enumerate() {
            let hinge = Element::new(index, hinge.vertices);
            dealt[chunk_of(hinge.vertices[0])].hinges.push(hinge);
        }
        let chunk = |(c, mut dealt): (usize, Dealt)| {
            dealt.triangles.sort_by_key(|t| t.vertices[0]);
            dealt.hinges.sort_by_key(|h| h.vertices[0]);
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
    fn place(pattern: &Pattern, rows: Range<usize>, mut dealt: Dealt, cloth: &Cloth) -> Self {
        let mut chunk = Self::default();
        let blocks = pattern.blocks(rows.clone());
        let mut found = Vec::new();
        let mut all = Vec::new();
        dealt.triangles.iter_mut().for_each(|t| t.find(pattern, &mut all));
        dealt.hinges.iter_mut().for_each(|h| h.find(pattern, &mut all));
        for (block, pair) in all {
            if block as usize >= blocks.end {
                found.push((block, pair));
            }
            chunk.rows_beyond.extend(pair.iter().filter(|&&v| v as usize >= rows.end));
        }
        chunk.rows_beyond.sort_unstable();
        chunk.rows_beyond.dedup();
        found.sort_unstable();
        found.dedup();
        let beyond =
            |row: u32| chunk.rows_beyond.binary_search(&row).map_or(u32::MAX, |i| i as u32);
        chunk.blocks_beyond = found.iter().map(|(block, _)| *block).collect();
        chunk.pairs_beyond = found.iter().map(|(_, pair)| pair.map(beyond)).collect();
        let columns = blocks.clone().map(|k| pattern.column(k));
        chunk.columns_beyond =
            columns.filter(|&c| c >= rows.end).map(|c| beyond(c as u32)).collect();
        let (rows_beyond, blocks_beyond) = (&chunk.rows_beyond, &chunk.blocks_beyond);
        let row_place = |v: u32| local(v, &rows, rows_beyond);
        let block_place = |k: u32| local(k, &blocks, blocks_beyond);
        dealt.triangles.iter_mut().for_each(|t| t.place(row_place, block_place));
        dealt.hinges.iter_mut().for_each(|h| h.place(row_place, block_place));
        chunk.cut(rows.len(), &dealt, cloth);
        chunk
    }

    /// Cuts `count` rows into windows, and their elements into groups.
    fn cut(&mut self, count: usize, dealt: &Dealt, cloth: &Cloth) {
        let own = |place: &u32| Some(*place as usize + 1).filter(|end| *end <= count);
        let (mut next, mut reach) = ([0..0, 0..0], 0);
        for start in (0..count).step_by(WINDOW_ROWS) {
            let rows = start..(start + WINDOW_ROWS).min(count);
            next = [
                next[0].end..first_from(&dealt.triangles, rows.end),
                next[1].end..first_from(&dealt.hinges, rows.end),
            ];
            let own_triangles = &dealt.triangles[next[0].clone()];
            let own_hinges = &dealt.hinges[next[1].clone()];
            let of_triangles = own_triangles.iter().flat_map(|t| &t.places);
            let of_hinges = own_hinges.iter().flat_map(|h| &h.places);
            let furthest = of_triangles.chain(of_hinges).filter_map(own).max();
            reach = reach.max(rows.end).max(furthest.unwrap_or(0));
            let first = [self.triangles.len(), self.hinges.len()];
            let groups = own_triangles.chunks(4);
            self.triangles.extend(groups.map(|g| Group::new(g, |t| triangles::at_rest(cloth, t))));
            let groups = own_hinges.chunks(4);
            self.hinges.extend(groups.map(|g| Group::new(g, |h| hinges::at_rest(cloth, h))));
            self.windows.push(Window {
                rows,
                reach,
                triangles: first[0]..self.triangles.len(),
                hinges: first[1]..self.hinges.len(),
            });
        }
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
