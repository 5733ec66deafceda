//! Poses by the angles that an anatomist would name.

use super::PoseData;
use crate::joint::{Joint, Side};
use crate::skeleton::{ARM_SLOPE, arm_direction, forearm_direction};
use muslin::math::{Quat, Vec3, try_normalize};

/// An arm, from hanging straight down \[degrees\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArmAngles {
    /// Forward.
    pub flex: f64,
    /// Outward, before it is swung forward.
    pub abduct: f64,
    /// Turned inward about its length.
    pub twist: f64,
    /// Bend of the elbow beyond the slight one at rest.
    pub elbow: f64,
    /// Palm turned from facing the thigh to facing back.
    pub pronate: f64,
    /// Bend of the wrist towards the palm.
    pub wrist: f64,
}

/// A leg, from standing straight \[degrees\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegAngles {
    /// Thigh forward.
    pub flex: f64,
    /// Thigh outward.
    pub abduct: f64,
    /// Thigh turned outward about its length.
    pub turn_out: f64,
    /// Bend of the knee.
    pub knee: f64,
    /// Toes up.
    pub ankle: f64,
    /// Toes up at the ball of the foot.
    pub toes: f64,
}

/// All angles of a pose \[degrees\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Angles {
    /// Displacement of the hips \[m\].
    pub root: Vec3,
    /// The whole figure: forward, to its left side, turned left.
    pub pelvis: [f64; 3],
    /// The back, over its whole length: forward, to the left side, turned left.
    pub back: [f64; 3],
    /// Neck and head together: down, to the left side, turned left.
    pub head: [f64; 3],
    /// Left and right arm.
    pub arms: [ArmAngles; 2],
    /// Left and right leg.
    pub legs: [LegAngles; 2],
}

/// Forward about x, then to the side about y, then turned about z \[degrees\].
fn turned([forward, side, left]: [f64; 3], share: f64) -> Quat {
    let [forward, side, left] = [forward, side, left].map(|a| (a * share).to_radians());
    Quat::from_rotation_z(left) * Quat::from_rotation_y(side) * Quat::from_rotation_x(forward)
}

impl Angles {
    /// The pose.
    pub fn pose(&self) -> PoseData {
        let mut pose = PoseData { root: self.root, ..PoseData::REST };
        pose.set(Joint::Hips, turned(self.pelvis, 1.0));
        for (joint, share) in [(Joint::Spine1, 0.34), (Joint::Spine2, 0.36), (Joint::Spine3, 0.30)]
        {
            pose.set(joint, turned(self.back, share));
        }
        pose.set(Joint::Neck, turned(self.head, 0.45));
        pose.set(Joint::Head, turned(self.head, 0.55));
        for side in Side::BOTH {
            set_arm(&mut pose, side, &self.arms[side.index()]);
            set_leg(&mut pose, side, &self.legs[side.index()]);
        }
        pose
    }

    /// The same pose with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let flip = |[forward, side, left]: [f64; 3]| [forward, -side, -left];
        Self {
            root: Vec3::new(-self.root.x, self.root.y, self.root.z),
            pelvis: flip(self.pelvis),
            back: flip(self.back),
            head: flip(self.head),
            arms: [self.arms[1], self.arms[0]],
            legs: [self.legs[1], self.legs[0]],
        }
    }
}

/// Raising the arm takes the collar bone along: this share of what lies above the rest pose.
const RAISED_COLLAR: f64 = 0.32;
/// And this share below it.
const LOWERED_COLLAR: f64 = 0.10;

fn set_arm(pose: &mut PoseData, side: Side, arm: &ArmAngles) {
    let s = side.sign();
    let hang = Quat::from_rotation_y(s * (0.5 * std::f64::consts::PI - ARM_SLOPE));
    let upper = Quat::from_rotation_x(-arm.flex.to_radians())
        * Quat::from_rotation_y(-s * arm.abduct.to_radians())
        * Quat::from_rotation_z(-s * arm.twist.to_radians())
        * hang;
    let direction = upper * arm_direction(side);
    let raised = direction.dot(-Vec3::Z).clamp(-1.0, 1.0).acos() - ARM_SLOPE;
    let share = if raised > 0.0 { RAISED_COLLAR } else { LOWERED_COLLAR };
    let forward = (-direction.y).max(0.0) * 0.14;
    let collar = Quat::from_rotation_z(-s * forward) * Quat::from_rotation_y(-s * share * raised);
    pose.set(Joint::Clavicle(side), collar);
    pose.set(Joint::UpperArm(side), collar.conjugate() * upper);
    let length = forearm_direction(side);
    let hinge = try_normalize(arm_direction(side).cross(-Vec3::Y)).unwrap_or(Vec3::Z);
    let elbow = Quat::from_axis_angle(hinge, arm.elbow.to_radians());
    let pronate = Quat::from_axis_angle(length, s * arm.pronate.to_radians());
    // Half of the forearm's turn is in the forearm, half in the wrist.
    let half = Quat::IDENTITY.slerp(pronate, 0.5);
    pose.set(Joint::Forearm(side), elbow * half);
    let across = try_normalize(length.cross(hinge)).unwrap_or(Vec3::Y);
    let wrist = Quat::from_axis_angle(across, arm.wrist.to_radians());
    pose.set(Joint::Hand(side), half * wrist);
}

fn set_leg(pose: &mut PoseData, side: Side, leg: &LegAngles) {
    let s = side.sign();
    let thigh = Quat::from_rotation_x(-leg.flex.to_radians())
        * Quat::from_rotation_y(-s * leg.abduct.to_radians())
        * Quat::from_rotation_z(s * leg.turn_out.to_radians());
    pose.set(Joint::Thigh(side), thigh);
    pose.set(Joint::Shin(side), Quat::from_rotation_x(leg.knee.to_radians()));
    pose.set(Joint::Foot(side), Quat::from_rotation_x(-leg.ankle.to_radians()));
    pose.set(Joint::Toes(side), Quat::from_rotation_x(-leg.toes.to_radians()));
}
