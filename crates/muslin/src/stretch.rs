//! How much a motion changes the stretch of triangles (BW14).

use crate::cloth::Cloth;
use crate::force::membrane::Map;
use crate::math::Vec3;
use rayon::prelude::*;

/// Triangles looked at by one parallel task, at least.
const MIN_TRIANGLES: usize = 1024;

/// Largest change of `|w_u|` or `|w_v|` of any triangle between two places of the cloth \[-\].
pub(crate) fn largest_change(cloth: &Cloth, from: &[Vec3], to: &[Vec3]) -> f64 {
    let lengths = |x: &[Vec3], t: usize| {
        let w = Map::of(&cloth.triangle_rest[t], cloth.triangles[t].map(|v| x[v as usize]));
        [w.u.length(), w.v.length()]
    };
    let change = |t: usize| {
        let ([u0, v0], [u1, v1]) = (lengths(from, t), lengths(to, t));
        (u1 - u0).abs().max((v1 - v0).abs())
    };
    let triangles = (0..cloth.triangles.len()).into_par_iter().with_min_len(MIN_TRIANGLES);
    triangles.map(change).reduce(|| 0.0, f64::max)
}
