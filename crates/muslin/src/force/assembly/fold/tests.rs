use super::*;
use crate::force::hinge;
use crate::math::lanes::angle_of;
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

/// Angle and gradient of a hinge from its first triangle, whose corner `k` is the tip.
fn seen(k: usize, x: [Vec3; 4]) -> (f64, [Vec3; 4]) {
    let [tip, other, start, end] = x;
    let corners = [[tip, start, end], [start, tip, end], [start, end, tip]][k];
    let vector = |v: Vec3| Vector { x: v.x, y: v.y, z: v.z };
    let face = Face::new([1, 2].map(|c| vector(corners[c] - corners[0])));
    let fold = face.fold(k, vector(other - start));
    let plain = |v: Vector<f64>| Vec3::new(v.x, v.y, v.z);
    let (n, m) = (plain(face.normal), plain(fold.other));
    let sign = if k == 1 { -1.0 } else { 1.0 };
    let edge = |i: usize| n * fold.own[i] + m * fold.across[i];
    let gradient = [n * fold.own[0], m * fold.across[0], edge(1), edge(2)];
    let [y, x] = fold.direction;
    (sign * angle_of(y, x), gradient.map(|g| g * sign))
}

/// BW5, MF4: angle and gradient as of the plain hinge, from whichever corner they are seen.
#[test]
fn agrees_with_the_hinge() {
    let mut random = Random::new(23);
    for k in (0..3).cycle().take(10_000) {
        let x = positions(&mut random);
        let (angle, gradient) = seen(k, x);
        let expected = hinge::angle(x).unwrap();
        // Positions near 1 m have errors of 1e-16 m, tips heights of 1e-4 m and more.
        assert!((angle - expected.value).abs() < 1e-11, "{angle} {}", expected.value);
        let size: f64 = expected.gradient.iter().map(|g| g.length()).sum();
        for (g, expected) in gradient.into_iter().zip(expected.gradient) {
            assert!(g.distance(expected) < 1e-12 * size);
        }
    }
}

/// BW6: how an angle changes when corners move, from whichever corner it is seen.
#[test]
fn changes_as_its_gradient_says() {
    let mut random = Random::new(3);
    for k in (0..3).cycle().take(3000) {
        let (x, moved) = (positions(&mut random), positions(&mut random));
        let expected = hinge::angle(x).unwrap();
        let [tip, other, start, end] = x;
        let corners = [[tip, start, end], [start, tip, end], [start, end, tip]][k];
        let [m_tip, m_other, m_start, m_end] = moved;
        let moves = [[m_tip, m_start, m_end], [m_start, m_tip, m_end], [m_start, m_end, m_tip]][k];
        let vector = |v: Vec3| Vector { x: v.x, y: v.y, z: v.z };
        let face = Face::new([1, 2].map(|c| vector(corners[c] - corners[0])));
        let fold = face.fold(k, vector(other - start));
        let normal = [1, 2].map(|c| face.normal.dot(vector(moves[c] - moves[0])));
        let ends = [vector(m_other - m_start), vector(m_end - m_start)];
        let change = Face::change(k, &fold, normal, ends) * if k == 1 { -1.0 } else { 1.0 };
        let terms = expected.gradient.iter().zip(moved).map(|(g, d)| g.dot(d));
        let size: f64 = expected.gradient.iter().map(|g| g.length()).sum();
        assert!((change - terms.sum::<f64>()).abs() < 1e-12 * size, "{change}");
    }
}

#[test]
fn wings_without_area_count_for_nothing() {
    let mut random = Random::new(2);
    let [a, b, c, d] = positions(&mut random);
    for flat in [[c, b, c, d], [a, d, c, d], [a, b, c, c], [a; 4]] {
        assert!(hinge::angle(flat).is_none());
        for k in 0..3 {
            let (angle, gradient) = seen(k, flat);
            assert!(angle.is_finite());
            assert!(gradient.iter().all(|g| *g == Vec3::ZERO));
        }
    }
}
