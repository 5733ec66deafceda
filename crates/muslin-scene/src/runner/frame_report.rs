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
    /// Linear solves.
    pub solves: u32,
    /// Conjugate-gradient iterations.
    pub iterations: u32,
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
    /// Kinetic energy taken by impulses and friction [J].
    pub energy_taken: f64,
    /// Kinetic energy given by thickness springs [J].
    pub spring_energy: f64,
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
        self.solves += step.solves.len() as u32;
        for solve in &step.solves {
            self.iterations += solve.iterations as u32;
            self.residual = self.residual.max(solve.residual);
            self.unconverged += u32::from(!solve.converged);
        }
        self.limited_edges += step.strain.edges as u32;
        self.strain_limit_work += step.strain.work;
        self.contact.add(&step.contact);
        self.seconds.add(&step.seconds);
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

impl ContactReport {
    fn add(&mut self, step: &muslin::report::ContactCounts) {
        self.near = self.near.max(step.near as u64);
        self.repulsions += step.repulsions as u64;
        self.impulses += step.impulses as u64;
        self.passes = self.passes.max(step.passes as u64);
        self.zones += step.zones as u64;
        self.zone_vertices = self.zone_vertices.max(step.zone_vertices as u64);
        self.pinched = self.pinched.max(step.pinched as u64);
        self.energy_taken += step.energy_taken;
        self.spring_energy += step.spring_energy;
    }
}
