//! What changes: everything the next step reads, and so everything a checkpoint holds (R3).

use super::adaptive::Controller;
use crate::contact::Memory;
use crate::contact::loose::Loose;
use crate::integrate::mixed::Previous;
use crate::link;
use crate::math::Vec3;

/// The state of a simulation. Cloning it is a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time \[s\].
    pub time: f64,
    /// Positions \[m\].
    pub x: Vec<Vec3>,
    /// Velocities \[m/s\].
    pub v: Vec<Vec3>,
    /// How velocities changed in the step before \[m/s²\], by which contact looks ahead; empty at the start.
    pub acceleration: Vec<Vec3>,
    /// Where each pin took hold; `None` while it does not hold.
    pub anchors: Vec<Option<Vec3>>,
    /// What contact remembers: grips of vertices on bodies and of pairs of features.
    pub contact: Memory,
    /// What contact leaves out for now.
    pub loose: Loose,
    /// What links remember: attachments that hold or broke, and what sticks where.
    pub links: link::Memory,
    /// What mixed dynamics needs of the step before; `None` at the start and elsewhere.
    pub previous: Option<Previous>,
    /// The step-size controller.
    pub controller: Controller,
}

impl State {
    /// A state at time 0.
    pub fn new(x: Vec<Vec3>, v: Vec<Vec3>) -> Self {
        Self { x, v, ..Self::default() }
    }

    /// The first vertex whose position or velocity is not finite.
    pub fn first_non_finite(&self) -> Option<usize> {
        self.x.iter().zip(&self.v).position(|(x, v)| !x.is_finite() || !v.is_finite())
    }
}
