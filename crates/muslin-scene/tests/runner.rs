//! Scenes from text to frames.

use muslin_scene::runner::{RunError, Runner};
use muslin_scene::spec::SceneSpec;

fn scene(text: &str) -> SceneSpec {
    SceneSpec::from_toml(text, "test.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

const DRAPE: &str = r"
frames = 8
[[cloth]]
grid = { size = [1, 1], vertices = [21, 21] }
position = [0, 0, 0.6]
[[body]]
sphere = { radius = 0.3 }
position = [0, 0, 0.29]
[[body]]
plane = {}
";

/// R3: a run restored from a snapshot goes on to the same bits.
#[test]
fn r3_a_snapshot_holds_all_that_the_next_step_reads() {
    let spec = scene(DRAPE);
    let mut straight = Runner::new(&spec).unwrap();
    for _ in 0..4 {
        straight.advance().unwrap();
    }
    let snapshot = straight.snapshot();
    let mut resumed = Runner::new(&spec).unwrap();
    resumed.restore(&snapshot, 4).unwrap();
    for _ in 0..4 {
        straight.advance().unwrap();
        resumed.advance().unwrap();
        assert!(straight.frame() == resumed.frame(), "frame {}", straight.frame_number());
    }
}

/// V17: a second cloth far away, and a far body, change no bit of the first.
#[test]
fn v17_islands_do_not_feel_each_other() {
    let far = r#"
[[cloth]]
grid = { size = [0.5, 0.5], vertices = [12, 12] }
position = [10, 0, 0.4]
fabric = "denim"
[[body]]
sphere = { radius = 0.1 }
position = [10, 0, 0.1]
"#;
    let mut alone = Runner::new(&scene(DRAPE)).unwrap();
    let mut together = Runner::new(&scene(&format!("{DRAPE}{far}"))).unwrap();
    for _ in 0..8 {
        alone.advance().unwrap();
        together.advance().unwrap();
        let (a, b) = (alone.frame(), together.frame());
        assert!(a.positions[..] == b.positions[..a.positions.len()]);
        assert!(a.velocities[..] == b.velocities[..a.velocities.len()]);
    }
}

/// Cloths that meet are simulated together, and nothing passes through.
#[test]
fn v17_islands_merge_when_cloths_meet() {
    let mut runner = Runner::new(&scene(
        r"
frames = 10
[[cloth]]
grid = { size = [0.4, 0.4], vertices = [11, 11] }
position = [0, 0, 0.05]
[[cloth]]
grid = { size = [0.4, 0.4], vertices = [12, 12] }
position = [0.03, 0.02, 0.25]
[[body]]
plane = {}
",
    ))
    .unwrap();
    let topology = runner.topology();
    for _ in 0..10 {
        runner.advance().unwrap();
        let x = runner.frame().positions;
        assert!(muslin::judge::intersecting_pairs(&x, &topology.triangles).is_empty());
        assert!(x.iter().all(|x| x.z > 0.0));
    }
    let mean = |x: &[muslin::math::Vec3]| x.iter().map(|x| x.z).sum::<f64>() / x.len() as f64;
    let x = runner.frame().positions;
    let (low, high) = (mean(&x[..121]), mean(&x[121..]));
    assert!(low < 0.01 && high > low && high < 0.02, "one lies on the other: {low} {high}");
}

/// R6: crossing cloth is refused with the pairs, and what is not there yet is said so.
#[test]
fn r6_scenes_that_cannot_run_say_why() {
    let sunk = DRAPE.replace("[0, 0, 0.6]", "[0, 0, 0.4]");
    let error = Runner::new(&scene(&sunk)).err().unwrap();
    assert!(matches!(error, RunError::Tangled { .. }), "{error}");
    assert!(error.to_string().contains("body triangle"), "{error}");
    let nowhere = DRAPE.replace(
        "position = [0, 0, 0.6]",
        "pin = [{ select = { near = [9, 9, 9], radius = 0.1 } }]",
    );
    let error = Runner::new(&scene(&nowhere)).err().unwrap().to_string();
    assert!(error.contains("the selection chooses no vertex"), "{error}");
}
