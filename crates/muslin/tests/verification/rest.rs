//! At rest means at rest (V16): piles of cloth whose layers press on each other, with the fabric's damping alone.

use crate::common::{at_rest, cloth, grid, vacuum};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape};
use muslin::fabric::Fabric;
use muslin::math::{Quat, Vec3};
use muslin::mesh::Diagonals;
use muslin::motion::Motion;
use muslin::sim::{Params, Simulation};

const DT: f64 = 1.0 / 96.0;

/// A ribbon that stands upright and falls down on the ground in folds.
fn ribbon() -> Simulation {
    let ground = Body {
        shape: Shape::Plane(Vec3::Z),
        mesh: BodyMesh::default(),
        motion: BodyMotion::Rigid(Motion::default()),
        friction: Some([0.5; 2]),
    };
    let sheet = grid([0.6, 0.08], [49, 7], Diagonals::Alternating);
    let turn = Quat::from_rotation_y(-1.55);
    let x = sheet.positions.iter().map(|p| turn * *p + Vec3::new(0.0, 0.0, 0.32)).collect();
    let params = Params { forecast: vacuum(), ..Params::default() };
    let made = cloth(&sheet, &Fabric::named("cotton poplin").unwrap());
    Simulation::new(made, vec![ground], vec![], at_rest(x), params)
}

/// Once its folds lie on each other, kinetic energy stays below 1e-6 of its peak; the bound is a tenth of that, because
/// without the loads that pairs carry from step to step it is 3e-7 here, and more where more presses.
#[test]
fn v16_a_folded_ribbon_comes_to_rest() {
    let mut simulation = ribbon();
    let (mut peak, mut late, mut pairs) = (0.0_f64, 0.0_f64, 0);
    for step in 0..6 * 96 {
        let report = simulation.step(DT).unwrap();
        let kinetic = simulation.energy().kinetic;
        peak = peak.max(kinetic);
        if step >= 4 * 96 {
            late = late.max(kinetic);
            pairs = report.pair_forces.len();
        }
    }
    println!("{:.1e} of the peak, {pairs} pairs of the cloth press on each other", late / peak);
    assert!(pairs > 50, "only {pairs} pairs: this tests nothing");
    assert!(late < 1e-7 * peak, "{:.1e} of the peak", late / peak);
}
