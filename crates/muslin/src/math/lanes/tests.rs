use super::*;
use crate::math::Random;
use fearless_simd::dispatch;

/// Does with all kinds of registers of this machine.
fn with_lanes(test: &impl LaneTest) {
    for level in levels() {
        dispatch!(level, simd => test.run(simd));
    }
}

/// A test for any registers.
trait LaneTest {
    fn run<S: Simd>(&self, simd: S);
}

/// Angles of four points are those of one, to the bit.
struct SameAngles<'a>(&'a [[f64; 2]; 4]);

impl LaneTest for SameAngles<'_> {
    fn run<S: Simd>(&self, simd: S) {
        let lanes = angle_of(four(simd, self.0.map(|p| p[0])), four(simd, self.0.map(|p| p[1])));
        for (lane, [y, x]) in self.0.iter().enumerate() {
            assert_eq!(lanes[lane].to_bits(), angle_of(*y, *x).to_bits(), "{y:e} {x:e}");
        }
    }
}

fn angle(y: f64, x: f64) -> f64 {
    with_lanes(&SameAngles(&[[y, x], [1.0, -2.0], [-y, x], [x, y]]));
    let three = [[y, x], [0.1, 1.0], [-y, x]];
    let one_by_one = three.map(|[y, x]| angle_of(y, x).to_bits());
    assert_eq!(angles_of(three).map(f64::to_bits), one_by_one, "{y:e} {x:e}");
    angle_of(y, x)
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

struct SameVectors;

impl LaneTest for SameVectors {
    fn run<S: Simd>(&self, simd: S) {
        let (a, b) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(0.5, 4.0, -1.5));
        let (c, d) = (Vec3::new(-7.0, 0.2, 1.0), Vec3::new(2.0, 2.5, 9.0));
        let (p, q) = (Vector::of(simd, [a, c, b, d]), Vector::of(simd, [b, d, a, c]));
        let is = |found: Vector<Four<S>>, expected: [Vec3; 4]| {
            let rows = found.rows(four(simd, [1.0, 2.0, 3.0, 4.0])).map(<[f64; 4]>::from);
            let with = |lane: usize, v: Vec3| [v.x, v.y, v.z, lane as f64 + 1.0];
            assert_eq!(rows, [0, 1, 2, 3].map(|lane| with(lane, expected[lane])));
        };
        is(p.cross(q), [a.cross(b), c.cross(d), b.cross(a), d.cross(c)]);
        is(p + q, [a + b, c + d, b + a, d + c]);
        is(p - q, [a - b, c - d, b - a, d - c]);
        is(-p, [-a, -c, -b, -d]);
        is(p * four(simd, [2.0, 3.0, 4.0, 5.0]), [a * 2.0, c * 3.0, b * 4.0, d * 5.0]);
        assert_eq!(<[f64; 4]>::from(p.dot(q)), [a.dot(b), c.dot(d), b.dot(a), d.dot(c)]);
    }
}

/// R4: wide registers and narrow ones have the bits of `f64`.
#[test]
fn vectors_in_lanes_are_vectors() {
    with_lanes(&SameVectors);
}
