//! Whether a point is inside of a closed mesh whose triangles may cross each other.

use crate::math::Vec3;
use crate::math::lanes::angle_of;
use std::f64::consts::TAU;

/// Whether triangles, each with their outer side to the right of it, wind around `p` \[m\].
///
/// The solid angles of all triangles, each with the sign of the side that is seen, add up to `4π` times the number of
/// times that the surface goes around the point. Where the lids of a piece that was cut out of a body fold over
/// each other, the nearest triangle does not tell the side, but that number does.
pub(super) fn winds_around(corners: &[[Vec3; 3]], p: Vec3) -> bool {
    let half: f64 = corners.iter().map(|t| half_solid_angle(t.map(|c| c - p))).sum();
    // Half of 4π once around; the middle between none and once.
    half > 0.5 * TAU
}

/// Half the solid angle \[sr\] of a triangle seen from the origin (van Oosterom and Strackee 1983): positive if its
/// outer side is away from there.
fn half_solid_angle([a, b, c]: [Vec3; 3]) -> f64 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let volume = a.dot(b.cross(c));
    let divisor = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    angle_of(volume, divisor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape;
    use crate::math::Random;

    /// A face of a cube takes a sixth of the sphere seen from the middle.
    #[test]
    fn solid_angle_of_a_face_of_a_cube() {
        let corner = |x: f64, y: f64| Vec3::new(x, y, 1.0);
        let square = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let half = half_solid_angle([square[0], square[1], square[2]])
            + half_solid_angle([square[0], square[2], square[3]]);
        assert!((half - TAU / 6.0).abs() < 1e-14, "{half}");
        let turned = half_solid_angle([square[1], square[0], square[2]]);
        assert!((turned + TAU / 12.0).abs() < 1e-14, "{turned}");
    }

    /// A box whose lid is a cone that goes down through the floor, and out again: what is above the cone is outside,
    /// and what is between floor and tip is not inside either, because the surface goes around it the other way.
    #[test]
    fn lids_that_cross_the_surface_keep_sides() {
        let mut mesh = shape::cuboid(Vec3::ONE);
        let top = |v: u32| mesh.positions[v as usize].z > 0.0;
        let lid: Vec<bool> = mesh.triangles.iter().map(|t| t.iter().all(|&v| top(v))).collect();
        let rim: Vec<[u32; 2]> = {
            let edges = mesh.triangles.iter().zip(&lid).filter(|(_, lid)| **lid);
            let all: Vec<[u32; 2]> =
                edges.flat_map(|(&[a, b, c], _)| [[a, b], [b, c], [c, a]]).collect();
            all.iter().copied().filter(|[a, b]| !all.contains(&[*b, *a])).collect()
        };
        let tip = mesh.positions.len() as u32;
        mesh.positions.push(Vec3::Z * -1.5);
        let mut numbers = lid.iter();
        mesh.triangles.retain(|_| numbers.next() == Some(&false));
        mesh.triangles.extend(rim.iter().map(|&[a, b]| [a, b, tip]));
        let corners: Vec<[Vec3; 3]> =
            mesh.triangles.iter().map(|t| t.map(|v| mesh.positions[v as usize])).collect();
        let mut random = Random::new(3);
        let mut inside = 0;
        for _ in 0..2000 {
            let p = Vec3::new(random.unit(), random.unit(), random.unit()) * 2.2 - Vec3::splat(1.1);
            let in_box = p.abs().max_element() < 0.5;
            // The cone is as wide as the box at z = 0.5 and has its tip at −1.5.
            let in_cone = p.x.abs().max(p.y.abs()) < 0.5 * (p.z + 1.5) / 2.0;
            let expected = in_box && !in_cone;
            inside += usize::from(expected);
            assert_eq!(winds_around(&corners, p), expected, "{p}");
        }
        assert!(inside > 30, "{inside}");
    }
}
