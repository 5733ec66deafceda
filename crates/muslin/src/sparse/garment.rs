//! The garment: particles, body and surface together.

mod access;
mod stiffness;

use super::body_part::{BodyPart, Placed};
use super::collision::{Collider, FaceLooks, Particles};
use super::drawn_nearness::DrawnNearness;
use super::edge_limit::EdgeLimit;
use super::integrate::Stages;
use super::keep_apart::KeepApart;
use super::nearness::{NearParts, Nearness, REACH};
use super::report::Report;
use super::spec::{Attachment, GarmentError, GarmentSettings, GarmentSpec, check, check_start};
use super::springs::Springs;
use crate::clock;
use crate::collide::aabb::Aabb;
use crate::finish::{Clearance, CurvedFaces, PushedOut};
use crate::link::Pull;
use crate::math::Vec3;
use crate::share::Share;
use stiffness::springs;

/// Longest frame \[s\].
const LONGEST_FRAME: f64 = 1.0;
/// A fast body may multiply the steps of a frame by this at most.
const MOST_EXTRA_STEPS: usize = 8;

/// Rounds of edge limits and contacts at the end of a step with contacts, at most.
const SETTLING: usize = 8;
/// Particles from which on the threads of the caller's pool share the work of a frame.
pub const MANY_PARTICLES: usize = 400;
/// Part of the margin that points between drawn vertices keep \[-\].
const BETWEEN: f64 = 0.75;

/// Everything that changes from frame to frame, for checkpoints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GarmentState {
    /// Positions of the particles \[m\].
    pub positions: Vec<Vec3>,
    /// Velocities of the particles \[m/s\].
    pub velocities: Vec<Vec3>,
}

/// A garment of few particles with its smooth surface.
#[derive(Clone, Debug)]
pub struct Garment {
    settings: GarmentSettings,
    attachments: Vec<Attachment>,
    springs: Springs,
    edge_limit: EdgeLimit,
    apart: KeepApart,
    surface: CurvedFaces,
    state: GarmentState,
    undo: GarmentState,
    before: Vec<Vec3>,
    stages: Stages,
    /// Parts when a step begins and when it ends.
    placed: [Vec<Placed>; 2],
    /// Parts that are near enough to matter.
    near: Vec<usize>,
    nearness: Nearness,
    looks: FaceLooks,
    drawn_nearness: DrawnNearness,
    /// The particle that a pointer pulls (BW7).
    pull: Option<(usize, Pull)>,
    report: Report,
}

impl Garment {
    /// Checks a specification and builds everything a frame needs.
    pub fn new(spec: &GarmentSpec) -> Result<Self, GarmentError> {
        check(spec)?;
        let settings = spec.settings;
        let surface = CurvedFaces::new(spec.mesh, spec.positions, settings.curved)?;
        check_start(spec)?;
        let state = GarmentState {
            positions: spec.positions.to_vec(),
            velocities: vec![Vec3::ZERO; spec.positions.len()],
        };
        let springs = springs(spec)?;
        let (stretch, sweeps) = (settings.stretch_limit, settings.limit_sweeps);
        Ok(Self {
            edge_limit: EdgeLimit::new(&springs, stretch, sweeps),
            apart: KeepApart::new(spec.mesh, spec.positions, settings.self_distance),
            springs,
            attachments: spec.attachments.to_vec(),
            stages: Stages::new(spec.positions.len()),
            undo: state.clone(),
            before: spec.positions.to_vec(),
            placed: [Vec::new(), Vec::new()],
            near: Vec::new(),
            nearness: Nearness::default(),
            looks: FaceLooks::new(spec.positions, spec.mesh.triangles().len()),
            pull: None,
            report: Report::default(),
            settings,
            drawn_nearness: DrawnNearness::new(surface.owners(), spec.positions.len()),
            surface,
            state,
        })
    }

    /// Advances by a frame of `dt` \[s\], at whose end the body is as given, and draws the surface.
    ///
    /// On an error the garment is as before the call.
    pub fn update(&mut self, dt: f64, body: &[BodyPart]) -> Result<&Report, GarmentError> {
        let steps = self.check_frame(dt, body)?;
        let share = Share::if_enough(self.state.positions.len() >= MANY_PARTICLES);
        share.awake(|| self.frame(dt, steps, body, share))?;
        Ok(&self.report)
    }

    /// A frame of so many steps.
    fn frame(
        &mut self,
        dt: f64,
        steps: usize,
        body: &[BodyPart],
        share: Share,
    ) -> Result<(), GarmentError> {
        self.undo.positions.copy_from_slice(&self.state.positions);
        self.undo.velocities.copy_from_slice(&self.state.velocities);
        self.report = Report { steps, ..Report::default() };
        place(&mut self.placed[1], body, dt);
        self.near.clear();
        self.near.reserve(body.len());
        self.nearness.begin(self.state.positions.len(), body.len());
        self.looks.begin_frame(body.len());
        (self.nearness.share, self.apart.share) = (share, share);
        let h = dt / steps as f64;
        let clock = clock::start();
        let GarmentState { positions, velocities } = &self.state;
        self.report.self_left_out = self.apart.gather(positions, velocities, dt);
        self.report.collision += clock.seconds();
        for step in 1..=steps {
            self.placed.swap(0, 1);
            let ahead = h * (steps - step) as f64;
            place(&mut self.placed[1], body, ahead);
            let span = [(step - 1) as f64 / steps as f64, step as f64 / steps as f64];
            self.step(h, ahead, body, span);
        }
        if let Err(error) = self.check_particles().and_then(|()| self.draw(body)) {
            std::mem::swap(&mut self.state, &mut self.undo);
            return Err(error);
        }
        Ok(())
    }

    /// One step: forces and long edges, then collisions. `ahead` \[s\] is what remains of the frame after it, and
    /// `span` \[-\] the parts of the frame that are done before and after it.
    fn step(&mut self, h: f64, ahead: f64, body: &[BodyPart], span: [f64; 2]) {
        let mut clock = clock::start();
        self.integrate(h, ahead);
        self.report.integration += clock.lap();
        self.collide(h, body, span);
        self.report.collision += clock.lap();
    }

    /// Forces, what is attached or pulled, and long edges.
    fn integrate(&mut self, h: f64, ahead: f64) {
        let Self { settings, springs, edge_limit, stages, placed, report, before, .. } = self;
        let GarmentState { positions: x, velocities: v } = &mut self.state;
        before.copy_from_slice(x);
        for a in &self.attachments {
            let i = a.particle as usize;
            v[i] = (placed[1][a.part].world(a.offset) - x[i]) / h;
        }
        stages.step(settings.integrator, springs, x, v, h);
        if let Some((i, pull)) = self.pull.filter(|(i, _)| springs.inverse_masses[*i] > 0.0) {
            let after = pull.before(ahead).velocity_after(before[i], v[i], springs.masses[i], h);
            x[i] += (after - v[i]) * h;
            v[i] = after;
        }
        for a in &self.attachments {
            x[a.particle as usize] = placed[1][a.part].world(a.offset);
        }
        report.long_edges += edge_limit.apply(x, v, h);
    }

    /// Collisions with itself and the body; edges that they made long, and what is inside the body then.
    fn collide(&mut self, h: f64, body: &[BodyPart], span: [f64; 2]) {
        let Self {
            settings,
            springs,
            edge_limit,
            apart,
            placed,
            near,
            nearness,
            looks,
            before,
            ..
        } = self;
        let GarmentState { positions: x, velocities: v } = &mut self.state;
        let way = Aabb::around(before.iter().chain(x.iter()).copied());
        find_near(near, &way.grown(REACH), &placed[0], &placed[1]);
        let parts = NearParts { parts: body, near, before: &placed[0], now: &placed[1] };
        let (thickness, friction) = (settings.thickness, settings.friction);
        let collider = Collider { body: parts, thickness, friction };
        let mut cloth = Particles { before, x, v, inverse_masses: &springs.inverse_masses };
        self.report.self_left_out += apart.begin(&cloth, span);
        let pushed = apart.apply(&mut cloth);
        let triangles = self.surface.mesh().triangles();
        collider.measure(&cloth, triangles, nearness);
        let met = collider.vertices(&mut cloth, nearness);
        looks.begin(cloth.x);
        collider.look_ahead(&cloth, triangles, nearness, looks);
        let moved = collider.faces(&mut cloth, triangles, nearness, looks);
        if pushed + met + moved > 0 && edge_limit.is_exceeded(cloth.x) {
            // Edges come before friction, which would hold them long.
            let smooth = Collider { friction: 0.0, ..collider };
            for _ in 0..SETTLING {
                if edge_limit.tighten(cloth.x, cloth.v, h) == 0 {
                    break;
                }
                apart.apply(&mut cloth);
                smooth.faces_again(&mut cloth, triangles, nearness, looks);
                smooth.vertices(&mut cloth, nearness);
            }
            // Lengths have the last word: what is drawn is pushed out of the body, not shortened.
            for _ in 0..SETTLING {
                if edge_limit.tighten(cloth.x, cloth.v, h) == 0 {
                    break;
                }
            }
        }
        self.report.self_contacts += pushed;
        self.report.vertex_contacts += met;
        self.report.face_contacts += moved;
    }

    /// The smooth surface, out of the body.
    fn draw(&mut self, body: &[BodyPart]) -> Result<(), GarmentError> {
        let clock = clock::start();
        let x = &self.state.positions;
        let (placed, near) = (&self.placed[1], &mut self.near);
        let nearness = &mut self.drawn_nearness;
        let roundness = body.iter().map(|p| p.shape.roundness()).fold(1.0, f64::min);
        let side = self.surface.nominal_side();
        let margin = self.settings.drawn_margin;
        nearness.begin(body.len(), Share::if_enough(self.surface.can_share()));
        let mut again = false;
        self.report.drawn = self.surface.update_with(x, |positions, triangles| {
            let Some(margin) = margin else { return PushedOut::default() };
            // Twice the usual side, for what folds and patches draw out.
            let side = 2.0 * side;
            let clearance = Clearance { margin, between: BETWEEN * margin, roundness, side };
            let bounds = Aabb::around(positions.iter().copied()).grown(clearance.reach());
            find_near(near, &bounds, placed, placed);
            let parts = NearParts { parts: body, near, before: placed, now: placed };
            nearness.measure(&parts, positions, clearance.reach(), again);
            again = true;
            nearness.push_out(&parts, positions, triangles, clearance)
        })?;
        self.report.curved = self.surface.counts();
        let stretch = |([a, b], rest): ([usize; 2], f64)| x[a].distance(x[b]) / rest - 1.0;
        self.report.stretch = self.springs.edges().map(stretch).fold(-1.0, f64::max);
        self.report.smoothing = clock.seconds();
        Ok(())
    }

    /// Steps a frame needs: none longer than the setting, and none in which a part could pass.
    fn check_frame(&self, dt: f64, body: &[BodyPart]) -> Result<usize, GarmentError> {
        if !(dt > 0.0 && dt <= LONGEST_FRAME) {
            let range = "positive and at most 1 s";
            return Err(GarmentError::OutOfRange { what: "the frame time", range, value: dt });
        }
        if let Some(part) = body.iter().position(|part| !part.is_valid()) {
            return Err(GarmentError::BadPart { part });
        }
        if let Some(a) = self.attachments.iter().find(|a| a.part >= body.len()) {
            return Err(GarmentError::NoSuchPart { part: a.part, count: body.len() });
        }
        // A hair less, so that 1/30 s is three steps of 1/90 s whatever the rounding.
        let steps = (dt / self.settings.step - 1e-9).ceil().max(1.0) as usize;
        // What cannot come near does not count, however fast it is.
        let GarmentState { positions, velocities } = &self.state;
        let ways = positions.iter().zip(velocities).flat_map(|(x, v)| [*x, *x + *v * dt]);
        let way = Aabb::around(ways).grown(REACH);
        let passes = |part: &BodyPart| {
            let swept = part.placed(dt).bounds.union(&part.placed(0.0).bounds);
            let speed = if way.overlaps(&swept) { part.top_speed() } else { 0.0 };
            0.5 * speed * dt / part.shape.half_thickness()
        };
        let fastest = body.iter().map(passes).fold(0.0, f64::max).ceil();
        Ok(steps.max((fastest as usize).min(MOST_EXTRA_STEPS * steps)))
    }

    fn check_particles(&self) -> Result<(), GarmentError> {
        let GarmentState { positions, velocities } = &self.state;
        let bad = positions.iter().zip(velocities).position(|(x, v)| !(*x + *v).is_finite());
        bad.map_or(Ok(()), |particle| Err(GarmentError::Diverged { particle }))
    }
}

fn place(out: &mut Vec<Placed>, body: &[BodyPart], before: f64) {
    out.clear();
    out.extend(body.iter().map(|part| part.placed(before)));
}

/// Fills `out` with the parts whose boxes, before and now, reach into `bounds`.
fn find_near(out: &mut Vec<usize>, bounds: &Aabb, before: &[Placed], now: &[Placed]) {
    out.clear();
    let swept = before.iter().zip(now).map(|(a, b)| a.bounds.union(&b.bounds)).enumerate();
    out.extend(swept.filter(|(_, swept)| bounds.overlaps(swept)).map(|(k, _)| k));
}

#[cfg(test)]
mod tests;
