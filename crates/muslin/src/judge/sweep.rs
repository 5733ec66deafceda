//! Pairs of overlapping boxes: cut space into slabs across one axis, sort along another in each.

use crate::math::Vec3;
use rayon::prelude::*;

/// Most slabs: more would only cost memory.
const MOST_SLABS: f64 = 4096.0;
/// Thickness of a slab in mean box sizes; so boxes are in 1.5 slabs on average.
const SLAB_SIZES: f64 = 2.0;

/// The box around a triangle.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    id: u32,
    min: Vec3,
    max: Vec3,
}

impl Bounds {
    pub fn new(id: u32, &[a, b, c]: &[Vec3; 3]) -> Self {
        Self { id, min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

/// All pairs `(lower id, higher id)` whose boxes touch and which `accept` confirms, in order.
pub fn pairs(mut bounds: Vec<Bounds>, accept: impl Fn(u32, u32) -> bool + Sync) -> Vec<(u32, u32)> {
    let axis = widest_axis(&bounds);
    bounds.par_sort_unstable_by(|a, b| a.min[axis].total_cmp(&b.min[axis]).then(a.id.cmp(&b.id)));
    let starts: Vec<usize> = (0..bounds.len()).step_by(CHUNK).collect();
    let found: Vec<Vec<(u32, u32)>> = starts
        .into_par_iter()
        .map(|start| {
            let mut found = vec![];
            for i in start..bounds.len().min(start + CHUNK) {
                let one = bounds[i];
                let reach = one.max[axis];
                let near = bounds[i + 1..].iter().take_while(|other| other.min[axis] <= reach);
                for other in near.filter(|other| one.overlaps(other)) {
                    let pair = (one.id.min(other.id), one.id.max(other.id));
                    if accept(pair.0, pair.1) {
                        found.push(pair);
                    }
                }
            }
        }
        let along = self.sweep_axis;
        slabs.par_iter_mut().for_each(|slab| {
            slab.sort_unstable_by(|a, b| a.min[along].total_cmp(&b.min[along]));
        });
        slabs
    }

    /// Overlapping pairs of one slab, without those that an earlier slab holds as well.
    fn sweep<'a>(&'a self, slab: usize, boxes: &'a [Bounds]) -> impl Iterator<Item = (u32, u32)> {
        let along = self.sweep_axis;
        boxes.iter().enumerate().flat_map(move |(i, one)| {
            boxes[i + 1..]
                .iter()
                .take_while(move |other| other.min[along] <= one.max[along])
                .filter(move |other| {
                    one.overlaps(other)
                        && self.slab_of(one.min[self.axis].max(other.min[self.axis])) == slab
                })
                .map(move |other| (one.id.min(other.id), one.id.max(other.id)))
        })
    }
}

/// All pairs `(lower id, higher id)` whose boxes touch and which `accept` confirms, in order.
pub fn pairs(bounds: &[Bounds], accept: impl Fn(u32, u32) -> bool + Sync) -> Vec<(u32, u32)> {
    if bounds.is_empty() {
        return vec![];
    }
    let slabs = Slabs::new(bounds);
    let found: Vec<Vec<(u32, u32)>> = slabs
        .fill(bounds)
        .par_iter()
        .enumerate()
        .map(|(slab, boxes)| {
            slabs
                .sweep(slab, boxes)
                .filter(|&(i, j)| accept(i, j))
                .collect()
        })
        .collect();
    let mut found = found.concat();
    found.sort_unstable();
    found
}

/// The axis along which the boxes spread most, for their size.
fn widest_axis(bounds: &[Bounds]) -> usize {
    let mut centres = (Vec3::MAX, Vec3::MIN);
    let mut sizes = Vec3::splat(f64::MIN_POSITIVE);
    for b in bounds {
        let centre = 0.5 * b.min + 0.5 * b.max;
        centres = (centres.0.min(centre), centres.1.max(centre));
        sizes += (b.max - b.min) / bounds.len() as f64;
    }
    let spread = (centres.1 - centres.0) / sizes;
    (0..3).fold(0, |best, axis| if spread[axis] > spread[best] { axis } else { best })
}
