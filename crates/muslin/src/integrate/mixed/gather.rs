//! From the corners of elements to vertices, in a fixed order (R4).

use crate::math::Vec3;
use rayon::prelude::*;

/// Vertices per parallel piece.
const ROWS: usize = 512;

/// Elements per parallel piece.
const PIECE: usize = 512;

/// With fewer corners than this elements are summed one after the other: cheaper than sharing them out.
const FEW_CORNERS: usize = 20_000;

/// Where the corners of all elements meet: element `k` writes its forces to its own slots, and every vertex
/// sums the slots that are its corners.
#[derive(Clone, Debug, Default)]
pub(super) struct Gather {
    starts: Vec<u32>,
    slots: Vec<u32>,
    /// One value per corner of every element; empty where there are few.
    values: Vec<Vec3>,
}

/// Where the values of elements go, kind after kind, in the order of the corners. Every vertex gets them in that
/// order, whether they are summed at once or by way of slots.
pub(super) struct Sink<'a> {
    gather: &'a mut Gather,
    out: &'a mut [Vec3],
    /// Slots filled so far.
    filled: usize,
}

impl Sink<'_> {
    /// Visits every element of a kind: `visit` says which vertices it has, and what each of them gets.
    pub fn each<T: Send, const N: usize>(
        &mut self,
        factors: &mut [T],
        visit: impl Fn(usize, &mut T) -> ([u32; N], [Vec3; N]) + Sync,
    ) {
        let Self { gather, out, filled } = self;
        if gather.values.is_empty() {
            for (k, factors) in factors.iter_mut().enumerate() {
                let (vertices, values) = visit(k, factors);
                for (v, value) in vertices.into_iter().zip(values) {
                    out[v as usize] += value;
                }
            }
            return;
        }
        let slots = &mut gather.values[*filled..*filled + N * factors.len()];
        *filled += slots.len();
        let (slots, _) = slots.as_chunks_mut::<N>();
        factors.par_chunks_mut(PIECE).zip(slots.par_chunks_mut(PIECE)).enumerate().for_each(
            |(piece, (factors, slots))| {
                for (k, (factors, slot)) in factors.iter_mut().zip(slots).enumerate() {
                    *slot = visit(piece * PIECE + k, factors).1;
                }
            },
        );
    }

    /// Sums what has gone through slots.
    pub fn finish(self) {
        if !self.gather.values.is_empty() {
            self.gather.sum(self.out);
        }
    }
}

impl Gather {
    /// `corners` names the vertex of every slot.
    pub fn new(vertex_count: usize, corners: &[u32]) -> Self {
        let mut starts = vec![0u32; vertex_count + 1];
        for &v in corners {
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
        let many = if corners.len() < FEW_CORNERS { 0 } else { corners.len() };
        Self { starts, slots, values: vec![Vec3::ZERO; many] }
    }

    /// A sink into `out`, which it clears.
    pub fn sink<'a>(&'a mut self, out: &'a mut [Vec3]) -> Sink<'a> {
        out.fill(Vec3::ZERO);
        Sink { gather: self, out, filled: 0 }
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
