//! Internal dynamics: each turns a state into a candidate for the end of the step (BF3).

pub mod implicit;
pub mod mixed;

use crate::math::Vec3;

/// Where the cloth would be after the step if nothing were in its way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// Positions \[m\].
    pub x: Vec<Vec3>,
    /// Velocities \[m/s\].
    pub v: Vec<Vec3>,
}
