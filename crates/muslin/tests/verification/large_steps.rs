//! What the implicit engine does as its paper prints it: area scaling (BW3).

use crate::common::{G, at_rest, bare, cloth, fixed, grid, limp, relative_error, settle};
use muslin::fabric::Fabric;
use muslin::force::elastic_energy;
use muslin::integrate::implicit::Rule;
use muslin::math::Vec3;
use muslin::mesh::Diagonals;
use muslin::sim::Simulation;

/// BW3: at the same strain, the energy of a triangle grows as `a²` where conditions are scaled by the
/// area as printed, as `a` where by its root; and is the same at 1 cm².
#[test]
fn bw3_literal_energy_grows_with_the_square_of_the_area() {
    let energies = |cell: f64| {
        let sheet = grid([cell, cell], [2, 2], Diagonals::Alternating);
        let x: Vec<Vec3> = sheet.positions.iter().map(|p| *p * 1.1).collect();
        let made = cloth(&sheet, &Fabric { shear: 30.0, ..limp(100.0) });
        let usual = elastic_energy(&made, &x).membrane;
        [usual, elastic_energy(&made.with_literal_areas(), &x).membrane]
    };
    // A cell is two triangles of 1 cm².
    let side = 2e-4_f64.sqrt();
    let [usual, literal] = energies(side);
    assert!(relative_error(literal, usual) < 1e-12);
    // ½ k a (0.1² + 0.1²) in each; the shear condition is zero.
    assert!(relative_error(usual, 100.0 * 2e-4 * 0.01) < 1e-12);
    for times in [0.5, 3.0] {
        let [larger_usual, larger_literal] = energies(times * side);
        let area: f64 = times * times;
        assert!(relative_error(larger_usual / usual, area) < 1e-9);
        assert!(relative_error(larger_literal / literal, area * area) < 1e-9);
    }
}

/// BW3, V6: a hung strip gets longer by `ρgL²/2k`, whatever the mesh; with the printed scaling a mesh of
/// cells half as long, a quarter of the area, hangs down four times as far. Tolerance 1 %: at rest to
/// 10⁻⁶ m/s, and the mean over the width is exact only for small strains.
#[test]
fn bw3_literal_sag_depends_on_the_mesh() {
    let length = 0.4;
    let sag = |cells: usize, literal: bool| {
        let fabric = Fabric { shear: 200.0, ..limp(400.0) };
        let sheet = grid([0.5 * length, length], [cells / 2 + 1, cells + 1], Diagonals::Alternating);
        let columns = cells / 2 + 1;
        let upright = sheet.positions.iter().map(|p| Vec3::new(p.x, 0.0, p.y));
        let start: Vec<Vec3> = upright.collect();
        let top = start[columns * cells].z;
        let made = cloth(&sheet, &fabric);
        let made = if literal { made.with_literal_areas() } else { made };
        let pins = fixed(columns * cells..columns * (cells + 1));
        let params = bare(Rule::BackwardEuler, 1e-8);
        let mut simulation = Simulation::new(made, vec![], pins, at_rest(start), params);
        settle(&mut simulation, 0.04, 1e-6, 1000);
        // The mean over the width: a border column has half a cell.
        let bottom = &simulation.state.x[..columns];
        let ends = 0.5 * (bottom[0].z + bottom[columns - 1].z);
        let mean = (bottom.iter().map(|x| x.z).sum::<f64>() - ends) / (columns - 1) as f64;
        top - mean - length
    };
    let expected = |k: f64| 0.2 * G * length * length / (2.0 * k);
    for cells in [8, 16] {
        let usual = sag(cells, false);
        let area = 0.5 * (length / cells as f64).powi(2);
        let literal = sag(cells, true);
        println!("{cells} cells: sag {usual:.3e} m, literal {literal:.3e} m");
        assert!(relative_error(usual, expected(400.0)) < 0.01, "{usual}");
        assert!(relative_error(literal, expected(400.0 * area / 1e-4)) < 0.01, "{literal}");
    }
}
