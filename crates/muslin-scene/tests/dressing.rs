//! Garments from patterns, sewn around bodies before frame 0 (BW15).

#![expect(clippy::unwrap_used, reason = "helpers of tests, which fail by panicking")]

mod common;

use common::crossings;
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use std::path::PathBuf;

/// A folder of its own for each test, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("muslin-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn runner(&self, scene: &str) -> Runner {
        let path = self.0.join("scene.toml");
        std::fs::write(&path, scene).unwrap();
        let scene = SceneSpec::from_file(&path, &[]).unwrap_or_else(|e| panic!("{e}"));
        Runner::new(&scene).unwrap_or_else(|e| panic!("{e}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// A tube of two panels around an upright cylinder of radius 0.1 m.
const SLEEVE: &str = r#"
name = "Sleeve"
[parameters]
girth = 0.66
w = "girth / 4"
[[panel]]
name = "front"
start = ["-w", 0]
edge = [
  { name = "hem", to = ["w", 0] },
  { name = "left", to = ["w", 0.12] },
  { name = "top", to = ["-w", 0.12] },
  { name = "right" },
]
position = [0, -0.14, 0]
wrap = { radius = 0.14 }
[[panel]]
name = "back"
start = ["-w", 0]
edge = [
  { name = "hem", to = ["w", 0] },
  { name = "right", to = ["w", 0.12] },
  { name = "top", to = ["-w", 0.12] },
  { name = "left" },
]
position = [0, 0.14, 0]
rotation = [0, 0, 180]
wrap = { radius = 0.14 }
[[seam]]
name = "left"
a = ["front.left"]
b = ["back.left"]
[[seam]]
name = "right"
a = ["front.right"]
b = ["back.right"]
"#;

const AROUND: &str = r#"
fps = 24
frames = 4
[[body]]
name = "post"
cylinder = { radius = 0.1, length = 0.8 }
[[body]]
name = "shelf"
box = { size = [0.6, 0.6, 0.04] }
position = [0, 0, -0.04]
[[cloth]]
name = "sleeve"
pattern = { file = "sleeve.toml", edge_length = 0.04, parameters = { girth = GIRTH } }
fabric = "cotton poplin"
"#;

/// BW15: a garment 4 % tighter than the body closes all the same, and is as wide as the body then.
#[test]
fn bw15_tight_garments_close() {
    let folder = Folder::new("tight");
    std::fs::write(folder.0.join("sleeve.toml"), SLEEVE).unwrap();
    let girth = 0.96 * std::f64::consts::TAU * 0.1;
    let runner = folder.runner(&AROUND.replace("GIRTH", &girth.to_string()));
    let report = runner.dressing().unwrap();
    assert!(report.gap_before > 0.02 && report.gap_after < 5e-4, "{report:?}");
    assert_eq!((report.pinched, report.tangled, crossings(&runner)), (0, 0, 0), "{report:?}");
    // Around the cylinder no vertex is nearer to the axis than the cylinder.
    let x = runner.frame().positions;
    let nearest = x.iter().map(|x| x.truncate().length());
    assert!(nearest.fold(f64::INFINITY, f64::min) > 0.1);
}

/// Panels, their edges and their names are vertex groups: a pin that holds `front.top` holds it.
#[test]
fn groups_of_patterns_can_be_held() {
    let folder = Folder::new("groups");
    std::fs::write(folder.0.join("sleeve.toml"), SLEEVE).unwrap();
    let pinned = AROUND.replace("GIRTH", "0.75")
        + "[[cloth.pin]]\nselect = { group = \"front.top\" }\n[[cloth.pin]]\nselect = { group = \"back.top\" }\n";
    let mut runner = folder.runner(&pinned);
    let before = runner.frame().positions;
    let top = before.iter().map(|x| x.z).fold(f64::NEG_INFINITY, f64::max);
    let held: Vec<usize> = (0..before.len()).filter(|&v| before[v].z > top - 0.02).collect();
    for _ in 0..4 {
        runner.advance().unwrap();
    }
    let after = runner.frame().positions;
    assert!(held.iter().all(|&v| after[v] == before[v]), "held vertices moved");
}

/// BW3: an elastic band is shorter by its factor where nothing stretches it; a button holds its points
/// together; stitches without a gap are one vertex from the start.
#[test]
fn bands_shrink_and_buttons_hold() {
    let folder = Folder::new("bands");
    let pattern = r#"
name = "Strip"
[[panel]]
name = "strip"
start = [0, 0]
edge = [
  { name = "low", to = [0.4, 0] },
  { name = "end", to = [0.4, 0.08] },
  { name = "high", to = [0, 0.08] },
  { name = "start" },
]
[[panel]]
name = "flap"
start = [0, 0.08]
edge = [
  { name = "low", to = [0.4, 0.08] },
  { name = "end", to = [0.4, 0.16] },
  { name = "high", to = [0, 0.16] },
  { name = "start" },
]
[[seam]]
name = "middle"
a = ["strip.high"]
b = ["flap.low"]
[[elastic]]
name = "band"
edges = ["strip.low", "strip.high", "flap.low", "flap.high"]
width = 0.08
shrink = 0.8
[[button]]
name = "button"
a = { panel = "strip", at = [0, 0] }
b = { panel = "strip", at = [0.4, 0] }
"#;
    std::fs::write(folder.0.join("strip.toml"), pattern).unwrap();
    let text = "gravity = [0, 0, 0]\n[air]\ndensity = 0\n[solver]\ncontact = \"none\"\n[[cloth]]\n\
                pattern = { file = \"strip.toml\", edge_length = 0.04 }\n";
    let loose = pattern.split("[[button]]").next().unwrap();
    std::fs::write(folder.0.join("loose.toml"), loose).unwrap();
    let open = folder.runner(&text.replace("strip.toml", "loose.toml"));
    assert_eq!(open.dressing().unwrap().stitches, 0, "all stitches are closed from the start");
    let length = |runner: &Runner| {
        let x = runner.frame().positions;
        let ends = x.iter().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.x), b.max(p.x)));
        ends.1 - ends.0
    };
    assert!((length(&open) / 0.4 - 0.8).abs() < 0.01, "{} m", length(&open));
    let mut buttoned = folder.runner(text);
    for _ in 0..24 {
        buttoned.advance().unwrap();
    }
    assert!(length(&buttoned) < 0.25, "the ends are drawn together: {} m", length(&buttoned));
}

/// Polygons in a scene become panels like any other.
#[test]
fn panels_of_any_outline_are_meshed() {
    let folder = Folder::new("polygons");
    let text = r#"
gravity = [0, 0, 0]
[solver]
contact = "none"
[[cloth]]
[[cloth.panel]]
name = "a"
outline = [[0, 0], [0.2, 0], [0.1, 0.15]]
edge_length = 0.04
[[cloth.panel]]
name = "b"
outline = [[0, 0], [0.1, -0.15], [0.2, 0]]
edge_length = 0.04
position = [0, -0.03, 0]
[[cloth.seam]]
a = { panel = "a", edge = 0 }
b = { panel = "b", edge = 2, reverse = true }
closing_time = 0.2
"#;
    let runner = folder.runner(text);
    let report = runner.dressing().unwrap();
    assert!((report.gap_before - 0.03).abs() < 1e-9 && report.gap_after < 1e-3, "{report:?}");
    let topology = runner.topology();
    let x = runner.frame().positions;
    let area: f64 = topology
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| x[v as usize]);
            0.5 * (b - a).cross(c - a).length()
        })
        .sum();
    assert!((area / 0.03 - 1.0).abs() < 0.02, "two triangles of 0.015 m²: {area}");
}

/// A panel can be of a fabric of its own; all panels of a garment are in one layer, and a pattern that says
/// otherwise is refused.
#[test]
fn panels_have_fabrics_of_their_own_and_share_a_layer() {
    let folder = Folder::new("patches");
    let squares = r#"
[[panel]]
name = "a"
start = [0, 0]
edge = [{ to = [0.2, 0] }, { name = "right", to = [0.2, 0.2] }, { to = [0, 0.2] }, {}]
[[panel]]
name = "b"
start = [0.2, 0]
edge = [{ to = [0.4, 0] }, { to = [0.4, 0.2] }, { to = [0.2, 0.2] }, { name = "left" }]
OWN
[[seam]]
name = "middle"
a = ["a.right"]
b = ["b.left"]
"#;
    let scene = "[solver]\ncontact = \"none\"\n[[cloth]]\nfabric = \"muslin\"\n\
                 pattern = { file = \"two.toml\", edge_length = 0.05 }\n";
    let read = |own: &str| {
        std::fs::write(folder.0.join("two.toml"), squares.replace("OWN", own)).unwrap();
        std::fs::write(folder.0.join("scene.toml"), scene).unwrap();
        let scene = SceneSpec::from_file(&folder.0.join("scene.toml"), &[]).unwrap();
        Runner::new(&scene).map_err(|e| e.to_string())
    };
    assert!(read("fabric = \"denim\"").is_ok());
    let unknown = read("fabric = \"denm\"").err().unwrap();
    assert!(unknown.contains("denm") && unknown.contains("denim"), "{unknown}");
    let layers = read("layer = 2").err().unwrap();
    assert!(layers.contains("panel a is in layer 0 and panel b in layer 2"), "{layers}");
}

/// What a scene gets wrong about a pattern is said.
#[test]
fn unknown_patterns_and_parameters_are_named() {
    let wrong = |pattern: &str| {
        let text = format!("[[cloth]]\npattern = {pattern}\n");
        match SceneSpec::from_toml(&text, "test.toml", &[]) {
            Err(error) => error.to_string(),
            Ok(scene) => Runner::new(&scene).err().map_or_else(String::new, |e| e.to_string()),
        }
    };
    assert!(wrong("\"@toga\"").contains("toga"));
    let text = wrong("{ file = \"@poncho\", parameters = { sleeves = 2 } }");
    assert!(text.contains("sleeves"), "{text}");
}
