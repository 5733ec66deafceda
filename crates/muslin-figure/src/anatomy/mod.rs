//! The figure's shape: parts in their places, blended into one implicit surface.
//!
//! Tables give lengths as shares of the height, started from widths measured on slices of an
//! average adult body scan and then shaped by eye; [`Scales`] widen them until the girths are what was asked.

mod arm;
mod head;
mod leg;
mod trunk;

use crate::joint::Side;
use crate::proportions::Proportions;
use crate::skeleton::Skeleton;
use crate::surface::{Shape, smooth_max, smooth_min};
use muslin::math::Vec3;

/// Factors on the widths of the tables, one a girth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// Of the chest.
    pub chest: f64,
    /// Of the waist.
    pub waist: f64,
    /// Of the hips.
    pub hip: f64,
    /// Of the thighs.
    pub thigh: f64,
    /// Of the calves.
    pub calf: f64,
    /// Of the arms.
    pub arm: f64,
    /// Of the neck.
    pub neck: f64,
}

impl Default for Scales {
    fn default() -> Self {
        Self { chest: 1.0, waist: 1.0, hip: 1.0, thigh: 1.0, calf: 1.0, arm: 1.0, neck: 1.0 }
    }
}

/// What a part belongs to, for skinning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Pelvis, belly, chest, shoulders.
    Trunk,
    /// Neck and head.
    Head,
    /// Upper arm to hand.
    Arm(Side),
    /// Thigh to toes.
    Leg(Side),
}

/// A part and how softly it joins those before it.
#[derive(Clone, Debug)]
struct Part {
    shape: Shape,
    blend: f64,
    centre: Vec3,
    radius: f64,
}

impl Part {
    fn new(shape: Shape, blend: f64) -> Self {
        let (centre, radius) = shape.bounds();
        Self { shape, blend, centre, radius }
    }

    /// Not more than the part's value.
    fn least(&self, p: Vec3) -> f64 {
        p.distance(self.centre) - self.radius
    }
}

/// Parts blended in order.
#[derive(Clone, Debug, Default)]
struct Group {
    parts: Vec<Part>,
    centre: Vec3,
    radius: f64,
}

impl Group {
    fn new(parts: Vec<Part>) -> Self {
        let count = parts.len().max(1) as f64;
        let centre = parts.iter().map(|p| p.centre).sum::<Vec3>() / count;
        let reach = |p: &Part| p.centre.distance(centre) + p.radius;
        let radius = parts.iter().map(reach).fold(0.0, f64::max);
        Self { parts, centre, radius }
    }

    fn value(&self, p: Vec3) -> f64 {
        let mut value = f64::INFINITY;
        for part in &self.parts {
            if part.least(p) < value + part.blend {
                let v = part.shape.value(p);
                value = if value == f64::INFINITY { v } else { smooth_min(value, v, part.blend) };
            }
        }
        value
    }

    fn least(&self, p: Vec3) -> f64 {
        p.distance(self.centre) - self.radius
    }
}

/// The implicit surface of a figure in its rest pose.
#[derive(Clone, Debug)]
pub struct Anatomy {
    height: f64,
    trunk: Group,
    head: Group,
    arms: [Group; 2],
    legs: [Group; 2],
}

/// How softly the groups join \[share of the height\].
const HEAD_BLEND: f64 = 0.014;
const LEG_BLEND: f64 = 0.034;
const BETWEEN_LEGS_BLEND: f64 = 0.008;
const ARM_BLEND: f64 = 0.026;
const SOLE_BLEND: f64 = 0.006;

/// Beyond this distance from the trunk \[share of the height\] only its bound counts.
const FAR: f64 = 0.08;

impl Anatomy {
    /// The surface of a figure with given widths.
    pub fn new(proportions: &Proportions, skeleton: &Skeleton, scales: &Scales) -> Self {
        Self {
            height: skeleton.height,
            trunk: Group::new(trunk::parts(proportions, skeleton, scales)),
            head: Group::new(head::parts(proportions, scales)),
            arms: Side::BOTH.map(|side| Group::new(arm::parts(skeleton, side, scales))),
            legs: Side::BOTH
                .map(|side| Group::new(leg::parts(proportions, skeleton, side, scales))),
        }
    }

    /// About the signed distance \[m\] from the surface, negative inside.
    pub fn value(&self, p: Vec3) -> f64 {
        let h = self.height;
        let far = self.trunk.least(p);
        let mut value = if far > FAR * h { far } else { self.trunk.value(p) };
        let legs = Side::BOTH.map(|side| self.leg(side, p, value + LEG_BLEND * h));
        let legs = smooth_min(legs[0], legs[1], BETWEEN_LEGS_BLEND * h);
        value = smooth_min(value, legs, LEG_BLEND * h);
        if self.head.least(p) < value + HEAD_BLEND * h {
            value = smooth_min(value, self.head.value(p), HEAD_BLEND * h);
        }
        for arm in &self.arms {
            if arm.least(p) < value + ARM_BLEND * h {
                value = smooth_min(value, arm.value(p), ARM_BLEND * h);
            }
        }
        value
    }

    /// A leg with its foot, or something above `limit` where it is further away than that.
    fn leg(&self, side: Side, p: Vec3, limit: f64) -> f64 {
        let group = &self.legs[side.index()];
        let least = group.least(p);
        if least > limit {
            return least;
        }
        smooth_max(group.value(p), -p.z, SOLE_BLEND * self.height)
    }

    /// The value of one region alone.
    pub fn region_value(&self, region: Region, p: Vec3) -> f64 {
        match region {
            Region::Trunk => self.trunk.value(p),
            Region::Head => self.head.value(p),
            Region::Arm(side) => self.arms[side.index()].value(p),
            Region::Leg(side) => self.leg(side, p, f64::INFINITY),
        }
    }

    /// Gradient and value, from four values around the point.
    fn gradient(&self, p: Vec3) -> (Vec3, f64) {
        const CORNERS: [Vec3; 4] = [
            Vec3::new(1.0, -1.0, -1.0),
            Vec3::new(-1.0, -1.0, 1.0),
            Vec3::new(-1.0, 1.0, -1.0),
            Vec3::new(1.0, 1.0, 1.0),
        ];
        let step = 3e-4 * self.height;
        let (mut gradient, mut mean) = (Vec3::ZERO, 0.0);
        for corner in CORNERS {
            let value = self.value(p + corner * step);
            gradient += corner * value;
            mean += 0.25 * value;
        }
        // Σ cᵢ cᵢᵀ = 4 I.
        (gradient / (4.0 * step), mean)
    }

    /// Moves a point near the surface onto it by `steps` of Newton's method.
    pub fn project(&self, mut p: Vec3, steps: usize) -> Vec3 {
        let most = 0.02 * self.height;
        for _ in 0..steps {
            let (gradient, value) = self.gradient(p);
            let square = gradient.length_squared();
            if square > 1e-6 {
                let step = gradient * (-value / square);
                p += step * (most / step.length()).min(1.0);
            }
        }
        p
    }

    /// A box around the figure \[m\].
    pub fn bounds(&self) -> [Vec3; 2] {
        let groups = [&self.trunk, &self.head].into_iter().chain(&self.arms).chain(&self.legs);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for part in groups.flat_map(|g| &g.parts) {
            low = low.min(part.centre - part.radius);
            high = high.max(part.centre + part.radius);
        }
        let h = self.height;
        let side = low.x.abs().max(high.x);
        // Bounding balls of long parts reach far forward and back; no part does.
        [
            Vec3::new(-side, low.y.max(-0.2 * h), -0.01 * h),
            Vec3::new(side, high.y.min(0.2 * h), 1.01 * h),
        ]
    }
}

/// A factor between keys `(place, factor)` sorted by place; smooth between, constant beyond.
fn factor(keys: &[(f64, f64)], at: f64) -> f64 {
    let Some(k) = keys.iter().position(|key| at < key.0) else {
        return keys.last().map_or(1.0, |key| key.1);
    };
    if k == 0 {
        return keys[0].1;
    }
    let ((a, fa), (b, fb)) = (keys[k - 1], keys[k]);
    let s = (at - a) / (b - a);
    fa + (fb - fa) * s * s * (3.0 - 2.0 * s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_meet_their_keys_and_stay_beyond_them() {
        let keys = [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)];
        for (at, expected) in [(-1.0, 1.0), (0.0, 1.0), (0.5, 2.0), (1.0, 3.0), (5.0, 2.0)] {
            assert_eq!(factor(&keys, at), expected);
        }
    }
}
