//! Membrane, air and bending of triangles, four at a time (BW3 to BW7).
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::Linearised;
use super::bending::{Bending, PAIRS};
use super::block::Block;
use super::chunk::{Apart, Chunk, Sums};
use super::elements::Triangle;
use super::groups::{AHEAD, Triangles};
use super::planar::{self, LaneMap, LaneRest};
use crate::cloth::{Cloth, TriangleRest};
use crate::force::air::{self, Air, AirForce};
use crate::force::membrane::Map;
use crate::math::Vec3;
use crate::math::lanes::{Four, Number, Simd, Vector, each, fetch_all, four, load};
use fearless_simd::prelude::*;

/// How many numbers a triangle has at rest.
pub(super) const REST: usize = 11;

/// Weights `du`, `dv` of the second and third, and then the numbers of [`LaneRest`].
pub(super) fn at_rest(cloth: &Cloth, triangle: &Triangle) -> [f64; REST] {
    let rest = &cloth.triangle_rest[triangle.index as usize];
    let [_, b, c] = triangle.corners.map(|corner| corner as usize);
    let [b, c] = [b, c].map(|corner| [rest.du[corner], rest.dv[corner]]);
    let [tu, tv, ku, kv, shear, stretch_damping, shear_damping] = acting(rest);
    [b[0], b[1], c[0], c[1], tu, tv, ku, kv, shear, stretch_damping, shear_damping]
}

/// Adds triangles to the rows of a chunk.
#[inline(always)]
pub(super) fn add<S: Simd>(
    simd: S,
    chunk: &mut Chunk,
    (cloth, at): (&Cloth, &Linearised),
    groups: &[Triangles],
) {
    let mut sums = chunk.sums();
    for group in groups {
        fetch_all(simd, std::ptr::from_ref(group).wrapping_add(AHEAD));
        add_four(simd, &mut sums, (cloth, at), group);
    }
}

/// Membranes, air and bending of four triangles:
/// `f_i = −(du_i P_u + dv_i P_v) + air/3`, and `−(∂f/∂x) d` likewise.
#[inline(always)]
fn add_four<S: Simd>(
    simd: S,
    sums: &mut Sums,
    (cloth, at): (&Cloth, &Linearised),
    group: &Triangles,
) {
    let number = |i: usize| load(simd, &group.rest[i]);
    let weights = [[number(0), number(1)], [number(2), number(3)]];
    let [first, second, third] = &group.places;
    let p = Apart::new(simd, sums.points, first, second);
    let q = Apart::new(simd, sums.points, first, third);
    let bending = Bending::new(simd, (cloth, group), sums, [&p, &q], at.beta);
    bending.add_tips(sums, group);
    let w = LaneMap::of_edges([p.x, q.x], weights);
    let rate = LaneMap::of_edges([p.v, q.v], weights);
    let rest = rest_at(simd, cloth, &w, group);
    let membranes = planar::linearise(&rest, &w, &rate, at.beta);
    let change = membranes.stiffness.times(&w, &LaneMap::of_edges([p.shift, q.shift], weights));
    let now = membranes.stress;
    let shifted = LaneMap { u: now.u + change.u, v: now.v + change.v };
    // Minus the weights of the corners, which sum to zero.
    let [b, c] = weights;
    let minus = [[b[0] + c[0], b[1] + c[1]], [-b[0], -b[1]], [-c[0], -c[1]]];
    let drag = Drag::new(simd, (cloth, at), group);
    let zero = b[0].same(0.0);
    for (corner, minus) in minus.into_iter().enumerate() {
        let [force, shifted_force] = bending.forces(corner);
        let mut force = now.at_corner(minus) + force;
        let mut shifted_force = shifted.at_corner(minus) + shifted_force;
        if let Some(drag) = &drag {
            (force, shifted_force) = (force + drag.force, shifted_force + drag.force);
        }
        let (force, shifted_force) = (force.rows(zero), shifted_force.rows(zero));
        for lane in 0..4 {
            sums.add_forces(group.places[corner][lane], force[lane].combine(shifted_force[lane]));
        }
    }
    for (pair, [c, d]) in PAIRS.into_iter().enumerate() {
        let mut entries = membranes.matrix.between(minus[d], minus[c]).expand(&w);
        bending.add_to(&mut entries, pair);
        if let Some(drag) = &drag {
            entries.iter_mut().zip(drag.block).for_each(|(entry, air)| *entry += air);
        }
        let blocks = Block::of_lanes(&entries);
        for lane in 0..4 {
            sums.add_lower(group.blocks[pair][lane], blocks[lane]);
        }
    }
    if let Some(drag) = &drag {
        let blocks = drag.diagonal();
        for lane in 0..4 {
            for places in group.places {
                sums.add_diagonal(places[lane], blocks[lane]);
            }
        }
    }
}

/// Rest data of each triangle where its map is `w`. What is in memory is read where it is: copies would be waited for.
#[inline(always)]
fn rest_at<S: Simd>(
    simd: S,
    cloth: &Cloth,
    w: &LaneMap<Four<S>>,
    group: &Triangles,
) -> LaneRest<Four<S>> {
    let [_, _, _, _, plain @ ..] = &group.rest;
    let table;
    let acting = if cloth.tables.is_empty() {
        plain
    } else {
        table = tabulated(cloth, maps(w), group);
        &table
    };
    let number = |i: usize| load(simd, &acting[i]);
    LaneRest {
        target: [number(0), number(1)],
        stretch: [number(2), number(3)],
        shear: number(4),
        stretch_damping: number(5),
        shear_damping: number(6),
    }
}

/// The map of each triangle.
#[inline(always)]
fn maps<S: Simd>(w: &LaneMap<Four<S>>) -> [Map; 4] {
    let vector = |a: &Vector<Four<S>>, lane: usize| Vec3::new(a.x[lane], a.y[lane], a.z[lane]);
    [0, 1, 2, 3].map(|lane| Map { u: vector(&w.u, lane), v: vector(&w.v, lane) })
}

/// How many numbers of a triangle at rest are not weights.
const ACTING: usize = REST - 4;

/// Numbers of [`LaneRest`] for fabrics with stretch tables, as [`at_rest`] has them.
#[inline(never)]
fn tabulated(cloth: &Cloth, maps: [Map; 4], group: &Triangles) -> [[f64; 4]; ACTING] {
    let at = |lane: usize| cloth.rest_at(group.index[lane] as usize, &maps[lane]);
    let numbers = each(|lane| acting(&at(lane)));
    std::array::from_fn(|i| each(|lane| numbers[lane][i]))
}

/// The numbers of [`LaneRest`] of one triangle.
fn acting(rest: &TriangleRest) -> [f64; ACTING] {
    let LaneRest { target, stretch, shear, stretch_damping, shear_damping } = LaneRest::of(rest);
    let ([tu, tv], [ku, kv]) = (target, stretch);
    [tu, tv, ku, kv, shear, stretch_damping, shear_damping]
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
    fn new(simd: S, (cloth, at): (&Cloth, &Linearised), group: &Triangles) -> Option<Self> {
        let flow = at.air?;
        let drags = each(|lane| {
            let vertices = cloth.triangles[group.index[lane] as usize];
            if lane < group.count as usize { drag_on(at, flow, vertices) } else { AirForce::NONE }
        });
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
fn drag_on(at: &Linearised, flow: &Air, vertices: [u32; 3]) -> AirForce {
    let mean = |[a, b, c]: [Vec3; 3]| (a + b + c) / 3.0;
    let corners = |of: &[Vec3]| vertices.map(|v| of[v as usize]);
    let mut flow = *flow;
    for blow in at.winds {
        flow.wind += blow.velocity(mean(corners(at.x)));
    }
    air::on_triangle(&flow, corners(at.x), mean(corners(at.v)))
}
