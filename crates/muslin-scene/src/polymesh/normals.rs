//! Face and vertex normals.

use super::PolyMesh;
use muslin::math::{Vec3, try_normalize};

/// The normal of a closed polygon, as long as its area (Newell's sum: `½ Σ x_i × x_{i+1}`, taken
/// relative to the first point so that a polygon far from the origin loses no digits).
pub(super) fn area_vector(points: impl Iterator<Item = Vec3>) -> Vec3 {
    let mut points = points;
    let Some(origin) = points.next() else {
        return Vec3::ZERO;
    };
    let mut sum = Vec3::ZERO;
    let mut previous = Vec3::ZERO;
    for point in points {
        let current = point - origin;
        sum += previous.cross(current);
        previous = current;
    }
    0.5 * sum
}

impl PolyMesh {
    /// Unit normals at the vertices for any positions with this topology: the faces' normals
    /// weighted by area. A vertex without an area around it gets +z.
    pub fn vertex_normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let mut normals = vec![Vec3::ZERO; positions.len()];
        for face in self.faces() {
            let area = area_vector(face.iter().map(|&vertex| positions[vertex as usize]));
            for &vertex in face {
                normals[vertex as usize] += area;
            }
        }
        for normal in &mut normals {
            *normal = try_normalize(*normal).unwrap_or(Vec3::Z);
        }
        normals
    }
}
