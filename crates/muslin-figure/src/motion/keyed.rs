//! Motions between key poses.

use crate::joint::{Joint, Side};
use crate::pose::{FootTarget, PoseData, place_foot};
use crate::skeleton::Skeleton;
use muslin::math::{Quat, Vec3};

/// What the key poses do not say at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Time \[s\].
    pub at: f64,
    /// Turn of the whole figure to its left about the planted left foot \[rad\].
    pub spin: f64,
    /// How far the heel of the planted left foot is raised \[rad\].
    pub heel: f64,
}

/// Key poses, repeated; smooth (C¹) between, with feet that stay on the ground.
#[derive(Clone, Debug)]
pub struct Keyed {
    skeleton: Skeleton,
    keys: Vec<(Key, PoseData)>,
    planted: [bool; 2],
}

impl Keyed {
    /// A motion through `keys`, in order of time from 0; the last one is the first again.
    pub fn new(skeleton: &Skeleton, keys: Vec<(Key, PoseData)>, planted: [bool; 2]) -> Self {
        Self { skeleton: skeleton.clone(), keys, planted }
    }

    /// The time after which the motion repeats \[s\].
    pub fn period(&self) -> f64 {
        self.keys.last().map_or(0.0, |k| k.0.at)
    }

    /// The pose at a time \[s\].
    pub fn at(&self, t: f64) -> PoseData {
        let period = self.period();
        if self.keys.len() < 2 || period <= 0.0 {
            return self.keys.first().map_or(PoseData::REST, |k| k.1.clone());
        }
        let (key, mut pose) = self.interpolate(t.rem_euclid(period));
        for side in Side::BOTH {
            if self.planted[side.index()] {
                let heel = if side == Side::Left { key.heel } else { 0.0 };
                place_foot(&mut pose, &self.skeleton, side, &self.raised_foot(side, heel));
            }
        }
        self.spin(&mut pose, key.spin);
        pose
    }

    /// A foot in its place, its heel raised about the ball of the foot.
    fn raised_foot(&self, side: Side, heel: f64) -> FootTarget {
        let ankle = self.skeleton.rest(Joint::Foot(side));
        let ball = self.skeleton.rest(Joint::Toes(side));
        let pivot = Vec3::new(ball.x, ball.y, 0.0);
        let rotation = Quat::from_rotation_x(heel);
        FootTarget {
            ankle: pivot + rotation * (ankle - pivot),
            rotation,
            toes: heel,
            knee: Vec3::new(0.1 * side.sign(), -1.0, 0.0),
        }
    }

    fn spin(&self, pose: &mut PoseData, angle: f64) {
        let turn = Quat::from_rotation_z(angle);
        let ball = self.skeleton.rest(Joint::Toes(Side::Left));
        let pivot = Vec3::new(ball.x, ball.y, 0.0);
        let hips = self.skeleton.rest(Joint::Hips);
        pose.root = pivot + turn * (hips + pose.root - pivot) - hips;
        pose.set(Joint::Hips, turn * pose.rotation(Joint::Hips));
    }

    /// Catmull–Rom in every number; quaternions are normalised after.
    fn interpolate(&self, t: f64) -> (Key, PoseData) {
        let n = self.keys.len() - 1;
        let i = self.keys[1..n].iter().take_while(|k| k.0.at <= t).count();
        let period = self.period();
        let turns = self.keys[n].0.spin - self.keys[0].0.spin;
        // Neighbours beyond the ends come from the motion's repetition.
        let neighbour = |k: isize| -> (Key, &PoseData) {
            let (k, lap) = match k {
                -1 => (n - 1, -1.0),
                k if k as usize > n => (1, 1.0),
                k => (k as usize, 0.0),
            };
            let (key, pose) = &self.keys[k];
            (Key { at: key.at + lap * period, spin: key.spin + lap * turns, ..*key }, pose)
        };
        let near = [-1, 0, 1, 2].map(|d| neighbour(i as isize + d));
        let basis = basis(near.each_ref().map(|k| k.0.at), t);
        let number = |of: &dyn Fn(usize) -> f64| (0..4).map(|k| basis[k] * of(k)).sum::<f64>();
        let key = Key {
            at: t,
            spin: number(&|k| near[k].0.spin),
            heel: number(&|k| near[k].0.heel).max(0.0),
        };
        let mut pose = PoseData::REST;
        pose.root = (0..4).map(|k| near[k].1.root * basis[k]).sum();
        for j in 0..Joint::COUNT {
            let first = near[1].1.rotations[j];
            let mut sum = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            for k in 0..4 {
                let q = near[k].1.rotations[j];
                sum += q * if q.dot(first) < 0.0 { -basis[k] } else { basis[k] };
            }
            pose.rotations[j] = sum.normalize();
        }
        (key, pose)
    }
}

/// Shares of four keys at time `t` between the second and the third: the cubic whose slope at a
/// key is that of the line through its neighbours.
fn basis(at: [f64; 4], t: f64) -> [f64; 4] {
    let step = at[2] - at[1];
    let s = (t - at[1]) / step;
    let (s2, s3) = (s * s, s * s * s);
    let leave = (s3 - 2.0 * s2 + s) * step / (at[2] - at[0]);
    let arrive = (s3 - s2) * step / (at[3] - at[1]);
    [-leave, 2.0 * s3 - 3.0 * s2 + 1.0 - arrive, 3.0 * s2 - 2.0 * s3 + leave, arrive]
}
