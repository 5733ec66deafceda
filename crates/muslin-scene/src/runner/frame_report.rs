//! What a frame took, summed over its steps.

use super::dress::DressReport;
use super::force_report::ForceReport;
use super::islands::{Island, Stock};
use muslin::math::Vec3;
use muslin::report::{Energy, Seconds, StepReport};
use serde::Serialize;

/// What happened on the way to a frame. Everything here is the same for the same scene on any machine,
/// except `seconds`, which is left out when written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FrameReport {
    /// Frame number.
    pub frame: u64,
    /// Time [s].
    pub time: f64,
    /// Steps taken.
    pub steps: u32,
    /// Steps thrown away (BW14).
    pub rejected_steps: u32,
    /// Smallest step [s].
    pub smallest_step: f64,
    /// Longest step of explicit elastic forces [s]; absent for implicit dynamics (MF1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stable_step: Option<f64>,
    /// Linear solves.
    pub solves: u32,
    /// Conjugate-gradient iterations.
    pub iterations: u32,
    /// Most iterations of one solve.
    pub iterations_max: u32,
    /// Largest relative residual a solve ended with.
    pub residual: f64,
    /// Solves that ran out of iterations.
    pub unconverged: u32,
    /// Largest edge length ÷ rest length − 1.
    pub stretch_max: f64,
    /// Edges the strain limit acted on, in all steps.
    pub limited_edges: u32,
    /// Energy given (positive) or taken by strain limits [J].
    pub strain_limit_work: f64,
    /// Contact.
    pub contact: ContactReport,
    /// Vertices that lie in bodies at the end of the frame, because bodies leave them no room; numbered
    /// over all cloths (R1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pinched_vertices: Vec<u32>,
    /// Vertices that moved in rigid zones in any step of the frame; numbered over all cloths, sorted (R10).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zoned_vertices: Vec<u32>,
    /// What real-time dynamics did and left undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real_time: Option<RealTimeReport>,
    /// Energies at the end of the frame [J].
    pub energy: EnergyReport,
    /// Sum of the forces on all pins at the end of the frame [N].
    pub pin_force: [f64; 3],
    /// What holds the cloth at the end of the frame [N].
    pub forces: ForceReport,
    /// How the cloth was dressed before frame 0; of frame 0 only, and only if it was sewn (BW15).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dressing: Option<DressReport>,
    /// Seconds per stage.
    #[serde(skip)]
    pub seconds: Seconds,
}

/// Contact over the steps of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ContactReport {
    /// Most pairs closer than their thickness in any step.
    pub near: u64,
    /// Pairs pushed apart, in all steps.
    pub repulsions: u64,
    /// Collisions stopped, in all steps.
    pub impulses: u64,
    /// Most passes of collision detection in any step.
    pub passes: u64,
    /// Rigid zones, in all steps.
    pub zones: u64,
    /// Most vertices in rigid zones in any step.
    pub zone_vertices: u64,
    /// Most vertices caught between bodies in any step.
    pub pinched: u64,
    /// Most pairs of cloth triangles that cross since the start in any step.
    pub tangled: u64,
    /// Kinetic energy taken by impulses and friction [J].
    pub energy_taken: f64,
    /// Kinetic energy given by thickness springs [J].
    pub spring_energy: f64,
}

/// What real-time dynamics did in a frame, and what its bounded passes left undone (XU7, OS3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RealTimeReport {
    /// Steps the frame was divided into.
    pub substeps: u64,
    /// Largest distance of neighbouring columns over the width of their cloth, minus 1 (XU6).
    pub width_excess: f64,
    /// Pairs of features given to the exact test.
    pub pairs_tested: u64,
    /// Contacts between layers of cloth.
    pub contacts: u64,
    /// Contacts found but not treated, because the buffer was full.
    pub contacts_dropped: u64,
    /// Pairs still touching or crossing after the last pass.
    pub contacts_left: u64,
    /// Zones moved as one.
    pub zones: u64,
    /// Particles, vertices and faces moved out of bodies.
    pub body_contacts: u64,
    /// Vertices still inside a body after the last pass.
    pub inside: u64,
    /// Edges still inside a body between ends that are outside.
    pub edges_inside: u64,
    /// Corners of boxes that still reach through the middle of a triangle.
    pub corners_inside: u64,
    /// How deep the deepest of these is [m]; of sparse cloth it is not measured.
    pub deepest: f64,
    /// By how much the length of the worst rod of a column is wrong at the end of the frame, as a share of it
    /// (V8): rounding, except with robust contact.
    pub rod_error: f64,
    /// Farthest that robust contact took a vertex from where the curtain wanted it [m].
    pub displaced: f64,
    /// Edges found too long and pulled together (OS2).
    pub long_edges: u64,
    /// Edges drawn with a fold (OS6).
    pub folds: u64,
    /// Faces drawn flatter, because they would cross others (OS8).
    pub flattened: u64,
}

/// Energies [J].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EnergyReport {
    /// Motion.
    pub kinetic: f64,
    /// Stretch and shear.
    pub membrane: f64,
    /// Bending.
    pub bend: f64,
    /// Height above the origin.
    pub gravity: f64,
}

impl FrameReport {
    /// Adds a step.
    pub fn add(&mut self, step: &StepReport) {
        self.steps += 1;
        self.rejected_steps += step.rejected;
        let first = self.steps == 1;
        self.smallest_step = if first { step.dt } else { self.smallest_step.min(step.dt) };
        self.stable_step = match (self.stable_step, step.stable_step) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.solves += step.solves.len() as u32;
        for solve in &step.solves {
            self.iterations += solve.iterations as u32;
            self.iterations_max = self.iterations_max.max(solve.iterations as u32);
            self.residual = self.residual.max(solve.residual);
            self.unconverged += u32::from(!solve.converged);
        }
        self.limited_edges += step.strain.edges as u32;
        self.strain_limit_work += step.strain.work;
        self.contact.add(&step.contact);
        self.seconds.add(&step.seconds);
    }

    /// Adds vertices that moved in rigid zones in a step.
    pub fn add_zoned(&mut self, vertices: &[u32]) {
        if !vertices.is_empty() {
            self.zoned_vertices.extend(vertices);
            self.zoned_vertices.sort_unstable();
            self.zoned_vertices.dedup();
        }
    }

    /// Adds what an island's last step of the frame says about forces.
    pub fn add_forces(&mut self, island: &Island, stock: &Stock, step: &StepReport) {
        self.forces.add(island, stock, step);
        let on_pins = self.forces.pins.iter().map(|pin| Vec3::from_array(pin.force));
        self.pin_force = on_pins.sum::<Vec3>().to_array();
    }

    /// Adds the energies of one island.
    pub fn add_energy(&mut self, energy: &Energy) {
        self.energy.kinetic += energy.kinetic;
        self.energy.membrane += energy.membrane;
        self.energy.bend += energy.bend;
        self.energy.gravity += energy.gravity;
    }
}

impl RealTimeReport {
    /// Adds a step of a curtain.
    pub fn add_curtain(&mut self, step: &muslin::curtain::Report) {
        self.substeps += step.substeps as u64;
        self.width_excess = self.width_excess.max(step.width_excess);
        self.pairs_tested += step.pairs_tested as u64;
        self.contacts += step.contacts as u64;
        self.contacts_dropped += step.contacts_dropped as u64;
        self.contacts_left += step.contacts_left as u64;
        self.zones += step.zones as u64;
        self.body_contacts += step.obstacle_contacts as u64;
        self.inside += step.vertices_inside as u64;
        self.edges_inside += step.edges_inside as u64;
        self.corners_inside += step.corners_inside as u64;
        self.deepest = self.deepest.max(step.deepest);
    }

    /// Adds a frame of a sparse garment.
    pub fn add_sparse(&mut self, frame: &muslin::sparse::Report) {
        self.substeps = self.substeps.max(frame.steps as u64);
        self.body_contacts += (frame.vertex_contacts + frame.face_contacts) as u64;
        self.contacts += frame.self_contacts as u64;
        self.contacts_dropped += frame.self_left_out as u64;
        self.contacts_left += frame.curved.crossing as u64;
        self.flattened += frame.curved.flattened as u64;
        self.inside += frame.drawn.inside as u64;
        self.long_edges += frame.long_edges as u64;
        self.folds += frame.curved.folded as u64;
    }
}

impl ContactReport {
    /// Adds a step.
    pub fn add(&mut self, step: &muslin::report::ContactCounts) {
        self.near = self.near.max(step.near as u64);
        self.repulsions += step.repulsions as u64;
        self.impulses += step.impulses as u64;
        self.passes = self.passes.max(step.passes as u64);
        self.zones += step.zones as u64;
        self.zone_vertices = self.zone_vertices.max(step.zone_vertices as u64);
        self.pinched = self.pinched.max(step.pinched as u64);
        self.tangled = self.tangled.max(step.tangled as u64);
        self.energy_taken += step.energy_taken;
        self.spring_energy += step.spring_energy;
    }
}
