//! Sheets at rest under their own weight: bent (V5), hung (V6), spanned (V14).

use crate::common::{G, at_rest, bare, cloth, fixed, grid, limp, relative_error, settle};
use muslin::cloth::{Cloth, Maps};
use muslin::fabric::Fabric;
use muslin::force::hinge::BendForm;
use muslin::integrate::implicit::Rule;
use muslin::math::Vec3;
use muslin::mesh::{Diagonals, Sheet};
use muslin::sim::Simulation;

/// Drop and reach, in lengths, of the heavy elastica `θ'' = −Γ(1−s) cos θ`, `θ(0) = 0`, `θ'(1) = 0`:
/// shooting from the free end, where `σ = 1 − s`, `θ_σσ = −Γσ cos θ`, with the tip angle that reaches
/// `θ = 0` at the clamp.
fn elastica(gamma: f64) -> [f64; 2] {
    let shoot = |tip: f64| {
        let steps = 2000;
        let h = 1.0 / f64::from(steps);
        // Angle, its derivative, drop and reach.
        let rate = |s: f64, y: [f64; 4]| [y[1], -gamma * s * y[0].cos(), y[0].sin(), y[0].cos()];
        let mut y = [tip, 0.0, 0.0, 0.0];
        for k in 0..steps {
            let s = f64::from(k) * h;
            let ahead = |d: [f64; 4], f: f64| std::array::from_fn(|i| y[i] + f * h * d[i]);
            let k1 = rate(s, y);
            let k2 = rate(s + 0.5 * h, ahead(k1, 0.5));
            let k3 = rate(s + 0.5 * h, ahead(k2, 0.5));
            let k4 = rate(s + h, ahead(k3, 1.0));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        }
        y
    };
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if shoot(middle)[0] < 0.0 { low = middle } else { high = middle }
    }
    let [_, _, drop, reach] = shoot(0.5 * (low + high));
    [drop, reach]
}

/// A strip along x of `cells` free cells and one clamped one, whose hinge on the clamp line governs half
/// a cell and so counts double. Only hinges across the strip bend: the others are painted so stiff that it
/// stays a cylinder, for what a lone hinge means is asked here, and not how a mesh of them relaxes (V4).
fn cantilever(length: f64, cells: usize, fabric: &Fabric) -> (Sheet, Cloth) {
    let cell = length / cells as f64;
    let sheet = grid([length + cell, 2.0 * cell], [cells + 2, 3], Diagonals::Alternating);
    let columns = cells as u32 + 2;
    let on_clamp_line = |v: u32| v % columns == 1;
    let bending = sheet.mesh.topology().hinges().iter().map(|hinge| {
        let [a, b] = [hinge.vertices[2], hinge.vertices[3]];
        let times = match a % columns == b % columns {
            true if on_clamp_line(a) => 2.0,
            true => 1.0,
            false => 1000.0,
        };
        fabric.bending.map(|d| times * d)
    });
    let maps = Maps { bending: bending.collect(), ..Maps::default() };
    let cloth = Cloth::new(&sheet.mesh, fabric, &maps).unwrap();
    (sheet, cloth)
}

/// Drop ÷ reach of the tip, as measured.
fn sagging_strip(gamma: f64, cells: usize, form: BendForm) -> f64 {
    let length: f64 = 0.2;
    let mut fabric = limp(2000.0);
    fabric.bending = [fabric.density * G * length.powi(3) / gamma; 2];
    let (sheet, cloth) = cantilever(length, cells, &fabric);
    let columns = cells + 2;
    let pins = fixed((0..3).flat_map(|row| [row * columns, row * columns + 1]));
    let start = at_rest(sheet.positions.clone());
    let params = bare(Rule::BackwardEuler, 1e-8);
    let cloth = cloth.with_bend_form(form);
    let mut simulation = Simulation::new(cloth, vec![], pins, start, params);
    settle(&mut simulation, 0.04, 1e-5, 2000);
    let (root, tip) = (sheet.positions[columns + 1], simulation.state.x[2 * columns - 1]);
    (root.z - tip.z) / (tip.x - root.x)
}

/// V5, which fixes what a bending rigidity means. 40 cells; the reference values are those of the shooting
/// above, which must agree with the published ones to their last digit.
#[test]
fn v5_heavy_cantilever_is_the_elastica() {
    let ratio = |gamma: f64| {
        let [drop, reach] = elastica(gamma);
        drop / reach
    };
    for (gamma, published) in [(1.0, 0.1246), (10.0, 1.0668), (100.0, 5.888)] {
        assert!(relative_error(ratio(gamma), published) < 5e-4, "{}", ratio(gamma));
    }
    // The element of MF4, whose constant is 4D, where angles are small and where they are largest.
    for gamma in [1.0, 10.0, 100.0] {
        let (found, exact) = (sagging_strip(gamma, 40, BendForm::HalfSine), ratio(gamma));
        println!("MF4, Γ = {gamma}: drop ÷ reach {found:.4}, elastica {exact:.4}");
        assert!(relative_error(found, exact) < 0.02, "MF4, Γ = {gamma}: {found} not {exact}");
    }
    for gamma in [0.1, 1.0, 3.0, 10.0, 30.0, 100.0] {
        let (found, exact) = (sagging_strip(gamma, 40, BendForm::Angle), ratio(gamma));
        println!("Γ = {gamma}: drop ÷ reach {found:.4}, elastica {exact:.4}");
        assert!(relative_error(found, exact) < 0.02, "Γ = {gamma}: {found} not {exact}");
    }
}

/// V6: strain = weight below ÷ (width × stiffness), at every height; and the pins carry the whole weight
/// (BW9). Tolerance 1 %: the strip is at rest to 10⁻⁶ m/s.
#[test]
fn v6_hung_strip_stretches_by_the_weight_below() {
    let (width, length, columns, rows) = (0.2, 1.0, 5, 21);
    let fabric = Fabric { shear: 20.0, ..limp(80.0) };
    let sheet = grid([width, length], [columns, rows], Diagonals::Alternating);
    let turn = |p: &Vec3| Vec3::new(p.x, 0.0, p.y);
    let start = at_rest(sheet.positions.iter().map(turn).collect());
    let pins = fixed(columns * (rows - 1)..columns * rows);
    let params = bare(Rule::BackwardEuler, 1e-8);
    let mut simulation = Simulation::new(cloth(&sheet, &fabric), vec![], pins, start, params);
    settle(&mut simulation, 0.04, 1e-6, 1000);
    // The mean over the width: a border column has half a cell.
    let height = |row: usize| {
        let row = &simulation.state.x[columns * row..columns * (row + 1)];
        let ends = 0.5 * (row[0].z + row[columns - 1].z);
        (row.iter().map(|x| x.z).sum::<f64>() - ends) / (columns - 1) as f64
    };
    let cell = length / (rows - 1) as f64;
    let mut worst: f64 = 0.0;
    for row in 0..rows - 1 {
        let strain = (height(row + 1) - height(row)) / cell - 1.0;
        let below = (row as f64 + 0.5) * cell * width * fabric.density * G;
        worst = worst.max(relative_error(strain, below / (width * fabric.stretch[1])));
    }
    println!("hung strip: largest error of the strain {worst:.2e}");
    assert!(worst < 0.01, "{worst}");
    let report = simulation.step(0.04).unwrap();
    let carried: Vec3 = report.pin_forces.iter().map(|(_, force)| *force).sum();
    let weight = simulation.cloth.total_mass() * G;
    println!("pins carry {carried} N of {weight} N");
    // What hangs on the pins: the whole weight, their own vertices included.
    assert!((carried - Vec3::Z * weight).length() < 1e-3 * weight, "{carried} of {weight}");
}

/// V14: a limp sheet between two held edges hangs as a catenary, `L/S = sinh u/u`,
/// `sag/S = (cosh u − 1)/2u`. It starts as a V. 40 cells leave 0.05 %, the stretch below 0.2 %.
#[test]
fn v14_limp_sheet_hangs_as_a_catenary() {
    for (ratio, published) in [(1.1, 0.2003), (1.2, 0.2923), (1.5, 0.5026)] {
        let (mut low, mut high) = (1e-3, 5.0);
        for _ in 0..60 {
            let u: f64 = 0.5 * (low + high);
            if u.sinh() / u < ratio { low = u } else { high = u }
        }
        let exact = (f64::cosh(low) - 1.0) / (2.0 * low);
        assert!(relative_error(exact, published) < 5e-4);
        let (columns, rows) = (3, 41);
        let sheet = grid([0.1, ratio], [columns, rows], Diagonals::Alternating);
        let slope = (1.0 / ratio).acos();
        let start = sheet.positions.iter().map(|p| {
            let drop = (p.y.abs() - 0.5 * ratio) * slope.sin();
            Vec3::new(p.x, p.y * slope.cos(), drop)
        });
        let pins = fixed((0..columns).chain(columns * (rows - 1)..columns * rows));
        let params = bare(Rule::BackwardEuler, 1e-8);
        let start = at_rest(start.collect());
        let made = cloth(&sheet, &limp(2e4));
        let mut simulation = Simulation::new(made, vec![], pins, start, params);
        settle(&mut simulation, 0.05, 1e-5, 2000);
        let sag = -simulation.state.x.iter().map(|x| x.z).fold(0.0, f64::min);
        println!("catenary {ratio}: sag {sag:.4}, exact {exact:.4}");
        assert!(relative_error(sag, exact) < 0.01, "{ratio}: {sag} not {exact}");
    }
}
