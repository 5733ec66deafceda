//! Everything in contact during one solve, and what is remembered of it for the next.

use super::clutch::{Clutch, Clutched};
use super::ladder::ContactParams;
use super::touch::{self, Outcome, Touch, Touching};
use crate::collide::surface::Pair;
use crate::linalg::Coupling;
use crate::math::Vec3;
use crate::pin::StepHold;
use rayon::prelude::*;

/// What contact remembers from step to step; part of the state (R3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Vertices on bodies, sorted by vertex.
    pub touches: Vec<Touch>,
    /// Pairs of features, sorted by pair.
    pub clutches: Vec<Clutched>,
}

/// Everything in contact during one solve.
#[derive(Clone, Debug, Default)]
pub struct Grips {
    /// Vertices on bodies: held exactly (BW11).
    pub touching: Vec<Touching>,
    /// Pairs of features: gripped by dashpots (BW12).
    pub clutches: Vec<Clutch>,
    /// Velocities of the cloth at the start of the step after its impacts on itself and on edges of bodies,
    /// which are inelastic \[m/s\]; empty where there are none.
    pub landed: Vec<Vec3>,
    /// Vertices caught between bodies: held whatever the forces (MF6).
    pub pinched: Vec<StepHold>,
}

impl Grips {
    /// Vertices held during the step; those on bodies come first, for [`Grips::judge`].
    pub fn holds(&self) -> Vec<StepHold> {
        let mut holds = touch::holds(&self.touching);
        holds.extend(&self.pinched);
        holds
    }

    /// The dashpots of a solve with implicit time `beta`: their parts of the matrix, and the relative
    /// velocity each of them wants.
    pub fn dashpots(&self, beta: f64) -> (Vec<Coupling>, Vec<Vec3>) {
        let gripped = self.clutches.iter().filter_map(|clutch| clutch.coupling(beta));
        let sliding = self.touching.iter().filter_map(|t| touch::friction(t, beta));
        gripped.chain(sliding).unzip()
    }

    /// Friction that is known as a force: vertices and forces \[N\].
    pub fn drags(&self) -> impl Iterator<Item = (u32, Vec3)> {
        self.touching.iter().filter_map(touch::drag)
    }

    /// Judges every grip by what came out of the solve. Returns how many changed.
    pub fn judge(&mut self, solved: &Outcome) -> usize {
        let held = touch::judge(&mut self.touching, solved);
        let gripped = self.clutches.par_iter_mut().map(|clutch| usize::from(clutch.judge(solved)));
        let changed = held + gripped.sum::<usize>();
        self.discount_pulls(solved.v.len());
        changed
    }

    /// What a solve lets pairs of cloth pull with, others press against, and friction is not to be had from that: of the
    /// force that a sliding pair pressed with, only the share counts that is left on its vertices after what was let go now.
    fn discount_pulls(&mut self, vertex_count: usize) {
        let mut pressing = vec![0.0; vertex_count];
        let mut pulling = vec![0.0; vertex_count];
        for clutch in self.clutches.iter().filter(|clutch| clutch.is_between_cloth()) {
            let force = clutch.acted().dot(clutch.normal());
            let sums = if force > 0.0 { &mut pressing } else { &mut pulling };
            for (vertex, weight) in clutch.between() {
                sums[vertex as usize] += weight.abs() * force.abs();
            }
        }
        for clutch in self.clutches.iter_mut().filter(|clutch| clutch.is_between_cloth()) {
            let sum = |of: &[f64]| -> f64 {
                clutch.between().map(|(vertex, weight)| weight.abs() * of[vertex as usize]).sum()
            };
            let (pressing, pulling) = (sum(&pressing), sum(&pulling));
            if pulling > 0.0 {
                clutch.discount((1.0 - pulling / pressing).max(0.0));
            }
        }
    }

    /// Force on the first feature of every pair that acted in what was last solved for and judged \[N\].
    pub fn pair_forces(&self) -> Vec<(Pair, Vec3)> {
        let pairs = self.clutches.iter().filter(|clutch| clutch.in_wedge().is_none());
        let acted = pairs.map(|clutch| (clutch.pair, clutch.acted()));
        acted.filter(|(_, force)| *force != Vec3::ZERO).collect()
    }

    /// Force on every vertex in a wedge of the body that it is not held on \[N\].
    pub fn wedge_forces(&self) -> impl Iterator<Item = (u32, Vec3)> {
        let acted = self.clutches.iter().map(|clutch| (clutch.in_wedge(), clutch.acted()));
        acted.filter_map(|(vertex, force)| Some((vertex?, force)).filter(|_| force != Vec3::ZERO))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.touching.len() + self.clutches.len()
    }

    /// What to remember for the next step, with the loads of pairs of features where contact carries them.
    pub fn remember(&self, params: Option<&ContactParams>) -> Memory {
        let carries = params.is_some_and(|params| params.carries);
        let remember = |clutch: &Clutch| {
            let kept = clutch.remember();
            if carries { kept } else { Clutched { load: Vec3::ZERO, ..kept } }
        };
        let mut clutches: Vec<_> = self.clutches.iter().map(remember).collect();
        clutches.sort_by_key(|clutch| clutch.pair);
        Memory { touches: touch::remember(&self.touching), clutches }
    }
}
