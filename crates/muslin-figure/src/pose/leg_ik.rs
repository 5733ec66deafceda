//! Feet where they should be: the knee by the law of cosines.

use super::PoseData;
use crate::joint::{Joint, Side};
use crate::skeleton::Skeleton;
use muslin::math::{Mat3, Quat, Vec3, try_normalize};

/// Where a foot should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootTarget {
    /// Place of the ankle \[m\].
    pub ankle: Vec3,
    /// Rotation of the foot relative to the rest pose.
    pub rotation: Quat,
    /// Toes up at the ball of the foot \[rad\].
    pub toes: f64,
    /// The direction in which the knee points, about.
    pub knee: Vec3,
}

/// How much of its length a leg may reach; a leg stretched fully would jerk.
const REACH: f64 = 0.9985;

/// Turns a leg so that its foot is where it should be. A place out of reach is approached as far
/// as the leg goes.
pub fn place_foot(pose: &mut PoseData, skeleton: &Skeleton, side: Side, target: &FootTarget) {
    let [hip, knee, ankle] =
        [Joint::Thigh(side), Joint::Shin(side), Joint::Foot(side)].map(|j| skeleton.rest(j));
    let (thigh_length, shin_length) = (hip.distance(knee), knee.distance(ankle));
    let hips = pose.bone_transforms(skeleton)[Joint::Hips.index()];
    let from = hips.apply(hip);
    let wanted = target.ankle - from;
    let Some(towards) = try_normalize(wanted) else { return };
    let longest = REACH * (thigh_length + shin_length);
    let distance = wanted.length().clamp(1.05 * (thigh_length - shin_length).abs(), longest);
    let cosine = (thigh_length * thigh_length + distance * distance - shin_length * shin_length)
        / (2.0 * thigh_length * distance);
    let cosine = cosine.clamp(-1.0, 1.0);
    let sine = (1.0 - cosine * cosine).sqrt();
    let forward = target.knee - towards * target.knee.dot(towards);
    let Some(forward) = try_normalize(forward) else { return };
    let to_knee = (towards * cosine + forward * sine) * thigh_length;
    let to_ankle = towards * distance - to_knee;
    let hinge = towards.cross(forward);
    let thigh = turn(knee - hip, to_knee, hinge);
    let shin = turn(ankle - knee, to_ankle, hinge);
    pose.set(Joint::Thigh(side), hips.rotation.conjugate() * thigh);
    pose.set(Joint::Shin(side), thigh.conjugate() * shin);
    pose.set(Joint::Foot(side), shin.conjugate() * target.rotation);
    pose.set(Joint::Toes(side), Quat::from_rotation_x(-target.toes));
}

/// The rotation that takes the direction `rest` to `now` and the knee's hinge, at rest along −x
/// across `rest`, to `hinge`.
fn turn(rest: Vec3, now: Vec3, hinge: Vec3) -> Quat {
    let frame = |along: Vec3, across: Vec3| {
        let along = try_normalize(along)?;
        let across = try_normalize(across - along * across.dot(along))?;
        Some(Mat3::from_cols(along, across, along.cross(across)))
    };
    match (frame(rest, -Vec3::X), frame(now, hinge)) {
        (Some(a), Some(b)) => Quat::from_mat3(&(b * a.transpose())).normalize(),
        _ => Quat::IDENTITY,
    }
}

/// Lifts or lowers the figure until its lowest sole stands on z = 0.
pub fn rest_on_ground(pose: &mut PoseData, skeleton: &Skeleton) {
    let bones = pose.bone_transforms(skeleton);
    let h = skeleton.height;
    let mut lowest = f64::INFINITY;
    for side in Side::BOTH {
        let ankle = skeleton.rest(Joint::Foot(side));
        let ball = skeleton.rest(Joint::Toes(side));
        let heel = Vec3::new(ankle.x, ankle.y + 0.03 * h, 0.0);
        let below = Vec3::new(ball.x, ball.y, 0.0);
        let tip = Vec3::new(ball.x, ball.y - 0.035 * h, 0.0);
        let foot = &bones[Joint::Foot(side).index()];
        let toes = &bones[Joint::Toes(side).index()];
        for z in [foot.apply(heel).z, foot.apply(below).z, toes.apply(tip).z] {
            lowest = lowest.min(z);
        }
    }
    pose.root.z -= lowest;
}
