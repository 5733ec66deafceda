//! From a checked scene to frames: builds the simulation, advances it frame by frame.

mod bodies;
mod cloth;
mod crease;
mod curtain;
mod dress;
mod dressed;
mod dynamics;
mod engine;
mod error;
mod fields;
mod force_report;
mod frame_report;
mod hang;
mod holders;
mod implicit;
mod islands;
mod mannequin;
pub mod marks;
mod panels;
mod parts;
mod partway;
mod patchwork;
mod pins;
mod plan;
mod pointer;
mod sculpted;
mod select;
mod skirt;
mod snapshot;
mod sparse;
mod steer;
mod tailor;
mod ties;
mod unsewn;
mod weather;

pub use dress::DressReport;
pub use error::RunError;
pub use fields::FieldNote;
pub use force_report::{EachForce, Feature, ForceReport, PairForce, PinForce, VertexForce};
pub use frame_report::{ContactReport, EnergyReport, FrameReport, RealTimeReport};
pub use plan::Estimate;

use crate::cache::{Frame, Snapshot};
use crate::polymesh::PolyMesh;
use crate::spec::{ContactMethod, Dynamics, SceneSpec};
use bodies::BuiltBody;
use cloth::Piece;
use dress::Wardrobe;
use engine::Engine;
use holders::Holder;
use implicit::Implicit;
use islands::Stock;
use muslin::body::Body;
use muslin::contact::{ContactParams, Response};
use muslin::judge;
use muslin::linalg::Tolerance;
use muslin::math::Vec3;
use muslin::pin::Pin;
use muslin::sim::{Params, State, StepSizes};
use pointer::Pointer;
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
    dressing: Option<DressReport>,
    pointer: Pointer,
}

impl Runner {
    /// Builds everything the scene names; nothing has moved yet.
    pub fn new(scene: &SceneSpec) -> Result<Self, RunError> {
        let built = scene.body.iter().map(|spec| bodies::build(spec, scene));
        let (built, fields): (Vec<BuiltBody>, Vec<Option<FieldNote>>) =
            built.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let fields: Vec<FieldNote> = fields.into_iter().flatten().collect();
        let mut dressing = None;
        let (pieces, engine) = match scene.solver.dynamics {
            Dynamics::Curtain => curtain::build(scene, &built)?,
            Dynamics::Sparse => sparse::build(scene, &built)?,
            _ => implicit_engine(scene, &built, &fields, &mut dressing)?,
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
            dressing,
            pointer: Pointer::new(&scene.pointer),
        };
        if scene.solver.contact == ContactMethod::Robust
            && !scene.contact.allow_tangled
            && dressing.is_none()
        {
            runner.refuse_tangles(scene)?;
        } else if scene.solver.contact == ContactMethod::Robust {
            runner.engine.leave_out_crossings();
        }
        runner.finish_report(FrameReport { dressing, ..FrameReport::default() });
        Ok(runner)
    }

    /// Number of the frame the state stands at; 0 is the initial state.
    pub fn frame_number(&self) -> u64 {
        self.frame
    }

    /// How the cloth was dressed before frame 0, if it was sewn (BW15).
    pub fn dressing(&self) -> Option<DressReport> {
        self.dressing
    }

    /// How the present frame came about.
    pub fn report(&self) -> &FrameReport {
        &self.report
    }

    /// Advances by one frame. On an error the runner stays at the frame it stood at.
    pub fn advance(&mut self) -> Result<FrameReport, RunError> {
        self.advance_watched(&mut || true)
    }

    /// Advances by one frame, asking `go_on` after every step of implicit dynamics: where it says no,
    /// the error is [`RunError::Stopped`].
    pub fn advance_watched(
        &mut self,
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<FrameReport, RunError> {
        let frame = self.frame + 1;
        let span = [self.frame, frame].map(|frame| frame as f64 / self.fps);
        let report = self.engine.advance(frame, span, &self.pieces, go_on)?;
        self.arrive(frame, report)?;
        Ok(self.report.clone())
    }

    fn arrive(&mut self, frame: u64, report: FrameReport) -> Result<(), RunError> {
        bodies::moving::check_files(&self.body_files)?;
        self.frame = frame;
        self.finish_report(report);
        Ok(())
    }

    /// The present frame, with the report of how it came about.
    pub fn frame(&self) -> Frame {
        Frame {
            time: self.time(),
            positions: self.positions(),
            velocities: self.velocities(),
            bodies: self.body_positions(),
            marks: self.marks(),
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

    /// Positions of all cloths now [m], in the order of the scene.
    pub fn positions(&self) -> Vec<Vec3> {
        self.engine.positions()
    }

    /// Velocities of all cloths now [m/s], in the order of the scene.
    pub fn velocities(&self) -> Vec<Vec3> {
        self.engine.velocities()
    }

    /// Vertices of all bodies now [m], in the order of the scene.
    pub fn body_positions(&self) -> Vec<Vec3> {
        let mut positions = Vec::new();
        for body in &self.bodies {
            body.append_positions(self.time(), &mut positions);
        }
        positions
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

    /// Time of the present frame [s].
    pub fn time(&self) -> f64 {
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

/// The cloths of implicit dynamics, dressed.
fn implicit_engine(
    scene: &SceneSpec,
    built: &[BuiltBody],
    fields: &[FieldNote],
    dressing: &mut Option<DressReport>,
) -> Result<(Vec<Piece>, Engine), RunError> {
    let params = params(scene)?;
    let holders: BTreeMap<String, Holder> = scene
        .body
        .iter()
        .zip(built)
        .flat_map(|(spec, built)| {
            let bones = built.bones.iter();
            let bones = bones.map(|bone| (bone.name.clone(), Holder::Rigid(bone.motion.clone())));
            std::iter::once((spec.name.clone(), Holder::new(&built.body))).chain(bones)
        })
        .collect();
    let (mut pieces, mut cloths) = (Vec::new(), Vec::new());
    let (mut pins, mut pin_entries) = (Vec::new(), Vec::new());
    for spec in &scene.cloth {
        let (piece, cloth) = cloth::build(spec, scene)?;
        let (entries, own): (Vec<u32>, Vec<Pin>) =
            pins::pins(spec, &piece, &holders)?.into_iter().unzip();
        pin_entries.push(entries);
        pins.push(own);
        pieces.push(piece);
        cloths.push(cloth);
    }
    fields::refuse_coarse(fields, &cloths)?;
    let bodies: Vec<Body> = built.iter().map(|b| b.body.clone()).collect();
    let wardrobe =
        Wardrobe { scene, cloths: &cloths, pins: &pins, bodies: &bodies, params: &params };
    *dressing = wardrobe.dress(&mut pieces)?;
    let ties = ties::build(&ties::Things { scene, pieces: &pieces, bodies: built })?;
    let stock = Stock {
        cloths,
        pins,
        pin_entries,
        ties,
        bodies,
        body_names: scene.body.iter().map(|body| body.name.clone()).collect(),
        params,
        steering: steer::Steering::default(),
        lists_forces: scene.output.forces,
    };
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
        collision_halvings: scene.solver.collision_halvings,
    }
}

/// Settings of robust contact.
fn robust_contact(scene: &SceneSpec) -> ContactParams {
    ContactParams {
        self_collision: scene.contact.self_collision,
        repulsion_stiffness: scene.contact.repulsion_stiffness.unwrap_or(1000.0),
        repulsion_share: scene.contact.repulsion_fraction,
        max_passes: scene.contact.max_passes as usize,
        ..ContactParams::default()
    }
}

fn params(scene: &SceneSpec) -> Result<Params, RunError> {
    let solver = &scene.solver;
    let contact = match solver.contact {
        ContactMethod::Robust => Some(robust_contact(scene)),
        ContactMethod::None => None,
        ContactMethod::Constraint if solver.dynamics == Dynamics::Implicit => Some(ContactParams {
            response: Response::Constraint,
            self_collision: scene.contact.self_collision,
            repulsion_stiffness: scene.contact.spring_stiffness,
            repulsion_share: scene.contact.repulsion_fraction,
            ..ContactParams::default()
        }),
        ContactMethod::Constraint => {
            let what = "contact = \"constraint\" without \"implicit\" dynamics";
            return Err(RunError::unsupported("solver", what, "use \"robust\" contact"));
        }
        ContactMethod::Bounded => {
            let what = "contact = \"bounded\" without real-time dynamics";
            return Err(RunError::unsupported("solver", what, "use \"robust\" contact"));
        }
    };
    Ok(Params {
        forecast: weather::forecast(scene)?,
        dynamics: dynamics::dynamics(scene)?,
        tolerance: Tolerance {
            relative: solver.tolerance,
            max_iterations: solver.max_iterations as usize,
        },
        preconditioner: dynamics::preconditioner(solver.preconditioner)?,
        strain_sweeps: solver.strain_limit_passes as usize,
        contact,
    })
}
