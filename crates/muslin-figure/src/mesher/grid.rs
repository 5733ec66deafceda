//! Values of the implicit surface on a grid, only where the surface is near.

use crate::anatomy::Anatomy;
use muslin::math::Vec3;
use rayon::prelude::*;

/// Cells along the side of a block that is skipped as a whole.
const BLOCK: usize = 4;

/// How much faster than the distance the values may grow: sections of lofts measure along rays
/// from their centre, not across the surface.
const STEEPEST: f64 = 2.2;

/// Node values; those far from the surface have the right sign only.
pub struct Grid {
    origin: Vec3,
    step: f64,
    /// Number of nodes along x, y and z.
    pub nodes: [usize; 3],
    values: Vec<f64>,
}

impl Grid {
    /// Samples the surface with cells of size `step` \[m\]; `shift` moves the grid by parts of a cell.
    pub fn sample(anatomy: &Anatomy, step: f64, shift: Vec3) -> Self {
        let [low, high] = anatomy.bounds();
        let across = (0.5 * (high.x - low.x) / step).ceil() + 2.0;
        let origin = Vec3::new(
            -(across + shift.x) * step,
            low.y - (2.0 + shift.y) * step,
            low.z - (2.0 + shift.z) * step,
        );
        let blocks: [usize; 3] = {
            let cells = ((high - origin) / step).ceil() + 2.0;
            cells.to_array().map(|n| (n as usize).div_ceil(BLOCK))
        };
        let nodes = blocks.map(|n| n * BLOCK + 1);
        let mut grid = Self { origin, step, nodes, values: Vec::new() };
        let near = grid.near_blocks(anatomy, blocks);
        let layer = nodes[0] * nodes[1];
        let mut values = vec![0.0; layer * nodes[2]];
        values.par_chunks_mut(layer).enumerate().for_each(|(z, out)| {
            for (i, value) in out.iter_mut().enumerate() {
                let node = [i % nodes[0], i / nodes[0], z];
                *value = match sign_around(&near, blocks, node) {
                    Some(sign) => sign,
                    None => anatomy.value(grid.position(node)),
                };
            }
        });
        grid.values = values;
        grid
    }

    /// For every block the sign of its values, or `None` where the surface may pass.
    fn near_blocks(&self, anatomy: &Anatomy, blocks: [usize; 3]) -> Vec<Option<f64>> {
        let half = 0.5 * BLOCK as f64 * self.step;
        let reach = half * 3f64.sqrt() * STEEPEST;
        let count = blocks.iter().product::<usize>();
        (0..count)
            .into_par_iter()
            .map(|i| {
                let at = [i % blocks[0], i / blocks[0] % blocks[1], i / (blocks[0] * blocks[1])];
                let value = anatomy.value(self.position(at.map(|k| k * BLOCK)) + half);
                (value.abs() > reach).then(|| value.signum())
            })
            .collect()
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        x + self.nodes[0] * (y + self.nodes[1] * z)
    }

    /// Where a node is \[m\].
    pub fn position(&self, node: [usize; 3]) -> Vec3 {
        self.origin + Vec3::from(node.map(|k| k as f64)) * self.step
    }

    /// The value at a node.
    pub fn value(&self, node: [usize; 3]) -> f64 {
        self.values[self.index(node)]
    }
}

/// The common sign of all blocks around a node, `None` if one of them is near the surface.
fn sign_around(near: &[Option<f64>], blocks: [usize; 3], node: [usize; 3]) -> Option<f64> {
    let range = |axis: usize| {
        let k = node[axis];
        let high = (k / BLOCK).min(blocks[axis] - 1);
        let low = if k.is_multiple_of(BLOCK) { high.saturating_sub(1) } else { high };
        low..=high
    };
    let mut sign = None;
    for z in range(2) {
        for y in range(1) {
            for x in range(0) {
                sign = Some(near[x + blocks[0] * (y + blocks[1] * z)]?);
            }
        }
    }
    sign
}
