//! Building the binary tree: binned surface area heuristic.

use crate::Vec3f;

/// A box in the renderer's units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aabb {
    pub min: Vec3f,
    pub max: Vec3f,
}

impl Aabb {
    pub const EMPTY: Self = Self {
        min: Vec3f::INFINITY,
        max: Vec3f::NEG_INFINITY,
    };

    /// The box around a triangle, a few roundings larger, so that a ray along a face meets it.
    pub fn around(corners: &[Vec3f; 3]) -> Self {
        let min = corners[0].min(corners[1]).min(corners[2]);
        let max = corners[0].max(corners[1]).max(corners[2]);
        let margin = BOX_MARGIN * (min.abs().max(max.abs()).max_element() + BOX_MARGIN);
        Self {
            min: min - margin,
            max: max + margin,
        }
    }

    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Half the surface area; 0 for the empty box.
    pub fn half_area(&self) -> f32 {
        let d = (self.max - self.min).max(Vec3f::ZERO);
        d.x * d.y + d.y * d.z + d.z * d.x
    }
}

/// A triangle as the builder sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Primitive {
    pub bounds: Aabb,
    pub center: Vec3f,
    pub id: u32,
}

/// A binary tree; leaves hold at most [`LEAF_SIZE`] triangles.
pub(super) enum Tree {
    Leaf {
        bounds: Aabb,
        ids: Vec<u32>,
    },
    Inner {
        bounds: Aabb,
        children: Box<[Tree; 2]>,
    },
}

impl Tree {
    pub fn bounds(&self) -> &Aabb {
        match self {
            Self::Leaf { bounds, .. } | Self::Inner { bounds, .. } => bounds,
        }
    }
}

/// Margin of boxes, relative to the largest coordinate: four units in the last place.
const BOX_MARGIN: f32 = 5e-7;
/// Triangles per leaf: the lanes of one pack.
pub(super) const LEAF_SIZE: usize = 4;
/// Bins per axis; more gave no faster rays.
const BINS: usize = 16;
/// Below this many triangles both halves are built by the same thread.
const PARALLEL_SIZE: usize = 4096;
/// From this depth on triangles are halved by number, which bounds the depth of any input.
const DEEPEST_HEURISTIC_SPLIT: u32 = 40;

/// Builds the tree; the order of `primitives` and nothing else decides its shape.
pub(super) fn build_tree(primitives: &mut [Primitive], depth: u32) -> Tree {
    let bounds = primitives
        .iter()
        .fold(Aabb::EMPTY, |b, p| b.union(p.bounds));
    if primitives.len() <= LEAF_SIZE {
        return Tree::Leaf {
            bounds,
            ids: primitives.iter().map(|p| p.id).collect(),
        };
    }
    let middle = split(primitives, depth);
    let parallel = primitives.len() > PARALLEL_SIZE;
    let (low, high) = primitives.split_at_mut(middle);
    let children = if parallel {
        rayon::join(
            || build_tree(low, depth + 1),
            || build_tree(high, depth + 1),
        )
    } else {
        (build_tree(low, depth + 1), build_tree(high, depth + 1))
    };
    Tree::Inner {
        bounds,
        children: Box::new([children.0, children.1]),
    }
}

/// Reorders the primitives around the best plane and returns the size of the lower part, which is
/// neither 0 nor everything.
fn split(primitives: &mut [Primitive], depth: u32) -> usize {
    let half = primitives.len() / 2;
    if depth >= DEEPEST_HEURISTIC_SPLIT {
        return half;
    }
    let centers = primitives.iter().fold(Aabb::EMPTY, |b, p| {
        b.union(Aabb {
            min: p.center,
            max: p.center,
        })
    });
    let best = (0..3)
        .filter_map(|axis| best_plane(primitives, &centers, axis))
        .min_by(|a, b| a.cost.total_cmp(&b.cost));
    let Some(plane) = best else { return half };
    let middle = partition(primitives, |p| {
        plane.bins.index(p.center) <= plane.last_low_bin
    });
    if middle == 0 || middle == primitives.len() {
        half
    } else {
        middle
    }
}

struct Plane {
    cost: f32,
    bins: Bins,
    last_low_bin: usize,
}

/// Equal intervals of one coordinate.
#[derive(Clone, Copy)]
struct Bins {
    axis: usize,
    start: f32,
    per_length: f32,
}

impl Bins {
    fn index(&self, center: Vec3f) -> usize {
        (((center[self.axis] - self.start) * self.per_length) as usize).min(BINS - 1)
    }
}

/// The cheapest plane across `axis`: Σ area × count of both sides. None where centres coincide.
fn best_plane(primitives: &[Primitive], centers: &Aabb, axis: usize) -> Option<Plane> {
    let extent = centers.max[axis] - centers.min[axis];
    let bins = Bins {
        axis,
        start: centers.min[axis],
        per_length: BINS as f32 / extent,
    };
    if !(extent > 0.0 && bins.per_length.is_finite()) {
        return None;
    }
    let mut boxes = [Aabb::EMPTY; BINS];
    let mut counts = [0_usize; BINS];
    for primitive in primitives {
        let bin = bins.index(primitive.center);
        boxes[bin] = boxes[bin].union(primitive.bounds);
        counts[bin] += 1;
    }
    let mut high_costs = [0.0_f32; BINS];
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    for bin in (1..BINS).rev() {
        bounds = bounds.union(boxes[bin]);
        count += counts[bin];
        high_costs[bin] = bounds.half_area() * count as f32;
    }
    let (mut bounds, mut count) = (Aabb::EMPTY, 0);
    let mut best: Option<Plane> = None;
    for bin in 0..BINS - 1 {
        bounds = bounds.union(boxes[bin]);
        count += counts[bin];
        let cost = bounds.half_area() * count as f32 + high_costs[bin + 1];
        let useful = count > 0 && count < primitives.len();
        if useful && best.as_ref().is_none_or(|b| cost < b.cost) {
            best = Some(Plane {
                cost,
                bins,
                last_low_bin: bin,
            });
        }
    }
    best
}

/// Moves the primitives that are `low` to the front and returns their number.
fn partition(primitives: &mut [Primitive], low: impl Fn(&Primitive) -> bool) -> usize {
    let mut middle = 0;
    for i in 0..primitives.len() {
        if low(&primitives[i]) {
            primitives.swap(middle, i);
            middle += 1;
        }
    }
    middle
}
