//! `muslin dress`: sews, says how it went, and saves a state that a run starts from.

use crate::support::{json, says, scene};

const SEWN: &str = r#"
fps = 24
frames = 2
gravity = [0, 0, 0]
[solver]
contact = "none"
[[cloth]]
name = "bag"
[[cloth.panel]]
name = "a"
outline = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]
edge_length = 0.05
[[cloth.panel]]
name = "b"
outline = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]]
edge_length = 0.05
position = [0.12, 0, 0.01]
[[cloth.seam]]
a = { panel = "a", edge = 1 }
b = { panel = "b", edge = 3, reverse = true }
closing_time = 0.1
"#;

#[test]
fn dressing_is_saved_and_used() {
    let folder = scene("dress", SEWN);
    let result = json(&folder, "dress scene.toml --save sewn.npz", 0);
    assert_eq!(result["dressing"]["stitches"], 3);
    // The panels stood 0.02 m apart and 0.01 m above each other.
    let gap = result["dressing"]["gap_before"].as_f64().unwrap();
    assert!((gap - 0.02_f64.hypot(0.01)).abs() < 1e-12, "{gap}");
    assert!(result["dressing"]["gap_after"].as_f64().unwrap() < gap / 10.0);
    let (out, _) = says(&folder, "dress scene.toml", 0);
    assert!(out.contains("closed 3 stitches") && out.contains("scene.dressed.npz"), "{out}");
    let set = "--set cloth.bag.initial.file=sewn.npz --no-sheet";
    let result = json(&folder, &format!("run scene.toml {set}"), 0);
    assert_eq!(result["vertices"], 15);
}

#[test]
fn nothing_to_sew_is_said() {
    let folder = scene("dress-nothing", "[[cloth]]\ngrid = { size = [1, 1], vertices = [3, 3] }\n");
    let (_, err) = says(&folder, "dress scene.toml", 2);
    assert!(err.contains("nothing to sew"), "{err}");
}
