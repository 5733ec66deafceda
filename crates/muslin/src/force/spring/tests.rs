//! BF1: forces against differences (V1), momentum (V2), and the fabric that springs add up to (V4).

use super::*;
use crate::cloth::{Cloth, Maps};
use crate::fabric::Fabric;
use crate::force::spring_energy;
use crate::math::{Quat, Random};
use crate::mesh::{Diagonals, Sheet};

fn fabric() -> Fabric {
    Fabric { stretch: [800.0, 500.0], shear: 120.0, ..Fabric::named("muslin").unwrap() }
}

fn vector(random: &mut Random, size: f64) -> Vec3 {
    Vec3::new(random.between(-size, size), random.between(-size, size), random.between(-size, size))
}

fn sheet(size: [f64; 2], vertices: [usize; 2], layout: Layout) -> (Sheet, Springs) {
    let diagonals = match layout {
        Layout::Grid { .. } => Diagonals::Alternating,
        Layout::Mesh => Diagonals::Irregular(4),
    };
    let sheet = Sheet::grid(size, vertices, diagonals).unwrap();
    let springs = springs(&sheet.mesh, &fabric(), layout);
    (sheet, springs)
}

/// Forces of all springs, elastic ones and damping.
fn forces(springs: &Springs, x: &[Vec3], v: &[Vec3]) -> Vec<Vec3> {
    let mut out = vec![Vec3::ZERO; x.len()];
    for s in &springs.axial {
        let [a, b] = s.vertices.map(|v| v as usize);
        let (f, unit) = force(s, [x[a], x[b]]);
        let total = f - unit * (s.damping * unit.dot(v[b] - v[a]));
        out[b] += total;
        out[a] -= total;
    }
    for s in &springs.bend {
        let at = s.vertices.map(|v| v as usize);
        let (f, along) = bend_force(s, at.map(|i| x[i]));
        let total = f - along * (s.damping * along.dot(combine(s, at.map(|i| v[i]))));
        at.iter().zip(s.weights).for_each(|(&i, w)| out[i] += total * w);
    }
    out
}

const LAYOUTS: [Layout; 2] = [Layout::Grid { vertices: [5, 4] }, Layout::Mesh];

#[test]
fn v1_spring_forces_are_minus_the_gradient_of_their_energy() {
    let mut random = Random::new(3);
    for layout in LAYOUTS {
        let (sheet, springs) = sheet([0.4, 0.3], [5, 4], layout);
        let cloth = Cloth::new(&sheet.mesh, &fabric(), &Maps::default()).unwrap();
        let cloth = cloth.with_springs(springs);
        let x: Vec<Vec3> = sheet.positions.iter().map(|p| *p + vector(&mut random, 0.03)).collect();
        let still = vec![Vec3::ZERO; x.len()];
        let f = forces(&cloth.springs, &x, &still);
        let scale = f.iter().map(|f| f.length()).fold(0.0, f64::max);
        let total = |x: &[Vec3]| {
            let e = spring_energy(&cloth, x);
            e.membrane + e.bend
        };
        for i in 0..x.len() {
            for axis in 0..3 {
                let (mut low, mut high) = (x.clone(), x.clone());
                low[i][axis] -= 1e-6;
                high[i][axis] += 1e-6;
                let slope = (total(&high) - total(&low)) / 2e-6;
                assert!((f[i][axis] + slope).abs() < 1e-6 * scale);
            }
        }
    }
}

#[test]
fn v2_springs_keep_momentum_and_leave_rigid_motion_alone() {
    let mut random = Random::new(5);
    for layout in LAYOUTS {
        let (sheet, springs) = sheet([0.4, 0.3], [5, 4], layout);
        let x: Vec<Vec3> = sheet.positions.iter().map(|p| *p + vector(&mut random, 0.03)).collect();
        let v: Vec<Vec3> = x.iter().map(|_| vector(&mut random, 1.0)).collect();
        let f = forces(&springs, &x, &v);
        let size: f64 = f.iter().map(|f| f.length()).sum();
        let force: Vec3 = f.iter().sum();
        let torque: Vec3 = x.iter().zip(&f).map(|(x, f)| x.cross(*f)).sum();
        assert!(size > 1.0 && force.length() < 1e-12 * size && torque.length() < 1e-12 * size);
        // Turning damps nothing, however bent the sheet is.
        let spin: Vec<Vec3> = x.iter().map(|x| Vec3::new(3.0, 1.0, -2.0).cross(*x)).collect();
        let still = vec![Vec3::ZERO; x.len()];
        let (turning, resting) = (forces(&springs, &x, &spin), forces(&springs, &x, &still));
        let difference = turning.iter().zip(&resting).map(|(a, b)| (*a - *b).length());
        assert!(difference.fold(0.0, f64::max) < 1e-11 * size);
        let turn = Quat::from_scaled_axis(Vec3::new(0.3, -1.0, 2.0));
        let moved: Vec<Vec3> = sheet.positions.iter().map(|p| turn * *p + Vec3::ONE).collect();
        let largest = forces(&springs, &moved, &spin.iter().map(|_| Vec3::X).collect::<Vec<_>>())
            .iter()
            .map(|f| f.length())
            .fold(0.0, f64::max);
        assert!(largest < 1e-9, "{largest} N at rest");
    }
}

/// Energy per area of a sheet deformed by `at`.
fn energy_density(
    springs: &Springs,
    sheet: &Sheet,
    area: f64,
    at: impl Fn(Vec3) -> Vec3,
) -> [f64; 2] {
    let x: Vec<Vec3> = sheet.positions.iter().map(|p| at(*p)).collect();
    let axial = springs.axial.iter().map(|s| energy(s, s.vertices.map(|v| x[v as usize])));
    let bend = springs.bend.iter().map(|s| bend_energy(s, s.vertices.map(|v| x[v as usize])));
    [axial.sum::<f64>() / area, bend.sum::<f64>() / area]
}

/// What a grid of springs is as a sheet, whatever the shape of its cells: `½ K_u ε²` when the sides may
/// narrow, `½ G γ²` in shear. Strains of 10⁻⁵: the next order is that small.
#[test]
fn v4_grid_springs_are_the_fabric() {
    for vertices in [[21, 21], [31, 21], [21, 25]] {
        let (sheet, springs) = sheet([1.0, 1.0], vertices, Layout::Grid { vertices });
        let (fabric, e) = (fabric(), 1e-5);
        let narrowing = |n: f64| {
            let at = |p: Vec3| Vec3::new(p.x * (1.0 + e), p.y * (1.0 - n * e), 0.0);
            energy_density(&springs, &sheet, 1.0, at)[0]
        };
        // The narrowing that costs least: the energy is a parabola in it.
        let (a, b, c) = (narrowing(0.0), narrowing(0.5), narrowing(1.0));
        let (curve, slope) = (2.0 * (a + c) - 4.0 * b, 4.0 * b - 3.0 * a - c);
        let least = a - slope * slope / (4.0 * curve);
        let stiffness = 2.0 * least / (e * e);
        assert!((stiffness / fabric.stretch[0] - 1.0).abs() < 1e-3, "{vertices:?}: {stiffness}");
        let sheared = |p: Vec3| Vec3::new(p.x + e * p.y, p.y, 0.0);
        let shear = 2.0 * energy_density(&springs, &sheet, 1.0, sheared)[0] / (e * e);
        assert!((shear / fabric.shear - 1.0).abs() < 1e-3, "{vertices:?}: {shear}");
    }
}

/// Bent over a cylinder of curvature κ along u, all stabilising springs together store `½ D_u κ²` per area. On
/// a grid only borders differ, which have no chord over them: one cell in 40 at each end.
#[test]
fn v4_bend_springs_are_the_rigidity() {
    let vertices = [81, 21];
    let (sheet, springs) = sheet([1.0, 0.25], vertices, Layout::Grid { vertices });
    let (kappa, rigidity) = (0.3, fabric().bending[0]);
    let roll = |p: Vec3| {
        let (sin, cos) = (kappa * p.x).sin_cos();
        Vec3::new(sin / kappa, p.y, (1.0 - cos) / kappa)
    };
    let found = energy_density(&springs, &sheet, 0.25, roll)[1];
    let exact = 0.5 * rigidity * kappa * kappa * 79.0 / 80.0;
    assert!((found / exact - 1.0).abs() < 1e-3, "{found} of {exact}");
}

/// One pair of triangles: the stabilising spring stores `½ k_e θ²`.
#[test]
fn v1_mesh_bend_spring_is_the_hinge_at_small_angles() {
    let (sheet, springs) = sheet([0.4, 0.3], [5, 4], Layout::Mesh);
    let cloth = Cloth::new(&sheet.mesh, &fabric(), &Maps::default()).unwrap();
    assert_eq!(springs.bend.len(), cloth.hinges.len());
    for (spring, hinge) in springs.bend.iter().zip(&cloth.hinges) {
        let x = hinge.vertices.map(|v| sheet.positions[v as usize]);
        let theta = 1e-3;
        let axis = (x[3] - x[2]).normalize_or_zero();
        let mut bent = x;
        bent[1] = x[2] + Quat::from_axis_angle(axis, theta) * (x[1] - x[2]);
        let found = bend_energy(spring, bent);
        let expected = 0.5 * hinge.stiffness * theta * theta;
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} is not {expected}");
    }
}
