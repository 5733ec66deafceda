//! Leg and foot.

use super::{Part, Scales, factor};
use crate::joint::{Joint, Side};
use crate::proportions::{Build, Proportions};
use crate::skeleton::{Skeleton, TOE_OUT};
use crate::surface::{Ellipsoid, Frame, Loft, RoundCone, Section, Shape};
use muslin::math::{Quat, Vec2, Vec3};

/// Height; inner and outer edge; front and back edge of the leg; shares of the height.
const LEG: [[f64; 5]; 17] = [
    [0.036, 0.0475, 0.0830, -0.0010, 0.0525],
    [0.060, 0.0490, 0.0820, 0.0050, 0.0515],
    [0.085, 0.0475, 0.0830, 0.0080, 0.0525],
    [0.115, 0.0440, 0.0870, 0.0065, 0.0570],
    [0.150, 0.0400, 0.0920, 0.0025, 0.0635],
    [0.185, 0.0365, 0.0960, -0.0015, 0.0670],
    [0.215, 0.0355, 0.0965, -0.0045, 0.0655],
    [0.245, 0.0360, 0.0935, -0.0100, 0.0575],
    [0.268, 0.0335, 0.0915, -0.0175, 0.0505],
    [0.288, 0.0305, 0.0915, -0.0220, 0.0470],
    [0.310, 0.0275, 0.0930, -0.0245, 0.0475],
    [0.345, 0.0220, 0.0965, -0.0335, 0.0510],
    [0.385, 0.0160, 0.1010, -0.0430, 0.0545],
    [0.425, 0.0105, 0.1055, -0.0500, 0.0580],
    [0.455, 0.0085, 0.1065, -0.0535, 0.0610],
    [0.480, 0.0130, 0.1045, -0.0520, 0.0600],
    [0.512, 0.0260, 0.0950, -0.0430, 0.0480],
];

/// Place along the foot from the ankle forward; shift outward, half width, top; shares of the height.
const FOOT: [[f64; 4]; 9] = [
    [-0.026, 0.0000, 0.0150, 0.0300],
    [-0.014, 0.0000, 0.0180, 0.0420],
    [0.002, 0.0000, 0.0190, 0.0500],
    [0.020, 0.0000, 0.0200, 0.0480],
    [0.040, 0.0005, 0.0225, 0.0385],
    [0.060, 0.0015, 0.0255, 0.0290],
    [0.078, 0.0020, 0.0270, 0.0225],
    [0.096, 0.0010, 0.0240, 0.0175],
    [0.108, -0.0010, 0.0190, 0.0140],
];

/// The parts of a leg.
pub fn parts(
    proportions: &Proportions,
    skeleton: &Skeleton,
    side: Side,
    scales: &Scales,
) -> Vec<Part> {
    let h = skeleton.height;
    vec![
        Part::new(leg(proportions.build, side, scales, h), 0.01 * h),
        Part::new(knee(side, scales, h), 0.018 * h),
        Part::new(foot(skeleton, side), 0.016 * h),
        Part::new(heel(skeleton, side), 0.016 * h),
    ]
}

fn leg(build: Build, side: Side, scales: &Scales, h: f64) -> Shape {
    let ankle = scales.calf.sqrt();
    let knee = 0.25 * (scales.thigh + scales.calf) + 0.5;
    let keys = [
        (0.06, ankle),
        (0.20, scales.calf),
        (0.285, knee),
        (0.44, scales.thigh),
        (0.48, scales.thigh),
    ];
    let slim = match build {
        Build::Woman => 0.0,
        Build::Man => 0.0025,
    };
    let section = |&[at, inner, outer, front, back]: &[f64; 5]| {
        let f = factor(&keys, at);
        // Wider thighs grow outward, not into each other.
        let reach = 0.5 * (outer - inner);
        let wide = (2.0 * reach * f).max(0.0);
        let inner =
            if f > 1.0 { inner - 0.25 * reach * (f - 1.0) } else { inner - reach * (f - 1.0) };
        let inner = inner.max(0.0075) + slim;
        let centre = Vec2::new(side.sign() * (inner + 0.5 * wide), 0.5 * (front + back)) * h;
        Section { at: at * h, centre, u: [0.5 * wide * h; 2], v: [0.5 * (back - front) * f * h; 2] }
    };
    let sections: Vec<Section> = LEG.iter().map(section).collect();
    let frame = Frame { origin: Vec3::ZERO, u: Vec3::X, v: Vec3::Y, w: Vec3::Z };
    Shape::Loft(Loft::new(frame, &sections, [0.012 * h, 0.03 * h], 0.0))
}

fn knee(side: Side, scales: &Scales, h: f64) -> Shape {
    let wide = 0.25 * (scales.thigh + scales.calf) + 0.5;
    let centre = Vec3::new(side.sign() * 0.0605, -0.0065 * wide, 0.2865) * h;
    Shape::Ellipsoid(Ellipsoid { centre, radii: Vec3::new(0.0200, 0.0190, 0.0280) * (h * wide) })
}

fn foot_frame(skeleton: &Skeleton, side: Side) -> Frame {
    let ankle = skeleton.rest(Joint::Foot(side));
    let turn = Quat::from_rotation_z(side.sign() * TOE_OUT);
    Frame {
        origin: Vec3::new(ankle.x, ankle.y, 0.0),
        u: turn * Vec3::X * side.sign(),
        v: Vec3::Z,
        w: turn * -Vec3::Y,
    }
}

fn foot(skeleton: &Skeleton, side: Side) -> Shape {
    let h = skeleton.height;
    // The loft goes a little below the ground, where the sole cuts it off.
    let below = -0.006;
    let section = |&[at, shift, half, top]: &[f64; 4]| {
        let middle = below + 0.40 * (top - below);
        Section {
            at: at * h,
            centre: Vec2::new(shift, middle) * h,
            u: [half * h; 2],
            v: [(middle - below) * h, (top - middle) * h],
        }
    };
    let sections: Vec<Section> = FOOT.iter().map(section).collect();
    let frame = foot_frame(skeleton, side);
    Shape::Loft(Loft::new(frame, &sections, [0.010 * h, 0.010 * h], 0.3))
}

fn heel(skeleton: &Skeleton, side: Side) -> Shape {
    let h = skeleton.height;
    let frame = foot_frame(skeleton, side);
    let ends = [
        frame.origin + (frame.w * -0.020 + frame.v * 0.014) * h,
        frame.origin + (frame.w * -0.008 + frame.v * 0.050) * h,
    ];
    Shape::RoundCone(RoundCone { ends, radii: [0.0165 * h, 0.0140 * h] })
}
