//! The joints of the figure.

use std::fmt;

/// Left or right, as the figure sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The side of positive x.
    Left,
    /// The side of negative x.
    Right,
}

impl Side {
    /// Both sides, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The sign of x on this side.
    pub fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// Place in arrays of one thing a side.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A joint, and the bone that hangs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Joint {
    /// Pelvis; the root.
    Hips,
    /// Lower back.
    Spine1,
    /// Middle of the back.
    Spine2,
    /// Chest.
    Spine3,
    /// Neck.
    Neck,
    /// Head.
    Head,
    /// Collar bone.
    Clavicle(Side),
    /// Upper arm.
    UpperArm(Side),
    /// Forearm.
    Forearm(Side),
    /// Hand.
    Hand(Side),
    /// Thigh.
    Thigh(Side),
    /// Shin and calf.
    Shin(Side),
    /// Foot.
    Foot(Side),
    /// Toes.
    Toes(Side),
}

impl Joint {
    /// How many joints there are.
    pub const COUNT: usize = 22;

    /// All joints, parents before children.
    pub const ALL: [Self; Self::COUNT] = {
        use Side::{Left, Right};
        [
            Self::Hips,
            Self::Spine1,
            Self::Spine2,
            Self::Spine3,
            Self::Neck,
            Self::Head,
            Self::Clavicle(Left),
            Self::UpperArm(Left),
            Self::Forearm(Left),
            Self::Hand(Left),
            Self::Clavicle(Right),
            Self::UpperArm(Right),
            Self::Forearm(Right),
            Self::Hand(Right),
            Self::Thigh(Left),
            Self::Shin(Left),
            Self::Foot(Left),
            Self::Toes(Left),
            Self::Thigh(Right),
            Self::Shin(Right),
            Self::Foot(Right),
            Self::Toes(Right),
        ]
    };

    /// Place in [`Joint::ALL`].
    pub fn index(self) -> usize {
        let sided = |first: usize, side: Side| first + 4 * side.index();
        match self {
            Self::Hips => 0,
            Self::Spine1 => 1,
            Self::Spine2 => 2,
            Self::Spine3 => 3,
            Self::Neck => 4,
            Self::Head => 5,
            Self::Clavicle(side) => sided(6, side),
            Self::UpperArm(side) => sided(7, side),
            Self::Forearm(side) => sided(8, side),
            Self::Hand(side) => sided(9, side),
            Self::Thigh(side) => sided(14, side),
            Self::Shin(side) => sided(15, side),
            Self::Foot(side) => sided(16, side),
            Self::Toes(side) => sided(17, side),
        }
    }

    /// The joint this one hangs on; `None` for the hips.
    pub fn parent(self) -> Option<Self> {
        Some(match self {
            Self::Hips => return None,
            Self::Spine1 | Self::Thigh(_) => Self::Hips,
            Self::Spine2 => Self::Spine1,
            Self::Spine3 => Self::Spine2,
            Self::Neck | Self::Clavicle(_) => Self::Spine3,
            Self::Head => Self::Neck,
            Self::UpperArm(side) => Self::Clavicle(side),
            Self::Forearm(side) => Self::UpperArm(side),
            Self::Hand(side) => Self::Forearm(side),
            Self::Shin(side) => Self::Thigh(side),
            Self::Foot(side) => Self::Shin(side),
            Self::Toes(side) => Self::Foot(side),
        })
    }

    /// Its name, such as `left-upper-arm`.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; Joint::COUNT] = [
            "hips",
            "spine-1",
            "spine-2",
            "spine-3",
            "neck",
            "head",
            "left-clavicle",
            "left-upper-arm",
            "left-forearm",
            "left-hand",
            "right-clavicle",
            "right-upper-arm",
            "right-forearm",
            "right-hand",
            "left-thigh",
            "left-shin",
            "left-foot",
            "left-toes",
            "right-thigh",
            "right-shin",
            "right-foot",
            "right-toes",
        ];
        NAMES[self.index()]
    }
}

impl fmt::Display for Joint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_joint_stands_at_its_index_after_its_parent() {
        for (i, joint) in Joint::ALL.into_iter().enumerate() {
            assert_eq!(joint.index(), i);
            assert!(joint.parent().is_none_or(|p| p.index() < i), "{joint}");
        }
        assert_eq!(Joint::ALL.iter().filter(|j| j.parent().is_none()).count(), 1);
    }

    #[test]
    fn names_are_different() {
        let mut names: Vec<_> = Joint::ALL.iter().map(|j| j.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Joint::COUNT);
    }
}
