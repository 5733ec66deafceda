use super::*;
use crate::force::membrane::{self, Map};
use crate::math::{Mat3, Random, Vec3};

fn vector(v: Vec3) -> Vector<f64> {
    Vector { x: v.x, y: v.y, z: v.z }
}

fn lanes(m: &Map) -> LaneMap<f64> {
    LaneMap { u: vector(m.u), v: vector(m.v) }
}

fn plain(m: &LaneMap<f64>) -> Map {
    let vector = |v: Vector<f64>| Vec3::new(v.x, v.y, v.z);
    Map { u: vector(m.u), v: vector(m.v) }
}

/// Maps stretched, compressed, sheared; now and then without any length, or with `w_u = ±w_v`.
fn map(random: &mut Random) -> Map {
    let mut vector = || Vec3::from_array(std::array::from_fn(|_| random.between(-1.5, 1.5)));
    let (u, v) = (vector(), vector());
    match random.bits() % 16 {
        0 => Map { u: Vec3::ZERO, v },
        1 => Map { u, v: Vec3::ZERO },
        2 => Map { u, v: u },
        3 => Map { u, v: -u },
        4 => Map::default(),
        _ => Map { u, v },
    }
}

fn rest(random: &mut Random) -> TriangleRest {
    TriangleRest {
        area: random.between(0.1, 0.5),
        du: [-1.0, 1.0, 0.0],
        dv: [-1.0, 0.0, 1.0],
        target: [random.between(0.8, 1.2), random.between(0.8, 1.2)],
        stretch: [random.between(200.0, 900.0), random.between(200.0, 900.0)],
        shear: random.between(0.0, 200.0),
        stretch_damping: random.between(0.0, 2.0),
        shear_damping: random.between(0.0, 2.0),
    }
}

/// BW3, BW4, BW6: the same numbers as the membrane's own matrices.
#[test]
fn agrees_with_the_membrane() {
    let mut random = Random::new(11);
    let beta = 0.01;
    for _ in 0..6000 {
        let rest = rest(&mut random);
        let [w, rate, shift] = [map(&mut random), map(&mut random), map(&mut random)];
        let own = lanes(&w);
        let ours = linearise(&LaneRest::of(&rest), &own, &lanes(&rate), beta);
        let change = ours.stiffness.times(&own, &lanes(&shift));
        let (c, d) = ([0.7, -0.2], [-1.3, 0.4]);
        let block = ours.matrix.between(c, d).expand(&own);
        let (k, damping) = membrane::stiffness_and_damping(&rest, &w, &rate);
        let close = |a: Map, b: Map| {
            let size = 1.0 + b.u.length() + b.v.length();
            a.u.distance(b.u) + a.v.distance(b.v) < 1e-12 * size
        };
        let stress = membrane::stress(&rest, &w, &rate);
        assert!(close(plain(&ours.stress), stress), "{:?} {stress:?}", ours.stress);
        assert!(close(plain(&change), k.times(&shift)));
        let full =
            |of: fn(&membrane::MapMatrix) -> Mat3| of(&k) * (beta * beta) + of(&damping) * beta;
        let (uu, uv, vv) = (full(|m| m.uu), full(|m| m.uv), full(|m| m.vv));
        let expected = uu * (c[0] * d[0])
            + uv * (c[0] * d[1])
            + uv.transpose() * (c[1] * d[0])
            + vv * (c[1] * d[1]);
        let found = Mat3::from_cols_array(&block);
        assert!(found.abs_diff_eq(expected, 1e-13), "{found} {expected}");
    }
}
