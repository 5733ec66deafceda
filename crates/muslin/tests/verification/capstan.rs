//! V15: a strip over a cylinder holds a ratio of tensions up to e^{μφ}, and slips beyond.

use crate::common::{G, at_rest, bare, cloth, grid, limp};
use crate::levelset::level_set;
use muslin::body::{Body, shape};
use muslin::contact::ContactParams;
use muslin::fabric::{Fabric, Relaxation};
use muslin::integrate::implicit::Rule;
use muslin::math::{Quat, Vec3};
use muslin::mesh::Diagonals;
use muslin::motion::{Motion, Pose};
use muslin::sim::{Forecast, Params, Simulation, Weather};
use std::f64::consts::{FRAC_PI_2, PI};

const FRICTION: f64 = 0.3;
const RADIUS: f64 = 0.05;
/// Length of the strip on either side of the cylinder \[m\].
const LEG: f64 = 0.1;
const ROWS: usize = 46;
const DT: f64 = 1.0 / 240.0;
/// The mass that hangs from either end \[kg\].
const MASS: f64 = 0.03;
/// Time for the strip to settle with equal loads, and time in which one grows \[s\].
const SETTLE: f64 = 0.3;
const RAMP: f64 = 0.5;

fn fabric() -> Fabric {
    let fabric = Fabric {
        density: 0.02,
        shear: 20.0,
        friction_static: FRICTION,
        friction_kinetic: FRICTION,
        ..limp(5000.0)
    };
    fabric.with_relaxation(Relaxation::STANDARD)
}

/// A cylinder along y as a distance field: 720 sides, so that no edge of it is felt.
fn cylinder() -> Body {
    let turn = Quat::from_rotation_x(FRAC_PI_2);
    let pose = Pose { rotation: turn, translation: Vec3::ZERO };
    let body = level_set(shape::cylinder(RADIUS, 0.04, 720), 0.001, Motion::Still(pose));
    Body { friction: Some([FRICTION; 2]), ..body }
}

/// A strip over the cylinder, which it wraps by 180°, with equal masses at its ends.
fn strip() -> Simulation {
    let length = PI * RADIUS + 2.0 * LEG;
    let sheet = grid([length, 0.02], [ROWS, 3], Diagonals::Alternating);
    let mut strip = cloth(&sheet, &fabric());
    let lift = RADIUS + 0.95 * strip.thickness[0];
    let place = |p: &Vec3| {
        let s = p.x.abs() * (length + 2.0 * FRAC_PI_2 * (lift - RADIUS)) / length;
        let over = (s - FRAC_PI_2 * lift).max(0.0);
        let angle = s.min(FRAC_PI_2 * lift) / lift;
        Vec3::new(p.x.signum() * lift * angle.sin(), p.y, lift * angle.cos() - over)
    };
    let x: Vec<Vec3> = sheet.positions.iter().map(place).collect();
    for (mass, p) in strip.mass.iter_mut().zip(&sheet.positions) {
        let is_end = p.x.abs() > 0.499 * length;
        *mass += if is_end { MASS / 3.0 } else { 0.0 };
    }
    let weather = Weather { air: None, ..Weather::default() };
    let params = Params {
        forecast: Forecast::Constant(weather),
        contact: Some(ContactParams::default()),
        ..bare(Rule::TrBdf2, 1e-5)
    };
    let count = x.len();
    let mut simulation = Simulation::new(strip, vec![cylinder()], vec![], at_rest(x), params);
    simulation.external = vec![Vec3::ZERO; count];
    simulation
}

/// Steps for some seconds with the load on the right end in a ratio, a function of time since the start of
/// these steps, to that on the left; returns how high the right end is \[m\].
fn hang(simulation: &mut Simulation, seconds: f64, ratio: impl Fn(f64) -> f64) -> f64 {
    for step in 0..(seconds / DT).round() as usize {
        let more = (ratio(step as f64 * DT) - 1.0) * MASS * G;
        for force in simulation.external.iter_mut().rev().take(3) {
            *force = Vec3::Z * (-more / 3.0);
        }
        simulation.step(DT).unwrap();
    }
    let right = simulation.state.x.iter().filter(|x| x.x > 0.0);
    right.map(|x| x.z).fold(f64::INFINITY, f64::min)
}

/// How far the heavier end sinks \[m\] in the second second once its load is on; in the first, tensions spread.
fn sinks(ratio: f64) -> f64 {
    let mut simulation = strip();
    hang(&mut simulation, SETTLE, |_| 1.0);
    hang(&mut simulation, RAMP, |t| 1.0 + (ratio - 1.0) * t / RAMP);
    let before = hang(&mut simulation, 1.0, |_| ratio);
    before - hang(&mut simulation, 1.0, |_| ratio)
}

/// A ratio 5 % below `e^{μφ}` is held: the end comes to rest within 0.1 mm. 5 % above it the strip slips, by more
/// than a hundred times that in every second.
#[test]
fn v15_friction_on_a_cylinder_holds_the_capstan_ratio() {
    let limit = f64::exp(FRICTION * PI);
    let (held, slipped) = (sinks(0.95 * limit), sinks(1.05 * limit));
    eprintln!("e^(μφ) = {limit:.3}: sinks {held:.2e} m below it, {slipped:.2e} m above it");
    assert!(held.abs() < 1e-4, "creeps {held} m");
    assert!(slipped > 1e-2, "sinks {slipped} m only");
}
