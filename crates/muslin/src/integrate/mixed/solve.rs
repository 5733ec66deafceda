//! `(M + βD) v = M v* + β (free + M g)` by conjugate gradients that only ever apply `D` (MF2), or by marching
//! (BF12). Held directions are prescribed exactly (BW9).

use super::forces::Forces;
use super::precondition::Precondition;
use crate::cloth::Cloth;
use crate::linalg::{Filter, Solve, Tolerance};
use crate::math::Vec3;
use rayon::prelude::*;

/// Rows per partial sum: sums are the same on any number of threads.
const ROWS: usize = 1024;

/// Most substeps of a marched velocity update.
const MOST_SUBSTEPS: usize = 10_000;

/// Most fixed-point iterations of a substep: each at least halves the error.
const FIXED_POINT: usize = 48;

/// The equation of a half step of length `beta` \[s\], at the position `forces` was evaluated at.
pub(super) struct HalfStep<'a> {
    pub cloth: &'a Cloth,
    pub beta: f64,
    pub gravity: Vec3,
    /// `v*` \[m/s\].
    pub base: &'a [Vec3],
    /// What is held, as absolute velocities.
    pub filter: &'a Filter,
    pub tolerance: Tolerance,
}

/// Work space of conjugate gradients.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    residual: Vec<Vec3>,
    preconditioned: Vec<Vec3>,
    direction: Vec<Vec3>,
    image: Vec<Vec3>,
}

impl Buffers {
    fn all(&mut self) -> [&mut Vec<Vec3>; 4] {
        [&mut self.residual, &mut self.preconditioned, &mut self.direction, &mut self.image]
    }
}

impl HalfStep<'_> {
    /// Solves for `v`, from `v*`; residuals are relative to that of `v*`, in the norm `√(rᵀM⁻¹r)`.
    pub fn solve(
        &self,
        forces: &mut Forces,
        work: &mut Buffers,
        precondition: &Precondition,
    ) -> (Vec<Vec3>, Solve) {
        for buffer in work.all() {
            buffer.resize(self.base.len(), Vec3::ZERO);
        }
        let mut v = self.base.to_vec();
        self.filter.prescribe(&mut v);
        self.residual(forces, &v, &mut work.residual);
        self.filter.apply(&mut work.residual);
        let (mass, beta) = (&self.cloth.mass, self.beta);
        let size = |i: usize, r: Vec3| r.length_squared() / mass[i];
        let first = sum_rows(&mut work.residual, |i, r| size(i, *r));
        // Where nothing is damped, one iteration by the mass is exact for every vertex.
        if forces.damps() {
            self.move_together(forces, work, &mut v);
        }
        let Buffers { residual: r, preconditioned: z, direction: p, image } = work;
        let mut left = sum_rows(r, |i, r| size(i, *r));
        let goal = self.tolerance.relative * self.tolerance.relative * first;
        let (mut product, mut iterations) = (f64::INFINITY, 0);
        while left > goal && iterations < self.tolerance.max_iterations {
            let before = product;
            product = precondition.solve(mass, r, z);
            let ratio = product / before;
            rows(p, |i, p| *p = z[i] + *p * ratio);
            self.filter.apply(p);
            forces.damp(self.cloth, p, image);
            let curvature = sum_rows(image, |i, image| {
                *image = p[i] * mass[i] + *image * beta;
                p[i].dot(*image)
            });
            if curvature <= 0.0 || !curvature.is_finite() {
                break;
            }
            self.filter.apply(image);
            let alpha = product / curvature;
            rows(&mut v, |i, v| *v += p[i] * alpha);
            left = sum_rows(r, |i, r| {
                *r -= image[i] * alpha;
                size(i, *r)
            });
            iterations += 1;
        }
        // However early the iteration stopped, total momentum is what the forces say.
        self.move_together(forces, work, &mut v);
        let residual = if first > 0.0 { (left / first).sqrt() } else { 0.0 };
        (v, Solve { iterations, residual, converged: left <= goal })
    }

    /// Moves cloth that nothing holds as a whole, such that its residual sums to nothing but for the air: what damping
    /// does not see needs no iteration, and free fall is exact.
    fn move_together(&self, forces: &Forces, work: &mut Buffers, v: &mut [Vec3]) {
        if !self.filter.constraints().is_empty() {
            return;
        }
        let Buffers { residual: r, direction: p, image, .. } = work;
        let shift = r.iter().sum::<Vec3>() / self.cloth.total_mass();
        rows(v, |_, v| *v += shift);
        p.fill(shift);
        image.fill(Vec3::ZERO);
        forces.drag(self.cloth, p, image);
        rows(r, |i, r| *r -= shift * self.cloth.mass[i] + image[i] * self.beta);
        p.fill(Vec3::ZERO);
    }

    /// BF12: marches from `v*` in substeps `k` with `k λ_max ≤ ½`, each solved by fixed-point iteration
    /// `u ← u_m + k a(u)`. The order in `k` is first, as in the paper; the implicit solve needs no substeps.
    pub fn march(&self, forces: &mut Forces) -> (Vec<Vec3>, Solve) {
        let rate = forces.damping_rate(self.cloth);
        let count = ((2.0 * self.beta * rate).ceil() as usize).clamp(1, MOST_SUBSTEPS);
        let k = self.beta / count as f64;
        let mass = &self.cloth.mass;
        let mut v = self.base.to_vec();
        self.filter.prescribe(&mut v);
        let mut image = vec![Vec3::ZERO; v.len()];
        let mut iterations = 0;
        let mut left: f64 = 0.0;
        for _ in 0..count {
            let start = v.clone();
            let mut change = [f64::INFINITY; 2];
            for _ in 0..FIXED_POINT {
                forces.damp(self.cloth, &v, &mut image);
                let (mut moved, mut largest) = (0.0f64, 0.0f64);
                for i in 0..v.len() {
                    let force = (forces.free[i] - image[i]) / mass[i] + self.gravity;
                    image[i] = start[i] + force * k;
                }
                self.filter.prescribe(&mut image);
                for i in 0..v.len() {
                    moved = moved.max((image[i] - v[i]).length());
                    largest = largest.max((image[i] - start[i]).length());
                }
                v.copy_from_slice(&image);
                iterations += 1;
                change = [moved, largest];
                if moved <= self.tolerance.relative * largest {
                    break;
                }
            }
            left = left.max(if change[1] > 0.0 { change[0] / change[1] } else { 0.0 });
        }
        (v, Solve { iterations, residual: left, converged: left <= self.tolerance.relative })
    }

    /// `v* + β a(v)`: the explicit half step.
    pub fn explicit(&self, forces: &mut Forces, v: &[Vec3]) -> Vec<Vec3> {
        let mut image = vec![Vec3::ZERO; v.len()];
        forces.damp(self.cloth, v, &mut image);
        let at = |i: usize| {
            let force = (forces.free[i] - image[i]) / self.cloth.mass[i] + self.gravity;
            self.base[i] + force * self.beta
        };
        let mut out: Vec<Vec3> = (0..v.len()).map(at).collect();
        self.filter.prescribe(&mut out);
        out
    }

    /// Force on every held vertex \[N\]: what is missing from `M (v − v*)/β = f + M g + e` (BW9).
    pub fn held_forces(&self, forces: &mut Forces, v: &[Vec3]) -> Vec<(u32, Vec3)> {
        if self.filter.constraints().is_empty() {
            return Vec::new();
        }
        let mut missing = vec![Vec3::ZERO; v.len()];
        self.residual(forces, v, &mut missing);
        let held = self.filter.constraints().iter();
        held.map(|c| {
            let e = missing[c.vertex as usize] / -self.beta;
            (c.vertex, e - c.allowed * e)
        })
        .collect()
    }

    /// `r = M v* + β (free + M g) − (M + βD) v`.
    fn residual(&self, forces: &mut Forces, v: &[Vec3], r: &mut [Vec3]) {
        forces.damp(self.cloth, v, r);
        rows(r, |i, r| {
            let mass = self.cloth.mass[i];
            let force = forces.free[i] - *r + self.gravity * mass;
            *r = (self.base[i] - v[i]) * mass + force * self.beta;
        });
    }
}

/// Visits every row.
fn rows(a: &mut [Vec3], visit: impl Fn(usize, &mut Vec3) + Sync) {
    a.par_chunks_mut(ROWS).enumerate().for_each(|(c, a)| {
        for (k, a) in a.iter_mut().enumerate() {
            visit(c * ROWS + k, a);
        }
    });
}

/// Visits every row, and sums what `visit` returns.
pub(super) fn sum_rows(a: &mut [Vec3], visit: impl Fn(usize, &mut Vec3) -> f64 + Sync) -> f64 {
    let sum = |(c, a): (usize, &mut [Vec3])| -> f64 {
        a.iter_mut().enumerate().map(|(k, a)| visit(c * ROWS + k, a)).sum()
    };
    if a.len() <= ROWS {
        return sum((0, a));
    }
    let sums: Vec<f64> = a.par_chunks_mut(ROWS).enumerate().map(sum).collect();
    sums.iter().sum()
}
