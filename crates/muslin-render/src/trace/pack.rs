//! One ray against four triangles at a time.

use crate::Vec3f;
use glam::Vec4;

/// A half-line; the direction need not be a unit vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub origin: Vec3f,
    pub direction: Vec3f,
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Ray parameter, in lengths of the ray's direction.
    pub t: f32,
    pub triangle: u32,
    /// Weights of the triangle's second and third vertex.
    pub u: f32,
    pub v: f32,
}

/// A ray with each coordinate repeated four times, and what slab tests need.
pub(super) struct RayLanes {
    pub origin: [Vec4; 3],
    pub direction: [Vec4; 3],
    pub inverse_direction: [Vec4; 3],
    /// 1 where the ray runs towards smaller coordinates, else 0.
    pub backwards: [usize; 3],
}

/// Directions are kept this far from zero, per component, so that slab tests never meet 0 · ∞.
const LEAST_DIRECTION: f32 = 1e-20;

impl RayLanes {
    pub fn new(ray: &Ray) -> Self {
        let inverse = ray.direction.to_array().map(|d| {
            let magnitude = d.abs().max(LEAST_DIRECTION);
            1.0 / magnitude.copysign(d)
        });
        Self {
            origin: ray.origin.to_array().map(Vec4::splat),
            direction: ray.direction.to_array().map(Vec4::splat),
            inverse_direction: inverse.map(Vec4::splat),
            backwards: inverse.map(|i| usize::from(i < 0.0)),
        }
    }
}

/// Up to four triangles, one per lane; unused lanes are degenerate and never hit.
#[derive(Clone, Debug, Default)]
pub(super) struct TrianglePack {
    corner: [Vec4; 3],
    edge1: [Vec4; 3],
    edge2: [Vec4; 3],
    pub ids: [u32; 4],
}

/// Results per lane; only lanes set in `mask` mean anything.
pub(super) struct PackHit {
    pub mask: u32,
    pub t: Vec4,
    pub u: Vec4,
    pub v: Vec4,
}

/// Slack of the weights, so that a ray along a shared edge cannot slip between two triangles.
/// Rounding of the weights is about 1e-7 times the ratio of distance to triangle size.
const EDGE_SLACK: f32 = 4e-6;

impl TrianglePack {
    /// Packs at most four triangles, given as identifier and corners.
    pub fn new(triangles: impl Iterator<Item = (u32, [Vec3f; 3])>) -> Self {
        let mut pack = Self::default();
        for (lane, (id, [a, b, c])) in triangles.take(4).enumerate() {
            pack.ids[lane] = id;
            for axis in 0..3 {
                pack.corner[axis][lane] = a[axis];
                pack.edge1[axis][lane] = b[axis] - a[axis];
                pack.edge2[axis][lane] = c[axis] - a[axis];
            }
        }
        pack
    }

    /// Solves o + t d = a + u e₁ + v e₂ by Cramer's rule, with p = d × e₂, q = (o − a) × e₁:
    /// u = (o − a)·p / D, v = d·q / D, t = e₂·q / D, D = e₁·p.
    /// Only 0 < t < `t_max` counts. A degenerate triangle gives infinities or NaN, which fail the comparisons.
    #[inline]
    pub fn intersect(&self, ray: &RayLanes, t_max: f32) -> PackHit {
        let p = cross(&ray.direction, &self.edge2);
        let inverse_determinant = dot(&self.edge1, &p).recip();
        let s: [Vec4; 3] = std::array::from_fn(|i| ray.origin[i] - self.corner[i]);
        let u = dot(&s, &p) * inverse_determinant;
        let q = cross(&s, &self.edge1);
        let v = dot(&ray.direction, &q) * inverse_determinant;
        let t = dot(&self.edge2, &q) * inverse_determinant;
        let low = Vec4::splat(-EDGE_SLACK);
        let high = Vec4::splat(1.0 + EDGE_SLACK);
        let mask = u.cmpge(low)
            & v.cmpge(low)
            & (u + v).cmple(high)
            & t.cmpgt(Vec4::ZERO)
            & t.cmplt(Vec4::splat(t_max));
        PackHit {
            mask: mask.bitmask(),
            t,
            u,
            v,
        }
    }
}

#[inline]
fn dot(a: &[Vec4; 3], b: &[Vec4; 3]) -> Vec4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn cross(a: &[Vec4; 3], b: &[Vec4; 3]) -> [Vec4; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
