//! What a program gives a runner: forces, targets, meshes, and the wish to stop.

use muslin::math::Vec3;
use muslin_scene::polymesh::PolyMesh;
use muslin_scene::runner::{RunError, Runner};
use muslin_scene::spec::{Given, GivenMesh, SceneSpec};
use std::sync::Arc;

const FREE: &str = r"
frames = 10
gravity = [0, 0, 0]
air = { drag = 0, lift = 0 }
[[cloth]]
grid = { size = [1, 1], vertices = [5, 5] }
fabric = { density = 0.2 }
";

#[expect(clippy::unwrap_used, reason = "a test")]
fn runner(text: &str) -> Runner {
    let scene = SceneSpec::from_toml(text, "test.toml", &[]);
    Runner::new(&scene.unwrap_or_else(|error| panic!("{error}"))).unwrap()
}

/// Forces in proportion to the masses are an acceleration: every vertex moves by ½ a t², with both the
/// inner, border and corner shares of a uniform grid's mass.
#[test]
fn forces_accelerate() {
    let mut runner = runner(FREE);
    let start = runner.positions();
    let topology = runner.topology();
    let mut mass = vec![0.0; start.len()];
    for t in &topology.triangles {
        let [a, b, c] = t.map(|v| start[v as usize]);
        let area = 0.5 * (b - a).cross(c - a).length();
        for v in t {
            mass[*v as usize] += 0.2 * area / 3.0;
        }
    }
    let acceleration = Vec3::new(1.0, -2.0, 3.0);
    runner.set_forces(mass.iter().map(|m| acceleration * *m).collect()).unwrap();
    for _ in 0..6 {
        runner.advance().unwrap();
    }
    let seconds = 6.0 / 24.0;
    for (x, start) in runner.positions().iter().zip(&start) {
        let expected = *start + acceleration * (0.5 * seconds * seconds);
        assert!(x.distance(expected) < 1e-9, "{x} is not {expected}");
    }
}

#[test]
fn targets_are_reached_at_the_end_of_the_frame_and_kept() {
    let mut runner = runner(FREE);
    let place = runner.positions()[0] + Vec3::new(0.0, 0.0, 0.02);
    runner.set_targets(vec![(0, place)]).unwrap();
    for _ in 0..3 {
        runner.advance().unwrap();
        assert!(runner.positions()[0].distance(place) < 1e-12);
    }
    runner.set_targets(Vec::new()).unwrap();
    runner.advance().unwrap();
    assert!(runner.positions()[0].distance(place) > 1e-6, "it is let go");
}

#[test]
fn bad_forces_and_targets_are_refused() {
    let pinned = format!("{FREE}\n[[cloth.pin]]\nselect = {{ vertices = [3] }}\n");
    let mut runner = runner(&pinned);
    assert!(runner.set_forces(vec![Vec3::ZERO; 24]).is_err());
    assert!(runner.set_forces(vec![Vec3::NAN; 25]).is_err());
    for targets in [
        vec![(25, Vec3::ZERO)],
        vec![(1, Vec3::ZERO), (1, Vec3::ZERO)],
        vec![(1, Vec3::INFINITY)],
        vec![(3, Vec3::ZERO)],
    ] {
        assert!(runner.set_targets(targets).is_err());
    }
}

/// A frame that is stopped half way never happened.
#[test]
fn a_stopped_frame_changes_no_bit() {
    let falling = FREE.replace("gravity = [0, 0, 0]", "gravity = [0, 0, -9.81]");
    let (mut stopped, mut straight) = (runner(&falling), runner(&falling));
    for _ in 0..2 {
        stopped.advance().unwrap();
        straight.advance().unwrap();
    }
    let mut steps = 0;
    let error = stopped.advance_watched(&mut || {
        steps += 1;
        steps < 2
    });
    assert!(matches!(error, Err(RunError::Stopped { frame: 3 })));
    assert!(stopped.frame().positions == straight.frame().positions);
    assert_eq!(stopped.frame_number(), 2);
    stopped.advance().unwrap();
    straight.advance().unwrap();
    assert!(stopped.frame() == straight.frame());
}

/// A tetrahedron that a program moves is where the program says, and a cloth may be given as well.
#[test]
fn meshes_and_motions_are_given() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let corners = corners.map(Vec3::from_array);
    let body =
        PolyMesh::from_triangles(corners.to_vec(), &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]);
    let deform = Arc::new(move |t: f64, out: &mut [Vec3]| {
        out.iter_mut().zip(corners).for_each(|(x, corner)| *x = corner + Vec3::X * t);
    });
    let high = corners[..3].iter().map(|x| *x + Vec3::Z * 5.0).collect();
    let cloth = PolyMesh::from_triangles(high, &[[0, 1, 2]]);
    let mut given = Given::default();
    given.add("tetrahedron", GivenMesh { mesh: body, deform: Some(deform) });
    given.add("sheet", GivenMesh { mesh: cloth, deform: None });
    let text = "
        frames = 4
        [[cloth]]
        mesh = 'sheet'
        [[body]]
        mesh = 'tetrahedron'
        position = [0, 1, 0]
        scale = 2
    ";
    let scene = SceneSpec::from_toml_given(text, "test.toml", &[], given).unwrap();
    let mut runner = Runner::new(&scene).unwrap();
    runner.advance().unwrap();
    let t = 1.0 / 24.0;
    for (x, corner) in runner.body_positions().iter().zip(corners) {
        assert!(x.distance((corner + Vec3::X * t) * 2.0 + Vec3::Y) < 1e-15);
    }
    assert_eq!(runner.positions().len(), 3);
    assert!(SceneSpec::from_toml(text, "test.toml", &[]).is_err(), "there are no such files");
}
