//! Pelvis, belly, chest and shoulders.

use super::{Part, Scales, factor};
use crate::joint::{Joint, Side};
use crate::proportions::{Build, Proportions};
use crate::skeleton::Skeleton;
use crate::surface::{Ellipsoid, Frame, Loft, RoundCone, Section, Shape};
use muslin::math::{Vec2, Vec3};

/// Height, half width, depth to the front and to the back: shares of the height.
type Row = [f64; 4];

const WOMAN: [Row; 17] = [
    [0.470, 0.050, 0.026, 0.030],
    [0.483, 0.081, 0.045, 0.052],
    [0.500, 0.096, 0.056, 0.064],
    [0.520, 0.0995, 0.062, 0.067],
    [0.545, 0.0975, 0.067, 0.064],
    [0.575, 0.0890, 0.067, 0.054],
    [0.605, 0.0775, 0.062, 0.046],
    [0.628, 0.0730, 0.056, 0.045],
    [0.655, 0.0755, 0.054, 0.051],
    [0.690, 0.0825, 0.055, 0.060],
    [0.722, 0.0885, 0.054, 0.067],
    [0.752, 0.0925, 0.049, 0.0700],
    [0.778, 0.0915, 0.040, 0.0685],
    [0.800, 0.0800, 0.030, 0.0635],
    [0.818, 0.0600, 0.0215, 0.0560],
    [0.834, 0.0410, 0.0150, 0.0490],
    [0.848, 0.0310, 0.0100, 0.0430],
];

const MAN: [Row; 17] = [
    [0.470, 0.048, 0.028, 0.028],
    [0.483, 0.075, 0.046, 0.050],
    [0.500, 0.0890, 0.055, 0.061],
    [0.520, 0.0925, 0.060, 0.064],
    [0.545, 0.0915, 0.063, 0.061],
    [0.575, 0.0860, 0.064, 0.054],
    [0.605, 0.0820, 0.064, 0.049],
    [0.628, 0.0810, 0.062, 0.049],
    [0.655, 0.0835, 0.060, 0.055],
    [0.690, 0.0900, 0.060, 0.064],
    [0.722, 0.0960, 0.060, 0.070],
    [0.752, 0.1000, 0.056, 0.0720],
    [0.778, 0.0990, 0.047, 0.0705],
    [0.800, 0.0870, 0.034, 0.0650],
    [0.818, 0.0660, 0.0240, 0.0570],
    [0.834, 0.0450, 0.0170, 0.0500],
    [0.848, 0.0330, 0.0120, 0.0440],
];

/// The trunk's sections are a little fuller than ellipses.
const FULLNESS: f64 = 0.35;

/// The parts of the trunk.
pub fn parts(proportions: &Proportions, skeleton: &Skeleton, scales: &Scales) -> Vec<Part> {
    let h = skeleton.height;
    let mut parts = vec![Part::new(main(proportions, scales, h), 0.02 * h)];
    for side in Side::BOTH {
        let s = side.sign();
        match proportions.build {
            Build::Woman => parts.extend(bust(s, scales.chest, h)),
            Build::Man => parts.push(pectoral(s, scales.chest, h)),
        }
        parts.push(buttock(proportions.build, s, scales.hip, h));
        parts.push(trapezius(skeleton, side, scales));
        parts.push(collar(skeleton, side));
        parts.push(shoulder_blade(s, scales.chest, h));
    }
    parts
}

fn main(proportions: &Proportions, scales: &Scales, h: f64) -> Shape {
    let rows = match proportions.build {
        Build::Woman => &WOMAN,
        Build::Man => &MAN,
    };
    let shoulders = proportions.shoulder_width
        / (Proportions::of(proportions.build).shoulder_width * h
            / Proportions::of(proportions.build).height);
    let keys = [
        (0.50, scales.hip),
        (0.56, 0.5 * (scales.hip + scales.waist)),
        (0.628, scales.waist),
        (0.722, scales.chest),
        (0.770, 0.5 * (scales.chest + shoulders)),
        (0.81, shoulders),
    ];
    let section = |&[at, half, front, back]: &Row| {
        let f = factor(&keys, at) * h;
        Section { at: at * h, centre: Vec2::ZERO, u: [half * f; 2], v: [front * f, back * f] }
    };
    let sections: Vec<Section> = rows.iter().map(section).collect();
    let frame = Frame { origin: Vec3::ZERO, u: Vec3::X, v: Vec3::Y, w: Vec3::Z };
    Shape::Loft(Loft::new(frame, &sections, [0.012 * h, 0.01 * h], FULLNESS))
}

fn at(s: f64, x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(s * x, y, z)
}

/// A breast: a full lower half and a slope up to the collar bone.
fn bust(s: f64, scale: f64, h: f64) -> [Part; 2] {
    let low = RoundCone {
        ends: [at(s, 0.041, -0.034, 0.723), at(s, 0.0420, -0.0410, 0.719)]
            .map(|p| Vec3::new(p.x * scale, p.y * scale, p.z) * h),
        radii: [0.0355 * h * scale, 0.0310 * h * scale],
    };
    let high = RoundCone {
        ends: [at(s, 0.0425, -0.0370, 0.730), at(s, 0.038, -0.019, 0.778)]
            .map(|p| Vec3::new(p.x * scale, p.y * scale, p.z) * h),
        radii: [0.0250 * h * scale, 0.0170 * h * scale],
    };
    [Part::new(Shape::RoundCone(low), 0.020 * h), Part::new(Shape::RoundCone(high), 0.022 * h)]
}

fn pectoral(s: f64, scale: f64, h: f64) -> Part {
    let shape = Ellipsoid {
        centre: Vec3::new(s * 0.046 * scale, -0.036 * scale, 0.748) * h,
        radii: Vec3::new(0.052 * scale, 0.024 * scale, 0.036) * h,
    };
    Part::new(Shape::Ellipsoid(shape), 0.03 * h)
}

fn buttock(build: Build, s: f64, scale: f64, h: f64) -> Part {
    let size = match build {
        Build::Woman => 1.0,
        Build::Man => 0.93,
    };
    let shape = Ellipsoid {
        centre: Vec3::new(s * 0.0415 * scale, 0.0335 * scale, 0.494) * h,
        radii: Vec3::new(0.0490 * scale, 0.0500 * scale, 0.051) * (h * size),
    };
    Part::new(Shape::Ellipsoid(shape), 0.020 * h)
}

/// From the breastbone to the shoulder: rounds the front of the shoulder.
fn collar(skeleton: &Skeleton, side: Side) -> Part {
    let h = skeleton.height;
    let shoulder = skeleton.rest(Joint::UpperArm(side));
    let end = Vec3::new(0.90 * shoulder.x, shoulder.y - 0.010 * h, shoulder.z + 0.004 * h);
    let start = at(side.sign(), 0.014, -0.008, 0.806) * h;
    let radii = [0.0150 * h, 0.0200 * h];
    Part::new(Shape::RoundCone(RoundCone { ends: [start, end], radii }), 0.026 * h)
}

/// The slope from the neck to the shoulder.
fn trapezius(skeleton: &Skeleton, side: Side, scales: &Scales) -> Part {
    let h = skeleton.height;
    let shoulder = skeleton.rest(Joint::UpperArm(side));
    let end = Vec3::new(0.93 * shoulder.x, shoulder.y + 0.002 * h, shoulder.z + 0.0105 * h);
    let start = at(side.sign(), 0.012, 0.020, 0.858) * h;
    let radii = [0.0165 * h * scales.neck, 0.0185 * h];
    Part::new(Shape::RoundCone(RoundCone { ends: [start, end], radii }), 0.026 * h)
}

fn shoulder_blade(s: f64, scale: f64, h: f64) -> Part {
    let shape = Ellipsoid {
        centre: Vec3::new(s * 0.048 * scale, 0.045 * scale, 0.760) * h,
        radii: Vec3::new(0.036 * scale, 0.027 * scale, 0.046) * h,
    };
    Part::new(Shape::Ellipsoid(shape), 0.025 * h)
}
