//! Regions of cloth so smooth that they cannot touch themselves (BF4: pruning where cloth is flat).
//!
//! On a convex piece `B` of the `(u, v)` plane that is covered by cloth, positions are a continuous map with
//! the gradient `W = (w_u, w_v)` of the triangle there. For two points `p`, `q` of `B` and a 2 × 3 matrix
//! `R` with orthonormal rows,
//!
//! ```text
//! (q − p)ᵀ R (x(q) − x(p)) = ∫ (q − p)ᵀ R W (q − p) ≥ λ |q − p|²,   so   |x(q) − x(p)| ≥ λ |q − p|
//! ```
//!
//! with `λ` the least eigenvalue of the symmetric part of `R W` on `B`. It is concave in `W`: what holds at
//! the start and the end of a linear motion holds all the time. With `W̄` the middle of a box around all
//! those gradients, `ρ` half its diagonal, and `R` the rotation in `W̄` (its polar factor),
//! `λ ≥ σ_min(W̄) − ρ`.
//!
//! Two features without a common vertex are at least the least height `m` of a triangle apart in the plane: the
//! shortest way between them begins at a vertex and leaves the triangles around it. So nothing in `B` comes
//! nearer than `λ m` to anything else there, and where that is enough, nothing needs to be looked at.
//! Exactly: no wrinkle is missed, whatever it looks like.
//!
//! Every node of the hierarchy has such a region: a rectangle around it and as much again on every side, so
//! that pairs of neighbouring nodes are left out as well as pairs within one.

mod plane;

use super::bvh::Bvh;
use crate::cloth::TriangleRest;
use crate::force::membrane::Map;
use crate::math::{Vec2, Vec3};
use plane::{Covered, Plane, Rect};
use rayon::prelude::*;

/// How much of its extent a node's region has on every side, besides its own.
const BESIDE: f64 = 1.25;

/// Nodes handled by one parallel task, at least.
const MIN_NODES: usize = 256;

/// More than what is needed that is kept for rounding.
const SLACK: f64 = 1.0 + 1e-6;

/// The box of some gradients.
#[derive(Clone, Copy, Debug)]
struct Gradients {
    min: Map,
    max: Map,
}

impl Gradients {
    const NONE: Self = Self {
        min: Map { u: Vec3::INFINITY, v: Vec3::INFINITY },
        max: Map { u: Vec3::NEG_INFINITY, v: Vec3::NEG_INFINITY },
    };

    #[inline]
    fn with(self, other: &Self) -> Self {
        Self {
            min: Map { u: self.min.u.min(other.min.u), v: self.min.v.min(other.min.v) },
            max: Map { u: self.max.u.max(other.max.u), v: self.max.v.max(other.max.v) },
        }
    }

    /// `σ_min(W̄) − ρ`.
    #[inline]
    fn least_stretch(&self) -> f64 {
        let (u, v) = ((self.min.u + self.max.u) * 0.5, (self.min.v + self.max.v) * 0.5);
        let (half_u, half_v) = ((self.max.u - self.min.u) * 0.5, (self.max.v - self.min.v) * 0.5);
        let radius = (half_u.length_squared() + half_v.length_squared()).sqrt();
        let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
        let half_difference = 0.5 * (uu - vv);
        let squared = 0.5 * (uu + vv) - (half_difference * half_difference + uv * uv).sqrt();
        squared.max(0.0).sqrt() - radius
    }
}

/// Which nodes of a hierarchy over cloth have a region that cannot touch itself.
#[derive(Clone, Debug)]
pub struct Flatness {
    rest: Vec<TriangleRest>,
    /// Rectangle around the triangles of every node.
    own: Vec<Rect>,
    /// The region of every node; empty where it is not covered.
    region: Vec<Rect>,
    /// Least height of the triangles in the region of every node \[m\].
    height: Vec<f64>,
    /// Nodes of the same level that cover the region of a node: `cover[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    cover: Vec<u32>,
    gradients: Vec<Gradients>,
    flat: Vec<bool>,
}

impl Flatness {
    /// Regions of the nodes of `tree`, over the triangles of a cloth.
    pub fn new(tree: &Bvh, triangles: &[[u32; 3]], rest: &[TriangleRest]) -> Self {
        let plane = Plane::new(triangles, rest);
        let covered = Covered::new(&plane);
        let count = tree.node_count();
        let rects = |t: u32| Rect::around(&plane.corners[t as usize]);
        let own = tree.gather(Rect::EMPTY, rects, Rect::union);
        let heights = tree.gather(f64::INFINITY, |t| plane.height(t as usize), |a, b| a.min(*b));
        let pieces = |t: u32| [plane.piece[t as usize]; 2];
        let piece = tree.gather([u32::MAX, 0], pieces, |a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        let regions = (0..count).into_par_iter().map(|node| {
            if piece[node][0] != piece[node][1] {
                return Rect::EMPTY;
            }
            let rim = &plane.bounds[piece[node][0] as usize];
            let beside = Vec2::splat(BESIDE * own[node].extent().max_element());
            let region = own[node].grown(beside).clipped(rim);
            if covered.is_covered(&region) { region } else { Rect::EMPTY }
        });
        let region: Vec<Rect> = regions.collect();
        let covers: Vec<Vec<u32>> =
            (0..count).into_par_iter().map(|node| covering(&own, node, &region[node])).collect();
        let least = |nodes: &Vec<u32>| {
            nodes.iter().map(|&n| heights[n as usize]).fold(f64::INFINITY, f64::min)
        };
        let height = covers.iter().map(least).collect();
        let mut first = vec![0];
        first.extend(covers.iter().scan(0, |sum, nodes| {
            *sum += nodes.len() as u32;
            Some(*sum)
        }));
        Self {
            rest: rest.to_vec(),
            own,
            region,
            height,
            first,
            cover: covers.concat(),
            gradients: vec![Gradients::NONE; count],
            flat: vec![false; count],
        }
    }

    /// Finds the regions in which nothing comes nearer than `apart` \[m\] to anything else while vertices
    /// move linearly from `x0` to `x1`.
    pub fn refit(
        &mut self,
        tree: &Bvh,
        triangles: &[[u32; 3]],
        (x0, x1): (&[Vec3], &[Vec3]),
        apart: f64,
    ) {
        let Self { rest, region, height, first, cover, gradients, flat, .. } = self;
        let of = |t: u32| {
            let (rest, corners) = (&rest[t as usize], &triangles[t as usize]);
            let [a, b] = [x0, x1].map(|x| Map::of(rest, corners.map(|v| x[v as usize])));
            Gradients { min: a, max: a }.with(&Gradients { min: b, max: b })
        };
        tree.gather_into(gradients, &Gradients::NONE, of, |a, b| a.with(b));
        let (gradients, needed) = (&*gradients, apart * SLACK);
        flat.par_iter_mut().with_min_len(MIN_NODES).enumerate().for_each(|(node, flat)| {
            let enough = |g: &Gradients| g.least_stretch() * height[node] > needed;
            let nodes = || &cover[first[node] as usize..first[node + 1] as usize];
            let around =
                || nodes().iter().fold(Gradients::NONE, |sum, &n| sum.with(&gradients[n as usize]));
            *flat = region[node] != Rect::EMPTY && enough(&gradients[node]) && enough(&around());
        });
    }

    /// Share of the smallest nodes that are smooth \[-\].
    pub fn share(&self) -> f64 {
        let leaves = &self.flat[self.flat.len() / 2..];
        leaves.iter().filter(|flat| **flat).count() as f64 / leaves.len() as f64
    }

    /// Whether nothing within a node comes near anything else there.
    #[inline]
    pub fn within(&self, node: usize) -> bool {
        self.flat[node]
    }

    /// Whether nothing of one node comes near anything of the other.
    #[inline]
    pub fn between(&self, a: usize, b: usize) -> bool {
        (self.flat[a] && self.region[a].contains(&self.own[b]))
            || (self.flat[b] && self.region[b].contains(&self.own[a]))
    }
}

/// The nodes of the same level whose triangles may reach into `region`.
fn covering(own: &[Rect], node: usize, region: &Rect) -> Vec<u32> {
    let level = (node + 1).ilog2();
    let mut found = Vec::new();
    let mut stack = vec![0usize];
    while let Some(n) = stack.pop() {
        if !own[n].overlaps(region) {
            continue;
        }
        if (n + 1).ilog2() == level {
            found.push(n as u32);
        } else {
            stack.extend([2 * n + 2, 2 * n + 1]);
        }
    }
    found
}

#[cfg(test)]
mod tests;
