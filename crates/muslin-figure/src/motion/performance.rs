//! A motion that starts from a pose in which the figure was dressed.

use super::Motion;
use crate::pose::PoseData;

/// A pose that turns into a motion.
#[derive(Clone, Debug)]
pub struct Performance {
    /// The pose up to time 0.
    pub from: PoseData,
    /// The motion.
    pub motion: Motion,
    /// Time of the motion at time 0 \[s\].
    pub start: f64,
    /// Speed of the motion.
    pub speed: f64,
    /// How long the pose takes to become the motion \[s\].
    pub blend: f64,
}

impl Performance {
    /// The pose at time `t` \[s\].
    ///
    /// With `τ = t/blend` up to 1, the share of the motion is `τ³(10 − 15τ + 6τ²)`, and its clock
    /// gathers speed evenly, so that velocities are continuous and the motion does not run away
    /// under a figure that is still getting there.
    pub fn at(&self, t: f64) -> PoseData {
        if t < 0.0 {
            return self.from.clone();
        }
        if self.blend <= 0.0 {
            return self.motion.at(self.start + self.speed * t);
        }
        let s = (t / self.blend).min(1.0);
        let clock = if s < 1.0 { 0.5 * t * s } else { t - 0.5 * self.blend };
        let pose = self.motion.at(self.start + self.speed * clock);
        if s >= 1.0 {
            return pose;
        }
        self.from.blend(&pose, s * s * s * (10.0 - 15.0 * s + 6.0 * s * s))
    }
}
