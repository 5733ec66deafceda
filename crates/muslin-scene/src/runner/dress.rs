//! Dressing (BW15): before frame 0, with the bodies still in the pose they start from, seams are drawn
//! together, welded, and the garment settles.
//!
//! 1. *Sewing.* Every stitch is a zero-length spring that grows strong over its closing time, and ever
//!    stronger after it until all gaps are small against the cloth's thickness. There is no gravity.
//!    Contact works as always, except between features that will share a vertex.
//! 2. *Welding.* Stitched vertices become one, at their mean.
//! 3. *Settling.* With gravity, until the cloth is slow.

use super::cloth::Piece;
use super::{RunError, step_sizes};
use crate::spec::SceneSpec;
use muslin::body::{Body, BodyMotion};
use muslin::cloth::Cloth;
use muslin::integrate::implicit::Rule;
use muslin::link::{Seam, Strength, Weld};
use muslin::math::Vec3;
use muslin::motion::Motion;
use muslin::pin::Pin;
use muslin::sim::{Forecast, Params, Simulation, State, Weather};
use serde::Serialize;
use std::sync::Arc;

/// A stitch is closed when its gap is below this share of the cloth's thickness: welding then moves
/// nothing far enough to meet anything.
const CLOSED: f64 = 0.25;

/// Closing times a seam may take before it is given up.
const PATIENCE: f64 = 4.0;

/// Share of the closing time that is the time constant of a stitch.
const HASTE: f64 = 0.2;

/// Shortest time a seam may be given [s].
const LEAST_TIME: f64 = 0.1;

/// Longest time to settle [s].
const SETTLE_TIME: f64 = 2.0;

/// Speed below which a garment has settled [m/s].
const SETTLED: f64 = 0.02;

/// Frames on end it must be that slow: what swings is slow where it turns.
const CALM_FRAMES: u32 = 6;

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
    /// Sews and settles; the pieces' positions are those of the dressed state then. `None` where nothing
    /// is to be sewn.
    pub fn dress(&self, pieces: &mut [Piece]) -> Result<Option<DressReport>, RunError> {
        if pieces.iter().all(|piece| piece.unsewn.is_none()) {
            return Ok(None);
        }
        let bodies: Vec<Body> = self.bodies.iter().map(frozen).collect();
        let mut report = DressReport::default();
        let sewn = self.sew(pieces, &bodies, &mut report)?;
        let settled = self.settle(sewn, &bodies, &mut report)?;
        let mut first = 0;
        for piece in pieces {
            let count = piece.positions.len();
            piece.positions.copy_from_slice(&settled[first..first + count]);
            first += count;
        }
        Ok(Some(report))
    }

    fn params(&self, gravity: Vec3) -> Params {
        let weather = Weather { gravity, winds: Vec::new(), ..self.params.forecast.at(0.0) };
        let forecast = Forecast::Constant(weather);
        // Strongly damped: only where it ends matters.
        Params { forecast, rule: Rule::BackwardEuler, ..self.params.clone() }
    }

    /// Closes all seams; positions of all sewn cloths.
    fn sew(
        &self,
        pieces: &[Piece],
        bodies: &[Body],
        report: &mut DressReport,
    ) -> Result<Vec<Vec3>, RunError> {
        let (mut parts, mut x, mut map, mut seams) = (Vec::new(), Vec::new(), Vec::new(), vec![]);
        let mut pins = Vec::new();
        let mut welded = 0;
        for (m, piece) in pieces.iter().enumerate() {
            let offset = x.len() as u32;
            if let Some(unsewn) = &piece.unsewn {
                parts.push(unsewn.cloth.as_ref().unwrap_or(&self.cloths[m]));
                x.extend(&unsewn.positions);
                map.extend(unsewn.weld.map().iter().map(|v| v + welded));
                seams.extend(unsewn.seams.iter().map(|s| seam(s, offset, &self.cloths[m])));
            } else {
                parts.push(&self.cloths[m]);
                x.extend(&piece.positions);
                map.extend((0..piece.positions.len() as u32).map(|v| v + welded));
                pins.extend(still(&self.pins[m], offset));
            }
            welded += piece.positions.len() as u32;
        }
        let cloth = Cloth::join(&parts);
        let v = vec![Vec3::ZERO; x.len()];
        let params = self.params(Vec3::ZERO);
        let mut simulation =
            Simulation::new(cloth, bodies.to_vec(), pins, State::new(x, v), params);
        let weld = Weld::from_map(map);
        simulation.sew(&weld);
        report.stitches = seams.iter().map(|s| s.stitches.len() as u64).sum();
        simulation.links.seams = seams;
        report.gap_before = widest(&simulation);
        self.close(&mut simulation, report)?;
        Ok(weld.positions(&simulation.state.x))
    }

    fn close(&self, simulation: &mut Simulation, report: &mut DressReport) -> Result<(), RunError> {
        let longest = simulation.links.seams.iter().map(|s| s.closing / HASTE).fold(0.0, f64::max);
        let thinnest = simulation.cloth.thickness.iter().copied().fold(f64::INFINITY, f64::min);
        let sizes = step_sizes(self.scene);
        let mut frame = 0;
        report.gap_after = report.gap_before;
        while report.gap_after > CLOSED * thinnest {
            frame += 1;
            let end = f64::from(frame) / self.scene.fps;
            if end > PATIENCE * longest.max(LEAST_TIME) {
                return Err(unclosed(simulation, report));
            }
            while simulation.state.time < end {
                simulation.advance_once(end, &sizes).map_err(|e| stuck("sewing", &e))?;
                report.sewing_steps += 1;
            }
            report.gap_after = widest(simulation);
        }
        report.sewing_time = simulation.state.time;
        Ok(())
    }

    /// Lets the sewn garment come to rest on the bodies.
    fn settle(
        &self,
        x: Vec<Vec3>,
        bodies: &[Body],
        report: &mut DressReport,
    ) -> Result<Vec<Vec3>, RunError> {
        let mut pins = Vec::new();
        let mut offset = 0;
        for (cloth, own) in self.cloths.iter().zip(self.pins) {
            pins.extend(still(own, offset));
            offset += cloth.vertex_count() as u32;
        }
        let cloths: Vec<&Cloth> = self.cloths.iter().collect();
        let gravity = self.params.forecast.at(0.0).gravity;
        let v = vec![Vec3::ZERO; x.len()];
        let state = State::new(x, v);
        let cloth = Cloth::join(&cloths);
        let mut simulation =
            Simulation::new(cloth, bodies.to_vec(), pins, state, self.params(gravity));
        let sizes = step_sizes(self.scene);
        let (mut frame, mut calm) = (0, 0);
        loop {
            frame += 1;
            let end = f64::from(frame) / self.scene.fps;
            while simulation.state.time < end {
                simulation.advance_once(end, &sizes).map_err(|e| stuck("settling", &e))?;
                report.settle_steps += 1;
            }
            report.speed = simulation.state.v.iter().map(|v| v.length()).fold(0.0, f64::max);
            report.settle_time = end;
            calm = if report.speed < SETTLED { calm + 1 } else { 0 };
            if calm == CALM_FRAMES || end >= SETTLE_TIME {
                return Ok(simulation.state.x);
            }
        }
    }
}

/// The springs of a seam: as stiff as the fabric when its closing time is over, doubling with every tenth
/// of that after it.
fn seam(stitches: &super::unsewn::Stitches, offset: u32, cloth: &Cloth) -> Seam {
    let stiffest = |t: &muslin::cloth::TriangleRest| t.stretch[0].max(t.stretch[1]);
    let stiffness = cloth.triangle_rest.iter().map(stiffest).fold(0.0, f64::max);
    let time = stitches.closing_time.max(LEAST_TIME);
    let grow = move |t: f64| {
        let s = t / time;
        let growth = if s < 1.0 { s * s } else { (10.0 * (s - 1.0)).min(10.0).exp2() };
        stiffness * growth
    };
    Seam {
        stitches: stitches.pairs.iter().map(|p| p.map(|v| v + offset)).collect(),
        stiffness: Strength::Changing(Arc::new(grow)),
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

fn unclosed(simulation: &Simulation, report: &DressReport) -> RunError {
    let x = &simulation.state.x;
    let seams = simulation.links.seams.iter().enumerate();
    let gaps = seams.filter_map(|(k, seam)| seam.widest(x).map(|(stitch, gap)| (gap, k, stitch)));
    let (gap, k, stitch) = gaps.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    let message = format!(
        "seam {k} stays open by {:.1} mm at stitch {stitch} (all seams started within {:.1} mm): give \
         it a longer closing_time, place its panels nearer, or make the garment wider",
        1e3 * gap,
        1e3 * report.gap_before
    );
    RunError::part("dressing", message)
}
