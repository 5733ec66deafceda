//! Modified preconditioned conjugate gradients (BW9), with the corrected start and stopping test of
//! Ascher and Boxerman (2003).
//!
//! | BW | here |
//! |---|---|
//! | `Δv` | `solution` |
//! | `r`, `c`, `q`, `s` | `residual`, `direction`, `image`, `preconditioned` |
//! | `S`, `z` | `filter` |
//! | `P⁻¹` | [`Preconditioner`] |
//!
//! An iteration is three passes over chunks of rows: the product with its energy; the new residual,
//! filtered and preconditioned; the new solution and direction. Small vectors are read from the
//! nearest cache and threads meet three times only.

use super::preconditioner::{Held, HeldMatrix, Local, Prepared};
use super::{BlockMatrix, Filter, Preconditioner};
use crate::math::Vec3;
use rayon::prelude::*;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Residual relative to the right-hand side, in the norm of the solver \[-\].
    pub relative: f64,
    /// Most iterations.
    pub max_iterations: usize,
}

/// How residuals are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Norm {
    /// `√(rᵀP⁻¹r)`: close to the error in energy, the better the preconditioner.
    #[default]
    Preconditioned,
    /// `√(rᵀr)`: the same for all preconditioners.
    Euclidean,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solve {
    /// Iterations made.
    pub iterations: usize,
    /// Residual relative to the right-hand side, in the norm of the solver \[-\].
    pub residual: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

/// The solver and its work space: nothing in it survives a solve but the two settings.
#[derive(Clone, Debug, Default)]
pub struct Pcg {
    /// `None` lets [`Preconditioner::choose`] decide.
    preconditioner: Option<Preconditioner>,
    norm: Norm,
    prepared: Prepared,
    held: Held,
    residual: Vec<Vec3>,
    direction: Vec<Vec3>,
    image: Vec<Vec3>,
    preconditioned: Vec<Vec3>,
}

/// Squared sizes of a residual.
#[derive(Clone, Copy, Debug)]
struct Size {
    /// `rᵀP⁻¹r`.
    product: f64,
    /// The square in the norm of the solver.
    squared: f64,
}

impl Pcg {
    /// A solver with a fixed preconditioner; the default one lets [`Preconditioner::choose`] decide.
    pub fn with(preconditioner: Preconditioner, norm: Norm) -> Self {
        Self { preconditioner: Some(preconditioner), norm, ..Self::default() }
    }

    /// Fixes the preconditioner, or lets [`Preconditioner::choose`] decide again.
    pub fn precondition(&mut self, preconditioner: Option<Preconditioner>) {
        self.preconditioner = preconditioner;
    }

    /// Solves `S A S Δv = S (b − A z)`, `Δv = z` in constrained directions, starting from `solution`.
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
        self.solve_to(matrix, rhs, filter, tolerance, (&mut None, 0.0), solution)
    }

    /// The same, with residuals relative to `scale` if it is given, else to this right-hand side, whose
    /// squared size is left there: the remainder of a problem is solved as well as the problem itself.
    /// No scale is smaller than `floor`.
    pub fn solve_to(
        &mut self,
        matrix: &mut BlockMatrix,
        rhs: &[Vec3],
        filter: &Filter,
        tolerance: Tolerance,
        (scale, floor): (&mut Option<f64>, f64),
        solution: &mut [Vec3],
    ) -> Solve {
        // Inside the pool, so that a pass does not wake it up from outside.
        rayon::scope(|_| {
            self.prepare(matrix, filter);
            let is_free = filter.constraints().is_empty();
            if is_free && solution.iter().all(|x| *x == Vec3::ZERO) {
                // What moves as a whole is found without iterating: free fall is exact.
                move_together(matrix, rhs, solution);
            }
            let [own, first] = self.start(matrix, rhs, filter, solution);
            let scale = *scale.get_or_insert(own.squared.max(floor));
            let solve = self.iterate(matrix, tolerance, (scale, first), solution);
            if is_free && solve.iterations > 0 {
                move_together(matrix, &self.residual, solution);
            }
            // Takes away what rounding left of the directions in constrained ones.
            filter.prescribe(solution);
            solve
        })
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
        self.image.resize(rhs.len(), Vec3::ZERO);
        if !filter.constraints().is_empty() {
            matrix.multiply(solution, &mut self.image);
        }
        let held = filter.constraints().iter();
        held.map(|c| {
            let v = c.vertex as usize;
            let e = (self.image[v] - rhs[v]) / h;
            e - c.allowed * e
        })
        .collect()
    }

    fn prepare(&mut self, matrix: &BlockMatrix, filter: &Filter) {
        let size = matrix.diagonal.len();
        for buffer in
            [&mut self.residual, &mut self.direction, &mut self.image, &mut self.preconditioned]
        {
            buffer.resize(size, Vec3::ZERO);
        }
        self.held.refill(filter, matrix.pattern());
        let kind = self.preconditioner.unwrap_or_else(|| Preconditioner::choose(size));
        self.prepared.refill(kind, &HeldMatrix { matrix, held: &self.held });
    }

    /// Prescribes constrained directions and finds the first direction. Returns the squared size of
    /// `b̂ = S (b − A z)`, what the free directions must balance, and of the first residual.
    fn start(
        &mut self,
        matrix: &mut BlockMatrix,
        rhs: &[Vec3],
        filter: &Filter,
        solution: &mut [Vec3],
    ) -> [Size; 2] {
        self.direction.fill(Vec3::ZERO);
        filter.prescribe(&mut self.direction);
        let mut scale = self.balance(matrix, rhs);
        if !scale.product.is_finite() {
            // A preconditioner that overflows is replaced by the one that cannot.
            let fine = HeldMatrix { matrix, held: &self.held };
            self.prepared.refill(Preconditioner::BlockJacobi, &fine);
            scale = self.balance(matrix, rhs);
        }
        filter.prescribe(solution);
        let mut first = scale;
        if *solution != *self.direction {
            self.direction.copy_from_slice(solution);
            first = self.balance(matrix, rhs);
        }
        self.turn(solution, 0.0, 0.0);
        [scale, first]
    }

    /// `r = S (b − A c)`.
    fn balance(&mut self, matrix: &mut BlockMatrix, rhs: &[Vec3]) -> Size {
        let still = self.direction.iter().all(|c| *c == Vec3::ZERO);
        if !still {
            matrix.multiply_unmerged(&self.direction, &mut self.image);
        }
        let rows = matrix.pattern().chunk_rows();
        self.renew(matrix, |chunk, r, image| {
            for ((r, b), image) in r.iter_mut().zip(&rhs[chunk * rows..]).zip(image) {
                *r = if still { *b } else { *b - *image };
            }
        })
    }

    fn iterate(
        &mut self,
        matrix: &mut BlockMatrix,
        tolerance: Tolerance,
        (scale, first): (f64, Size),
        solution: &mut [Vec3],
    ) -> Solve {
        let goal = tolerance.relative * tolerance.relative * scale;
        let mut size = first;
        let mut iterations = 0;
        while size.squared > goal && iterations < tolerance.max_iterations {
            let curvature = matrix.multiply_unmerged(&self.direction, &mut self.image);
            if curvature <= 0.0 || !curvature.is_finite() {
                break;
            }
            let alpha = size.product / curvature;
            let next = self.renew(matrix, |_, r, image| {
                for (r, image) in r.iter_mut().zip(image) {
                    *r -= *image * alpha;
                }
            });
            self.turn(solution, alpha, next.product / size.product);
            size = next;
            iterations += 1;
        }
        let relative = if scale > 0.0 { size.squared / scale } else { 0.0 };
        Solve { iterations, residual: relative.max(0.0).sqrt(), converged: size.squared <= goal }
    }

    /// A new residual: `update` makes the rows of a chunk from those of `A c`; then `r ← S r`,
    /// `s = P⁻¹ r` without the coarse motion, which [`Self::turn`] adds.
    fn renew(
        &mut self,
        matrix: &BlockMatrix,
        update: impl Fn(usize, &mut [Vec3], &[Vec3]) + Sync,
    ) -> Size {
        let Self { prepared, held, residual, direction, image, preconditioned, norm, .. } = self;
        let rows = matrix.pattern().chunk_rows();
        let overlapped = prepared.coarse.is_large();
        let (maps, aggregates) = prepared.coarse.split();
        let chunks = residual
            .par_chunks_mut(rows)
            .zip(image.par_chunks_mut(rows))
            .zip(preconditioned.par_chunks_mut(rows))
            .zip(prepared.local.par_iter().zip(maps))
            .enumerate();
        let sizes: Vec<[f64; 2]> = chunks
            .map(|(c, (((r, image), s), (local, coarse)))| {
                matrix.merge(c, direction, image);
                update(c, r, image);
                held.apply(c, c * rows, r);
                coarse.restrict(aggregates, c * rows, r);
                let product = if overlapped { 0.0 } else { local.solve(r, s) };
                let squared = match norm {
                    Norm::Preconditioned => 0.0,
                    Norm::Euclidean => r.iter().map(|r| r.length_squared()).sum(),
                };
                [product, squared]
            })
            .collect();
        let [mut product, squared] =
            sizes.iter().fold([0.0, 0.0], |sum, size| [sum[0] + size[0], sum[1] + size[1]]);
        if overlapped {
            // One thread has the coarse level, a chain of rows; the others begin with the chunks.
            let Prepared { coarse, local, .. } = prepared;
            let solve = |((local, r), s): ((&Local, &[Vec3]), &mut [Vec3])| local.solve(r, s);
            let chunks = local.par_iter().zip(residual.par_chunks(rows));
            let chunks = chunks.zip(preconditioned.par_chunks_mut(rows)).map(solve);
            let (above, locals) = rayon::join(|| coarse.solve(), || chunks.collect::<Vec<f64>>());
            product = locals.iter().sum::<f64>() + above;
        } else {
            product += prepared.coarse.solve();
        }
        match norm {
            Norm::Preconditioned => Size { product, squared: product },
            Norm::Euclidean => Size { product, squared },
        }
    }

    /// `Δv ← Δv + α c`, then `c ← S s + β c` with the coarse motion in `s`.
    fn turn(&mut self, solution: &mut [Vec3], alpha: f64, beta: f64) {
        let Self { prepared, held, direction, preconditioned, .. } = self;
        let rows = prepared.chunk_rows();
        solution
            .par_chunks_mut(rows)
            .zip(direction.par_chunks_mut(rows))
            .zip(preconditioned.par_chunks_mut(rows))
            .enumerate()
            .for_each(|(c, ((x, p), s))| {
                prepared.coarse.prolong(c * rows, s);
                held.apply(c, c * rows, s);
                for ((x, p), s) in x.iter_mut().zip(p.iter_mut()).zip(s) {
                    *x += *p * alpha;
                    *p = *s + *p * beta;
                }
            });
    }
}

/// Moves all of a free system together such that its `residual` sums to zero: however early the
/// iteration stops, total momentum changes by exactly what the right-hand side says.
fn move_together(matrix: &BlockMatrix, residual: &[Vec3], solution: &mut [Vec3]) {
    let rows = matrix.pattern().chunk_rows();
    let sums: Vec<Vec3> = residual.par_chunks(rows).map(|r| r.iter().sum()).collect();
    let missing: Vec3 = sums.iter().sum();
    let shift = matrix.sum().inverse() * missing;
    if shift.is_finite() {
        solution.par_chunks_mut(rows).for_each(|x| x.iter_mut().for_each(|x| *x += shift));
    }
}
