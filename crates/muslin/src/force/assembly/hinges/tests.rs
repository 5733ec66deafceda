use super::*;
use crate::math::Random;

/// Hinges flat, folded over and creased, of wings from round to needle-like.
fn positions(random: &mut Random) -> [Vec3; 4] {
    let fold = match random.bits() % 4 {
        0 => 0.0,
        1 => random.between(-1e-6, 1e-6),
        _ => random.between(-3.1, 3.1),
    };
    let thin = 10f64.powf(random.between(-2.0, 0.0));
    let turn = crate::math::Quat::from_scaled_axis(Vec3::new(
        random.between(-2.0, 2.0),
        random.between(-2.0, 2.0),
        random.between(-2.0, 2.0),
    ));
    let tip = Vec3::new(random.between(-0.5, 1.5), thin, 0.0);
    let (sin, cos) = fold.sin_cos();
    let other = Vec3::new(random.between(-0.5, 1.5), -cos, sin);
    [tip, other, Vec3::ZERO, Vec3::X].map(|p| turn * (p * 0.01) + Vec3::new(0.3, -0.2, 1.0))
}

fn two(a: &[Vec3; 4], b: &[Vec3; 4]) -> [TwoVec3; 4] {
    std::array::from_fn(|i| TwoVec3::new([a[i], b[i]]))
}

/// BW5, MF4: angle and gradient as of one hinge.
#[test]
fn agrees_with_the_hinge() {
    let mut random = Random::new(23);
    for _ in 0..5000 {
        let x = [positions(&mut random), positions(&mut random)];
        let folds = Folds::new(two(&x[0], &x[1]));
        assert_eq!(folds.open.to_bitmask(), 3);
        for lane in 0..2 {
            let expected = hinge::angle(x[lane]).unwrap();
            // Positions near 1 m have errors of 1e-16 m, tips heights of 1e-4 m and more.
            let angle = folds.angle.to_array()[lane];
            assert!((angle - expected.value).abs() < 1e-11, "{angle} {}", expected.value);
            let size: f64 = expected.gradient.iter().map(|g| g.length()).sum();
            for i in 0..4 {
                let g = folds.gradient[i].lanes()[lane];
                assert!(g.distance(expected.gradient[i]) < 1e-12 * size);
            }
        }
    }
}

/// A wing without area closes its own lane, not the other.
#[test]
fn wings_without_area_count_for_nothing() {
    let mut random = Random::new(2);
    let good = positions(&mut random);
    let [a, b, c, d] = good;
    for flat in [[c, b, c, d], [a, d, c, d], [a, b, c, c], [a; 4]] {
        assert!(hinge::angle(flat).is_none());
        assert_eq!(Folds::new(two(&flat, &good)).open.to_bitmask(), 2);
        assert_eq!(Folds::new(two(&good, &flat)).open.to_bitmask(), 1);
    }
}
