//! The engine of curtain dynamics: all cloths of the scene are panels of one curtain (XU).

use super::bodies::BuiltBody;
use super::cloth::{self, Piece};
use super::engine::Engine;
use super::frame_report::{FrameReport, RealTimeReport};
use super::parts::{self, Part};
use super::snapshot::{flat, vectors};
use super::weather::{self, Gust};
use super::{RunError, hang};
use crate::cache::Snapshot;
use crate::keyframes::Keyed;
use crate::spec::{self, ContactMethod, SceneSpec};
use muslin::curtain::{
    AirResistance, CollisionSpec, Controls, Curtain, CurtainSpec, CurtainState, Environment,
    Obstacle, PanelLayout, Shape,
};
use muslin::math::Vec3;
use muslin::sparse::PartShape;
use muslin::wind::Wind;
use std::time::Instant;

/// A curtain with what acts on it over time.
pub struct CurtainEngine {
    curtain: Curtain,
    layouts: Vec<PanelLayout>,
    hands: Vec<Hand>,
    gusts: Vec<Gust>,
    gravity: Keyed<Vec3>,
    parts: Vec<Part>,
    /// Friction of parts that have none of their own.
    friction: f64,
    /// Longest step [s].
    step: f64,
}

/// What moves a panel's rings and tie-backs.
struct Hand {
    lead: Keyed<f64>,
    offset: Keyed<Vec3>,
    ties: Vec<Keyed<f64>>,
    /// Nothing holds the top row.
    is_free: bool,
}

/// Builds the scene's cloths as panels.
pub fn build(scene: &SceneSpec, built: &[BuiltBody]) -> Result<(Vec<Piece>, Engine), RunError> {
    if scene.solver.contact == ContactMethod::Robust {
        let remedy = "use \"bounded\", which counts what it leaves, or dynamics = \"implicit\"";
        return Err(RunError::unsupported("solver", "robust contact of curtain dynamics", remedy));
    }
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
    let parts = if collides { parts::parts(built, scene)? } else { Vec::new() };
    for part in &parts {
        if shape(part, 0.0).is_none() {
            let place = format!("body `{}`", scene.body[part.body].name);
            let remedy = "build it of boxes, capsules and balls";
            return Err(RunError::unsupported(&place, "a mesh in a curtain's way", remedy));
        }
    }
    let layouts: Vec<PanelLayout> =
        (0..curtain.panel_count()).filter_map(|k| curtain.layout(k)).collect();
    let pieces = scene.cloth.iter().zip(&layouts).map(|(spec, layout)| {
        hang::panel_piece(spec, layout, curtain.positions(), &format!("cloth `{}`", spec.name))
    });
    let pieces = pieces.collect::<Result<_, _>>()?;
    let engine = CurtainEngine {
        curtain,
        layouts,
        hands: scene.cloth.iter().map(Hand::new).collect(),
        gusts: weather::gusts(scene)?,
        gravity: scene.gravity.clone(),
        parts,
        friction,
        step: scene.max_step(),
    };
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

impl Hand {
    fn new(spec: &spec::Cloth) -> Self {
        let hang = spec.hang.as_ref();
        let rail = hang.and_then(|hang| hang.rail.as_ref());
        Self {
            lead: rail.map_or(Keyed::Constant(1.0), |rail| rail.lead.clone()),
            offset: hang
                .and_then(|hang| hang.offset.clone())
                .unwrap_or(Keyed::Constant(Vec3::ZERO)),
            ties: hang.map_or_else(Vec::new, |hang| {
                hang.tie_back.iter().map(|tie| tie.engaged.clone()).collect()
            }),
            is_free: hang.is_some_and(|h| h.rail.is_none() && h.pole.is_none() && h.free.is_some()),
        }
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
        let mut real_time = RealTimeReport { substeps: steps as u64, ..RealTimeReport::default() };
        for k in 0..steps as u64 {
            let start = span[0] + k as f64 * h;
            self.step(start, h).map_err(|error| RunError::Engine {
                frame,
                place: "curtain".to_owned(),
                message: error.to_string(),
            })?;
            report.steps += 1;
            real_time.add_curtain(self.curtain.report());
            let passes = self.curtain.report().passes as u64;
            report.contact.passes = report.contact.passes.max(passes);
        }
        report.contact.near = real_time.contacts + real_time.body_contacts;
        report.contact.zones = real_time.zones;
        report.real_time = Some(real_time);
        report.seconds.other = clock.elapsed().as_secs_f64();
        Ok(report)
    }

    /// One step of `h` [s] from the time `start` [s].
    fn step(&mut self, start: f64, h: f64) -> Result<(), muslin::curtain::CurtainError> {
        let end = start + h;
        for (panel, hand) in self.hands.iter().enumerate() {
            let tied: Vec<f64> = hand.ties.iter().map(|tie| tie.at(end)).collect();
            let (lead, offset) = (hand.lead.at(end), hand.offset.at(end));
            self.curtain.steer(panel, &Controls { lead, offset, tied: &tied });
        }
        let winds: Vec<Wind> = self.gusts.iter().filter_map(|gust| gust.wind(start)).collect();
        let obstacles: Vec<Obstacle> =
            self.parts.iter().filter_map(|part| obstacle(part, self.friction, end, h)).collect();
        let environment = Environment {
            gravity: self.gravity.at(start),
            winds: &winds,
            obstacles: &obstacles,
            time: start,
        };
        self.curtain.update(h, &environment)?;
        Ok(())
    }

    /// Adds energies and stretch as they are now, at `time` [s].
    pub fn measure(&self, time: f64, report: &mut FrameReport) {
        let kinetic = self.curtain.kinetic_energy();
        report.energy.kinetic = kinetic;
        report.energy.gravity = self.curtain.energy(self.gravity.at(time)) - kinetic;
        let x = self.curtain.positions();
        for layout in &self.layouts {
            let x = &x[layout.vertices.clone()];
            for ([a, b], length) in &layout.rods {
                let stretch = x[*a as usize].distance(x[*b as usize]) / length - 1.0;
                report.stretch_max = report.stretch_max.max(stretch);
            }
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
        let tops = self.layouts.iter().zip(&self.hands).filter(|(_, hand)| !hand.is_free);
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
        snapshot
    }

    /// Puts the state back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        let rings = snapshot.f64s("rings");
        let state = CurtainState {
            positions: vectors(snapshot, "nodes")?,
            velocities: vectors(snapshot, "node_velocities")?,
            rings: rings
                .ok_or_else(|| RunError::Snapshot("`rings` is missing".to_owned()))?
                .to_vec(),
        };
        self.curtain.restore(&state).map_err(|e| RunError::Snapshot(e.to_string()))
    }
}

/// The part at the end of a step of `h` [s], with its velocity.
fn obstacle(part: &Part, friction: f64, end: f64, h: f64) -> Option<Obstacle> {
    let before = part.pose(end - h).translation;
    Some(Obstacle {
        shape: shape(part, end)?,
        velocity: (part.pose(end).translation - before) / h,
        friction: part.friction.unwrap_or(friction),
    })
}

/// The part's shape at time `t` [s]; `None` for meshes, which curtains do not know.
fn shape(part: &Part, t: f64) -> Option<Shape> {
    let pose = part.pose(t);
    let center = pose.translation;
    Some(match part.shape {
        PartShape::Sphere { radius } => Shape::Sphere { center, radius },
        PartShape::Capsule { radius, half_length } => {
            let ends = [-half_length, half_length].map(|z| pose.apply(Vec3::Z * z));
            Shape::Capsule { ends, radius }
        }
        PartShape::Box { half_size } => {
            Shape::Box { center, half: half_size, rotation: pose.rotation }
        }
        PartShape::HalfSpace => Shape::Plane { point: center, normal: pose.rotation * Vec3::Z },
        PartShape::Handle | PartShape::Mesh(_) => return None,
    })
}
