//! Strain limits by momentum-conserving impulses (BF2, MF3).
//!
//! Edges that would end the step longer than `(1 + limit)` times their rest length, or shorter than
//! `(1 − limit)`, are pulled or pushed along themselves, each end by its share of inverse mass, until
//! all of them fit. Impulses along the line between two points keep linear and angular momentum.

use crate::cloth::{Cloth, EdgeRest};
use crate::math::Vec3;

/// Edges are brought this much inside their limit, so that rounding does not put them outside.
const MARGIN: f64 = 1e-6;

/// Where sweeps stop: the largest excess strain left \[-\].
const GOAL: f64 = 1e-4;

/// What limiting did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limited {
    /// Sweeps over all edges.
    pub sweeps: usize,
    /// Edges outside their limit before the first sweep.
    pub edges: usize,
    /// Largest strain beyond a limit that is left \[-\].
    pub excess: f64,
    /// Kinetic energy given (positive) or taken by the impulses \[J\].
    pub work: f64,
}

/// Changes the mean velocities `v` such that positions `x + dt v` respect the strain limits.
///
/// Gauss–Seidel in a fixed order, at most `max_sweeps` times. `inverse_mass` is zero for held vertices.
pub fn apply(
    cloth: &Cloth,
    x: &[Vec3],
    inverse_mass: &[f64],
    dt: f64,
    max_sweeps: usize,
    v: &mut [Vec3],
) -> Limited {
    let mut limited = Limited::default();
    if cloth
        .edges
        .iter()
        .all(|e| e.strain_limit.is_infinite() && e.compression_limit.is_infinite())
    {
        return limited;
    }
    let mut end: Vec<Vec3> = x.iter().zip(&*v).map(|(x, v)| *x + *v * dt).collect();
    limited.excess = cloth
        .edges
        .iter()
        .map(|e| excess(e, &end))
        .fold(0.0, f64::max);
    if limited.excess <= 0.0 {
        return limited;
    }
    limited.edges = cloth.edges.iter().filter(|e| excess(e, &end) > 0.0).count();
    while limited.excess > GOAL && limited.sweeps < max_sweeps {
        limited.excess = 0.0;
        for edge in &cloth.edges {
            limited.excess = limited.excess.max(excess(edge, &end));
            correct(edge, inverse_mass, &mut end);
        }
        limited.sweeps += 1;
    }
    for (i, end) in end.iter().enumerate() {
        let after = (*end - x[i]) / dt;
        if inverse_mass[i] > 0.0 {
            limited.work += 0.5 * cloth.mass[i] * (after.length_squared() - v[i].length_squared());
            v[i] = after;
        }
    }
    limited
}

/// How far the strain of an edge is beyond its limits \[-\]; zero or less inside.
fn excess(edge: &EdgeRest, x: &[Vec3]) -> f64 {
    let [a, b] = edge.vertices.map(|v| x[v as usize]);
    let strain = a.distance(b) / edge.length - 1.0;
    (strain - edge.strain_limit).max(-strain - edge.compression_limit)
}

fn correct(edge: &EdgeRest, inverse_mass: &[f64], x: &mut [Vec3]) {
    let [i, j] = edge.vertices.map(|v| v as usize);
    let (wi, wj) = (inverse_mass[i], inverse_mass[j]);
    let across = x[j] - x[i];
    let length = across.length();
    if wi + wj == 0.0 || length == 0.0 {
        return;
    }
    let longest = edge.length * (1.0 + edge.strain_limit - MARGIN);
    let shortest = edge.length * (1.0 - edge.compression_limit + MARGIN);
    let wanted = length.min(longest).max(shortest);
    if wanted == length {
        return;
    }
    let pull = across * ((length - wanted) / (length * (wi + wj)));
    x[i] += pull * wi;
    x[j] -= pull * wj;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::Maps;
    use crate::fabric::Fabric;
    use crate::math::Random;
    use crate::mesh::{Diagonals, Sheet};

    fn case() -> (Cloth, Vec<Vec3>, Vec<Vec3>) {
        let sheet = Sheet::grid([0.5, 0.5], [9, 9], Diagonals::Alternating).unwrap();
        let fabric = Fabric {
            strain_limit: 0.1,
            compression_limit: 0.1,
            ..Fabric::named("muslin").unwrap()
        };
        let cloth = Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap();
        let mut random = Random::new(1);
        let mut vector = || {
            Vec3::new(
                random.between(-1.0, 1.0),
                random.between(-1.0, 1.0),
                random.between(-1.0, 1.0),
            )
        };
        let v = sheet.positions.iter().map(|_| vector() * 2.0).collect();
        (cloth, sheet.positions, v)
    }

    #[test]
    fn bf2_limits_hold_and_momentum_is_kept() {
        let (cloth, x, mut v) = case();
        let inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
        let momentum =
            |v: &[Vec3]| -> Vec3 { v.iter().zip(&cloth.mass).map(|(v, m)| *v * *m).sum() };
        let before = momentum(&v);
        let dt = 0.01;
        let limited = apply(&cloth, &x, &inverse, dt, 500, &mut v);
        assert!(limited.edges > 100 && limited.sweeps > 1, "{limited:?}");
        let after: Vec<Vec3> = x.iter().zip(&v).map(|(x, v)| *x + *v * dt).collect();
        for edge in &cloth.edges {
            assert!(excess(edge, &after) <= 2.0 * GOAL);
        }
        assert!((momentum(&v) - before).length() < 1e-13);
    }

    #[test]
    fn bf2_cloth_inside_its_limits_is_left_alone_to_the_bit() {
        let (cloth, x, v) = case();
        let inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
        let slow: Vec<Vec3> = v.iter().map(|v| *v * 1e-3).collect();
        let mut out = slow.clone();
        assert_eq!(
            apply(&cloth, &x, &inverse, 0.01, 500, &mut out),
            Limited::default()
        );
        assert_eq!(out, slow);
    }
}
