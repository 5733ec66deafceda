//! Where cells of different sizes meet (MF6): corners of the finer ones that lie on a side of a coarser
//! one take over what the coarser interpolates, so that the field has no cracks.

use super::field::{Field, interpolate};
use super::lattice::Point;
use super::refine::Leaf;
use crate::math::Vec3;
use rayon::prelude::*;

/// Makes the field continuous. `points` are the places of its values, `leaves` its leaves.
///
/// A corner is decided by the coarsest leaf that touches it. Going from coarse to fine, the corners of
/// that leaf are final by then: one that lies on a side of a still coarser leaf was decided by that leaf.
pub(super) fn close_cracks(field: &mut Field, points: &[Point], leaves: &[Leaf]) {
    let coarsest: Vec<(u32, u32)> = points.par_iter().map(|p| coarsest_around(field, *p)).collect();
    for level in 0..field.lattice.levels {
        let changed: Vec<(usize, f64)> = coarsest
            .par_iter()
            .enumerate()
            .filter(|(i, (of, _))| *of == level && field.lattice.level_of(points[*i]) > level)
            .map(|(i, (_, leaf))| (i, value_in(field, &leaves[*leaf as usize], *leaf, points[i])))
            .collect();
        for (i, value) in changed {
            field.values[i] = value;
        }
    }
}

/// Level and number of the coarsest leaf that touches a point.
fn coarsest_around(field: &Field, [x, y, z]: Point) -> (u32, u32) {
    let extent = field.lattice.extent();
    let around = (0..8u32).filter_map(|k| {
        let at = [x.checked_sub(k & 1)?, y.checked_sub(k >> 1 & 1)?, z.checked_sub(k >> 2)?];
        let within = at.iter().zip(extent).all(|(c, n)| *c < n);
        within.then(|| field.leaf_at(at))
    });
    let level_and_leaf = around.map(|(leaf, level)| (level, leaf as u32));
    level_and_leaf.min().unwrap_or((field.lattice.levels, 0))
}

/// What a leaf interpolates at a point of its surface.
fn value_in(field: &Field, leaf: &Leaf, number: u32, p: Point) -> f64 {
    let side = f64::from(field.lattice.side(leaf.level));
    let within: [f64; 3] = std::array::from_fn(|k| f64::from(p[k] - leaf.at[k]) / side);
    let value = field.corners[number as usize].map(|i| field.values[i as usize]);
    interpolate(&value, Vec3::from(within), 1.0).distance
}
