//! A small bounding-box tree for real time: no threads, and no memory taken after construction.
//!
//! [`crate::collide::bvh::Bvh`] is for large scenes; it works in parallel and returns lists. Here the
//! caller visits nodes with its own bound, so one tree serves overlaps, rays and nearest points. For pairs of boxes see
//! `pair_tree`.

use crate::collide::aabb::Aabb;
use crate::math::Vec3;

/// Items per leaf, at most.
const LEAF_SIZE: usize = 4;
/// Deepest stack of a traversal: one node per level, and a tree of `u32` items has at most 32.
const STACK: usize = 64;

/// The tree: node `i` has children `2i + 1` and `2i + 2`; leaves are on the last level.
#[derive(Clone, Debug)]
pub struct BoxTree {
    leaf_count: usize,
    order: Vec<u32>,
    nodes: Vec<Aabb>,
}

impl BoxTree {
    /// A tree over items at `centroids`, split at medians along the longest side.
    pub fn new(centroids: &[Vec3]) -> Self {
        let leaf_count = centroids.len().div_ceil(LEAF_SIZE).next_power_of_two().max(1);
        let mut order: Vec<u32> = (0..centroids.len() as u32).collect();
        split(centroids, &mut order, leaf_count);
        Self { leaf_count, order, nodes: vec![Aabb::EMPTY; 2 * leaf_count - 1] }
    }

    /// Fits all boxes anew: `bounds(i)` is the box of item `i`.
    pub fn refit(&mut self, bounds: impl Fn(u32) -> Aabb) {
        for node in (0..self.nodes.len()).rev() {
            self.nodes[node] = match self.leaf(node) {
                Some(run) => {
                    let own = self.order[run].iter();
                    own.fold(Aabb::EMPTY, |sum, &item| sum.union(&bounds(item)))
                }
                None => self.nodes[2 * node + 1].union(&self.nodes[2 * node + 2]),
            };
        }
    }

    /// The box of everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes[0]
    }

    /// Visits items in boxes whose `bound` is below the best value so far, nearer boxes first.
    ///
    /// `visit(item, best)` returns the new best value; infinity means "never" as a bound.
    pub fn search(
        &self,
        mut best: f64,
        bound: impl Fn(&Aabb) -> f64,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) -> f64 {
        let mut stack = [(0usize, 0.0f64); STACK];
        stack[0] = (0, bound(&self.nodes[0]));
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (node, least) = stack[top];
            if least >= best {
                continue;
            }
            if let Some(run) = self.leaf(node) {
                for &item in &self.order[run] {
                    best = visit(item, best);
                }
            } else {
                let [a, b] = [2 * node + 1, 2 * node + 2].map(|n| (n, bound(&self.nodes[n])));
                let (near, far) = if b.1 < a.1 { (b, a) } else { (a, b) };
                stack[top] = far;
                stack[top + 1] = near;
                top += 2;
            }
        }
        best
    }

    fn leaf(&self, node: usize) -> Option<std::ops::Range<usize>> {
        let k = (node + 1).checked_sub(self.leaf_count)?;
        let n = self.order.len();
        Some(k * n / self.leaf_count..(k + 1) * n / self.leaf_count)
    }
}

/// Square of the distance from `p` to a box \[m²\].
#[inline]
pub fn distance_squared(bounds: &Aabb, p: Vec3) -> f64 {
    (bounds.min - p).max(p - bounds.max).max(Vec3::ZERO).length_squared()
}

/// Where the ray `p + t d` enters a box; infinity if it misses. `inverse` is `1/d`.
#[inline]
pub fn ray_entry(bounds: &Aabb, p: Vec3, inverse: Vec3) -> f64 {
    let (a, b) = ((bounds.min - p) * inverse, (bounds.max - p) * inverse);
    let enter = a.min(b).max_element().max(0.0);
    let leave = a.max(b).min_element();
    if enter <= leave { enter } else { f64::INFINITY }
}

/// Puts items into an order in which each of `leaves` equal runs, a power of two, is a cell of a tree of medians.
fn split(centroids: &[Vec3], order: &mut [u32], leaves: usize) {
    if leaves <= 1 || order.len() <= 1 {
        return;
    }
    // The same cut as `leaf` makes.
    let middle = order.len() * (leaves / 2) / leaves;
    let (low, high) = cut(centroids, order, middle);
    split(centroids, low, leaves / 2);
    split(centroids, high, leaves / 2);
}

/// Cuts items in two across the longest side of the box around them, so many of them before the cut, of at least one
/// more.
pub(super) fn cut<'a>(
    centroids: &[Vec3],
    order: &'a mut [u32],
    before: usize,
) -> (&'a mut [u32], &'a mut [u32]) {
    let bounds = Aabb::around(order.iter().map(|&i| centroids[i as usize]));
    let extent = bounds.max - bounds.min;
    let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
    order.select_nth_unstable_by(before, |&a, &b| {
        let (p, q) = (centroids[a as usize][axis], centroids[b as usize][axis]);
        p.total_cmp(&q).then(a.cmp(&b))
    });
    order.split_at_mut(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Nearest points and rays find what brute force finds.
    #[test]
    fn searches_equal_brute_force() {
        let mut random = Random::new(3);
        for count in [1, 4, 5, 300] {
            let mut point = || Vec3::new(random.unit(), random.unit(), random.unit());
            let points: Vec<Vec3> = (0..count).map(|_| point()).collect();
            let mut tree = BoxTree::new(&points);
            let ball = 0.03;
            tree.refit(|i| Aabb::around([points[i as usize]]).grown(ball));
            for _ in 0..50 {
                let p = point();
                let near = tree.search(
                    f64::INFINITY,
                    |b| distance_squared(b, p),
                    |i, best| best.min(points[i as usize].distance_squared(p)),
                );
                let brute = points.iter().map(|q| q.distance_squared(p)).fold(9.0, f64::min);
                assert_eq!(near, brute);
                let d = point() - Vec3::splat(0.5);
                let entry = |i: u32| {
                    let bounds = Aabb::around([points[i as usize]]).grown(ball);
                    ray_entry(&bounds, p, d.recip())
                };
                let bound = |b: &Aabb| ray_entry(b, p, d.recip());
                let hit = tree.search(f64::INFINITY, bound, |i, best| best.min(entry(i)));
                let brute = (0..count as u32).map(entry).fold(f64::INFINITY, f64::min);
                assert_eq!(hit, brute);
            }
        }
    }
}
