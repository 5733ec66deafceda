//! Membrane and air of triangles, four at a time (BW3, BW4, BW6, BW7).
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::Linearised;
use super::chunk::{Block, Chunk};
use super::elements::{Triangle, four_of};
use super::planar::{self, LaneMap, LaneRest};
use crate::cloth::{Cloth, TriangleRest};
use crate::force::air::{self, Air};
use crate::force::membrane::Map;
use crate::math::Vec3;
use crate::math::lanes::{Four, Number, Simd, Vector, each, four};

/// Adds triangles to the rows of a chunk.
#[inline(always)]
pub(super) fn add<S: Simd>(
    simd: S,
    chunk: &mut Chunk,
    (cloth, at): (&Cloth, &Linearised),
    elements: &[Triangle],
) {
    for group in elements.chunks(4) {
        add_four(simd, chunk, (cloth, at), four_of(group), group.len());
    }
}

/// Membranes and air of four triangles, of which the first `count` are added:
/// `f_i = −(du_i P_u + dv_i P_v) + air/3`, and `−(∂f/∂x) d` likewise.
#[inline(always)]
fn add_four<S: Simd>(
    simd: S,
    chunk: &mut Chunk,
    (cloth, at): (&Cloth, &Linearised),
    triangles: [&Triangle; 4],
    count: usize,
) {
    let size = at.x.len();
    let (x, v, shift) = (&at.x[..size], &at.v[..size], &at.shift[..size]);
    let rest = each(|lane| &cloth.triangle_rest[triangles[lane].index as usize]);
    let weights = [weights(simd, &rest, &triangles, 1), weights(simd, &rest, &triangles, 2)];
    let (w, rate) = (gather(simd, x, triangles, weights), gather(simd, v, triangles, weights));
    let rest = if cloth.tables.is_empty() {
        LaneRest::new(|entry| four(simd, each(|lane| entry(rest[lane]))))
    } else {
        let rest = tabulated(cloth, maps(&w), triangles);
        LaneRest::new(|entry| four(simd, each(|lane| entry(&rest[lane]))))
    };
    let membranes = planar::linearise(&rest, &w, &rate, at.beta);
    let change = membranes.stiffness.times(&w, &gather(simd, shift, triangles, weights));
    let now = membranes.stress;
    let shifted = LaneMap { u: now.u + change.u, v: now.v + change.v };
    // Minus the weights of the corners, which sum to zero.
    let [b, c] = weights;
    let minus = [[b[0] + c[0], b[1] + c[1]], [-b[0], -b[1]], [-c[0], -c[1]]];
    let drag = Drag::new(simd, at, triangles);
    let zero = b[0].same(0.0);
    for (corner, minus) in minus.into_iter().enumerate() {
        let (mut force, mut shifted_force) = (now.at_corner(minus), shifted.at_corner(minus));
        if let Some(drag) = &drag {
            (force, shifted_force) = (force + drag.force, shifted_force + drag.force);
        }
        let (force, shifted_force) = (force.rows(zero), shifted_force.rows(zero));
        for lane in 0..count.min(4) {
            chunk.add_forces(triangles[lane].places[corner], [force[lane], shifted_force[lane]]);
        }
    }
    for (pair, [c, d]) in [[0, 1], [0, 2], [1, 2]].into_iter().enumerate() {
        let mut entries = membranes.matrix.between(minus[d], minus[c]).expand(&w);
        if let Some(drag) = &drag {
            entries.iter_mut().zip(drag.block).for_each(|(entry, air)| *entry += air);
        }
        let blocks = Block::of_lanes(&entries);
        for lane in 0..count.min(4) {
            chunk.add_lower(triangles[lane].blocks[pair], blocks[lane]);
        }
    }
    if let Some(drag) = &drag {
        let blocks = drag.diagonal();
        for lane in 0..count.min(4) {
            for place in triangles[lane].places {
                chunk.add_diagonal(place, blocks[lane]);
            }
        }
    }
}

/// The map of vectors at the corners, given the weights of the second and third.
#[inline(always)]
fn gather<S: Simd>(
    simd: S,
    a: &[Vec3],
    triangles: [&Triangle; 4],
    weights: [[Four<S>; 2]; 2],
) -> LaneMap<Four<S>> {
    let first = corner(simd, a, triangles, 0);
    let edges = [corner(simd, a, triangles, 1) - first, corner(simd, a, triangles, 2) - first];
    LaneMap::of_edges(edges, weights)
}

/// Vectors of the corners that come at `place` in the order of vertices.
#[inline(always)]
fn corner<S: Simd>(
    simd: S,
    a: &[Vec3],
    triangles: [&Triangle; 4],
    place: usize,
) -> Vector<Four<S>> {
    Vector::of(simd, each(|lane| a[triangles[lane].vertices[place] as usize]))
}

/// Their weights `du`, `dv`.
#[inline(always)]
fn weights<S: Simd>(
    simd: S,
    rest: &[&TriangleRest; 4],
    triangles: &[&Triangle; 4],
    place: usize,
) -> [Four<S>; 2] {
    let corner = |lane: usize| triangles[lane].corners[place] as usize;
    [
        four(simd, each(|lane| rest[lane].du[corner(lane)])),
        four(simd, each(|lane| rest[lane].dv[corner(lane)])),
    ]
}

/// The map of each triangle.
#[inline(always)]
fn maps<S: Simd>(w: &LaneMap<Four<S>>) -> [Map; 4] {
    let vector = |a: &Vector<Four<S>>, lane: usize| Vec3::new(a.x[lane], a.y[lane], a.z[lane]);
    [0, 1, 2, 3].map(|lane| Map { u: vector(&w.u, lane), v: vector(&w.v, lane) })
}

/// Rest data of fabrics with stretch tables.
#[inline(never)]
fn tabulated(cloth: &Cloth, maps: [Map; 4], triangles: [&Triangle; 4]) -> [TriangleRest; 4] {
    [0, 1, 2, 3].map(|lane| cloth.rest_at(triangles[lane].index as usize, &maps[lane]))
}

/// Air on four triangles.
struct Drag<S: Simd> {
    /// A third of the force: what every corner carries \[N\].
    force: Vector<Four<S>>,
    /// `β/9` of its rate, because a corner carries a third and has a third of the mean velocity.
    block: [Four<S>; 9],
}

impl<S: Simd> Drag<S> {
    /// `None` where there is no air.
    #[inline(always)]
    fn new(simd: S, at: &Linearised, triangles: [&Triangle; 4]) -> Option<Self> {
        let flow = at.air?;
        let drags = each(|lane| drag_on(at, flow, triangles[lane]));
        let (scale, third) = (at.beta / 9.0, four(simd, [1.0 / 3.0; 4]));
        let entry = |lane: usize, k: usize| AsRef::<[f64; 9]>::as_ref(&drags[lane].rate)[k];
        Some(Self {
            force: Vector::of(simd, each(|lane| drags[lane].force)) * third,
            block: std::array::from_fn(|k| four(simd, each(|lane| entry(lane, k))) * scale),
        })
    }

    /// What it adds to diagonal blocks: three times the block, because they lose the two pairs of every
    /// corner again.
    #[inline(always)]
    fn diagonal(&self) -> [Block<S>; 4] {
        Block::of_lanes(&self.block.map(|entry| entry * 3.0))
    }
}

/// Air on one triangle.
#[inline(never)]
fn drag_on(at: &Linearised, flow: &Air, triangle: &Triangle) -> air::AirForce {
    let mean = |[a, b, c]: [Vec3; 3]| (a + b + c) / 3.0;
    let corners = |of: &[Vec3]| triangle.vertices.map(|v| of[v as usize]);
    let mut flow = *flow;
    for blow in at.winds {
        flow.wind += blow.velocity(mean(corners(at.x)));
    }
    air::on_triangle(&flow, corners(at.x), mean(corners(at.v)))
}
