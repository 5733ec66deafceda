//! Motions: poses as functions of time.

mod acts;
mod gait;
mod keyed;
mod performance;

pub use gait::Gait;
pub use keyed::{Key, Keyed};
pub use performance::Performance;

use crate::bvh::Clip;
use crate::pose::{PoseData, Stance};
use crate::skeleton::Skeleton;

/// A motion of one figure.
#[derive(Clone, Debug)]
pub enum Motion {
    /// A pose that is held.
    Still(PoseData),
    /// Walking or running.
    Gait(Box<Gait>),
    /// Between key poses, with planted feet.
    Keyed(Keyed),
    /// Motion capture.
    Clip(Clip),
}

impl Motion {
    /// The names that [`Motion::by_name`] knows.
    pub const NAMES: [&'static str; 7] =
        ["stand", "walk", "run", "kick", "twist", "dance", "reach"];

    /// A motion by its name, for a figure with this skeleton.
    pub fn by_name(name: &str, skeleton: &Skeleton) -> Option<Self> {
        Some(match name {
            "stand" => Self::Still(Stance::Stand.pose(skeleton)),
            "walk" => Self::Gait(Box::new(Gait::walk(skeleton))),
            "run" => Self::Gait(Box::new(Gait::run(skeleton))),
            "kick" => Self::Keyed(acts::kick(skeleton)),
            "twist" => Self::Keyed(acts::twist(skeleton)),
            "dance" => Self::Keyed(acts::dance(skeleton)),
            "reach" => Self::Keyed(acts::reach(skeleton)),
            _ => return None,
        })
    }

    /// The pose at a time \[s\]; any time, also before 0.
    pub fn at(&self, t: f64) -> PoseData {
        match self {
            Self::Still(pose) => pose.clone(),
            Self::Gait(gait) => gait.at(t),
            Self::Keyed(keyed) => keyed.at(t),
            Self::Clip(clip) => clip.at(t),
        }
    }
}

#[cfg(test)]
mod tests;
