//! Where a flat face is deepest in a body part (OS3): the case of vertices outside and a face cut.

use super::body_part::PartShape;
use super::descent::by_descent;
use crate::collide::distance::{edge_edge, point_triangle};
use crate::finish::stays_clear;
use crate::math::{Vec2, Vec3, try_normalize};

/// The deepest point of a face, in the part's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Deepest {
    /// Barycentric coordinates in the face.
    pub weights: [f64; 3],
    /// Signed distance there \[m\].
    pub distance: f64,
    /// Unit direction out of the part.
    pub normal: Vec3,
}

/// Searches the face for its deepest point, if that is less than `reach` \[m\] outside; what is less than `contact`
/// \[m\] outside must not be missed. Else a lower bound of the distance of the face, not below `reach` \[m\].
///
/// `outward` is the side of the face that should face away from the part, for a face that the axis
/// of a capsule runs through; `normals` are the directions in which the distance grows at the corners, about:
/// where a search may begin, unless `last` says where the last one of this face and part ended.
pub(super) fn deepest(
    shape: &PartShape,
    face: [Vec3; 3],
    normals: impl FnOnce() -> [Vec3; 3],
    [contact, reach]: [f64; 2],
    last: &mut Option<Vec2>,
    outward: impl FnOnce() -> Vec3,
) -> Result<Deepest, f64> {
    let near = |deep: Deepest| if deep.distance < reach { Ok(deep) } else { Err(deep.distance) };
    match shape {
        PartShape::HalfSpace => return near(lowest_corner(face)),
        PartShape::Handle => return Err(f64::INFINITY),
        _ => {}
    }
    if let PartShape::Mesh(mesh) = shape
        && mesh.is_rounded()
    {
        return by_descent(mesh, face, normals, [contact, reach], last);
    }
    let side = |a: usize, b: usize| face[a].distance_squared(face[b]);
    let longest_squared = side(0, 1).max(side(1, 2)).max(side(2, 0));
    let nearest = face.map(|p| shape.quick_distance(p)).into_iter().fold(f64::INFINITY, f64::min);
    let nearest = nearest - shape.quick_error();
    if stays_clear(nearest, longest_squared, reach, shape.roundness()) {
        return Err(reach);
    }
    let found = match shape {
        PartShape::Sphere { radius } => in_capsule(face, *radius, 0.0, outward()),
        PartShape::Capsule { radius, half_length } => {
            in_capsule(face, *radius, *half_length, outward())
        }
        _ => by_search(shape, face, reach).ok_or(reach)?,
    };
    near(found)
}

/// Exact: a flat face is lowest at a corner.
fn lowest_corner(face: [Vec3; 3]) -> Deepest {
    let lower = |a: usize, b: usize| if face[b].z < face[a].z { b } else { a };
    let k = lower(lower(0, 1), 2);
    let mut weights = [0.0; 3];
    weights[k] = 1.0;
    Deepest { weights, distance: face[k].z, normal: Vec3::Z }
}

/// Exact: the closest points of the face and the axis of the capsule.
fn in_capsule(face: [Vec3; 3], radius: f64, half_length: f64, outward: Vec3) -> Deepest {
    let axis = [Vec3::Z * -half_length, Vec3::Z * half_length];
    if let Some(crossing) = crossed(face, axis, radius, outward) {
        return crossing;
    }
    let mut best = (f64::INFINITY, Vec3::ZERO, [0.0; 3]);
    let mut offer = |square: f64, delta: Vec3, weights: [f64; 3]| {
        if square < best.0 {
            best = (square, delta, weights);
        }
    };
    for end in axis {
        let c = point_triangle(end, face[0], face[1], face[2]);
        let [_, a, b, d] = c.weights;
        offer(c.distance_squared, -c.delta, [-a, -b, -d]);
    }
    for k in 0..3 {
        let next = (k + 1) % 3;
        let c = edge_edge(face[k], face[next], axis[0], axis[1]);
        let mut weights = [0.0; 3];
        (weights[k], weights[next]) = (c.weights[0], c.weights[1]);
        offer(c.distance_squared, c.delta, weights);
    }
    let distance = best.0.sqrt() - radius;
    let normal = try_normalize(best.1).or(try_normalize(outward)).unwrap_or(Vec3::X);
    Deepest { weights: best.2, distance, normal }
}

/// The axis runs through the face: the face must pass the end of the axis on its outward side.
fn crossed(face: [Vec3; 3], axis: [Vec3; 2], radius: f64, outward: Vec3) -> Option<Deepest> {
    let area = (face[1] - face[0]).cross(face[2] - face[0]);
    let normal = try_normalize(area)?;
    let normal = if normal.dot(outward) < 0.0 { -normal } else { normal };
    let heights = axis.map(|end| (end - face[0]).dot(normal));
    if heights[0] * heights[1] > 0.0 || heights[0] == heights[1] {
        return None;
    }
    let t = heights[0] / (heights[0] - heights[1]);
    let p = axis[0] + (axis[1] - axis[0]) * t;
    let weights = [0, 1, 2].map(|k| {
        let (a, b) = (face[(k + 1) % 3], face[(k + 2) % 3]);
        (a - p).cross(b - p).dot(area) / area.length_squared()
    });
    if weights.iter().any(|&w| w < 0.0) {
        return None;
    }
    // Never farther than to the other side of the part at once.
    let depth = (radius + heights[0].max(heights[1])).min(2.0 * radius);
    Some(Deepest { weights, distance: -depth, normal })
}

/// Segments of the first samples along a side of the face.
const SAMPLES: usize = 4;
/// Halvings of the spacing after that: the deepest point is then known to a 32nd of the longest side, and
/// its depth, which changes slowly there, much better.
const HALVINGS: usize = 3;

/// Any shape: the best of a lattice of samples, then of its neighbours at half the spacing, and so on.
/// Lattice and field are fine enough for body parts, which are thicker than a quarter of a face.
fn by_search(shape: &PartShape, face: [Vec3; 3], thickness: f64) -> Option<Deepest> {
    let point = |b: [f64; 3]| face[0] * b[0] + face[1] * b[1] + face[2] * b[2];
    let mut best = (f64::INFINITY, [1.0 / 3.0; 3]);
    let offer = |best: &mut (f64, [f64; 3]), b: [f64; 3]| {
        let distance = shape.quick_distance(point(b));
        if distance < best.0 {
            *best = (distance, b);
        }
    };
    let mut spacing = 1.0 / SAMPLES as f64;
    for i in 0..=SAMPLES {
        for j in 0..=SAMPLES - i {
            let (u, v) = (i as f64 * spacing, j as f64 * spacing);
            offer(&mut best, [1.0 - u - v, u, v]);
        }
    }
    // No point is farther from its sample than the circumradius of a lattice triangle allows.
    let longest = (0..3).map(|k| face[k].distance_squared(face[(k + 1) % 3])).fold(0.0, f64::max);
    if best.0 > thickness + shape.quick_error() + spacing * longest.sqrt() {
        return None;
    }
    for _ in 0..HALVINGS {
        spacing *= 0.5;
        let centre = best.1;
        for [a, b] in [[0, 1], [1, 0], [1, 2], [2, 1], [2, 0], [0, 2]] {
            let mut next = centre;
            next[a] += spacing;
            next[b] -= spacing;
            if next[b] >= 0.0 && next[a] <= 1.0 {
                offer(&mut best, next);
            }
        }
    }
    let (distance, normal) = shape.distance(point(best.1), thickness);
    Some(Deepest { weights: best.1, distance, normal })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::shape;
    use crate::math::Random;
    use crate::sparse::PartMesh;
    use std::sync::Arc;

    fn sampled(shape: &PartShape, face: [Vec3; 3]) -> f64 {
        let n = 60;
        let mut least = f64::INFINITY;
        for i in 0..=n {
            for j in 0..=n - i {
                let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                let p = face[0] * (1.0 - u - v) + face[1] * u + face[2] * v;
                least = least.min(shape.distance(p, f64::INFINITY).0);
            }
        }
        least
    }

    /// Against dense sampling, for faces that come near but are not run through by an axis.
    #[test]
    fn os3_deepest_points_agree_with_sampling() {
        let mesh = PartMesh::new(&shape::cuboid(Vec3::new(0.2, 0.3, 0.4))).unwrap();
        let round = PartMesh::rounded(&shape::capsule(0.1, 0.3, 64), 0.1).unwrap();
        let shapes = [
            PartShape::Sphere { radius: 0.1 },
            PartShape::Capsule { radius: 0.1, half_length: 0.2 },
            PartShape::Box { half_size: Vec3::new(0.1, 0.15, 0.2) },
            PartShape::Mesh(Arc::new(mesh)),
            PartShape::Mesh(Arc::new(round)),
        ];
        let mut random = Random::new(31);
        for shape in &shapes {
            let mut found = 0;
            for _ in 0..300 {
                let mut point = |s: f64| {
                    Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5) * s
                };
                let centre = point(0.5);
                let face = [(); 3].map(|()| centre + point(0.3));
                let dense = sampled(shape, face);
                let normals = face.map(|p| shape.distance(p, f64::INFINITY).1);
                let deep = deepest(shape, face, || normals, [0.01; 2], &mut None, || Vec3::Z);
                // Half the spacing of the samples, and the error of the search.
                let slack = 0.5 * 0.52 / 60.0 + 0.4 / 32.0;
                match deep {
                    Ok(d) if d.distance > -0.09 => {
                        assert!((d.distance - dense).abs() < slack, "{} {dense}", d.distance);
                        found += 1;
                    }
                    Ok(_) => {}
                    Err(_) => assert!(dense > 0.01 - slack, "{shape:?}: missed {dense}"),
                }
            }
            assert!(found > 30, "{shape:?}: {found}");
        }
    }

    /// A capsule that pokes 5 cm through a horizontal face, body below: the face must rise by 5 cm
    /// and the radius.
    #[test]
    fn os3_a_pierced_face_passes_the_tip() {
        let shape = PartShape::Capsule { radius: 0.1, half_length: 0.5 };
        let face = [(-0.2, -0.2), (0.3, -0.1), (0.0, 0.3)].map(|(x, y)| Vec3::new(x, y, 0.45));
        let up = deepest(&shape, face, || [Vec3::Z; 3], [0.01; 2], &mut None, || Vec3::Z).unwrap();
        assert!((up.distance + 0.15).abs() < 1e-15 && up.normal == Vec3::Z);
        assert!((up.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        let down =
            deepest(&shape, face, || [Vec3::Z; 3], [0.01; 2], &mut None, || -Vec3::Z).unwrap();
        assert!((down.distance + 0.2).abs() < 1e-15, "twice the radius at most");
    }
}
