use super::pack::{RayLanes, TrianglePack};
use super::{Bvh, Ray, Tracer};
use crate::Vec3f;

/// A small linear congruential generator: repeatable triangles without another crate.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn vector(&mut self) -> Vec3f {
        Vec3f::new(self.next(), self.next(), self.next()) * 2.0 - 1.0
    }
}

fn intersect_one(ray: &Ray, corners: [Vec3f; 3]) -> Option<(f32, f32, f32)> {
    let pack = TrianglePack::new(std::iter::once((0, corners)));
    let found = pack.intersect(&RayLanes::new(ray), f32::INFINITY);
    assert_eq!(found.mask & !1, 0, "unused lanes never hit");
    (found.mask == 1).then(|| (found.t.x, found.u.x, found.v.x))
}

#[test]
fn a_ray_onto_the_unit_triangle_hits_at_its_own_coordinates() {
    // In the triangle (0,0,0), (1,0,0), (0,1,0) the weights u, v are x, y, for any direction.
    let corners = [Vec3f::ZERO, Vec3f::X, Vec3f::Y];
    for (x, y) in [(0.25, 0.5), (0.0, 0.0), (0.9, 0.05), (0.5, 0.5)] {
        for slant in [Vec3f::ZERO, Vec3f::new(0.3, -2.0, 0.0)] {
            let direction = slant - Vec3f::Z * 0.5;
            let ray = Ray {
                origin: Vec3f::new(x, y, 0.0) - direction * 4.0,
                direction,
            };
            let (t, u, v) = intersect_one(&ray, corners).expect("aimed at the triangle");
            assert!((t - 4.0).abs() < 1e-5 && (u - x).abs() < 1e-5 && (v - y).abs() < 1e-5);
        }
    }
    for (x, y) in [(0.51, 0.5), (-0.01, 0.5), (0.5, -0.01)] {
        let ray = Ray {
            origin: Vec3f::new(x, y, 1.0),
            direction: -Vec3f::Z,
        };
        assert!(intersect_one(&ray, corners).is_none());
    }
    let away = Ray {
        origin: Vec3f::new(0.2, 0.2, 1.0),
        direction: Vec3f::Z,
    };
    assert!(intersect_one(&away, corners).is_none());
    let inside_plane = Ray {
        origin: Vec3f::new(-1.0, 0.2, 0.0),
        direction: Vec3f::X,
    };
    assert!(intersect_one(&inside_plane, corners).is_none());
}

/// Clouds that stress the builder: random, all alike, all centres equal, geometric progression.
fn clouds() -> Vec<Vec<[Vec3f; 3]>> {
    let mut random = Random(7);
    let spread = (0..500)
        .map(|_| {
            let center = random.vector();
            std::array::from_fn(|_| center + random.vector() * 0.15)
        })
        .collect();
    let alike = vec![[Vec3f::ZERO, Vec3f::X, Vec3f::Y]; 33];
    let concentric = (1..40)
        .map(|i| {
            let size = i as f32 * 0.02;
            [
                Vec3f::new(-size, -size, 0.0),
                Vec3f::new(size, -size, 0.0),
                Vec3f::new(0.0, size, 0.0),
            ]
        })
        .collect();
    let progression = (0..60)
        .map(|i| {
            let s = 0.7_f32.powi(i);
            [
                Vec3f::new(s, 0.0, 0.0),
                Vec3f::new(s, s, 0.0),
                Vec3f::new(s, 0.0, s),
            ]
        })
        .collect();
    vec![spread, alike, concentric, progression, Vec::new()]
}

#[test]
fn the_hierarchy_agrees_with_trying_every_triangle() {
    let mut random = Random(11);
    let mut hits = 0;
    for triangles in clouds() {
        let bvh = Bvh::build(triangles.len(), |i| triangles[i]);
        let mut tracer = Tracer::new(&bvh);
        for _ in 0..1000 {
            let origin = random.vector() * 2.0;
            let ray = Ray {
                origin,
                direction: random.vector() * 0.5 - origin,
            };
            let nearest = triangles
                .iter()
                .filter_map(|&corners| intersect_one(&ray, corners))
                .map(|(t, ..)| t)
                .min_by(f32::total_cmp);
            let found = tracer.nearest(&ray);
            assert_eq!(found.is_some(), nearest.is_some());
            assert_eq!(tracer.occluded(&ray), nearest.is_some());
            if let Some(hit) = found {
                hits += 1;
                // Coplanar triangles may tie up to rounding.
                assert!(nearest.is_some_and(|t| hit.t >= t && hit.t <= t * (1.0 + 1e-6)));
                let own = intersect_one(&ray, triangles[hit.triangle as usize]);
                assert_eq!(own, Some((hit.t, hit.u, hit.v)));
            }
        }
    }
    assert!(hits > 500, "the rays must meet something: {hits}");
}

#[test]
fn axis_parallel_rays_in_the_planes_of_boxes_hit() {
    // A wall whose boxes are flat, and rays with two zero direction components starting in them.
    let wall: Vec<[Vec3f; 3]> = (0..64)
        .map(|i| {
            let corner = Vec3f::new((i % 8) as f32, (i / 8) as f32, 0.0);
            [corner, corner + Vec3f::X, corner + Vec3f::Y]
        })
        .collect();
    let bvh = Bvh::build(wall.len(), |i| wall[i]);
    let mut tracer = Tracer::new(&bvh);
    for i in 0..8 {
        for j in 0..8 {
            let origin = Vec3f::new(i as f32, j as f32, 3.0);
            let hit = tracer
                .nearest(&Ray {
                    origin,
                    direction: -Vec3f::Z,
                })
                .expect("a corner");
            assert_eq!(hit.t, 3.0);
        }
    }
}
