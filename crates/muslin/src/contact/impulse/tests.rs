use super::*;
use crate::collide::distance;
use crate::math::Random;

fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0))
}

struct Case {
    x: Vec<Vec3>,
    v: Vec<Vec3>,
    mass: Vec<f64>,
    contact: Contact,
}

/// Random point–triangle and edge–edge contacts with unequal masses.
fn case(random: &mut Random, friction: f64) -> Case {
    let x: Vec<Vec3> = (0..4).map(|_| vector(random)).collect();
    let closest = if random.unit() < 0.5 {
        distance::point_triangle(x[0], x[1], x[2], x[3])
    } else {
        distance::edge_edge(x[0], x[1], x[2], x[3])
    };
    Case {
        v: (0..4).map(|_| vector(random)).collect(),
        mass: (0..4).map(|_| 10f64.powf(random.between(-3.0, 3.0))).collect(),
        contact: Contact {
            vertices: [0, 1, 2, 3],
            weights: closest.weights,
            normal: closest.delta / closest.distance_squared.sqrt(),
            surface: Vec3::ZERO,
            target: 0.0,
            friction: [friction; 2],
        },
        x,
    }
}

fn kinetic(case: &Case) -> f64 {
    case.mass.iter().zip(&case.v).map(|(m, v)| 0.5 * m * v.length_squared()).sum()
}

/// V2, BF7: linear momentum to rounding, angular momentum of normal impulses to rounding at the
/// configuration that gave the normal; kinetic energy never rises; the approach stops.
#[test]
fn v2_impulses_keep_momentum_and_never_give_energy() {
    let mut random = Random::new(31);
    for round in 0..2000 {
        let friction = if round % 2 == 0 { 0.0 } else { 0.4 };
        let mut case = case(&mut random, friction);
        let inverse: Vec<f64> = case.mass.iter().map(|m| 1.0 / m).collect();
        let momentum = |c: &Case| -> Vec3 { c.mass.iter().zip(&c.v).map(|(m, v)| *v * *m).sum() };
        let spin = |c: &Case| -> Vec3 { (0..4).map(|i| c.x[i].cross(c.v[i]) * c.mass[i]).sum() };
        let (p, l, e) = (momentum(&case), spin(&case), kinetic(&case));
        let size: f64 = case.mass.iter().sum();
        let before: Vec3 = (0..4).map(|i| case.v[i] * case.contact.weights[i]).sum();
        let mut active = Active::new(case.contact, &inverse).unwrap();
        active.relax(&inverse, &mut case.v);
        assert!((momentum(&case) - p).length() < 1e-12 * size);
        assert!(kinetic(&case) <= e * (1.0 + 1e-12));
        if friction == 0.0 {
            assert!((spin(&case) - l).length() < 1e-11 * size);
        }
        let after: Vec3 = (0..4).map(|i| case.v[i] * case.contact.weights[i]).sum();
        let n = case.contact.normal;
        let expected = before.dot(n).max(0.0);
        assert!((after.dot(n) - expected).abs() < 1e-9, "approach stops, separation stays");
    }
}

/// BF7: for equal masses the impulse is the paper's `Ĩ = 2I/(1 + Σw²)`, here as velocity changes.
#[test]
fn bf7_equal_masses_give_the_papers_formula() {
    let contact = Contact {
        vertices: [0, 1, 2, 3],
        weights: [1.0, -0.2, -0.3, -0.5],
        normal: Vec3::Z,
        surface: Vec3::ZERO,
        target: 0.0,
        friction: [0.0; 2],
    };
    let inverse = [1.0 / 0.7; 4];
    let mut v = vec![Vec3::new(0.0, 0.0, -2.0), Vec3::ZERO, Vec3::ZERO, Vec3::ZERO];
    Active::new(contact, &inverse).unwrap().relax(&inverse, &mut v);
    // Inelastic: I = m v_N / 2 and Ĩ = 2I/(1 + w1² + w2² + w3²); v_0 += Ĩ/m, v_i −= w_i Ĩ/m.
    let impulse = 2.0 / (1.0 + 0.04 + 0.09 + 0.25);
    assert!((v[0].z - (-2.0 + impulse)).abs() < 1e-12);
    assert!((v[2].z + 0.3 * impulse).abs() < 1e-12);
}

/// BF9: sticks while μ_s Δv_N covers the slip, else loses μ_k Δv_N of it.
#[test]
fn bf9_coulomb_friction_sticks_or_slides() {
    let contact = Contact {
        vertices: [0; 4],
        weights: [1.0, 0.0, 0.0, 0.0],
        normal: Vec3::Z,
        surface: Vec3::ZERO,
        target: 0.0,
        friction: [0.5, 0.3],
    };
    for (slip, expected) in [(0.9, 0.0), (1.1, 1.1 - 0.6), (5.0, 5.0 - 0.6)] {
        let mut v = vec![Vec3::new(slip, 0.0, -2.0)];
        Active::new(contact, &[1.0]).unwrap().relax(&[1.0], &mut v);
        assert!((v[0] - Vec3::new(expected, 0.0, 0.0)).length() < 1e-12, "{slip}: {v:?}");
    }
}

/// Infinite masses stay as they are; two of them cannot be pushed apart.
#[test]
fn bf7_infinite_masses_do_not_move() {
    let mut random = Random::new(3);
    let mut case = case(&mut random, 0.3);
    let inverse = [1.0, 0.0, 0.0, 0.0];
    let before = case.v.clone();
    if let Some(mut active) = Active::new(case.contact, &inverse) {
        active.relax(&inverse, &mut case.v);
    }
    assert_eq!(case.v[1..], before[1..]);
    assert!(Active::new(case.contact, &[0.0; 4]).is_none());
}

/// Passing over what would do nothing again changes no bit: against sweeps that visit all contacts, with friction, and with
/// something beside them that moves a vertex now and then.
#[test]
fn bf10_sweeps_that_pass_over_quiet_contacts_change_no_bit() {
    struct Shaker(usize);
    impl Beside for Shaker {
        fn moved(&mut self, _: [u32; 4]) {}
        fn sweep(&mut self, v: &mut [Vec3]) -> f64 {
            self.0 += 1;
            if self.0.is_multiple_of(5) {
                v[self.0 % 40] += Vec3::splat(0.1);
                return 0.1;
            }
            0.0
        }
    }
    let mut random = Random::new(17);
    let mut passed = 0;
    for round in 0..50 {
        let inverse: Vec<f64> = (0..40).map(|_| random.between(0.5, 2.0)).collect();
        let start: Vec<Vec3> = (0..40).map(|_| vector(&mut random)).collect();
        let mut contact = || {
            let case = case(&mut random, 0.4);
            let vertices = std::array::from_fn(|_| (random.bits() % 40) as u32);
            Active::new(Contact { vertices, ..case.contact }, &inverse)
        };
        let contacts: Vec<Active> = (0..25).filter_map(|_| contact()).collect();
        let sweeps = 1 + round;
        let (mut found, mut v) = (contacts.clone(), start.clone());
        relax(&mut found, &inverse, sweeps, -1.0, &mut v, &mut Shaker(0));
        let (mut expected, mut u, mut shaker) = (contacts, start, Shaker(0));
        for _ in 0..sweeps {
            for contact in &mut expected {
                passed += usize::from(contact.relax(&inverse, &mut u) == 0.0);
            }
            shaker.sweep(&mut u);
        }
        assert_eq!(v, u);
        assert!(
            found
                .iter()
                .zip(&expected)
                .all(|(a, b)| a.normal == b.normal && a.tangent == b.tangent)
        );
    }
    assert!(passed > 1000, "{passed} visits that did nothing");
}
