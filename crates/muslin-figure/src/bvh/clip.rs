//! A piece of a motion, for one figure.

use super::retarget::Retarget;
use super::{Bvh, BvhError};
use crate::joint::Joint;
use crate::pose::PoseData;
use crate::skeleton::Skeleton;
use muslin::math::{Quat, Vec3};
use std::sync::Arc;

/// Which part of a motion to use \[s\]; all of it when not given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipRange {
    /// Start.
    pub from: Option<f64>,
    /// End.
    pub to: Option<f64>,
}

/// Poses of a figure at even times. Time 0 is the start of the chosen range; the figure then
/// stands above the origin and faces −y. Before the first pose the first holds, after the last the
/// last.
#[derive(Clone, Debug)]
pub struct Clip {
    poses: Arc<Vec<PoseData>>,
    frame_time: f64,
    shift: f64,
}

impl Clip {
    /// A motion, or a part of it, on a figure with this skeleton. A reference pose that stands
    /// before the motion, as in the CMU files, is left out.
    pub fn new(bvh: &Bvh, skeleton: &Skeleton, range: ClipRange) -> Result<Self, BvhError> {
        let length = bvh.duration();
        let (from, to) =
            (range.from.unwrap_or(0.0).max(0.0), range.to.unwrap_or(length).min(length));
        if !(from <= to && from <= length) {
            let to = range.to.unwrap_or(length);
            return Err(BvhError::Range { from: range.from.unwrap_or(0.0), to, length });
        }
        // A reference pose before the motion is no part of it.
        let earliest = usize::from(bvh.starts_with_reference());
        let first = ((from / bvh.frame_time).floor() as usize).max(earliest);
        let first = first.min(bvh.frame_count() - 1);
        let last = ((to / bvh.frame_time).ceil() as usize).clamp(first, bvh.frame_count() - 1);
        let retarget = Retarget::new(bvh, skeleton)?;
        let mut poses: Vec<PoseData> =
            (first..=last).map(|k| retarget.pose(&bvh.frame(k))).collect();
        refuse_jumps(&poses, first, bvh.frame_time)?;
        face_front(&mut poses);
        let shift = (from - first as f64 * bvh.frame_time).max(0.0);
        Ok(Self { poses: Arc::new(poses), frame_time: bvh.frame_time, shift })
    }

    /// Length of the motion \[s\].
    pub fn duration(&self) -> f64 {
        (self.poses.len() - 1) as f64 * self.frame_time - self.shift
    }

    /// The pose at a time \[s\]: on great circles and straight lines between frames.
    pub fn at(&self, t: f64) -> PoseData {
        let last = self.poses.len() - 1;
        let at = ((t + self.shift) / self.frame_time).clamp(0.0, last as f64);
        let k = (at as usize).min(last.saturating_sub(1));
        self.poses[k].blend(&self.poses[(k + 1).min(last)], at - k as f64)
    }
}

/// Nobody goes further than this in a frame \[m\] ...
const JUMP: f64 = 1.0;
/// ... at more than this speed \[m/s\].
const FASTEST: f64 = 15.0;

fn refuse_jumps(poses: &[PoseData], first: usize, frame_time: f64) -> Result<(), BvhError> {
    let longest = JUMP.max(FASTEST * frame_time);
    for (k, pair) in poses.windows(2).enumerate() {
        let distance = pair[0].root.distance(pair[1].root);
        // Not "greater than": a distance that is not a number is a jump, too.
        if distance.is_nan() || distance > longest {
            return Err(BvhError::Jump { frame: first + k, distance });
        }
    }
    Ok(())
}

/// Turns and moves a motion so that its first pose faces −y above the origin.
fn face_front(poses: &mut [PoseData]) {
    let Some(first) = poses.first() else { return };
    let facing = first.rotation(Joint::Hips) * -Vec3::Y;
    let angle = facing.x.atan2(-facing.y);
    let turn = Quat::from_rotation_z(-angle);
    let start = Vec3::new(first.root.x, first.root.y, 0.0);
    for pose in poses {
        pose.root = turn * (pose.root - start);
        pose.set(Joint::Hips, turn * pose.rotation(Joint::Hips));
    }
}
