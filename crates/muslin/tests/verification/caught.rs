//! R1: cloth that bodies leave no room for is let through them, flagged, and caught again; cloth that
//! starts out crossing is left out pair by pair until it has separated.

use crate::common::{cloth, grid};
use muslin::body::{Body, BodyMotion, Shape, shape};
use muslin::cloth::Cloth;
use muslin::fabric::Fabric;
use muslin::judge;
use muslin::math::{Quat, Vec3};
use muslin::mesh::Diagonals;
use muslin::motion::{Motion, Pose};
use muslin::pin::Pin;
use muslin::sim::{Params, Simulation, State, StepSizes};

const STEPS: StepSizes = StepSizes {
    largest: 0.01,
    smallest: 1e-5,
    max_stretch_change: f64::INFINITY,
    collision_halvings: 0,
};

/// A block that closes in on the plane x = 0 from one side, goes 5 mm beyond, and comes back.
fn jaw(side: f64) -> Body {
    let place = move |t: f64| {
        let gap = 0.05 * (1.0 - 1.1 * (std::f64::consts::PI * t).sin());
        Pose::at(Vec3::new(side * (0.1 + gap), 0.0, -0.2))
    };
    Body {
        shape: Shape::Mesh,
        mesh: shape::cuboid(Vec3::new(0.2, 0.1, 0.1)),
        motion: BodyMotion::Rigid(Motion::moving(place)),
        friction: None,
    }
}

#[test]
fn r1_cloth_between_closing_bodies_is_flagged_and_survives() {
    let fabric = Fabric::named("cotton poplin").unwrap();
    let sheet = grid([0.3, 0.3], [16, 16], Diagonals::Alternating);
    let turn = Quat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let x: Vec<Vec3> = sheet.positions.iter().map(|p| turn * *p - Vec3::Z * 0.15).collect();
    let top = x.iter().map(|x| x.z).fold(f64::MIN, f64::max);
    let held = x.iter().enumerate().filter(|(_, x)| x.z > top - 1e-9);
    let pins = held.map(|(i, _)| Pin::fixed(i as u32)).collect();
    let still = vec![Vec3::ZERO; x.len()];
    let bodies = vec![jaw(-1.0), jaw(1.0)];
    let made = cloth(&sheet, &fabric);
    let mut simulation =
        Simulation::new(made, bodies, pins, State::new(x, still), Params::default());
    let (mut most, mut fastest) = (0, 0.0_f64);
    while simulation.state.time < 1.0 {
        let report = simulation.advance_once(1.0, &STEPS).unwrap();
        most = most.max(report.contact.pinched);
        let State { x, v, loose, time, .. } = &simulation.state;
        fastest = v.iter().map(|v| v.length()).fold(fastest, f64::max);
        let triangles = &simulation.cloth.triangles;
        assert_eq!(judge::intersecting_pairs(x, triangles), [], "cloth and cloth at t = {time} s");
        for body in &simulation.bodies {
            let mut surface = Vec::new();
            body.append_positions(*time, &mut surface);
            for (t, _) in judge::crossing_pairs(x, triangles, &surface, &body.mesh.triangles) {
                let corners = triangles[t as usize];
                let flagged = corners.iter().any(|v| loose.pinched.binary_search(v).is_ok());
                assert!(flagged, "triangle {t} crosses a body unflagged at t = {time} s");
            }
        }
    }
    println!("at most {most} vertices pinched, fastest {fastest:.2} m/s");
    assert!(most > 0, "the jaws overlap");
    assert_eq!(simulation.state.loose.counts(), (0, 0), "free again when the jaws have opened");
    // The jaws move at 0.17 m/s; nothing explodes.
    assert!(fastest < 2.0, "{fastest} m/s");
}

#[test]
fn r1_cloth_that_starts_out_crossing_is_left_out_until_it_separates() {
    let fabric = Fabric::named("cotton poplin").unwrap();
    let sheet = grid([0.2, 0.2], [11, 11], Diagonals::Alternating);
    let made = cloth(&sheet, &fabric);
    let made = Cloth::join(&[&made, &made]);
    // The second sheet stands on end and cuts into the rim of the first, which it is drawn away from.
    let turn = Quat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let mut x = sheet.positions.clone();
    x.extend(sheet.positions.iter().map(|p| turn * *p + Vec3::new(0.093, 0.003, 0.004)));
    let mut v = vec![Vec3::ZERO; 121];
    v.resize(242, Vec3::X);
    let mut simulation = Simulation::new(made, vec![], vec![], State::new(x, v), Params::default());
    simulation.leave_out_crossings();
    let start = simulation.state.loose.tangled.len();
    assert!(start >= 10, "{start} pairs cross at the start");
    for step in 1..=10 {
        simulation.advance_once(0.01 * f64::from(step), &STEPS).unwrap();
        let State { x, loose, .. } = &simulation.state;
        let triangles = &simulation.cloth.triangles;
        let found = judge::intersecting_pairs(x, triangles);
        for (a, b) in &found {
            let pair = [triangles[*a as usize], triangles[*b as usize]];
            assert!(loose.tangled.binary_search(&pair).is_ok(), "a new crossing, {a} and {b}");
        }
        assert_eq!(found.len(), loose.tangled.len(), "every crossing is in the ledger");
    }
    assert_eq!(simulation.state.loose.counts(), (0, 0), "the sheets have separated");
}
