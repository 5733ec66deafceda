//! numpy opens a cache without Muslin: the example in `docs/cache.md`, and an independent check.

use std::process::Command;

use super::*;

const DOCUMENT: &str = include_str!("../../../../../docs/cache.md");

/// Recomputes the fingerprint and looks at every array, with numpy and the standard library alone.
const CHECK: &str = r#"
import hashlib, json, pathlib, sys
import numpy as np
root = pathlib.Path(sys.argv[1])
manifest = json.loads((root / "manifest.json").read_text())
topology = np.load(root / "topology.npz")
cloth, body = 3, 4
assert topology["triangles"].shape == (5, 3) and topology["triangles"].max() == cloth + body - 1
assert topology["corner_uv"].shape == (5, 3, 2) and topology["corner_uv"][4, 2, 0] == 4.0
assert topology["polygon_offsets"].tolist() == [0, 3, 6, 9, 12, 15]
assert topology["polygon_vertices"].shape == (15,)
assert topology["polygon_materials"].dtype == np.int32
assert topology["polygon_materials"].tolist() == [-1, 1, 0, -1, 1]
assert json.loads(topology["material_names"].tobytes()) == ['moss "wet"', "pierre gris\u00e9e"]
assert topology["texture_uv"].tolist() == [[0.25, 0.5], [-1.0, 2.0]]
assert topology["polygon_uv"].tolist() == [-1] * 3 + [1, 0] * 6
assert topology["surface_vertices"].tolist() == [[0, 3], [3, 4]]
assert topology["edges"].tolist() == [[0, 1], [1, 2], [0, 2]]
assert topology["rest_lengths"].tolist() == [1.0, 1.0, 2.0]
assert topology["body_positions"][3].tolist() == [0.0, 0.0, 1.0]
digest = hashlib.sha256()
for path in sorted((root / "frames").glob("frame_*.npz")):
    frame = np.load(path)
    assert frame["positions"].shape == (cloth, 3) and frame["positions"].dtype == np.float64
    assert frame["velocities"].shape == (cloth, 3) and frame["bodies"].shape == (0, 3)
    assert float(frame["time"]) == sum([1 / 24] * int(frame["frame"]), 0.0)
    assert json.loads(frame["report"].tobytes())["speed"] >= 0.0
    digest.update(frame["positions"].tobytes())
assert digest.hexdigest() == manifest["fingerprint"]
assert hashlib.sha256((root / "scene.toml").read_bytes()).hexdigest() == manifest["scene_sha256"]
state = np.load(root / "checkpoints" / "checkpoint_000005.npz")
assert state["x"].dtype == np.float64 and state["random.state"].view(np.uint64).shape == (1,)
assert state["note"].tobytes() == b"toy" and int(state["frame"]) == 5
"#;

fn python(script: &str, argument: &Path) -> std::process::Output {
    Command::new("python3").arg("-c").arg(script).arg(argument).output().unwrap()
}

#[test]
fn numpy_reads_what_the_document_says() {
    let found = Command::new("python3").args(["-c", "import numpy"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 with numpy is not installed");
        return;
    }
    let scratch = Scratch::new();
    let dir = scratch.cache();
    finished(&dir);
    let checked = python(CHECK, &dir);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));

    let (_, rest) = DOCUMENT.split_once("```python\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let shown = python(example, &dir);
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("frame 5") && text.contains("veil"), "{text}");
}
