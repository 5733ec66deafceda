//! What the judge finds in a finished frame (R1), counted.

use super::guard::Obstacles;
use crate::judge;
use crate::math::Vec3;

/// A vertex counts as below a plane when it is deeper than this share of the size of its coordinates: the
/// rounding of the distance itself.
const PLANE_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Pairs that intersect or touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossings {
    /// Pairs of cloth triangles.
    pub cloth: usize,
    /// Pairs of a cloth and a body triangle.
    pub bodies: usize,
    /// Pairs of a cloth triangle and a plane it reaches below.
    pub planes: usize,
}

impl Crossings {
    /// Judges cloth at `x` \[m\] among obstacles.
    pub fn judge(x: &[Vec3], triangles: &[[u32; 3]], obstacles: &Obstacles) -> Self {
        let Obstacles { positions, triangles: bodies, planes } = *obstacles;
        let below = planes.iter().map(|plane| {
            let is_below = |v: &u32| {
                let x = x[*v as usize];
                let size = (x.abs() + plane.point.abs()).element_sum();
                -plane.distance(x) > PLANE_ROUNDING * size
            };
            triangles.iter().filter(|t| t.iter().any(is_below)).count()
        });
        Self {
            cloth: judge::intersecting_pairs(x, triangles).len(),
            bodies: judge::crossing_pairs(x, triangles, positions, bodies).len(),
            planes: below.sum(),
        }
    }

    /// All pairs.
    pub fn total(&self) -> usize {
        self.cloth + self.bodies + self.planes
    }
}
