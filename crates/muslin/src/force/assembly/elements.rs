//! Which elements a chunk of rows gathers, and where their blocks go.

use crate::linalg::Pattern;

/// An upper block that belongs to another chunk.
const ELSEWHERE: u32 = u32::MAX;

/// An element of `N` vertices with `P` pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<const N: usize, const P: usize> {
    /// Index in the cloth.
    pub index: u32,
    /// Its vertices, increasing: a pair of them is a row and a larger column.
    pub vertices: [u32; N],
    /// Which corner each of them is.
    pub corners: [u8; N],
    /// Upper blocks of the pairs (0,1), (0,2), …, (1,2), …, counted from the chunk's first.
    pub blocks: [u32; P],
}

/// A triangle: three vertices, three pairs.
pub(super) type Triangle = Element<3, 3>;

/// A hinge: four vertices, six pairs.
pub(super) type Hinge = Element<4, 6>;

/// All elements that touch a chunk of rows, in the order of the cloth. Those on a border belong to two
/// chunks, each of which takes its own rows: nobody writes into another's.
#[derive(Clone, Debug, Default)]
pub(super) struct ChunkElements {
    pub triangles: Vec<Triangle>,
    pub hinges: Vec<Hinge>,
}

impl<const N: usize, const P: usize> Element<N, P> {
    fn new(pattern: &Pattern, chunk: usize, index: usize, corners: [u32; N]) -> Self {
        let mut order: [u8; N] = std::array::from_fn(|c| c as u8);
        order.sort_unstable_by_key(|&c| corners[c as usize]);
        let vertices = order.map(|c| corners[c as usize]);
        let rows = pattern.chunk(chunk);
        let first = pattern.row(rows.start).start;
        let mut blocks = [ELSEWHERE; P];
        let pairs = (0..N).flat_map(|c| (c + 1..N).map(move |d| [c, d]));
        for (block, [c, d]) in blocks.iter_mut().zip(pairs) {
            if rows.contains(&(vertices[c] as usize))
                && let Some(at) = pattern.find(vertices[c], vertices[d])
            {
                *block = (at - first) as u32;
            }
        }
        Self { index: index as u32, vertices, corners: order, blocks }
    }

    /// Lists elements under all chunks they touch, through `list`.
    pub fn distribute(
        pattern: &Pattern,
        elements: impl Iterator<Item = [u32; N]>,
        chunks: &mut [ChunkElements],
        list: impl Fn(&mut ChunkElements) -> &mut Vec<Self>,
    ) {
        for (index, corners) in elements.enumerate() {
            let mut touched = corners.map(|v| v as usize / pattern.chunk_rows());
            touched.sort_unstable();
            let mut previous = usize::MAX;
            for chunk in touched {
                if chunk != previous {
                    let element = Self::new(pattern, chunk, index, corners);
                    list(&mut chunks[chunk]).push(element);
                }
                previous = chunk;
            }
        }
    }
}
