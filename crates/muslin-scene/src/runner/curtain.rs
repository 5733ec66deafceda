//! The engine of curtain dynamics: all cloths of the scene are panels of one curtain (XU).

mod surroundings;

use super::bodies::BuiltBody;
use super::cloth::{self, Piece};
use super::engine::Engine;
use super::frame_report::{FrameReport, RealTimeReport};
use super::snapshot::{flat, loose, save_loose, vectors};
use super::ties::Tie;
use super::{RunError, hang, robust_contact};
use crate::cache::Snapshot;
use crate::spec::{self, ContactMethod, SceneSpec};
use muslin::body::Body;
use muslin::contact::ContactParams;
use muslin::curtain::{
    AirResistance, CollisionSpec, Curtain, CurtainError, CurtainSpec, CurtainState, Guard,
    PanelLayout,
};
use muslin::link::{Grab, Pull};
use muslin::math::Vec3;
use std::time::Instant;
use surroundings::Surroundings;

/// A curtain with what acts on it over time.
pub struct CurtainEngine {
    curtain: Curtain,
    layouts: Vec<PanelLayout>,
    around: Surroundings,
    /// Robust contact, where the scene asks for it.
    guarded: Option<Guarded>,
    /// The node that the pointer pulls (BW7).
    grabbed: Option<(usize, Grab)>,
    /// Longest step [s].
    step: f64,
}

/// What lets a curtain pass through nothing.
struct Guarded {
    guard: Guard,
    bodies: Vec<Body>,
}

impl Guarded {
    fn new(
        curtain: &Curtain,
        built: &[BuiltBody],
        params: ContactParams,
    ) -> Result<Self, CurtainError> {
        let bodies: Vec<Body> = built.iter().map(|built| built.body.clone()).collect();
        Ok(Self { guard: Guard::new(curtain, &bodies, 0.0, params)?, bodies })
    }
}

/// Builds the scene's cloths as panels.
pub fn build(scene: &SceneSpec, built: &[BuiltBody]) -> Result<(Vec<Piece>, Engine), RunError> {
    let (mut panels, mut thickness, mut friction) = (Vec::new(), 0.0_f64, 0.0_f64);
    for spec in &scene.cloth {
        let place = format!("cloth `{}`", spec.name);
        refuse(spec, &place)?;
        let fabric = cloth::fabric(&spec.fabric, scene, &place)?;
        thickness = thickness.max(fabric.thickness);
        friction = friction.max(fabric.friction_kinetic);
        panels.push(hang::panel(spec, &fabric, scene, &place)?);
    }
    let collides = scene.solver.contact != ContactMethod::None;
    let collisions =
        CollisionSpec { thickness, friction, passes: scene.contact.bounded_passes as usize };
    let resistance = &scene.air.resistance;
    let curtain = Curtain::new(&CurtainSpec {
        panels,
        air: AirResistance {
            density: scene.air.density,
            threshold: resistance.linear_below,
            inside: resistance.inside,
            border: resistance.border,
            corner: resistance.corner,
        },
        collisions: if collides { collisions } else { CollisionSpec::OFF },
        max_step: scene.max_step(),
    });
    let curtain = curtain.map_err(|e| RunError::part("cloth", e))?;
    let robust = scene.solver.contact == ContactMethod::Robust;
    let around = Surroundings::new(scene, if collides { built } else { &[] }, friction)?;
    let guarded = robust.then(|| Guarded::new(&curtain, built, robust_contact(scene)));
    let guarded = guarded.transpose().map_err(|e| RunError::part("cloth", e))?;
    let layouts: Vec<PanelLayout> =
        (0..curtain.panel_count()).filter_map(|k| curtain.layout(k)).collect();
    let pieces = scene.cloth.iter().zip(&layouts).map(|(spec, layout)| {
        hang::panel_piece(spec, layout, curtain.positions(), &format!("cloth `{}`", spec.name))
    });
    let pieces = pieces.collect::<Result<_, _>>()?;
    let engine =
        CurtainEngine { curtain, layouts, around, guarded, grabbed: None, step: scene.max_step() };
    Ok((pieces, Engine::Curtain(Box::new(engine))))
}

/// Refuses what columns of rods do not have.
fn refuse(spec: &spec::Cloth, place: &str) -> Result<(), RunError> {
    let remedy = "use [cloth.hang], or dynamics = \"implicit\"";
    let missing = [
        (!spec.pin.is_empty(), "[[cloth.pin]] in curtain dynamics"),
        (!spec.attach.is_empty(), "[[cloth.attach]] in curtain dynamics"),
        (!spec.stick.is_empty(), "[[cloth.stick]] in curtain dynamics"),
        (spec.initial.is_some(), "`initial` in curtain dynamics"),
        (spec.pressure.values().iter().any(|p| *p != 0.0), "pressure in curtain dynamics"),
    ];
    match missing.iter().find(|(used, _)| *used) {
        Some((_, what)) => Err(RunError::unsupported(place, what, remedy)),
        None => Ok(()),
    }
}

impl CurtainEngine {
    /// Advances over the times `span` [s] of one frame, in equal steps.
    pub fn advance(&mut self, frame: u64, span: [f64; 2]) -> Result<FrameReport, RunError> {
        let clock = Instant::now();
        let dt = span[1] - span[0];
        // A hair less, so that rounding does not add a step.
        let steps = (dt / self.step - 1e-9).ceil().max(1.0);
        let h = dt / steps;
        let mut report = FrameReport { smallest_step: h, ..FrameReport::default() };
        let mut real_time = RealTimeReport::default();
        for k in 0..steps as u64 {
            let start = span[0] + k as f64 * h;
            self.step((start, h), &mut report, &mut real_time).map_err(|error| {
                RunError::Engine { frame, place: "curtain".to_owned(), message: error.to_string() }
            })?;
        }
        if self.guarded.is_none() {
            report.contact.near = real_time.contacts + real_time.body_contacts;
            report.contact.zones = real_time.zones;
        }
        report.real_time = Some(real_time);
        report.seconds.other += clock.elapsed().as_secs_f64() - report.seconds.total();
        Ok(report)
    }

    /// One step from a time by a time [s].
    fn step(
        &mut self,
        (start, h): (f64, f64),
        report: &mut FrameReport,
        real_time: &mut RealTimeReport,
    ) -> Result<(), CurtainError> {
        let Self { curtain, around, guarded, grabbed, .. } = self;
        curtain.pull(grabbed.as_ref().map(|(node, grab)| (*node, Pull::of(grab, start, h))));
        let Some(Guarded { guard, bodies }) = guarded else {
            around.advance(curtain, start, h)?;
            report.steps += 1;
            let passes = curtain.report().passes as u64;
            report.contact.passes = report.contact.passes.max(passes);
            real_time.add_curtain(curtain.report());
            return Ok(());
        };
        let propose = |curtain: &mut Curtain| around.advance(curtain, start, h);
        let step = guard.step(curtain, bodies, (start, h), propose)?;
        report.steps += 1;
        report.rejected_steps += step.rejected;
        report.smallest_step = report.smallest_step.min(h / f64::from(step.parts));
        report.contact.add(&step.contact);
        report.seconds.add(&step.seconds);
        real_time.add_curtain(&step.curtain);
        real_time.displaced = real_time.displaced.max(step.farthest);
        Ok(())
    }

    /// Has the pointer pull the node nearest to what it holds, or nothing (BW7).
    pub fn point(&mut self, grabbed: Option<Tie<Grab>>) {
        self.grabbed = grabbed.and_then(|Tie { piece, link, .. }| {
            let vertex = self.layouts.get(piece)?.vertices.start + link.point.vertices[0] as usize;
            Some((self.curtain.node_near(vertex)?, link))
        });
    }

    /// Leaves out everything that crosses now, at `time` [s], until it has separated (R1).
    pub fn leave_out_crossings(&mut self, time: f64) {
        if let Some(Guarded { guard, bodies }) = &mut self.guarded {
            guard.leave_out_crossings(&self.curtain, bodies, time);
        }
    }

    /// Adds energies and stretch as they are now, at `time` [s].
    pub fn measure(&self, time: f64, report: &mut FrameReport) {
        let kinetic = self.curtain.kinetic_energy();
        report.energy.kinetic = kinetic;
        report.energy.gravity = self.curtain.energy(self.around.gravity(time)) - kinetic;
        let x = self.curtain.positions();
        for layout in &self.layouts {
            let x = &x[layout.vertices.clone()];
            for ([a, b], length) in &layout.rods {
                let stretch = x[*a as usize].distance(x[*b as usize]) / length - 1.0;
                report.stretch_max = report.stretch_max.max(stretch);
            }
        }
        if let Some(real_time) = &mut report.real_time {
            real_time.rod_error = self.curtain.rod_error();
        }
        if let Some(Guarded { guard, .. }) = &self.guarded {
            report.pinched_vertices.clone_from(&guard.loose().pinched);
        }
    }

    /// Positions of all vertices [m].
    pub fn positions(&self) -> &[Vec3] {
        self.curtain.positions()
    }

    /// Velocities of all vertices [m/s].
    pub fn velocities(&self) -> &[Vec3] {
        self.curtain.velocities()
    }

    /// Vertices of the top rows that a rail or pole holds.
    pub fn held(&self) -> impl Iterator<Item = usize> {
        let tops = self.layouts.iter().zip(self.around.are_held()).filter(|(_, held)| *held);
        tops.flat_map(|(layout, _)| layout.vertices.clone().take(layout.top))
    }

    /// Rods and sections of panel `m`, with their lengths [m].
    pub fn edges(&self, m: usize) -> Vec<([u32; 2], f64)> {
        self.layouts[m].rods.clone()
    }

    /// Everything the next step reads (R3).
    pub fn save(&self) -> Snapshot {
        let state = self.curtain.state();
        let mut snapshot = Snapshot::default();
        snapshot.push("nodes", flat(&state.positions));
        snapshot.push("node_velocities", flat(&state.velocities));
        snapshot.push("rings", state.rings);
        if let Some(Guarded { guard, .. }) = &self.guarded {
            snapshot.push("vertices", flat(&state.vertices));
            save_loose(guard.loose(), 0, &mut snapshot);
        }
        snapshot
    }

    /// Puts the state back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        let rings = snapshot.f64s("rings");
        let count = self.curtain.positions().len();
        let mut state = CurtainState {
            positions: vectors(snapshot, "nodes")?,
            velocities: vectors(snapshot, "node_velocities")?,
            rings: rings
                .ok_or_else(|| RunError::Snapshot("`rings` is missing".to_owned()))?
                .to_vec(),
            vertices: Vec::new(),
        };
        if let Some(Guarded { guard, .. }) = &mut self.guarded {
            state.vertices = vectors(snapshot, "vertices")?;
            guard.set_loose(loose(snapshot, 0, count)?);
        }
        self.curtain.restore(&state).map_err(|e| RunError::Snapshot(e.to_string()))
    }
}
