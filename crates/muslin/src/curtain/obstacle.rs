//! Surroundings: shapes with a signed distance and a velocity (XU7).

use crate::math::{Quat, Vec3, try_normalize};

/// The form of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Centre \[m\].
        center: Vec3,
        /// Radius \[m\].
        radius: f64,
    },
    /// All points within `radius` of a segment: limbs, poles, frames.
    Capsule {
        /// Ends of the segment \[m\].
        ends: [Vec3; 2],
        /// Radius \[m\].
        radius: f64,
    },
    /// A box.
    Box {
        /// Centre \[m\].
        center: Vec3,
        /// Half of the edge lengths \[m\].
        half: Vec3,
        /// Orientation, a unit quaternion.
        rotation: Quat,
    },
    /// Everything below a plane: walls, floors.
    Plane {
        /// A point of the plane \[m\].
        point: Vec3,
        /// Unit normal, pointing to the free side.
        normal: Vec3,
    },
}

/// Something the cloth must stay out of, as it is at the end of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Form and place.
    pub shape: Shape,
    /// Velocity \[m/s\].
    pub velocity: Vec3,
    /// Friction coefficient of its surface \[-\].
    pub friction: f64,
}

/// Distance to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Signed distance, negative inside \[m\].
    pub distance: f64,
    /// Unit normal of the nearest surface, pointing out.
    pub normal: Vec3,
}

impl Obstacle {
    /// A resting obstacle.
    pub fn still(shape: Shape, friction: f64) -> Self {
        Self { shape, velocity: Vec3::ZERO, friction }
    }

    /// The obstacle `seconds` later (earlier, if negative).
    #[must_use]
    pub fn after(&self, seconds: f64) -> Self {
        let shift = self.velocity * seconds;
        let mut moved = *self;
        match &mut moved.shape {
            Shape::Sphere { center, .. } | Shape::Box { center, .. } => *center += shift,
            Shape::Capsule { ends, .. } => ends.iter_mut().for_each(|e| *e += shift),
            Shape::Plane { point, .. } => *point += shift,
        }
        moved
    }

    /// Distance of `x` \[m\] from the surface, and the direction in which it grows.
    pub fn probe(&self, x: Vec3) -> Probe {
        match self.shape {
            Shape::Sphere { center, radius } => round(x - center, radius),
            Shape::Capsule { ends, radius } => {
                let axis = ends[1] - ends[0];
                let length_squared = axis.length_squared();
                let s = if length_squared > 0.0 {
                    ((x - ends[0]).dot(axis) / length_squared).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                round(x - ends[0] - axis * s, radius)
            }
            Shape::Box { center, half, rotation } => {
                let local = rotation.conjugate() * (x - center);
                let probe = in_box(local, half);
                Probe { normal: rotation * probe.normal, ..probe }
            }
            Shape::Plane { point, normal } => Probe { distance: (x - point).dot(normal), normal },
        }
    }
}

/// Least share of a push across a rod that counts: with less, the way around is too long.
const LEAST_ACROSS: f64 = 0.3;

impl Obstacle {
    /// A displacement that takes `x` \[m\], to first order, to the distance `wanted` \[m\] from the surface,
    /// across the direction `along` if that is not too far: out of a box through the face where it is shortest.
    pub(super) fn way_out(&self, x: Vec3, wanted: f64, along: Vec3) -> Vec3 {
        let probe = self.probe(x);
        let along = try_normalize(along).unwrap_or(Vec3::ZERO);
        let mut best = probe.normal * (wanted - probe.distance);
        let mut shortest = f64::INFINITY;
        let mut consider = |normal: Vec3, distance: f64| {
            let across = normal - along * normal.dot(along);
            let way = across * ((wanted - distance) / across.length_squared());
            let length = way.length_squared();
            if across.length_squared() >= LEAST_ACROSS * LEAST_ACROSS && length < shortest {
                (best, shortest) = (way, length);
            }
        };
        match self.shape {
            Shape::Box { center, half, rotation } if probe.distance < 0.0 => {
                let local = rotation.conjugate() * (x - center);
                for (k, axis) in Vec3::AXES.into_iter().enumerate() {
                    consider(rotation * axis, local[k] - half[k]);
                    consider(rotation * -axis, -local[k] - half[k]);
                }
            }
            _ => consider(probe.normal, probe.distance),
        }
        best
    }

    /// The corners of a box; `None` for other shapes, which have none.
    pub(super) fn corners(&self) -> Option<[Vec3; 8]> {
        let Shape::Box { center, half, rotation } = self.shape else { return None };
        let sign = |bits: u8, k: u8| if bits >> k & 1 == 0 { -1.0 } else { 1.0 };
        Some([0, 1, 2, 3, 4, 5, 6, 7].map(|bits| {
            center + rotation * (half * Vec3::new(sign(bits, 0), sign(bits, 1), sign(bits, 2)))
        }))
    }
}

/// A corner of a box that reaches through a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Through {
    /// Where in the triangle: weights of its vertices.
    pub weights: [f64; 3],
    /// Unit normal of the triangle, out of the box.
    pub normal: Vec3,
    /// How far the corner is beyond the triangle \[m\]; negative if it is that far on its own side.
    pub depth: f64,
}

/// Whether the corner is behind the triangle, or less than `reach` \[m\] before it: the line from the middle
/// of the box through the corner meets it there.
///
/// With all vertices and edges of the cloth outside a box, which is convex, only its corners can reach through.
pub(super) fn corner_through(
    obstacle: &Obstacle,
    corner: Vec3,
    [a, b, c]: [Vec3; 3],
    reach: f64,
) -> Option<Through> {
    let Shape::Box { center, .. } = obstacle.shape else { return None };
    let size = (b - a).length_squared().max((c - a).length_squared());
    if (corner - a).length_squared() > 4.0 * size {
        return None;
    }
    let across = (b - a).cross(c - a);
    let mut normal = try_normalize(across)?;
    let axis = corner - center;
    if normal.dot(axis) < 0.0 {
        normal = -normal;
    }
    let (slope, depth) = (normal.dot(axis), (corner - a).dot(normal));
    if slope <= 0.0 || depth <= -reach || depth >= slope {
        return None;
    }
    let at = corner - axis * (depth / slope);
    let squared = across.length_squared();
    let share = |p: Vec3, q: Vec3| (p - at).cross(q - at).dot(across) / squared;
    let weights = [share(b, c), share(c, a), share(a, b)];
    weights.iter().all(|&w| w > 0.0).then_some(Through { weights, normal, depth })
}

/// The point of an edge that is deepest in an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DeepEdge {
    /// Where on the edge: 0 at its first end, 1 at its second.
    pub share: f64,
    /// Distance and normal there.
    pub probe: Probe,
}

/// Halvings of the search for the deepest point: it is found to a 500th of the edge.
const EDGE_HALVINGS: usize = 9;

/// Searches the edge for its deepest point, if that is less than `reach` \[m\] outside.
///
/// All shapes are convex, so their distance is a convex function along the edge, and changes at most
/// as fast as the point moves.
pub(super) fn deepest_on_edge(
    obstacle: &Obstacle,
    [a, b]: [Vec3; 2],
    reach: f64,
) -> Option<DeepEdge> {
    let along = b - a;
    let length = along.length();
    let first = obstacle.probe(a).distance;
    if first - length >= reach {
        return None;
    }
    let second = obstacle.probe(b).distance;
    if first + second - length >= 2.0 * reach {
        return None;
    }
    // The slope of the distance along the edge is that of the normal: follow it downhill.
    let (mut low, mut high) = (0.0, 1.0);
    let mut best = DeepEdge { share: 0.5, probe: obstacle.probe(a + along * 0.5) };
    for _ in 0..EDGE_HALVINGS {
        let share = 0.5 * (low + high);
        let probe = obstacle.probe(a + along * share);
        if probe.distance < best.probe.distance {
            best = DeepEdge { share, probe };
        }
        if probe.normal.dot(along) > 0.0 {
            high = share;
        } else {
            low = share;
        }
    }
    (best.probe.distance < reach).then_some(best)
}

fn round(from_center: Vec3, radius: f64) -> Probe {
    Probe {
        distance: from_center.length() - radius,
        normal: try_normalize(from_center).unwrap_or(Vec3::Z),
    }
}

fn in_box(x: Vec3, half: Vec3) -> Probe {
    let beyond = x.abs() - half;
    let outside = beyond.max(Vec3::ZERO);
    let sign = Vec3::ONE.copysign(x);
    if let Some(normal) = try_normalize(outside * sign) {
        return Probe { distance: outside.length(), normal };
    }
    let distance = beyond.max_element();
    let axis = if distance == beyond.x {
        Vec3::X
    } else if distance == beyond.y {
        Vec3::Y
    } else {
        Vec3::Z
    };
    Probe { distance, normal: axis * sign }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 4] = [
        Shape::Sphere { center: Vec3::new(0.1, 0.2, 0.3), radius: 0.5 },
        Shape::Capsule { ends: [Vec3::ZERO, Vec3::new(0.5, 0.5, 1.0)], radius: 0.25 },
        Shape::Box {
            center: Vec3::new(0.0, 0.1, 0.0),
            half: Vec3::new(0.3, 0.4, 0.5),
            rotation: Quat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        },
        Shape::Plane { point: Vec3::ONE, normal: Vec3::new(0.6, 0.0, 0.8) },
    ];

    /// From outside, going along the normal by the distance ends on the surface, and the distance
    /// never changes faster than the point moves.
    #[test]
    fn distance_leads_to_the_surface() {
        let mut random = crate::math::Random::new(1);
        for shape in SHAPES {
            let obstacle = Obstacle::still(shape, 0.0);
            for _ in 0..500 {
                let mut point = || Vec3::from_array([(); 3].map(|()| random.between(-2.0, 2.0)));
                let (x, y) = (point(), point());
                let probe = obstacle.probe(x);
                assert!((probe.normal.length() - 1.0).abs() < 1e-12);
                let change = (obstacle.probe(y).distance - probe.distance).abs();
                assert!(change <= x.distance(y) + 1e-12);
                if probe.distance > 0.0 {
                    let foot = obstacle.probe(x - probe.normal * probe.distance);
                    assert!(foot.distance.abs() < 1e-12, "{shape:?} {x} {foot:?}");
                }
            }
        }
    }

    /// The deepest point of an edge agrees with dense sampling, and edges that miss are not reported.
    #[test]
    fn the_deepest_point_of_an_edge_is_found() {
        let mut random = crate::math::Random::new(2);
        let mut found = [0, 0];
        for shape in SHAPES {
            let obstacle = Obstacle::still(shape, 0.0);
            for _ in 0..400 {
                let mut point = || Vec3::from_array([(); 3].map(|()| random.between(-1.0, 1.5)));
                let ends = [point(), point()];
                let sample = |k: u32| {
                    let x = ends[0].lerp(ends[1], f64::from(k) / 4000.0);
                    obstacle.probe(x).distance
                };
                let dense = (0..=4000).map(sample).fold(f64::INFINITY, f64::min);
                // A 500th of the edge, by which the distance changes at most.
                let slack = ends[0].distance(ends[1]) / 500.0;
                if let Some(deep) = deepest_on_edge(&obstacle, ends, 0.05) {
                    found[0] += 1;
                    assert!((deep.probe.distance - dense).abs() <= slack, "{shape:?} {ends:?}");
                } else {
                    found[1] += 1;
                    assert!(dense > 0.05 - slack, "{shape:?} {ends:?}: missed {dense}");
                }
            }
        }
        assert!(found[0] > 200 && found[1] > 200, "{found:?}");
    }

    /// A corner through a triangle, by hand: the corner (1, 1, 1) of a box seen along its diagonal.
    #[test]
    fn corners_reach_through_triangles() {
        let shape = Shape::Box { center: Vec3::ZERO, half: Vec3::ONE, rotation: Quat::IDENTITY };
        let obstacle = Obstacle::still(shape, 0.0);
        let corner = obstacle.corners().unwrap()[7];
        assert_eq!(corner, Vec3::ONE);
        // The plane x + y + z = s, with s/√3 from the middle; the corner is √3 from it.
        let triangle = |s: f64| [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * s);
        let through = corner_through(&obstacle, corner, triangle(2.4), 0.0).unwrap();
        assert!((through.depth - 0.6 / 3.0_f64.sqrt()).abs() < 1e-15, "{through:?}");
        assert!(through.weights.iter().all(|w| (w - 1.0 / 3.0).abs() < 1e-15));
        assert!((through.normal - Vec3::splat(1.0 / 3.0_f64.sqrt())).length() < 1e-15);
        let [a, b, c] = triangle(2.4);
        assert!(corner_through(&obstacle, corner, [b, a, c], 0.0).is_some());
        assert!(corner_through(&obstacle, corner, triangle(3.1), 0.0).is_none());
        assert!(corner_through(&obstacle, corner, triangle(3.1), 0.1).is_some());
        assert!(corner_through(&obstacle, corner, triangle(-2.4), 0.0).is_none());
        assert!(corner_through(&obstacle, -corner, triangle(2.4), 0.0).is_none());
        let aside = triangle(2.4).map(|x| x + Vec3::new(3.0, -3.0, 0.0));
        assert!(corner_through(&obstacle, corner, aside, 0.0).is_none());
    }

    /// Below the upper edge of a box, cloth that hangs down leaves it sideways, though the top is nearer; beside a
    /// slope it moves along the level. Where only the way along the rod is left, it is taken.
    #[test]
    fn the_way_out_goes_across_the_rods() {
        let shape = Shape::Box { center: Vec3::ZERO, half: Vec3::ONE, rotation: Quat::IDENTITY };
        let chest = Obstacle::still(shape, 0.0);
        let way = chest.way_out(Vec3::new(0.9, 0.1, 0.98), 0.01, Vec3::NEG_Z * 0.05);
        assert!((way - Vec3::X * 0.11).length() < 1e-15, "{way}");
        let way = chest.way_out(Vec3::new(0.9, 0.1, 0.98), 0.01, Vec3::ZERO);
        assert!((way - Vec3::Z * 0.03).length() < 1e-15, "{way}");
        let slope = Shape::Plane { point: Vec3::ZERO, normal: Vec3::new(0.6, 0.0, 0.8) };
        let way = Obstacle::still(slope, 0.0).way_out(Vec3::ZERO, 0.03, Vec3::NEG_Z);
        assert!((way - Vec3::X * 0.05).length() < 1e-15, "{way}");
        let floor = Shape::Plane { point: Vec3::ZERO, normal: Vec3::Z };
        let way = Obstacle::still(floor, 0.0).way_out(Vec3::NEG_Z, 0.5, Vec3::NEG_Z);
        assert!((way - Vec3::Z * 1.5).length() < 1e-15, "{way}");
    }

    /// Depths by hand: a box is left through its nearest face.
    #[test]
    fn inside_a_box_the_nearest_face_counts() {
        let probe = in_box(Vec3::new(0.1, -0.85, 0.2), Vec3::ONE);
        assert!((probe.distance + 0.15).abs() < 1e-15);
        assert_eq!(probe.normal, Vec3::NEG_Y);
    }
}
