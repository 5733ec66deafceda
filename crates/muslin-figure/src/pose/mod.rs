//! Poses: a rotation at every joint.

mod angles;
mod leg_ik;
mod stances;

pub use angles::{Angles, ArmAngles, LegAngles};
pub use leg_ik::{FootTarget, place_foot, rest_on_ground};
pub use stances::Stance;

use crate::joint::Joint;
use crate::skeleton::Skeleton;
use muslin::math::{Quat, Vec3};
use muslin::motion::Pose;

/// A pose: how far the hips are from their place in the rest pose, and how far every joint is
/// turned from its rest, in axes that are those of the world in the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseData {
    /// Displacement of the hips \[m\].
    pub root: Vec3,
    /// Rotation of every joint relative to its parent, by [`Joint::index`].
    pub rotations: [Quat; Joint::COUNT],
}

impl Default for PoseData {
    fn default() -> Self {
        Self::REST
    }
}

impl PoseData {
    /// The rest pose: A pose.
    pub const REST: Self = Self { root: Vec3::ZERO, rotations: [Quat::IDENTITY; Joint::COUNT] };

    /// The rotation of a joint relative to its parent.
    pub fn rotation(&self, joint: Joint) -> Quat {
        self.rotations[joint.index()]
    }

    /// Sets the rotation of a joint relative to its parent.
    pub fn set(&mut self, joint: Joint, rotation: Quat) {
        self.rotations[joint.index()] = rotation;
    }

    /// The pose a share `s` of the way to `other`: rotations on great circles, the hips straight.
    #[must_use]
    pub fn blend(&self, other: &Self, s: f64) -> Self {
        let rotations =
            std::array::from_fn(|j| self.rotations[j].slerp(other.rotations[j], s).normalize());
        Self { root: self.root.lerp(other.root, s), rotations }
    }

    /// Rotations of all joints relative to the rest pose.
    pub fn global_rotations(&self) -> [Quat; Joint::COUNT] {
        let mut global = self.rotations;
        for joint in Joint::ALL {
            if let Some(parent) = joint.parent() {
                global[joint.index()] = global[parent.index()] * self.rotations[joint.index()];
            }
        }
        global
    }

    /// Sets all rotations so that those relative to the rest pose are `global`.
    pub fn set_global_rotations(&mut self, global: &[Quat; Joint::COUNT]) {
        for joint in Joint::ALL {
            let own = global[joint.index()];
            self.rotations[joint.index()] = joint
                .parent()
                .map_or(own, |parent| (global[parent.index()].conjugate() * own).normalize());
        }
    }

    /// For every joint the rigid motion that takes the rest pose to this one.
    pub fn bone_transforms(&self, skeleton: &Skeleton) -> [Pose; Joint::COUNT] {
        let mut bones = [Pose::IDENTITY; Joint::COUNT];
        for joint in Joint::ALL {
            let rest = skeleton.rest(joint);
            let own = self.rotation(joint);
            bones[joint.index()] = match joint.parent() {
                None => Pose { rotation: own, translation: rest + self.root - own * rest },
                Some(parent) => {
                    let about = Pose { rotation: own, translation: rest - own * rest };
                    bones[parent.index()].after(&about)
                }
            };
        }
        bones
    }

    /// Where a joint is \[m\].
    pub fn joint_position(&self, skeleton: &Skeleton, joint: Joint) -> Vec3 {
        self.bone_transforms(skeleton)[joint.index()].apply(skeleton.rest(joint))
    }
}
