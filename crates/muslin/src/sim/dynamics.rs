//! Which internal dynamics moves the cloth: each makes a candidate, and ends the step after limits and
//! contact (BF3, BF12).

use super::{Params, State};
use crate::cloth::Cloth;
use crate::contact::Grips;
use crate::integrate::Candidate;
use crate::integrate::implicit::{self, Loads, Rule, Solved, Start};
use crate::integrate::mixed::{self, Elastic, Mixed};
use crate::math::Vec3;
use crate::report::StepReport;
use crate::strain_limit;

/// The internal dynamics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dynamics {
    /// All internal forces implicit (BW), contact inside the solve.
    Implicit {
        /// The integrator.
        rule: Rule,
    },
    /// Elastic forces explicit, damping implicit (MF1, BF1); contact by the ladder alone.
    Mixed(Mixed),
}

impl Default for Dynamics {
    fn default() -> Self {
        Self::Implicit { rule: Rule::default() }
    }
}

impl Dynamics {
    /// Whether all internal forces are implicit, and contact is inside the solve.
    pub fn is_implicit(&self) -> bool {
        matches!(self, Self::Implicit { .. })
    }

    /// What makes the elastic forces.
    pub fn elastic(&self) -> Elastic {
        match self {
            Self::Implicit { .. } => Elastic::Triangles,
            Self::Mixed(mixed) => mixed.elastic,
        }
    }
}

/// Work space of the chosen dynamics.
#[derive(Debug)]
pub(super) enum Work {
    Implicit(Box<implicit::Workspace>),
    Mixed(Box<mixed::Workspace>),
}

impl Work {
    pub fn new(cloth: &Cloth, dynamics: Dynamics) -> Self {
        match dynamics {
            Dynamics::Implicit { .. } => Self::Implicit(Box::new(implicit::Workspace::new(cloth))),
            Dynamics::Mixed(mixed) => {
                Self::Mixed(Box::new(mixed::Workspace::new(cloth, mixed.elastic)))
            }
        }
    }

    /// Longest step of explicit forces \[s\].
    pub fn stable_step(&self) -> Option<f64> {
        match self {
            Self::Implicit(_) => None,
            Self::Mixed(work) => Some(work.stable_step),
        }
    }
}

/// The internal dynamics of one step.
#[derive(Clone, Copy)]
pub(super) struct Inner<'a> {
    pub cloth: &'a Cloth,
    pub params: &'a Params,
    pub start: &'a State,
    pub dt: f64,
    pub loads: &'a Loads<'a>,
    /// Inverse masses, zero where a pin holds \[1/kg\].
    pub inverse_mass: &'a [f64],
}

/// Mean velocities before and after limits and contact.
pub(super) struct Moved<'a> {
    pub mean: &'a [Vec3],
    pub v_mid: &'a [Vec3],
    pub touched: &'a [bool],
    /// Touched vertices that only pushed each other, group by group.
    pub groups: &'a [Vec<u32>],
}

impl Inner<'_> {
    /// Where the cloth would be after the step if nothing were in its way.
    pub fn candidate(
        &self,
        grips: &mut Grips,
        work: &mut Work,
        report: &mut StepReport,
    ) -> Candidate {
        match (self.params.dynamics, work) {
            (Dynamics::Implicit { rule }, Work::Implicit(work)) => {
                work.precondition(self.params.preconditioner);
                let (step, tolerance) = ((&self.begin(), self.dt), self.params.tolerance);
                let (candidate, solved) =
                    implicit::advance(self.cloth, rule, step, self.loads, grips, tolerance, work);
                note(report, solved);
                report.contact_forces.extend(grips.wedge_forces());
                report.pair_forces = grips.pair_forces();
                candidate
            }
            (Dynamics::Mixed(mixed), Work::Mixed(work)) => {
                report.stable_step = Some(work.stable_step);
                let mut solved = Solved::default();
                let v = self.mixed(mixed).mid_velocity(work, &mut solved);
                note(report, solved);
                let x = self.start.x.iter().zip(&v).map(|(x, v)| *x + *v * self.dt).collect();
                Candidate { x, v }
            }
            // The work space was made for these dynamics; settings that changed since make a new one.
            (dynamics, work) => {
                *work = Work::new(self.cloth, dynamics);
                self.candidate(grips, work, report)
            }
        }
    }

    /// BF3, BF12: `x^{n+1} = x^n + Δt v^{n+½}`, and the velocity the dynamics ends with.
    pub fn finish(
        &self,
        candidate: &Candidate,
        moved: &Moved,
        work: &mut Work,
        report: &mut StepReport,
    ) -> State {
        let next = match (self.params.dynamics, work) {
            (Dynamics::Mixed(mixed), Work::Mixed(work)) => {
                self.finish_mixed(mixed, moved, work, report)
            }
            _ => finish_implicit(self.start, candidate, moved, self.dt, &self.cloth.mass),
        };
        let changes = next.v.iter().zip(&self.start.v).map(|(v, before)| (*v - *before) / self.dt);
        State { acceleration: changes.collect(), ..next }
    }

    fn finish_mixed(
        &self,
        mixed: Mixed,
        moved: &Moved,
        work: &mut mixed::Workspace,
        report: &mut StepReport,
    ) -> State {
        let Self { cloth, params, start, dt, inverse_mass, .. } = *self;
        let (v_mid, touched) = (moved.v_mid, moved.touched);
        let x: Vec<Vec3> = start.x.iter().zip(v_mid).map(|(x, v)| *x + *v * dt).collect();
        let mut solved = Solved::default();
        let ended = mixed::Moved { x: &x, v_mid, touched };
        let step = self.mixed(mixed);
        let mut v = step.end_velocity(&ended, work, &mut solved);
        note(report, solved);
        let clock = crate::clock::start();
        let limits = strain_limit::Step { cloth, x: &x, inverse_mass, dt };
        report.strain.add(&limits.apply(params.strain_sweeps, &mut v));
        report.seconds.strain += clock.seconds();
        let previous = Some(step.remember(v_mid, work));
        State { time: start.time + dt, x, v, previous, ..start.clone() }
    }

    fn begin(&self) -> Start<'_> {
        let State { time, x, v, .. } = self.start;
        Start { time: *time, x, v }
    }

    fn mixed(&self, mixed: Mixed) -> mixed::Step<'_> {
        mixed::Step {
            cloth: self.cloth,
            mixed,
            start: self.begin(),
            previous: self.start.previous.as_ref(),
            dt: self.dt,
            loads: self.loads,
            tolerance: self.params.tolerance,
        }
    }
}

/// Adds what solves took to the report; forces on pins are those of the last one.
fn note(report: &mut StepReport, solved: Solved) {
    report.seconds.assembly += solved.assembly_seconds;
    report.seconds.solve += solved.solve_seconds;
    report.solves.extend(solved.solves);
    (report.pin_forces, report.contact_forces) = (solved.pin_forces, solved.contact_forces);
}

/// BF12 for implicit schemes: the end velocity keeps the candidate's difference between end and mean
/// velocity, less by what contact changed: where it stopped an impact they are the same, and where it only
/// corrected a rounding error nothing is lost of the acceleration. What vertices that pushed only each other lose
/// together they get back together: their momentum is not contact's to take (V2).
fn finish_implicit(
    state: &State,
    candidate: &Candidate,
    moved: &Moved,
    dt: f64,
    mass: &[f64],
) -> State {
    let Moved { mean, v_mid, touched, groups } = moved;
    let mut next = State { time: state.time + dt, ..state.clone() };
    let mut lost = vec![Vec3::ZERO; v_mid.len()];
    for i in 0..v_mid.len() {
        if v_mid[i] == mean[i] {
            next.x[i] = candidate.x[i];
            next.v[i] = candidate.v[i];
        } else {
            next.x[i] = state.x[i] + v_mid[i] * dt;
            let (change, lead) = (v_mid[i] - mean[i], candidate.v[i] - mean[i]);
            let share = if touched[i] { change.length() / lead.length() } else { 0.0 };
            let kept = if share < 1.0 { lead * (1.0 - share) } else { Vec3::ZERO };
            next.v[i] = v_mid[i] + kept;
            lost[i] = lead - kept;
        }
    }
    for group in *groups {
        let total: f64 = group.iter().map(|&i| mass[i as usize]).sum();
        let momentum: Vec3 = group.iter().map(|&i| lost[i as usize] * mass[i as usize]).sum();
        for &i in group {
            next.v[i as usize] += momentum / total;
        }
    }
    next
}
