//! The longitudinal phase: every column a complex pendulum (XU5).
//!
//! Nodes have moved freely to `next`; the rods now pull them back. Rod `i` joins node `i − 1` and
//! node `i`, has direction `n_i` and is too long by `c_i`. A tension `λ_i` along `n_i` in each rod
//! moves the nodes by `w_i (n_{i+1} λ_{i+1} − n_i λ_i)`, `w` their mobility; all rods have their
//! length again, to first order, if
//!
//! `(w_{i−1} + w_i) λ_i − w_i (n_i·n_{i+1}) λ_{i+1} − w_{i−1} (n_i·n_{i−1}) λ_{i−1} = c_i`.
//!
//! The lowest rod has one neighbour only. Expressing its tension by that of the rod above, and so on
//! upward, each rod takes part of its lower neighbour's load, until the uppermost rod's
//! tension is known; on the way down again the nodes are moved. One visit each way, no matrix, no iteration.
//!
//! Deviation from XU, Eqs. (5)–(8): there each node swings about its upper neighbour as if
//! that stood still (the acceleration of the local frame is left out). Every rod then swings with
//! the period of one short rod, so the period of a curtain would depend on the number of rows. Here the
//! tensions are those of the whole chain. Directions are taken after the free motion,
//! which makes the step stable for any length of rod and step.

use super::nodes::Nodes;
use super::panel::Panel;
use crate::math::Vec3;

/// Corrects `next` of one panel and leaves the rods, still of slightly wrong length, in `rod`.
pub(super) fn swing(nodes: &mut Nodes, panel: &Panel) {
    let m = panel.columns;
    let range = panel.nodes();
    let next = &mut nodes.next[range.clone()];
    let w = &nodes.mobility[range.clone()];
    let rod = &mut nodes.rod[range.clone()];
    let pivot = &mut nodes.pivot[range.clone()];
    let excess = &mut nodes.excess[range.clone()];
    let coupling = &mut nodes.coupling[range];
    measure(next, rod, excess, m, panel);
    // Up from the free end.
    for k in (m..next.len()).rev() {
        let mut diagonal = w[k] + w[k - m];
        let below = k + m;
        if below < next.len() {
            let c = -w[k] * rod[k].dot(rod[below]);
            let factor = c * pivot[below];
            diagonal -= factor * c;
            excess[k] -= factor * excess[below];
            coupling[below] = c;
        }
        pivot[k] = 1.0 / diagonal;
    }
    // Down from the rail: from here on `excess` holds the tensions.
    for k in m..next.len() {
        let from_above = if k >= 2 * m {
            coupling[k] * excess[k - m]
        } else {
            0.0
        };
        excess[k] = (excess[k] - from_above) * pivot[k];
        let pull = rod[k] * excess[k];
        next[k] -= pull * w[k];
        next[k - m] += pull * w[k - m];
    }
    for k in (m..next.len()).rev() {
        rod[k] = next[k] - next[k - m];
    }
}

/// Unit directions of all rods, and by how much they are too long.
fn measure(next: &[Vec3], rod: &mut [Vec3], excess: &mut [f64], m: usize, panel: &Panel) {
    for k in m..next.len() {
        let d = next[k] - next[k - m];
        let length = d.length();
        rod[k] = if length > 0.0 { d / length } else { panel.frame[1] };
        excess[k] = length - panel.rod;
    }
}
