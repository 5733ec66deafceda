use super::*;
use crate::force::membrane::{self, Map};
use crate::math::{Mat3, Random, Vec3};

fn both(m: [Map; 2]) -> TwoMap {
    TwoMap { u: TwoVec3::new([m[0].u, m[1].u]), v: TwoVec3::new([m[0].v, m[1].v]) }
}

fn lane(m: &TwoMap, lane: usize) -> Map {
    Map { u: m.u.lanes()[lane], v: m.v.lanes()[lane] }
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

/// BW3, BW4, BW6: the same numbers as the membrane's own matrices, in both lanes.
#[test]
fn agrees_with_the_membrane() {
    let mut random = Random::new(11);
    let beta = 0.01;
    for _ in 0..3000 {
        let rests = [rest(&mut random), rest(&mut random)];
        let w = [map(&mut random), map(&mut random)];
        let rate = [map(&mut random), map(&mut random)];
        let shift = [map(&mut random), map(&mut random)];
        let two = both(w);
        let ours = linearise(&TwoRest::new([&rests[0], &rests[1]]), &two, &both(rate), beta);
        let change = ours.stiffness.times(&two, &both(shift));
        let (c, d) = ([0.7, -0.2], [-1.3, 0.4]);
        let block = ours.matrix.between(c.map(Two::splat), d.map(Two::splat)).expand(&two);
        for l in 0..2 {
            let (k, damping) = membrane::stiffness_and_damping(&rests[l], &w[l], &rate[l]);
            let close = |a: Map, b: Map| {
                let size = 1.0 + b.u.length() + b.v.length();
                a.u.distance(b.u) + a.v.distance(b.v) < 1e-12 * size
            };
            let stress = membrane::stress(&rests[l], &w[l], &rate[l]);
            assert!(close(lane(&ours.stress, l), stress), "{:?} {stress:?}", lane(&ours.stress, l));
            assert!(close(lane(&change, l), k.times(&shift[l])));
            let full =
                |of: fn(&membrane::MapMatrix) -> Mat3| of(&k) * (beta * beta) + of(&damping) * beta;
            let (uu, uv, vv) = (full(|m| m.uu), full(|m| m.uv), full(|m| m.vv));
            let expected = uu * (c[0] * d[0])
                + uv * (c[0] * d[1])
                + uv.transpose() * (c[1] * d[0])
                + vv * (c[1] * d[1]);
            let found = Mat3::from_cols_array(&block.map(|entry| entry.to_array()[l]));
            assert!(found.abs_diff_eq(expected, 1e-13), "{found} {expected}");
        }
    }
}
