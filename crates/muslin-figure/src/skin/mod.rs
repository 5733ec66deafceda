//! Skinning: which bones move a vertex, and where they take it.

mod dual_quaternion;
mod weights;

pub use dual_quaternion::DualQuaternion;
pub use weights::bind;

use crate::joint::Joint;
use muslin::math::Vec3;

/// Most bones that move one vertex.
pub const MOST_INFLUENCES: usize = 8;

/// The bones that move a vertex, strongest first; weights sum to 1, unused ones are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influences {
    /// Indices of joints, see [`Joint::index`].
    pub joints: [u8; MOST_INFLUENCES],
    /// Their weights.
    pub weights: [f64; MOST_INFLUENCES],
}

impl Influences {
    /// The strongest of one weight a joint, made to sum to 1.
    pub fn new(all: &[f64; Joint::COUNT]) -> Self {
        let mut order: [u8; Joint::COUNT] = std::array::from_fn(|j| j as u8);
        order.sort_by(|&a, &b| all[b as usize].total_cmp(&all[a as usize]));
        let joints: [u8; MOST_INFLUENCES] = std::array::from_fn(|k| order[k]);
        let sum: f64 = joints.iter().map(|&j| all[j as usize]).sum();
        Self { joints, weights: joints.map(|j| all[j as usize] / sum) }
    }

    /// The bone that moves the vertex most.
    pub fn dominant(&self) -> Joint {
        Joint::ALL[self.joints[0] as usize]
    }

    /// The weight of a bone.
    pub fn weight(&self, joint: Joint) -> f64 {
        let found = self.joints.iter().position(|&j| j as usize == joint.index());
        found.map_or(0.0, |k| self.weights[k])
    }

    /// Where the bones take a point: dual quaternion blending, so joints keep their volume.
    pub fn apply(&self, bones: &[DualQuaternion; Joint::COUNT], x: Vec3) -> Vec3 {
        let first = bones[self.joints[0] as usize];
        let mut sum = first * self.weights[0];
        for (&j, &w) in self.joints.iter().zip(&self.weights).skip(1).take_while(|(_, w)| **w > 0.0)
        {
            let bone = bones[j as usize];
            // Of q and −q, the same rotation, the one on the side of the strongest bone.
            sum = sum + bone * if bone.real.dot(first.real) < 0.0 { -w } else { w };
        }
        sum.apply(x)
    }
}
