//! Membrane and air of triangles, two at a time (BW3, BW4, BW6, BW7).

use super::Linearised;
use super::chunk::{Block, Chunk, Forces};
use super::elements::Triangle;
use super::planar::{self, TwoMap, TwoRest};
use crate::cloth::{Cloth, TriangleRest};
use crate::force::air::{self, Air};
use crate::force::membrane::Map;
use crate::math::lanes::{Two, TwoVec3, transpose};
use crate::math::{Mat3, Vec3};

/// What a triangle adds: forces of three corners, and the blocks of pairs (0,1), (0,2), (1,2).
struct Added {
    forces: [Forces; 3],
    blocks: [Block; 3],
}

/// Adds triangles to the rows of a chunk.
#[inline]
pub(super) fn add(chunk: &mut Chunk, cloth: &Cloth, at: &Linearised, elements: &[Triangle]) {
    for pair in elements.chunks(2) {
        // The last of an odd number comes in both lanes, of which one counts.
        let [first, second] = membrane(cloth, at, [&pair[0], &pair[pair.len() - 1]]);
        scatter(chunk, at, &pair[0], first);
        if let Some(element) = pair.get(1) {
            scatter(chunk, at, element, second);
        }
    }
}

#[inline]
fn scatter(chunk: &mut Chunk, at: &Linearised, element: &Triangle, mut added: Added) {
    if let Some(flow) = at.air {
        let (block, force) = air_on(at, flow, element);
        // Three times, because the diagonal loses the two pairs of every corner again.
        let (air, diagonal) = (Block::from(block), Block::from(block * 3.0));
        let Vec3 { x, y, z } = force;
        let [a, b, c] = [Two::new([x, y]), Two::new([z, x]), Two::new([y, z])];
        for corner in 0..3 {
            chunk.add_diagonal(element.places[corner], diagonal);
            added.blocks[corner] = added.blocks[corner] + air;
            let [p, q, r] = added.forces[corner];
            added.forces[corner] = [p + a, q + b, r + c];
        }
    }
    chunk.add_forces(element.places[0], &added.forces[0]);
    chunk.add_forces(element.places[1], &added.forces[1]);
    chunk.add_forces(element.places[2], &added.forces[2]);
    chunk.add_upper(element.blocks[0], added.blocks[0]);
    chunk.add_upper(element.blocks[1], added.blocks[1]);
    chunk.add_upper(element.blocks[2], added.blocks[2]);
}

/// Membranes of two triangles: `f_i = −(du_i P_u + dv_i P_v)`, and `−(∂f/∂x) d` likewise.
#[inline]
fn membrane(cloth: &Cloth, at: &Linearised, both: [&Triangle; 2]) -> [Added; 2] {
    let size = at.x.len();
    let (x, v, shift) = (&at.x[..size], &at.v[..size], &at.shift[..size]);
    let rest = [
        &cloth.triangle_rest[both[0].index as usize],
        &cloth.triangle_rest[both[1].index as usize],
    ];
    let (b, c) = (weights(&rest, &both, 1), weights(&rest, &both, 2));
    // Weights of the corners sum to zero.
    let a = [Two::splat(0.0) - b[0] - c[0], Two::splat(0.0) - b[1] - c[1]];
    let map = |[p, q]: [TwoVec3; 2]| TwoMap { u: p * b[0] + q * c[0], v: p * b[1] + q * c[1] };
    let (w, rate) = (map(gather(x, both)), map(gather(v, both)));
    let rest = if cloth.tables.is_empty() {
        TwoRest::new(rest)
    } else {
        tabulated(cloth, &w, both)
    };
    let membranes = planar::linearise(&rest, &w, &rate, at.beta);
    let change = membranes.stiffness.times(&w, &map(gather(shift, both)));
    let now = membranes.stress;
    let shifted = TwoMap { u: now.u + change.u, v: now.v + change.v };
    let on = |d: [Two; 2]| forces(now.on_corner(d), shifted.on_corner(d));
    let of_pair = |c, d| Block::of_lanes(&membranes.matrix.between(c, d).expand(&w));
    let ([f0, s0], [f1, s1], [f2, s2]) = (on(a), on(b), on(c));
    let ([p0, q0], [p1, q1], [p2, q2]) = (of_pair(a, b), of_pair(a, c), of_pair(b, c));
    [
        Added { forces: [f0, f1, f2], blocks: [p0, p1, p2] },
        Added { forces: [s0, s1, s2], blocks: [q0, q1, q2] },
    ]
}

/// Differences of the second and third corner's vectors to those of the first.
#[inline(always)]
#[expect(clippy::inline_always, reason = "else lanes are put together in memory, and wait for it")]
fn gather(a: &[Vec3], [p, q]: [&Triangle; 2]) -> [TwoVec3; 2] {
    let corner = |i: usize| TwoVec3::new([a[p.vertices[i] as usize], a[q.vertices[i] as usize]]);
    let first = corner(0);
    [corner(1) - first, corner(2) - first]
}

/// Weights `du`, `dv` of the corners that come at `place` in the order of vertices.
#[inline]
fn weights(rest: &[&TriangleRest; 2], both: &[&Triangle; 2], place: usize) -> [Two; 2] {
    let (p, q) = (both[0].corners[place] as usize, both[1].corners[place] as usize);
    [Two::new([rest[0].du[p], rest[1].du[q]]), Two::new([rest[0].dv[p], rest[1].dv[q]])]
}

/// Rest data of fabrics with stretch tables.
#[inline(never)]
fn tabulated(cloth: &Cloth, w: &TwoMap, both: [&Triangle; 2]) -> TwoRest {
    let ([u0, u1], [v0, v1]) = (w.u.lanes(), w.v.lanes());
    let first = cloth.rest_at(both[0].index as usize, &Map { u: u0, v: v0 });
    let second = cloth.rest_at(both[1].index as usize, &Map { u: u1, v: v1 });
    TwoRest::new([&first, &second])
}

/// Forces and shifted forces on a corner, of either lane.
#[inline]
fn forces(now: TwoVec3, shifted: TwoVec3) -> [Forces; 2] {
    let (a, b) = (transpose(now.x, now.y), transpose(now.z, shifted.x));
    let c = transpose(shifted.y, shifted.z);
    [[a[0], b[0], c[0]], [a[1], b[1], c[1]]]
}

/// Air on a triangle: `β/9` of its rate, because a corner carries a third of the force and of the mean
/// velocity, and the force on a corner.
#[inline]
fn air_on(at: &Linearised, flow: &Air, element: &Triangle) -> (Mat3, Vec3) {
    let [x, v] = [at.x, at.v].map(|a| element.vertices.map(|v| a[v as usize]));
    let [centre, mean] = [x, v].map(|corners| corners.iter().sum::<Vec3>() / 3.0);
    let blowing: Vec3 = at.winds.iter().map(|blow| blow.velocity(centre)).sum();
    let flow = Air { wind: flow.wind + blowing, ..*flow };
    let on = air::on_triangle(&flow, x, mean);
    (on.rate * (at.beta / 9.0), on.force / 3.0)
}
