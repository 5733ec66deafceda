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

/// R3 for mixed dynamics and springs: scheme B's midstep velocities are part of the snapshot too.
#[test]
fn r3_snapshots_of_explicit_dynamics() {
    let mixed = "[solver]\ndynamics = \"mixed\"\nscheme = \"B\"\n";
    let springs = "[solver]\ndynamics = \"springs\"\nmasses = \"equal\"\nstrain_rate_limit = 0.1\n";
    let sheet = "[[cloth]]\ngrid = { size = [0.3, 0.3], vertices = [7, 7] }\nposition = [0, 0, 0.06]\n\
                 [[body]]\nplane = {}\n";
    for solver in [mixed, springs] {
        let spec = scene(&format!("{solver}{sheet}"));
        let mut straight = Runner::new(&spec).unwrap();
        straight.advance().unwrap();
        straight.advance().unwrap();
        let mut resumed = Runner::new(&spec).unwrap();
        resumed.restore(&straight.snapshot(), 2).unwrap();
        for _ in 0..2 {
            let report = straight.advance().unwrap();
            resumed.advance().unwrap();
            assert!(straight.frame() == resumed.frame(), "frame {}", straight.frame_number());
            // As many steps as the stable one asks for, not four.
            let step = report.stable_step.unwrap();
            assert!(report.smallest_step <= step && report.smallest_step > 0.5 * step);
        }
        let x = straight.frame().positions;
        assert!(x.iter().all(|x| x.z > 0.0), "it lies on the ground");
    }
}

/// R6: springs are the same all over a cloth, and have no hinges to crease.
#[test]
fn r6_what_springs_cannot_do_is_said() {
    let sheet = "[solver]\ndynamics = \"springs\"\n[[cloth]]\ngrid = { size = [1, 1], vertices = [5, 5] }\n";
    let painted = format!("{sheet}fabric = {{ shear = {{ formula = \"10 + u\" }} }}\n");
    let error = Runner::new(&scene(&painted)).err().unwrap().to_string();
    assert!(error.contains("a painted `shear` with \"springs\" dynamics"), "{error}");
    let creased = format!("{sheet}crease = [{{ angle = 90, line = [[0.5, 0], [0.5, 1]] }}]\n");
    let error = SceneSpec::from_toml(&creased, "test.toml", &[]).unwrap_err();
    assert!(error.to_string().contains("\"springs\" dynamics has no hinges"), "{error}");
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
