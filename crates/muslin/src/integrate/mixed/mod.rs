//! Mixed integration (MF1): elastic forces explicit, damping implicit.
//!
//! With `β = Δt/2` and `a(x, v)` the acceleration:
//!
//! | scheme | midstep velocity `ṽ` | `x^{n+1}` | `v^{n+1}` |
//! |---|---|---|---|
//! | A | `v^n + β a(x^n, v^n)` explicit | `x^n + Δt ṽ` | `v^{n+½} + β a(x^{n+1}, v^{n+1})` implicit |
//! | B | `v^n + β a(x^n, ṽ)` implicit | `x^n + Δt ṽ` | `ṽ + β a(x^{n+1}, ṽ)` explicit |
//! | C | `v^n + β a(x^n, ṽ)` implicit | `x^n + Δt ṽ` | `v^{n+½} + β a(x^{n+1}, v^{n+1})` implicit |
//!
//! where `v^{n+½} = v^n + β a(x^n, v^n)` is always explicit: A and C end with the trapezoidal rule. Limits and
//! contact change `ṽ` between the second and the third column. Where contact acted, the velocity goes on from
//! the midstep velocity it left (BF12) instead of `v^{n+½}`.
//!
//! Under strong damping `λΔt ≫ 1` the velocities of A and C alternate by the trapezoidal ratio
//! `(1 − ½λΔt)/(1 + ½λΔt)`. The positions of C, moved by the monotone `ṽ`, stay within `[0, 2v₀/λ]`; those of A
//! overshoot by `(½λΔt − 1) v₀Δt` in the first step.

mod forces;
mod gather;
mod precondition;
mod solve;
mod stable;

pub use precondition::Reference;
pub use stable::stable_step;

use super::implicit::{Loads, Solved, Start};
use crate::cloth::Cloth;
use crate::linalg::{Filter, Tolerance};
use crate::math::Vec3;
use crate::pin::Stage;
use forces::{At, Forces};
use precondition::Precondition;
use solve::{Buffers, HalfStep};

/// Steps whose lengths differ by less than this share are equally long: they divide a frame.
const SAME_STEP: f64 = 1e-6;

/// The three schemes of MF1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Explicit half step first; not monotone under strong damping.
    A,
    /// Central Newmark: one solve a step, second order for a constant step only.
    B,
    /// The paper's recommendation: monotone positions, second order for any steps, two solves.
    #[default]
    C,
}

/// What makes the elastic forces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elastic {
    /// Stretch and shear of triangles, hinges.
    #[default]
    Triangles,
    /// Springs between vertices (BF1).
    Springs,
}

/// How velocities end a step (BF12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VelocityUpdate {
    /// Implicitly, by conjugate gradients.
    #[default]
    Implicit,
    /// Marched in substeps, each solved by fixed-point iteration.
    Marched,
    /// Where contact acted the midstep velocity is kept; elsewhere as `Implicit`.
    Kept,
}

/// Settings of mixed dynamics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mixed {
    /// The scheme.
    pub scheme: Scheme,
    /// The elastic model.
    pub elastic: Elastic,
    /// The velocity update.
    pub update: VelocityUpdate,
}

/// What is kept of the step before: part of the state (R3).
///
/// The explicit half step of B and the implicit one of the next step make one trapezoidal rule, but only if
/// both have the same length. After a change the explicit half is done again with the new length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Previous {
    /// Length of the step \[s\].
    pub dt: f64,
    /// Its midstep velocities \[m/s\], of scheme B; else empty.
    pub v_mid: Vec<Vec3>,
    /// What preconditions its solves; none where nothing is damped.
    pub reference: Option<Reference>,
}

/// Work space. Dropping it between steps changes nothing.
#[derive(Clone, Debug)]
pub struct Workspace {
    forces: Forces,
    buffers: Buffers,
    precondition: Precondition,
    /// What the step in progress is preconditioned by.
    reference: Option<Reference>,
    /// `v^{n+½}` of the step in progress.
    half: Vec<Vec3>,
    /// Longest safe step \[s\].
    pub stable_step: f64,
}

impl Workspace {
    /// Work space for a cloth.
    pub fn new(cloth: &Cloth, elastic: Elastic) -> Self {
        let forces = Forces::new(cloth, elastic);
        Self {
            buffers: Buffers::default(),
            precondition: Precondition::new(cloth, elastic, &forces),
            reference: None,
            forces,
            half: Vec::new(),
            stable_step: stable_step(cloth, elastic),
        }
    }

    fn solve(&mut self, half_step: &HalfStep, solved: &mut Solved) -> Vec<Vec3> {
        let (v, solve) = half_step.solve(&mut self.forces, &mut self.buffers, &self.precondition);
        if let Some(reference) = &mut self.reference {
            reference.note(solve.iterations);
        }
        solved.solves.push(solve);
        v
    }
}

/// One step: first [`Self::mid_velocity`], then limits and contact, then [`Self::end_velocity`].
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The cloth.
    pub cloth: &'a Cloth,
    /// Settings.
    pub mixed: Mixed,
    /// Where it starts.
    pub start: Start<'a>,
    /// The step before.
    pub previous: Option<&'a Previous>,
    /// Length \[s\].
    pub dt: f64,
    /// What acts.
    pub loads: &'a Loads<'a>,
    /// When a solve is good enough.
    pub tolerance: Tolerance,
}

/// What limits and contact made of a step.
#[derive(Clone, Copy, Debug)]
pub struct Moved<'a> {
    /// Positions at the end \[m\].
    pub x: &'a [Vec3],
    /// Midstep velocities \[m/s\].
    pub v_mid: &'a [Vec3],
    /// Vertices that contact moved.
    pub touched: &'a [bool],
}

impl Step<'_> {
    /// The midstep velocity `ṽ` of the scheme.
    pub fn mid_velocity(&self, work: &mut Workspace, solved: &mut Solved) -> Vec<Vec3> {
        let clock = crate::clock::start();
        let filter = self.held_mean();
        let reference = self.previous.and_then(|previous| previous.reference.as_ref());
        let Workspace { precondition, forces, .. } = work;
        let (x, beta) = (self.start.x, 0.5 * self.dt);
        work.reference = precondition.begin(self.cloth, forces, reference, x, beta);
        self.evaluate(self.start.x, self.start.v, work);
        let restarted = self.restarted(&filter, work);
        let base = restarted.as_deref().unwrap_or(self.start.v);
        let half_step = self.half_step(base, &filter);
        if self.mixed.scheme != Scheme::B {
            work.half = half_step.explicit(&mut work.forces, base);
        }
        solved.assembly_seconds += clock.seconds();
        if self.mixed.scheme == Scheme::A {
            return work.half.clone();
        }
        let clock = crate::clock::start();
        let v = work.solve(&half_step, solved);
        solved.solve_seconds += clock.seconds();
        v
    }

    /// Scheme B after a change of the step: `v^n = v^{n−½} + β a(x^n, v^{n−½})` with the new β.
    fn restarted(&self, filter: &Filter, work: &mut Workspace) -> Option<Vec<Vec3>> {
        let changed = |p: &&Previous| {
            (p.dt - self.dt).abs() > SAME_STEP * self.dt && p.v_mid.len() == self.start.x.len()
        };
        let Previous { v_mid, .. } = self.previous.filter(changed)?;
        (self.mixed.scheme == Scheme::B)
            .then(|| self.half_step(v_mid, filter).explicit(&mut work.forces, v_mid))
    }

    /// What the next step will want to know of this one, whose midstep velocities were `v_mid`.
    pub fn remember(&self, v_mid: &[Vec3], work: &mut Workspace) -> Previous {
        let v_mid = if self.mixed.scheme == Scheme::B { v_mid.to_vec() } else { Vec::new() };
        Previous { dt: self.dt, v_mid, reference: work.reference.take() }
    }

    /// The velocity at the end of the step.
    pub fn end_velocity(
        &self,
        moved: &Moved,
        work: &mut Workspace,
        solved: &mut Solved,
    ) -> Vec<Vec3> {
        let clock = crate::clock::start();
        let filter = self.held_at_end(moved.x);
        let mut base = self.base(moved, &work.half);
        self.held_mean().prescribe(&mut base);
        self.evaluate(moved.x, moved.v_mid, work);
        solved.assembly_seconds += clock.seconds();
        let clock = crate::clock::start();
        let half_step = self.half_step(&base, &filter);
        let mut v = match (self.mixed.scheme, self.mixed.update) {
            (Scheme::B, _) => half_step.explicit(&mut work.forces, &base),
            (_, VelocityUpdate::Marched) => {
                let (v, solve) = half_step.march(&mut work.forces);
                solved.solves.push(solve);
                v
            }
            _ => work.solve(&half_step, solved),
        };
        solved.pin_forces = half_step.held_forces(&mut work.forces, &v);
        if self.mixed.update == VelocityUpdate::Kept {
            let touched = moved.touched.iter().zip(moved.v_mid);
            v.iter_mut().zip(touched).filter(|(_, (t, _))| **t).for_each(|(v, (_, m))| *v = *m);
        }
        solved.solve_seconds += clock.seconds();
        v
    }

    /// What the last half step starts from: `v^{n+½}`, and the midstep velocity where contact acted.
    fn base(&self, moved: &Moved, half: &[Vec3]) -> Vec<Vec3> {
        if self.mixed.scheme == Scheme::B {
            return moved.v_mid.to_vec();
        }
        let mut base = half.to_vec();
        for ((base, mid), touched) in base.iter_mut().zip(moved.v_mid).zip(moved.touched) {
            if *touched {
                *base = *mid;
            }
        }
        base
    }

    fn evaluate(&self, x: &[Vec3], v: &[Vec3], work: &mut Workspace) {
        let at = At { x, v, air: self.loads.air, winds: self.loads.winds };
        work.forces.evaluate(self.cloth, &at);
        // Ties are soft against what the step is made for: they are explicit as a whole.
        let (time, free) = (self.start.time, &mut work.forces.free);
        crate::link::spring::forces(self.loads.springs, x, v, time, free);
        for pressure in self.loads.pressures {
            pressure.add(&self.cloth.triangles, |v| x[v as usize], time, free);
        }
        for (free, external) in work.forces.free.iter_mut().zip(self.loads.external) {
            *free += *external;
        }
    }

    fn half_step<'a>(&'a self, base: &'a [Vec3], filter: &'a Filter) -> HalfStep<'a> {
        HalfStep {
            cloth: self.cloth,
            beta: 0.5 * self.dt,
            gravity: self.loads.gravity,
            base,
            filter,
            tolerance: self.tolerance,
        }
    }

    /// The velocity that takes what is held to where it is at the end of the step.
    fn held_mean(&self) -> Filter {
        self.held_velocity(self.start.x, self.start.time + self.dt)
    }

    /// The velocity of what is held when the step ends: over a step around that time.
    fn held_at_end(&self, x: &[Vec3]) -> Filter {
        let middle = self.start.time + 0.5 * self.dt;
        let mut base = x.to_vec();
        for (pin, anchor) in self.loads.held.pins.iter().zip(self.loads.held.anchors) {
            if let Some(anchor) = anchor {
                base[pin.vertex as usize] = pin.target(*anchor, middle);
            }
        }
        self.held_velocity(&base, middle + self.dt)
    }

    /// Constraints that reach the held places at `time` in one step from `base`, as absolute velocities.
    fn held_velocity(&self, base: &[Vec3], time: f64) -> Filter {
        let still = vec![Vec3::ZERO; base.len()];
        self.loads.held.constraints(&Stage { base, v: &still, beta: self.dt, time })
    }
}

#[cfg(test)]
mod tests;
