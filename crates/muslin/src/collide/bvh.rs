//! A bounding-box hierarchy over triangles, built once and refitted (BF4).
//!
//! The tree is complete and implicit: node `i` has children `2i + 1` and `2i + 2`, all leaves are on
//! the last level, and leaf `k` holds the `k`-th run of triangles in an order fixed at construction.

mod descent;

use super::aabb::Aabb;
use super::flat::Flatness;
use crate::math::Vec3;
use descent::{Groups, Sides};
use rayon::prelude::*;

/// Triangles per leaf, at most. Measured on a crumpled 10,000-vertex sheet: 1, 2 and 4 differ by less
/// than a tenth, 8 is slower.
const LEAF_SIZE: usize = 2;

/// Boxes refitted by one parallel task, at least.
const MIN_BOXES: usize = 512;

/// The hierarchy.
#[derive(Clone, Debug)]
pub struct Bvh {
    leaf_count: usize,
    order: Vec<u32>,
    nodes: Vec<Aabb>,
    /// The same boxes, as traversals compare them.
    groups: Groups,
    boxes: Vec<Aabb>,
}

/// What need not be looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Apart<'a> {
    /// Smooth cloth stays apart from itself.
    pub flat: Option<&'a Flatness>,
    /// Nodes that stay apart from everything of the other side.
    pub away: Option<&'a [bool]>,
    /// Nodes that are of interest, with any other.
    pub wanted: Option<&'a [bool]>,
    /// Whether nodes of the other side can be of interest too.
    pub mutual: bool,
}

impl Apart<'_> {
    #[inline]
    fn within(&self, node: usize) -> bool {
        self.flat.is_some_and(|flat| flat.within(node))
            || self.wanted.is_some_and(|wanted| !wanted[node])
    }

    #[inline]
    fn between(&self, a: usize, b: usize) -> bool {
        self.wanted.is_some_and(|wanted| !(wanted[a] || self.mutual && wanted[b]))
            || self.away.is_some_and(|away| away[a])
            || self.flat.is_some_and(|flat| flat.between(a, b))
    }
}

impl Bvh {
    /// A tree over `centroids`, split at medians along the longest side.
    pub fn new(centroids: &[Vec3]) -> Self {
        let count = centroids.len();
        let leaf_count = count.div_ceil(LEAF_SIZE).next_power_of_two().max(1);
        let mut order: Vec<u32> = (0..count as u32).collect();
        split(centroids, &mut order, leaf_count);
        Self {
            leaf_count,
            order,
            nodes: vec![Aabb::EMPTY; 2 * leaf_count - 1],
            groups: Groups::new(leaf_count),
            boxes: vec![Aabb::EMPTY; count],
        }
    }

    /// Refits all boxes: `bounds(t)` is the box of triangle `t`.
    pub fn refit(&mut self, bounds: impl Fn(u32) -> Aabb + Sync) {
        let Self { order, boxes, .. } = self;
        boxes
            .par_iter_mut()
            .with_min_len(MIN_BOXES)
            .zip(&*order)
            .for_each(|(out, &t)| *out = bounds(t));
        let (leaf_count, boxes, mut nodes) =
            (self.leaf_count, &self.boxes, std::mem::take(&mut self.nodes));
        fill(&mut nodes, leaf_count, Aabb::union, |k| {
            let run = &boxes[leaf_range(k, leaf_count, boxes.len())];
            run.iter().fold(Aabb::EMPTY, |sum, next| sum.union(next))
        });
        self.groups.refill(&nodes);
        self.nodes = nodes;
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// What `of` says of the triangles of every node, joined; `none` where there are none.
    pub fn gather<T: Clone + Send + Sync>(
        &self,
        none: T,
        of: impl Fn(u32) -> T + Sync,
        join: impl Fn(&T, &T) -> T + Sync,
    ) -> Vec<T> {
        let mut nodes = vec![none.clone(); self.nodes.len()];
        self.gather_into(&mut nodes, &none, of, join);
        nodes
    }

    /// The same, into an entry per node.
    pub fn gather_into<T: Clone + Send + Sync>(
        &self,
        nodes: &mut [T],
        none: &T,
        of: impl Fn(u32) -> T + Sync,
        join: impl Fn(&T, &T) -> T + Sync,
    ) {
        fill(nodes, self.leaf_count, &join, |k| {
            let run = &self.order[leaf_range(k, self.leaf_count, self.order.len())];
            run.iter().fold(none.clone(), |sum, &t| join(&sum, &of(t)))
        });
    }

    /// The box of everything.
    pub fn bounds(&self) -> Aabb {
        self.nodes[0]
    }

    /// Visits every pair of different triangles whose boxes overlap, in parallel, but for what is
    /// `apart`; results come in a fixed order.
    pub(super) fn self_pairs<T: Send>(
        &self,
        apart: Apart,
        visit: impl Fn(u32, u32, &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        if apart.within(0) {
            return Vec::new();
        }
        let sides = Sides { first: &self.groups, second: &self.groups, apart, own: true };
        sides.leaves(|a, b, found| {
            let (first, second) = (self.leaf(a), self.leaf(b));
            for i in first {
                let others = if a == b { i + 1..second.end } else { second.clone() };
                for j in others.filter(|&j| self.boxes[i].overlaps(&self.boxes[j])) {
                    visit(self.order[i], self.order[j], found);
                }
            }
        })
    }

    /// Visits every pair of a triangle here and one of `other` whose boxes overlap, but for what is `apart`.
    pub(super) fn pairs_with<T: Send>(
        &self,
        other: &Self,
        apart: Apart,
        visit: impl Fn(u32, u32, &mut Vec<T>) + Sync,
    ) -> Vec<T> {
        if !self.nodes[0].overlaps(&other.nodes[0]) || apart.between(0, 0) {
            return Vec::new();
        }
        let sides = Sides { first: &self.groups, second: &other.groups, apart, own: false };
        sides.leaves(|a, b, found| {
            for i in self.leaf(a) {
                let meets = |j: &usize| self.boxes[i].overlaps(&other.boxes[*j]);
                for j in other.leaf(b).filter(meets) {
                    visit(self.order[i], other.order[j], found);
                }
            }
        })
    }

    /// Visits every triangle whose box overlaps `bounds`, in a fixed order.
    pub fn overlapping(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        let mut stack = vec![0usize];
        while let Some(node) = stack.pop() {
            if !self.nodes[node].overlaps(bounds) {
                continue;
            }
            for i in self.leaf(node).filter(|&i| self.boxes[i].overlaps(bounds)) {
                visit(self.order[i]);
            }
            if node + 1 < self.leaf_count {
                stack.extend([2 * node + 2, 2 * node + 1]);
            }
        }
    }

    /// The run of triangles of a leaf; empty for an inner node.
    #[inline]
    fn leaf(&self, node: usize) -> std::ops::Range<usize> {
        match (node + 1).checked_sub(self.leaf_count) {
            Some(k) => leaf_range(k, self.leaf_count, self.order.len()),
            None => 0..0,
        }
    }
}

/// Fills the nodes of a complete tree: the leaves by `leaf`, all others by joining their children.
fn fill<T: Send + Sync>(
    nodes: &mut [T],
    leaf_count: usize,
    join: impl Fn(&T, &T) -> T + Sync,
    leaf: impl Fn(usize) -> T + Sync,
) {
    let (inner, leaves) = nodes.split_at_mut(leaf_count - 1);
    leaves.par_iter_mut().with_min_len(MIN_BOXES).enumerate().for_each(|(k, node)| *node = leaf(k));
    let mut below: &mut [T] = leaves;
    let mut above: &mut [T] = inner;
    while !above.is_empty() {
        let (rest, level) = above.split_at_mut(above.len() / 2);
        level.par_iter_mut().with_min_len(MIN_BOXES).enumerate().for_each(|(k, node)| {
            *node = join(&below[2 * k], &below[2 * k + 1]);
        });
        (above, below) = (rest, level);
    }
}

#[inline]
fn leaf_range(k: usize, leaf_count: usize, count: usize) -> std::ops::Range<usize> {
    k * count / leaf_count..(k + 1) * count / leaf_count
}

/// Orders triangles such that every subtree of the complete tree holds neighbours.
fn split(centroids: &[Vec3], order: &mut [u32], leaves: usize) {
    if leaves <= 1 || order.len() <= 1 {
        return;
    }
    let bounds = Aabb::around(order.iter().map(|&t| centroids[t as usize]));
    let extent = bounds.max - bounds.min;
    let axis = if extent.x >= extent.y && extent.x >= extent.z {
        0
    } else {
        1 + usize::from(extent.z > extent.y)
    };
    // The same cut as `leaf_range` makes.
    let middle = order.len() * (leaves / 2) / leaves;
    order.select_nth_unstable_by(middle, |&a, &b| {
        let (p, q) = (centroids[a as usize][axis], centroids[b as usize][axis]);
        p.total_cmp(&q).then(a.cmp(&b))
    });
    let (low, high) = order.split_at_mut(middle);
    rayon::join(|| split(centroids, low, leaves / 2), || split(centroids, high, leaves / 2));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn boxes(count: usize, size: f64, random: &mut Random) -> Vec<Aabb> {
        let mut vector = |s: f64| Vec3::new(random.unit(), random.unit(), random.unit()) * s;
        (0..count)
            .map(|_| {
                let min = vector(1.0);
                Aabb { min, max: min + vector(size) }
            })
            .collect()
    }

    fn tree(boxes: &[Aabb]) -> Bvh {
        let centroids: Vec<Vec3> = boxes.iter().map(|b| (b.min + b.max) * 0.5).collect();
        let mut bvh = Bvh::new(&centroids);
        bvh.refit(|t| boxes[t as usize]);
        bvh
    }

    /// Both traversals find exactly the pairs that brute force finds, each once.
    #[test]
    fn bf4_pairs_equal_brute_force() {
        let mut random = Random::new(12);
        for (n, m) in [(1, 1), (2, 3), (5, 64), (700, 300)] {
            let (a, b) = (boxes(n, 0.1, &mut random), boxes(m, 0.2, &mut random));
            let (tree_a, tree_b) = (tree(&a), tree(&b));
            let mut found =
                tree_a.self_pairs(Apart::default(), |i, j, out| out.push((i.min(j), i.max(j))));
            found.sort_unstable();
            let mut brute = Vec::new();
            for i in 0..n {
                for j in i + 1..n {
                    if a[i].overlaps(&a[j]) {
                        brute.push((i as u32, j as u32));
                    }
                }
            }
            assert_eq!(found, brute);
            let mut found =
                tree_a.pairs_with(&tree_b, Apart::default(), |i, j, out| out.push((i, j)));
            found.sort_unstable();
            let mut brute = Vec::new();
            for i in 0..n {
                for j in 0..m {
                    if a[i].overlaps(&b[j]) {
                        brute.push((i as u32, j as u32));
                    }
                }
            }
            assert_eq!(found, brute);
            let mut found = Vec::new();
            tree_b.overlapping(&a[0], |t| found.push(t));
            found.sort_unstable();
            let expected: Vec<u32> =
                (0..m as u32).filter(|&j| b[j as usize].overlaps(&a[0])).collect();
            assert_eq!(found, expected);
        }
    }
}
