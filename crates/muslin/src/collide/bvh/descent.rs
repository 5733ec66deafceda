//! Pairs of nodes of two trees whose boxes overlap, sixteen at a time.
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::Apart;
use crate::collide::aabb::Aabb;
use crate::collide::box_group::{BoxGroup, ITSELF, LATER};
use crate::math::lanes::{Simd, level};
use fearless_simd::dispatch;
use rayon::prelude::*;

/// Parallel tasks a traversal is cut into, at least. Fixed, so that the order of results is too (R4).
const TASKS: usize = 256;

/// Groups refilled by one parallel task, at least.
const MIN_GROUPS: usize = 512;

/// The boxes of every second level of a complete binary tree, four by four, down to that of the leaves. Group `g`
/// has in lane `l` the box around group `4g + roots + l`.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// How many groups there are at the top: one or two.
    roots: usize,
    /// First group of leaves.
    last: usize,
    boxes: Vec<BoxGroup>,
    /// The node in the first lane of every group; the next nodes are in the others.
    nodes: Vec<u32>,
}

/// Two groups of two trees whose boxes are to be compared.
pub(super) type Task = [u32; 2];

/// Two trees, or one twice, and what need not be looked at.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub first: &'a Groups,
    pub second: &'a Groups,
    pub apart: Apart<'a>,
    /// Whether both are one tree, of which each pair is wanted once.
    pub own: bool,
}

impl Groups {
    /// Those of a tree with so many leaves, a power of two.
    pub fn new(leaf_count: usize) -> Self {
        let depth = leaf_count.ilog2();
        let top = if depth < 2 { depth } else { 2 + depth % 2 };
        let roots = (1usize << top).div_ceil(4);
        let (mut nodes, mut last) = (Vec::new(), 0);
        for level in (top..=depth).step_by(2) {
            last = nodes.len();
            let count = (1u32 << level).div_ceil(4);
            nodes.extend((0..count).map(|k| (1 << level) - 1 + 4 * k));
        }
        Self { roots, last, boxes: vec![BoxGroup::EMPTY; nodes.len()], nodes }
    }

    /// Takes over the boxes of all nodes.
    pub fn refill(&mut self, boxes: &[Aabb]) {
        let Self { boxes: groups, nodes, .. } = self;
        let groups = groups.par_iter_mut().with_min_len(MIN_GROUPS).zip(nodes);
        groups.for_each(|(group, first)| {
            // Trees of one or two leaves do not fill their only group.
            for (lane, bounds) in boxes[*first as usize..].iter().take(4).enumerate() {
                group.set(lane, bounds);
            }
        });
    }

    #[inline(always)]
    fn below(&self, group: u32, lane: usize) -> u32 {
        4 * group + (self.roots + lane) as u32
    }

    #[inline(always)]
    fn node(&self, group: u32, lane: usize) -> usize {
        self.nodes[group as usize] as usize + lane
    }

    #[inline(always)]
    fn at_end(&self, group: u32) -> bool {
        group as usize >= self.last
    }
}

impl Sides<'_> {
    /// Visits every pair of leaves whose boxes overlap, by the numbers of their nodes, in parallel; also leaves with
    /// themselves, where both sides are one. Results come in a fixed order.
    pub fn leaves<T: Send>(&self, visit: impl Fn(usize, usize, &mut Vec<T>) + Sync) -> Vec<T> {
        let roots = |groups: &Groups| 0..groups.roots as u32;
        let pairs = roots(self.first).flat_map(|a| roots(self.second).map(move |b| [a, b]));
        let mut tasks: Vec<Task> = pairs.filter(|[a, b]| !self.own || a <= b).collect();
        let mut done = Vec::new();
        while !tasks.is_empty() && tasks.len() < TASKS {
            let mut next = Vec::with_capacity(8 * tasks.len());
            dispatch!(level(), simd => {
                for task in &tasks {
                    self.expand(simd, *task, &mut next, &mut |a, b| visit(a, b, &mut done));
                }
            });
            tasks = next;
        }
        let found: Vec<Vec<T>> = tasks
            .par_iter()
            .map(|task| {
                let (mut found, mut stack) = (Vec::new(), vec![*task]);
                dispatch!(level(), simd => {
                    while let Some(task) = stack.pop() {
                        self.expand(simd, task, &mut stack, &mut |a, b| visit(a, b, &mut found));
                    }
                });
                found
            })
            .collect();
        done.extend(found.into_iter().flatten());
        done
    }

    /// Replaces a task by its parts, or visits leaves.
    #[inline(always)]
    fn expand<S: Simd>(
        &self,
        simd: S,
        [a, b]: Task,
        out: &mut Vec<Task>,
        visit: &mut impl FnMut(usize, usize),
    ) {
        let Self { first, second, apart, own } = *self;
        let mut met = first.boxes[a as usize].all_overlaps(simd, &second.boxes[b as usize]);
        let is_same = own && a == b;
        if is_same {
            met &= LATER | ITSELF;
        }
        let ends = [first.at_end(a), second.at_end(b)];
        // Where one side is at its end, the other goes on alone, once for each of its lanes.
        let mut gone = 0u32;
        while met != 0 {
            let pair = met.trailing_zeros() as usize;
            met &= met - 1;
            let (lane, other) = (pair / 4, pair % 4);
            let (node, other_node) = (first.node(a, lane), second.node(b, other));
            let is_left_out = if is_same && lane == other {
                apart.within(node)
            } else {
                apart.between(node, other_node)
            };
            if is_left_out {
                continue;
            }
            let mut once = |bit: usize| (gone >> bit & 1 == 0).then(|| gone |= 1 << bit);
            match ends {
                [true, true] => visit(node, other_node),
                [false, false] => out.push([first.below(a, lane), second.below(b, other)]),
                [true, false] => out.extend(once(other).map(|()| [a, second.below(b, other)])),
                [false, true] => out.extend(once(lane).map(|()| [first.below(a, lane), b])),
            }
        }
    }
}
