//! Inflation pressure of closed cloth: `p A n̂/3` on every corner of every triangle.
//!
//! The sum over a closed surface is `p ∂V/∂x`, so it does not push the cloth as a whole. Its gradient is
//! symmetric but indefinite, and so no part of a matrix that conjugate gradients can trust: instead the
//! force is evaluated anew where the step expects the cloth to be.

use crate::link::Strength;
use crate::math::Vec3;
use std::ops::Range;

/// Pressure inside a closed piece of cloth.
#[derive(Clone, Debug)]
pub struct Pressure {
    /// The piece's triangles, among those of the cloth.
    pub triangles: Range<usize>,
    /// Pressure above that outside \[Pa\].
    pub value: Strength,
}

impl Pressure {
    /// Adds the forces at time `t` \[s\] to `f`; `x` gives positions \[m\].
    pub fn add(&self, triangles: &[[u32; 3]], x: impl Fn(u32) -> Vec3, t: f64, f: &mut [Vec3]) {
        let share = self.value.at(t) / 6.0;
        if share == 0.0 {
            return;
        }
        for corners in &triangles[self.triangles.clone()] {
            let [a, b, c] = corners.map(&x);
            let push = (b - a).cross(c - a) * share;
            for &v in corners {
                f[v as usize] += push;
            }
        }
    }
}

/// Volume inside closed triangles, positive if their normals point outwards \[m³\].
pub fn volume(triangles: &[[u32; 3]], x: &[Vec3]) -> f64 {
    let Some(&[first, ..]) = triangles.first() else { return 0.0 };
    let origin = x[first as usize];
    let part = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| x[v as usize] - origin);
        a.dot(b.cross(c)) / 6.0
    };
    triangles.iter().map(part).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::{Cloth, Maps};
    use crate::fabric::Fabric;
    use crate::integrate::implicit::Rule;
    use crate::linalg::Tolerance;
    use crate::math::Random;
    use crate::mesh::Sheet;
    use crate::sim::{Dynamics, Forecast, Params, Simulation, State, Weather};

    /// V1, V2: the forces are `p ∂V/∂x`, and do not push or turn closed cloth as a whole.
    #[test]
    fn v1_pressure_is_the_gradient_of_the_volume() {
        let ball = Sheet::ball(0.3, 1).unwrap();
        let mut random = Random::new(1);
        let mut shake = || Vec3::from_array(std::array::from_fn(|_| random.between(-0.05, 0.05)));
        let x: Vec<Vec3> = ball.positions.iter().map(|x| *x + shake()).collect();
        let triangles = ball.mesh.triangles();
        let pressure = Pressure { triangles: 0..triangles.len(), value: Strength::Constant(70.0) };
        let mut f = vec![Vec3::ZERO; x.len()];
        pressure.add(triangles, |v| x[v as usize], 0.0, &mut f);
        for i in 0..x.len() {
            for axis in 0..3 {
                let inside = |h: f64| {
                    let mut x = x.clone();
                    x[i][axis] += h;
                    volume(triangles, &x)
                };
                let slope = 70.0 * (inside(1e-4) - inside(-1e-4)) / 2e-4;
                assert!((f[i][axis] - slope).abs() < 1e-9, "{} {slope}", f[i][axis]);
            }
        }
        let torque: Vec3 = x.iter().zip(&f).map(|(x, f)| x.cross(*f)).sum();
        assert!(f.iter().sum::<Vec3>().length() < 1e-12 && torque.length() < 1e-12);
    }

    /// Laplace: a balloon stretched by λ has tension `k(λ−1)/λ` per width, and `p R λ = 2 k (λ−1)/λ`; so
    /// `λ = (1 − √(1 − 4a))/2a` with `a = pR/2k`. Triangles of an icosphere of 642 vertices: 1 %.
    #[test]
    fn a_balloon_obeys_laplace() {
        let (radius, k, p) = (0.2, 50.0, 60.0);
        let ball = Sheet::ball(radius, 3).unwrap();
        let fabric = Fabric {
            stretch: [k; 2],
            shear: 0.0,
            bending: [0.0; 2],
            strain_limit: f64::INFINITY,
            compression_limit: f64::INFINITY,
            ..Fabric::named("cotton poplin").unwrap()
        };
        let cloth = Cloth::new(&ball.mesh, &fabric, &Maps::default()).unwrap();
        let weather = Weather { gravity: Vec3::ZERO, air: None, winds: Vec::new() };
        let params = Params {
            forecast: Forecast::Constant(weather),
            dynamics: Dynamics::Implicit { rule: Rule::BackwardEuler },
            tolerance: Tolerance { relative: 1e-6, max_iterations: 1000 },
            strain_sweeps: 0,
            contact: None,
            ..Params::default()
        };
        let still = vec![Vec3::ZERO; ball.positions.len()];
        let state = State::new(ball.positions.clone(), still);
        let triangles = 0..cloth.triangles.len();
        let mut simulation = Simulation::new(cloth, vec![], vec![], state, params);
        simulation.pressures.push(Pressure { triangles, value: Strength::Constant(p) });
        for _ in 0..100 {
            simulation.step(0.02).unwrap();
        }
        let speed = simulation.state.v.iter().map(|v| v.length()).fold(0.0, f64::max);
        assert!(speed < 1e-3, "still moving at {speed} m/s");
        let inside = volume(&simulation.cloth.triangles, &simulation.state.x);
        let at_rest = volume(&simulation.cloth.triangles, &ball.positions);
        let a = p * radius / (2.0 * k);
        let exact = (1.0 - (1.0 - 4.0 * a).sqrt()) / (2.0 * a);
        let found = (inside / at_rest).cbrt();
        assert!((found / exact - 1.0).abs() < 0.01, "λ = {found}, not {exact}");
    }
}
