//! Pairs of overlapping boxes by sorting along one axis.

use crate::math::Vec3;
use rayon::prelude::*;

/// Boxes handled by one task; a fixed number, so that nothing depends on the number of threads.
const CHUNK: usize = 256;

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
            found
        })
        .collect();
    let mut found = found.concat();
    found.par_sort_unstable();
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
