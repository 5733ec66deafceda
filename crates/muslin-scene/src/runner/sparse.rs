//! The engine of sparse dynamics: one garment for each cloth, over a body of rigid parts (OS).

use super::bodies::BuiltBody;
use super::cloth::{self, Piece};
use super::engine::Engine;
use super::frame_report::{FrameReport, RealTimeReport};
use super::parts::{self, Part};
use super::snapshot::{flat, vectors};
use super::ties::Tie;
use super::weather::{self, Gust};
use super::{RunError, pins, select, ties};
use crate::cache::Snapshot;
use crate::keyframes::Keyed;
use crate::spec::{self, ContactMethod, Drawn, RestAngles, SceneSpec};
use muslin::finish::{CurvedSettings, FoldSide, Folds, Tessellation};
use muslin::force::air::Air;
use muslin::link::{Grab, Pull};
use muslin::math::Vec3;
use muslin::mesh::TriMesh;
use muslin::motion::{Motion, Pose};
use muslin::pin::Hold;
use muslin::sparse::{
    Attachment, BodyPart, Garment, GarmentSettings, GarmentSpec, GarmentState, Integrator,
    PartShape,
};
use muslin::wind::Blow;

/// Garments with what acts on them over time.
pub struct SparseEngine {
    garments: Vec<Worn>,
    /// The body's parts, then the handles that pins hold particles by.
    parts: Vec<Part>,
    gusts: Vec<Gust>,
    gravity: Keyed<Vec3>,
    drawn: Drawn,
    /// The garment and its particle that the pointer pulls (BW7).
    grabbed: Option<(usize, usize, Grab)>,
}

/// One garment, and what of it is saved.
struct Worn {
    garment: Garment,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// Particles that ride on a part, or are moved by a pin.
    held: Vec<u32>,
}

/// Builds the scene's cloths as garments.
pub fn build(scene: &SceneSpec, built: &[BuiltBody]) -> Result<(Vec<Piece>, Engine), RunError> {
    if scene.solver.contact == ContactMethod::Robust {
        let remedy = "use \"bounded\", which counts what it leaves, or dynamics = \"implicit\"";
        return Err(RunError::unsupported("solver", "robust contact of sparse dynamics", remedy));
    }
    let mut parts = parts::parts(built, scene)?;
    if scene.solver.contact == ContactMethod::None {
        for part in &mut parts {
            part.shape = PartShape::Handle;
        }
    }
    let (mut pieces, mut garments) = (Vec::new(), Vec::new());
    for spec in &scene.cloth {
        let place = format!("cloth `{}`", spec.name);
        ties::refuse(spec, &place)?;
        let (piece, _) = cloth::placed(spec, scene, &place)?;
        let attachments = attachments(spec, &piece, scene, &mut parts)?;
        let garment = garment(spec, &piece, scene, &attachments, &place)?;
        let held = attachments.iter().map(|attachment| attachment.particle).collect();
        let worn = Worn::new(garment, scene.sparse.drawn, held);
        pieces.push(worn.piece(spec, piece, scene.sparse.drawn, &place)?);
        garments.push(worn);
    }
    let engine = SparseEngine {
        garments,
        parts,
        gusts: weather::gusts(scene)?,
        gravity: scene.gravity.clone(),
        drawn: scene.sparse.drawn,
        grabbed: None,
    };
    Ok((pieces, Engine::Sparse(Box::new(engine))))
}

fn garment(
    spec: &spec::Cloth,
    piece: &Piece,
    scene: &SceneSpec,
    attachments: &[Attachment],
    place: &str,
) -> Result<Garment, RunError> {
    let fabric = cloth::fabric(&spec.fabric, scene, place)?;
    let keep_start_angles = match spec.rest_angles {
        RestAngles::Flat => false,
        RestAngles::RestShape => true,
        RestAngles::Painted(_) => {
            let remedy = "use \"flat\" or \"rest-shape\"";
            return Err(RunError::unsupported(place, "painted rest_angles here", remedy));
        }
    };
    let (sparse, air) = (&scene.sparse, &scene.air);
    let settings = GarmentSettings {
        integrator: match scene.solver.integrator {
            spec::Integrator::Rk4 => Integrator::Rk4,
            _ => Integrator::Euler,
        },
        step: scene.max_step(),
        stretch_limit: sparse.stretch_limit,
        limit_sweeps: sparse.limit_sweeps as usize,
        gravity: scene.gravity.at(0.0),
        air: Air {
            density: air.density,
            normal: air.drag.at(0.0),
            tangential: 0.0,
            lift: air.lift.at(0.0),
            wind: Vec3::ZERO,
        },
        thickness: fabric.thickness,
        self_distance: match scene.solver.contact {
            ContactMethod::None => 0.0,
            _ => 2.0 * fabric.thickness,
        },
        friction: fabric.friction_kinetic,
        drawn_margin: (sparse.margin > 0.0).then_some(sparse.margin),
        keep_start_angles,
        curved: curved(sparse),
    };
    let garment = GarmentSpec {
        density: fabric.density,
        stiffness: sparse.stiffness,
        bending: 0.5 * (fabric.bending[0] + fabric.bending[1]),
        damping: sparse.damping,
        attachments,
        settings,
        ..GarmentSpec::new(&piece.mesh, &piece.positions)
    };
    let mut garment = Garment::new(&garment).map_err(|e| RunError::part(place, e))?;
    let velocities = vec![spec.velocity; piece.positions.len()];
    let start = GarmentState { positions: piece.positions.clone(), velocities };
    garment.restore(&start).map_err(|e| RunError::part(place, e))?;
    Ok(garment)
}

fn curved(sparse: &spec::Sparse) -> CurvedSettings {
    CurvedSettings {
        tessellation: sparse.segments.map_or(Tessellation::Paper, Tessellation::Segments),
        normal_control: sparse.normal_control,
        folds: match sparse.folds {
            spec::Folds::None => Folds::None,
            spec::Folds::One => Folds::One,
            spec::Folds::Two => Folds::Two,
            spec::Folds::Four => Folds::Four,
        },
        side: match sparse.fold_side {
            spec::FoldSide::Normal => FoldSide::Normal,
            spec::FoldSide::Bending => FoldSide::Bending,
        },
        fold_guess: sparse.fold_guess,
        self_collision: sparse.fold_clearance,
    }
}

/// Particles that ride on a bone, on the nearest part of a body, or on a handle of their own.
fn attachments(
    spec: &spec::Cloth,
    piece: &Piece,
    scene: &SceneSpec,
    parts: &mut Vec<Part>,
) -> Result<Vec<Attachment>, RunError> {
    let mut attachments = Vec::new();
    for (number, pin) in spec.pin.iter().enumerate() {
        let place = format!("cloth `{}`, pin {number}", spec.name);
        if pins::hold(pin, &place)? != Hold::Point || pin.from.or(pin.until).is_some() {
            let what = "a pin with directions or a schedule in sparse dynamics";
            return Err(RunError::unsupported(&place, what, "hold the particles for good"));
        }
        let vertices = select::vertices(&pin.select, piece, &place)?;
        let holder = pin.on_body.as_deref();
        if holder.is_none() {
            let at = |v: &u32| piece.positions[*v as usize];
            let centre = pin
                .center
                .unwrap_or_else(|| vertices.iter().map(at).sum::<Vec3>() / vertices.len() as f64);
            let motion = pins::motion(pin, centre, &place)?;
            parts.push(handle(motion));
        }
        for particle in vertices {
            let x = piece.positions[particle as usize];
            let part = holder.map_or(parts.len() - 1, |name| nearest(parts, scene, name, x));
            let offset = parts[part].pose(0.0).inverse().apply(x);
            attachments.push(Attachment { particle, part, offset });
        }
    }
    Ok(attachments)
}

/// A part without a shape that only carries particles.
fn handle(motion: Motion) -> Part {
    Part {
        body: usize::MAX,
        bone: None,
        shape: PartShape::Handle,
        local: Pose::IDENTITY,
        motion,
        friction: None,
    }
}

/// The part of the body or bone called `name` that is nearest to `x` [m] at time 0.
fn nearest(parts: &[Part], scene: &SceneSpec, name: &str, x: Vec3) -> usize {
    let distance =
        |part: &Part| part.shape.distance(part.pose(0.0).inverse().apply(x), f64::INFINITY).0;
    let own = parts.iter().enumerate().filter(|(_, part)| {
        part.bone.as_deref() == Some(name)
            || scene.body.get(part.body).is_some_and(|body| body.name == name)
    });
    let found = own.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
    found.map_or(0, |(index, _)| index)
}

impl Worn {
    fn new(garment: Garment, drawn: Drawn, held: Vec<u32>) -> Self {
        let mut worn = Self { garment, positions: Vec::new(), velocities: Vec::new(), held };
        worn.positions = worn.shown(drawn).to_vec();
        // Nothing has moved yet: what is drawn starts with the velocity of the cloth.
        let start = worn.garment.state().velocities.first().copied().unwrap_or(Vec3::ZERO);
        worn.velocities = vec![start; worn.positions.len()];
        worn
    }

    fn shown(&self, drawn: Drawn) -> &[Vec3] {
        match drawn {
            Drawn::Curved => self.garment.positions(),
            Drawn::Coarse => self.garment.particles(),
        }
    }

    /// The piece of cloth as it is saved.
    fn piece(
        &self,
        spec: &spec::Cloth,
        coarse: Piece,
        drawn: Drawn,
        place: &str,
    ) -> Result<Piece, RunError> {
        if drawn == Drawn::Coarse {
            return Ok(coarse);
        }
        let garment = &self.garment;
        let (triangles, uv) = (garment.triangles().to_vec(), garment.uv().to_vec());
        let mesh = TriMesh::new(self.positions.len(), triangles, uv)
            .map_err(|e| RunError::part(place, e))?;
        Ok(cloth::piece(spec, mesh, self.positions.clone(), None))
    }

    /// Takes over what is drawn after a frame of `dt` [s].
    fn show(&mut self, drawn: Drawn, dt: f64) {
        let now = match drawn {
            Drawn::Curved => self.garment.positions(),
            Drawn::Coarse => self.garment.particles(),
        };
        for ((x, v), now) in self.positions.iter_mut().zip(&mut self.velocities).zip(now) {
            *v = (*now - *x) / dt;
            *x = *now;
        }
    }
}

impl SparseEngine {
    /// Advances over the times `span` [s] of one frame.
    pub fn advance(
        &mut self,
        frame: u64,
        span: [f64; 2],
        pieces: &[Piece],
    ) -> Result<FrameReport, RunError> {
        if self.garments.iter().any(|worn| worn.garment.can_share()) {
            // Inside the thread pool, where garments share the work.
            return rayon::scope(|_| self.advance_here(frame, span, pieces));
        }
        self.advance_here(frame, span, pieces)
    }

    fn advance_here(
        &mut self,
        frame: u64,
        span: [f64; 2],
        pieces: &[Piece],
    ) -> Result<FrameReport, RunError> {
        let dt = span[1] - span[0];
        let body: Vec<BodyPart> = self.parts.iter().map(|part| moved(part, span)).collect();
        let blows: Vec<Blow> = self.gusts.iter().filter_map(|gust| gust.at(span[0])).collect();
        let gravity = self.gravity.at(span[0]);
        let mut report = FrameReport::default();
        let mut real_time = RealTimeReport::default();
        for (k, (worn, piece)) in self.garments.iter_mut().zip(pieces).enumerate() {
            let grabbed = self.grabbed.as_ref().filter(|(own, ..)| *own == k);
            worn.garment.set_pull(grabbed.map(|(_, i, grab)| (*i, Pull::of(grab, span[0], dt))));
            worn.garment.set_gusts(|x| blows.iter().map(|blow| blow.velocity(x)).sum());
            worn.garment.set_gravity(gravity);
            let done = worn.garment.update(dt, &body).map_err(|error| RunError::Engine {
                frame,
                place: format!("cloth `{}`", piece.name),
                message: error.to_string(),
            })?;
            report.steps = report.steps.max(done.steps as u32);
            report.seconds.solve += done.integration;
            report.seconds.collision += done.collision;
            report.seconds.other += done.smoothing;
            real_time.add_sparse(done);
            worn.show(self.drawn, dt);
        }
        report.smallest_step = dt / f64::from(report.steps.max(1));
        report.contact.near = real_time.body_contacts;
        report.real_time = Some(real_time);
        Ok(report)
    }

    /// Has the pointer pull the free particle nearest to what it holds, or nothing (BW7).
    pub fn point(&mut self, grabbed: Option<Tie<Grab>>) {
        let before = self.grabbed.take();
        self.grabbed = grabbed.and_then(|Tie { piece, link, .. }| {
            let same =
                |(own, _, grab): &&(usize, usize, Grab)| *own == piece && grab.point == link.point;
            if let Some((_, particle, _)) = before.as_ref().filter(same) {
                return Some((piece, *particle, link));
            }
            let worn = self.garments.get(piece)?;
            let place = *worn.positions.get(link.point.vertices[0] as usize)?;
            let particles = worn.garment.particles().iter().enumerate();
            let free = particles.filter(|(i, _)| !worn.held.contains(&(*i as u32)));
            let near = |x: &Vec3| x.distance_squared(place);
            let (nearest, _) = free.min_by(|(_, a), (_, b)| near(a).total_cmp(&near(b)))?;
            Some((piece, nearest, link))
        });
    }

    /// Adds energies and stretch as they are now.
    pub fn measure(&self, report: &mut FrameReport) {
        for worn in &self.garments {
            report.energy.kinetic += worn.garment.kinetic_energy();
            let mesh = worn.garment.surface().mesh();
            let x = worn.garment.particles();
            for (e, edge) in mesh.topology().edges().iter().enumerate() {
                let [a, b] = edge.vertices.map(|v| x[v as usize]);
                let stretch = a.distance(b) / mesh.rest_length(e) - 1.0;
                report.stretch_max = report.stretch_max.max(stretch);
            }
        }
    }

    /// Positions of what is saved [m].
    pub fn positions(&self) -> Vec<Vec3> {
        self.garments.iter().flat_map(|worn| &worn.positions).copied().collect()
    }

    /// Velocities of what is saved [m/s].
    pub fn velocities(&self) -> Vec<Vec3> {
        self.garments.iter().flat_map(|worn| &worn.velocities).copied().collect()
    }

    /// Particles that are held, numbered over all that is saved.
    pub fn held(&self) -> impl Iterator<Item = usize> {
        let firsts = self.garments.iter().scan(0, |next, worn| {
            let first = *next;
            *next += worn.positions.len();
            Some(first)
        });
        let all = self.garments.iter().zip(firsts);
        all.flat_map(|(worn, first)| worn.held.iter().map(move |v| first + *v as usize))
    }

    /// Edges between the particles of garment `m`, with their rest lengths [m]. Particles are the
    /// first vertices of the drawn surface.
    pub fn edges(&self, m: usize) -> Vec<([u32; 2], f64)> {
        let mesh = self.garments[m].garment.surface().mesh();
        let edges = mesh.topology().edges().iter().enumerate();
        edges.map(|(e, edge)| (edge.vertices, mesh.rest_length(e))).collect()
    }

    /// Everything the next step reads (R3), and what is drawn, from which velocities are made.
    pub fn save(&self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for (k, worn) in self.garments.iter().enumerate() {
            let state = worn.garment.state();
            snapshot.push(format!("x_{k}"), flat(&state.positions));
            snapshot.push(format!("v_{k}"), flat(&state.velocities));
            snapshot.push(format!("drawn_{k}"), flat(&worn.positions));
            snapshot.push(format!("drawn_v_{k}"), flat(&worn.velocities));
        }
        snapshot
    }

    /// Puts the state back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        for (k, worn) in self.garments.iter_mut().enumerate() {
            let state = GarmentState {
                positions: vectors(snapshot, &format!("x_{k}"))?,
                velocities: vectors(snapshot, &format!("v_{k}"))?,
            };
            let positions = vectors(snapshot, &format!("drawn_{k}"))?;
            let velocities = vectors(snapshot, &format!("drawn_v_{k}"))?;
            let expected = worn.positions.len();
            if positions.len() != expected || velocities.len() != expected {
                let message = format!("`drawn_{k}` has other than {expected} vertices");
                return Err(RunError::Snapshot(message));
            }
            worn.garment.restore(&state).map_err(|e| RunError::Snapshot(e.to_string()))?;
            (worn.positions, worn.velocities) = (positions, velocities);
        }
        Ok(())
    }
}

/// The part as it is at the end of `span` [s], having moved there since its start.
fn moved(part: &Part, span: [f64; 2]) -> BodyPart {
    let mut moved = BodyPart::still(part.shape.clone(), part.pose(span[0]));
    moved.move_to(part.pose(span[1]), span[1] - span[0]);
    moved
}
