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

/// Largest strain of any edge that is beyond its limit and was stretched less before \[-\]; `None` where there is none.
pub(crate) fn largest_beyond_limit(cloth: &Cloth, from: &[Vec3], to: &[Vec3]) -> Option<f64> {
    let strains = cloth.edges.par_iter().with_min_len(MIN_TRIANGLES).map(|edge| {
        let [i, j] = edge.vertices.map(|v| v as usize);
        let (length, before) = (to[i].distance(to[j]), from[i].distance(from[j]));
        let beyond = length > edge.length * (1.0 + edge.strain_limit) && length > before;
        if beyond { length / edge.length - 1.0 } else { f64::NEG_INFINITY }
    });
    Some(strains.reduce(|| f64::NEG_INFINITY, f64::max)).filter(|strain| strain.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::Maps;
    use crate::fabric::Fabric;
    use crate::mesh::{Diagonals, Sheet};

    /// BF2: an edge beyond its limit counts where it was shorter before, and what was longer is only getting better.
    #[test]
    fn bf2_only_edges_that_are_taken_beyond_their_limit_count() {
        let sheet = Sheet::grid([1.0, 1.0], [2, 2], Diagonals::Alternating).unwrap();
        let fabric = Fabric { strain_limit: 0.1, ..Fabric::named("muslin").unwrap() };
        let cloth = Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap();
        let stretched = |by: f64| -> Vec<Vec3> {
            sheet.positions.iter().map(|p| Vec3::new(p.x * (1.0 + by), p.y, p.z)).collect()
        };
        let beyond =
            |from: f64, to: f64| largest_beyond_limit(&cloth, &stretched(from), &stretched(to));
        assert_eq!(beyond(0.0, 0.099), None);
        assert!((beyond(0.0, 0.12).unwrap() - 0.12).abs() < 1e-12);
        assert_eq!(beyond(0.13, 0.12), None);
        assert!((beyond(0.11, 0.12).unwrap() - 0.12).abs() < 1e-12);
        let limitless = Fabric { strain_limit: f64::INFINITY, ..fabric };
        let cloth = Cloth::new(&sheet.mesh, &limitless, &Maps::default()).unwrap();
        assert_eq!(largest_beyond_limit(&cloth, &stretched(0.0), &stretched(0.5)), None);
    }
}
