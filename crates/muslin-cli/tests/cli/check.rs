//! `muslin check` finds what was planted, and nothing else.

use crate::support::{DRAPE, HandMade, json, says, scene, scratch};
use muslin::math::Vec3;
use muslin_scene::cache::UpAxis;
use serde_json::{Value, json as object};
use std::fs;

/// Frames of the hand-made cache: clean, cloth in cloth, cloth in the body, cloth below the plane.
fn planted() -> HandMade {
    let clean = HandMade::squares();
    // One corner of the upper square dips through the lower one.
    let mut in_cloth = clean.clone();
    in_cloth[4] = Vec3::new(0.5, 0.4, -0.5);
    let moved = |by: Vec3| clean.iter().map(|x| *x + by).collect::<Vec<Vec3>>();
    // The wall stands in the plane x = 5, 0 ≤ y + z ≤ 1: lift the cloth a little to cross it.
    let in_body = moved(Vec3::new(4.5, 0.0, 0.25));
    // The floor is at z = −10 m: the lower square is below it, the upper one above.
    let below = moved(Vec3::new(0.0, 0.0, -10.5));
    HandMade { frames: vec![clean, in_cloth, in_body, below], up: UpAxis::Z }
}

#[test]
fn planted_crossings_are_found_in_their_frames_and_named() {
    let folder = scratch("check-planted");
    planted().write(&folder.join("bad.muslin"));
    let report = json(&folder, "check bad.muslin", 1);
    assert_eq!(report["ok"], false);
    let crossings: Vec<&Value> =
        report["frames"].as_array().unwrap().iter().map(|frame| &frame["crossings"]).collect();
    // At z = 0 the dipping upper square is cut along (2/3, 4/15) to (2/3, 3/5), all in triangle 0
    // (y < x), and from there to (1/3, 3/5), which passes into triangle 1. The wall meets both
    // halves of the lower square; the floor has both of them above.
    assert_eq!(crossings, [&object!(0), &object!(3), &object!(2), &object!(2)]);
    let named = |frame: u64| -> Vec<String> {
        let problems = report["problems"].as_array().unwrap().iter();
        let own = problems.filter(|p| p["frame"] == frame && p["kind"] == "crossing");
        own.map(|p| p["where"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        named(1),
        [
            "triangle 0 of cloth `squares` crosses triangle 2 of cloth `squares`",
            "triangle 0 of cloth `squares` crosses triangle 3 of cloth `squares`",
            "triangle 1 of cloth `squares` crosses triangle 3 of cloth `squares`",
        ]
    );
    assert_eq!(
        named(2),
        [
            "triangle 0 of cloth `squares` crosses triangle 0 of body `wall`",
            "triangle 1 of cloth `squares` crosses triangle 0 of body `wall`",
        ]
    );
    assert_eq!(named(3)[0], "triangle 0 of cloth `squares` is below body `floor`");
    // Frame 1: the edge from the dipping corner to (1, 0, 1) has length √(0.5² + 0.4² + 1.5²).
    let longest = (0.25_f64 + 0.16 + 2.25).sqrt().max((0.25_f64 + 0.36 + 2.25).sqrt());
    let stretch = report["frames"][1]["stretch_max"].as_f64().unwrap();
    assert!((stretch - (longest - 1.0)).abs() < 1e-12, "{stretch}");
    let (words, _) = says(&folder, "check bad.muslin", 1);
    assert!(words.contains("frame 2: triangle 0 of cloth `squares`"), "{words}");
    let few = json(&folder, "check bad.muslin --pairs 1", 1);
    let of_frame_1 = few["problems"].as_array().unwrap().iter().filter(|p| p["frame"] == 1);
    assert_eq!(of_frame_1.count(), 2, "one pair, and that there are more");
}

#[test]
fn a_clean_cache_is_clean_until_it_is_damaged() {
    let folder = scratch("check-clean");
    let clean = HandMade { frames: vec![HandMade::squares(); 3], up: UpAxis::Z };
    clean.write(&folder.join("good.muslin"));
    let report = json(&folder, "check good.muslin", 0);
    assert_eq!((&report["ok"], &report["problems"]), (&object!(true), &object!([])));
    assert_eq!(report["frames"].as_array().unwrap().len(), 3);
    assert_eq!(report["frames"][2]["stretch_max"], 0.0);
    let frame = folder.join("good.muslin/frames/frame_000001.npz");
    let mut bytes = fs::read(&frame).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&frame, bytes).unwrap();
    let report = json(&folder, "check good.muslin", 1);
    assert_eq!(report["problems"][0]["kind"], "damaged");
    assert_eq!(report["problems"][0]["frame"], 1);
    fs::remove_file(&frame).unwrap();
    let report = json(&folder, "check good.muslin", 1);
    assert_eq!(report["problems"][0]["kind"], "missing-frames");
}

#[test]
fn the_scene_s_own_checks_are_held_against_its_cache() {
    let with_checks = |checks: &str| format!("{DRAPE}\n[checks]\n{checks}\n");
    // The sheet starts at 0.4 m and ends above the ground, so these two hold.
    let folder = scene("check-expect", &with_checks("height = [0.0, 0.4]\nlowest = [0.0, 0.4]"));
    says(&folder, "run scene.toml -q --no-sheet", 0);
    assert_eq!(json(&folder, "check scene.muslin", 0)["ok"], true);
    // It cannot stay where it was, and some edge is stretched.
    fs::write(folder.join("scene.toml"), with_checks("lowest = [0.4, 0.5]\nstretch_max = 1e-9"))
        .unwrap();
    says(&folder, "run scene.toml -q --no-sheet --overwrite", 0);
    let report = json(&folder, "check scene.muslin", 1);
    let places: Vec<&str> = report["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["where"].as_str().unwrap())
        .collect();
    assert!(places.contains(&"checks.lowest"), "{places:?}");
    assert!(places.contains(&"checks.stretch_max"), "{places:?}");
}

/// The kinds of problem `check` finds in an OBJ file of this text.
fn kinds(name: &str, obj: &str) -> Vec<String> {
    let folder = scratch(name);
    fs::write(folder.join("mesh.obj"), obj).unwrap();
    let output = crate::support::muslin(&folder, "check mesh.obj --json");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let problems = report["problems"].as_array().unwrap();
    let expected = i32::from(!problems.is_empty());
    assert_eq!(output.status.code(), Some(expected), "{report}");
    problems.iter().map(|p| p["kind"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn planted_defects_of_meshes_are_found() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    assert_eq!(kinds("mesh-good", &format!("{square}f 1 2 3 4\n")), Vec::<String>::new());
    // A triangle that stands through the square.
    let through = "v 0.5 0.2 -1\nv 0.6 0.2 1\nv 0.5 0.4 1\n";
    let crossing = kinds("mesh-cross", &format!("{square}{through}f 1 2 3 4\nf 5 6 7\n"));
    assert!(!crossing.is_empty() && crossing.iter().all(|kind| kind == "crossing"));
    assert_eq!(kinds("mesh-flat", &format!("{square}f 1 2 3 4\nf 1 2 2\n"))[0], "degenerate");
    // Both triangles run from vertex 1 to vertex 3.
    assert_eq!(kinds("mesh-winding", &format!("{square}f 2 1 3\nf 1 3 4\n")), ["inverted"]);
    let uv = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.9 0.1\n";
    let folded = format!("{square}{uv}f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n");
    assert_eq!(kinds("mesh-uv-fold", &folded), ["uv-flipped"]);
    let collapsed = format!("{square}vt 0 0\nvt 1 0\nf 1/1 2/2 3/1\nf 1/1 3/2 4/2\n");
    assert_eq!(kinds("mesh-uv-line", &collapsed), ["uv-degenerate", "uv-degenerate"]);
    assert_eq!(kinds("mesh-nan", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").len(), 1);
}

#[test]
fn scenes_are_checked_before_they_run() {
    let folder = scene("check-scene", DRAPE);
    let report = json(&folder, "check scene.toml", 0);
    assert_eq!(report["frames"][0]["crossings"], 0);
    assert_eq!(json(&folder, "check @hang", 0)["ok"], true);
    fs::write(folder.join("bad.toml"), "fpss = 24\n[[cloth]]\ngrid = { size = [1, 1] }\n").unwrap();
    let report = json(&folder, "check bad.toml", 1);
    assert_eq!(report["problems"][0]["kind"], "unknown-key");
    assert_eq!(report["problems"][0]["where"], "bad.toml:1:1");
    assert_eq!(json(&folder, "check nope.toml", 2)["error"]["kind"], "unreadable");
    assert_eq!(json(&folder, "check nope", 2)["error"]["kind"], "unreadable");
}
