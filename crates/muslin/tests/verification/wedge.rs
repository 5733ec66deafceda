//! BW11: cloth between two bodies that meet at an angle is held on both inside the solve; the ladder has nothing to
//! correct.

use crate::common::{G, at_rest, bare, cloth, grid, limp};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape};
use muslin::contact::ContactParams;
use muslin::fabric::{Fabric, Relaxation};
use muslin::integrate::implicit::Rule;
use muslin::math::Vec3;
use muslin::mesh::Diagonals;
use muslin::motion::{Motion, Pose};
use muslin::report::StepReport;
use muslin::sim::{Forecast, Params, Simulation, Weather};

const DT: f64 = 1.0 / 120.0;

fn plane(normal: Vec3, motion: Motion) -> Body {
    Body {
        shape: Shape::Plane(normal),
        mesh: BodyMesh::default(),
        motion: BodyMotion::Rigid(motion),
        friction: None,
    }
}

/// A sheet without friction under `gravity` \[m/s²\], `x` where its vertices are, given those of the flat one and its
/// thickness \[m\].
fn among(
    bodies: Vec<Body>,
    gravity: Vec3,
    x: impl Fn(Vec3, f64) -> Vec3,
    vertices: [usize; 2],
) -> Simulation {
    let fabric = Fabric { shear: 100.0, bending: [1e-4; 2], ..limp(500.0) }
        .with_relaxation(Relaxation::STANDARD);
    let sheet = grid([0.1, 0.2], vertices, Diagonals::Alternating);
    let made = cloth(&sheet, &fabric);
    let x = sheet.positions.iter().map(|p| x(*p, made.thickness[0])).collect();
    let forecast = Forecast::Constant(Weather { gravity, air: None, winds: Vec::new() });
    let contact = Some(ContactParams { self_collision: false, ..ContactParams::default() });
    let params = Params { forecast, contact, ..bare(Rule::BackwardEuler, 1e-9) };
    Simulation::new(made, bodies, vec![], at_rest(x), params)
}

/// What bodies push it with \[N\].
fn contact_force(report: &StepReport) -> Vec3 {
    report.contact_forces.iter().map(|(_, force)| *force).sum()
}

/// A sheet folded into a groove of two slopes of 45°: its middle row lies on both, and both together carry its weight.
#[test]
fn bw11_the_bottom_of_a_groove_carries_from_both_sides() {
    let slopes = [1.0, -1.0]
        .map(|side| plane(Vec3::new(side, 0.0, 1.0).normalize_or_zero(), Motion::default()));
    let folded = |p: Vec3, thickness: f64| {
        let up = p.x.abs() * 0.5_f64.sqrt() + thickness * 2.0_f64.sqrt();
        Vec3::new(p.x * 0.5_f64.sqrt(), p.y, up)
    };
    let mut simulation = among(slopes.to_vec(), Vec3::Z * -G, folded, [3, 5]);
    let mut last = StepReport::default();
    for _ in 0..240 {
        last = simulation.step(DT).unwrap();
    }
    let weight = Vec3::Z * simulation.cloth.mass.iter().sum::<f64>() * G;
    let missed = (contact_force(&last) - weight).length() / weight.length();
    let kinetic = simulation.energy().kinetic;
    println!("missed {missed:.1e}, {} pushed, energy {kinetic:.1e} J", last.contact.repulsions);
    assert!(missed < 1e-3);
    assert!(kinetic < 1e-15);
}

/// An overhanging wall moves along the ground at 0.5 m/s, and gravity pulls a sheet against it, whose edge is caught in the
/// wedge below: the sheet moves like the wall, and the wall presses it on the ground.
#[test]
fn bw11_a_wall_drives_cloth_along_the_ground() {
    const SPEED: f64 = 0.5;
    let wall = Vec3::new(1.0, 0.0, -0.5).normalize_or_zero();
    let moving = |t: f64| Pose::at(Vec3::new(SPEED * t - 0.051, 0.0, 0.0));
    let bodies = vec![plane(Vec3::Z, Motion::default()), plane(wall, Motion::moving(moving))];
    let lying = |p: Vec3, thickness: f64| Vec3::new(p.x, p.y, 0.95 * thickness);
    let gravity = Vec3::new(-2.0, 0.0, -G);
    let mut simulation = among(bodies, gravity, lying, [9, 17]);
    let mut last = StepReport::default();
    for _ in 0..240 {
        last = simulation.step(DT).unwrap();
    }
    let missed =
        (contact_force(&last) / simulation.cloth.mass.iter().sum::<f64>() + gravity).length();
    let fastest =
        simulation.state.v.iter().map(|v| (*v - Vec3::X * SPEED).length()).fold(0.0, f64::max);
    println!(
        "wall missed {missed:.1e} m/s², {fastest:.1e} m/s off, {} pushed",
        last.contact.repulsions
    );
    assert!(missed < 1e-3);
    assert!(fastest < 1e-6);
}
