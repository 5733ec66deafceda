//! Implicit integration with one linearised solve per stage (BW8): backward Euler, first order, and
//! TR-BDF2, second order.
//!
//! Both are made of stages of one form. A stage looks for `x`, `v` with
//!
//! ```text
//! v = v* + β a(x, v),      x = x* + β v
//! ```
//!
//! and linearises the forces at `(x̂, v̂)`. With `v = v̂ + Δv`, `d = x* + β v̂ − x̂`:
//!
//! ```text
//! (M − β ∂f/∂v − β² ∂f/∂x) Δv = M (v* − v̂) + β (f(x̂, v̂) + (∂f/∂x) d + M g)
//! ```
//!
//! Backward Euler is one stage with `β = h`, `x* = x⁰`, `v* = v⁰`: BW's equation. TR-BDF2 is a
//! trapezoidal stage over `γh`, then a BDF2 stage over the rest, `γ = 2 − √2`, which makes `β = γh/2` in
//! both. It is L-stable, and exact for free fall whatever the step; backward Euler falls `h/2`
//! seconds ahead of time.

use super::Candidate;
use crate::cloth::Cloth;
use crate::force::air::Air;
use crate::force::pressure::Pressure;
use crate::force::{Linearised, System};
use crate::linalg::{Coupling, Filter, Pcg, Solve, Tolerance};
use crate::link::spring::{self, Spring};
use crate::math::Vec3;
use crate::pin::{Held, Stage};
use crate::wind::Blow;
use rayon::prelude::*;

/// Which implicit rule advances the cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// First order; strongly damped at large steps.
    BackwardEuler,
    /// Second order, L-stable; two solves a step, each as well-conditioned as a backward Euler step of
    /// 0.29 h.
    #[default]
    TrBdf2,
}

impl Rule {
    /// The implicit time `β` of the last stage of a step of length `h` \[s\].
    pub fn beta(self, h: f64) -> f64 {
        match self {
            Self::BackwardEuler => h,
            Self::TrBdf2 => (1.0 - std::f64::consts::FRAC_1_SQRT_2) * h,
        }
    }
}

/// What acts on the cloth during a step.
#[derive(Clone, Copy, Debug)]
pub struct Loads<'a> {
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// Air, if any.
    pub air: Option<&'a Air>,
    /// Winds as they blow now.
    pub winds: &'a [Blow],
    /// Held vertices.
    pub held: Held<'a>,
    /// Contacts gripped by dashpots during the solve (BW12).
    pub couplings: &'a [Coupling],
    /// The relative velocity each of them wants \[m/s\].
    pub wanted: &'a [Vec3],
    /// Springs of pointers, attachments, seams and sticking (BW7, BW15, MF9).
    pub springs: &'a [Spring],
    /// Inflated pieces.
    pub pressures: &'a [Pressure],
}

impl Loads<'_> {
    /// Adds springs and pressures: to `force` at the start of the step and positions `x`, to `shifted` at
    /// time `t` \[s\] and positions `x + shift`.
    fn add_ties(&self, cloth: &Cloth, at: &Linearised, t: f64, [force, shifted]: [&mut [Vec3]; 2]) {
        let (x, d) = (at.x, at.shift);
        spring::forces(self.springs, x, at.v, self.held.start, force);
        spring::shifted_forces(self.springs, [x, d], at.v, t, shifted);
        for pressure in self.pressures {
            pressure.add(&cloth.triangles, |v| x[v as usize], self.held.start, force);
            let ahead = |v: u32| x[v as usize] + d[v as usize];
            pressure.add(&cloth.triangles, ahead, t, shifted);
        }
    }
}

/// How the linear systems of a step ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solved {
    /// One entry per stage.
    pub solves: Vec<Solve>,
    /// Constraint force on every held vertex at the end of the step \[N\] (BW9).
    pub held_forces: Vec<(u32, Vec3)>,
    /// Seconds spent linearising and assembling.
    pub assembly_seconds: f64,
    /// Seconds spent in conjugate gradients.
    pub solve_seconds: f64,
}

/// Work space: matrix, solver buffers and vectors. Dropping it between steps changes nothing.
#[derive(Clone, Debug)]
pub struct Workspace {
    system: System,
    pcg: Pcg,
    shift: Vec<Vec3>,
    rhs: Vec<Vec3>,
    delta: Vec<Vec3>,
}

impl Workspace {
    /// Work space for a cloth.
    pub fn new(cloth: &Cloth) -> Self {
        let zeros = vec![Vec3::ZERO; cloth.vertex_count()];
        Self {
            system: System::new(cloth),
            pcg: Pcg::default(),
            shift: zeros.clone(),
            rhs: zeros.clone(),
            delta: zeros,
        }
    }
}

/// The state a step starts from.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Time \[s\].
    pub time: f64,
    /// Positions \[m\].
    pub x: &'a [Vec3],
    /// Velocities \[m/s\].
    pub v: &'a [Vec3],
}

/// Candidate after a step of length `h` \[s\].
pub fn advance(
    cloth: &Cloth,
    rule: Rule,
    start: &Start,
    h: f64,
    loads: &Loads,
    tolerance: Tolerance,
    work: &mut Workspace,
) -> (Candidate, Solved) {
    let mut solved = Solved::default();
    let mut run = Run { cloth, loads, tolerance, work, solved: &mut solved };
    let candidate = match rule {
        Rule::BackwardEuler => {
            let stage = Stage { base: start.x, v: start.v, beta: h, time: start.time + h };
            run.stage(start.x, start.v, &stage)
        }
        Rule::TrBdf2 => run.tr_bdf2(start, h),
    };
    (candidate, solved)
}

/// One step in progress.
struct Run<'a, 'b> {
    cloth: &'a Cloth,
    loads: &'a Loads<'b>,
    tolerance: Tolerance,
    work: &'a mut Workspace,
    solved: &'a mut Solved,
}

impl Run<'_, '_> {
    /// TR over `γh`: `v* = v⁰ + β a⁰`, `x* = x⁰ + β v⁰`. BDF2: `u* = c u^γ − (c − 1) u⁰`,
    /// `c = 1/(γ(2 − γ))`.
    fn tr_bdf2(&mut self, start: &Start, h: f64) -> Candidate {
        let gamma = 2.0 - std::f64::consts::SQRT_2;
        let beta = 0.5 * gamma * h;
        let base: Vec<Vec3> = start.x.iter().zip(start.v).map(|(x, v)| *x + *v * beta).collect();
        let stage = Stage { base: &base, v: start.v, beta, time: start.time + gamma * h };
        // v* − v̂ = β a⁰, and a⁰ is what the stage evaluates anyway: `None` asks for it.
        let middle = self.solve_stage(start.x, None, &stage);
        let c = 1.0 / (gamma * (2.0 - gamma));
        let blend = |now: &[Vec3], before: &[Vec3]| -> Vec<Vec3> {
            now.iter().zip(before).map(|(a, b)| *a * c - *b * (c - 1.0)).collect()
        };
        let (base, v_base) = (blend(&middle.x, start.x), blend(&middle.v, start.v));
        let stage = Stage { base: &base, v: &middle.v, beta, time: start.time + h };
        self.stage(&middle.x, &v_base, &stage)
    }

    /// A stage with a known `v*`.
    fn stage(&mut self, x_hat: &[Vec3], v_base: &[Vec3], stage: &Stage) -> Candidate {
        self.solve_stage(x_hat, Some(v_base), stage)
    }

    /// Linearises at (`x_hat`, `stage.v`) and solves. Without `v_base`, `v* = v̂ + β a(x̂, v̂)`.
    fn solve_stage(&mut self, x_hat: &[Vec3], v_base: Option<&[Vec3]>, stage: &Stage) -> Candidate {
        let Workspace { system, pcg, shift, rhs, delta } = &mut *self.work;
        let clock = crate::clock::start();
        let beta = stage.beta;
        shift.par_iter_mut().enumerate().for_each(|(i, d)| {
            *d = stage.base[i] + stage.v[i] * beta - x_hat[i];
        });
        let at = Linearised {
            x: x_hat,
            v: stage.v,
            shift,
            air: self.loads.air,
            winds: self.loads.winds,
            beta,
        };
        system.assemble(self.cloth, &at);
        let forces: [&mut [Vec3]; 2] = [&mut system.force, &mut system.shifted_force];
        self.loads.add_ties(self.cloth, &at, stage.time, forces);
        let (mass, gravity) = (&self.cloth.mass, self.loads.gravity);
        rhs.par_iter_mut().enumerate().for_each(|(i, b)| {
            let weight = gravity * mass[i];
            let history = match v_base {
                Some(v) => (v[i] - stage.v[i]) * mass[i],
                None => (system.force[i] + weight) * beta,
            };
            *b = history + (system.shifted_force[i] + weight) * beta;
        });
        // Dashpots act at the end of a stage only. In a trapezoidal stage, whose first half does not know
        // them, they act for the whole of it.
        let share = if v_base.is_none() { 2.0 } else { 1.0 };
        let couplings = self.loads.couplings.iter();
        let mut couplings: Vec<Coupling> =
            couplings.map(|c| Coupling { block: c.block * share, ..*c }).collect();
        for (coupling, wanted) in couplings.iter().zip(self.loads.wanted) {
            coupling.load(*wanted, stage.v, rhs);
        }
        couplings.extend(self.loads.springs.iter().map(|spring| spring.coupling(beta)));
        system.matrix.couple(&couplings);
        self.solved.assembly_seconds += clock.seconds();

        let clock = crate::clock::start();
        let filter: Filter = self.loads.held.constraints(stage);
        delta.fill(Vec3::ZERO);
        let solve = pcg.solve(&mut system.matrix, rhs, &filter, self.tolerance, delta);
        let forces = pcg.constraint_forces(&mut system.matrix, rhs, &filter, delta, beta);
        self.solved.solve_seconds += clock.seconds();
        self.solved.solves.push(solve);
        let held = filter.constraints().iter().map(|c| c.vertex);
        self.solved.held_forces = held.zip(forces).collect();

        let v: Vec<Vec3> = stage.v.par_iter().zip(&*delta).map(|(v, d)| *v + *d).collect();
        let x = stage.base.par_iter().zip(&v).map(|(x, v)| *x + *v * beta).collect();
        Candidate { x, v }
    }
}
