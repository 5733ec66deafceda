use super::*;
use crate::body::{BodyMesh, BodyMotion, Shape};
use crate::math::{Quat, try_normalize};
use crate::motion::{Motion, Pose};

fn body(shape: Shape, pose: impl Fn(f64) -> Pose + Send + Sync + 'static) -> Body {
    let motion = BodyMotion::Rigid(crate::motion::Motion::moving(pose));
    Body { shape, mesh: BodyMesh::default(), motion, friction: None }
}

/// Distance after `tau` of a point that is `depth` inside now and has been given its new velocity.
fn left_over(body: &Body, start: f64, x: Vec3, v_p: Vec3, tau: f64) -> f64 {
    let obstacle = Obstacle { body, start, dt: tau };
    let interface = obstacle.interface(x).unwrap();
    assert!(interface.forecast(v_p, tau, tau).is_some(), "the point stays outside: tests nothing");
    let v = interface.respond(v_p, tau, tau, 0.3);
    body.exact_distance(x + v * tau, start + tau).unwrap().0
}

#[test]
fn v12_a_steadily_moving_plane_is_met_to_rounding() {
    let normal = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let velocity = Vec3::new(0.3, 1.7, -0.4);
    let plane = body(Shape::Plane(normal), move |t| Pose::at(velocity * t));
    for (depth, tau) in [(0.02, 0.01), (-0.003, 0.02), (0.0, 1.0 / 60.0), (0.3, 0.1)] {
        let x = velocity * 0.7 - normal * depth + normal.cross(Vec3::X) * 0.6;
        let left = left_over(&plane, 0.7, x, normal * -9.0 + Vec3::Y * 4.0, tau);
        assert!(left.abs() < 2e-15, "{left} m at depth {depth}");
    }
}

/// Twice the time, at least four times the error: `error(Δτ)` is O(Δτ²), with depths and ways in
/// proportion.
fn is_second_order(error: impl Fn(f64) -> f64) {
    let [coarse, fine, finest] = [0.02, 0.01, 0.005].map(&error);
    assert!(coarse.abs() < 1e-2 && finest.abs() > 1e-8, "{coarse} {finest}");
    for ratio in [coarse / fine, fine / finest] {
        assert!(ratio > 3.6, "{coarse} {fine} {finest}");
    }
}

#[test]
fn v12_curved_rotating_and_deforming_bodies_are_met_to_second_order() {
    // A ball that flies by; the point slides along it.
    let ball = body(Shape::Sphere(0.3), |t| Pose::at(Vec3::new(2.0 * t, 0.0, 1.0)));
    is_second_order(|tau| {
        let x = Vec3::new(0.1, 0.05, 1.0 + 0.28 - 0.2 * tau);
        left_over(&ball, 0.0, x, Vec3::new(-1.0, 2.0, -6.0), tau)
    });
    // A turning plane.
    let plane = body(Shape::Plane(Vec3::Z), |t| Pose {
        rotation: Quat::from_rotation_y(-3.0 * t),
        translation: Vec3::ZERO,
    });
    is_second_order(|tau| {
        left_over(&plane, 0.0, Vec3::new(0.4, 0.2, -0.5 * tau), Vec3::new(1.0, 0.0, -5.0), tau)
    });
    // A ball that swells ever faster: r(t) = 0.3 + t + 4 t².
    is_second_order(|tau| {
        let x = Vec3::new(0.0, 0.6, 0.8) * (0.3 - tau);
        let normal = try_normalize(x).unwrap();
        let interface = Interface { distance: -tau, normal, velocity: normal };
        let v = interface.respond(Vec3::new(0.0, 1.0, -2.0), tau, tau, 0.0);
        (x + v * tau).length() - (0.3 + tau + 4.0 * tau * tau)
    });
}

#[test]
fn mf7_friction_follows_from_the_normal_change() {
    let interface =
        Interface { distance: 0.0, normal: Vec3::Z, velocity: Vec3::new(0.0, 1.0, 0.5) };
    // Δv_N = 0.5 − (−1.5) = 2, so friction takes 0.25 · 2 = 0.5 of a slip of 3.
    let v = interface.respond(Vec3::new(3.0, 1.0, -1.5), 0.01, 0.01, 0.25);
    assert!(v.distance(Vec3::new(2.5, 1.0, 0.5)) < 1e-15, "{v}");
    // Enough friction stops the slip and no more.
    let v = interface.respond(Vec3::new(3.0, 1.0, -1.5), 0.01, 0.01, 2.0);
    assert!(v.distance(Vec3::new(0.0, 1.0, 0.5)) < 1e-15, "{v}");
    // What leaves is let go.
    let leaving = Vec3::new(1.0, 0.0, 0.6);
    assert_eq!(interface.respond(leaving, 0.01, 0.01, 0.25), leaving);
}

#[test]
fn mf7_a_longer_relaxation_time_takes_longer() {
    let still = Motion::Still(Pose::IDENTITY);
    let plane = Body {
        motion: BodyMotion::Rigid(still),
        ..body(Shape::Plane(Vec3::Z), |_| Pose::IDENTITY)
    };
    let interface = Obstacle { body: &plane, start: 0.0, dt: 0.01 }.interface(-Vec3::Z * 0.02);
    let v = interface.unwrap().respond(Vec3::ZERO, 0.01, 0.05, 0.0);
    assert!((v.z - 0.4).abs() < 1e-15);
}
