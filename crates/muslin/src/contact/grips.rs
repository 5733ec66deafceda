//! Everything in contact during one solve, and what is remembered of it for the next.

use super::clutch::Clutch;
use super::touch::{self, Grip, Touch, Touching};
use crate::collide::surface::Pair;
use crate::linalg::Coupling;
use crate::math::Vec3;
use crate::pin::StepHold;

/// What contact remembers from step to step; part of the state (R3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Vertices on bodies, sorted by vertex.
    pub touches: Vec<Touch>,
    /// Pairs of features, sorted by pair.
    pub clutches: Vec<(Pair, Grip)>,
}

/// Everything in contact during one solve.
#[derive(Clone, Debug, Default)]
pub struct Grips {
    /// Vertices on bodies: held exactly (BW11).
    pub touching: Vec<Touching>,
    /// Pairs of features: gripped by dashpots (BW12).
    pub clutches: Vec<Clutch>,
}

impl Grips {
    /// Vertices held during the step.
    pub fn holds(&self) -> Vec<StepHold> {
        touch::holds(&self.touching)
    }

    /// Sliding friction \[N\].
    pub fn friction_forces(&self) -> Vec<(u32, Vec3)> {
        let mut forces = touch::friction_forces(&self.touching);
        for clutch in &self.clutches {
            clutch.friction_forces(&mut forces);
        }
        forces
    }

    /// The dashpots' part of the matrix.
    pub fn couplings(&self) -> Vec<Coupling> {
        self.clutches.iter().filter_map(Clutch::coupling).collect()
    }

    /// Judges every grip by what came out of the solve: constraint forces on the held vertices, end
    /// velocities `v`, implicit time `beta`. Returns how many changed.
    pub fn judge(&mut self, forces: &[(u32, Vec3)], v: &[Vec3], beta: f64) -> usize {
        let held = touch::judge(&mut self.touching, forces, v);
        let gripped = self.clutches.iter_mut().map(|clutch| usize::from(clutch.judge(v, beta)));
        held + gripped.sum::<usize>()
    }

    /// What to remember for the next step.
    pub fn remember(&self) -> Memory {
        Memory {
            touches: touch::remember(&self.touching),
            clutches: self.clutches.iter().map(|clutch| (clutch.pair, clutch.grip)).collect(),
        }
    }
}
