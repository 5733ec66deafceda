//! V4: what does and what does not depend on the mesh.

use crate::common::{at_rest, bare, cloth, fixed, grid, limp, relative_error, settle};
use muslin::fabric::Fabric;
use muslin::integrate::implicit::Rule;
use muslin::math::Vec3;
use muslin::mesh::{Diagonals, Sheet};
use muslin::sim::Simulation;

const KINDS: [Diagonals; 3] = [Diagonals::Regular, Diagonals::Alternating, Diagonals::Irregular(7)];

/// Lets a sheet settle with the vertices held that `is_held` chooses.
fn settled(sheet: &Sheet, fabric: &Fabric, is_held: impl Fn(&Vec3) -> bool) -> Simulation {
    let held = sheet.positions.iter().enumerate().filter(|(_, p)| is_held(p));
    let pins = fixed(held.map(|(i, _)| i));
    let start = at_rest(sheet.positions.clone());
    let params = bare(Rule::BackwardEuler, 1e-6);
    let mut simulation = Simulation::new(cloth(sheet, fabric), vec![], pins, start, params);
    settle(&mut simulation, 0.04, 1e-4, 2000);
    simulation
}

/// A square held along two opposite edges sags as a membrane: its deepest point, ± 1 % across
/// refinement and kinds of mesh. Reference: the finest structured mesh.
#[test]
fn v4_membrane_sag_does_not_depend_on_the_mesh() {
    let fabric = Fabric { shear: 20.0, ..limp(100.0) };
    let sag = |cells: usize, kind: Diagonals| {
        let sheet = grid([0.5, 0.5], [cells + 1; 2], kind);
        let simulation = settled(&sheet, &fabric, |p| p.x.abs() > 0.2499);
        -simulation.state.x.iter().map(|x| x.z).fold(0.0, f64::min)
    };
    let reference = sag(32, Diagonals::Alternating);
    for kind in KINDS {
        for cells in [12, 24] {
            let found = sag(cells, kind);
            println!("{kind:?}, {cells}²: sag {found:.5} m, reference {reference:.5} m");
            assert!(relative_error(found, reference) < 0.01, "{kind:?}, {cells}: {found}");
        }
    }
}
