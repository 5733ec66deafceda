use super::*;
use crate::math::{Random, Vec2};
use crate::mesh::{Diagonals, Sheet};

fn elastic(bending: f64) -> Elastic {
    Elastic { density: 0.3, bending }
}

fn still_air() -> Air {
    Air { density: 0.0, ..Air::default() }
}

fn crumpled(seed: u64) -> (TriMesh, Vec<Vec3>, Vec<Vec3>) {
    let Sheet { positions, mesh } = Sheet::grid([1.0, 1.0], [5, 5], Diagonals::Regular).unwrap();
    let mut random = Random::new(seed);
    let mut shake = || Vec3::new(random.unit(), random.unit(), random.unit()) * 0.1;
    let x: Vec<Vec3> = positions.iter().map(|p| *p + shake()).collect();
    let v = positions.iter().map(|_| shake()).collect();
    (mesh, x, v)
}

/// Eq. (1) by hand: one right triangle, one corner pulled to twice its distance.
#[test]
fn os1_spring_force_by_hand() {
    let uv = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(Vec2::from);
    let mesh = TriMesh::new(3, vec![[0, 1, 2]], vec![uv]).unwrap();
    let mut springs = Springs::new(&mesh, &[false; 3], &elastic(0.0));
    springs.air = still_air();
    springs.set_stiffness(2.0, 0.0);
    let x = [Vec3::ZERO, Vec3::X * 2.0, Vec3::Y];
    let mut a = [Vec3::ZERO; 3];
    springs.accelerations(&x, &[Vec3::ZERO; 3], 0.01, &mut a);
    // m = 0.3 · ½ / 3 = 0.05; edge 0–1: 2 (2 − 1) along x; edge 1–2: 2 (√5 − √2) along (−2, 1)/√5.
    let diagonal = 2.0 * (5f64.sqrt() - 2f64.sqrt()) / 5f64.sqrt();
    let expected = Vec3::new(-2.0 - 2.0 * diagonal, diagonal, 0.0) / 0.05;
    assert!(a[1].distance(expected) < 1e-10, "{} {expected}", a[1]);
    assert!(a[0].distance(Vec3::X * 2.0 / 0.05) < 1e-10);
}

/// Inner forces make neither momentum nor angular momentum.
#[test]
fn os1_inner_forces_conserve_momentum() {
    let (mesh, x, v) = crumpled(1);
    let mut springs = Springs::new(&mesh, &[false; 25], &elastic(1e-3));
    springs.air = still_air();
    springs.set_stiffness(3.0, 0.3);
    let mut a = vec![Vec3::ZERO; 25];
    springs.accelerations(&x, &v, 0.01, &mut a);
    let forces: Vec<Vec3> = a.iter().zip(&springs.masses).map(|(a, m)| *a * *m).collect();
    let size: f64 = forces.iter().map(|f| f.length()).sum();
    let torque: Vec3 = x.iter().zip(&forces).map(|(x, f)| x.cross(*f)).sum();
    assert!(forces.iter().sum::<Vec3>().length() < 1e-13 * size);
    assert!(torque.length() < 1e-13 * size);
}

/// Bending restores: a folded square opens, and its rest angle is kept.
#[test]
fn os1_bending_opens_a_fold() {
    let uv = |t: [[f64; 2]; 3]| t.map(Vec2::from);
    let uv =
        vec![uv([[0.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]), uv([[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]])];
    let mesh = TriMesh::new(4, vec![[0, 1, 2], [1, 0, 3]], uv).unwrap();
    let mut springs = Springs::new(&mesh, &[false; 4], &elastic(1e-4));
    springs.air = still_air();
    // Right wing folded up by 90°.
    let x = [Vec3::ZERO, Vec3::Y, -Vec3::X, Vec3::Z];
    let mut a = [Vec3::ZERO; 4];
    springs.accelerations(&x, &[Vec3::ZERO; 4], 0.0, &mut a);
    // Moment k π/2 on a tip at distance 1 from the hinge, towards flat: +x for the raised tip, down for the other.
    let force = 1e-4 * std::f64::consts::FRAC_PI_2;
    assert!((a[3] * springs.masses[3]).distance(Vec3::X * force) < 1e-15, "{}", a[3]);
    assert!((a[2] * springs.masses[2]).distance(Vec3::Z * -force) < 1e-15, "{}", a[2]);
    springs.set_rest_angles(&x);
    springs.accelerations(&x, &[Vec3::ZERO; 4], 0.0, &mut a);
    assert!(a.iter().all(|a| a.length() < 1e-12));
}

/// The stiffness bound is one: just below it steps stay bounded, well above they do not.
#[test]
fn os1_stiffness_bound_holds() {
    let (mesh, _, _) = crumpled(2);
    let Sheet { positions, .. } = Sheet::grid([1.0, 1.0], [5, 5], Diagonals::Regular).unwrap();
    let mut springs = Springs::new(&mesh, &[false; 25], &elastic(0.0));
    springs.air = still_air();
    let h = 0.01;
    let mut largest_energy = |factor: f64| {
        let k = springs.largest_stiffness(0.1, h) * factor;
        springs.set_stiffness(k, 0.1);
        let mut random = Random::new(5);
        let mut x = positions.clone();
        for p in &mut x {
            *p += Vec3::new(random.unit(), random.unit(), 0.0) * 1e-3;
        }
        let (mut v, mut a) = (vec![Vec3::ZERO; 25], vec![Vec3::ZERO; 25]);
        for _ in 0..2000 {
            springs.accelerations(&x, &v, h, &mut a);
            for i in 0..25 {
                v[i] += a[i] * h;
                x[i] += v[i] * h;
            }
        }
        springs.kinetic_energy(&v)
    };
    assert!(largest_energy(1.0) < 1e-9);
    let beyond = largest_energy(4.0);
    assert!(beyond > 1e-3 || beyond.is_nan(), "a bound that is never reached: {beyond}");
}

/// Still air stops fast light cloth and never throws it back, however long the step.
#[test]
fn os1_air_does_not_reverse_motion() {
    let (mesh, x, _) = crumpled(3);
    let springs = Springs::new(&mesh, &[false; 25], &elastic(0.0));
    let v = vec![Vec3::new(0.0, 0.0, 500.0); 25];
    let mut a = vec![Vec3::ZERO; 25];
    let h = 0.1;
    springs.accelerations(&x, &v, h, &mut a);
    assert!(a.iter().all(|a| a.z < 0.0 && 500.0 + a.z * h > 0.0));
}
