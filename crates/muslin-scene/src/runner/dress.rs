//! Dressing (BW15): before frame 0, with the bodies still in the pose they start from, seams are drawn
//! together, welded, and the garment settles. Inner layers are dressed before outer ones.
//!
//! 1. *Sewing.* Every stitch is a zero-length spring. Its force grows, from less than cloth weighs to as much
//!    as it takes. Nothing else is in its way: no gravity, no friction, no strain limits, no elastic
//!    bands, and the cloth gives more easily than it will. Contact works as always, except between features
//!    that will share a vertex.
//! 2. *Welding.* Stitched vertices become one, at their mean.
//! 3. *Settling.* With everything, in a medium that gets thicker and thicker, until the cloth is slow: only where
//!    it comes to rest matters, not how it gets there.
//!
//! What starts inside a body, or crossing other cloth, is left out of contact until it is free (R1).

use super::cloth::Piece;
use super::unsewn::Stitches;
use super::{RunError, step_sizes};
use crate::spec::SceneSpec;
use muslin::body::{Body, BodyMotion};
use muslin::cloth::Cloth;
use muslin::integrate::implicit::Rule;
use muslin::link::{Seam, Strength, Weld};
use muslin::math::Vec3;
use muslin::motion::Motion;
use muslin::pin::Pin;
use muslin::sim::{Dynamics, Forecast, Params, Simulation, State, StepSizes, Weather};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A stitch is closed when its gap is below this share of the cloth's thickness: welding then moves
/// nothing far enough to meet anything.
const CLOSED: f64 = 0.25;

/// Closing times a seam may take before it is given up.
const PATIENCE: f64 = 5.0;

/// Share of the closing time that is the time constant of a stitch.
const HASTE: f64 = 0.1;

/// Steps of dressing [s].
const LONG_STEP: f64 = 1.0 / 60.0;

/// Shortest time a seam may be given [s].
const LEAST_TIME: f64 = 0.1;

/// Force of a stitch at the start, as the acceleration of its own vertex [m/s²].
const FIRST_PULL: f64 = 20.0;

/// How often a stitch's force doubles in its closing time.
const DOUBLINGS: f64 = 8.0;

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

/// Stiffness against stretch and shear of cloth that is being sewn, as a share of its own. A garment tighter than
/// the body must stretch all around before its last seam can close.
const SEWING_STIFFNESS: f64 = 0.1;

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

    /// Closes the seams of layer `now`; positions of all `worn` cloths, sewn.
    fn sew(
        &self,
        pieces: &[Piece],
        worn: &[usize],
        now: i32,
        report: &mut DressReport,
    ) -> Result<Vec<Vec3>, RunError> {
        let (mut parts, mut x, mut map, mut seams) = (Vec::new(), Vec::new(), Vec::new(), vec![]);
        let (mut pins, mut welded, mut names) = (Vec::new(), 0, Vec::new());
        for &m in worn {
            let piece = &pieces[m];
            let offset = x.len() as u32;
            let unsewn = piece.unsewn.as_ref().filter(|_| self.layer(piece, m) == now);
            if let Some((unsewn, cloth)) = unsewn.and_then(|u| u.cloth.as_ref().map(|c| (u, c))) {
                let open = unsewn.seams.iter().filter(|seam| !seam.pairs.is_empty());
                for stitches in open {
                    seams.push(closing(stitches, offset, cloth));
                    names.push(stitches.name.clone());
                }
                parts.push(cloth);
                x.extend(&unsewn.positions);
                map.extend(unsewn.weld.map().iter().map(|v| v + welded));
            } else {
                parts.push(&self.cloths[m]);
                x.extend(&piece.positions);
                map.extend((0..piece.positions.len() as u32).map(|v| v + welded));
                pins.extend(still(&self.pins[m], offset));
            }
            welded += piece.positions.len() as u32;
        }
        let weld = Weld::from_map(map);
        if seams.is_empty() {
            return Ok(weld.positions(&x));
        }
        let cloth = compliant(Cloth::join(&parts));
        let slippery = |body: &Body| Body { friction: Some([0.0, 0.0]), ..frozen(body) };
        let bodies = self.bodies.iter().map(slippery).collect();
        let v = vec![Vec3::ZERO; x.len()];
        let params = Params { strain_sweeps: 0, ..self.params(Vec3::ZERO) };
        let mut simulation = Simulation::new(cloth, bodies, pins, State::new(x, v), params);
        simulation.sew(&weld);
        simulation.leave_out_crossings();
        report.stitches += seams.iter().map(|s| s.stitches.len() as u64).sum::<u64>();
        simulation.links.seams = seams;
        self.close(&mut simulation, &names, report)?;
        Ok(weld.positions(&simulation.state.x))
    }

    fn close(
        &self,
        simulation: &mut Simulation,
        names: &[String],
        report: &mut DressReport,
    ) -> Result<(), RunError> {
        let longest = simulation.links.seams.iter().map(|s| s.closing / HASTE).fold(0.0, f64::max);
        let thinnest = simulation.cloth.thickness.iter().copied().fold(f64::INFINITY, f64::min);
        let sizes = self.sizes();
        let mut frame = 0;
        let before = widest(simulation);
        report.gap_before = report.gap_before.max(before);
        let mut gap = before;
        while gap > CLOSED * thinnest {
            frame += 1;
            let end = f64::from(frame) / self.scene.fps;
            if end > PATIENCE * longest.max(LEAST_TIME) {
                return Err(unclosed(simulation, names, before));
            }
            while simulation.state.time < end {
                simulation.advance_once(end, &sizes).map_err(|e| stuck("sewing", &e))?;
                report.sewing_steps += 1;
            }
            gap = widest(simulation);
        }
        report.gap_after = report.gap_after.max(gap);
        report.sewing_time += simulation.state.time;
        Ok(())
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
            closing: HASTE * LEAST_TIME,
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
                let kept = (-SETTLE_DAMPING * step.dt).exp();
                simulation.state.v.iter_mut().for_each(|v| *v *= kept);
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

/// Cloth as it is sewn: without friction, softer than it will be, and without limits to its strain, which contact
/// would enforce against the stitches.
fn compliant(mut cloth: Cloth) -> Cloth {
    cloth.friction.fill([0.0, 0.0]);
    for edge in &mut cloth.edges {
        edge.strain_limit = f64::INFINITY;
        edge.compression_limit = f64::INFINITY;
        edge.rate_limit = f64::INFINITY;
    }
    for rest in &mut cloth.triangle_rest {
        rest.stretch = rest.stretch.map(|k| k * SEWING_STIFFNESS);
        rest.shear *= SEWING_STIFFNESS;
    }
    // Without tables, the stiffness of the triangles counts.
    cloth.tables.clear();
    cloth
}

/// The springs of a seam. Their force doubles [`DOUBLINGS`] times in the closing time, and goes on; their
/// stiffness, which counts where the gap is small, is a multiple of the fabric's and doubles too once
/// that time is over.
fn closing(stitches: &Stitches, offset: u32, cloth: &Cloth) -> Seam {
    let stiffest = |t: &muslin::cloth::TriangleRest| t.stretch[0].max(t.stretch[1]);
    let stiffness = cloth.triangle_rest.iter().map(stiffest).fold(0.0, f64::max);
    let mass = cloth.mass.iter().sum::<f64>() / cloth.mass.len() as f64;
    let time = stitches.closing_time.max(LEAST_TIME);
    let force = move |t: f64| mass * FIRST_PULL * (DOUBLINGS * t / time).exp2();
    let grow = move |t: f64| stiffness * (DOUBLINGS * (t / time - 1.0)).clamp(0.0, 12.0).exp2();
    Seam {
        stitches: stitches.pairs.iter().map(|p| p.map(|v| v + offset)).collect(),
        stiffness: Strength::Changing(Arc::new(grow)),
        force: Strength::Changing(Arc::new(force)),
        closing: HASTE * time,
    }
}

fn widest(simulation: &Simulation) -> f64 {
    let x = &simulation.state.x;
    let gaps = simulation.links.seams.iter().filter_map(|seam| seam.widest(x));
    gaps.map(|(_, gap)| gap).fold(0.0, f64::max)
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

fn unclosed(simulation: &Simulation, names: &[String], before: f64) -> RunError {
    let x = &simulation.state.x;
    let seams = simulation.links.seams.iter().zip(names);
    let gaps = seams.filter_map(|(seam, name)| {
        let (k, gap) = seam.widest(x)?;
        let [a, b] = *seam.stitches.get(k)?;
        Some((gap, name, k, 0.5 * (x[a as usize] + x[b as usize])))
    });
    let worst = gaps.max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((gap, name, stitch, at)) = worst else {
        return RunError::part("dressing", "seams stay open");
    };
    let message = format!(
        "seam {name} stays open by {:.1} mm at stitch {stitch}, at ({:.2}, {:.2}, {:.2}) (all seams started \
         within {:.1} mm): give it a longer closing_time, place its panels nearer, or make the garment wider",
        1e3 * gap,
        at.x,
        at.y,
        at.z,
        1e3 * before
    );
    RunError::part("dressing", message)
}
