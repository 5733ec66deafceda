//! Modified preconditioned conjugate gradients (BW9), with the corrected start and stopping test of
//! Ascher and Boxerman (2003).

use super::{BlockMatrix, Filter, dot};
use crate::math::{Mat3, Vec3};
use rayon::prelude::*;

/// Vertices handled by one parallel task of an element-wise loop.
const CHUNK: usize = super::CHUNK;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Residual relative to the right-hand side, in the norm of the preconditioner \[-\].
    pub relative: f64,
    /// Most iterations.
    pub max_iterations: usize,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solve {
    /// Iterations made.
    pub iterations: usize,
    /// Residual relative to the right-hand side, in the norm of the preconditioner \[-\].
    pub residual: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

/// Work space of the solver: nothing in it survives a solve.
#[derive(Clone, Debug, Default)]
pub struct Pcg {
    residual: Vec<Vec3>,
    direction: Vec<Vec3>,
    image: Vec<Vec3>,
    preconditioned: Vec<Vec3>,
    inverse_diagonal: Vec<Mat3>,
}

impl Pcg {
    /// Solves `S A S Δv = S (b − A z)`, `Δv = z` in constrained directions, starting from `solution`.
    ///
    /// | BW | here |
    /// |---|---|
    /// | `Δv` | `solution` |
    /// | `r`, `c`, `q`, `s` | `residual`, `direction`, `image`, `preconditioned` |
    /// | `S`, `z` | `filter` |
    ///
    /// Constraints hold exactly after any number of iterations: `solution` gets `z` first and every
    /// direction added to it is filtered.
    pub fn solve(
        &mut self,
        matrix: &mut BlockMatrix,
        rhs: &[Vec3],
        filter: &Filter,
        tolerance: Tolerance,
        solution: &mut [Vec3],
    ) -> Solve {
        self.prepare(matrix);
        let Self { residual, direction, image, preconditioned, inverse_diagonal } = self;

        // b̂ = S (b − A z): what the free directions must balance.
        direction.fill(Vec3::ZERO);
        filter.prescribe(direction);
        matrix.multiply(direction, image);
        subtract(residual, rhs, image);
        filter.apply(residual);
        precondition(inverse_diagonal, residual, preconditioned);
        let scale = dot(residual, preconditioned);
        let goal = tolerance.relative * tolerance.relative * scale;

        filter.prescribe(solution);
        matrix.multiply(solution, image);
        subtract(residual, rhs, image);
        filter.apply(residual);
        precondition(inverse_diagonal, residual, preconditioned);
        filter.apply(preconditioned);
        direction.copy_from_slice(preconditioned);
        let mut delta = dot(residual, direction);
        let mut iterations = 0;
        while delta > goal && iterations < tolerance.max_iterations {
            matrix.multiply(direction, image);
            filter.apply(image);
            let curvature = dot(direction, image);
            if curvature <= 0.0 || !curvature.is_finite() {
                break;
            }
            let alpha = delta / curvature;
            advance(solution, direction, alpha);
            advance(residual, image, -alpha);
            precondition(inverse_diagonal, residual, preconditioned);
            let previous = delta;
            delta = dot(residual, preconditioned);
            let beta = delta / previous;
            renew(direction, preconditioned, beta);
            filter.apply(direction);
            iterations += 1;
        }
        let residual = if scale > 0.0 { (delta / scale).max(0.0).sqrt() } else { 0.0 };
        Solve { iterations, residual, converged: delta <= goal }
    }

    /// Constraint force per listed vertex, `e = (A Δv − b)/h` (BW9), in the order of the filter.
    pub fn constraint_forces(
        &mut self,
        matrix: &mut BlockMatrix,
        rhs: &[Vec3],
        filter: &Filter,
        solution: &[Vec3],
        h: f64,
    ) -> Vec<Vec3> {
        matrix.multiply(solution, &mut self.image);
        let held = filter.constraints().iter();
        held.map(|c| {
            let v = c.vertex as usize;
            let e = (self.image[v] - rhs[v]) / h;
            e - c.allowed * e
        })
        .collect()
    }

    fn prepare(&mut self, matrix: &BlockMatrix) {
        let size = matrix.diagonal.len();
        for buffer in
            [&mut self.residual, &mut self.direction, &mut self.image, &mut self.preconditioned]
        {
            buffer.resize(size, Vec3::ZERO);
        }
        // Block-Jacobi: the baseline preconditioner of BW §5.3, with whole 3×3 blocks.
        matrix
            .diagonal
            .par_iter()
            .with_min_len(CHUNK)
            .map(Mat3::inverse)
            .collect_into_vec(&mut self.inverse_diagonal);
    }
}

fn subtract(out: &mut [Vec3], a: &[Vec3], b: &[Vec3]) {
    out.par_iter_mut()
        .with_min_len(CHUNK)
        .zip(a.par_iter().zip(b))
        .for_each(|(out, (a, b))| *out = *a - *b);
}

/// `a ← a + s b`.
fn advance(a: &mut [Vec3], b: &[Vec3], s: f64) {
    a.par_iter_mut().with_min_len(CHUNK).zip(b).for_each(|(a, b)| *a += *b * s);
}

/// `a ← b + s a`.
fn renew(a: &mut [Vec3], b: &[Vec3], s: f64) {
    a.par_iter_mut().with_min_len(CHUNK).zip(b).for_each(|(a, b)| *a = *b + *a * s);
}

fn precondition(inverse: &[Mat3], a: &[Vec3], out: &mut [Vec3]) {
    out.par_iter_mut()
        .with_min_len(CHUNK)
        .zip(inverse.par_iter().zip(a))
        .for_each(|(out, (m, a))| *out = *m * *a);
}
