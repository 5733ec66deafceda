//! Constraints that hold whatever the solver does (BW9), and fabric that stiffens.

use crate::common::{G, at_rest, bare, fixed, grid, limp, relative_error, settle};
use muslin::cloth::{Cloth, Maps};
use muslin::fabric::{Fabric, StretchTable};
use muslin::integrate::implicit::Rule;
use muslin::linalg::Tolerance;
use muslin::math::{Quat, Vec3};
use muslin::mesh::Diagonals;
use muslin::motion::{Motion, Pose};
use muslin::pin::{Hold, Pin};
use muslin::sim::Simulation;

/// BW9: pinned points, lines and planes are where they must be to rounding after one conjugate-gradient
/// iteration as after a thousand, standing or moving, with both rules.
#[test]
fn bw9_constraints_are_exact_at_one_iteration_as_at_a_thousand() {
    let sheet = grid([0.4, 0.4], [7, 7], Diagonals::Alternating);
    let turn = |t: f64| Pose {
        rotation: Quat::from_rotation_z(2.0 * t),
        translation: Vec3::new(0.5 * t, 0.0, t * t),
    };
    let (line, plane) = (Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, 0.6, 0.8));
    for rule in [Rule::BackwardEuler, Rule::TrBdf2] {
        for iterations in [1, 1000] {
            let moving = Pin { motion: Motion::moving(turn), from: 0.0, ..Pin::fixed(0) };
            let pins = vec![
                moving.clone(),
                Pin { vertex: 6, hold: Hold::Line(line), ..moving.clone() },
                Pin { vertex: 42, hold: Hold::Plane(plane), ..moving },
                Pin::fixed(48),
            ];
            let mut params = bare(rule, 1e-12);
            params.tolerance = Tolerance { relative: 1e-12, max_iterations: iterations };
            let fabric = Fabric { shear: 20.0, ..limp(500.0) };
            let cloth = Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap();
            let start = at_rest(sheet.positions.clone());
            let mut simulation = Simulation::new(cloth, vec![], pins, start, params);
            for _ in 0..10 {
                simulation.step(0.02).unwrap();
            }
            let (x, end) = (&simulation.state.x, turn(simulation.state.time));
            let off = |v: usize| x[v] - end.apply(sheet.positions[v]);
            let wrong = [
                off(0).length(),
                (off(6) - line * off(6).dot(line)).length(),
                off(42).dot(plane).abs(),
                x[48].distance(sheet.positions[48]),
            ];
            assert!(wrong.iter().all(|w| *w < 1e-13), "{rule:?}, {iterations}: {wrong:?}");
        }
    }
}

/// V6 with a table: at every height of a hung strip, the table's tension at the strain found is the weight
/// below, over the width. Tolerance 1 %, as for the linear fabric.
#[test]
fn v6_a_hung_strip_that_stiffens_follows_its_table() {
    let (width, length, columns, rows) = (0.2, 1.0, 5, 21);
    let table = StretchTable::new(vec![[0.0, 0.0], [0.01, 0.2], [0.03, 1.2], [0.1, 20.0]]).unwrap();
    let fabric = Fabric { shear: 20.0, ..limp(80.0) };
    let sheet = grid([width, length], [columns, rows], Diagonals::Alternating);
    let tables = Some([table.clone(), table.clone()]);
    let cloth = Cloth::new(&sheet.mesh, &fabric, &Maps { tables, ..Maps::default() }).unwrap();
    let start = at_rest(sheet.positions.iter().map(|p| Vec3::new(p.x, 0.0, p.y)).collect());
    let pins = fixed(columns * (rows - 1)..columns * rows);
    let params = bare(Rule::BackwardEuler, 1e-8);
    let mut simulation = Simulation::new(cloth, vec![], pins, start, params);
    settle(&mut simulation, 0.04, 1e-6, 1000);
    let height = |row: usize| {
        let row = &simulation.state.x[columns * row..columns * (row + 1)];
        let ends = 0.5 * (row[0].z + row[columns - 1].z);
        (row.iter().map(|x| x.z).sum::<f64>() - ends) / (columns - 1) as f64
    };
    let cell = length / (rows - 1) as f64;
    let mut worst: f64 = 0.0;
    for row in 0..rows - 1 {
        let strain = (height(row + 1) - height(row)) / cell - 1.0;
        let below = (row as f64 + 0.5) * cell * fabric.density * G;
        worst = worst.max(relative_error(table.at(strain).0, below));
    }
    assert!(worst < 0.01, "{worst}");
    // Energy and forces agree: at rest the elastic energy is stationary against gravity's.
    let lifted = |by: f64| {
        let x: Vec<Vec3> =
            simulation.state.x.iter().map(|x| *x * Vec3::new(1.0, 1.0, 1.0 + by)).collect();
        let weight: f64 = simulation.cloth.mass.iter().zip(&x).map(|(m, x)| m * G * x.z).sum();
        muslin::force::elastic_energy(&simulation.cloth, &x).membrane + weight
    };
    // Scaling about z = 0 moves the held row too: its constraint force does the rest of the work.
    let held = simulation.cloth.total_mass() * G * simulation.state.x[columns * rows - 1].z;
    let slope = (lifted(1e-6) - lifted(-1e-6)) / 2e-6;
    assert!(relative_error(slope, held) < 0.01, "{slope} {held}");
}
