//! The simulation: fixed data, state, prescribed motion, scratch, and one step (BF3).

mod adaptive;
mod dynamics;
mod state;
mod ties;

pub use adaptive::{Controller, StepSizes};
pub use dynamics::Dynamics;
pub use state::State;

use crate::body::Body;
use crate::clock;
use crate::cloth::Cloth;
use crate::contact::loose::Loose;
use crate::contact::{ContactParams, Grips, Ladder, Motion, Unresolved};
use crate::force::air::Air;
use crate::force::pressure::Pressure;
use crate::force::{self};
use crate::integrate::Candidate;
use crate::integrate::implicit::Loads;
use crate::integrate::mixed::Elastic;
use crate::linalg::{Preconditioner, Tolerance};
use crate::link::Links;
use crate::math::Vec3;
use crate::pin::{self, Held, Pin};
use crate::report::{Energy, StepReport};
use crate::strain_limit;
use crate::wind::Blow;
use dynamics::{Inner, Moved, Work};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// What acts everywhere: gravity and air.
#[derive(Clone, Debug)]
pub struct Weather {
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// Air; `None` for a vacuum.
    pub air: Option<Air>,
    /// Winds as they blow at that time.
    pub winds: Vec<Blow>,
}

impl Default for Weather {
    fn default() -> Self {
        Self { gravity: Vec3::new(0.0, 0.0, -9.81), air: Some(Air::default()), winds: Vec::new() }
    }
}

/// The weather at every time \[s\].
#[derive(Clone)]
pub enum Forecast {
    /// Always the same.
    Constant(Weather),
    /// Any function of time.
    Changing(Arc<dyn Fn(f64) -> Weather + Send + Sync>),
}

impl Forecast {
    /// The weather at time `t` \[s\].
    pub fn at(&self, t: f64) -> Weather {
        match self {
            Self::Constant(weather) => weather.clone(),
            Self::Changing(weather) => weather(t),
        }
    }
}

impl fmt::Debug for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(weather) => weather.fmt(f),
            Self::Changing(_) => f.write_str("Changing"),
        }
    }
}

/// Settings of a simulation.
#[derive(Clone, Debug)]
pub struct Params {
    /// Gravity and air.
    pub forecast: Forecast,
    /// The internal dynamics.
    pub dynamics: Dynamics,
    /// When a linear solve is good enough.
    pub tolerance: Tolerance,
    /// How the linear systems of implicit dynamics are preconditioned; `None` for what suits the size.
    pub preconditioner: Option<Preconditioner>,
    /// Most sweeps of the strain limiter; 0 switches it off.
    pub strain_sweeps: usize,
    /// Robust contact; `None` for cloth that nothing stops.
    pub contact: Option<ContactParams>,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            forecast: Forecast::Constant(Weather::default()),
            dynamics: Dynamics::default(),
            tolerance: Tolerance { relative: 1e-3, max_iterations: 1000 },
            preconditioner: None,
            strain_sweeps: 200,
            contact: Some(ContactParams::default()),
        }
    }
}

/// Why a step could not be taken. The state is unchanged.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StepError {
    /// A number stopped being finite (R5).
    #[error(
        "the motion of vertex {vertex} stopped being finite at t = {time} s; use smaller steps or softer fabric"
    )]
    Diverged {
        /// The first such vertex.
        vertex: usize,
        /// Time at the end of the step \[s\].
        time: f64,
    },
    /// A triangle changed its stretch too much (BW14).
    #[error("a triangle changed its stretch by {change:.3} in the step to t = {time} s")]
    Stretched {
        /// The change \[-\].
        change: f64,
        /// Time at the end of the step \[s\].
        time: f64,
    },
    /// An edge ended beyond its strain limit, because contact had the last word (BF2).
    #[error(
        "an edge was stretched by {strain:.3}, which is beyond its limit, in the step to t = {time} s"
    )]
    BeyondLimit {
        /// Its strain \[-\].
        strain: f64,
        /// Time at the end of the step \[s\].
        time: f64,
    },
    /// Collisions that could not be resolved in a step of this size.
    #[error("{} collisions were left at t = {time} s", left.pairs.len() + left.grounded.len())]
    Colliding {
        /// The pairs.
        left: Unresolved,
        /// Time at the end of the step \[s\].
        time: f64,
    },
}

/// A cloth and what acts on it.
#[derive(Debug)]
pub struct Simulation {
    /// Fixed data.
    pub cloth: Cloth,
    /// What the cloth meets.
    pub bodies: Vec<Body>,
    /// Held vertices.
    pub pins: Vec<Pin>,
    /// What ties it by a force (BW7, BW15, MF9).
    pub links: Links,
    /// Inflated pieces.
    pub pressures: Vec<Pressure>,
    /// Settings.
    pub params: Params,
    /// Forces from outside, one a vertex \[N\]; empty for none.
    pub external: Vec<Vec3>,
    /// What changes.
    pub state: State,
    scratch: Scratch,
}

/// Buffers only: dropping them before any step changes no bit of the result.
#[derive(Debug)]
struct Scratch {
    work: Work,
    ladder: Option<Ladder>,
}

impl Simulation {
    /// A simulation of one island of cloth.
    pub fn new(
        cloth: Cloth,
        bodies: Vec<Body>,
        pins: Vec<Pin>,
        state: State,
        params: Params,
    ) -> Self {
        let contact = params.contact.as_ref();
        let ladder = contact.map(|c| Ladder::new(&cloth, &bodies, &state.x, state.time, c));
        let scratch = Scratch { work: Work::new(&cloth, params.dynamics), ladder };
        let (links, pressures) = (Links::default(), Vec::new());
        let external = Vec::new();
        Self { cloth, bodies, pins, links, pressures, params, external, state, scratch }
    }

    /// Advances by `dt` \[s\], or leaves the state untouched and says why not.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, StepError> {
        // Inside the pool as a whole, so that no stage has to wake it up from outside.
        rayon::scope(|_| self.step_in_pool(dt))
    }

    /// Candidate motion from the internal dynamics, then limits and contact on its mean velocity.
    fn step_in_pool(&mut self, dt: f64) -> Result<StepReport, StepError> {
        let tied = self.tied(dt);
        let Self { cloth, bodies, pins, pressures, params, external, state, scratch, .. } = self;
        let mut report = StepReport { time: state.time + dt, dt, ..StepReport::default() };
        let (mut anchors, mut loose) = (state.anchors.clone(), state.loose.clone());
        pin::update_anchors(pins, state.time, &state.x, &mut anchors);
        let inverse_mass = inverse_masses(cloth, pins, &anchors);
        let weather = params.forecast.at(state.time + 0.5 * dt);
        let mut motion = Motion {
            cloth,
            x: &state.x,
            v: &state.v,
            acceleration: &state.acceleration,
            gravity: weather.gravity,
            inverse_mass: &inverse_mass,
            start: state.time,
            dt,
            exempt: loose.exempt(cloth),
            gripped: params.dynamics.is_implicit(),
        };

        let mut contact = scratch.ladder.as_mut().zip(params.contact.as_ref());
        let approach = contact.as_mut().map(|(ladder, params)| {
            ladder.approach(bodies, &mut motion, &mut loose, params, &mut report.seconds)
        });
        let capture = approach.as_ref().filter(|_| params.dynamics.is_implicit());
        let mut grips =
            capture.map_or_else(Grips::default, |a| a.capture(&state.v, &state.contact));
        let held = Held { pins, anchors: &anchors, holds: &[], start: state.time };
        let Weather { gravity, air, winds } = &weather;
        let (gravity, air, springs) = (*gravity, air.as_ref(), &tied.springs);
        let loads = Loads { gravity, air, winds, external, held, springs, pressures };
        let (work, inverse_mass) = (&mut scratch.work, inverse_mass.as_slice());
        let inner = Inner { cloth, params, start: state, dt, loads: &loads, inverse_mass };
        let candidate = inner.candidate(&mut grips, work, &mut report);
        report.link_forces = tied.forces(&candidate.x, &candidate.v, report.time);

        let mut clock = clock::start();
        let mean = mean_velocity(state, &candidate, dt);
        let mut v_mid = mean.clone();
        let limits = strain_limit::Step { cloth, x: &state.x, inverse_mass, dt };
        report.strain = limits.apply(params.strain_sweeps, &mut v_mid);
        report.seconds.strain = clock.lap();

        let (mut touched, mut groups) = (vec![false; v_mid.len()], Vec::new());
        if let (Some((ladder, params)), Some(approach)) = (contact, approach) {
            let resolved = ladder
                .resolve(bodies, approach, &motion, params, &mut v_mid, &mut report.seconds)
                .map_err(|left| StepError::Colliding { left, time: report.time })?;
            (report.contact, report.zoned) = (resolved.counts, resolved.zoned);
            (touched, groups) = (resolved.touched, resolved.groups);
        }
        let moved = Moved { mean: &mean, v_mid: &v_mid, touched: &touched, groups: &groups };
        let next = inner.finish(&candidate, &moved, work, &mut report);
        clock.lap();
        if let Some(vertex) = next.first_non_finite() {
            return Err(StepError::Diverged { vertex, time: report.time });
        }
        let contact = grips.remember(params.contact.as_ref());
        loose.release(cloth, bodies, &next.x, next.time);
        report.contact.count_loose(loose.counts());
        *state = State { anchors, contact, loose, links: tied.memory, ..next };
        report.seconds.other = clock.lap();
        Ok(report)
    }

    /// Longest step of explicit elastic forces \[s\]; `None` for implicit dynamics, which have no such limit.
    pub fn stable_step(&self) -> Option<f64> {
        self.scratch.work.stable_step()
    }

    /// Leaves out everything that crosses now until it has separated (R1).
    pub fn leave_out_crossings(&mut self) {
        let Self { cloth, bodies, state, .. } = self;
        state.loose = Loose::find(cloth, bodies, &state.x, state.time);
    }

    /// Energies at the present state.
    pub fn energy(&self) -> Energy {
        let gravity = self.params.forecast.at(self.state.time).gravity;
        let elastic = match self.params.dynamics.elastic() {
            Elastic::Triangles => force::elastic_energy(&self.cloth, &self.state.x),
            Elastic::Springs => force::spring_energy(&self.cloth, &self.state.x),
        };
        let mut energy =
            Energy { membrane: elastic.membrane, bend: elastic.bend, ..Energy::default() };
        for ((m, x), v) in self.cloth.mass.iter().zip(&self.state.x).zip(&self.state.v) {
            energy.kinetic += 0.5 * m * v.length_squared();
            energy.gravity -= m * gravity.dot(*x);
        }
        energy
    }
}

/// Inverse masses for impulses: zero where a pin holds.
fn inverse_masses(cloth: &Cloth, pins: &[Pin], anchors: &[Option<Vec3>]) -> Vec<f64> {
    let mut inverse: Vec<f64> = cloth.mass.iter().map(|m| 1.0 / m).collect();
    for (pin, _) in pins.iter().zip(anchors).filter(|(_, anchor)| anchor.is_some()) {
        inverse[pin.vertex as usize] = 0.0;
    }
    inverse
}

/// BF3: `v^{n+½} = (x̄^{n+1} − x^n)/Δt`.
fn mean_velocity(state: &State, candidate: &Candidate, dt: f64) -> Vec<Vec3> {
    candidate.x.iter().zip(&state.x).map(|(end, start)| (*end - *start) / dt).collect()
}
