//! Springs against differences (V1), momentum (V2), closed forms and schedules.

use super::*;
use crate::body::shape::cuboid;
use crate::body::{BodyMotion, Shape};
use crate::cloth::Maps;
use crate::fabric::Fabric;
use crate::integrate::implicit::Rule;
use crate::linalg::Tolerance;
use crate::math::{Quat, Random};
use crate::mesh::{Diagonals, Sheet};
use crate::motion::{Motion, Pose};
use crate::sim::{Dynamics, Forecast, Params, Simulation, State, Weather};

fn vector(random: &mut Random, scale: f64) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| random.between(-scale, scale)))
}

/// A spring to a place, one between points of cloth, and one to a height above a triangle.
fn cases(random: &mut Random) -> [Spring; 3] {
    let common = Spring {
        vertices: [0, 1, 2, 3],
        since: 0.5,
        stiffness: 70.0,
        damping: 3.0,
        ..Spring::default()
    };
    let (a, b) = (random.between(0.0, 1.0), random.between(-0.5, 0.5));
    let on_triangle = [1.0, -a, -b, a + b - 1.0];
    let (place, velocity) = (vector(random, 1.0), vector(random, 1.0));
    [
        Spring { weights: [a, 1.0 - a, 0.0, 0.0], place, velocity, ..common },
        Spring { weights: on_triangle, ..common },
        Spring { weights: on_triangle, height: random.between(-0.2, 0.2), ..common },
    ]
}

/// V1: forces are minus the gradient of the energy; error of the central difference O(h²).
#[test]
fn v1_spring_forces_are_minus_the_gradient_of_their_energy() {
    let mut random = Random::new(3);
    for _ in 0..300 {
        for spring in cases(&mut random) {
            let x: Vec<Vec3> = (0..4).map(|_| vector(&mut random, 1.0)).collect();
            let still = vec![Vec3::ZERO; 4];
            let resting = Spring { velocity: Vec3::ZERO, damping: 0.0, ..spring };
            let mut f = vec![Vec3::ZERO; 4];
            spring::forces(&[resting], &x, &still, 0.7, &mut f);
            let area = (x[2] - x[1]).cross(x[3] - x[1]).length();
            if area < 0.1 {
                continue;
            }
            for i in 0..4 {
                for axis in 0..3 {
                    let energy = |h: f64| {
                        let mut x = x.clone();
                        x[i][axis] += h;
                        resting.energy(&x, 0.7)
                    };
                    let slope = (energy(1e-5) - energy(-1e-5)) / 2e-5;
                    assert!((f[i][axis] + slope).abs() < 1e-6 * 70.0, "{} {slope}", f[i][axis]);
                }
            }
        }
    }
}

/// V1: the coupling is `−β² ∂f/∂x − β ∂f/∂v` exactly, and the damping product `−∂f/∂v`.
#[test]
fn v1_spring_matrix_is_the_gradient_of_its_force() {
    let mut random = Random::new(4);
    for _ in 0..200 {
        let [a, b, _] = cases(&mut random);
        for spring in [a, b] {
            let x: Vec<Vec3> = (0..4).map(|_| vector(&mut random, 1.0)).collect();
            let u: Vec<Vec3> = (0..4).map(|_| vector(&mut random, 1.0)).collect();
            let still = vec![Vec3::ZERO; 4];
            let force = |x: &[Vec3], v: &[Vec3]| {
                let mut f = vec![Vec3::ZERO; 4];
                spring::forces(&[spring], x, v, 0.9, &mut f);
                f
            };
            let moved: Vec<Vec3> = x.iter().zip(&u).map(|(x, u)| *x + *u).collect();
            let (f, by_x, by_v) = (force(&x, &still), force(&moved, &still), force(&x, &u));
            let beta = 0.3;
            let coupling = spring.coupling(beta);
            let sum: Vec3 = (0..4).map(|j| u[j] * coupling.weights[j]).sum();
            let mut product = vec![Vec3::ZERO; 4];
            spring::damping_product(&[spring], &u, &mut product);
            for i in 0..4 {
                let expected = (f[i] - by_x[i]) * (beta * beta) + (f[i] - by_v[i]) * beta;
                let found = coupling.block * sum * coupling.weights[i];
                assert!((found - expected).length() < 1e-11, "{found} {expected}");
                assert!((product[i] - (f[i] - by_v[i])).length() < 1e-11);
            }
        }
    }
}

/// V2: springs within the cloth exert no net force and no net torque, damped or not, and none at all on
/// what moves rigidly with its height kept.
#[test]
fn v2_springs_within_cloth_keep_momentum() {
    let mut random = Random::new(5);
    for _ in 0..500 {
        let [_, plain, mut raised] = cases(&mut random);
        let x: Vec<Vec3> = (0..4).map(|_| vector(&mut random, 1.0)).collect();
        let v: Vec<Vec3> = (0..4).map(|_| vector(&mut random, 1.0)).collect();
        for spring in [plain, raised] {
            let mut f = vec![Vec3::ZERO; 4];
            spring::forces(&[spring], &x, &v, 0.9, &mut f);
            let size: f64 = f.iter().map(|f| f.length()).sum();
            let torque: Vec3 = x.iter().zip(&f).map(|(x, f)| x.cross(*f)).sum();
            assert!(f.iter().sum::<Vec3>().length() < 1e-12 * size);
            // With no height the force must run along the line of the two points to leave no torque:
            // damping across it does not, and is felt as a couple of gap × force.
            if spring.height == 0.0 {
                let foot: Vec3 = (0..4).map(|i| x[i] * spring.weights[i]).sum();
                let pull = spring.pull(&x, &v, 0.9);
                assert!((torque - foot.cross(pull)).length() < 1e-12 * size);
            }
        }
        // At its place, undamped relative motion aside, a raised vertex leaves no torque.
        let normal = (x[2] - x[1]).cross(x[3] - x[1]);
        raised.damping = 0.0;
        let mut f = vec![Vec3::ZERO; 4];
        spring::forces(&[raised], &x, &v, 0.9, &mut f);
        let size: f64 = f.iter().map(|f| f.length()).sum();
        let torque: Vec3 = x.iter().zip(&f).map(|(x, f)| x.cross(*f)).sum();
        assert!(torque.length() < 1e-11 * size, "{torque} of {size}");
        let foot: Vec3 = (1..4).map(|i| x[i] * -raised.weights[i]).sum();
        let placed = [foot + normal / normal.length() * raised.height, x[1], x[2], x[3]];
        let spin = vector(&mut random, 2.0);
        let turning = placed.map(|x| spin.cross(x) + Vec3::X);
        raised.damping = 3.0;
        assert!(raised.pull(&placed, &turning, 0.9).length() < 1e-11);
    }
}

fn sheet() -> (Cloth, Vec<Vec3>) {
    let sheet = Sheet::grid([0.3, 0.3], [4, 4], Diagonals::Alternating).unwrap();
    let fabric = Fabric::named("cotton poplin").unwrap();
    (Cloth::new(&sheet.mesh, &fabric, &Maps::default()).unwrap(), sheet.positions)
}

fn simulation(bodies: Vec<Body>, rule: Rule, gravity: Vec3) -> Simulation {
    let (cloth, x) = sheet();
    let v = vec![Vec3::ZERO; x.len()];
    let weather = Weather { gravity, air: None, winds: Vec::new() };
    let params = Params {
        forecast: Forecast::Constant(weather),
        dynamics: Dynamics::Implicit { rule },
        tolerance: Tolerance { relative: 1e-12, max_iterations: 10_000 },
        strain_sweeps: 0,
        contact: None,
        ..Params::default()
    };
    Simulation::new(cloth, bodies, vec![], State::new(x, v), params)
}

/// BW7, V3: a sheet whose every vertex is on a spring in proportion to its mass swings as one,
/// `x = a cos ωt`; halving the step quarters the error of TR-BDF2 and halves that of backward Euler.
#[test]
fn v3_pointer_springs_are_as_exact_in_time_as_the_rule() {
    let omega: f64 = 5.0;
    let error = |rule: Rule, steps: u32| {
        let mut simulation = simulation(vec![], rule, Vec3::ZERO);
        let start = simulation.state.x.clone();
        let away = Vec3::new(0.1, -0.05, 0.2);
        let grab = |v: usize| Grab {
            point: Point::vertex(v as u32),
            target: Motion::Still(Pose::at(start[v] - away)),
            stiffness: Strength::Constant(simulation.cloth.mass[v] * omega * omega),
            damping: 0.0,
            from: 0.0,
            until: f64::INFINITY,
        };
        simulation.links.grabs = (0..start.len()).map(grab).collect();
        let time = 0.6;
        for _ in 0..steps {
            simulation.step(time / f64::from(steps)).unwrap();
        }
        let expected = away * ((omega * time).cos() - 1.0);
        let moved = simulation.state.x.iter().zip(&start);
        moved.map(|(x, start)| (*x - *start - expected).length()).fold(0.0, f64::max)
    };
    for (rule, ratio) in [(Rule::TrBdf2, 4.0), (Rule::BackwardEuler, 2.0)] {
        let found = error(rule, 40) / error(rule, 80);
        assert!((found / ratio - 1.0).abs() < 0.1, "{rule:?}: {found}");
    }
}

/// BW7: a sheet hung on one pointer hangs `weight/k` below it, and the report says what it carries.
#[test]
fn bw7_a_pointer_carries_the_weight() {
    let mut simulation = simulation(vec![], Rule::BackwardEuler, Vec3::new(0.0, 0.0, -9.81));
    let weight = simulation.cloth.total_mass() * 9.81;
    let target = simulation.state.x[5];
    simulation.links.grabs.push(Grab {
        point: Point { vertices: [5, 6, 9], weights: [0.5, 0.3, 0.2] },
        target: Motion::Still(Pose::at(target)),
        stiffness: Strength::Constant(20.0),
        damping: 0.5,
        from: 0.0,
        until: f64::INFINITY,
    });
    for _ in 0..600 {
        simulation.step(0.05).unwrap();
    }
    let report = simulation.step(0.05).unwrap();
    let point = simulation.links.grabs[0].point.at(&simulation.state.x);
    assert!((target.z - point.z - weight / 20.0).abs() < 1e-6, "{}", target.z - point.z);
    let (source, vertex, force) = report.link_forces[0];
    assert_eq!((source, vertex), (Source::Grab(0), 5));
    assert!((force - Vec3::Z * weight).length() < 1e-4 * weight, "{force}");
}

fn moving_box(velocity: Vec3) -> Body {
    Body {
        shape: Shape::Mesh,
        mesh: cuboid(Vec3::new(1.0, 1.0, 0.2)),
        motion: BodyMotion::Rigid(Motion::moving(move |t| Pose {
            rotation: Quat::IDENTITY,
            translation: Vec3::new(0.0, 0.0, -0.102) + velocity * t,
        })),
        friction: None,
    }
}

fn top(body: &Body) -> Region {
    Region { owner: Owner::Body(0), triangles: body.mesh.triangles.clone() }
}

/// Attachments take hold at their time, follow the body, let go at their time; and break for good.
#[test]
fn attachments_follow_their_schedule_and_break() {
    let body = moving_box(Vec3::X);
    let mut simulation = simulation(vec![body.clone()], Rule::TrBdf2, Vec3::ZERO);
    let attach = |vertex: u32, from: f64, until: f64, break_force: f64| Attachment {
        vertex,
        to: top(&body),
        stiffness: Strength::Constant(200.0),
        damping: 1.0,
        from,
        until,
        break_force,
    };
    simulation.links.attachments =
        vec![attach(0, 0.125, 0.375, f64::INFINITY), attach(15, 0.125, 9.0, 0.05)];
    // A power of two, so that times are exact.
    let dt = 1.0 / 64.0;
    let mut pulled = Vec::new();
    for _ in 0..40 {
        let report = simulation.step(dt).unwrap();
        pulled.push(report.link_forces.iter().any(|(s, _, _)| *s == Source::Attachment(0)));
        if report.time <= 0.125 {
            // Nothing but the rounding of a sheet at rest.
            assert!(simulation.state.v.iter().all(|v| v.length() < 1e-12));
        }
    }
    assert_eq!(pulled.iter().position(|p| *p), Some(8));
    assert_eq!(pulled.iter().filter(|p| **p).count(), 16);
    assert_eq!(simulation.state.links.holds, vec![Hold::Free, Hold::Broken]);
    // It was carried along by the body, whose speed is 1 m/s.
    assert!(simulation.state.v[0].x > 0.5, "{}", simulation.state.v[0]);
}

/// MF9: cloth near a sticky body is carried along, lets go when the body leaves too fast, and sticks again
/// when it comes back; a strength of zero lets everything go.
#[test]
fn mf9_sticking_forms_and_breaks_many_times() {
    // Up and down as a saw: slow enough to carry, then a jump away, then back from below.
    let height = |t: f64| {
        if t < 0.3 {
            0.2 * t
        } else if t < 0.5 {
            -1.0
        } else {
            0.06
        }
    };
    let body = Body {
        motion: BodyMotion::Rigid(Motion::moving(move |t| {
            Pose::at(Vec3::new(0.0, 0.0, -0.102 + height(t)))
        })),
        ..moving_box(Vec3::ZERO)
    };
    let mut simulation = simulation(vec![body.clone()], Rule::TrBdf2, Vec3::ZERO);
    simulation.links.sticks.push(Stick {
        vertices: (0..16).collect(),
        to: top(&body),
        capture: 0.005,
        release: 0.02,
        stiffness: 1.0,
        prediction: 0.07,
        strength: Strength::Changing(Arc::new(|t| f64::from(t < 0.7))),
    });
    let flat = simulation.state.x.clone();
    let mut stuck = Vec::new();
    for _ in 0..80 {
        simulation.step(0.01).unwrap();
        let mut vertices: Vec<u32> =
            simulation.state.links.stuck.iter().map(|s| s.vertex).collect();
        vertices.dedup();
        stuck.push(vertices.len());
        if stuck.len() == 29 {
            // Carried at the body's even speed, and so without lag once the start has died away:
            // the slowest part of it decays as e^{−t/Δτ}, to 1.6 % of less than 7 mm.
            for x in &simulation.state.x {
                assert!((x.z - 0.2 * simulation.state.time).abs() < 3e-4, "{x}");
            }
        }
        if stuck.len() == 45 {
            // Hold it still where the body will come back to.
            for (x, flat) in simulation.state.x.iter_mut().zip(&flat) {
                *x = *flat + Vec3::Z * 0.06;
            }
            simulation.state.v.fill(Vec3::ZERO);
        }
    }
    assert_eq!(stuck[5], 16, "all stick at once");
    assert_eq!(stuck[40], 0, "the body jumped away");
    assert_eq!(stuck[60], 16, "it came back to where the cloth is");
    assert_eq!(stuck[75], 0, "and was switched off");
}

/// MF9: the pull is that of the mean place, fades smoothly and is gone at the release distance.
#[test]
fn mf9_pull_is_that_of_the_mean_place_and_fades() {
    let body = moving_box(Vec3::ZERO);
    let stick = Stick {
        vertices: vec![0],
        to: top(&body),
        capture: 0.005,
        release: 0.02,
        stiffness: 50.0,
        prediction: 0.01,
        strength: Strength::Constant(0.5),
    };
    let links = Links { sticks: vec![stick], ..Links::default() };
    let (cloth, mut x) = sheet();
    // Over the diagonal of the top: within reach of both of its triangles.
    x[0] = Vec3::new(0.0, 0.0, 0.0);
    let v = vec![Vec3::new(0.1, 0.0, 0.0); x.len()];
    let bodies = [body];
    let at = StepStart { cloth: &cloth, bodies: &bodies, x: &x, v: &v, time: 0.0, dt: 0.01 };
    let tied = links.springs(&at, &Memory::default());
    assert_eq!(tied.springs.len(), 2, "both triangles of the top");
    for d in [0.004, 0.01, 0.0199, 0.0201] {
        let mut moved = x.clone();
        moved[0] += Vec3::new(0.0, d, 0.0);
        let at = StepStart { x: &moved, ..at };
        let later = links.springs(&at, &tied.memory);
        let pull: Vec3 = later.springs.iter().map(|s| s.pull(&moved, &v, 0.0)).sum();
        let s = d / 0.02;
        let k = if s < 1.0 { 25.0 * (1.0 - s * s) * (1.0 - s * s) } else { 0.0 };
        // Between predicted positions: x + Δτ v is 1 mm further along x.
        let expected = (Vec3::new(0.0, -d, 0.0) - Vec3::new(0.001, 0.0, 0.0)) * k;
        // Captured anew where it is by other triangles: none here but the same two, still known.
        assert!((pull - expected).length() < 1e-12, "{d}: {pull} {expected}");
    }
}

/// Springs between two pieces of cloth leave their common momentum alone.
#[test]
fn v2_sticking_cloth_to_cloth_keeps_momentum() {
    let (cloth, x) = sheet();
    let pair = Cloth::join(&[&cloth, &cloth]);
    let other = x.iter().map(|x| *x + Vec3::new(0.01, 0.02, 0.003));
    let x: Vec<Vec3> = x.iter().copied().chain(other).collect();
    let v = (0..x.len()).map(|i| if i < 16 { Vec3::new(0.3, 0.0, 0.1) } else { Vec3::ZERO });
    let mut simulation = simulation(vec![], Rule::TrBdf2, Vec3::ZERO);
    let params = simulation.params.clone();
    simulation = Simulation::new(pair, vec![], vec![], State::new(x, v.collect()), params);
    let triangles = simulation.cloth.triangles[cloth.triangles.len()..].to_vec();
    simulation.links.sticks.push(Stick {
        vertices: (0..16).collect(),
        to: Region { owner: Owner::Cloth, triangles },
        capture: 0.005,
        release: 0.1,
        stiffness: 5.0,
        prediction: 0.01,
        strength: Strength::Constant(1.0),
    });
    let momentum = |s: &Simulation| -> Vec3 {
        s.cloth.mass.iter().zip(&s.state.v).map(|(m, v)| *v * *m).sum()
    };
    let before = momentum(&simulation);
    for _ in 0..20 {
        simulation.step(0.01).unwrap();
    }
    assert!(simulation.state.links.stuck.len() >= 9);
    assert!(simulation.state.v[20].x > 0.05, "the other piece is dragged along");
    assert!((momentum(&simulation) - before).length() < 1e-9 * before.length());
}

/// BW15: matched vertices become one, chains of stitches too; rest shapes and momentum are kept.
#[test]
fn bw15_welding_keeps_rest_shapes_and_momentum() {
    let sheet = Sheet::grid([0.3, 0.2], [4, 3], Diagonals::Regular).unwrap();
    // The left border to the right one: a tube.
    let stitches: Vec<[u32; 2]> = (0..3).map(|row| [4 * row, 4 * row + 3]).collect();
    let weld = Weld::new(12, &stitches).unwrap();
    assert_eq!(weld.vertex_count(), 9);
    assert_eq!(&weld.map()[..4], &[0, 1, 2, 0]);
    let welded = weld.mesh(&sheet.mesh).unwrap();
    assert_eq!(welded.uv(), sheet.mesh.uv());
    let fabric = Fabric::named("denim").unwrap();
    let [before, after] =
        [&sheet.mesh, &welded].map(|mesh| Cloth::new(mesh, &fabric, &Maps::default()).unwrap());
    assert!((before.total_mass() - after.total_mass()).abs() < 1e-15);
    let mut random = Random::new(7);
    let v: Vec<Vec3> = (0..12).map(|_| vector(&mut random, 1.0)).collect();
    let sum = |mass: &[f64], v: &[Vec3]| mass.iter().zip(v).map(|(m, v)| *v * *m).sum::<Vec3>();
    let kept = sum(&after.mass, &weld.velocities(&before, &v));
    assert!((kept - sum(&before.mass, &v)).length() < 1e-15);
    assert_eq!(
        Weld::new(12, &[[0, 12]]),
        Err(WeldError::NoSuchVertex { stitch: 0, vertex: 12, count: 12 })
    );
    // Sewing an edge to itself makes no surface.
    assert!(matches!(Weld::new(12, &[[0, 1]]).unwrap().mesh(&sheet.mesh), Err(WeldError::Mesh(_))));
}
