//! Explicit steps: substepped Euler and fourth-order Runge–Kutta (OS1).

use super::springs::Springs;
use crate::math::Vec3;

/// How particles are advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrator {
    /// One evaluation of the forces: velocity first, then position with the new velocity.
    ///
    /// Deviation: the paper's "explicit Euler" moves with the old velocity, which gains energy at
    /// any step; the order used here costs the same and does not.
    Euler,
    /// Four evaluations.
    Rk4,
}

/// Buffers for the stages.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    accelerations: Vec<Vec3>,
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    dx: Vec<Vec3>,
    dv: Vec<Vec3>,
}

impl Stages {
    pub fn new(count: usize) -> Self {
        let buffer = || vec![Vec3::ZERO; count];
        Self { accelerations: buffer(), x: buffer(), v: buffer(), dx: buffer(), dv: buffer() }
    }

    /// Advances by `h` \[s\]. Attached particles move with the velocity they have.
    pub fn step(
        &mut self,
        integrator: Integrator,
        springs: &Springs,
        x: &mut [Vec3],
        v: &mut [Vec3],
        h: f64,
    ) {
        match integrator {
            Integrator::Euler => {
                let a = &mut self.accelerations;
                springs.accelerations(x, v, h, a);
                for i in 0..x.len() {
                    v[i] += a[i] * h;
                    x[i] += v[i] * h;
                }
            }
            Integrator::Rk4 => self.rk4(springs, x, v, h),
        }
    }

    /// `x' = v`, `v' = a(x, v)`: stages at 0, h/2, h/2, h with weights 1, 2, 2, 1 over 6.
    fn rk4(&mut self, springs: &Springs, x: &mut [Vec3], v: &mut [Vec3], h: f64) {
        let Self { accelerations: a, x: xs, v: vs, dx, dv } = self;
        dx.fill(Vec3::ZERO);
        dv.fill(Vec3::ZERO);
        xs.copy_from_slice(x);
        vs.copy_from_slice(v);
        for (weight, next) in [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)] {
            springs.accelerations(xs, vs, h, a);
            for i in 0..x.len() {
                dx[i] += vs[i] * weight;
                dv[i] += a[i] * weight;
                xs[i] = x[i] + vs[i] * (next * h);
                vs[i] = v[i] + a[i] * (next * h);
            }
        }
        for i in 0..x.len() {
            x[i] += dx[i] * (h / 6.0);
            v[i] += dv[i] * (h / 6.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::air::Air;
    use crate::math::Vec2;
    use crate::mesh::TriMesh;
    use crate::sparse::springs::Elastic;

    /// Free fall: RK4 is exact, Euler is off by g h t / 2.
    #[test]
    fn os1_free_fall() {
        let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from);
        let mesh = TriMesh::new(3, vec![[0, 1, 2]], vec![uv]).unwrap();
        let elastic = Elastic { density: 0.3, bending: 0.0 };
        let mut springs = Springs::new(&mesh, &[false; 3], &elastic);
        springs.gravity = Vec3::Z * -10.0;
        springs.air = Air { density: 0.0, ..Air::default() };
        let (h, steps) = (0.01, 100);
        for (integrator, drop) in [(Integrator::Rk4, 5.0), (Integrator::Euler, 5.05)] {
            let mut x = [Vec3::ZERO, Vec3::X, Vec3::Y];
            let mut v = [Vec3::ZERO; 3];
            let mut stages = Stages::new(3);
            for _ in 0..steps {
                stages.step(integrator, &springs, &mut x, &mut v, h);
            }
            assert!((x[0].z + drop).abs() < 1e-12, "{integrator:?}: {}", x[0].z);
            assert!((v[0].z + 10.0).abs() < 1e-12);
        }
    }

    /// An oscillating spring: halving the step divides the error by 2 (Euler) or 16 (RK4).
    #[test]
    fn os1_orders_of_convergence() {
        let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from);
        let mesh = TriMesh::new(3, vec![[0, 1, 2]], vec![uv]).unwrap();
        let elastic = Elastic { density: 0.3, bending: 0.0 };
        let mut springs = Springs::new(&mesh, &[true, false, true], &elastic);
        springs.air = Air { density: 0.0, ..Air::default() };
        springs.set_stiffness(1.0, 0.0);
        let run = |integrator: Integrator, steps: usize| {
            let mut x = [Vec3::ZERO, Vec3::new(1.3, 0.2, 0.0), Vec3::Y];
            let mut v = [Vec3::ZERO; 3];
            let mut stages = Stages::new(3);
            for _ in 0..steps {
                stages.step(integrator, &springs, &mut x, &mut v, 0.5 / steps as f64);
            }
            x[1]
        };
        let exact = run(Integrator::Rk4, 4096);
        for (integrator, ratio) in [(Integrator::Euler, 2.0), (Integrator::Rk4, 16.0)] {
            let error = |steps: usize| run(integrator, steps).distance(exact);
            let measured = error(32) / error(64);
            assert!((measured / ratio - 1.0).abs() < 0.15, "{integrator:?}: {measured}");
        }
    }
}
