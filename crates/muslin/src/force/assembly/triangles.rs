//! Membrane and air of triangles, two at a time (BW3, BW4, BW6, BW7).

use super::Linearised;
use super::chunk::{Block, Chunk, Forces};
use super::elements::Triangle;
use super::planar::{self, TwoMap, TwoRest};
use crate::cloth::{Cloth, TriangleRest};
use crate::force::air::{self, Air};
use crate::force::membrane::Map;
use crate::math::Vec3;
use crate::math::lanes::{Two, TwoVec3, transpose};

/// Adds triangles to the rows of a chunk.
#[inline]
pub(super) fn add(chunk: &mut Chunk, cloth: &Cloth, at: &Linearised, elements: &[Triangle]) {
    for pair in elements.chunks(2) {
        match pair {
            [first, second] => add_two(chunk, cloth, at, [first, second], true),
            // The last of an odd number comes in both lanes, of which one counts.
            [last, ..] => add_two(chunk, cloth, at, [last, last], false),
            [] => {}
        }
    }
}

/// Membranes and air of two triangles: `f_i = −(du_i P_u + dv_i P_v) + air/3`, and `−(∂f/∂x) d` likewise.
/// Unless both count, only the first does.
#[inline]
fn add_two(
    chunk: &mut Chunk,
    cloth: &Cloth,
    at: &Linearised,
    both: [&Triangle; 2],
    both_count: bool,
) {
    let size = at.x.len();
    let (x, v, shift) = (&at.x[..size], &at.v[..size], &at.shift[..size]);
    let rest = [
        &cloth.triangle_rest[both[0].index as usize],
        &cloth.triangle_rest[both[1].index as usize],
    ];
    let (b, c) = (weights(&rest, &both, 1), weights(&rest, &both, 2));
    let map = |[p, q]: [TwoVec3; 2]| TwoMap { u: p * b[0] + q * c[0], v: p * b[1] + q * c[1] };
    let (w, rate) = (map(gather(x, both)), map(gather(v, both)));
    let rest =
        if cloth.tables.is_empty() { TwoRest::new(rest) } else { tabulated(cloth, &w, both) };
    let membranes = planar::linearise(&rest, &w, &rate, at.beta);
    let change = membranes.stiffness.times(&w, &map(gather(shift, both)));
    let now = membranes.stress;
    let shifted = TwoMap { u: now.u + change.u, v: now.v + change.v };
    // Minus the weights of the corners, which sum to zero.
    let minus = [[b[0] + c[0], b[1] + c[1]], [-b[0], -b[1]], [-c[0], -c[1]]];
    let drag = at.air.map(|flow| Drag::new(at, flow, both));
    for corner in 0..3 {
        let of = |stress: &TwoMap| stress.u * minus[corner][0] + stress.v * minus[corner][1];
        let (mut force, mut shifted_force) = (of(&now), of(&shifted));
        if let Some(drag) = &drag {
            (force, shifted_force) = (force + drag.force, shifted_force + drag.force);
        }
        let [first, second] = forces(force, shifted_force);
        chunk.add_forces(both[0].places[corner], &first);
        if both_count {
            chunk.add_forces(both[1].places[corner], &second);
        }
    }
    for (pair, [c, d]) in [[0, 1], [0, 2], [1, 2]].into_iter().enumerate() {
        let block = membranes.matrix.between(minus[c], minus[d]);
        let mut entries = block.expand(&w);
        if let Some(drag) = &drag {
            entries.iter_mut().zip(drag.block).for_each(|(entry, air)| *entry += air);
        }
        let [first, second] = Block::of_lanes(&entries);
        chunk.add_upper(both[0].blocks[pair], first);
        if both_count {
            chunk.add_upper(both[1].blocks[pair], second);
        }
    }
    if let Some(drag) = &drag {
        let [first, second] = drag.diagonal();
        for corner in 0..3 {
            chunk.add_diagonal(both[0].places[corner], first);
            if both_count {
                chunk.add_diagonal(both[1].places[corner], second);
            }
        }
    }
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

/// Air on two triangles.
struct Drag {
    /// A third of the force: what every corner carries \[N\].
    force: TwoVec3,
    /// `β/9` of its rate, because a corner carries a third and has a third of the mean velocity.
    block: [Two; 9],
}

impl Drag {
    #[inline(never)]
    fn new(at: &Linearised, flow: &Air, both: [&Triangle; 2]) -> Self {
        let mean = |[a, b, c]: [Vec3; 3]| (a + b + c) / 3.0;
        let on = |element: &Triangle| {
            let [a, b, c] = element.vertices;
            let of = |of: &[Vec3]| [of[a as usize], of[b as usize], of[c as usize]];
            let mut flow = *flow;
            for blow in at.winds {
                flow.wind += blow.velocity(mean(of(at.x)));
            }
            air::on_triangle(&flow, of(at.x), mean(of(at.v)))
        };
        let [p, q] = [on(both[0]), on(both[1])];
        let (a, b): (&[f64; 9], &[f64; 9]) = (p.rate.as_ref(), q.rate.as_ref());
        let scale = Two::splat(at.beta / 9.0);
        Self {
            force: TwoVec3::new([p.force, q.force]) * Two::splat(1.0 / 3.0),
            block: std::array::from_fn(|k| Two::new([a[k], b[k]]) * scale),
        }
    }

    /// What it adds to diagonal blocks: three times the block, because they lose the two pairs of every
    /// corner again.
    #[inline]
    fn diagonal(&self) -> [Block; 2] {
        Block::of_lanes(&self.block.map(|entry| entry * Two::splat(3.0)))
    }
}
