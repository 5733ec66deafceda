use super::*;
use crate::math::Random;

/// Bits of one point, and that both lanes have them.
fn angle(y: f64, x: f64) -> f64 {
    let [first, other] = angle_of(Two::new([y, 1.0]), Two::new([x, -2.0])).to_array();
    let [another, second] = angle_of(Two::new([-0.3, y]), Two::new([0.1, x])).to_array();
    assert_eq!(first.to_bits(), second.to_bits());
    assert_eq!(first.to_bits(), angle_of_one(y, x).to_bits());
    assert!((other - 1f64.atan2(-2.0)).abs() < 1e-15);
    assert!((another - (-0.3f64).atan2(0.1)).abs() < 1e-15);
    first
}

fn assert_close(y: f64, x: f64) {
    let (ours, expected) = (angle(y, x), y.atan2(x));
    let error = (ours - expected).abs();
    assert!(error <= 4e-16 * expected.abs() + f64::from_bits(1), "{y:e} {x:e}: {ours} {expected}");
    assert_eq!(angle(-y, x).to_bits(), (-ours).to_bits(), "odd in y");
}

/// A million points in all quadrants, of all ratios that numbers have.
#[test]
fn r4_the_angle_of_a_point_is_that_of_the_library_to_an_ulp_or_two() {
    let mut random = Random::new(17);
    for i in 0..1_000_000 {
        let size = if i % 2 == 0 { 1.0 } else { 10f64.powf(random.between(-290.0, 290.0)) };
        assert_close(random.between(-1.0, 1.0) * size, random.between(-1.0, 1.0));
    }
}

/// On the axes and diagonals, where octants meet, and at numbers next to nothing.
#[test]
fn angles_where_octants_meet() {
    let tiny = f64::MIN_POSITIVE;
    let next = 1.0 + f64::EPSILON;
    let edge = std::f64::consts::SQRT_2 - 1.0;
    let values = [0.0, 1.0, next, edge, edge * next, 1.0 / edge, 3e-320, tiny, 1e-200, 1e299];
    for y in values {
        for x in values {
            if x != 0.0 || y != 0.0 {
                assert_close(y, x);
                assert_close(y, -x);
            }
        }
    }
    assert_eq!(angle(0.0, 0.0), 0.0);
    assert_eq!(angle(0.0, -1.0), std::f64::consts::PI);
    assert_eq!(angle(1.0, -0.0), std::f64::consts::FRAC_PI_2);
}

#[test]
fn vectors_in_lanes_are_vectors() {
    let (a, b) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(0.5, 4.0, -1.5));
    let (c, d) = (Vec3::new(-7.0, 0.2, 1.0), Vec3::new(2.0, 2.5, 9.0));
    let (p, q) = (TwoVec3::new([a, c]), TwoVec3::new([b, d]));
    assert_eq!(p.cross(q).lanes(), [a.cross(b), c.cross(d)]);
    assert_eq!(p.dot(q).to_array(), [a.dot(b), c.dot(d)]);
    assert_eq!((p + q).lanes(), [a + b, c + d]);
    assert_eq!((p - q).lanes(), [a - b, c - d]);
    assert_eq!((-p).lanes(), [-a, -c]);
    assert_eq!((p * Two::new([2.0, 3.0])).lanes(), [a * 2.0, c * 3.0]);
}
