//! Dressing (BW15): before frame 0, with the bodies still in the pose they start from, seams are drawn
//! together, welded, and the garment settles. Inner layers are dressed before outer ones.
//!
//! 1. *Sewing* ([`sewing`]). Stitches draw the borders together, and become one vertex as soon as they meet.
//! 2. *Settling.* With everything, in a medium that gets thicker and thicker, until the cloth is slow: only where
//!    it comes to rest matters, not how it gets there.
//!
//! What starts inside a body, or crossing other cloth, is left out of contact until it is free (R1).

mod sewing;

use super::cloth::Piece;
use super::{RunError, step_sizes};
use crate::spec::SceneSpec;
use muslin::body::{Body, BodyMotion};
use muslin::cloth::Cloth;
use muslin::integrate::implicit::Rule;
use muslin::link::{Seam, Strength};
use muslin::math::Vec3;
use muslin::motion::Motion;
use muslin::pin::Pin;
use muslin::sim::{Dynamics, Forecast, Params, Simulation, State, StepSizes, Weather};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Steps of dressing [s].
const LONG_STEP: f64 = 1.0 / 60.0;

/// Time constant of buttons [s].
const BUTTON_TIME: f64 = 0.01;

/// Force at which buttons hold [N].
const BUTTON_FORCE: f64 = 20.0;

/// Stiffness of buttons [N/m].
pub const BUTTON_STIFFNESS: f64 = 500.0;

/// Longest time to settle [s].
const SETTLE_TIME: f64 = 4.0;

/// Speed below which a garment has settled [m/s].
const SETTLED: f64 = 0.05;

/// Viscous damping while settling, as a rate at which velocity decays [1/s]. Falling cloth still sinks at up to
/// `g/c`, 2.5 m/s: what is slower than [`SETTLED`] is held by something.
const SETTLE_DAMPING: f64 = 4.0;

/// Frames on end it must be that slow: what swings is slow where it turns.
const CALM_FRAMES: u32 = 4;

/// How dressing went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DressReport {
    /// Stitches of all seams.
    pub stitches: u64,
    /// Time it took to close them [s].
    pub sewing_time: f64,
    /// Steps of the sewing.
    pub sewing_steps: u64,
    /// Widest gap before sewing [m].
    pub gap_before: f64,
    /// Widest gap when welded [m].
    pub gap_after: f64,
    /// Time it settled for [s].
    pub settle_time: f64,
    /// Steps of the settling.
    pub settle_steps: u64,
    /// Largest speed in the end [m/s].
    pub speed: f64,
    /// Vertices caught by bodies in the end.
    pub pinched: u64,
    /// Pairs of triangles that cross in the end.
    pub tangled: u64,
}

/// What is needed to dress.
pub struct Wardrobe<'a> {
    /// The scene.
    pub scene: &'a SceneSpec,
    /// The cloths, sewn.
    pub cloths: &'a [Cloth],
    /// The pins of each cloth.
    pub pins: &'a [Vec<Pin>],
    /// The bodies.
    pub bodies: &'a [Body],
    /// Settings.
    pub params: &'a Params,
}

impl Wardrobe<'_> {
    /// Sews and settles, layer by layer; the pieces' positions are those of the dressed state then. `None`
    /// where nothing is to be sewn.
    pub fn dress(&self, pieces: &mut [Piece]) -> Result<Option<DressReport>, RunError> {
        let of_piece: Vec<i32> =
            pieces.iter().enumerate().map(|(m, piece)| self.layer(piece, m)).collect();
        let layer = |m: usize| of_piece[m];
        let unsewn = (0..pieces.len()).filter(|&m| pieces[m].unsewn.is_some());
        let layers: BTreeSet<i32> = unsewn.map(layer).collect();
        let mut report = DressReport::default();
        for &now in &layers {
            let worn: Vec<usize> = (0..pieces.len())
                .filter(|&m| layer(m) <= now || pieces[m].unsewn.is_none())
                .collect();
            let sewn = self.sew(pieces, &worn, now, &mut report)?;
            let settled = self.settle(sewn, pieces, &worn, &mut report)?;
            let mut first = 0;
            for &m in &worn {
                let piece = &mut pieces[m];
                let count = piece.positions.len();
                piece.positions.copy_from_slice(&settled[first..first + count]);
                first += count;
            }
        }
        Ok((!layers.is_empty()).then_some(report))
    }

    /// The layer of cloth `m`: the scene's, and its pattern's.
    fn layer(&self, piece: &Piece, m: usize) -> i32 {
        self.scene.cloth[m].layer + piece.tailoring.layer
    }

    fn params(&self, gravity: Vec3) -> Params {
        let weather = Weather { gravity, winds: Vec::new(), ..self.params.forecast.at(0.0) };
        let forecast = Forecast::Constant(weather);
        // Strongly damped: only where it ends matters.
        let dynamics = Dynamics::Implicit { rule: Rule::BackwardEuler };
        Params { forecast, dynamics, ..self.params.clone() }
    }

    /// Long steps, halved only where collisions ask for it.
    fn sizes(&self) -> StepSizes {
        let sizes = step_sizes(self.scene);
        StepSizes {
            largest: sizes.largest.max(LONG_STEP),
            max_stretch_change: f64::INFINITY,
            ..sizes
        }
    }

    /// Lets the sewn garments come to rest on the bodies.
    fn settle(
        &self,
        x: Vec<Vec3>,
        pieces: &[Piece],
        worn: &[usize],
        report: &mut DressReport,
    ) -> Result<Vec<Vec3>, RunError> {
        let (mut pins, mut buttons, mut offset) = (Vec::new(), Vec::new(), 0);
        for &m in worn {
            pins.extend(still(&self.pins[m], offset));
            let own = pieces[m].tailoring.buttons.iter();
            buttons.extend(own.map(|pair| pair.map(|v| v + offset)));
            offset += self.cloths[m].vertex_count() as u32;
        }
        let cloths: Vec<&Cloth> = worn.iter().map(|&m| &self.cloths[m]).collect();
        let bodies = self.bodies.iter().map(frozen).collect();
        let gravity = self.params.forecast.at(0.0).gravity;
        let v = vec![Vec3::ZERO; x.len()];
        let (cloth, params) = (Cloth::join(&cloths), self.params(gravity));
        let mut simulation = Simulation::new(cloth, bodies, pins, State::new(x, v), params);
        simulation.leave_out_crossings();
        simulation.links.seams.push(Seam {
            stitches: buttons,
            stiffness: Strength::Constant(BUTTON_STIFFNESS),
            force: Strength::Constant(BUTTON_FORCE),
            closing: BUTTON_TIME,
            carried: 0.0,
        });
        let sizes = self.sizes();
        let (mut frame, mut calm) = (0, 0);
        loop {
            frame += 1;
            let end = f64::from(frame) / self.scene.fps;
            while simulation.state.time < end {
                let step = simulation.advance_once(end, &sizes);
                let step = step.map_err(|e| stuck("settling", &e))?;
                report.settle_steps += 1;
                slow_down(&mut simulation, SETTLE_DAMPING, step.dt);
            }
            report.speed = simulation.state.v.iter().map(|v| v.length()).fold(0.0, f64::max);
            calm = if report.speed < SETTLED { calm + 1 } else { 0 };
            if calm == CALM_FRAMES || end >= SETTLE_TIME {
                report.settle_time += end;
                let (pinched, tangled) = simulation.state.loose.counts();
                (report.pinched, report.tangled) = (pinched as u64, tangled as u64);
                return Ok(simulation.state.x);
            }
        }
    }
}

/// Takes from all velocities what a medium takes in `dt` \[s\] that slows them at `rate` \[1/s\].
fn slow_down(simulation: &mut Simulation, rate: f64, dt: f64) {
    let kept = (-rate * dt).exp();
    simulation.state.v.iter_mut().for_each(|v| *v *= kept);
}

/// A body as it is at time 0, for ever.
fn frozen(body: &Body) -> Body {
    let motion = match &body.motion {
        BodyMotion::Rigid(motion) => BodyMotion::Rigid(Motion::Still(motion.pose(0.0))),
        BodyMotion::Deforming(_) => {
            let mut shape = Vec::new();
            body.append_positions(0.0, &mut shape);
            BodyMotion::Deforming(Arc::new(move |_, out| out.copy_from_slice(&shape)))
        }
    };
    Body { motion, ..body.clone() }
}

/// The pins that hold at the start, kept still.
fn still(pins: &[Pin], offset: u32) -> Vec<Pin> {
    let held = pins.iter().filter(|pin| pin.holds_at(0.0));
    held.map(|pin| Pin { hold: pin.hold, ..Pin::fixed(pin.vertex + offset) }).collect()
}

fn stuck(doing: &str, error: &muslin::sim::StepError) -> RunError {
    RunError::part(
        "dressing",
        format!("{doing} cannot go on: {error}; place the panels farther out"),
    )
}
