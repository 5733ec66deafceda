//! What preconditions damping solves (MF2): the incomplete Cholesky factor of `M + βD` at a position that
//! lies some steps back.
//!
//! A factor costs about as much as [`RENEWAL`] iterations, and steps are short: the cloth of one step is nearly that
//! of the last. It turns, though, and `D` is made of directions, so that a factor ages. What solves take longer than
//! the first one after a renewal did is added up, and when it comes to the price of a renewal, the factor is renewed.
//!
//! Pins are not in the factor: `S P⁻¹ S`, with the filter `S` of what is held, is a preconditioner of `S (M + βD) S`.

use super::forces::Forces;
use super::forces::matrix::Assembled;
use super::{Elastic, SAME_STEP};
use crate::cloth::Cloth;
use crate::linalg::Factored;
use crate::math::Vec3;
use std::sync::Arc;

/// What a factor costs, in iterations.
const RENEWAL: u32 = 8;

/// What the factor in use was made of, and how it has done since: part of the state (R3), as the factor can be
/// made again from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Positions \[m\].
    pub x: Arc<[Vec3]>,
    /// Half the step `β` \[s\].
    pub beta: f64,
    /// Iterations of the first solve.
    pub fresh: u32,
    /// Iterations that later ones took more than that.
    pub excess: u32,
}

impl Reference {
    fn new(x: &[Vec3], beta: f64) -> Self {
        Self { x: x.into(), beta, fresh: 0, excess: 0 }
    }

    /// Notes the iterations of a solve.
    pub(super) fn note(&mut self, iterations: usize) {
        let iterations = iterations as u32;
        if self.fresh == 0 {
            self.fresh = iterations;
        }
        self.excess = self.excess.saturating_add(iterations - self.fresh.min(iterations));
    }

    fn suits(&self, beta: f64) -> bool {
        self.excess < RENEWAL && (self.beta - beta).abs() <= SAME_STEP * beta
    }
}

/// The preconditioner of a work space.
#[derive(Clone, Debug)]
pub(super) struct Precondition {
    /// None where nothing is damped: there the mass is all there is.
    assembled: Option<Assembled>,
    factored: Factored,
    /// What the factor is of.
    of: Option<(Arc<[Vec3]>, f64)>,
}

impl Precondition {
    pub fn new(cloth: &Cloth, elastic: Elastic, forces: &Forces) -> Self {
        let assembled = forces.damps().then(|| Assembled::new(cloth, elastic));
        Self { assembled, factored: Factored::default(), of: None }
    }

    /// Makes ready for a step from `x`: the factor of `reference`, or a new one if it does not suit any more. `forces`
    /// have to be evaluated afterwards.
    pub fn begin(
        &mut self,
        cloth: &Cloth,
        forces: &mut Forces,
        reference: Option<&Reference>,
        x: &[Vec3],
        beta: f64,
    ) -> Option<Reference> {
        let assembled = self.assembled.as_mut()?;
        let suiting = reference.filter(|r| r.x.len() == x.len() && r.suits(beta)).cloned();
        let reference = suiting.unwrap_or_else(|| Reference::new(x, beta));
        let is_of = |(x, beta): &(Arc<[Vec3]>, f64)| {
            Arc::ptr_eq(x, &reference.x) && *beta == reference.beta
        };
        if !self.of.as_ref().is_some_and(is_of) {
            forces.assemble(cloth, &reference.x, reference.beta, assembled);
            self.factored.refill(&assembled.matrix);
            self.of = Some((Arc::clone(&reference.x), reference.beta));
        }
        Some(reference)
    }

    /// `z = P⁻¹ r`; returns `rᵀz`.
    pub fn solve(&self, mass: &[f64], r: &[Vec3], z: &mut [Vec3]) -> f64 {
        if self.of.is_some() {
            return self.factored.solve(r, z);
        }
        super::solve::sum_rows(z, |i, z| {
            *z = r[i] / mass[i];
            z.dot(r[i])
        })
    }
}
