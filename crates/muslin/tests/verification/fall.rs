//! Free fall, and fall through air (V9).

use crate::common::{G, at_rest, bare, cloth, grid, limp, relative_error};
use muslin::fabric::Fabric;
use muslin::force::air::Air;
use muslin::integrate::implicit::Rule;
use muslin::math::{Quat, Vec3};
use muslin::mesh::Diagonals;
use muslin::sim::{Forecast, Params, Simulation, State, Weather};
use std::f64::consts::FRAC_PI_2;

/// TR-BDF2 is exact for `x₀ + v₀t − ½gt²` whatever the step: only rounding is allowed, which the fall
/// of 5 m and a stiffness of 10⁴ N/m amplify to at most 10⁻¹¹ m.
#[test]
fn free_fall_does_not_depend_on_the_step() {
    let fabric = Fabric { shear: 50.0, bending: [1e-5; 2], ..limp(1e4) };
    let sheet = grid([0.5, 0.5], [9, 9], Diagonals::Alternating);
    let (v0, end) = (Vec3::new(1.0, -2.0, 3.0), 1.0);
    let fallen = v0 * end - Vec3::Z * (0.5 * G * end * end);
    for steps in [2, 24, 240] {
        let start = State::new(sheet.positions.clone(), vec![v0; sheet.positions.len()]);
        let params = bare(Rule::TrBdf2, 1e-3);
        let mut simulation = Simulation::new(cloth(&sheet, &fabric), vec![], vec![], start, params);
        for _ in 0..steps {
            simulation.step(end / f64::from(steps)).unwrap();
        }
        let error = simulation
            .state
            .x
            .iter()
            .zip(&sheet.positions)
            .map(|(x, x0)| x.distance(*x0 + fallen))
            .fold(0.0, f64::max);
        println!("free fall in {steps} steps: error {error:.2e} m");
        assert!(error < 1e-11, "{steps} steps: {error:e} m");
    }
}

/// A flat sheet falls as `v = v_t tanh(gt/v_t)`, `v_t² = 2ρ_s g/(ρ c)`: across the stream with the normal
/// coefficient, edge on with the tangential one. Tolerance: `2(g Δt/v_t)²` = 5·10⁻³ for the transient; the
/// terminal speed itself is a fixed point of the rule.
#[test]
fn v9_a_falling_sheet_follows_the_drag_law() {
    let fabric = Fabric { shear: 50.0, bending: [1e-5; 2], ..limp(1e4) };
    let sheet = grid([0.3, 0.3], [7, 7], Diagonals::Alternating);
    let air = Air::default();
    let cases = [(0.0, air.normal, "flat"), (FRAC_PI_2, air.tangential, "edge on")];
    for (angle, coefficient, name) in cases {
        let terminal = (2.0 * fabric.density * G / (air.density * coefficient)).sqrt();
        let turn = Quat::from_rotation_x(angle);
        let x = sheet.positions.iter().map(|p| turn * *p).collect();
        let weather =
            Weather { gravity: Vec3::new(0.0, 0.0, -G), air: Some(air), winds: Vec::new() };
        let params = Params { forecast: Forecast::Constant(weather), ..bare(Rule::TrBdf2, 1e-9) };
        let mut simulation =
            Simulation::new(cloth(&sheet, &fabric), vec![], vec![], at_rest(x), params);
        let time = terminal / G;
        let speed = |simulation: &Simulation| {
            let v = &simulation.state.v;
            -v.iter().map(|v| v.z).sum::<f64>() / v.len() as f64
        };
        for _ in 0..20 {
            simulation.step(time / 20.0).unwrap();
        }
        let transient = relative_error(speed(&simulation), terminal * 1f64.tanh());
        println!("drag, {name}: error of the transient {transient:.1e}");
        assert!(transient < 5e-3, "{name}: {transient:e}");
        if name == "edge on" {
            // Falling edge on is unstable: what comes later is flutter.
            continue;
        }
        for _ in 0..180 {
            simulation.step(time / 20.0).unwrap();
        }
        let error = relative_error(speed(&simulation), terminal);
        println!("drag, {name}: terminal speed {terminal:.3} m/s, error {error:.1e}");
        assert!(error < 1e-6, "{name}: {error:e}");
    }
}
