//! From a checked scene to frames: builds the simulation, advances it frame by frame.

mod bodies;
mod cloth;
mod error;
mod fields;
mod frame_report;
mod islands;
mod plan;
mod select;
mod snapshot;
mod weather;

pub use error::RunError;
pub use fields::FieldNote;
pub use frame_report::{ContactReport, EnergyReport, FrameReport};
pub use plan::Estimate;

use crate::cache::{Frame, Snapshot};
use crate::polymesh::PolyMesh;
use crate::spec::{ContactMethod, Dynamics, Integrator, Preconditioner, SceneSpec};
use cloth::Piece;
use islands::{Island, Stock};
use muslin::collide::aabb::Aabb;
use muslin::contact::ContactParams;
use muslin::integrate::implicit::Rule;
use muslin::judge;
use muslin::linalg::Tolerance;
use muslin::math::Vec3;
use muslin::motion::Motion;
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
    stock: Stock,
    islands: Vec<Island>,
    sizes: StepSizes,
    report: FrameReport,
    peak_kinetic: f64,
}

impl Runner {
    /// Builds everything the scene names; nothing has moved yet.
    pub fn new(scene: &SceneSpec) -> Result<Self, RunError> {
        let params = params(scene)?;
        let (mut bodies, mut body_sources, mut motions) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut fields = Vec::new();
        for spec in &scene.body {
            let built = bodies::build(spec, scene)?;
            motions.extend(built.motion.map(|motion| (spec.name.clone(), motion)));
            bodies.push(built.body);
            fields.extend(built.field);
            body_sources.push(built.source);
        }
        let (mut pieces, mut cloths, mut pins) = (Vec::new(), Vec::new(), Vec::new());
        for spec in &scene.cloth {
            let (piece, cloth) = cloth::build(spec, scene)?;
            pins.push(cloth::pins(spec, &piece, &motions as &BTreeMap<String, Motion>)?);
            pieces.push(piece);
            cloths.push(cloth);
        }
        if pieces.is_empty() {
            return Err(RunError::part("scene", "it has no cloth; add a [[cloth]]"));
        }
        fields::refuse_coarse(&fields, &cloths)?;
        let stock = Stock { cloths, pins, bodies, params };
        let first = |(m, (piece, spec)): (usize, (&Piece, &crate::spec::Cloth))| {
            let x = piece.positions.clone();
            let v = vec![spec.velocity; x.len()];
            stock.island(vec![m], State::new(x, v))
        };
        let islands: Vec<Island> = pieces.iter().zip(&scene.cloth).enumerate().map(first).collect();
        let boxes = islands.iter().map(|i| islands::bounds(&i.simulation.state.x)).collect();
        let (islands, _) = stock.merge_touching(islands, boxes);
        let mut runner = Self {
            fps: scene.fps,
            frame: 0,
            pieces,
            body_names: scene.body.iter().map(|b| b.name.clone()).collect(),
            body_sources,
            fields,
            stock,
            islands,
            sizes: step_sizes(scene),
            report: FrameReport::default(),
            peak_kinetic: 0.0,
        };
        if scene.solver.contact == ContactMethod::Robust {
            runner.refuse_tangles(scene)?;
        }
        runner.finish_report(FrameReport::default());
        Ok(runner)
    }

    /// Number of the frame the state stands at; 0 is the initial state.
    pub fn frame_number(&self) -> u64 {
        self.frame
    }

    /// Advances by one frame. On an error the runner stays at the last good step.
    pub fn advance(&mut self) -> Result<FrameReport, RunError> {
        let frame = self.frame + 1;
        let end = frame as f64 / self.fps;
        let saved: Vec<State> = self.islands.iter().map(|i| i.simulation.state.clone()).collect();
        let mut report = FrameReport::default();
        let mut boxes = Vec::with_capacity(self.islands.len());
        let Self { islands, sizes, pieces, .. } = self;
        for island in islands {
            boxes.push(advance_island(island, end, sizes, &mut report, frame, pieces)?);
        }
        // Cloths that came within reach of each other belong together: do the frame again.
        if boxes.len() > 1 && self.merge_if_touching(&saved, boxes) {
            return self.advance();
        }
        self.frame = frame;
        self.finish_report(report);
        Ok(self.report.clone())
    }

    /// The present frame, with the report of how it came about.
    pub fn frame(&self) -> Frame {
        let mut bodies = Vec::new();
        for body in &self.stock.bodies {
            body.append_positions(self.time(), &mut bodies);
        }
        Frame {
            time: self.time(),
            positions: self.gather(|state| &state.x),
            velocities: self.gather(|state| &state.v),
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
        snapshot::save(&self.islands, self.peak_kinetic)
    }

    /// Puts the state back to a snapshot taken at `frame`.
    pub fn restore(&mut self, snapshot: &Snapshot, frame: u64) -> Result<(), RunError> {
        let members = snapshot::members(snapshot)?;
        let mut all: Vec<usize> = members.iter().flatten().copied().collect();
        all.sort_unstable();
        if all != (0..self.pieces.len()).collect::<Vec<_>>() {
            return Err(RunError::Snapshot("it holds other cloths".to_owned()));
        }
        let mut islands = Vec::new();
        for (k, members) in members.into_iter().enumerate() {
            let (vertices, pins) = self.stock.counts(&members);
            let state = snapshot::state(snapshot, k, vertices, pins)?;
            islands.push(self.stock.island(members, state));
        }
        self.islands = islands;
        self.frame = frame;
        self.finish_report(FrameReport::default());
        self.peak_kinetic = snapshot::peak_kinetic(snapshot)?;
        Ok(())
    }

    fn time(&self) -> f64 {
        self.islands.first().map_or(0.0, |island| island.simulation.state.time)
    }

    /// An array of all cloths, in the order of the scene.
    fn gather(&self, of: impl Fn(&State) -> &Vec<Vec3>) -> Vec<Vec3> {
        let mut all = Vec::new();
        for m in 0..self.pieces.len() {
            for island in self.islands.iter().filter(|island| island.members.contains(&m)) {
                let (vertices, _) = self.stock.ranges(island, m);
                all.extend_from_slice(&of(&island.simulation.state)[vertices]);
            }
        }
        all
    }

    fn merge_if_touching(&mut self, saved: &[State], boxes: Vec<Aabb>) -> bool {
        let ends: Vec<State> = self.islands.iter().map(|i| i.simulation.state.clone()).collect();
        for (island, state) in self.islands.iter_mut().zip(saved) {
            island.simulation.state = state.clone();
        }
        let (islands, merged) = self.stock.merge_touching(std::mem::take(&mut self.islands), boxes);
        self.islands = islands;
        if !merged {
            for (island, end) in self.islands.iter_mut().zip(ends) {
                island.simulation.state = end;
            }
        }
        merged
    }

    fn finish_report(&mut self, mut report: FrameReport) {
        report.frame = self.frame;
        report.time = self.time();
        report.stretch_max = f64::MIN;
        for island in &self.islands {
            let simulation = &island.simulation;
            report.add_energy(&simulation.energy());
            let stretch = simulation.cloth.largest_stretch(&simulation.state.x);
            report.stretch_max = report.stretch_max.max(stretch);
        }
        self.peak_kinetic = self.peak_kinetic.max(report.energy.kinetic);
        self.report = report;
    }

    /// R6: cloth must not start out crossing itself or a body.
    fn refuse_tangles(&self, scene: &SceneSpec) -> Result<(), RunError> {
        if scene.contact.allow_tangled {
            let remedy = "untangle the cloth in the program it comes from";
            return Err(RunError::unsupported("contact", "allow_tangled = true", remedy));
        }
        let topology = self.topology();
        let frame = self.frame();
        let cloth_count = frame.positions.len() as u32;
        let (of_cloth, of_bodies): (Vec<[u32; 3]>, Vec<[u32; 3]>) =
            topology.triangles.iter().partition(|t| t[0] < cloth_count);
        // Cloth may start inside a level set: forecasting moves it out (MF7).
        let has_surface = self.stock.bodies.iter().flat_map(|body| {
            std::iter::repeat_n(body.level_set().is_none(), body.mesh.triangles.len())
        });
        let of_bodies: Vec<[u32; 3]> = of_bodies
            .into_iter()
            .zip(has_surface)
            .filter_map(|(t, has)| has.then(|| t.map(|v| v - cloth_count)))
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

/// Advances one island to the end of the frame; returns the box it has swept.
fn advance_island(
    island: &mut Island,
    end: f64,
    sizes: &StepSizes,
    report: &mut FrameReport,
    frame: u64,
    pieces: &[Piece],
) -> Result<Aabb, RunError> {
    let mut swept = islands::bounds(&island.simulation.state.x);
    let simulation = &mut island.simulation;
    while simulation.state.time < end {
        let step = simulation.advance_once(end, sizes).map_err(|source| {
            let names: Vec<&str> =
                island.members.iter().map(|&m| pieces[m].name.as_str()).collect();
            RunError::Step { frame, place: format!("cloth `{}`", names.join("`, `")), source }
        })?;
        report.add(&step);
        swept = swept.union(&islands::bounds(&simulation.state.x));
    }
    Ok(swept)
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
    if solver.dynamics != Dynamics::Implicit {
        let what = format!("dynamics = {:?}", solver.dynamics).to_lowercase();
        return Err(RunError::unsupported("solver", &what, "use \"implicit\""));
    }
    let rule = match solver.integrator {
        Integrator::Auto | Integrator::TrBdf2 => Rule::TrBdf2,
        Integrator::BackwardEuler => Rule::BackwardEuler,
        other => {
            let what = format!("integrator = {other:?}").to_lowercase();
            let remedy = "use \"tr-bdf2\" or \"backward-euler\"";
            return Err(RunError::unsupported("solver", &what, remedy));
        }
    };
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
        ContactMethod::Constraint => {
            let what = "contact = \"constraint\"";
            return Err(RunError::unsupported("solver", what, "use \"robust\""));
        }
    };
    Ok(Params {
        forecast: weather::forecast(scene)?,
        rule,
        tolerance: Tolerance {
            relative: solver.tolerance,
            max_iterations: solver.max_iterations as usize,
        },
        strain_sweeps: solver.strain_limit_passes as usize,
        contact,
    })
}
