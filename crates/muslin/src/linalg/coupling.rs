//! Contacts inside the linear system: few, different in every solve, and so not part of the pattern.
//!
//! A coupling between up to four vertices adds `w_i w_j B` to block (i, j). Its diagonal blocks are added
//! to the matrix itself, where preconditioners see them; the rest is applied without being stored.

use crate::math::{Mat3, Vec3};
use rayon::prelude::*;

/// Couplings handled by one parallel task, at least.
const MIN_COUPLINGS: usize = 512;

/// Adds `w_i w_j B` to the blocks of its vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupling {
    /// Vertices; unused ones have weight zero.
    pub vertices: [u32; 4],
    /// Weights.
    pub weights: [f64; 4],
    /// `B`, symmetric and positive semi-definite \[kg\].
    pub block: Mat3,
}

impl Coupling {
    /// Adds the right-hand side of a dashpot that wants the relative velocity `u`, for velocities `v`:
    /// `w_i B (u − Σ w_j v_j)`.
    pub fn load(&self, u: Vec3, v: &[Vec3], rhs: &mut [Vec3]) {
        let ends = || self.vertices.iter().zip(&self.weights);
        let relative: Vec3 = ends().map(|(&i, w)| v[i as usize] * *w).sum();
        let pull = self.block * (u - relative);
        for (&vertex, &weight) in ends() {
            rhs[vertex as usize] += pull * weight;
        }
    }
}

/// One end of a coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    vertex: u32,
    coupling: u32,
    weight: f64,
}

/// The couplings of one solve.
#[derive(Clone, Debug, Default)]
pub struct Couplings {
    list: Vec<Coupling>,
    /// `B Σ w_j x_j` of every coupling.
    flow: Vec<Vec3>,
    /// All ends, sorted by vertex.
    ends: Vec<End>,
}

impl Couplings {
    /// Replaces the couplings; their diagonal blocks are added to `diagonal`.
    pub fn refill(&mut self, list: &[Coupling], diagonal: &mut [Mat3]) {
        self.list.clear();
        self.list.extend_from_slice(list);
        self.flow.resize(list.len(), Vec3::ZERO);
        self.ends.clear();
        for (k, coupling) in list.iter().enumerate() {
            for (&vertex, &weight) in coupling.vertices.iter().zip(&coupling.weights) {
                if weight != 0.0 {
                    self.ends.push(End { vertex, coupling: k as u32, weight });
                    diagonal[vertex as usize] += coupling.block * (weight * weight);
                }
            }
        }
        self.ends.par_sort_unstable_by_key(|end| (end.vertex, end.coupling));
    }

    /// The sum of all blocks beyond the diagonal ones.
    pub(super) fn sum(&self) -> Mat3 {
        let part = |c: &Coupling| {
            let sum: f64 = c.weights.iter().sum();
            let squares: f64 = c.weights.iter().map(|w| w * w).sum();
            c.block * (sum * sum - squares)
        };
        self.list.iter().map(part).sum()
    }

    /// Finds the flows for `x`; returns their part of `xᵀAx` beyond the diagonal blocks.
    pub(super) fn begin(&mut self, x: &[Vec3]) -> f64 {
        if self.list.is_empty() {
            return 0.0;
        }
        let energies: Vec<f64> = self
            .list
            .par_chunks(MIN_COUPLINGS)
            .zip(self.flow.par_chunks_mut(MIN_COUPLINGS))
            .map(|(list, flow)| {
                let mut energy = 0.0;
                for (coupling, flow) in list.iter().zip(flow) {
                    let mut sum = Vec3::ZERO;
                    for (&v, &w) in coupling.vertices.iter().zip(&coupling.weights) {
                        let weighted = x[v as usize] * w;
                        sum += weighted;
                        energy -= weighted.dot(coupling.block * weighted);
                    }
                    *flow = coupling.block * sum;
                    energy += sum.dot(*flow);
                }
                energy
            })
            .collect();
        energies.iter().sum()
    }

    /// Adds the couplings' part of `A x` to the rows `y`, which start at row `start`.
    #[inline]
    pub(super) fn add(&self, start: usize, x: &[Vec3], y: &mut [Vec3]) {
        let first = self.ends.partition_point(|end| (end.vertex as usize) < start);
        for end in &self.ends[first..] {
            let row = end.vertex as usize - start;
            if row >= y.len() {
                break;
            }
            let coupling = end.coupling as usize;
            let own = self.list[coupling].block * (x[end.vertex as usize] * end.weight);
            y[row] += (self.flow[coupling] - own) * end.weight;
        }
    }
}
