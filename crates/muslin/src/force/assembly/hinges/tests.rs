use super::*;
use crate::math::{Random, Vec3};

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

fn folds(x: [Vec3; 4]) -> Folds<f64> {
    let apart = |corner: usize| x[corner] - x[2];
    Folds::new([0, 1, 3].map(apart).map(|p| Vector { x: p.x, y: p.y, z: p.z }))
}

/// BW5, MF4: angle and gradient as of the plain hinge.
#[test]
fn agrees_with_the_hinge() {
    let mut random = Random::new(23);
    for _ in 0..10_000 {
        let x = positions(&mut random);
        let folds = folds(x);
        let expected = hinge::angle(x).unwrap();
        // Positions near 1 m have errors of 1e-16 m, tips heights of 1e-4 m and more.
        assert!((folds.angle - expected.value).abs() < 1e-11, "{} {}", folds.angle, expected.value);
        let size: f64 = expected.gradient.iter().map(|g| g.length()).sum();
        for (g, expected) in folds.gradient.iter().zip(expected.gradient) {
            assert!(Vec3::new(g.x, g.y, g.z).distance(expected) < 1e-12 * size);
        }
    }
}

#[test]
fn wings_without_area_count_for_nothing() {
    let mut random = Random::new(2);
    let [a, b, c, d] = positions(&mut random);
    for flat in [[c, b, c, d], [a, d, c, d], [a, b, c, c], [a; 4]] {
        assert!(hinge::angle(flat).is_none());
        let folds = folds(flat);
        assert!(folds.angle.is_finite());
        assert!(folds.gradient.iter().all(|g| [g.x, g.y, g.z] == [0.0; 3]));
    }
}
