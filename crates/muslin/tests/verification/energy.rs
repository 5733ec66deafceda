//! What contact does to the energy of free cloth: impulses, friction and zones only take it; thickness springs
//! give back what they say (BF7, BF8, BF9, BF11).

use crate::common::{cloth, grid};
use muslin::cloth::Cloth;
use muslin::fabric::Fabric;
use muslin::judge;
use muslin::math::Vec3;
use muslin::mesh::Diagonals;
use muslin::sim::{Forecast, Params, Simulation, State, StepSizes, Weather};

/// Two squares that fly at each other, turned and aslant, without gravity, air, bodies or pins.
fn collision(speed: f64, strain_limit: f64) -> Simulation {
    let fabric = Fabric { strain_limit, ..Fabric::named("cotton poplin").unwrap() };
    let sheet = grid([0.3, 0.3], [13, 13], Diagonals::Alternating);
    let half = cloth(&sheet, &fabric);
    let (mut x, mut v) = (Vec::new(), Vec::new());
    for (side, turn) in [(1.0, 0.1), (-1.0, 0.7)] {
        let place = |p: &Vec3| {
            let (sine, cosine) = f64::sin_cos(turn);
            let flat = Vec3::new(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y, 0.0);
            flat + Vec3::Z * (side * 0.05 + 0.1 * side * flat.x)
        };
        x.extend(sheet.positions.iter().map(place));
        v.extend(vec![Vec3::new(0.3 * side, 0.0, -side) * speed; sheet.positions.len()]);
    }
    let weather = Weather { gravity: Vec3::ZERO, air: None, winds: Vec::new() };
    let params = Params { forecast: Forecast::Constant(weather), ..Params::default() };
    let both = Cloth::join(&[&half, &half]);
    Simulation::new(both, vec![], vec![], State::new(x, v), params)
}

fn run(speed: f64, strain_limit: f64) -> [f64; 2] {
    let mut simulation = collision(speed, strain_limit);
    let sizes =
        StepSizes { largest: 0.01, smallest: 1e-6, max_stretch_change: 0.2, collision_halvings: 0 };
    let start = simulation.energy().total();
    let end = 0.3 / speed.max(1.0) + 0.1;
    let (mut taken, mut given) = (0.0, 0.0);
    while simulation.state.time < end {
        let report = simulation.advance_once(end, &sizes).unwrap();
        let contact = &report.contact;
        assert!(
            contact.energy_taken >= -1e-9 * start,
            "at {speed} m/s impulses gave {:.3e} of {start:.3e} J at t = {}",
            -contact.energy_taken,
            report.time
        );
        (taken, given) = (taken + contact.energy_taken, given + contact.spring_energy);
        let total = simulation.energy().total();
        let limits = if strain_limit.is_finite() { 0.02 * start } else { 1e-9 * start };
        assert!(
            total <= start + given.max(0.0) + limits,
            "{total} J of {start} J, {given} J given"
        );
    }
    let Simulation { cloth, state, .. } = &simulation;
    assert!(judge::intersecting_pairs(&state.x, &cloth.triangles).is_empty());
    [taken / start, given / start]
}

/// BF: at every step of a collision, slow and fast, with strain limits and without, impulses and friction take
/// energy and never give any; the total does not grow by more than thickness springs say they gave.
#[test]
fn bf7_impulses_never_raise_the_energy_of_free_cloth() {
    for speed in [1.0, 5.0, 25.0] {
        for strain_limit in [f64::INFINITY, 0.1] {
            let [taken, given] = run(speed, strain_limit);
            eprintln!("{speed} m/s, limit {strain_limit}: taken {taken:.3e}, given {given:.3e}");
            assert!(given < 0.05, "thickness springs gave {given} of all energy");
        }
    }
}

/// V2: free cloth that meets itself keeps its momentum, whatever impulses, friction, zones and strain limits did in a
/// step; without gravity, to the rounding of what was exchanged.
#[test]
fn v2_free_cloth_that_collides_keeps_its_momentum() {
    for speed in [1.0, 5.0, 25.0] {
        for strain_limit in [f64::INFINITY, 0.1] {
            let mut simulation = collision(speed, strain_limit);
            let momentum = |simulation: &Simulation, count: usize| -> Vec3 {
                let all = simulation.cloth.mass.iter().zip(&simulation.state.v);
                all.take(count).map(|(m, v)| *v * *m).sum()
            };
            let (half, all) = (simulation.state.x.len() / 2, simulation.state.x.len());
            let (start, start_half) = (momentum(&simulation, all), momentum(&simulation, half));
            let sizes = StepSizes {
                largest: 0.01,
                smallest: 1e-6,
                max_stretch_change: 0.2,
                collision_halvings: 0,
            };
            let end = 0.3 / speed.max(1.0) + 0.1;
            while simulation.state.time < end {
                simulation.advance_once(end, &sizes).unwrap();
            }
            let exchanged = momentum(&simulation, half).distance(start_half);
            assert!(exchanged > 0.5 * start_half.length(), "they hardly met");
            let lost = momentum(&simulation, all).distance(start) / exchanged;
            eprintln!(
                "{speed} m/s, limit {strain_limit}: {lost:.1e} of the exchanged momentum lost"
            );
            assert!(lost < 1e-9, "{lost:.1e} of the exchanged momentum lost at {speed} m/s");
        }
    }
}
