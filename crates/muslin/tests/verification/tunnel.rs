//! R8: cloth thrown at 50 m/s passes through nothing, at any step size.

use crate::common::{cloth, grid};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape, shape};
use muslin::cloth::Cloth;
use muslin::fabric::Fabric;
use muslin::judge;
use muslin::math::Vec3;
use muslin::mesh::Diagonals;
use muslin::motion::Motion;
use muslin::pin::Pin;
use muslin::sim::{Params, Simulation, State, StepSizes};

const SPEED: f64 = 50.0;

/// What the cloth is thrown at; all of it lies around the origin, and the cloth comes from above.
#[derive(Clone, Copy, Debug)]
enum Target {
    Plane,
    Plate,
    Sphere,
    HeldCloth,
}

fn body(shape: Shape, mesh: BodyMesh) -> Body {
    Body { shape, mesh, motion: BodyMotion::Rigid(Motion::default()), friction: None }
}

fn throw(target: Target) -> Simulation {
    let fabric = Fabric::named("cotton poplin").unwrap();
    let sheet = grid([0.3, 0.3], [11, 11], Diagonals::Alternating);
    let mut made = cloth(&sheet, &fabric);
    let mut x: Vec<Vec3> =
        sheet.positions.iter().map(|p| *p + Vec3::new(0.011, 0.017, 0.5)).collect();
    let mut v = vec![Vec3::new(0.0, 0.0, -SPEED); x.len()];
    let (mut bodies, mut pins) = (vec![], vec![]);
    match target {
        Target::Plane => bodies.push(body(Shape::Plane(Vec3::Z), BodyMesh::default())),
        Target::Plate => {
            bodies.push(body(Shape::Mesh, shape::cuboid(Vec3::new(1.0, 1.0, 0.001))));
        }
        Target::Sphere => bodies.push(body(Shape::Sphere(0.1), shape::sphere(0.1, 0.03))),
        Target::HeldCloth => {
            let held = grid([0.6, 0.6], [21, 21], Diagonals::Alternating);
            let on_border = |p: &Vec3| p.x.abs().max(p.y.abs()) > 0.299;
            let border = held.positions.iter().enumerate().filter(|(_, p)| on_border(p));
            pins = border.map(|(i, _)| Pin::fixed((x.len() + i) as u32)).collect();
            made = Cloth::join(&[&made, &cloth(&held, &fabric)]);
            x.extend(&held.positions);
            v.resize(x.len(), Vec3::ZERO);
        }
    }
    Simulation::new(made, bodies, pins, State::new(x, v), Params::default())
}

/// Nothing crosses, and the thrown cloth is still on its side.
fn judge(target: Target, simulation: &Simulation) -> Result<(), String> {
    let (x, triangles) = (&simulation.state.x, &simulation.cloth.triangles);
    let crossing = judge::intersecting_pairs(x, triangles).len();
    if crossing > 0 {
        return Err(format!("{crossing} pairs of cloth cross"));
    }
    for body in &simulation.bodies {
        let BodyMesh { positions, triangles: faces } = &body.mesh;
        let crossing = judge::crossing_pairs(x, triangles, positions, faces).len();
        if crossing > 0 {
            return Err(format!("{crossing} pairs of cloth and body cross"));
        }
    }
    let centre = x[60].z;
    let lowest = x[..121].iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let through = match target {
        Target::Plane | Target::Plate => lowest <= 0.0,
        Target::Sphere => centre <= 0.0,
        // The held cloth closes its frame, so a line upwards from above it meets it an even number of times.
        Target::HeldCloth => {
            let above = |t: &&[u32; 3]| t[0] >= 121 && is_below(x[60], t.map(|v| x[v as usize]));
            triangles.iter().filter(above).count() % 2 == 1
        }
    };
    if through { Err(format!("centre at {centre} m, lowest at {lowest} m")) } else { Ok(()) }
}

/// Whether a point is straight below a triangle.
fn is_below(p: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
    let turn = |a: Vec3, b: Vec3| (a.x - p.x) * (b.y - p.y) - (a.y - p.y) * (b.x - p.x);
    let [u, v, w] = [turn(b, c), turn(c, a), turn(a, b)];
    let inside = (u > 0.0) == (v > 0.0) && (v > 0.0) == (w > 0.0);
    inside && (a.z * u + b.z * v + c.z * w) / (u + v + w) > p.z
}

fn never_tunnels(target: Target) {
    for (dt, frames) in [(1.0 / 24.0, 4), (1.0 / 240.0, 24)] {
        let mut simulation = throw(target);
        let sizes = StepSizes {
            largest: dt,
            smallest: dt / 1024.0,
            max_stretch_change: f64::INFINITY,
            collision_halvings: 0,
        };
        let (mut steps, mut rejected) = (0, 0);
        for frame in 1..=frames {
            let end = f64::from(frame) * dt;
            while simulation.state.time < end {
                let report = simulation.advance_once(end, &sizes);
                let report = report.unwrap_or_else(|e| panic!("{target:?}, Δt = {dt}: {e}"));
                rejected += report.rejected;
                steps += 1;
                let verdict = judge(target, &simulation);
                assert_eq!(verdict, Ok(()), "{target:?}, Δt = {dt}, t = {}", simulation.state.time);
            }
        }
        println!("{target:?}, Δt = {dt:.4}: {steps} steps, {rejected} thrown away, none through");
    }
}

#[test]
fn r8_thrown_cloth_does_not_pass_a_plane() {
    never_tunnels(Target::Plane);
}

#[test]
fn r8_thrown_cloth_does_not_pass_a_thin_plate() {
    never_tunnels(Target::Plate);
}

#[test]
fn r8_thrown_cloth_does_not_pass_a_sphere() {
    never_tunnels(Target::Sphere);
}

#[test]
fn r8_thrown_cloth_does_not_pass_held_cloth() {
    never_tunnels(Target::HeldCloth);
}
