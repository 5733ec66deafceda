//! From the corners of elements to vertices, in a fixed order (R4).

use crate::math::Vec3;
use rayon::prelude::*;

/// Vertices per parallel piece.
const ROWS: usize = 512;

/// Elements per piece.
const PIECE: usize = 512;

/// With fewer corners than this elements are summed piece after piece: cheaper than sharing them out.
const FEW_CORNERS: usize = 20_000;

/// Where the corners of all elements meet: element `k` writes its forces to its own slots, and every vertex
/// sums the slots that are its corners.
#[derive(Clone, Debug, Default)]
pub(super) struct Gather {
    /// The vertex of every corner, element after element.
    corners: Vec<u32>,
    starts: Vec<u32>,
    slots: Vec<u32>,
    /// One value per corner of every element; of one piece where there are few.
    values: Vec<Vec3>,
}

/// Where the values of elements go, kind after kind, in the order of the corners. Every vertex gets them in that
/// order, whether they are summed piece by piece or all at the end.
pub(super) struct Sink<'a> {
    gather: &'a mut Gather,
    out: &'a mut [Vec3],
    /// Slots filled so far.
    filled: usize,
}

impl Sink<'_> {
    /// Visits every element of a kind: `visit` says what each of its vertices gets.
    pub fn each<T: Send, const N: usize>(
        &mut self,
        factors: &mut [T],
        visit: impl Fn(usize, &mut T) -> [Vec3; N] + Sync,
    ) {
        let Self { gather, out, filled } = self;
        let first = *filled;
        *filled += N * factors.len();
        if gather.is_small() {
            let corners = gather.corners[first..*filled].chunks(N * PIECE);
            for ((piece, factors), corners) in factors.chunks_mut(PIECE).enumerate().zip(corners) {
                let slots = &mut gather.values[..N * factors.len()];
                fill(piece, factors, slots, &visit);
                for (&v, value) in corners.iter().zip(slots) {
                    out[v as usize] += *value;
                }
            }
            return;
        }
        let slots = gather.values[first..*filled].par_chunks_mut(N * PIECE);
        let pieces = factors.par_chunks_mut(PIECE).zip(slots).enumerate();
        pieces.for_each(|(piece, (factors, slots))| fill(piece, factors, slots, &visit));
    }

    /// Sums what waits in slots.
    pub fn finish(self) {
        if !self.gather.is_small() {
            self.gather.sum(self.out);
        }
    }
}

/// Visits the elements of a piece. The one place from which `visit` is called, so that it is compiled into it.
#[inline(never)]
fn fill<T, const N: usize>(
    piece: usize,
    factors: &mut [T],
    slots: &mut [Vec3],
    visit: &impl Fn(usize, &mut T) -> [Vec3; N],
) {
    let (slots, _) = slots.as_chunks_mut::<N>();
    for (k, (factors, slot)) in factors.iter_mut().zip(slots).enumerate() {
        *slot = visit(piece * PIECE + k, factors);
    }
}

impl Gather {
    /// `corners` names the vertex of every slot.
    pub fn new(vertex_count: usize, corners: Vec<u32>) -> Self {
        let mut starts = vec![0u32; vertex_count + 1];
        for &v in &corners {
            starts[v as usize + 1] += 1;
        }
        for v in 0..vertex_count {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut slots = vec![0u32; corners.len()];
        for (slot, &v) in corners.iter().enumerate() {
            slots[next[v as usize] as usize] = slot as u32;
            next[v as usize] += 1;
        }
        let few = corners.len() < FEW_CORNERS;
        let kept = if few { corners.len().min(4 * PIECE) } else { corners.len() };
        Self { corners, starts, slots, values: vec![Vec3::ZERO; kept] }
    }

    /// A sink into `out`, which it clears.
    pub fn sink<'a>(&'a mut self, out: &'a mut [Vec3]) -> Sink<'a> {
        out.fill(Vec3::ZERO);
        Sink { gather: self, out, filled: 0 }
    }

    fn is_small(&self) -> bool {
        self.corners.len() < FEW_CORNERS
    }

    /// `out_v = Σ values` over the slots of `v`.
    fn sum(&self, out: &mut [Vec3]) {
        let values = &self.values;
        out.par_chunks_mut(ROWS).enumerate().for_each(|(c, out)| {
            for (k, out) in out.iter_mut().enumerate() {
                let v = c * ROWS + k;
                let range = self.starts[v] as usize..self.starts[v + 1] as usize;
                *out = self.slots[range].iter().map(|&slot| values[slot as usize]).sum();
            }
        });
    }
}
