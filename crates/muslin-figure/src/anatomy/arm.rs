//! Arm and hand: the hand is a mitten with a thumb.

use super::{Part, Scales, factor};
use crate::joint::{Joint, Side};
use crate::skeleton::{Skeleton, arm_direction, arm_up, forearm_direction};
use crate::surface::{Frame, Loft, RoundCone, Section, Shape};
use muslin::math::Vec2;

/// Place along the arm from the shoulder, half widths: inner, outer, front, back; shares of the
/// height.
const ARM: [[f64; 5]; 11] = [
    [-0.006, 0.0270, 0.0265, 0.0305, 0.0305],
    [0.020, 0.0280, 0.0290, 0.0320, 0.0325],
    [0.050, 0.0270, 0.0275, 0.0305, 0.0310],
    [0.085, 0.0255, 0.0240, 0.0275, 0.0275],
    [0.125, 0.0225, 0.0215, 0.0245, 0.0245],
    [0.168, 0.0195, 0.0195, 0.0210, 0.0215],
    [0.184, 0.0200, 0.0200, 0.0215, 0.0210],
    [0.212, 0.0210, 0.0205, 0.0230, 0.0205],
    [0.250, 0.0185, 0.0180, 0.0205, 0.0180],
    [0.295, 0.0140, 0.0140, 0.0165, 0.0155],
    [0.328, 0.0122, 0.0122, 0.0158, 0.0155],
];

/// Place along the hand from the wrist, shift towards the palm, half thickness, half width.
const HAND: [[f64; 4]; 6] = [
    [-0.006, 0.000, 0.0118, 0.0150],
    [0.014, 0.000, 0.0135, 0.0190],
    [0.034, 0.000, 0.0138, 0.0222],
    [0.054, 0.0015, 0.0118, 0.0222],
    [0.076, 0.0050, 0.0093, 0.0200],
    [0.098, 0.0105, 0.0072, 0.0150],
];

/// The parts of an arm.
pub fn parts(skeleton: &Skeleton, side: Side, scales: &Scales) -> Vec<Part> {
    let h = skeleton.height;
    vec![
        Part::new(arm(skeleton, side, scales), 0.01 * h),
        Part::new(hand(skeleton, side), 0.014 * h),
        Part::new(thumb(skeleton, side, [0.020, 0.044], [0.0108, 0.0085]), 0.014 * h),
        Part::new(thumb(skeleton, side, [0.044, 0.066], [0.0085, 0.0068]), 0.006 * h),
    ]
}

fn arm(skeleton: &Skeleton, side: Side, scales: &Scales) -> Shape {
    let h = skeleton.height;
    let [shoulder, elbow, wrist] =
        [Joint::UpperArm(side), Joint::Forearm(side), Joint::Hand(side)].map(|j| skeleton.rest(j));
    let bend_at = (elbow - shoulder).dot(arm_direction(side));
    let slope = (wrist - elbow).y / (wrist - elbow).dot(arm_direction(side));
    let wrist_scale = scales.arm.sqrt();
    let keys = [
        (0.0, 0.5 * (scales.arm + 1.0)),
        (0.085, scales.arm),
        (0.21, scales.arm),
        (0.328, wrist_scale),
    ];
    let section = |&[at, inner, outer, front, back]: &[f64; 5]| {
        let f = factor(&keys, at) * h;
        let bent = (at * h - bend_at).max(0.0) * slope;
        Section {
            at: at * h,
            centre: Vec2::new(0.0, bent),
            u: [inner * f, outer * f],
            v: [front * f, back * f],
        }
    };
    let sections: Vec<Section> = ARM.iter().map(section).collect();
    let frame = Frame {
        origin: shoulder,
        u: arm_up(side),
        v: muslin::math::Vec3::Y,
        w: arm_direction(side),
    };
    Shape::Loft(Loft::new(frame, &sections, [0.024 * h, 0.012 * h], 0.0))
}

fn hand_frame(skeleton: &Skeleton, side: Side) -> Frame {
    let w = forearm_direction(side);
    let u = arm_up(side);
    // A right-handed frame on the left side, a left-handed one on the right: the hands mirror.
    Frame { origin: skeleton.rest(Joint::Hand(side)), u, v: w.cross(u) * side.sign(), w }
}

fn hand(skeleton: &Skeleton, side: Side) -> Shape {
    let h = skeleton.height;
    let section = |&[at, shift, thick, wide]: &[f64; 4]| Section {
        at: at * h,
        centre: Vec2::new(-shift * h, 0.0),
        u: [thick * h; 2],
        v: [wide * h; 2],
    };
    let sections: Vec<Section> = HAND.iter().map(section).collect();
    Shape::Loft(Loft::new(hand_frame(skeleton, side), &sections, [0.01 * h, 0.009 * h], 0.35))
}

/// A piece of the thumb from one place along the hand to another.
fn thumb(skeleton: &Skeleton, side: Side, along: [f64; 2], radii: [f64; 2]) -> Shape {
    let h = skeleton.height;
    let frame = hand_frame(skeleton, side);
    // The thumb points forward: towards −y, whichever way v goes.
    let forward = -frame.v * frame.v.y.signum();
    let ends = along.map(|t| {
        let out = 0.012 + 0.30 * t.min(0.055) + 0.0035;
        frame.origin + (frame.w * t + forward * out - frame.u * (0.004 + 0.06 * t)) * h
    });
    Shape::RoundCone(RoundCone { ends, radii: radii.map(|r| r * h) })
}
