//! How far a field is from the exact distance.

use super::field::Field;
use super::solid::Solid;
use crate::body::BodyMesh;
use crate::math::{Random, Vec3, try_normalize};
use rayon::prelude::*;

/// How far a field is from the exact distance, over points near the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// Points looked at.
    pub points: usize,
    /// Largest error \[m\].
    pub largest: f64,
    /// Root mean square of the errors \[m\].
    pub rms: f64,
    /// Largest deviation of `|∇φ|` from 1, except for the worst 5 % of the points, where the surface has
    /// edges \[-\].
    pub slope: f64,
    /// Where the error is largest \[m\].
    pub worst: Vec3,
}

/// Compares a field with the exact distance at `count` points within `reach` \[m\] of the triangles.
pub fn deviation(
    field: &Field,
    solid: &Solid,
    mesh: &BodyMesh,
    reach: f64,
    count: usize,
) -> Deviation {
    let triangles = mesh.triangles.len();
    let point = |i: usize| {
        let mut random = Random::new(i as u64);
        let corners = mesh.triangles[(random.bits() % triangles as u64) as usize];
        let [a, b, c] = corners.map(|v| mesh.positions[v as usize]);
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let normal = try_normalize((b - a).cross(c - a)).unwrap_or(Vec3::Z);
        a + (b - a) * u + (c - a) * v + normal * random.between(-reach, reach)
    };
    let look = |i: usize| {
        let p = point(i);
        let sample = field.sample(p);
        let exact = solid.distance(p, 2.0 * reach + field.cell()).map(|signed| signed.distance);
        let error = exact.map_or(0.0, |exact| (sample.distance - exact).abs());
        (p, error, (sample.gradient.length() - 1.0).abs())
    };
    let looked: Vec<(Vec3, f64, f64)> = (0..count).into_par_iter().map(look).collect();
    let mut slopes: Vec<f64> = looked.iter().map(|(_, _, slope)| *slope).collect();
    slopes.sort_by(f64::total_cmp);
    let worst = looked.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let squares: f64 = looked.iter().map(|(_, error, _)| error * error).sum();
    Deviation {
        points: count,
        largest: worst.map_or(0.0, |w| w.1),
        rms: (squares / count.max(1) as f64).sqrt(),
        slope: slopes.get(slopes.len() * 95 / 100).copied().unwrap_or(0.0),
        worst: worst.map_or(Vec3::ZERO, |w| w.0),
    }
}
