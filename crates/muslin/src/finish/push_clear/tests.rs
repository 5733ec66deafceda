use super::*;
use crate::finish::Crossings;
use crate::mesh::{Diagonals, Sheet};

/// An axis-aligned box of triangles that face outwards.
fn block(low: Vec3, high: Vec3) -> BodyMesh {
    let corner = |k: usize| {
        let pick = |bit: usize| f64::from(u8::from(k >> bit & 1 == 1));
        low + (high - low) * Vec3::new(pick(0), pick(1), pick(2))
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    BodyMesh {
        positions: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

#[test]
fn bf13_cloth_is_lifted_out_of_a_block_and_the_floor() {
    let Sheet { mut positions, mesh } =
        Sheet::grid([1.0, 1.0], [21, 21], Diagonals::Alternating).unwrap();
    for p in &mut positions {
        p.z = 0.195 - 0.3 * p.x.abs();
    }
    let body = block(Vec3::new(-0.3, -0.6, -0.1), Vec3::new(0.3, 0.6, 0.12));
    let floor = [HalfSpace { point: Vec3::Z * 0.06, normal: Vec3::Z }];
    let obstacles =
        Obstacles { positions: &body.positions, triangles: &body.triangles, planes: &floor };
    let before = Crossings::judge(&positions, mesh.triangles(), &obstacles);
    assert!(before.bodies > 0 && before.planes > 0 && before.cloth == 0, "{before:?}");
    let parts = BodyParts::new(std::slice::from_ref(&body));
    let field = BodyField { parts: &parts, planes: &floor, margin: 0.002 };
    let (x, moved) = field.clear(&positions, mesh.triangles(), &obstacles);
    let after = Crossings::judge(&x, mesh.triangles(), &obstacles);
    assert_eq!(after, Crossings::default());
    assert!(moved > 50);
    for (a, b) in positions.iter().zip(&x) {
        assert!(a == b || a.distance(*b) < 0.08, "{a} {b}");
    }
}

#[test]
fn an_open_body_is_named() {
    let mut body = block(Vec3::ZERO, Vec3::ONE);
    let whole = body.clone();
    body.triangles.pop();
    let parts = BodyParts::new(&[whole, body]);
    assert!(matches!(parts.left_out.as_slice(), [(1, PartError::Open { .. })]), "{parts:?}");
}
