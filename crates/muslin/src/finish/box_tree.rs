//! A small bounding-box tree for real time: no threads, and no memory taken after construction.
//!
//! [`crate::collide::bvh::Bvh`] is for large scenes; it works in parallel and returns lists. Here the
//! caller visits nodes with its own bound, so one tree serves overlaps, rays and nearest points.

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
    /// Boxes of the items, in their order.
    items: Vec<Aabb>,
}

impl BoxTree {
    /// A tree over items at `centroids`, split at medians along the longest side.
    pub fn new(centroids: &[Vec3]) -> Self {
        let leaf_count = centroids.len().div_ceil(LEAF_SIZE).next_power_of_two().max(1);
        let mut order: Vec<u32> = (0..centroids.len() as u32).collect();
        split(centroids, &mut order, leaf_count);
        let items = vec![Aabb::EMPTY; order.len()];
        Self { leaf_count, order, nodes: vec![Aabb::EMPTY; 2 * leaf_count - 1], items }
    }

    /// Fits all boxes anew: `bounds(i)` is the box of item `i`.
    pub fn refit(&mut self, bounds: impl Fn(u32) -> Aabb) {
        for (item, &i) in self.items.iter_mut().zip(&self.order) {
            *item = bounds(i);
        }
        for node in (0..self.nodes.len()).rev() {
            self.nodes[node] = match self.leaf(node) {
                Some(run) => self.items[run].iter().fold(Aabb::EMPTY, |sum, item| sum.union(item)),
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

    /// Visits all pairs of an item of this tree and one of `other` whose boxes come within `margin` \[m\] of each
    /// other, along every axis.
    pub fn pairs_within(&self, other: &Self, margin: f64, mut visit: impl FnMut(u32, u32)) {
        self.descend(0, other, 0, margin, &mut visit);
    }

    /// The same for the pairs of its own items, each once and in any order.
    pub fn own_pairs_within(&self, margin: f64, mut visit: impl FnMut(u32, u32)) {
        self.descend_own(0, margin, &mut visit);
    }

    fn descend_own(&self, node: usize, margin: f64, visit: &mut impl FnMut(u32, u32)) {
        if let Some(run) = self.leaf(node) {
            for i in run.clone() {
                let item = self.items[i];
                for j in i + 1..run.end {
                    if are_within(&item, &self.items[j], margin) {
                        visit(self.order[i], self.order[j]);
                    }
                }
            }
        } else {
            let [low, high] = [2 * node + 1, 2 * node + 2];
            self.descend_own(low, margin, visit);
            self.descend_own(high, margin, visit);
            self.descend(low, self, high, margin, visit);
        }
    }

    fn descend(
        &self,
        a: usize,
        other: &Self,
        b: usize,
        margin: f64,
        visit: &mut impl FnMut(u32, u32),
    ) {
        if !are_within(&self.nodes[a], &other.nodes[b], margin) {
            return;
        }
        match (self.leaf(a), other.leaf(b)) {
            (Some(own), Some(others)) => {
                for i in own {
                    let item = self.items[i];
                    if !are_within(&item, &other.nodes[b], margin) {
                        continue;
                    }
                    for j in others.clone() {
                        if are_within(&item, &other.items[j], margin) {
                            visit(self.order[i], other.order[j]);
                        }
                    }
                }
            }
            // The one that is nearer to the root, or both trees would not shrink alike.
            (None, leaf) if leaf.is_some() || a <= b => {
                self.descend(2 * a + 1, other, b, margin, visit);
                self.descend(2 * a + 2, other, b, margin, visit);
            }
            _ => {
                self.descend(a, other, 2 * b + 1, margin, visit);
                self.descend(a, other, 2 * b + 2, margin, visit);
            }
        }
    }

    fn leaf(&self, node: usize) -> Option<std::ops::Range<usize>> {
        let k = (node + 1).checked_sub(self.leaf_count)?;
        let n = self.order.len();
        Some(k * n / self.leaf_count..(k + 1) * n / self.leaf_count)
    }
}

/// Whether two boxes come within `margin` \[m\] of each other, along every axis.
#[inline]
fn are_within(a: &Aabb, b: &Aabb, margin: f64) -> bool {
    a.min.x - margin <= b.max.x
        && b.min.x <= a.max.x + margin
        && a.min.y - margin <= b.max.y
        && b.min.y <= a.max.y + margin
        && a.min.z - margin <= b.max.z
        && b.min.z <= a.max.z + margin
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

fn split(centroids: &[Vec3], order: &mut [u32], leaves: usize) {
    if leaves <= 1 || order.len() <= 1 {
        return;
    }
    let bounds = Aabb::around(order.iter().map(|&i| centroids[i as usize]));
    let extent = bounds.max - bounds.min;
    let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
    // The same cut as `leaf` makes.
    let middle = order.len() * (leaves / 2) / leaves;
    order.select_nth_unstable_by(middle, |&a, &b| {
        let (p, q) = (centroids[a as usize][axis], centroids[b as usize][axis]);
        p.total_cmp(&q).then(a.cmp(&b))
    });
    let (low, high) = order.split_at_mut(middle);
    split(centroids, low, leaves / 2);
    split(centroids, high, leaves / 2);
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

    /// Pairs of items within a margin are those that brute force finds, each once.
    #[test]
    fn pairs_equal_brute_force() {
        let mut random = Random::new(8);
        let near = |p: Vec3, q: Vec3| (p - q).abs().max_element() <= 0.1;
        for counts in [[1, 7], [90, 40], [64, 300]] {
            let mut point = || Vec3::new(random.unit(), random.unit(), random.unit());
            let [a, b] = counts.map(|n| (0..n).map(|_| point()).collect::<Vec<Vec3>>());
            let tree = |points: &[Vec3]| {
                let mut tree = BoxTree::new(points);
                tree.refit(|i| Aabb::around([points[i as usize]]));
                tree
            };
            let all = |p: &[Vec3], q: &[Vec3], own: bool| {
                let pairs = (0..p.len()).flat_map(|i| (0..q.len()).map(move |j| (i, j)));
                let close = pairs.filter(|&(i, j)| (!own || i < j) && near(p[i], q[j]));
                close.map(|(i, j)| (i as u32, j as u32)).collect::<Vec<_>>()
            };
            let mut found = Vec::new();
            tree(&a).pairs_within(&tree(&b), 0.1, |i, j| {
                if near(a[i as usize], b[j as usize]) {
                    found.push((i, j));
                }
            });
            found.sort_unstable();
            assert_eq!(found, all(&a, &b, false));
            found.clear();
            tree(&b).own_pairs_within(0.1, |i, j| {
                if near(b[i as usize], b[j as usize]) {
                    found.push((i.min(j), i.max(j)));
                }
            });
            found.sort_unstable();
            assert_eq!(found, all(&b, &b, true));
        }
    }
}
