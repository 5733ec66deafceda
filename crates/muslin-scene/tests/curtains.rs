//! What scene files can say about curtains: contact, pleats, tie-backs, winds, figures (XU).

use muslin::curtain::{Curtain, CurtainSpec, Gap, PanelSpec, Rail, Top, folds};
use muslin::judge;
use muslin::math::Vec3;
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use std::path::Path;

fn scene(text: &str, overrides: &[&str]) -> SceneSpec {
    let overrides: Vec<String> = overrides.iter().map(|&o| o.to_owned()).collect();
    SceneSpec::from_toml(text, "test.toml", &overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn runner(text: &str, overrides: &[&str]) -> Runner {
    Runner::new(&scene(text, overrides)).unwrap_or_else(|error| panic!("{error}"))
}

/// Crossings of the present frame, by the judge: of cloth with itself, and with bodies.
fn crossings(runner: &Runner) -> [usize; 2] {
    let (topology, frame) = (runner.topology(), runner.frame());
    let count = frame.positions.len() as u32;
    let (cloth, bodies): (Vec<[u32; 3]>, Vec<[u32; 3]>) =
        topology.triangles.iter().partition(|t| t[0] < count);
    let bodies: Vec<[u32; 3]> = bodies.iter().map(|t| t.map(|v| v - count)).collect();
    let between = judge::crossing_pairs(&frame.positions, &cloth, &frame.bodies, &bodies);
    [judge::intersecting_pairs(&frame.positions, &cloth).len(), between.len()]
}

/// Two curtains blown into each other, a chest with sharp edges and a post, which is no shape that the
/// bounded passes know.
const BLOWN: &str = r#"
fps = 30
[solver]
dynamics = "curtain"
contact = "robust"
[contact]
thickness = 0.003
[[wind]]
name = "gust"
uniform = { velocity = [[0, [0.2, 1.5, 0]], [1, [-0.3, 4, 0.3]], [2, [0.3, 1, 0]]] }
turbulence = { amplitude = 0.5, length = 0.6, frequency = 3, seed = 3 }
[[cloth]]
grid = { size = [0.8, 0.8], vertices = [7, 9] }
rods = { style = "wave", sections = [4, 4], uneven = 0.3, seed = 2 }
fabric = { density = 0.1, friction = 0.3 }
hang = { rail = { from = [0, 0, 1], to = [0.5, 0, 1] } }
[[cloth]]
grid = { size = [0.8, 0.8], vertices = [7, 9] }
rods = { style = "wave", sections = [4, 4], uneven = 0.3, seed = 3 }
fabric = { density = 0.25, friction = 0.3 }
hang = { rail = { from = [0, 0.15, 1], to = [0.5, 0.15, 1] } }
[[body]]
name = "chest"
box = { size = [0.3, 0.25, 0.35] }
position = [0.15, 0.5, 0.45]
rotation = [10, 20, 35]
[[body]]
name = "post"
cylinder = { radius = 0.03, length = 1 }
position = [0.45, 0.4, 0.5]
"#;

/// R1, V8: with robust contact no frame has a crossing, and what rods and widths are wrong by is
/// reported. With bounded contact and no post, the same curtains do cross.
#[test]
fn r1_robust_curtains_pass_through_nothing() {
    let mut runner = runner(BLOWN, &[]);
    let (mut stopped, mut rods, mut width) = (0, 0.0_f64, 0.0_f64);
    for frame in 1..=75 {
        let report = runner.advance().unwrap_or_else(|error| panic!("frame {frame}: {error}"));
        let real_time = report.real_time.unwrap();
        assert_eq!(crossings(&runner), [0, 0], "frame {frame}: {real_time:?}");
        assert!(report.pinched_vertices.is_empty(), "frame {frame}");
        assert_eq!(real_time.contacts_left + real_time.inside + real_time.edges_inside, 0);
        stopped += report.contact.impulses + report.contact.repulsions;
        rods = rods.max(real_time.rod_error);
        width = width.max(real_time.width_excess);
    }
    eprintln!("{stopped} collisions stopped, rods wrong by {rods}, width excess {width}");
    assert!(stopped > 200, "{stopped} collisions stopped");
    assert!(rods > 1e-9 && rods < 0.1, "rods are wrong by {rods}");
    assert!(width < 0.1, "widths exceed by {width}");
}

/// R3: robust curtains go on from a snapshot with the same bits.
#[test]
fn r3_robust_curtains_resume() {
    let mut straight = runner(BLOWN, &[]);
    for _ in 0..35 {
        straight.advance().unwrap();
    }
    let mut resumed = runner(BLOWN, &[]);
    resumed.restore(&straight.snapshot(), 35).unwrap();
    for _ in 0..4 {
        straight.advance().unwrap();
        resumed.advance().unwrap();
        assert!(straight.frame() == resumed.frame());
    }
}

/// R6: bounded contact refuses what it does not know, and says what to do.
#[test]
fn r6_bounded_contact_knows_boxes_capsules_and_balls() {
    let scene = scene(BLOWN, &["solver.contact=bounded"]);
    let error = Runner::new(&scene).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(error.contains("post") && error.contains("contact = \"robust\""), "{error}");
}

const PLAIN: &str = r#"
fps = 30
[solver]
dynamics = "curtain"
contact = "none"
[[wind]]
name = "breeze"
uniform = { velocity = [0, 0, 0] }
[[cloth]]
name = "curtain"
grid = { size = [2, 1], vertices = [9, 6] }
rods = { style = "wave", sections = [4, 4] }
fabric = { density = 0.2 }
hang = { rail = { from = [0, 0, 1], to = [1, 0, 1] } }
"#;

/// XU8: every style of heading can be asked for, and is the library's.
#[test]
fn scene_files_reach_every_pleat_style() {
    let styles: [(&str, Vec<Gap>); 4] = [
        ("wave", folds::wave(8, 2.0, 4)),
        ("pinch", folds::pinch_pleat(2, 2.0)),
        ("goblet", folds::goblet(4, 2.0)),
        // The seed of the scene, 1, and that of the rods.
        ("random", folds::random(8, 2.0, (4, 4), 8)),
    ];
    for (style, gaps) in styles {
        let override_ = format!("cloth.curtain.rods.style=\"{style}\"");
        let mut runner = runner(PLAIN, &[&override_, "cloth.curtain.rods.seed=7"]);
        let expected = Curtain::new(&CurtainSpec {
            panels: vec![PanelSpec {
                rows: 6,
                height: 1.0,
                gaps,
                top: Top::Rail(Rail::fixed(Vec3::Z, Vec3::new(1.0, 0.0, 1.0))),
                ..PanelSpec::default()
            }],
            ..CurtainSpec::default()
        });
        let expected = expected.unwrap();
        let x = runner.frame().positions;
        assert_eq!(x.len(), expected.positions().len(), "{style}");
        // The library's curtain keeps bunched layers apart, which this one without contact does not.
        for (a, b) in x.iter().zip(expected.positions()) {
            assert!(a.distance(*b) < 1e-9, "{style}: {a} {b}");
        }
        for _ in 0..30 {
            let report = runner.advance().unwrap();
            assert!(report.stretch_max < 0.01, "{style}: {}", report.stretch_max);
        }
    }
}

/// XU1: a tie-back gathers its row to its width while it is closed, and lets it go.
#[test]
fn tie_backs_gather_their_row() {
    let text = format!(
        "{PLAIN}\n[[cloth.hang.tie_back]]\nheight = 0.6\nhook = [0.5, 0, 0.4]\nwidth = 0.3\n\
         engaged = [[0, 0], [1, 1], [2, 1], [2.5, 0]]\n"
    )
    .replace(
        "hang = { rail = { from = [0, 0, 1], to = [1, 0, 1] } }",
        "[cloth.hang]\nrail = { from = [0, 0, 1], to = [1, 0, 1] }",
    );
    let mut runner = runner(&text, &[]);
    // Row 3 of 0 to 5 is at 0.6 of the height; a row has 33 vertices.
    let across = |runner: &Runner| {
        let x = runner.frame().positions;
        let row = &x[3 * 33..4 * 33];
        [row[0].x, row[32].x]
    };
    let [left, right] = across(&runner);
    assert!((right - left - 1.0).abs() < 1e-9);
    for _ in 0..55 {
        runner.advance().unwrap();
    }
    let [left, right] = across(&runner);
    // Nine columns in the middles of ninths of the width.
    assert!((right - left - 0.3 * 8.0 / 9.0).abs() < 0.03, "{left} {right}");
    assert!((0.5 * (left + right) - 0.5).abs() < 0.03, "{left} {right}");
    for _ in 0..150 {
        runner.advance().unwrap();
    }
    let [left, right] = across(&runner);
    assert!(right - left > 0.8, "{left} {right}");
}

/// Mean of the last row.
fn hem(runner: &Runner) -> Vec3 {
    let x = runner.frame().positions;
    x[5 * 33..].iter().sum::<Vec3>() / 33.0
}

/// XU3, XU9: winds are keyframed, and `--set` changes where they blow, uniform, conical and cylindrical.
#[test]
fn winds_are_keyframed_and_set() {
    let uniform = "wind.breeze.uniform.velocity=[[1, [0, 0, 0]], [1.2, [0, 3, 0]]]";
    let against = "wind.breeze.uniform.velocity=[[1, [0, 0, 0]], [1.2, [0, -3, 0]]]";
    let source = "wind = [{ name = \"breeze\", SHAPE }]";
    let with = |shape: &str| {
        let plain = "[[wind]]\nname = \"breeze\"\nuniform = { velocity = [0, 0, 0] }\n";
        assert!(PLAIN.contains(plain));
        format!("{}\n{}", source.replace("SHAPE", shape), PLAIN.replace(plain, ""))
    };
    let force = "force = [[1, [0, 0, 0]], [1.2, [0, 8, 0]]]";
    let cone = with(&format!(
        "cone = {{ apex = [0.5, -3, 0.5], base_center = [0.5, -1, 0.5], base_radius = 1, {force} }}"
    ));
    let cylinder =
        with(&format!("cylinder = {{ base_center = [0.5, -1, 0.5], radius = 1, {force} }}"));
    for (text, overrides, sign) in [
        (PLAIN, &[uniform][..], 1.0),
        (PLAIN, &[against], -1.0),
        (&cone, &[], 1.0),
        (&cylinder, &[], 1.0),
    ] {
        let mut runner = runner(text, overrides);
        for _ in 0..30 {
            runner.advance().unwrap();
        }
        assert!(hem(&runner).y.abs() < 1e-6, "still at {}", hem(&runner));
        for _ in 0..20 {
            runner.advance().unwrap();
        }
        assert!(sign * hem(&runner).y > 0.02, "blown to {}", hem(&runner));
    }
}

/// XU7: a figure of jointed capsules that walks through a curtain pushes it ahead.
#[test]
fn a_walking_figure_pushes_a_curtain() {
    let figure = r#"
[[body]]
name = "trunk"
capsule = { radius = 0.1, length = 0.3 }
position = [[0, [0.5, -0.6, 0.6]], [1, [0.5, 0.05, 0.6]]]
[[body]]
name = "leg"
capsule = { radius = 0.06, length = 0.3 }
parent = "trunk"
position = [0, 0, -0.2]
pivot = [0, 0, 0.2]
rotation = [[0, [-30, 0, 0]], [0.5, [30, 0, 0]], [1, [-30, 0, 0]]]
"#;
    let text = format!("{PLAIN}{figure}").replace("contact = \"none\"", "contact = \"bounded\"");
    let mut runner = runner(&text, &[]);
    let (mut met, mut deepest) = (0, 0.0_f64);
    for _ in 0..30 {
        let real_time = runner.advance().unwrap().real_time.unwrap();
        met += real_time.body_contacts;
        deepest = deepest.max(real_time.deepest);
    }
    assert!(met > 50, "met {met} times");
    assert!(hem(&runner).y > 0.05, "pushed to {}", hem(&runner));
    assert!(deepest < 0.005, "{deepest}");
}

/// XU7, V8: the figure of `curtain-walk` goes through the curtains. Widths stay within 1 %, rods keep their length, and
/// no frame has a crossing by the judge.
#[test]
fn a_figure_walks_through_curtains() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/curtain-walk.toml");
    let scene = SceneSpec::from_file(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut runner = Runner::new(&scene).unwrap_or_else(|error| panic!("{error}"));
    let (mut met, mut width) = (0, 0.0_f64);
    for frame in 1..=100 {
        let report = runner.advance().unwrap();
        let real_time = report.real_time.unwrap();
        met += real_time.body_contacts;
        width = width.max(real_time.width_excess);
        assert!(real_time.rod_error < 1e-9, "frame {frame}: {}", real_time.rod_error);
        // The judge is slower than the curtains: every fifth frame while they touch.
        if frame % 5 == 0 && real_time.body_contacts > 0 {
            assert_eq!(crossings(&runner), [0, 0], "frame {frame}");
        }
    }
    eprintln!("met {met} times, width excess {width}");
    assert!(met > 1000, "met {met} times");
    assert!(width <= 0.01, "widths exceed by {width}");
}
