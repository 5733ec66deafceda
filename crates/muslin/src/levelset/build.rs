//! From a solid to its field.

use super::field::Field;
use super::gradation;
use super::lattice::{Lattice, MOST_CELLS, corner, key, point};
use super::refine::{Refinement, Tree};
use super::solid::Solid;
use super::{Resolution, lattice::Point};
use rayon::prelude::*;

/// Most coarsest cells: beyond this, cells are made larger instead of memory running out.
const MOST_ROOTS: f64 = 4e6;

impl Field {
    /// The distance field of a solid: exact in the band, by fast marching elsewhere.
    pub fn of(solid: &Solid, resolution: Resolution) -> Self {
        let mut field = Self::with_nearest(solid, resolution);
        field.nearest = Vec::new();
        field
    }

    /// The same, and the nearest triangle of every point, which tells how the surface moves there.
    pub fn with_nearest(solid: &Solid, resolution: Resolution) -> Self {
        let resolution = affordable(solid, resolution);
        let Resolution { cell, band, levels, .. } = resolution;
        let lattice = Lattice::around(&solid.bounds().grown(band + cell), cell, levels);
        let tree = Refinement { solid, lattice, resolution }.run();
        assemble(lattice, &tree)
    }
}

/// The resolution, made coarser where a body would take more cells than memory has room for.
fn affordable(solid: &Solid, resolution: Resolution) -> Resolution {
    let mut affordable = resolution;
    loop {
        let Resolution { cell, band, levels, .. } = affordable;
        let bounds = solid.bounds().grown(band + cell);
        let sides = (bounds.max - bounds.min) / (cell * f64::from(1u32 << levels)) + 1.0;
        let finest = sides.max_element() * f64::from(1u32 << levels);
        if sides.element_product() <= MOST_ROOTS && finest < f64::from(MOST_CELLS) {
            return affordable;
        }
        affordable.cell *= 2.0;
    }
}

/// Gathers the corners of all leaves, each once, and closes the cracks between cells of different sizes.
fn assemble(lattice: Lattice, tree: &Tree) -> Field {
    let leaf_keys = |leaf: &super::refine::Leaf| {
        let side = lattice.side(leaf.level);
        std::array::from_fn::<u64, 8, _>(|k| key(corner(leaf.at, side, k as u32)))
    };
    let mut keys: Vec<u64> = tree.leaves.par_iter().flat_map_iter(leaf_keys).collect();
    keys.par_sort_unstable();
    keys.dedup();
    let number = |key: u64| keys.binary_search(&key).unwrap_or(0) as u32;
    let corners = tree.leaves.par_iter().map(|leaf| leaf_keys(leaf).map(number)).collect();
    let points: Vec<Point> = keys.iter().map(|k| point(*k)).collect();
    let (values, nearest) = points
        .par_iter()
        .zip(&keys)
        .map(|(p, key)| {
            let shell = &tree.shells[lattice.level_of(*p) as usize];
            let found = shell.binary_search_by_key(key, |s| s.key).map(|i| shell[i]);
            found.map_or((0.0, 0), |s| (s.distance, s.triangle))
        })
        .unzip();
    let mut field = Field { lattice, nodes: tree.nodes.clone(), corners, values, nearest };
    gradation::close_cracks(&mut field, &points, &tree.leaves);
    field
}
