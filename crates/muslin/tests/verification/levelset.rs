//! Cloth on level-set bodies: the same drape as on the exact shape (MF6, MF7), rest, and pinching.

use crate::common::{at_rest, cloth, fastest, grid, vacuum};
use muslin::body::{Body, BodyMesh, BodyMotion, Shape, shape};
use muslin::fabric::Fabric;
use muslin::finish::cleanup::{CleanUp, clean_up_of_bodies};
use muslin::levelset::{BodyField, Field, LevelSet, Resolution, Solid};
use muslin::math::Vec3;
use muslin::mesh::Diagonals;
use muslin::motion::{Motion, Pose};
use muslin::sim::{Params, Simulation};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

pub fn level_set(mesh: BodyMesh, cell: f64, motion: Motion) -> Body {
    let field = Field::of(&Solid::new(&mesh).unwrap(), Resolution::new(cell));
    let field = BodyField::Rigid(Arc::new(field));
    Body {
        shape: Shape::LevelSet(LevelSet { field, relaxation_time: 0.01, inset: 0.0 }),
        mesh,
        motion: BodyMotion::Rigid(motion),
        friction: Some([0.3, 0.3]),
    }
}

fn sheet(bodies: Vec<Body>, height: f64, vertices: usize) -> Simulation {
    let fabric = Fabric::named("cotton poplin").unwrap();
    let flat = grid([0.5, 0.5], [vertices; 2], Diagonals::Alternating);
    let place = Vec3::new(0.013, 0.007, height);
    let x = flat.positions.iter().map(|p| *p + place).collect();
    let params = Params { forecast: vacuum(), ..Params::default() };
    Simulation::new(cloth(&flat, &fabric), bodies, vec![], at_rest(x), params)
}

fn run(simulation: &mut Simulation, steps: usize) {
    for _ in 0..steps {
        simulation.step(DT).unwrap();
    }
}

/// The deepest vertex, edge middle or face middle \[m\]; negative outside.
fn deepest(simulation: &Simulation, body: &Body) -> f64 {
    let (x, t) = (&simulation.state.x, simulation.state.time);
    let depth = |p: Vec3| -body.exact_distance(p, t).unwrap().0;
    let at = |v: u32| x[v as usize];
    let vertices = x.iter().copied();
    let edges =
        simulation.cloth.edges.iter().map(|e| (at(e.vertices[0]) + at(e.vertices[1])) * 0.5);
    let faces = simulation.cloth.triangles.iter().map(|t| t.map(at).iter().sum::<Vec3>() / 3.0);
    vertices.chain(edges).chain(faces).map(depth).fold(f64::MIN, f64::max)
}

/// The sheet falls on a ball: no vertex and no middle of an edge or face ends in the exact sphere by more
/// than the field is off, and the corners hang.
#[test]
fn mf6_a_drape_on_a_field_stays_out_of_the_exact_sphere() {
    let (radius, cell) = (0.15, 0.005);
    let exact = Body {
        shape: Shape::Sphere(radius),
        mesh: BodyMesh::default(),
        motion: BodyMotion::Rigid(Motion::default()),
        friction: None,
    };
    let ball = level_set(shape::sphere(radius, 0.008), cell, Motion::default());
    let mut simulation = sheet(vec![ball], 0.16, 17);
    run(&mut simulation, 30);
    let tolerance = Resolution::new(cell).tolerance;
    assert!(deepest(&simulation, &exact) < tolerance, "{}", deepest(&simulation, &exact));
    assert!(simulation.state.x[0].z < -0.08, "the corners hang");
}

/// Over the sharp edges of a block, nothing sinks in either.
#[test]
fn mf7_nothing_sinks_into_a_field_with_edges() {
    let block = level_set(shape::cuboid(Vec3::new(0.3, 0.3, 0.1)), 0.004, Motion::default());
    let mut simulation = sheet(vec![block.clone()], 0.06, 17);
    for _ in 0..5 {
        run(&mut simulation, 10);
        assert!(deepest(&simulation, &block) < 5e-4, "{}", deepest(&simulation, &block));
    }
}

/// MF6: two blocks close on a sheet and overlap; it is held half-way between them, and reported.
#[test]
fn mf6_pinched_cloth_stays_between_the_parts() {
    let block = shape::cuboid(Vec3::new(0.3, 0.3, 0.1));
    let speed = 0.2;
    let down = Motion::moving(move |t| Pose::at(Vec3::Z * (0.09 - (speed * t).min(0.05))));
    let above = level_set(block.clone(), 0.005, down);
    let below = level_set(block, 0.005, Motion::Still(Pose::at(Vec3::Z * -0.05)));
    let mut simulation = sheet(vec![above.clone(), below.clone()], 0.001, 13);
    let mut pinched = 0;
    for _ in 0..40 {
        pinched = simulation.step(DT).unwrap().contact.pinched;
    }
    assert!(pinched > 20, "{pinched} vertices");
    let t = simulation.state.time;
    let mut held = 0;
    for x in &simulation.state.x {
        let depths = [&above, &below].map(|b| b.exact_distance(*x, t).unwrap().0);
        if depths.iter().all(|d| *d < -1e-4) {
            held += 1;
            assert!((depths[0] - depths[1]).abs() < 1e-3, "{depths:?} at {x}");
        }
    }
    assert!(held > 20, "{held}");
    assert!(fastest(&simulation) < 1.0, "{}", fastest(&simulation));
    // Clean-up leaves them alone.
    let mut x = simulation.state.x.clone();
    let done = clean_up_of_bodies(&mut x, &[above, below], t, &CleanUp::default());
    assert!(done.pinched >= held, "{done:?}");
}

/// MF8: cloth meets a level set `inset` below its surface, sinks in as far and no farther, and clean-up with the
/// surface itself brings all of it out in the order of its depths.
#[test]
fn mf8_cloth_sinks_in_by_the_inset_and_comes_out_again() {
    let (radius, cell, inset) = (0.15, 0.005, 0.012);
    let mut ball = level_set(shape::sphere(radius, 0.01), cell, Motion::Still(Pose::IDENTITY));
    if let Shape::LevelSet(set) = &mut ball.shape {
        set.inset = inset;
    }
    let mut simulation = sheet(vec![ball.clone()], radius + 0.001, 21);
    run(&mut simulation, 60);
    let t = simulation.state.time;
    let depth = |x: &Vec3| radius - x.length();
    let deepest = simulation.state.x.iter().map(depth).fold(f64::MIN, f64::max);
    let thickness = simulation.cloth.thickness[0];
    assert!(deepest > 0.5 * inset, "sinks in by {deepest} m only");
    assert!(deepest < inset - 0.25 * thickness + 0.1 * cell, "{deepest} m deep");
    let mut x = simulation.state.x.clone();
    let settings = CleanUp { least: 1e-3, reach: 0.01, expected_depth: inset };
    let done = clean_up_of_bodies(&mut x, &[ball], t, &settings);
    assert!(done.moved > 50 && done.stuck == 0 && done.deepest > 0.5 * inset, "{done:?}");
    let mut pairs: Vec<(f64, f64)> =
        simulation.state.x.iter().map(depth).zip(x.iter().map(depth)).collect();
    assert!(pairs.iter().all(|(_, after)| *after < -settings.least + 0.2 * cell), "all outside");
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The field is off by a tenth of a cell, and the ball is a polyhedron: depths that differ by more keep their order.
    let turned = pairs
        .iter()
        .enumerate()
        .any(|(k, a)| pairs[..k].iter().any(|b| a.0 > b.0 + 0.4 * cell && a.1 < b.1));
    assert!(!turned, "depths change places");
}
