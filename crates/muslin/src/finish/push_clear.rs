//! Moving cloth out of the bodies it is in, before it is smoothed (BF13's clean-up).

use super::guard::{HalfSpace, Obstacles, move_guarded};
use super::push_out::{Clearance, Known, push_out};
use crate::body::BodyMesh;
use crate::judge;
use crate::math::{Vec3, try_normalize};
use crate::sparse::{PartError, PartMesh};

/// Most rounds of pushing out: triangles that lie across a sharp edge of a body come off it bit by bit.
const MOST_ROUNDS: usize = 8;

/// The closed meshes among some bodies, ready to be asked for distances.
#[derive(Clone, Debug, Default)]
pub struct BodyParts {
    parts: Vec<PartMesh>,
    /// Meshes that were left out: not closed, not facing outwards, or damaged.
    pub left_out: Vec<(usize, PartError)>,
}

impl BodyParts {
    /// Takes the meshes that are closed with their triangles facing outwards \[m\].
    pub fn new(meshes: &[BodyMesh]) -> Self {
        let mut taken = Self::default();
        for (index, mesh) in meshes.iter().enumerate() {
            match PartMesh::new(mesh) {
                Ok(part) => taken.parts.push(part),
                Err(error) => taken.left_out.push((index, error)),
            }
        }
        taken
    }
}

/// What cloth is moved out of at one moment.
#[derive(Clone, Copy, Debug)]
pub struct BodyField<'a> {
    /// Meshes.
    pub parts: &'a BodyParts,
    /// Planes.
    pub planes: &'a [HalfSpace],
    /// Least distance afterwards \[m\].
    pub margin: f64,
}

impl BodyField<'_> {
    /// Positions outside of `obstacles`, whose field this is, and how many vertices had to move. Cloth is
    /// not pushed through cloth: where that would happen it stays, and the judge says so.
    pub fn clear(
        &self,
        x: &[Vec3],
        triangles: &[[u32; 3]],
        obstacles: &Obstacles,
    ) -> (Vec<Vec3>, usize) {
        let mut out = x.to_vec();
        let (margin, side) = (self.margin, longest_side(x, triangles));
        let clearance = Clearance { margin, between: margin, roundness: 0.0, side };
        let reach = clearance.reach();
        let mut known = Known::new(x.len());
        for round in 1..=MOST_ROUNDS {
            let distance = |_, p| self.distance(p, reach);
            known.begin();
            known.clear.fill(f64::NEG_INFINITY);
            let pushed = push_out(&mut out, triangles, clearance, &mut known, distance).moved;
            let step = self.margin * round as f64;
            if !lift_off_edges(&mut out, triangles, obstacles, step) && pushed == 0 {
                break;
            }
        }
        let moved = move_guarded(x, &out, triangles, &Obstacles::default()).positions;
        let count = moved.iter().zip(x).filter(|(a, b)| a != b).count();
        (moved, count)
    }

    /// Signed distance of the nearest body \[m\] and its outward unit normal; infinite beyond `reach` \[m\].
    fn distance(&self, p: Vec3, reach: f64) -> (f64, Vec3) {
        let parts = self.parts.parts.iter().filter_map(|part| {
            let bounds = part.bounds().grown(reach);
            let inside = p.cmpge(bounds.min).all() && p.cmple(bounds.max).all();
            inside.then(|| part.distance(p, reach))
        });
        let planes = self.planes.iter().map(|plane| (plane.distance(p), plane.normal));
        let nearest = parts.chain(planes).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.filter(|found| found.0 <= reach).unwrap_or((f64::INFINITY, Vec3::Z))
    }
}

/// Moves triangles that body triangles still reach through by `step` \[m\], along the normals of those: sharp
/// edges slip between the points that pushing out looks at. Whether there were any.
fn lift_off_edges(
    x: &mut [Vec3],
    triangles: &[[u32; 3]],
    obstacles: &Obstacles,
    step: f64,
) -> bool {
    let through = judge::crossing_pairs(x, triangles, obstacles.positions, obstacles.triangles);
    let mut away = vec![Vec3::ZERO; x.len()];
    for (cloth, body) in &through {
        let corners = obstacles.triangles[*body as usize];
        let [a, b, c] = corners.map(|v| obstacles.positions[v as usize]);
        let normal = try_normalize((b - a).cross(c - a)).unwrap_or(Vec3::ZERO);
        for v in triangles[*cloth as usize] {
            away[v as usize] += normal;
        }
    }
    for (x, away) in x.iter_mut().zip(away) {
        *x += try_normalize(away).unwrap_or(Vec3::ZERO) * step;
    }
    !through.is_empty()
}

fn longest_side(x: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let longest = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| x[v as usize]);
        a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a))
    };
    triangles.iter().map(longest).fold(0.0, f64::max).sqrt()
}

#[cfg(test)]
mod tests;
