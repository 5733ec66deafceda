use super::*;
use crate::collide::distance::point_triangle;
use crate::judge;
use crate::math::{Random, Vec2};

/// Two faces above each other, 0.1 m apart, turned against each other.
fn two_faces() -> (TriMesh, Vec<Vec3>) {
    let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from);
    let mesh = TriMesh::new(6, vec![[0, 1, 2], [3, 4, 5]], vec![uv; 2]).unwrap();
    let upper = [[0.3, 0.3, 0.1], [-0.7, 0.3, 0.1], [0.3, -0.7, 0.1]];
    let lower = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    (mesh, lower.into_iter().chain(upper).map(Vec3::from).collect())
}

/// A face that would pass another one in one step pushes it instead: they never cross, and momentum
/// is kept.
#[test]
fn os8_faces_do_not_pass_each_other() {
    let (mesh, mut x) = two_faces();
    let mut apart = KeepApart::new(&mesh, &x, 0.02);
    let h = 0.01;
    let mut v = vec![Vec3::ZERO; 6];
    v[3..].fill(Vec3::Z * -20.0);
    let inverse_masses = [1.0; 6];
    assert_eq!(apart.gather(&x, &v, 0.1), 0);
    assert!(!apart.pairs.is_empty());
    for step in 0..10 {
        let before = x.clone();
        for i in 0..6 {
            x[i] += v[i] * h;
        }
        let (now, v) = (&mut x, &mut v);
        let mut cloth = Particles { before: &before, x: now, v, inverse_masses: &inverse_masses };
        let part = |step: i32| f64::from(step) / 10.0;
        apart.begin(&cloth, [part(step), part(step + 1)]);
        for _ in 0..20 {
            apart.apply(&mut cloth);
        }
        let crossing = judge::intersecting_pairs(&x, mesh.triangles());
        assert!(crossing.is_empty(), "step {step}: {x:?}");
    }
    let momentum: Vec3 = v.iter().sum();
    assert!(momentum.distance(Vec3::Z * -60.0) < 1e-9, "{momentum}");
    assert!(v[..3].iter().any(|v| v.z < -1.0), "nothing was passed on: {v:?}");
}

/// A face that nobody foresaw to move when the frame began, because it was at rest, does not pass either: pairs are
/// gathered anew for the rest of the frame.
#[test]
fn os8_faces_that_go_astray_are_gathered_anew() {
    let (mesh, mut x) = two_faces();
    let mut apart = KeepApart::new(&mesh, &x, 0.02);
    let mut v = vec![Vec3::ZERO; 6];
    let inverse_masses = [1.0; 6];
    apart.gather(&x, &v, 0.1);
    assert!(apart.pairs.is_empty());
    let before = x.clone();
    for i in 3..6 {
        x[i] -= Vec3::Z * 0.2;
        v[i] = Vec3::Z * -20.0;
    }
    let mut cloth =
        Particles { before: &before, x: &mut x, v: &mut v, inverse_masses: &inverse_masses };
    assert_eq!(apart.begin(&cloth, [0.5, 0.6]), 0);
    assert!(!apart.pairs.is_empty());
    for _ in 0..20 {
        apart.apply(&mut cloth);
    }
    assert!(judge::intersecting_pairs(&x, mesh.triangles()).is_empty(), "{x:?}");
    let heights = [x[0].z.min(x[1].z).min(x[2].z), x[3].z.max(x[4].z).max(x[5].z)];
    assert!(heights[0] < heights[1], "{x:?}");
}

/// Pairs that are left out as separated are nowhere nearer than the distance on their way, by
/// sampling; and of those that are far apart most are left out.
#[test]
fn os8_separated_pairs_stay_apart() {
    let mut random = Random::new(8);
    let (mut near, mut separated, distance) = (0, 0, 0.1);
    for round in 0..4000 {
        let mut point = |size: f64| {
            Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5) * size
        };
        let apart = point(2.0);
        let start = [0, 1, 2, 3].map(|k| point(0.5) + if k == 0 { apart } else { Vec3::ZERO });
        let end = start.map(|p| p + point(0.4));
        let pair = if round % 2 == 0 {
            Pair::PointFace([0, 1, 2, 3])
        } else {
            Pair::EdgeEdge([0, 1, 2, 3])
        };
        let at = |t: f64| [0, 1, 2, 3].map(|k: usize| start[k].lerp(end[k], t));
        let least = (0..=20)
            .map(|i| pair.closest(at(f64::from(i) / 20.0)).distance_squared.sqrt())
            .fold(f64::INFINITY, f64::min);
        let left_out = pair.separation(&[start, end]) > distance;
        assert!(!left_out || least >= distance, "{pair:?}: {least}");
        near += usize::from(least < distance);
        separated += usize::from(left_out);
    }
    assert!(near > 300 && separated > 1000, "{near} {separated}");
}

/// By hand: a particle of mass 1 kg, 5 mm above the middle of a held face, is lifted by a
/// quarter of 20 mm and stopped.
#[test]
fn os8_one_particle_by_hand() {
    let (mesh, mut x) = two_faces();
    x[3] = Vec3::new(0.25, 0.25, 0.005);
    let mut v = vec![Vec3::ZERO; 6];
    v[3] = Vec3::new(1.0, 0.0, -2.0);
    let mut apart = KeepApart::new(&mesh, &x, 0.02);
    apart.pairs.push(Gathered { pair: Pair::PointFace([3, 0, 1, 2]), gap: 0.0 });
    let before = x.clone();
    let inverse_masses = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let mut cloth =
        Particles { before: &before, x: &mut x, v: &mut v, inverse_masses: &inverse_masses };
    apart.begin(&cloth, [0.0, 1.0]);
    assert_eq!(apart.apply(&mut cloth), 1);
    assert!(x[3].distance(Vec3::new(0.25, 0.25, 0.01)) < 1e-15);
    assert!(v[3].distance(Vec3::X) < 1e-15);
    assert_eq!(x[..3], before[..3]);
}

/// Pairs that meet are found as brute force finds them, but for those around a particle where cloth is flat.
#[test]
fn os8_gathered_pairs_agree_with_brute_force() {
    let (mesh, mut x) = crate::sparse::skirt::skirt(&[8, 12, 14, 16, 16]).unwrap();
    for (i, p) in x.iter_mut().enumerate() {
        // Crumpled: heights pressed together, and some of them moved to the other side.
        p.z *= 0.1;
        p.x *= if i % 3 == 0 { -0.5 } else { 0.5 };
    }
    let mut apart = KeepApart::new(&mesh, &x, 0.02);
    assert_eq!(apart.gather(&x, &vec![Vec3::ZERO; x.len()], 0.1), 0, "there is no room");
    let mut expected = 0;
    for (p, at) in x.iter().enumerate() {
        for t in mesh.triangles().iter().filter(|t| !t.contains(&(p as u32))) {
            let [a, b, c] = t.map(|v| x[v as usize]);
            if point_triangle(*at, a, b, c).distance_squared < 0.02 * 0.02 {
                let pair = Pair::PointFace([p as u32, t[0], t[1], t[2]]);
                let found = apart.pairs.iter().any(|own| own.pair == pair);
                assert!(found || apart.flat.clears(pair), "{pair:?}");
                expected += usize::from(found);
            }
        }
    }
    assert!(expected > 10, "{expected}");
}

/// Gathered pairs that are not active in a step are nowhere nearer than the distance on their way, by sampling:
/// neither when particles are astray as the step begins, nor when they are moved within it.
#[test]
fn os8_pairs_left_out_of_a_step_stay_apart() {
    let (mesh, mut x) = crate::sparse::skirt::skirt(&[8, 12, 14, 16, 16]).unwrap();
    for (i, p) in x.iter_mut().enumerate() {
        p.z *= 0.3;
        p.x *= if i % 3 == 0 { 0.3 } else { 0.5 };
    }
    let mut random = Random::new(17);
    let mut point =
        |size: f64| Vec3::new(random.unit() - 0.5, random.unit() - 0.5, random.unit() - 0.5) * size;
    let inverse_masses = vec![1.0; x.len()];
    let (dt, distance) = (1.0 / 30.0, 0.02);
    let (mut left_out, mut near, mut waiting) = (0, 0, 0);
    for _ in 0..6 {
        let mut apart = KeepApart::new(&mesh, &x, distance);
        let mut v: Vec<Vec3> = x.iter().map(|_| point(1.0) + Vec3::X * 3.0).collect();
        apart.gather(&x, &v, dt);
        let mut on = |x: &[Vec3]| -> Vec<Vec3> {
            x.iter().zip(&v).map(|(x, v)| *x + *v * (dt / 3.0) + point(0.01)).collect()
        };
        let before = on(&x);
        let mut now = on(&before);
        let cloth =
            Particles { before: &before, x: &mut now, v: &mut v, inverse_masses: &inverse_masses };
        apart.begin(&cloth, [1.0 / 3.0, 2.0 / 3.0]);
        for size in [0.0, 0.01, 0.03, 0.1] {
            for x in cloth.x.iter_mut().step_by(3) {
                *x += point(size);
            }
            apart.look_again(&cloth);
            waiting += apart.waiting.len();
            for (i, own) in apart.pairs.iter().enumerate() {
                let is_active = !apart.waiting.contains(&(i as u32));
                let [a, b] = ends(&before, cloth.x, own.pair);
                let at = |t: f64| [0, 1, 2, 3].map(|k: usize| a[k].lerp(b[k], t));
                let squares = (0..=10).map(|i| own.pair.closest(at(f64::from(i) / 10.0)));
                let least = squares.map(|c| c.distance_squared).fold(f64::INFINITY, f64::min);
                let is_near = least < apart.distance * apart.distance;
                assert!(is_active || !is_near, "{:?}: {}", own.pair, least.sqrt());
                left_out += usize::from(!is_active);
                near += usize::from(is_near);
            }
        }
    }
    assert!(left_out > 1000 && near > 100 && waiting > 0, "{left_out} {near} {waiting}");
}
