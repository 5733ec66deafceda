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

/// Slabs across `axis`; within each, boxes are swept along `sweep_axis`.
struct Slabs {
    axis: usize,
    sweep_axis: usize,
    start: f64,
    thickness: f64,
    count: usize,
}

impl Slabs {
    /// Slabs that suit the spread of the boxes and their mean size.
    fn new(bounds: &[Bounds]) -> Self {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut sizes = Vec3::splat(f64::MIN_POSITIVE);
        for b in bounds {
            (low, high) = (low.min(b.min), high.max(b.max));
            sizes += (b.max - b.min) / bounds.len() as f64;
        }
        let spread = (high - low) / sizes;
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| spread[j].total_cmp(&spread[i]));
        let [sweep_axis, axis, _] = axes;
        let count = (spread[axis] / SLAB_SIZES).clamp(1.0, MOST_SLABS).floor();
        Self {
            axis,
            sweep_axis,
            start: low[axis],
            thickness: (high[axis] - low[axis]) / count,
            count: count as usize,
        }
    }

    /// The slab of a coordinate; never decreases as the coordinate grows.
    fn slab_of(&self, coordinate: f64) -> usize {
        (((coordinate - self.start) / self.thickness) as usize).min(self.count - 1)
    }

    /// The boxes of each slab, sorted for the sweep.
    fn fill(&self, bounds: &[Bounds]) -> Vec<Vec<Bounds>> {
        let mut slabs = vec![vec![]; self.count];
        for b in bounds {
            for slab in self.slab_of(b.min[self.axis])..=self.slab_of(b.max[self.axis]) {
                slabs[slab].push(*b);
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
        .map(|(slab, boxes)| slabs.sweep(slab, boxes).filter(|&(i, j)| accept(i, j)).collect())
        .collect();
    let mut found = found.concat();
    found.sort_unstable();
    found
}
