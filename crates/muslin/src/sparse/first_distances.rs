//! Distances of all drawn vertices that nothing is known of, four at a time: the bits of asking one by one (beyond OS3).
#![expect(
    clippy::inline_always,
    reason = "vector instructions are used only where everything is inlined into what was dispatched"
)]

use super::body_part::{PartShape, Placed};
use super::nearness::NearParts;
use super::part_field::Field;
use crate::finish::box_tree::distance_squared;
use crate::math::lanes::{Four, Simd, Vector, each, level};
use crate::math::{Mat3, Vec3};
use crate::share::Share;
use fearless_simd::dispatch;

/// Vertices that a thread asks for at once.
const AT_ONCE: usize = 512;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    /// Drawn vertices \[m\].
    pub positions: &'a [Vec3],
    /// Which of them are asked about.
    pub asked: &'a [u32],
    /// For every drawn vertex one bit for each near part that may be within reach of it, of less than 64.
    pub rows: &'a [u64],
    /// Distance \[m\] beyond which that of a mesh is a mere bound, and beyond which it is infinite.
    pub distances: [f64; 2],
}

impl NearParts<'_> {
    /// The distances \[m\] that [`NearParts::distance`] gives, one for every vertex asked about.
    ///
    /// Part after part instead of vertex after vertex: for each vertex parts come in the same order.
    pub fn first_distances(&self, question: Question, out: &mut Vec<f64>, share: Share) {
        out.clear();
        out.resize(question.asked.len(), f64::INFINITY);
        share.each(out.as_mut_slice(), AT_ONCE, |first, out| {
            let asked = &question.asked[first..first + out.len()];
            let question = Question { asked, ..question };
            dispatch!(level(), simd => self.first_distances_in(simd, question, out));
        });
    }

    #[inline(always)]
    fn first_distances_in<S: Simd>(&self, simd: S, question: Question, out: &mut [f64]) {
        let [exact, reach] = question.distances;
        for (row, &k) in self.near.iter().enumerate() {
            let (shape, at) = (&self.parts[k].shape, &self.now[k]);
            let field = match shape {
                PartShape::Mesh(mesh) if mesh.is_rounded() => Some(mesh.field()),
                _ => None,
            };
            let mut waiting = ([0; 4], [Vec3::ZERO; 4], 0);
            for (i, &v) in question.asked.iter().enumerate() {
                if question.rows[v as usize] >> row & 1 == 0 {
                    continue;
                }
                let x = question.positions[v as usize];
                let worth = reach.min(out[i].max(0.0));
                if distance_squared(&at.bounds, x) > worth * worth {
                    continue;
                }
                if let Some(field) = field {
                    let (places, points, count) = &mut waiting;
                    (places[*count & 3], points[*count & 3]) = (i, x);
                    *count += 1;
                    if *count == 4 {
                        offer(out, *places, four_distances(simd, field, at, *points), reach);
                        *count = 0;
                    }
                } else {
                    offer(out, [i], [shape.distance(at.local(x), exact).0], reach);
                }
            }
            if let (places, points, count @ 1..) = waiting {
                let rest = each(|lane| points[lane.min(count - 1)]);
                let places = each(|lane| places[lane.min(count - 1)]);
                let field = field.map(|field| four_distances(simd, field, at, rest));
                offer(out, places, field.unwrap_or([f64::INFINITY; 4]), reach);
            }
        }
    }
}

/// Distances of four points from a part with this field \[m\].
#[inline(always)]
fn four_distances<S: Simd>(simd: S, field: &Field, at: &Placed, x: [Vec3; 4]) -> [f64; 4] {
    let x = Vector::of(simd, x) - Vector::of(simd, [at.centre; 4]);
    field.at_four(times(&at.inverse, x))
}

/// A matrix times four vectors, with the bits of a matrix times each.
#[inline(always)]
fn times<S: Simd>(m: &Mat3, a: Vector<Four<S>>) -> Vector<Four<S>> {
    let row = |x: f64, y: f64, z: f64| a.x * x + a.y * y + a.z * z;
    Vector {
        x: row(m.x_axis.x, m.y_axis.x, m.z_axis.x),
        y: row(m.x_axis.y, m.y_axis.y, m.z_axis.y),
        z: row(m.x_axis.z, m.y_axis.z, m.z_axis.z),
    }
}

/// Keeps the least distances within reach.
#[inline(always)]
fn offer<const N: usize>(out: &mut [f64], places: [usize; N], distances: [f64; N], reach: f64) {
    for (place, distance) in places.into_iter().zip(distances) {
        if distance < out[place] && distance <= reach {
            out[place] = distance;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape;
    use crate::math::{Quat, Random};
    use crate::motion::Pose;
    use crate::sparse::{BodyPart, PartMesh};
    use std::sync::Arc;

    /// Turned limbs with fields, a capsule and a box with a tree: the same bits as vertex by vertex, whatever the
    /// number of vertices, within fields and beyond.
    #[test]
    fn os3_distances_in_lanes_have_the_bits_of_single_ones() {
        let mut random = Random::new(5);
        let mut point = |size: f64| {
            Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5) * size
        };
        let limb = PartMesh::rounded(&shape::capsule(0.08, 0.3, 24), 0.08).unwrap();
        let block = PartMesh::new(&shape::cuboid(Vec3::new(0.1, 0.2, 0.3))).unwrap();
        let limb = PartShape::Mesh(Arc::new(limb));
        let capsule = PartShape::Capsule { radius: 0.07, half_length: 0.2 };
        let shapes = [limb.clone(), capsule, PartShape::Mesh(Arc::new(block)), limb.clone(), limb];
        let parts = shapes.map(|shape| {
            let rotation = Quat::from_scaled_axis(point(6.0));
            BodyPart::still(shape, Pose { rotation, translation: point(0.6) })
        });
        let placed: Vec<Placed> = parts.iter().map(|part| part.placed(0.0)).collect();
        let near = [0, 1, 2, 3, 4];
        let body = NearParts { parts: &parts, near: &near, before: &placed, now: &placed };
        let positions: Vec<Vec3> = (0..1001).map(|_| point(0.5)).collect();
        let rows: Vec<u64> = (0..1001_u64).map(|v| v * 7 % 32).collect();
        let distances = [0.01, 0.06];
        let (mut within, mut found) = (0, Vec::new());
        for every in [1, 2, 3, 251] {
            let asked: Vec<u32> = (0..1001).step_by(every).collect();
            let question =
                Question { positions: &positions, asked: &asked, rows: &rows, distances };
            body.first_distances(question, &mut found, Share::Alone);
            for (v, distance) in asked.iter().map(|&v| v as usize).zip(&found) {
                let single = body.distance(rows[v], positions[v], distances).0;
                assert_eq!(single.to_bits(), distance.to_bits(), "vertex {v}");
                within += usize::from(single < f64::INFINITY);
            }
        }
        assert!(within > 300, "{within}");
    }
}
