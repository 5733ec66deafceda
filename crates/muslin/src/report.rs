//! What a step did: counts, residuals, energies and seconds per stage, in every run.

use crate::collide::surface::Pair;
use crate::linalg::Solve;
use crate::link::Source;
use crate::math::Vec3;
use crate::strain_limit::Limited;

/// Energies of the cloth \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Motion.
    pub kinetic: f64,
    /// Stretch and shear.
    pub membrane: f64,
    /// Bending.
    pub bend: f64,
    /// Height, zero at the origin.
    pub gravity: f64,
}

impl Energy {
    /// Sum of all kinds.
    pub fn total(&self) -> f64 {
        self.kinetic + self.membrane + self.bend + self.gravity
    }
}

/// Seconds spent in each stage of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Linearising and assembling forces (BW16: EVAL).
    pub assembly: f64,
    /// Conjugate gradients (BW16: CG).
    pub solve: f64,
    /// Strain limits.
    pub strain: f64,
    /// Finding what is near.
    pub proximity: f64,
    /// Repulsion and friction.
    pub repulsion: f64,
    /// Continuous collisions, impulses and zones.
    pub collision: f64,
    /// Everything else.
    pub other: f64,
}

impl Seconds {
    /// Stage names and values, in the order of the step.
    pub fn stages(&self) -> [(&'static str, f64); 7] {
        [
            ("assembly", self.assembly),
            ("solve", self.solve),
            ("strain", self.strain),
            ("proximity", self.proximity),
            ("repulsion", self.repulsion),
            ("collision", self.collision),
            ("other", self.other),
        ]
    }

    /// Sum over all stages \[s\].
    pub fn total(&self) -> f64 {
        self.stages().iter().map(|(_, seconds)| seconds).sum()
    }

    /// Adds another step's seconds.
    pub fn add(&mut self, other: &Self) {
        self.assembly += other.assembly;
        self.solve += other.solve;
        self.strain += other.strain;
        self.proximity += other.proximity;
        self.repulsion += other.repulsion;
        self.collision += other.collision;
        self.other += other.other;
    }
}

/// What contact did in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactCounts {
    /// Pairs closer than their thickness at the start of the step.
    pub near: usize,
    /// Pairs pushed apart.
    pub repulsions: usize,
    /// Collisions stopped by impulses.
    pub impulses: usize,
    /// Passes over all moving pairs.
    pub passes: usize,
    /// Rigid zones.
    pub zones: usize,
    /// Vertices held in rigid zones.
    pub zone_vertices: usize,
    /// Vertices caught between bodies, where cloth may enter a body.
    pub pinched: usize,
    /// Pairs of cloth triangles that cross since the start.
    pub tangled: usize,
    /// Kinetic energy taken by normal and friction impulses \[J\]; never negative for free cloth.
    pub energy_taken: f64,
    /// Kinetic energy given by thickness springs \[J\].
    pub spring_energy: f64,
}

impl ContactCounts {
    /// Adds another step: sums of what was done, and the most of what there was.
    pub fn add(&mut self, step: &Self) {
        self.near = self.near.max(step.near);
        self.repulsions += step.repulsions;
        self.impulses += step.impulses;
        self.passes = self.passes.max(step.passes);
        self.zones += step.zones;
        self.zone_vertices = self.zone_vertices.max(step.zone_vertices);
        self.pinched = self.pinched.max(step.pinched);
        self.tangled = self.tangled.max(step.tangled);
        self.energy_taken += step.energy_taken;
        self.spring_energy += step.spring_energy;
    }

    /// Adds the vertices and pairs that contact has let go; some of the vertices may be counted already.
    pub fn count_loose(&mut self, (pinched, tangled): (usize, usize)) {
        self.pinched = self.pinched.max(pinched);
        self.tangled = tangled;
    }
}

/// What one step did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Time at the end of the step \[s\].
    pub time: f64,
    /// Length of the step \[s\].
    pub dt: f64,
    /// Steps thrown away before this one succeeded (BW14).
    pub rejected: u32,
    /// Largest change of a triangle's stretch \[-\] (BW14).
    pub stretch_change: f64,
    /// Longest step of explicit elastic forces \[s\]; `None` for implicit dynamics (MF1).
    pub stable_step: Option<f64>,
    /// Linear solves: at least one per stage of the integrator.
    pub solves: Vec<Solve>,
    /// Force on every held vertex \[N\] (BW9).
    pub pin_forces: Vec<(u32, Vec3)>,
    /// Force of bodies on every vertex that touches one \[N\] (BW9, BW11).
    /// Vertices between two bodies are listed twice.
    pub contact_forces: Vec<(u32, Vec3)>,
    /// Force between every pair of features in contact, on the first of them \[N\] (BW12).
    pub pair_forces: Vec<(Pair, Vec3)>,
    /// Force of every spring on its first vertex \[N\] (BW7, BW15, MF9).
    pub link_forces: Vec<(Source, u32, Vec3)>,
    /// Strain limiting.
    pub strain: Limited,
    /// Contact.
    pub contact: ContactCounts,
    /// Vertices that moved in rigid zones (R10).
    pub zoned: Vec<u32>,
    /// Seconds per stage.
    pub seconds: Seconds,
}
