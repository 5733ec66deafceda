//! Rigid impact zones (BF11): vertices whose collisions would not untangle move as one rigid piece.

use crate::math::{Mat3, Quat, Vec3, outer, skew};

/// Groups of vertices that collide with each other, grown as collisions are found.
#[derive(Clone, Debug)]
pub struct Zones {
    parent: Vec<u32>,
}

impl Zones {
    /// Every vertex for itself.
    pub fn new(vertex_count: usize) -> Self {
        Self { parent: (0..vertex_count as u32).collect() }
    }

    /// Joins the zones of all `vertices`.
    pub fn join(&mut self, vertices: &[u32]) {
        let mut root = self.root(vertices[0]);
        for &v in &vertices[1..] {
            let other = self.root(v);
            self.parent[root.max(other) as usize] = root.min(other);
            root = root.min(other);
        }
    }

    fn root(&mut self, v: u32) -> u32 {
        let mut root = v;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        let mut v = v;
        while self.parent[v as usize] != root {
            v = std::mem::replace(&mut self.parent[v as usize], root);
        }
        root
    }

    /// All vertices that are in a zone, zone by zone.
    pub fn members(&mut self) -> Vec<u32> {
        let joined = self.parent.iter().zip(0..).any(|(parent, v)| *parent != v);
        if joined { self.groups().concat() } else { Vec::new() }
    }

    /// All zones of two or more vertices, in increasing order of their first vertex.
    pub fn groups(&mut self) -> Vec<Vec<u32>> {
        let count = self.parent.len();
        let mut members: Vec<(u32, u32)> = (0..count as u32).map(|v| (self.root(v), v)).collect();
        members.sort_unstable();
        members
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|group| group.len() > 1)
            .map(|group| group.iter().map(|(_, v)| *v).collect())
            .collect()
    }
}

/// The rigid motion of a zone over one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// Centre of mass at the start \[m\].
    pub centre: Vec3,
    /// Velocity of the centre \[m/s\].
    pub velocity: Vec3,
    /// Angular velocity \[rad/s\].
    pub spin: Vec3,
}

impl RigidMotion {
    /// The motion with the linear and angular momentum of the vertices (BF11):
    /// `x_CM`, `v_CM`, `L = Σ m (x − x_CM)×(v − v_CM)`, `I = Σ m (|r|² − r rᵀ)`, `ω = I⁻¹ L`.
    ///
    /// A zone on a line has no inertia about that line, and cannot have momentum about it either: `ω`
    /// has no part there.
    pub fn of(x: &[Vec3], v: &[Vec3], mass: &[f64]) -> Self {
        let total: f64 = mass.iter().sum();
        let mean = |a: &[Vec3]| a.iter().zip(mass).map(|(a, m)| *a * *m).sum::<Vec3>() / total;
        let (centre, velocity) = (mean(x), mean(v));
        let mut momentum = Vec3::ZERO;
        let mut inertia = Mat3::ZERO;
        for ((x, v), m) in x.iter().zip(v).zip(mass) {
            let r = *x - centre;
            momentum += r.cross(*v - velocity) * *m;
            inertia += (Mat3::from_diagonal(Vec3::splat(r.length_squared())) - outer(r, r)) * *m;
        }
        Self { centre, velocity, spin: solve_symmetric(&inertia, momentum) }
    }

    /// Where a point of the zone is after `dt`: the exact rotation, so that lengths are kept.
    ///
    /// `x_CM + Δt v_CM + x_F + cos(Δt|ω|) x_R + sin(Δt|ω|) ω̂×x_R`.
    pub fn carry(&self, x: Vec3, dt: f64) -> Vec3 {
        let turn = Quat::from_scaled_axis(self.spin * dt);
        self.centre + self.velocity * dt + turn * (x - self.centre)
    }
}

/// The least-norm solution of `A y = b` for a positive semi-definite `A`, by conjugate gradients: at
/// most three steps, and none along directions without inertia.
fn solve_symmetric(a: &Mat3, b: Vec3) -> Vec3 {
    /// Residual, relative to the right-hand side, below which a direction counts as having no inertia.
    const NEGLIGIBLE: f64 = 1e-12;
    let (mut y, mut r) = (Vec3::ZERO, b);
    let mut p = r;
    for _ in 0..4 {
        let image = *a * p;
        let curvature = p.dot(image);
        let r2 = r.length_squared();
        if r2 <= NEGLIGIBLE * NEGLIGIBLE * b.length_squared() || curvature <= 0.0 {
            break;
        }
        let alpha = r2 / curvature;
        y += p * alpha;
        r -= image * alpha;
        p = r + p * (r.length_squared() / r2);
    }
    y
}

/// The rigid motion that fits the given displacements of infinite-mass vertices best, to first order:
/// what a zone does that touches a body or a pin.
pub fn following(x: &[Vec3], v: &[Vec3]) -> RigidMotion {
    RigidMotion::of(x, v, &vec![1.0; x.len()])
}

/// Velocity field of a rigid motion at the start of the step.
pub fn instantaneous(motion: &RigidMotion, x: Vec3) -> Vec3 {
    motion.velocity + skew(motion.spin) * (x - motion.centre)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn vector(random: &mut Random) -> Vec3 {
        Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0))
    }

    /// R10: what moves as one is known vertex by vertex.
    #[test]
    fn r10_members_are_those_of_all_zones() {
        let mut zones = Zones::new(9);
        assert!(zones.members().is_empty());
        zones.join(&[7, 2, 4]);
        zones.join(&[8, 1]);
        assert_eq!(zones.members(), [1, 8, 2, 4, 7]);
        zones.join(&[4, 1]);
        assert_eq!(zones.members(), [1, 2, 4, 7, 8]);
    }

    /// V2: the instantaneous field keeps both momenta to rounding; the finite rotation keeps lengths.
    #[test]
    fn v2_rigid_zones_keep_momentum_and_lengths() {
        let mut random = Random::new(77);
        for count in [2, 3, 4, 10] {
            for collinear in [false, true] {
                let direction = vector(&mut random);
                let x: Vec<Vec3> = (0..count)
                    .map(|i| if collinear { direction * i as f64 } else { vector(&mut random) })
                    .collect();
                let v: Vec<Vec3> = (0..count).map(|_| vector(&mut random)).collect();
                let mass: Vec<f64> = (0..count).map(|_| random.between(0.1, 5.0)).collect();
                let motion = RigidMotion::of(&x, &v, &mass);
                let linear = |v: &[Vec3]| -> Vec3 { (0..count).map(|i| v[i] * mass[i]).sum() };
                let angular =
                    |v: &[Vec3]| -> Vec3 { (0..count).map(|i| x[i].cross(v[i]) * mass[i]).sum() };
                let field: Vec<Vec3> = x.iter().map(|x| instantaneous(&motion, *x)).collect();
                assert!((linear(&field) - linear(&v)).length() < 1e-11);
                assert!((angular(&field) - angular(&v)).length() < 1e-10, "{count} {collinear}");
                for i in 0..count {
                    for j in 0..i {
                        let after = motion.carry(x[i], 0.3).distance(motion.carry(x[j], 0.3));
                        assert!((after - x[i].distance(x[j])).abs() < 1e-12);
                    }
                }
            }
        }
    }

    #[test]
    fn zones_merge_in_any_order() {
        let mut zones = Zones::new(10);
        zones.join(&[7, 3]);
        zones.join(&[1, 2, 9]);
        zones.join(&[3, 9]);
        zones.join(&[5, 4]);
        assert_eq!(zones.groups(), vec![vec![1, 2, 3, 7, 9], vec![4, 5]]);
    }
}
