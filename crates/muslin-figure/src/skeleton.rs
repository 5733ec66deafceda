//! Where the joints are in the rest pose.

use crate::joint::{Joint, Side};
use crate::proportions::{Build, Proportions};
use muslin::math::{Quat, Vec3};

/// How far the arms point below the horizontal in the rest pose [rad].
pub const ARM_SLOPE: f64 = 0.25 * std::f64::consts::PI;

/// How far the forearms are bent forward in the rest pose [rad].
const ELBOW_BEND: f64 = 0.14;

/// How far the feet point outward in the rest pose [rad].
pub const TOE_OUT: f64 = 0.12;

/// The joints in the rest pose: A pose, z up, facing −y, the left side at positive x, soles on
/// z = 0, hips above the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// Height of the figure [m].
    pub height: f64,
    rest: [Vec3; Joint::COUNT],
}

impl Skeleton {
    /// The skeleton of a figure.
    pub fn new(proportions: &Proportions) -> Self {
        let h = proportions.height;
        let mut rest = [Vec3::ZERO; Joint::COUNT];
        let mut put = |joint: Joint, x: Vec3| rest[joint.index()] = x;
        for (joint, y, z) in [
            (Joint::Hips, 0.004, 0.540),
            (Joint::Spine1, 0.012, 0.585),
            (Joint::Spine2, 0.014, 0.655),
            (Joint::Spine3, 0.020, 0.725),
            (Joint::Neck, 0.022, 0.838),
            (Joint::Head, 0.000, 0.893),
        ] {
            put(joint, Vec3::new(0.0, y, z) * h);
        }
        let leg = match proportions.build {
            Build::Woman => 0.053,
            Build::Man => 0.051,
        };
        for side in Side::BOTH {
            let s = side.sign();
            let shoulder = Vec3::new(s * 0.455 * proportions.shoulder_width, 0.018 * h, 0.801 * h);
            put(Joint::Clavicle(side), Vec3::new(s * 0.014, 0.000, 0.808) * h);
            put(Joint::UpperArm(side), shoulder);
            let elbow = shoulder + arm_direction(side) * (0.176 * h);
            put(Joint::Forearm(side), elbow);
            put(Joint::Hand(side), elbow + forearm_direction(side) * (0.150 * h));
            put(Joint::Thigh(side), Vec3::new(s * leg, 0.004, 0.520) * h);
            put(Joint::Shin(side), Vec3::new(s * 0.060, 0.010, 0.284) * h);
            let ankle = Vec3::new(s * 0.066, 0.028, 0.046);
            put(Joint::Foot(side), ankle * h);
            let ball = Quat::from_rotation_z(s * TOE_OUT) * Vec3::new(0.0, -0.073, -0.034);
            put(Joint::Toes(side), (ankle + ball) * h);
        }
        Self { height: h, rest }
    }

    /// Where a joint is in the rest pose [m].
    pub fn rest(&self, joint: Joint) -> Vec3 {
        self.rest[joint.index()]
    }

    /// Length of a leg, from hip to knee to ankle [m].
    pub fn leg_length(&self) -> f64 {
        let [hip, knee, ankle] =
            [Joint::Thigh(Side::Left), Joint::Shin(Side::Left), Joint::Foot(Side::Left)]
                .map(|j| self.rest(j));
        hip.distance(knee) + knee.distance(ankle)
    }
}

/// Direction of an upper arm in the rest pose.
pub fn arm_direction(side: Side) -> Vec3 {
    Vec3::new(side.sign() * ARM_SLOPE.cos(), 0.0, -ARM_SLOPE.sin())
}

/// Direction of a forearm in the rest pose.
pub fn forearm_direction(side: Side) -> Vec3 {
    arm_direction(side) * ELBOW_BEND.cos() - Vec3::Y * ELBOW_BEND.sin()
}

/// The direction across an arm that points up and outward in the rest pose.
pub fn arm_up(side: Side) -> Vec3 {
    Vec3::new(side.sign() * ARM_SLOPE.sin(), 0.0, ARM_SLOPE.cos())
}
