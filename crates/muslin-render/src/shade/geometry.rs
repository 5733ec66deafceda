//! All surfaces of a picture as one triangle list in renderer units.

use super::view::View;
use crate::trace::{Bvh, Hit};
use crate::{Color, Shading, Surface, Vec3f};

/// Triangles, normals and colours of all surfaces, and the hierarchy over them.
pub(crate) struct Geometry {
    positions: Vec<Vec3f>,
    normals: Vec<Vec3f>,
    /// Empty where no surface has vertex colours.
    colors: Vec<Color>,
    triangles: Vec<[u32; 3]>,
    /// Surface of each triangle.
    owners: Vec<u32>,
    looks: Vec<Look>,
    pub bvh: Bvh,
}

#[derive(Clone, Copy)]
struct Look {
    front: Color,
    back: Color,
    smooth: bool,
    vertex_colors: bool,
}

/// A visible point of a surface; normals face the viewer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfacePoint {
    pub position: Vec3f,
    /// Where light is gathered from: `position` lifted from the flat triangle to the smooth
    /// surface it stands for.
    pub lifted: Vec3f,
    /// Shading normal.
    pub normal: Vec3f,
    /// Normal of the flat triangle.
    pub flat_normal: Vec3f,
    pub albedo: Color,
    /// Surface number times two, plus one for the back: what may share light in the filter.
    pub side: u32,
}

impl Geometry {
    /// Gathers checked surfaces (indices in range, finite positions).
    pub fn new(surfaces: &[Surface], view: &View) -> Self {
        let mut positions = Vec::new();
        let mut triangles = Vec::new();
        let mut owners = Vec::new();
        let mut looks = Vec::new();
        let mut colors = Vec::new();
        let any_colors = surfaces.iter().any(|s| s.vertex_colors.is_some());
        for (number, surface) in surfaces.iter().enumerate() {
            let first = positions.len() as u32;
            positions.extend(surface.positions.iter().map(|&p| view.local(p)));
            triangles.extend(surface.triangles.iter().map(|t| t.map(|i| i + first)));
            owners.resize(triangles.len(), number as u32);
            if any_colors {
                colors.extend_from_slice(surface.vertex_colors.unwrap_or(&[]));
                colors.resize(positions.len(), surface.front);
            }
            looks.push(Look {
                front: surface.front,
                back: surface.back,
                smooth: surface.shading == Shading::Smooth,
                vertex_colors: surface.vertex_colors.is_some(),
            });
        }
        let normals = vertex_normals(&positions, &triangles);
        let bvh = Bvh::build(triangles.len(), |i| {
            triangles[i].map(|v| positions[v as usize])
        });
        Self {
            positions,
            normals,
            colors,
            triangles,
            owners,
            looks,
            bvh,
        }
    }

    /// The point where a ray of direction `direction` hit.
    pub fn surface_point(&self, hit: &Hit, direction: Vec3f) -> SurfacePoint {
        let triangle = hit.triangle as usize;
        let owner = self.owners[triangle];
        let look = self.looks[owner as usize];
        let corners = self.triangles[triangle].map(|i| i as usize);
        let weights = [1.0 - hit.u - hit.v, hit.u, hit.v];
        let [a, b, c] = corners.map(|i| self.positions[i]);
        let flat_normal = (b - a).cross(c - a).normalize_or(-direction);
        let back = flat_normal.dot(direction) > 0.0;
        let sign = if back { -1.0 } else { 1.0 };
        let position = a * weights[0] + b * weights[1] + c * weights[2];

        let (mut normal, mut lifted) = (flat_normal, position);
        if look.smooth {
            let normals = corners.map(|i| self.normals[i]);
            normal = normals[0] * weights[0] + normals[1] * weights[1] + normals[2] * weights[2];
            normal = normal.normalize_or(flat_normal);
            lifted = lift(position, [a, b, c], normals.map(|n| n * sign), weights);
        }
        let albedo = if look.vertex_colors {
            let [ca, cb, cc] = corners.map(|i| self.colors[i]);
            ca * weights[0] + cb * weights[1] + cc * weights[2]
        } else if back {
            look.back
        } else {
            look.front
        };
        SurfacePoint {
            position,
            lifted,
            normal: normal * sign,
            flat_normal: flat_normal * sign,
            albedo,
            side: owner * 2 + u32::from(back),
        }
    }
}

/// Moves a point of a flat triangle onto the tangent planes of the vertex normals, interpolated,
/// where those lie outside: a coarse mesh with smooth normals then casts no facets of shadow on
/// itself (J. Hanika, "Hacking the Shadow Terminator", Ray Tracing Gems II, 2021).
fn lift(position: Vec3f, corners: [Vec3f; 3], normals: [Vec3f; 3], weights: [f32; 3]) -> Vec3f {
    let mut offset = Vec3f::ZERO;
    for i in 0..3 {
        let height = (position - corners[i]).dot(normals[i]).min(0.0);
        offset -= normals[i] * (height * weights[i]);
    }
    position + offset
}

/// Unit vertex normals: triangle normals weighted by the triangle's angle at the vertex, so that
/// they do not depend on how a surface is cut into triangles. Zero at unused vertices.
fn vertex_normals(positions: &[Vec3f], triangles: &[[u32; 3]]) -> Vec<Vec3f> {
    let mut normals = vec![Vec3f::ZERO; positions.len()];
    for triangle in triangles {
        let corners = triangle.map(|i| positions[i as usize]);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let normal = normal.normalize_or_zero();
        for i in 0..3 {
            let to_next = corners[(i + 1) % 3] - corners[i];
            let to_last = corners[(i + 2) % 3] - corners[i];
            let angle = to_next.cross(to_last).length().atan2(to_next.dot(to_last));
            normals[triangle[i] as usize] += normal * angle;
        }
    }
    for normal in &mut normals {
        *normal = normal.normalize_or_zero();
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corner_normal_of_a_cube_is_its_diagonal_however_the_faces_are_cut() {
        // Corner at the origin, three square faces; the xy face is cut through the corner, the
        // other two across it. Plain averaging would count the xy face twice.
        let p = |x: f32, y: f32, z: f32| Vec3f::new(x, y, z);
        let positions = [
            p(0., 0., 0.),
            p(1., 0., 0.),
            p(1., 1., 0.),
            p(0., 1., 0.),
            p(0., 0., 1.),
        ];
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 4, 1], [0, 3, 4]];
        let normal = vertex_normals(&positions, &triangles)[0];
        // Outward for these windings: +z, +y (0,4,1 is z × x = y) and +x.
        assert!(
            (normal - Vec3f::ONE / 3.0_f32.sqrt()).length() < 1e-6,
            "{normal}"
        );
    }

    #[test]
    fn lifting_a_chord_lands_on_the_circle_to_second_order() {
        // Edge of half-angle a on the unit circle: the tangent planes meet at 1/cos a, the
        // interpolated lift of the middle reaches cos a + sin²a·cos a ≥ 1 − O(a⁴).
        let a = 0.1_f32;
        let (s, c) = a.sin_cos();
        let corners = [
            Vec3f::new(-s, c, 0.0),
            Vec3f::new(s, c, 0.0),
            Vec3f::new(0.0, c, 1.0),
        ];
        let normals = [Vec3f::new(-s, c, 0.0), Vec3f::new(s, c, 0.0), Vec3f::Y];
        let lifted = lift(Vec3f::new(0.0, c, 0.0), corners, normals, [0.5, 0.5, 0.0]);
        assert!((lifted.y - (c + s * s * c)).abs() < 1e-6);
        assert!(lifted.y > 1.0 && lifted.y < 1.0 + a * a, "{}", lifted.y);
        let concave = normals.map(|n| Vec3f::new(-n.x, n.y, n.z));
        let middle = Vec3f::new(0.0, c, 0.0);
        assert_eq!(
            lift(middle, corners, concave, [0.5, 0.5, 0.0]),
            middle,
            "never lowered"
        );
    }
}
