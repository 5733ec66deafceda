use super::*;
use crate::finish::pn_triangle::curve_point;
use crate::math::{Random, try_normalize};

/// Length by summing many chords: a different rule from the one under test.
fn polyline(pieces: &[Curve]) -> f64 {
    let n = 4000;
    let mut sum = 0.0;
    for piece in pieces {
        for i in 0..n {
            let at = |i: usize| curve_point(piece, i as f64 / n as f64);
            sum += at(i).distance(at(i + 1));
        }
    }
    sum
}

fn fold(target: f64) -> Fold {
    Fold { target, guess: 0.5, side: 1.0, limit: f64::INFINITY }
}

#[test]
fn lengths_of_known_curves() {
    let line = [0.0, 1.0, 2.0, 3.0].map(|x| Vec3::X * x);
    assert!((length(&line) - 3.0).abs() < 1e-14);
    // The parabola y = x² from 0 to 1: √5/2 + asinh(2)/4.
    let p = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    let parabola = [p(0.0, 0.0), p(1.0 / 3.0, 0.0), p(2.0 / 3.0, 1.0 / 3.0), p(1.0, 1.0)];
    let exact = 5f64.sqrt() / 2.0 + 2f64.asinh() / 4.0;
    assert!((length(&parabola) - exact).abs() < 1e-5 * exact);
}

/// V10 for one edge: from hardly too short to a fifth of its length, for one, two and four folds.
#[test]
fn v10_controlled_curves_have_their_rest_length() {
    let mut random = Random::new(9);
    for case in 0..300 {
        let chord = random.between(0.2, 0.999);
        let mut normal = |x: f64| {
            let tilt = Vec3::new(x + random.between(-0.5, 0.5), random.between(-0.5, 0.5), 1.0);
            try_normalize(tilt).unwrap()
        };
        let n = [normal(-0.2), normal(0.2)];
        let ends = [Vec3::ZERO, Vec3::X * chord];
        let curve = edge_curve(ends, n);
        for count in [2, 4, 8] {
            let mut pieces = vec![curve; count];
            let mut normals = vec![Vec3::Z; count - 1];
            let before = length(&curve);
            let shaped =
                shape((&curve, length(&curve)), n, Some(&fold(1.0)), &mut pieces, &mut normals);
            assert_eq!((pieces[0][0], pieces[count - 1][3]), (ends[0], ends[1]));
            for k in 1..count {
                assert_eq!(pieces[k - 1][3], pieces[k][0]);
            }
            if before < 1.0 {
                let measured = polyline(&pieces);
                assert!((measured - 1.0).abs() < 0.01, "case {case}, {count}: {measured}");
                assert!((shaped.length - measured).abs() < 0.008);
            } else {
                assert_eq!(shaped.height, 0.0);
            }
        }
    }
}

/// With upright normals the fold is symmetric: its tip is above the middle of the chord, and two
/// folds are less than two thirds as high as one.
#[test]
fn os6_many_folds_are_lower_than_one() {
    let (n, ends) = ([Vec3::Z; 2], [Vec3::ZERO, Vec3::X * 0.5]);
    let curve = edge_curve(ends, n);
    let highest = |count: usize| {
        let mut pieces = vec![curve; count];
        shape(
            (&curve, length(&curve)),
            n,
            Some(&fold(1.0)),
            &mut pieces,
            &mut vec![Vec3::Z; count - 1],
        );
        let mut peak = Vec3::ZERO;
        for piece in &pieces {
            for i in 0..=100 {
                let p = curve_point(piece, i as f64 / 100.0);
                if p.z > peak.z + 1e-9 {
                    peak = p;
                }
            }
        }
        peak
    };
    let (one, two, four) = (highest(2), highest(4), highest(8));
    assert!((one.x - 0.25).abs() < 1e-12, "{one}");
    assert!((two.x - 0.125).abs() < 1e-12 && two.z < 0.67 * one.z, "{two} {one}");
    assert!(four.z < 0.67 * two.z, "{four}");
}

/// Nothing jumps while a chord shrinks steadily: tips move by little more than the chord does.
#[test]
fn os6_shape_is_continuous_in_the_chord() {
    let n = [try_normalize(Vec3::new(-0.2, 0.0, 1.0)).unwrap(), Vec3::Z];
    for count in [2, 4, 8] {
        let sample = |chord: f64| {
            let curve = edge_curve([Vec3::ZERO, Vec3::X * chord], n);
            let mut pieces = vec![curve; count];
            shape(
                (&curve, length(&curve)),
                n,
                Some(&fold(1.0)),
                &mut pieces,
                &mut vec![Vec3::Z; count - 1],
            );
            pieces.iter().map(|p| curve_point(p, 0.5)).collect::<Vec<_>>()
        };
        let step = 1e-3;
        let mut last = sample(0.97);
        for i in 1..700 {
            let next = sample(0.97 - step * f64::from(i));
            for (a, b) in last.iter().zip(&next) {
                // Heights grow like √(L − d); tolerance of the bisection adds a little.
                assert!(a.distance(*b) < 0.02, "{count} pieces at step {i}: {a} to {b}");
            }
            last = next;
        }
    }
}

#[test]
fn os6_limits_and_sides_are_kept() {
    let (n, ends) = ([Vec3::Z; 2], [Vec3::ZERO, Vec3::X * 0.6]);
    let curve = edge_curve(ends, n);
    let (mut pieces, mut normals) = ([curve; 2], [Vec3::Z; 1]);
    let limited = Fold { limit: 0.1, ..fold(1.0) };
    let shaped = shape((&curve, length(&curve)), n, Some(&limited), &mut pieces, &mut normals);
    assert_eq!(shaped.height, 0.1);
    assert!((pieces[0][3] - Vec3::new(0.3, 0.0, 0.1)).length() < 1e-15);
    let down = Fold { side: -1.0, ..fold(1.0) };
    shape((&curve, length(&curve)), n, Some(&down), &mut pieces, &mut normals);
    assert!(pieces[0][3].z < -0.2);
    assert_eq!(normals[0], Vec3::Z);
}
