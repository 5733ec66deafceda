//! From a file's joints to the figure's, by the directions of bones in both rest poses.

use super::names::Map;
use super::parse::FileFrame;
use super::{Bvh, BvhError, names};
use crate::joint::{Joint, Side};
use crate::pose::PoseData;
use crate::skeleton::Skeleton;
use muslin::math::{Mat3, Quat, Vec3, try_normalize};

/// How a file's frames become poses.
pub struct Retarget {
    map: Map,
    /// Turns the file's axes into the figure's: left to x, front to −y, up to z.
    axes: Quat,
    /// The figure's unit over the file's \[m\].
    scale: f64,
    /// For every joint the rotation from the figure's rest pose to the file's.
    corrections: [Quat; Joint::COUNT],
    /// The file's rotations in the pose that corresponds to the figure's rest pose.
    reference: Vec<Quat>,
    /// Places of the file's hips that stand for no displacement of the figure's.
    hips: Vec3,
}

impl Retarget {
    /// How `bvh` moves a figure with this skeleton.
    pub fn new(bvh: &Bvh, skeleton: &Skeleton) -> Result<Self, BvhError> {
        let map = names::map(bvh)?;
        let reference = reference(bvh);
        let place = |joint: Joint| map[joint.index()].map(|k| reference.positions[k]);
        let axes = axes(&place).ok_or(BvhError::NoLegs)?;
        let theirs = leg_length(&place).ok_or(BvhError::NoLegs)?;
        let scale = skeleton.leg_length() / theirs;
        let mut corrections = [Quat::IDENTITY; Joint::COUNT];
        for (joint, correction) in Joint::ALL.into_iter().zip(&mut corrections) {
            let Some(next) = next(joint) else { continue };
            let Some((a, b)) = place(joint).zip(place(next)) else { continue };
            let ours = skeleton.rest(next) - skeleton.rest(joint);
            let theirs = axes * (b - a);
            let frontal = Vec3::new(1.0, 0.0, 1.0);
            *correction = match joint {
                // Feet lie flat in both, whatever the heights of their joints: they turn in plan,
                // and roll with legs that are spread.
                Joint::Foot(side) => {
                    let level = Vec3::new(1.0, 1.0, 0.0);
                    let shin = skeleton.rest(joint) - skeleton.rest(Joint::Shin(side));
                    let their_shin =
                        place(Joint::Shin(side)).map_or(shin, |knee| axes * (a - knee));
                    arc(shin * frontal, their_shin * frontal) * arc(ours * level, theirs * level)
                }
                _ => arc(ours, theirs),
            };
        }
        // Hands go on as the forearms do, toes as the feet.
        for side in Side::BOTH {
            corrections[Joint::Hand(side).index()] = corrections[Joint::Forearm(side).index()];
            corrections[Joint::Toes(side).index()] = corrections[Joint::Foot(side).index()];
        }
        let mut retarget = Self {
            map,
            axes,
            scale,
            corrections,
            reference: reference.rotations,
            hips: Vec3::ZERO,
        };
        retarget.hips = retarget.neutral_hips(bvh, skeleton);
        Ok(retarget)
    }

    /// The pose of a frame of the file.
    pub fn pose(&self, frame: &FileFrame) -> PoseData {
        let axes = self.axes;
        let mut global = [Quat::IDENTITY; Joint::COUNT];
        for joint in Joint::ALL {
            let parent = joint.parent().map_or(Quat::IDENTITY, |p| global[p.index()]);
            global[joint.index()] = self.map[joint.index()].map_or(parent, |k| {
                let turned = frame.rotations[k] * self.reference[k].conjugate();
                axes * turned * axes.conjugate() * self.corrections[joint.index()]
            });
        }
        let mut pose = PoseData::REST;
        pose.set_global_rotations(&global);
        pose.root = self.place_of_hips(frame) - self.hips;
        pose
    }

    fn place_of_hips(&self, frame: &FileFrame) -> Vec3 {
        let hips = self.map[Joint::Hips.index()].unwrap_or(0);
        self.axes * frame.positions[hips] * self.scale
    }

    /// The place of the hips in the first frame, at the height at which the figure's ankles come
    /// as near to the ground, at their lowest, as they are when it stands.
    fn neutral_hips(&self, bvh: &Bvh, skeleton: &Skeleton) -> Vec3 {
        let first = self.place_of_hips(&bvh.frame(0));
        let stride = (bvh.frame_count() / 200).max(1);
        let mut lowest: Vec<f64> = Vec::new();
        for k in (0..bvh.frame_count()).step_by(stride) {
            let pose = self.pose(&bvh.frame(k));
            let bones = pose.bone_transforms(skeleton);
            for side in Side::BOTH {
                let ankle = skeleton.rest(Joint::Foot(side));
                let ball = skeleton.rest(Joint::Toes(side));
                let foot = &bones[Joint::Foot(side).index()];
                let heel = Vec3::new(ankle.x, ankle.y + 0.03 * skeleton.height, 0.0);
                let below = Vec3::new(ball.x, ball.y, 0.0);
                lowest.push(foot.apply(heel).z.min(foot.apply(below).z));
            }
        }
        // A tenth of the soles may sink in: noise, jumps of the capture, soft shoes.
        lowest.sort_by(f64::total_cmp);
        let ground = lowest[lowest.len() / 10];
        Vec3::new(first.x, first.y, ground)
    }
}

/// The rest pose, or the first frame where that is a pose struck on purpose: such files turn
/// the hips by exactly nothing in it, and their rest poses are not ones a person takes.
fn reference(bvh: &Bvh) -> FileFrame {
    if bvh.starts_with_reference() {
        return bvh.frame(0);
    }
    let positions = bvh.rest();
    FileFrame { rotations: vec![Quat::IDENTITY; positions.len()], positions }
}

/// The shortest rotation from one direction to another.
fn arc(from: Vec3, to: Vec3) -> Quat {
    match (try_normalize(from), try_normalize(to)) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}

/// Where the bone of a joint leads.
fn next(joint: Joint) -> Option<Joint> {
    Some(match joint {
        Joint::UpperArm(side) => Joint::Forearm(side),
        Joint::Forearm(side) => Joint::Hand(side),
        Joint::Thigh(side) => Joint::Shin(side),
        Joint::Shin(side) => Joint::Foot(side),
        Joint::Foot(side) => Joint::Toes(side),
        _ => return None,
    })
}

/// The file's axes: up from the knees to the hips (or on to the head), left from hip to hip.
fn axes(place: &dyn Fn(Joint) -> Option<Vec3>) -> Option<Quat> {
    let [left, right] = [place(Joint::Thigh(Side::Left))?, place(Joint::Thigh(Side::Right))?];
    let feet = 0.5 * (place(Joint::Foot(Side::Left))? + place(Joint::Foot(Side::Right))?);
    let top = place(Joint::Head).or_else(|| place(Joint::Neck));
    let up = nearest_axis(top.unwrap_or(0.5 * (left + right)) - feet)?;
    let across = left - right;
    let across = if across.length() > 0.0 {
        across
    } else {
        place(Joint::UpperArm(Side::Left))? - place(Joint::UpperArm(Side::Right))?
    };
    let left = nearest_axis(across - up * across.dot(up))?;
    // Columns are the figure's x, y, z in the file's axes; y points back.
    let figure = Mat3::from_cols(left, up.cross(left), up);
    Some(Quat::from_mat3(&figure.transpose()).normalize())
}

/// The axis of the frame that a vector follows most.
fn nearest_axis(v: Vec3) -> Option<Vec3> {
    let size = v.abs();
    let axis = (0..3).max_by(|&a, &b| size[a].total_cmp(&size[b]))?;
    (size[axis] > 0.0).then(|| Vec3::AXES[axis] * v[axis].signum())
}

fn leg_length(place: &dyn Fn(Joint) -> Option<Vec3>) -> Option<f64> {
    let mut sum = 0.0;
    for side in Side::BOTH {
        let [hip, knee, ankle] = [Joint::Thigh(side), Joint::Shin(side), Joint::Foot(side)];
        let (hip, knee, ankle) = (place(hip)?, place(knee)?, place(ankle)?);
        sum += 0.5 * (hip.distance(knee) + knee.distance(ankle));
    }
    (sum > 1e-9 && sum.is_finite()).then_some(sum)
}
