//! Scenes with the built-in figure.

use muslin::judge;
use muslin::math::Vec3;
use muslin_figure::{Figure, Joint, Motion, Performance, PoseData, Proportions};
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;

fn parse(text: &str) -> Result<SceneSpec, String> {
    SceneSpec::from_toml(text, "test.toml", &[]).map_err(|error| error.to_string())
}

fn scene(text: &str) -> SceneSpec {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

const DRAPED: &str = r#"
fps = 24
[[cloth]]
name = "shawl"
grid = { size = [0.5, 0.3], vertices = [21, 13] }
position = [0.33, 0.03, 1.45]
[[body]]
name = "figure"
mannequin = { triangles = 10000, motion = "twist", blend = 0.4 }
"#;

/// The body moves exactly as the figure does, at any time, and cloth rests on it without a single
/// crossing pair of triangles.
#[test]
fn a_shawl_lies_on_the_shoulder_of_a_figure_that_turns() {
    let mut runner = Runner::new(&scene(DRAPED)).unwrap();
    for _ in 0..6 {
        runner.advance().unwrap();
    }
    let frame = runner.frame();
    let figure = Figure::new(&Proportions { triangles: 10_000, ..Proportions::woman() }).unwrap();
    let performance = Performance {
        from: PoseData::REST,
        motion: Motion::by_name("twist", figure.skeleton()).unwrap(),
        start: 0.0,
        speed: 1.0,
        blend: 0.4,
    };
    let mut expected = figure.mesh().positions.clone();
    figure.positions(&performance.at(6.0 / 24.0), &mut expected);
    assert_eq!(frame.bodies.len(), expected.len());
    let off = frame.bodies.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(off < 1e-12, "{off}");
    let topology = runner.topology();
    let crossings = judge::crossing_pairs(
        &frame.positions,
        &topology.triangles,
        &frame.bodies,
        &figure.mesh().triangles,
    );
    assert!(crossings.is_empty(), "{} crossings", crossings.len());
    // Free fall would have taken all of it ½ g t² = 0.31 m down; the shoulder has not let it.
    let lowest_free = 1.45 - 0.5 * 9.81 * (6.0_f64 / 24.0).powi(2) + 0.05;
    let highest = frame.positions.iter().map(|x| x.z).fold(f64::NEG_INFINITY, f64::max);
    assert!(highest > lowest_free, "{highest}");
}

/// Cloth pinned to a bone goes where the bone goes.
#[test]
fn a_pin_on_a_bone_moves_with_it() {
    let text = r#"
fps = 24
[[cloth]]
grid = { size = [0.4, 0.4], vertices = [5, 5] }
position = [0, 0.6, 1.3]
[[cloth.pin]]
select = { corners = ["u0v0"] }
on_body = "figure.head"
[[body]]
name = "figure"
position = [0.1, 0, 0]
mannequin = { triangles = 10000, motion = "walk", blend = 0.2 }
"#;
    let mut runner = Runner::new(&scene(text)).unwrap();
    let before = runner.frame().positions;
    for _ in 0..3 {
        runner.advance().unwrap();
    }
    let after = runner.frame().positions;
    let figure = Figure::new(&Proportions { triangles: 10_000, ..Proportions::woman() }).unwrap();
    let performance = Performance {
        from: PoseData::REST,
        motion: Motion::by_name("walk", figure.skeleton()).unwrap(),
        start: 0.0,
        speed: 1.0,
        blend: 0.2,
    };
    let bone = figure.bone_transforms(&performance.at(3.0 / 24.0))[Joint::Head.index()];
    let shift = Vec3::X * 0.1;
    let moved = |x: Vec3| bone.apply(x - shift) + shift;
    let held = (0..before.len()).filter(|&v| after[v].distance(moved(before[v])) < 1e-9).count();
    assert_eq!(held, 1);
}

#[test]
fn proportions_motions_and_bones_that_do_not_exist_are_named() {
    let with = |body: &str| {
        format!(
            "[[cloth]]\ngrid = {{ size = [1, 1], vertices = [5, 5] }}\n[[body]]\nname = \"figure\"\n{body}"
        )
    };
    for (body, message) in [
        ("mannequin = { waist = 70 }", "waist"),
        ("mannequin = { triangles = 5 }", "10000 to 40000"),
        ("mannequin = { height = 175 }", "centimetres"),
        ("mannequin = { motion = \"danse\" }", "did you mean \"dance\"?"),
        ("mannequin = { pose = \"sti\" }", "sit"),
        ("mannequin = { motion = \"missing.bvh\" }", "which is not there"),
        ("mannequin = { range = [2, 1] }", "range[1]"),
        ("mannequin = { chst = 1 }", "chest"),
    ] {
        let error = parse(&with(body)).expect_err(body);
        assert!(error.contains(message), "{body}: {error}");
    }
}
