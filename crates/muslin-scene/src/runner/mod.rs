//! From a checked scene to frames: builds the simulation, advances it frame by frame.

mod bodies;
mod cloth;
mod crease;
mod curtain;
mod dynamics;
mod engine;
mod error;
mod fields;
mod frame_report;
mod hang;
mod implicit;
mod islands;
mod mannequin;
pub mod marks;
mod parts;
mod plan;
mod pointer;
mod select;
mod skirt;
mod snapshot;
mod sparse;
mod weather;

pub use error::RunError;
pub use fields::FieldNote;
pub use frame_report::{ContactReport, EnergyReport, FrameReport, RealTimeReport};
pub use plan::Estimate;

use crate::cache::{Frame, Snapshot};
use crate::polymesh::PolyMesh;
use crate::spec::{ContactMethod, Dynamics, Preconditioner, SceneSpec};
use bodies::BuiltBody;
use cloth::Piece;
use engine::Engine;
use implicit::Implicit;
use islands::Stock;
use muslin::body::Body;
use muslin::contact::ContactParams;
use muslin::judge;
use muslin::linalg::Tolerance;
use muslin::sim::{Params, State, StepSizes};
use std::collections::BTreeMap;

/// Kinetic energy below this share of its peak is rest (V16).
const REST: f64 = 1e-6;

/// A scene being simulated.
pub struct Runner {
    fps: f64,
    frame: u64,
    pieces: Vec<Piece>,
    body_names: Vec<String>,
    body_sources: Vec<Option<PolyMesh>>,
    fields: Vec<FieldNote>,
    bodies: Vec<Body>,
    engine: Engine,
    body_files: Vec<bodies::moving::Reading>,
    report: FrameReport,
    peak_kinetic: f64,
}

impl Runner {
    /// Builds everything the scene names; nothing has moved yet.
    pub fn new(scene: &SceneSpec) -> Result<Self, RunError> {
        let built = scene.body.iter().map(|spec| bodies::build(spec, scene));
        let (built, fields): (Vec<BuiltBody>, Vec<Option<FieldNote>>) =
            built.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let fields: Vec<FieldNote> = fields.into_iter().flatten().collect();
        let (pieces, engine) = match scene.solver.dynamics {
            Dynamics::Curtain => curtain::build(scene, &built)?,
            Dynamics::Sparse => sparse::build(scene, &built)?,
            _ => implicit_engine(scene, &built, &fields)?,
        };
        if pieces.is_empty() {
            return Err(RunError::part("scene", "it has no cloth; add a [[cloth]]"));
        }
        let named = scene.body.iter().zip(&built);
        let body_files = named
            .filter_map(|(spec, built)| Some((spec.name.clone(), built.playback.clone()?)))
            .collect();
        let (bodies, body_sources) = built.into_iter().map(|b| (b.body, b.source)).unzip();
        let mut runner = Self {
            fps: scene.fps,
            frame: 0,
            pieces,
            body_names: scene.body.iter().map(|b| b.name.clone()).collect(),
            body_sources,
            fields,
            bodies,
            engine,
            body_files,
            report: FrameReport::default(),
            peak_kinetic: 0.0,
        };
        if scene.solver.contact == ContactMethod::Robust && !scene.contact.allow_tangled {
            runner.refuse_tangles(scene)?;
        } else if scene.solver.contact == ContactMethod::Robust {
            runner.engine.leave_out_crossings();
        }
        runner.finish_report(FrameReport::default());
        Ok(runner)
    }

    /// Number of the frame the state stands at; 0 is the initial state.
    pub fn frame_number(&self) -> u64 {
        self.frame
    }

    /// How the present frame came about.
    pub fn report(&self) -> &FrameReport {
        &self.report
    }

    /// Advances by one frame. On an error the runner stays at the last good step.
    pub fn advance(&mut self) -> Result<FrameReport, RunError> {
        let frame = self.frame + 1;
        let span = [self.frame, frame].map(|frame| frame as f64 / self.fps);
        let report = self.engine.advance(frame, span, &self.pieces)?;
        bodies::moving::check_files(&self.body_files)?;
        self.frame = frame;
        self.finish_report(report);
        Ok(self.report.clone())
    }

    /// The present frame, with the report of how it came about.
    pub fn frame(&self) -> Frame {
        let mut bodies = Vec::new();
        for body in &self.bodies {
            body.append_positions(self.time(), &mut bodies);
        }
        Frame {
            time: self.time(),
            positions: self.engine.positions(),
            velocities: self.engine.velocities(),
            bodies,
            report: serde_json::to_value(&self.report).unwrap_or_default(),
        }
    }

    /// The distance fields of bodies, in numbers.
    pub fn fields(&self) -> &[FieldNote] {
        &self.fields
    }

    /// Whether the cloth is at rest: its kinetic energy has fallen below 1e-6 of its peak (V16).
    pub fn at_rest(&self) -> bool {
        self.peak_kinetic > 0.0 && self.report.energy.kinetic < REST * self.peak_kinetic
    }

    /// Everything the next step reads (R3).
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = self.engine.save();
        snapshot.push("peak_kinetic", vec![self.peak_kinetic]);
        snapshot
    }

    /// Puts the state back to a snapshot taken at `frame`.
    pub fn restore(&mut self, snapshot: &Snapshot, frame: u64) -> Result<(), RunError> {
        self.engine.restore(snapshot)?;
        self.frame = frame;
        self.finish_report(FrameReport::default());
        self.peak_kinetic = snapshot::peak_kinetic(snapshot)?;
        Ok(())
    }

    /// Longest step of explicit elastic forces [s]; `None` for implicit dynamics (MF1).
    pub fn stable_step(&self) -> Option<f64> {
        match &self.engine {
            Engine::Implicit(engine) => engine.stable_step(),
            Engine::Curtain(_) | Engine::Sparse(_) => None,
        }
    }

    #[cfg(test)]
    pub(crate) fn rest_angles(&self) -> Vec<f64> {
        match &self.engine {
            Engine::Implicit(engine) => engine.rest_angles(),
            Engine::Curtain(_) | Engine::Sparse(_) => Vec::new(),
        }
    }

    fn time(&self) -> f64 {
        self.engine.time(self.frame as f64 / self.fps)
    }

    fn finish_report(&mut self, mut report: FrameReport) {
        report.frame = self.frame;
        report.time = self.time();
        report.stretch_max = f64::MIN;
        self.engine.measure(report.time, &mut report);
        self.peak_kinetic = self.peak_kinetic.max(report.energy.kinetic);
        self.report = report;
    }

    /// R6: cloth must not start out crossing itself or a body.
    fn refuse_tangles(&self, scene: &SceneSpec) -> Result<(), RunError> {
        let topology = self.topology();
        let frame = self.frame();
        let cloth_count = frame.positions.len() as u32;
        let (of_cloth, of_bodies): (Vec<[u32; 3]>, Vec<[u32; 3]>) =
            topology.triangles.iter().partition(|t| t[0] < cloth_count);
        // Cloth may start inside a level set: forecasting moves it out (MF7).
        let has_surface = self.bodies.iter().flat_map(|body| {
            std::iter::repeat_n(body.level_set().is_none(), body.mesh.triangles.len())
        });
        let of_bodies: Vec<[u32; 3]> = of_bodies
            .into_iter()
            .zip(has_surface)
            .filter(|(_, has)| *has)
            .map(|(t, _)| t.map(|v| v - cloth_count))
            .collect();
        let within = if scene.contact.self_collision {
            judge::intersecting_pairs(&frame.positions, &of_cloth)
        } else {
            Vec::new()
        };
        let between = judge::crossing_pairs(&frame.positions, &of_cloth, &frame.bodies, &of_bodies);
        let count = within.len() + between.len();
        if count == 0 {
            return Ok(());
        }
        let mut examples: Vec<String> =
            within.iter().take(3).map(|(a, b)| format!("cloth triangles {a} and {b}")).collect();
        examples.extend(
            between
                .iter()
                .take(3)
                .map(|(a, b)| format!("cloth triangle {a} and body triangle {b}")),
        );
        Err(RunError::Tangled { count, examples: examples.join(", ") })
    }
}

/// The cloths of implicit dynamics.
fn implicit_engine(
    scene: &SceneSpec,
    built: &[BuiltBody],
    fields: &[FieldNote],
) -> Result<(Vec<Piece>, Engine), RunError> {
    let params = params(scene)?;
    let motions: BTreeMap<_, _> = scene
        .body
        .iter()
        .zip(built)
        .flat_map(|(spec, built)| {
            let whole = built.motion.clone().map(|motion| (spec.name.clone(), motion));
            whole.into_iter().chain(built.bones.iter().cloned())
        })
        .collect();
    let (mut pieces, mut cloths, mut pins) = (Vec::new(), Vec::new(), Vec::new());
    for spec in &scene.cloth {
        let (piece, cloth) = cloth::build(spec, scene)?;
        pins.push(cloth::pins(spec, &piece, &motions)?);
        pieces.push(piece);
        cloths.push(cloth);
    }
    fields::refuse_coarse(fields, &cloths)?;
    let bodies = built.iter().map(|b| b.body.clone()).collect();
    let stock = Stock { cloths, pins, bodies, params };
    let first = |(piece, spec): (&Piece, &crate::spec::Cloth)| {
        let x = piece.positions.clone();
        let v = vec![spec.velocity; x.len()];
        State::new(x, v)
    };
    let states = pieces.iter().zip(&scene.cloth).map(first).collect();
    let engine = Implicit::new(stock, states, step_sizes(scene));
    Ok((pieces, Engine::Implicit(Box::new(engine))))
}

fn step_sizes(scene: &SceneSpec) -> StepSizes {
    StepSizes {
        largest: scene.max_step(),
        smallest: scene.solver.min_step,
        max_stretch_change: if scene.solver.adaptive {
            scene.solver.max_stretch_change
        } else {
            f64::INFINITY
        },
    }
}

fn params(scene: &SceneSpec) -> Result<Params, RunError> {
    let solver = &scene.solver;
    if !matches!(solver.preconditioner, Preconditioner::Auto | Preconditioner::BlockJacobi) {
        return Err(RunError::unsupported("solver", "this preconditioner", "use \"auto\""));
    }
    if solver.literal {
        return Err(RunError::unsupported("solver", "literal = true", "leave it out"));
    }
    let contact = match solver.contact {
        ContactMethod::Robust => Some(ContactParams {
            self_collision: scene.contact.self_collision,
            repulsion_stiffness: scene.contact.repulsion_stiffness.unwrap_or(1000.0),
            repulsion_share: scene.contact.repulsion_fraction,
            max_passes: scene.contact.max_passes as usize,
            ..ContactParams::default()
        }),
        ContactMethod::None => None,
        ContactMethod::Constraint | ContactMethod::Bounded => {
            let what = "this contact";
            return Err(RunError::unsupported("solver", what, "use \"robust\""));
        }
    };
    Ok(Params {
        forecast: weather::forecast(scene)?,
        dynamics: dynamics::dynamics(scene)?,
        tolerance: Tolerance {
            relative: solver.tolerance,
            max_iterations: solver.max_iterations as usize,
        },
        strain_sweeps: solver.strain_limit_passes as usize,
        contact,
    })
}
