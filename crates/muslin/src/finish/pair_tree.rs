//! A bounding-box tree for pairs of boxes that overlap, four boxes at a time: no memory taken after construction (OS8).
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::box_tree::cut;
use crate::collide::aabb::Aabb;
use crate::collide::box_group::{BoxGroup, ITSELF, LATER};
use crate::math::Vec3;
use crate::math::lanes::{Simd, level};
use crate::share::Share;
use fearless_simd::dispatch;

/// Deepest stack of a traversal: 15 pairs are left behind on each of at most 16 levels of `u32` items.
const STACK: usize = 256;
/// No item.
const NONE: u32 = u32::MAX;

/// The tree: the boxes in lanes of group `i` are those around groups `4i + 1` to `4i + 4`; on the last level they are
/// those of items.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairTree {
    /// First group of the last level.
    last: usize,
    groups: Vec<BoxGroup>,
    /// The item in every lane of the last level.
    items: Vec<u32>,
}

impl PairTree {
    /// A tree over items at `centroids`, split at medians along the longest side, as deep as one over `most` items.
    pub fn new(centroids: &[Vec3], most: usize) -> Self {
        let (mut lanes, mut last) = (4, 0);
        while lanes < most.max(centroids.len()) {
            (lanes, last) = (4 * lanes, 4 * last + 1);
        }
        let mut order: Vec<u32> = (0..centroids.len() as u32).collect();
        let mut items = vec![NONE; lanes];
        arrange(centroids, &mut order, [lanes, 1], &mut items);
        Self { last, groups: vec![BoxGroup::EMPTY; last + lanes / 4], items }
    }

    /// Fits all boxes anew: `bounds(i)` is the box of item `i`.
    pub fn refit(&mut self, bounds: impl Fn(u32) -> Aabb) {
        for (group, items) in self.groups[self.last..].iter_mut().zip(self.items.chunks_exact(4)) {
            for (lane, &item) in items.iter().enumerate().filter(|(_, item)| **item != NONE) {
                group.set(lane, &bounds(item));
            }
        }
        for i in (0..self.last).rev() {
            for lane in 0..4 {
                let around = self.groups[4 * i + 1 + lane].bounds();
                self.groups[i].set(lane, &around);
            }
        }
    }

    /// Visits all pairs of an item of this tree and one of `other`, which is as deep, whose boxes overlap.
    pub fn pairs(&self, other: &Self, mut visit: impl FnMut(u32, u32)) {
        debug_assert_eq!(self.last, other.last, "trees of one depth");
        dispatch!(level(), simd => self.descend(simd, (other, false), &[(0, 0)], &mut visit));
    }

    /// The same for the pairs of its own items, each once and in any order.
    pub fn own_pairs(&self, mut visit: impl FnMut(u32, u32)) {
        dispatch!(level(), simd => self.descend(simd, (self, true), &[(0, 0)], &mut visit));
    }

    /// The same for two who share the search: `visit` gets one of two lists `kept`, which one after the other hold what
    /// one list of a search alone would; what it gives is added up.
    pub fn own_pairs_in_halves<T: Send>(
        &self,
        share: Share,
        [first, second]: &mut [Vec<T>; 2],
        visit: impl Fn(u32, u32, &mut Vec<T>) -> usize + Sync,
    ) -> usize {
        let search = |start: &[(usize, usize)], kept: &mut Vec<T>| {
            let mut sum = 0;
            let mut visit = |i, j| sum += visit(i, j, kept);
            dispatch!(level(), simd => self.descend(simd, (self, true), start, &mut visit));
            sum
        };
        if share == Share::Alone || self.last == 0 {
            return search(&[(0, 0)], first);
        }
        let mut start = [(0, 0); STACK];
        let count =
            dispatch!(level(), simd => self.children(simd, (self, true), &[(0, 0)], &mut start));
        // A group with itself takes about four times as long. What is last on the stack is searched first.
        let weight = |(a, b): &(usize, usize)| if a == b { 4 } else { 1 };
        let all: usize = start[..count].iter().map(weight).sum();
        let mut below = 0;
        let at = start[..count].iter().position(|pair| {
            below += weight(pair);
            2 * below > all
        });
        let (low, high) = start[..count].split_at(at.unwrap_or(count));
        let (a, b) = share.join(|| search(high, first), || search(low, second));
        a + b
    }

    /// Fills `out` with the pairs of groups below those at `start`, in the order of the stack; how many.
    #[inline(always)]
    fn children<S: Simd>(
        &self,
        simd: S,
        (other, own): (&Self, bool),
        start: &[(usize, usize)],
        out: &mut [(usize, usize); STACK],
    ) -> usize {
        let mut count = 0;
        for &(a, b) in start {
            let mut all = self.meetings(simd, other, (a, b), own);
            while all != 0 {
                let pair = all.trailing_zeros() as usize;
                all &= all - 1;
                out[count] = (4 * a + 1 + pair / 4, 4 * b + 1 + pair % 4);
                count += 1;
            }
        }
        count
    }

    /// Which of the 16 pairs of boxes in two groups overlap.
    #[inline(always)]
    fn meetings<S: Simd>(&self, simd: S, other: &Self, (a, b): (usize, usize), own: bool) -> u64 {
        let (group, others) = (&self.groups[a], &other.groups[b]);
        // All 16 pairs at once, so that the loop over those that met is one.
        let mut all = group.all_overlaps(simd, others);
        if own && a == b {
            // Each pair once; a group with itself must be looked into, an item not.
            all &= if a >= self.last { LATER } else { LATER | ITSELF };
        }
        all
    }

    #[inline(always)]
    fn descend<S: Simd>(
        &self,
        simd: S,
        (other, own): (&Self, bool),
        start: &[(usize, usize)],
        visit: &mut impl FnMut(u32, u32),
    ) {
        let mut stack = [(0, 0); STACK];
        let mut top = start.len();
        stack[..top].copy_from_slice(start);
        while top > 0 {
            top -= 1;
            let (a, b): (usize, usize) = stack[top & (STACK - 1)];
            let at_end = a >= self.last;
            let mut all = self.meetings(simd, other, (a, b), own);
            while all != 0 {
                let pair = all.trailing_zeros() as usize;
                all &= all - 1;
                let (lane, second) = (pair / 4, pair % 4);
                if at_end {
                    let first = self.items[4 * (a - self.last) + lane];
                    visit(first, other.items[4 * (b - self.last) + second]);
                } else {
                    stack[top & (STACK - 1)] = (4 * a + 1 + lane, 4 * b + 1 + second);
                    top += 1;
                }
            }
        }
    }

    /// Visits all items whose boxes overlap `bounds`.
    pub fn overlapping(&self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        dispatch!(level(), simd => self.descend_with(simd, bounds, &mut visit));
    }

    #[inline(always)]
    fn descend_with<S: Simd>(&self, simd: S, bounds: &Aabb, visit: &mut impl FnMut(u32)) {
        let mut wanted = BoxGroup::EMPTY;
        wanted.set(0, bounds);
        let mut stack = [0; STACK];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let group: usize = stack[top & (STACK - 1)];
            let mut met = wanted.overlaps(simd, 0, &self.groups[group]);
            while met != 0 {
                let lane = met.trailing_zeros() as usize;
                met &= met - 1;
                if group >= self.last {
                    visit(self.items[4 * (group - self.last) + lane]);
                } else {
                    stack[top & (STACK - 1)] = 4 * group + 1 + lane;
                    top += 1;
                }
            }
        }
    }
}

/// Puts items into lanes, at most `each` under every one of `parts` boxes of a level, and under as few boxes as will
/// hold them: the fuller groups are, the fewer must be compared.
fn arrange(centroids: &[Vec3], order: &mut [u32], [each, parts]: [usize; 2], lanes: &mut [u32]) {
    if parts > 1 {
        let first = parts / 2;
        let (low, high) = cut(centroids, order, order.len() * first / parts);
        let (low_lanes, high_lanes) = lanes.split_at_mut(first * each);
        arrange(centroids, low, [each, first], low_lanes);
        arrange(centroids, high, [each, parts - first], high_lanes);
    } else if each > 1 {
        let each = each / 4;
        arrange(centroids, order, [each, order.len().div_ceil(each)], lanes);
    } else if let Some(item) = order.first() {
        lanes[0] = *item;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    /// Pairs of items whose boxes overlap are those that brute force finds, each once.
    #[test]
    fn pairs_equal_brute_force() {
        let mut random = Random::new(8);
        let near = |p: Vec3, q: Vec3| (p - q).abs().max_element() <= 0.1;
        for counts in [[1, 7], [90, 40], [64, 300], [4, 16]] {
            let mut point = || Vec3::new(random.unit(), random.unit(), random.unit());
            let [a, b] = counts.map(|n| (0..n).map(|_| point()).collect::<Vec<Vec3>>());
            let most = a.len().max(b.len());
            let tree = |points: &[Vec3]| {
                let mut tree = PairTree::new(points, most);
                tree.refit(|i| Aabb::around([points[i as usize]]).grown(0.05));
                tree
            };
            let all = |p: &[Vec3], q: &[Vec3], own: bool| {
                let pairs = (0..p.len()).flat_map(|i| (0..q.len()).map(move |j| (i, j)));
                let close = pairs.filter(|&(i, j)| (!own || i < j) && near(p[i], q[j]));
                close.map(|(i, j)| (i as u32, j as u32)).collect::<Vec<_>>()
            };
            let mut found = Vec::new();
            tree(&a).pairs(&tree(&b), |i, j| found.push((i, j)));
            found.sort_unstable();
            assert_eq!(found, all(&a, &b, false));
            found.clear();
            tree(&b).own_pairs(|i, j| found.push((i.min(j), i.max(j))));
            found.sort_unstable();
            assert_eq!(found, all(&b, &b, true));
            found.clear();
            for (i, p) in a.iter().enumerate() {
                let bounds = Aabb::around([*p]).grown(0.05);
                tree(&b).overlapping(&bounds, |j| found.push((i as u32, j)));
            }
            found.sort_unstable();
            assert_eq!(found, all(&a, &b, false));
        }
    }
}
