//! Cases with known answers. The claim of no false negatives is tested in `tests/r2_ccd.rs`.

use super::*;

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

const TRIANGLE: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Y];

/// The point moves from `p0` to `p1`, the triangle stays.
fn point_moves(p0: Vec3, p1: Vec3, separation: f64) -> Option<Impact> {
    let [t0, t1, t2] = TRIANGLE;
    point_triangle(&[p0, t0, t1, t2], &[p1, t0, t1, t2], separation)
}

#[test]
fn point_falls_on_triangle_at_the_known_time_and_place() {
    for (separation, time) in [(0.0, 0.5), (0.25, 0.375)] {
        let hit = point_moves(v(0.25, 0.5, 1.0), v(0.25, 0.5, -1.0), separation).unwrap();
        assert!(hit.time <= time && hit.time >= time - 1e-11, "{hit:?}");
        assert_eq!(hit.normal, Vec3::Z);
        for (w, expected) in hit.weights.iter().zip([1.0, -0.25, -0.25, -0.5]) {
            assert!((w - expected).abs() < 1e-12, "{hit:?}");
        }
    }
    let below = point_moves(v(0.25, 0.5, -1.0), v(0.25, 0.5, 1.0), 0.0).unwrap();
    assert_eq!(below.normal, -Vec3::Z);
}

#[test]
fn point_passing_beside_or_stopping_short_is_a_miss() {
    assert_eq!(point_moves(v(0.6, 0.6, 1.0), v(0.6, 0.6, -1.0), 0.0), None);
    // The nearest point of the hypotenuse is 0.1/√2 away.
    assert_eq!(point_moves(v(0.55, 0.55, 1.0), v(0.55, 0.55, -1.0), 0.0707), None);
    assert!(point_moves(v(0.55, 0.55, 1.0), v(0.55, 0.55, -1.0), 0.0708).is_some());
    assert_eq!(point_moves(v(0.2, 0.2, 1.0), v(0.2, 0.2, 1e-6), 0.0), None);
    assert!(point_moves(v(0.2, 0.2, 1.0), v(0.2, 0.2, 0.0), 0.0).is_some());
}

#[test]
fn touching_at_the_start_is_a_hit_with_a_normal_against_the_approach() {
    for (z, normal) in [(1.0, Vec3::Z), (-1.0, -Vec3::Z)] {
        let p = v(0.25, 0.25, 0.0);
        let hit = point_moves(p, p - v(0.0, 0.0, z), 0.0).unwrap();
        assert_eq!((hit.time, hit.normal), (0.0, normal));
    }
    let still = point_moves(Vec3::ZERO, Vec3::ZERO, 0.0).unwrap();
    assert_eq!(still.normal.length(), 1.0);
}

#[test]
fn motion_within_the_plane_meets_the_edge() {
    let hit = point_moves(v(-1.0, 0.5, 0.0), v(1.0, 0.5, 0.0), 0.0).unwrap();
    assert!((hit.time - 0.5).abs() < 1e-11, "{hit:?}");
    assert!(hit.normal.distance(-Vec3::X) < 1e-9, "{hit:?}");
    assert_eq!(point_moves(v(-1.0, 1.5, 0.0), v(1.0, 1.5, 0.0), 0.4), None);
}

#[test]
fn crossing_edges_meet_at_the_known_time() {
    let b = [v(0.5, -0.5, 1.0), v(0.5, 1.5, 1.0)];
    let fallen = b.map(|b| b - v(0.0, 0.0, 4.0));
    let (x0, x1) = ([Vec3::ZERO, Vec3::X, b[0], b[1]], [Vec3::ZERO, Vec3::X, fallen[0], fallen[1]]);
    let hit = edge_edge(&x0, &x1, 0.0).unwrap();
    assert!(hit.time <= 0.25 && hit.time > 0.25 - 1e-11, "{hit:?}");
    assert_eq!(hit.normal, -Vec3::Z);
    for (w, expected) in hit.weights.iter().zip([0.5, 0.5, -0.75, -0.25]) {
        assert!((w - expected).abs() < 1e-12, "{hit:?}");
    }
}

#[test]
fn common_motion_makes_no_contact() {
    // A pair flying at 50 m/s a hair's breadth apart, far from the origin.
    let x0 = [v(0.2, 0.2, 1e-6), TRIANGLE[0], TRIANGLE[1], TRIANGLE[2]].map(|x| x + 1000.0);
    let x1 = x0.map(|x| x + v(50.0, -20.0, 30.0));
    assert_eq!(point_triangle(&x0, &x1, 1e-7), None);
    assert!(point_triangle(&x0, &x1, 1e-5).is_some());
}

#[test]
fn pair_turning_together_while_almost_touching_is_settled() {
    // A quarter turn in the plane of x and z, gap 1e-5 of the size, both for a face and for an edge.
    let turn = |x: Vec3| v(-x.z, x.y, x.x);
    let face = [v(0.2, 0.2, 1e-5), TRIANGLE[0], TRIANGLE[1], TRIANGLE[2]];
    let edge = [v(-1e-5, 0.5, 0.0), TRIANGLE[0], TRIANGLE[1], TRIANGLE[2]];
    for x0 in [face, edge] {
        assert_eq!(point_triangle(&x0, &x0.map(turn), 1e-6), None);
    }
    let edges = [v(-1.0, 0.0, 1e-5), v(1.0, 0.0, 1e-5), v(0.0, -1.0, 0.0), v(0.0, 1.0, 0.0)];
    assert_eq!(edge_edge(&edges, &edges.map(turn), 1e-6), None);
}

#[test]
fn numbers_that_are_not_finite_are_hits() {
    let clear = [v(0.2, 0.2, 5.0), TRIANGLE[0], TRIANGLE[1], TRIANGLE[2]];
    assert_eq!(point_triangle(&clear, &clear, 0.0), None);
    for (vertex, axis) in (0..4).flat_map(|vertex| (0..3).map(move |axis| (vertex, axis))) {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut broken = clear;
            broken[vertex][axis] = bad;
            for (x0, x1) in [(&broken, &clear), (&clear, &broken), (&broken, &broken)] {
                assert!(point_triangle(x0, x1, 0.0).is_some(), "{x0:?} {x1:?}");
                assert!(edge_edge(x0, x1, 0.0).is_some(), "{x0:?} {x1:?}");
            }
        }
    }
}
