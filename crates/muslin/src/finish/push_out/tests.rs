use super::*;
use crate::mesh::{Diagonals, Sheet};

/// A flat sheet through a ball: afterwards every point of every triangle is outside.
#[test]
fn a_sheet_through_a_ball_is_lifted_off() {
    let Sheet { positions, mesh } =
        Sheet::grid([1.0, 1.0], [25, 25], Diagonals::Alternating).unwrap();
    let (centre, radius) = (Vec3::new(0.02, 0.01, -0.1), 0.2);
    let ball = |p: Vec3| {
        let r = p - centre;
        (r.length() - radius, try_normalize(r).unwrap_or(Vec3::Z))
    };
    let mut x = positions.clone();
    let mut known = Known::new(x.len());
    let keep = Clearance { margin: 0.004, between: 0.004, roundness: radius, side: 0.0 };
    let done = push_out(&mut x, mesh.triangles(), keep, &mut known, |_, p| ball(p));
    assert!(done.moved > 30 && done.inside == 0, "{done:?}");
    for t in mesh.triangles() {
        let [a, b, c] = t.map(|v| x[v as usize]);
        for i in 0..=8 {
            for j in 0..=8 - i {
                let (u, v) = (f64::from(i) / 8.0, f64::from(j) / 8.0);
                let p = a * (1.0 - u - v) + b * u + c * v;
                assert!(ball(p).0 > 0.0, "{p} is {} inside", -ball(p).0);
            }
        }
    }
    // What was clear of the ball stays where it was.
    for (before, after) in positions.iter().zip(&x) {
        assert!(ball(*before).0 < 0.06 || before == after);
    }
}

#[test]
fn two_balls_push_one_after_the_other() {
    let balls = [Vec3::X * 0.15, -Vec3::X * 0.15];
    let distance = |p: Vec3| {
        let near = if p.x > 0.0 { balls[0] } else { balls[1] };
        (p.distance(near) - 0.2, try_normalize(p - near).unwrap_or(Vec3::Z))
    };
    let mut x = [Vec3::new(0.02, 0.0, 0.05), Vec3::new(-0.3, 0.0, 0.1), Vec3::new(0.0, 0.9, 0.0)];
    let keep = Clearance { margin: 0.002, between: 0.002, roundness: 0.0, side: 0.0 };
    push_out(&mut x, &[[0, 1, 2]], keep, &mut Known::new(3), |_, p| distance(p));
    assert!(x.iter().all(|p| distance(*p).0 > 0.0019), "{x:?}");
}

/// A vertex between two balls that overlap, both of which push it into the other, comes out on the circle
/// around their waist, by hand `√(0.2² − 0.15²)` = 0.1323 m from the middle; at most a quarter farther, for
/// the directions are 45° apart.
#[test]
fn pinched_vertices_find_a_way_out() {
    let distance = |p: Vec3| {
        let near = |x: f64| (p.distance(Vec3::X * x) - 0.2, (p - Vec3::X * x).normalize_or_zero());
        let (a, b) = (near(0.15), near(-0.15));
        if a.0 < b.0 { a } else { b }
    };
    let keep = Clearance { margin: 0.002, between: 0.002, roundness: 0.0, side: 0.0 };
    for start in [Vec3::ZERO, Vec3::new(0.001, 0.002, 0.0), Vec3::new(-0.003, 0.01, 0.02)] {
        let mut x = [start];
        let mut known = Known::new(1);
        let done = push_out(&mut x, &[], keep, &mut known, |_, p| distance(p));
        assert!(done.inside == 0 && distance(x[0]).0 >= 0.0, "{start}: {x:?} {done:?}");
        assert!(x[0].distance(start) < 1.25 * 0.1323 + 0.01, "{start}: {x:?}");
    }
}

/// Looking only at triangles whose corners have moved since changes no bit.
#[test]
fn looks_that_are_left_out_change_nothing() {
    let Sheet { positions, mesh } =
        Sheet::grid([1.0, 1.0], [25, 25], Diagonals::Alternating).unwrap();
    let balls = [Vec3::new(0.02, 0.01, -0.1), Vec3::new(0.2, 0.1, 0.1), Vec3::new(0.1, -0.2, 0.0)];
    let distance = |p: Vec3| {
        let each = balls.iter().map(|b| (p.distance(*b) - 0.2, (p - *b).normalize_or_zero()));
        each.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
    };
    let keep = Clearance { margin: 0.004, between: 0.004, roundness: 0.0, side: 0.1 };
    let mut x = positions.clone();
    let mut known = Known::new(x.len());
    push_out(&mut x, mesh.triangles(), keep, &mut known, |_, p| distance(p));
    // The same by hand: all triangles in all sweeps.
    let mut y = positions;
    let mut known = Known::new(y.len());
    let ask = |_: Asked, p: Vec3| distance(p);
    for (v, p) in y.iter_mut().enumerate() {
        let start = *p;
        known.clear[v] = lift(p, keep.margin, v, true, &ask);
        if known.clear[v] < 0.0 {
            *p = start;
        }
    }
    let mut sweeps = 0;
    while sweeps < MOST_SWEEPS {
        sweeps += 1;
        let lift = |t: &[u32; 3]| lift_triangle(&mut y, *t, keep, &mut known, (LIFTED, &ask));
        if mesh.triangles().iter().map(lift).filter(|lifted| *lifted).count() == 0 {
            break;
        }
    }
    for (v, p) in y.iter_mut().enumerate() {
        let start = *p;
        if known.clear[v] < keep.margin && lift(p, keep.margin, v, false, &ask) < 0.0 {
            *p = start;
            escape(p, keep.margin, &distance);
        }
    }
    assert!(sweeps > 1 && x == y, "{sweeps}");
}
