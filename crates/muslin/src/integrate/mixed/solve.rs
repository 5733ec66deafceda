//! `(M + βD) v = M v* + β (free + M g)` by conjugate gradients that only ever apply `D` (MF2), or by marching
//! (BF12). Held directions are prescribed exactly (BW9).

use super::forces::Forces;
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

/// Most directions of a solve that are kept for the next one.
const MOST_KEPT: usize = 32;

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
    direction: Vec<Vec3>,
    image: Vec<Vec3>,
    /// Directions `p` of the last solve, conjugate to each other, each with `pᵀ(M + βD)p`.
    kept: Vec<(Vec<Vec3>, f64)>,
    kept_count: usize,
}

impl Buffers {
    fn keep(&mut self, curvature: f64) {
        if self.kept_count == MOST_KEPT {
            return;
        }
        if self.kept_count == self.kept.len() {
            self.kept.push((Vec::new(), 0.0));
        }
        let (direction, kept) = &mut self.kept[self.kept_count];
        direction.clone_from(&self.direction);
        *kept = curvature;
        self.kept_count += 1;
    }
}

impl HalfStep<'_> {
    /// Solves for `v` from the best velocity on the line through `v*` and a guess. Preconditioned by the mass, as
    /// the paper's accelerations are; residuals are relative to that of `v*`. The directions it took are kept for
    /// [`Self::foresee`].
    ///
    /// Diagonal blocks of `M + βD` would be no better: gravity, and most of what else acts, moves neighbours alike,
    /// which damping does not see. The mass then gives the answer at once, where blocks take a vertex for as heavy
    /// as its damping makes it against its neighbours.
    pub fn solve(
        &self,
        forces: &mut Forces,
        work: &mut Buffers,
        guess: Option<&[Vec3]>,
    ) -> (Vec<Vec3>, Solve) {
        work.kept_count = 0;
        for buffer in [&mut work.residual, &mut work.direction, &mut work.image] {
            buffer.resize(self.base.len(), Vec3::ZERO);
        }
        let mut v = self.base.to_vec();
        self.start(forces, &mut v, &mut work.residual);
        let first = self.size(&work.residual);
        if let Some(guess) = guess {
            let Buffers { residual: r, direction: p, image, .. } = work;
            p.copy_from_slice(guess);
            self.start(forces, p, image);
            towards(&mut v, r, p, image);
        }
        let mut left = self.size(&work.residual);
        let (mass, beta) = (&self.cloth.mass, self.beta);
        let goal = self.tolerance.relative * self.tolerance.relative * first;
        let mut ratio = 0.0;
        let mut iterations = 0;
        while left > goal && iterations < self.tolerance.max_iterations {
            let Buffers { residual: r, direction: p, image, .. } = work;
            rows(p, |i, p| *p = r[i] / mass[i] + *p * ratio);
            self.filter.apply(p);
            forces.damp(self.cloth, p, image);
            rows(image, |i, image| *image = p[i] * mass[i] + *image * beta);
            self.filter.apply(image);
            let curvature = dot(p, image);
            if curvature <= 0.0 || !curvature.is_finite() {
                break;
            }
            let alpha = left / curvature;
            rows(&mut v, |i, v| *v += p[i] * alpha);
            rows(r, |i, r| *r -= image[i] * alpha);
            let next = self.size(r);
            (ratio, left) = (next / left, next);
            iterations += 1;
            work.keep(curvature);
        }
        let r = &work.residual;
        if self.filter.constraints().is_empty() {
            // However early the iteration stopped, total momentum is what the forces say.
            let missing = r.iter().sum::<Vec3>() / self.cloth.total_mass();
            for v in &mut v {
                *v += missing;
            }
        }
        let residual = if first > 0.0 { (left / first).sqrt() } else { 0.0 };
        (v, Solve { iterations, residual, converged: left <= goal })
    }

    /// What the first solve of the next step will give, where this was the last one of a step and ended with `v`:
    /// `(M + βD) ṽ = M v + β (free + M g)`, with the same matrix, and from `v` with the residual `M (v − v*)`.
    ///
    /// As `v − v* = (M + βD)⁻¹ r` with the residual `r` this solve started from, `ṽ − v` is a function of the matrix
    /// that acts on the same `r`, and the directions in which this solve went from `r` span it nearly as well as
    /// their own solution. They are conjugate, so the best there is in them costs no product with the matrix.
    pub fn foresee(&self, work: &Buffers, v: &[Vec3]) -> Vec<Vec3> {
        let mut residual = v.to_vec();
        rows(&mut residual, |i, r| *r = (*r - self.base[i]) * self.cloth.mass[i]);
        let mut foreseen = v.to_vec();
        for (p, curvature) in &work.kept[..work.kept_count] {
            let share = dot(p, &residual) / curvature;
            rows(&mut foreseen, |i, v| *v += p[i] * share);
        }
        foreseen
    }

    /// Prescribes what is held, and finds the residual of the rest.
    fn start(&self, forces: &mut Forces, v: &mut [Vec3], r: &mut [Vec3]) {
        self.filter.prescribe(v);
        self.residual(forces, v, r);
        self.filter.apply(r);
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

    /// `rᵀM⁻¹r`.
    fn size(&self, r: &[Vec3]) -> f64 {
        let parts = r.par_chunks(ROWS).zip(self.cloth.mass.par_chunks(ROWS));
        let sums: Vec<f64> = parts
            .map(|(r, m)| r.iter().zip(m).map(|(r, m)| r.length_squared() / m).sum())
            .collect();
        sums.iter().sum()
    }
}

/// Goes from `v` with its residual `r` along the line to `guess`, whose residual is `left`, as far as the error in
/// energy falls: with `d = guess − v` and `A d = r − left` that is `dᵀr / dᵀAd` of the way.
fn towards(v: &mut [Vec3], r: &mut [Vec3], guess: &[Vec3], left: &[Vec3]) {
    let mut way = guess.to_vec();
    rows(&mut way, |i, way| *way -= v[i]);
    let gain = dot(&way, r);
    let share = gain / (gain - dot(&way, left));
    if share.is_finite() {
        rows(v, |i, v| *v += way[i] * share);
        rows(r, |i, r| *r = r.lerp(left[i], share));
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

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    let parts = a.par_chunks(ROWS).zip(b.par_chunks(ROWS));
    let sums: Vec<f64> =
        parts.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()).collect();
    sums.iter().sum()
}
