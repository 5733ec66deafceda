//! From the corners of elements to vertices, in a fixed order (R4).

use crate::math::Vec3;
use rayon::prelude::*;

/// Vertices per parallel piece.
const ROWS: usize = 512;

/// Where the corners of all elements meet: element `k` writes its forces to its own slots, and every vertex
/// sums the slots that are its corners.
#[derive(Clone, Debug, Default)]
pub(super) struct Gather {
    starts: Vec<u32>,
    slots: Vec<u32>,
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
        Self { starts, slots }
    }

    /// `out_v = Σ values` over the slots of `v`.
    pub fn sum(&self, values: &[Vec3], out: &mut [Vec3]) {
        out.par_chunks_mut(ROWS).enumerate().for_each(|(c, out)| {
            for (k, out) in out.iter_mut().enumerate() {
                let v = c * ROWS + k;
                let range = self.starts[v] as usize..self.starts[v + 1] as usize;
                *out = self.slots[range].iter().map(|&slot| values[slot as usize]).sum();
            }
        });
    }
}
