//! Garments on people: sewn, welded, off the body and off themselves (BW15), and still on it frames later.

#![expect(clippy::unwrap_used, reason = "helpers of tests, which fail by panicking")]

mod common;

use common::crossings;
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use std::path::Path;

/// A mesh too coarse for pictures, fine enough to close.
const SCENE: &str = r#"
fps = 30
frames = 3
[[cloth]]
name = "garment"
pattern = PATTERN
fabric = "FABRIC"
[[body]]
name = "figure"
BODY
"#;

const MAN: &str = "mannequin = { build = \"man\", triangles = 10000 }";

fn scene(pattern: &str, fabric: &str, body: &str) -> String {
    SCENE.replace("PATTERN", pattern).replace("FABRIC", fabric).replace("BODY", body)
}

fn runner(text: &str, folder: &Path) -> Runner {
    let name = folder.join("scene.toml").display().to_string();
    let spec = SceneSpec::from_toml(text, &name, &[]).unwrap_or_else(|e| panic!("{e}"));
    Runner::new(&spec).unwrap_or_else(|e| panic!("{e}"))
}

/// Widest gap of a seam that counts as closed, and is welded [m].
const CLOSED: f64 = 1e-3;

/// Sewn to the last stitch, crossing nothing.
fn closes(runner: &Runner) {
    let report = runner.dressing().unwrap();
    assert!(report.gap_before > 0.05 && report.gap_after < CLOSED, "{report:?}");
    assert_eq!((report.pinched, report.tangled, crossings(runner)), (0, 0, 0), "{report:?}");
}

/// Height of the lowest and the highest vertex of the cloth [m].
fn extent(runner: &Runner) -> [f64; 2] {
    let x = runner.frame().positions;
    let heights = x.iter().map(|x| x.z);
    heights.fold([f64::MAX, f64::MIN], |[low, high], z| [low.min(z), high.max(z)])
}

/// Both legs of the trousers close around the legs, and an elastic waist and friction keep them up: nothing
/// is pinned.
#[test]
fn bw15_trousers_close_and_stay_up() {
    let pattern = "{ file = \"@trousers\", edge_length = 0.06, parameters = { height = 1.8 } }";
    let mut runner = runner(&scene(pattern, "denim", MAN), Path::new("."));
    closes(&runner);
    let [hem, waist] = extent(&runner);
    // The pattern's own heights: hem at 3.5 %, waist at 62.5 % of the height.
    assert!((hem - 0.063).abs() < 0.04 && (waist - 1.125).abs() < 0.04, "{hem} m to {waist} m");
    for _ in 0..3 {
        runner.advance().unwrap();
    }
    assert_eq!(crossings(&runner), 0);
    assert!((extent(&runner)[1] - waist).abs() < 0.01, "they slid by 10 mm in a tenth of a second");
}

/// A pattern in `GarmentCode`'s format, sewn around the mannequin.
#[test]
fn bw15_a_garment_code_shirt_closes() {
    let pattern = "{ file = \"@box-shirt\", edge_length = 0.06 }";
    closes(&runner(&scene(pattern, "cotton poplin", MAN), Path::new(".")));
}

/// A pattern and a body of other programs, made for each other: the seams meet in the armpits too.
#[test]
fn bw15_a_pattern_and_a_body_of_other_programs_close() {
    let Ok(shared) = std::env::var("MUSLIN_SHARED") else {
        eprintln!("SKIPPED: MUSLIN_SHARED names no folder with data/patterns and data/bodies");
        return;
    };
    let pattern = "{ file = \"patterns/shirt_mean_specification.json\", edge_length = 0.04 }";
    let body = "mesh = { file = \"bodies/mean_all.obj\" }";
    let text = format!("up = \"y\"\n{}", scene(pattern, "cotton poplin", body));
    closes(&runner(&text, &Path::new(&shared).join("data")));
}

/// A rigged figure of another program in a cape that a clasp holds.
#[test]
fn bf14_a_rigged_figure_keeps_its_cape() {
    let Ok(shared) = std::env::var("MUSLIN_SHARED") else {
        eprintln!("SKIPPED: MUSLIN_SHARED names no folder with data/bodies");
        return;
    };
    let pattern =
        "{ file = \"@cape\", edge_length = 0.07, parameters = { height = 1.45, r = 0.09 } }";
    let body = "gltf = { file = \"bodies/RiggedFigure.glb\", speed = 0.6 }";
    let text = scene(pattern, "cotton poplin", body);
    let mut runner = runner(&text, &Path::new(&shared).join("data"));
    let [_, neck] = extent(&runner);
    for _ in 0..12 {
        runner.advance().unwrap();
    }
    // What is not held falls ½ g (0.4 s)² = 0.78 m; the figure bends by less than a quarter of that.
    let top = extent(&runner)[1];
    assert!(neck > 1.0 && top > neck - 0.2, "from {neck} m to {top} m");
}
