//! Neck and head, as smooth as those of a tailor's dummy.

use super::{Part, Scales};
use crate::joint::Side;
use crate::proportions::{Build, Proportions};
use crate::surface::{Ellipsoid, Frame, Loft, RoundCone, Section, Shape};
use muslin::math::{Vec2, Vec3};

/// Height, half width, front, back: shares of the height, around an axis at `AXIS`.
const ROWS: [[f64; 4]; 7] = [
    [0.880, 0.0240, 0.0490, 0.0300],
    [0.890, 0.0310, 0.0520, 0.0385],
    [0.905, 0.0365, 0.0530, 0.0470],
    [0.920, 0.0405, 0.0535, 0.0530],
    [0.936, 0.0430, 0.0530, 0.0570],
    [0.950, 0.0440, 0.0545, 0.0590],
    [0.958, 0.0437, 0.0540, 0.0588],
];

/// The head's axis lies this far before the body's.
const AXIS: f64 = -0.010;

/// The parts of neck and head.
pub fn parts(proportions: &Proportions, scales: &Scales) -> Vec<Part> {
    let h = proportions.height;
    let jaw = match proportions.build {
        Build::Woman => 0.96,
        Build::Man => 1.04,
    };
    let section = |&[at, half, front, back]: &[f64; 4]| {
        let width = if at < 0.93 { jaw } else { 1.0 };
        Section {
            at: at * h,
            centre: Vec2::new(0.0, AXIS * h),
            u: [1.04 * half * h * width; 2],
            v: [front * h, back * h],
        }
    };
    let sections: Vec<Section> = ROWS.iter().map(section).collect();
    let frame = Frame { origin: Vec3::ZERO, u: Vec3::X, v: Vec3::Y, w: Vec3::Z };
    let skull = Loft::new(frame, &sections, [0.012 * h, 0.042 * h], 0.1);
    let mut parts = vec![
        Part::new(Shape::Loft(skull), 0.01 * h),
        Part::new(neck(scales, h), 0.016 * h),
        Part::new(nose(h), 0.010 * h),
        Part::new(chin(h, jaw), 0.012 * h),
    ];
    parts.extend(Side::BOTH.map(|side| ear(side.sign(), h)));
    parts
}

fn neck(scales: &Scales, h: f64) -> Shape {
    let ends = [Vec3::new(0.0, 0.026, 0.822) * h, Vec3::new(0.0, 0.004, 0.905) * h];
    let radius = 0.0305 * h * scales.neck;
    Shape::RoundCone(RoundCone { ends, radii: [1.04 * radius, 0.98 * radius] })
}

fn nose(h: f64) -> Shape {
    let ends = [Vec3::new(0.0, -0.0590, 0.938) * h, Vec3::new(0.0, -0.0665, 0.9125) * h];
    Shape::RoundCone(RoundCone { ends, radii: [0.0045 * h, 0.0078 * h] })
}

fn chin(h: f64, jaw: f64) -> Shape {
    let centre = Vec3::new(0.0, -0.0510, 0.8800) * h;
    Shape::Ellipsoid(Ellipsoid { centre, radii: Vec3::new(0.0150 * jaw, 0.0120, 0.0105) * h })
}

fn ear(s: f64, h: f64) -> Part {
    let centre = Vec3::new(s * 0.0440, 0.002, 0.9230) * h;
    let shape = Ellipsoid { centre, radii: Vec3::new(0.0055, 0.0100, 0.0165) * h };
    Part::new(Shape::Ellipsoid(shape), 0.004 * h)
}
