use super::*;
use crate::body::{BodyMotion, Shape, shape};
use crate::curtain::{CurtainSpec, Environment, Obstacle, PanelSpec, Rail, folds, obstacle};
use crate::judge;
use crate::math::Quat;
use crate::motion::{Motion as BodyPath, Pose};
use crate::wind::{Turbulence, Wind};

const STEP: f64 = 1.0 / 60.0;

/// A curtain of two panels, one behind the other.
fn curtain() -> Curtain {
    let panel = |y: f64, density: f64| PanelSpec {
        rows: 10,
        height: 0.8,
        density,
        gaps: folds::wave(6, 0.8, 4),
        top: Top::Rail(Rail::fixed(Vec3::Y * y, Vec3::new(0.5, y, 0.0))),
        ..PanelSpec::default()
    };
    let panels = vec![panel(0.0, 0.1), panel(0.2, 0.3)];
    Curtain::new(&CurtainSpec { panels, ..CurtainSpec::default() }).unwrap()
}

/// A box that stands in the way, turned so that an edge comes first.
fn bodies() -> Vec<Body> {
    let place = Pose { rotation: Quat::from_rotation_z(0.6), translation: BOX_CENTER };
    vec![Body {
        shape: Shape::Mesh,
        mesh: shape::cuboid(BOX_SIZE),
        motion: BodyMotion::Rigid(BodyPath::Still(place)),
        friction: Some([0.3; 2]),
    }]
}

const BOX_CENTER: Vec3 = Vec3::new(0.2, 0.5, -0.5);
const BOX_SIZE: Vec3 = Vec3::new(0.3, 0.2, 0.3);

fn winds() -> [Wind; 1] {
    let mut wind = Wind::uniform(Vec3::new(0.3, 3.0, 0.2));
    wind.turbulence = Turbulence { seed: 4, intensity: 0.6, scale: 0.7 };
    [wind]
}

fn propose(curtain: &mut Curtain, time: f64) -> Result<(), CurtainError> {
    let rotation = Quat::from_rotation_z(0.6);
    let shape = obstacle::Shape::Box { center: BOX_CENTER, half: BOX_SIZE * 0.5, rotation };
    let (winds, obstacles) = (winds(), [Obstacle::still(shape, 0.3)]);
    let environment =
        Environment { winds: &winds, obstacles: &obstacles, time, ..Environment::default() };
    curtain.update(STEP, &environment).map(|_| ())
}

/// Pairs of triangles that cross, of cloth and with the box.
fn crossings(curtain: &Curtain, bodies: &[Body]) -> usize {
    let (x, triangles) = (curtain.positions(), curtain.triangles());
    let mut surface = Vec::new();
    bodies[0].append_positions(0.0, &mut surface);
    let between = judge::crossing_pairs(x, triangles, &surface, &bodies[0].mesh.triangles);
    judge::intersecting_pairs(x, triangles).len() + between.len()
}

/// R1: two curtains blown into each other and into a box cross nothing in any step, and what their rods
/// have too much or too little is small and known. Without a guard the same curtains do cross.
#[test]
fn nothing_passes_through_anything() {
    let (mut guarded, mut alone) = (curtain(), curtain());
    let bodies = bodies();
    let params = ContactParams::default();
    let mut guard = Guard::new(&guarded, &bodies, 0.0, params).unwrap();
    let (mut stopped, mut bare) = (0, 0);
    let (mut rods, mut width) = (0.0_f64, 0.0_f64);
    for step in 0..180 {
        let start = f64::from(step) * STEP;
        let report =
            guard.step(&mut guarded, &bodies, (start, STEP), |c| propose(c, start)).unwrap();
        propose(&mut alone, start).unwrap();
        assert_eq!(crossings(&guarded, &bodies), 0, "step {step}: {report:?}");
        assert_eq!(guard.loose(), &Loose::default(), "step {step}");
        bare += crossings(&alone, &bodies);
        stopped += report.contact.impulses + report.contact.repulsions;
        rods = rods.max(guarded.rod_error());
        width = width.max(report.curtain.width_excess);
    }
    eprintln!("{stopped} {bare} {rods} {width}");
    assert!(stopped > 100 && bare > 0, "{stopped} stopped, {bare} crossings without a guard");
    assert!(rods < 0.2 && width < 0.2, "rods {rods}, width {width}");
}

/// R3: a guarded curtain goes on with the same bits from a checkpoint.
#[test]
fn checkpoints_hold_what_was_displaced() {
    let mut straight = curtain();
    let bodies = bodies();
    let new = |curtain: &Curtain| Guard::new(curtain, &bodies, 0.0, ContactParams::default());
    let mut guard = new(&straight).unwrap();
    let go = |guard: &mut Guard, curtain: &mut Curtain, steps: std::ops::Range<u32>| {
        for step in steps {
            let start = f64::from(step) * STEP;
            guard.step(curtain, &bodies, (start, STEP), |c| propose(c, start)).unwrap();
        }
    };
    go(&mut guard, &mut straight, 0..50);
    let state = straight.state();
    assert_eq!(state.vertices, straight.positions());
    let mut resumed = curtain();
    resumed.restore(&state).unwrap();
    let mut other = new(&resumed).unwrap();
    other.set_loose(guard.loose().clone());
    go(&mut guard, &mut straight, 50..60);
    go(&mut other, &mut resumed, 50..60);
    assert_eq!(straight.state(), resumed.state());
}
