//! Weights from where a vertex lies along the parts it is made of.

use super::Influences;
use crate::anatomy::{Anatomy, Region};
use crate::joint::{Joint, Side};
use crate::mesher::Triangulation;
use crate::mesher::relax::Neighbours;
use crate::skeleton::Skeleton;
use muslin::math::{Vec3, try_normalize};
use rayon::prelude::*;

type Weights = [f64; Joint::COUNT];

/// Parts blend over this distance \[share of the height\].
const SOFTNESS: f64 = 0.009;
/// Rounds in which every vertex takes up half of its neighbours' mean.
const SMOOTHING: usize = 12;

/// The influences of every vertex.
pub fn bind(mesh: &Triangulation, anatomy: &Anatomy, skeleton: &Skeleton) -> Vec<Influences> {
    let binder = Binder { anatomy, skeleton };
    let mut weights: Vec<Weights> = mesh.positions.par_iter().map(|x| binder.weights(*x)).collect();
    let neighbours = Neighbours::new(mesh.positions.len(), &mesh.triangles);
    for _ in 0..SMOOTHING {
        let old = &weights;
        let smooth = |v: usize| {
            let around = neighbours.of(v);
            let share = 0.5 / around.len().max(1) as f64;
            let mut sum = old[v].map(|w| 0.5 * w);
            for &n in around {
                for (s, w) in sum.iter_mut().zip(&old[n as usize]) {
                    *s += share * w;
                }
            }
            sum
        };
        weights = (0..old.len()).into_par_iter().map(smooth).collect();
    }
    weights.iter().map(Influences::new).collect()
}

struct Binder<'a> {
    anatomy: &'a Anatomy,
    skeleton: &'a Skeleton,
}

/// 0 below `-half`, 1 above `half`, smooth between.
fn step(x: f64, half: f64) -> f64 {
    let s = ((x + half) / (2.0 * half)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

impl Binder<'_> {
    fn weights(&self, x: Vec3) -> Weights {
        const REGIONS: [Region; 6] = [
            Region::Trunk,
            Region::Head,
            Region::Arm(Side::Left),
            Region::Arm(Side::Right),
            Region::Leg(Side::Left),
            Region::Leg(Side::Right),
        ];
        let values = REGIONS.map(|region| self.anatomy.region_value(region, x));
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let mut sum = [0.0; Joint::COUNT];
        for (region, value) in REGIONS.into_iter().zip(values) {
            let share = (-(value - least) / (SOFTNESS * self.skeleton.height)).exp();
            if share > 1e-3 {
                let of_region = match region {
                    Region::Trunk | Region::Head => self.spine(x),
                    Region::Arm(side) => self.arm(side, x),
                    Region::Leg(side) => self.leg(side, x),
                };
                sum.iter_mut().zip(of_region).for_each(|(s, w)| *s += share * w);
            }
        }
        let total: f64 = sum.iter().sum();
        sum.map(|w| w / total)
    }

    /// Passes weight from one joint of a chain to the next where `x` is beyond it, over `half`
    /// \[share of the height\] to either side.
    fn chain(&self, chain: &[(Joint, f64)], x: Vec3, along: impl Fn(usize) -> Vec3) -> Weights {
        let mut weights = [0.0; Joint::COUNT];
        let mut passed = 1.0;
        for (k, &(joint, half)) in chain.iter().enumerate() {
            if let Some(&(before, _)) = k.checked_sub(1).map(|p| &chain[p]) {
                let d = (x - self.skeleton.rest(joint)).dot(along(k));
                let next = passed * step(d, half * self.skeleton.height);
                weights[before.index()] += passed - next;
                passed = next;
            }
            if k + 1 == chain.len() {
                weights[joint.index()] += passed;
            }
        }
        weights
    }

    fn direction(&self, from: Joint, to: Joint) -> Vec3 {
        try_normalize(self.skeleton.rest(to) - self.skeleton.rest(from)).unwrap_or(Vec3::Z)
    }

    fn spine(&self, x: Vec3) -> Weights {
        const CHAIN: [(Joint, f64); 6] = [
            (Joint::Hips, 0.0),
            (Joint::Spine1, 0.035),
            (Joint::Spine2, 0.035),
            (Joint::Spine3, 0.035),
            (Joint::Neck, 0.022),
            (Joint::Head, 0.020),
        ];
        let tilted = self.direction(Joint::Neck, Joint::Head);
        let mut weights = self.chain(&CHAIN, x, |k| if k >= 4 { tilted } else { Vec3::Z });
        // The chest hands over to the collar bones towards the shoulders.
        let h = self.skeleton.height;
        let side = if x.x > 0.0 { Side::Left } else { Side::Right };
        let outward = step(x.x.abs() - 0.062 * h, 0.040 * h);
        let upward = step(x.z - 0.785 * h, 0.035 * h);
        let moved = weights[Joint::Spine3.index()] * outward * upward;
        weights[Joint::Spine3.index()] -= moved;
        weights[Joint::Clavicle(side).index()] += moved;
        weights
    }

    fn arm(&self, side: Side, x: Vec3) -> Weights {
        let chain = [
            (Joint::Clavicle(side), 0.0),
            (Joint::UpperArm(side), 0.030),
            (Joint::Forearm(side), 0.026),
            (Joint::Hand(side), 0.014),
        ];
        let upper = self.direction(Joint::UpperArm(side), Joint::Forearm(side));
        let lower = self.direction(Joint::Forearm(side), Joint::Hand(side));
        self.chain(&chain, x, |k| match k {
            1 => upper,
            2 => try_normalize(upper + lower).unwrap_or(upper),
            _ => lower,
        })
    }

    fn leg(&self, side: Side, x: Vec3) -> Weights {
        let chain = [
            (Joint::Hips, 0.0),
            (Joint::Thigh(side), 0.045),
            (Joint::Shin(side), 0.032),
            (Joint::Foot(side), 0.020),
            (Joint::Toes(side), 0.014),
        ];
        let toes = self.direction(Joint::Foot(side), Joint::Toes(side));
        let toes = try_normalize(Vec3::new(toes.x, toes.y, 0.0)).unwrap_or(-Vec3::Y);
        // The groin runs up and outward: below it the thigh, above it the pelvis.
        let groin = try_normalize(Vec3::new(side.sign() * 0.45, 0.0, -1.0)).unwrap_or(-Vec3::Z);
        self.chain(&chain, x, |k| match k {
            1 => groin,
            2 | 3 => -Vec3::Z,
            _ => toes,
        })
    }
}
