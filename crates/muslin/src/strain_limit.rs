//! Strain limits by momentum-conserving impulses (BF2, MF3).
//!
//! Edges that would end the step longer than `(1 + limit)` times their rest length, or shorter than
//! `(1 − limit)`, are pulled or pushed along themselves, each end by its share of inverse mass, until
//! all of them fit. Impulses along the line between two points keep linear and angular momentum.

use crate::cloth::{Cloth, EdgeRest};
use crate::math::Vec3;

/// Edges are held to this share of their limit: sweeps stop before they have converged, and what they
/// leave over must still be inside the limit.
const INNER_SHARE: f64 = 0.95;

/// Where sweeps stop: the largest excess strain left, as a share of the limit \[-\].
const GOAL_SHARE: f64 = 0.01;

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

/// Whether a cloth has any limits at all.
pub fn is_limited(cloth: &Cloth) -> bool {
    cloth.edges.iter().any(|e| e.strain_limit.is_finite() || e.compression_limit.is_finite())
}

/// A step whose end positions `x + dt v` are to respect the limits.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The cloth.
    pub cloth: &'a Cloth,
    /// Positions at the start \[m\].
    pub x: &'a [Vec3],
    /// Inverse masses, zero for held vertices \[1/kg\].
    pub inverse_mass: &'a [f64],
    /// Length of the step \[s\].
    pub dt: f64,
}

impl Step<'_> {
    /// Gauss–Seidel in a fixed order until all limits hold, at most `max_sweeps` times.
    pub fn apply(&self, max_sweeps: usize, v: &mut [Vec3]) -> Limited {
        let mut limited = Limited::default();
        if max_sweeps == 0 || !is_limited(self.cloth) {
            return limited;
        }
        limited.edges = self.cloth.edges.iter().filter(|e| self.excess(e, v) > 0.0).count();
        if limited.edges == 0 {
            return limited;
        }
        let before = self.kinetic(v);
        limited.excess = f64::INFINITY;
        let smallest = |e: &EdgeRest| e.strain_limit.min(e.compression_limit);
        let limit = self.cloth.edges.iter().map(smallest).fold(f64::INFINITY, f64::min);
        let goal = GOAL_SHARE * limit.max(GOAL_SHARE);
        while limited.excess > goal && limited.sweeps < max_sweeps {
            limited.excess = self.sweep(v);
            limited.sweeps += 1;
        }
        limited.work = self.kinetic(v) - before;
        limited
    }

    /// Visits every edge once; returns the largest excess strain met \[-\].
    pub fn sweep(&self, v: &mut [Vec3]) -> f64 {
        let mut largest: f64 = 0.0;
        for edge in &self.cloth.edges {
            let across = self.end_to_end(edge, v);
            let squared = across.length_squared();
            let [shortest, longest] = bounds(edge);
            if squared > longest * longest || squared < shortest * shortest {
                let length = squared.sqrt();
                let beyond = (length - longest).max(shortest - length);
                largest = largest.max(beyond / edge.length);
                self.correct(edge, across, length, v);
            }
        }
        largest
    }

    /// From the first to the second end of an edge when the step ends \[m\].
    #[inline]
    fn end_to_end(&self, edge: &EdgeRest, v: &[Vec3]) -> Vec3 {
        let [i, j] = edge.vertices.map(|v| v as usize);
        self.x[j] - self.x[i] + (v[j] - v[i]) * self.dt
    }

    /// How far the strain of an edge is beyond its limits \[-\]; zero or less inside.
    fn excess(&self, edge: &EdgeRest, v: &[Vec3]) -> f64 {
        let length = self.end_to_end(edge, v).length();
        let [shortest, longest] = bounds(edge);
        (length - longest).max(shortest - length) / edge.length
    }

    fn correct(&self, edge: &EdgeRest, across: Vec3, length: f64, v: &mut [Vec3]) {
        let [i, j] = edge.vertices.map(|v| v as usize);
        let (wi, wj) = (self.inverse_mass[i], self.inverse_mass[j]);
        if wi + wj == 0.0 || length == 0.0 {
            return;
        }
        let [shortest, longest] = bounds(edge);
        let wanted = length.min(longest).max(shortest);
        let pull = across * ((length - wanted) / (length * (wi + wj) * self.dt));
        v[i] += pull * wi;
        v[j] -= pull * wj;
    }

    fn kinetic(&self, v: &[Vec3]) -> f64 {
        self.cloth.mass.iter().zip(v).map(|(m, v)| 0.5 * m * v.length_squared()).sum()
    }
}

/// The lengths an edge is held between \[m\].
fn bounds(edge: &EdgeRest) -> [f64; 2] {
    let shortest = edge.length * (1.0 - INNER_SHARE * edge.compression_limit);
    [shortest.max(0.0), edge.length * (1.0 + INNER_SHARE * edge.strain_limit)]
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
        let step = Step { cloth: &cloth, x: &x, inverse_mass: &inverse, dt };
        let limited = step.apply(500, &mut v);
        assert!(limited.edges > 100 && limited.sweeps > 1, "{limited:?}");
        for edge in &cloth.edges {
            let strain = step.end_to_end(edge, &v).length() / edge.length - 1.0;
            assert!(strain.abs() <= 0.1, "{strain}");
        }
        assert!((momentum(&v) - before).length() < 1e-13);
    }

    #[test]
    fn bf2_cloth_inside_its_limits_is_left_alone_to_the_bit() {
        let (cloth, x, v) = case();
        let inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
        let slow: Vec<Vec3> = v.iter().map(|v| *v * 1e-3).collect();
        let mut out = slow.clone();
        let step = Step { cloth: &cloth, x: &x, inverse_mass: &inverse, dt: 0.01 };
        assert_eq!(step.apply(500, &mut out), Limited::default());
        assert_eq!(out, slow);
    }
}
