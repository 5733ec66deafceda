//! Poses by name.

use super::{Angles, ArmAngles, LegAngles, PoseData, rest_on_ground};
use crate::skeleton::Skeleton;

/// A pose by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stance {
    /// Arms half down: the rest pose, good for dressing.
    #[default]
    A,
    /// Arms straight out.
    T,
    /// Arms down.
    Stand,
    /// On a chair as high as the knees, hands on the thighs.
    Sit,
}

impl Stance {
    /// The pose of a figure, soles on z = 0.
    pub fn pose(self, skeleton: &Skeleton) -> PoseData {
        let mut pose = match self {
            Self::A => PoseData::REST,
            Self::T => {
                let arm =
                    ArmAngles { abduct: 90.0, elbow: -6.0, pronate: 0.0, ..Default::default() };
                Angles { arms: [arm; 2], ..Default::default() }.pose()
            }
            Self::Stand => Self::standing().pose(),
            Self::Sit => Self::sitting().pose(),
        };
        rest_on_ground(&mut pose, skeleton);
        pose
    }

    /// The angles of the standing pose, from which motions start.
    pub fn standing() -> Angles {
        let arm =
            ArmAngles { abduct: 13.0, flex: 2.0, elbow: 8.0, pronate: 15.0, ..Default::default() };
        Angles { arms: [arm; 2], ..Default::default() }
    }

    fn sitting() -> Angles {
        let arm = ArmAngles {
            abduct: 9.0,
            flex: 22.0,
            twist: 12.0,
            elbow: 44.0,
            pronate: 60.0,
            ..Default::default()
        };
        let leg =
            LegAngles { flex: 84.0, abduct: 5.0, knee: 84.0, ankle: 0.0, ..Default::default() };
        Angles { back: [4.0, 0.0, 0.0], arms: [arm; 2], legs: [leg; 2], ..Default::default() }
    }
}
