use super::*;
use proptest::prelude::*;

/// Rounding of a handful of operations on unit-sized features.
const TOLERANCE: f64 = 1e-14;

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

fn combine(weights: [f64; 4], x: [Vec3; 4]) -> Vec3 {
    (0..4).map(|i| x[i] * weights[i]).sum()
}

/// Closest point of the right triangle (0,0) (1,0) (0,1), region by region, in the plane.
fn closest_in_right_triangle(x: f64, y: f64) -> (f64, f64) {
    if x >= 0.0 && y >= 0.0 && x + y <= 1.0 {
        (x, y)
    } else if x + y > 1.0 && (x - y).abs() <= 1.0 {
        (0.5 + 0.5 * (x - y), 0.5 - 0.5 * (x - y))
    } else if x - y > 1.0 && x >= 1.0 {
        (1.0, 0.0)
    } else if y - x > 1.0 && y >= 1.0 {
        (0.0, 1.0)
    } else {
        (x.clamp(0.0, 1.0), y.clamp(0.0, 1.0))
    }
}

#[test]
fn point_visits_every_voronoi_region_of_a_triangle() {
    let (t0, t1, t2) = (v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0));
    let stops = [-1.0, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 2.0];
    for (x0, y0, z) in stops
        .iter()
        .flat_map(|&x| stops.iter().flat_map(move |&y| [0.0, 1e-12, -0.5].map(|z| (x, y, z))))
    {
        for (dx, dy) in [(0.0, 0.0), (1e-12, 0.0), (-1e-12, 0.0), (0.0, 1e-12), (0.0, -1e-12)] {
            let (x, y) = (x0 + dx, y0 + dy);
            let (cx, cy) = closest_in_right_triangle(x, y);
            let found = point_triangle(v(x, y, z), t0, t1, t2);
            assert!(
                found.delta.distance(v(x - cx, y - cy, z)) <= TOLERANCE,
                "({x}, {y}, {z}): {found:?}"
            );
            assert!((found.weights[2] + cx).abs() <= TOLERANCE, "({x}, {y}, {z}): {found:?}");
            assert!((found.weights[3] + cy).abs() <= TOLERANCE, "({x}, {y}, {z}): {found:?}");
        }
    }
}

#[test]
fn crossed_edges_visit_every_region() {
    // a along x at the origin, b along y at height h and offset (x, y): s = clamp x, t = clamp −y.
    let stops: [f64; 7] = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5];
    for (x0, y0, h) in stops
        .iter()
        .flat_map(|&x| stops.iter().flat_map(move |&y| [0.0, 1e-12, 0.5].map(|h| (x, y, h))))
    {
        for nudge in [-1e-12, 0.0, 1e-12] {
            let (x, y) = (x0 + nudge, y0 - nudge);
            let (s, t) = (x.clamp(0.0, 1.0), (-y).clamp(0.0, 1.0));
            let found = edge_edge(Vec3::ZERO, Vec3::X, v(x, y, h), v(x, y + 1.0, h));
            let expected = v(s - x, -y - t, -h);
            assert!(found.delta.distance(expected) <= TOLERANCE, "({x}, {y}, {h}): {found:?}");
            assert!((found.weights[1] - s).abs() <= TOLERANCE, "({x}, {y}, {h}): {found:?}");
            assert!((found.weights[3] + t).abs() <= TOLERANCE, "({x}, {y}, {h}): {found:?}");
        }
    }
}

#[test]
fn parallel_edges_keep_their_gap() {
    for shift in [-3.0, -1.0, -1.0 + 1e-12, -0.5, 0.0, 0.7, 1.0, 2.0] {
        for tilt in [0.0, 1e-17, 1e-15, 1e-13, 1e-10, 1e-7] {
            let gap = 0.25;
            let found =
                edge_edge(Vec3::ZERO, Vec3::X, v(shift, gap, tilt), v(shift + 1.0, gap, -tilt));
            let beyond = (shift.abs() - 1.0).max(0.0);
            let expected = gap.hypot(beyond);
            let error = (found.distance_squared.sqrt() - expected).abs();
            assert!(error <= TOLERANCE + tilt * tilt + tilt * beyond, "{shift} {tilt}: {found:?}");
        }
    }
}

#[test]
fn nearly_parallel_crossing_edges_touch() {
    // They cross at the middle of both, whatever the angle: distance 0 up to an ulp of the length.
    for tilt in [1e-1, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15] {
        let (a0, a1) = (v(-1.0, 0.3, 0.2), v(1.0, -0.3, -0.2));
        let off = v(0.0, tilt, tilt / 3.0);
        let found = edge_edge(a0, a1, a0 + off, a1 - off);
        assert!(found.distance_squared.sqrt() <= 1e-13, "{tilt}: {found:?}");
        let sliver = point_triangle(Vec3::ZERO, a0 + off, a0 - off, a1);
        assert!(sliver.distance_squared.sqrt() <= 1e-13, "{tilt}: {sliver:?}");
    }
}

#[test]
fn features_without_size_are_points_and_segments() {
    let (a, b) = (v(1.0, 2.0, 3.0), v(2.0, 2.0, 3.0));
    let p = v(1.25, 2.5, 3.0);
    assert_eq!(point_triangle(p, a, a, a).delta, p - a);
    for (t0, t1, t2) in [(a, b, b), (a, b, a), (a, a, b), (a, v(1.5, 2.0, 3.0), b)] {
        assert_eq!(point_triangle(p, t0, t1, t2).delta, v(0.0, 0.5, 0.0));
    }
    assert_eq!(edge_edge(p, p, a, b).delta, v(0.0, 0.5, 0.0));
    assert_eq!(edge_edge(a, b, p, p).delta, v(0.0, -0.5, 0.0));
    assert_eq!(edge_edge(p, p, a, a).delta, p - a);
    let collinear = edge_edge(a, b, v(4.0, 2.0, 3.0), v(5.0, 2.0, 3.0));
    assert_eq!(collinear.delta, v(-2.0, 0.0, 0.0));
    assert_eq!(edge_edge(a, b, v(1.5, 2.0, 3.0), v(5.0, 2.0, 3.0)).distance_squared, 0.0);
}

#[test]
fn foot_next_to_a_vertex_of_a_long_edge_keeps_its_digits() {
    // The edge ends at height h over the point and slightly beyond it: the foot is 2⁻²⁰ h short of
    // the end, 2⁻⁴⁰ of the edge's length, and the direction to it is perpendicular to the edge.
    let (h, length) = (1.0, 2f64.powi(20));
    let short = h * 2f64.powi(-20);
    let (a, b) = (v(short - length, h, 0.0), v(short, h, 0.0));
    for (x, y) in [(a, b), (b, a)] {
        let found = edge_edge(Vec3::ZERO, Vec3::ZERO, x, y);
        assert_eq!(found.delta, v(0.0, -h, 0.0), "{found:?}");
        assert_eq!(point_triangle(Vec3::ZERO, x, y, y).delta, v(0.0, -h, 0.0));
    }
}

#[test]
fn far_from_the_origin_loses_nothing() {
    let origin = v(1048576.0, -2097152.0, 524288.0);
    let x = [v(0.25, 0.25, 0.125), Vec3::ZERO, Vec3::X, Vec3::Y];
    let near = point_triangle(x[0], x[1], x[2], x[3]);
    let far = x.map(|x| x + origin);
    assert_eq!(near, point_triangle(far[0], far[1], far[2], far[3]));
}

/// Coordinates that make degenerate cases likely, and ordinary ones.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![(-2i8..=2).prop_map(f64::from), -2.0..2.0f64]
}

fn vector() -> impl Strategy<Value = Vec3> {
    (coordinate(), coordinate(), coordinate()).prop_map(|(x, y, z)| v(x, y, z))
}

/// Optimality of a closest pair of convex hulls: no vertex of either lies beyond the plane through
/// that feature's closest point across `delta` (the variational inequality of a projection onto
/// the Minkowski difference), which with feasible weights is sufficient and necessary.
fn assert_optimal(found: Closest, x: [Vec3; 4], first: usize) -> Result<(), TestCaseError> {
    let sum: f64 = found.weights.iter().sum();
    prop_assert!(sum.abs() <= TOLERANCE);
    for (i, &w) in found.weights.iter().enumerate() {
        prop_assert!(if i < first { w >= 0.0 } else { w <= 1e-15 }, "{:?}", found);
    }
    prop_assert!(combine(found.weights, x).distance(found.delta) <= 10.0 * TOLERANCE);
    prop_assert_eq!(found.distance_squared, found.delta.length_squared());
    let distance = found.distance_squared.sqrt();
    for a in &x[..first] {
        for b in &x[first..] {
            let slack = (*a - *b).dot(found.delta) - found.distance_squared;
            prop_assert!(slack >= -100.0 * TOLERANCE * distance.max(1e-3), "{:?} {}", found, slack);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn point_triangle_is_optimal(x in [vector(), vector(), vector(), vector()]) {
        assert_optimal(point_triangle(x[0], x[1], x[2], x[3]), x, 1)?;
    }

    #[test]
    fn edge_edge_is_optimal(x in [vector(), vector(), vector(), vector()]) {
        assert_optimal(edge_edge(x[0], x[1], x[2], x[3]), x, 2)?;
    }

    #[test]
    fn no_sampled_pair_is_closer(x in [vector(), vector(), vector(), vector()]) {
        const N: usize = 16;
        let (pt, ee) = (point_triangle(x[0], x[1], x[2], x[3]), edge_edge(x[0], x[1], x[2], x[3]));
        for (i, j) in (0..=N).flat_map(|i| (0..=N).map(move |j| (i, j))) {
            let (s, t) = (i as f64 / N as f64, j as f64 / N as f64);
            let edges = combine([1.0 - s, s, t - 1.0, -t], x).length_squared();
            prop_assert!(edges >= ee.distance_squared - TOLERANCE);
            if i + j <= N {
                let face = combine([1.0, s + t - 1.0, -s, -t], x).length_squared();
                prop_assert!(face >= pt.distance_squared - TOLERANCE);
            }
        }
    }
}
