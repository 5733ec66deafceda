//! `muslin finish`: finer caches that are as clean as what they were made from, whole or in parts.

use crate::support::{DRAPE, HandMade, assert_same, json, says, scene, scratch};
use muslin_scene::cache::{Cache, UpAxis};
use std::fs;
use std::path::PathBuf;

/// A small drape of five frames.
fn drape(name: &str) -> PathBuf {
    let folder = scene(name, &DRAPE.replace("frames = 12", "frames = 4"));
    says(&folder, "run scene.toml -o a.muslin --no-sheet --quiet", 0);
    folder
}

/// Twice subdivided, the drape has (4·8 + 1)² vertices, no crossings at any level, and passes for a run's
/// cache everywhere.
#[test]
fn a_finished_cache_is_a_cache() {
    let folder = drape("finish-whole");
    let result = json(&folder, "finish a.muslin -o b.muslin --subdivide 2", 0);
    assert_eq!((result["frames"].as_u64(), result["missing"].as_u64()), (Some(5), Some(0)));
    assert_eq!(result["vertices"].as_u64(), Some(33 * 33));
    let levels = result["finish"]["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 3);
    for level in levels {
        assert_eq!(*level, serde_json::json!({ "cloth": 0, "bodies": 0, "planes": 0 }));
    }
    says(&folder, "check b.muslin", 0);
    says(&folder, "render b.muslin -o b.png --frame 4", 0);
    says(&folder, "export b.muslin -o b.usda", 0);
    let (a, b) = (
        Cache::open(&folder.join("a.muslin")).unwrap(),
        Cache::open(&folder.join("b.muslin")).unwrap(),
    );
    assert_eq!(a.frame(3).unwrap().bodies, b.frame(3).unwrap().bodies);
    assert_eq!(a.frame(3).unwrap().time.to_bits(), b.frame(3).unwrap().time.to_bits());
}

/// Parts in any order, and again, give the bytes of the whole.
#[test]
fn parts_make_the_whole() {
    let folder = drape("finish-parts");
    says(&folder, "finish a.muslin -o whole.muslin --subdivide 1 --threads 2", 0);
    let part = |frames: &str| {
        let words =
            format!("finish a.muslin -o b.muslin --subdivide 1 --frames {frames} --threads 1");
        json(&folder, &words, 0)
    };
    assert_eq!(part("3..")["missing"].as_u64(), Some(3));
    assert_eq!(part("0..1")["missing"].as_u64(), Some(1));
    let again = part("0..3");
    assert_eq!((again["made"].as_u64(), again["missing"].as_u64()), (Some(1), Some(0)));
    assert_same(&folder.join("whole.muslin"), &folder.join("b.muslin"));
    // A frame that was damaged is made again.
    fs::write(folder.join("b.muslin/frames/frame_000002.npz"), "torn").unwrap();
    assert_eq!(part("..")["made"].as_u64(), Some(1));
    assert_same(&folder.join("whole.muslin"), &folder.join("b.muslin"));
}

/// MF8: cloth that meets a level set below its surface lies in it, which the check of the run says with how deep;
/// in the cleaned cache it would be a crossing, and there is none.
#[test]
fn cloth_in_a_level_set_is_told_until_it_is_cleaned_up() {
    let text = "
        fps = 24
        frames = 8
        [[cloth]]
        grid = { size = [0.3, 0.3], vertices = [13, 13] }
        position = [0, 0, 0.103]
        [[body]]
        name = \"ball\"
        sphere = { radius = 0.1 }
        collision = \"level-set\"
        level_set = { inset = 0.008 }
        [finish]
        cleanup = { margin = 0.002, reach = 0.01, depth = 0.008 }
    ";
    let folder = scene("finish-sunk", text);
    says(&folder, "run scene.toml -o a.muslin --no-sheet --quiet", 0);
    let notes = |cache: &str| json(&folder, &format!("check {cache}"), 0)["notes"].to_string();
    let told = notes("a.muslin");
    assert!(
        told.contains("cloth lies in body `ball`") && told.contains("met 8 mm below"),
        "{told}"
    );
    says(&folder, "finish a.muslin -o b.muslin --cleanup --subdivide 1", 0);
    assert!(!notes("b.muslin").contains("lies in"), "{}", notes("b.muslin"));
}

/// Curved faces and clean-up on two flat squares leave them flat and where they are.
#[test]
fn flat_squares_stay_flat() {
    let folder = scratch("finish-flat");
    HandMade { frames: vec![HandMade::squares(); 2], up: UpAxis::Z }
        .write(&folder.join("a.muslin"));
    says(&folder, "finish --curved --cleanup a.muslin -o b.muslin", 0);
    says(&folder, "finish a.muslin -o c.muslin --cleanup=flat", 0);
    let b = Cache::open(&folder.join("b.muslin")).unwrap();
    let frame = b.frame(1).unwrap();
    // Four faces of 18 triangles.
    assert_eq!(b.manifest().run.surfaces[0].triangles.count, 72);
    for x in &frame.positions {
        assert!(x.z.abs() < 1e-12 || (x.z - 1.0).abs() < 1e-12, "{x}");
        assert!(x.x > -1e-12 && x.x < 1.0 + 1e-12, "{x}");
    }
    assert!(frame.velocities.iter().all(|v| (v.y - 2.0).abs() < 1e-12 && v.x == 0.0));
    says(&folder, "check b.muslin", 0);
}

/// Another program's meshes: a numbered sequence, and a point cache with a mesh.
#[test]
fn animations_of_other_programs_are_finished_too() {
    let folder = drape("finish-foreign");
    says(&folder, "export a.muslin -o cloth.obj", 0);
    let result = json(&folder, "finish cloth_####.obj -o b.muslin --subdivide 1", 0);
    assert_eq!((result["frames"].as_u64(), result["vertices"].as_u64()), (Some(5), Some(17 * 17)));
    assert_eq!(result["finish"]["levels"][1]["cloth"].as_u64(), Some(0));
    says(&folder, "check b.muslin", 0);
    says(&folder, "export a.muslin -o cloth.pc2 --up y", 0);
    let words = "finish cloth.pc2 -o c.muslin --curved --mesh cloth_0000.obj --up y --fps 24";
    assert_eq!(json(&folder, words, 0)["frames"].as_u64(), Some(5));
}

#[test]
fn bad_requests_are_explained() {
    let folder = scratch("finish-refuse");
    HandMade { frames: vec![HandMade::squares()], up: UpAxis::Z }.write(&folder.join("a.muslin"));
    let kind = |words: &str| json(&folder, &format!("finish {words}"), 2)["error"]["kind"].clone();
    assert_eq!(kind("a.muslin -o b.muslin"), "argument");
    assert_eq!(kind("a.muslin -o a.muslin --subdivide 1"), "argument");
    assert_eq!(kind("a.muslin -o b.muslin --subdivide 30"), "argument");
    assert_eq!(kind("a.muslin -o b.muslin --subdivide -1"), "usage");
    assert_eq!(kind("a.muslin -o b.muslin --subdivide 1 --curved"), "usage");
    assert_eq!(kind("a.muslin -o b.muslin --curved --segments 0"), "argument");
    assert_eq!(kind("a.muslin -o b.muslin --cleanup --clearance 0"), "argument");
    assert_eq!(kind("a.muslin -o b.muslin --cleanup --depth -1"), "usage");
    assert_eq!(kind("a.muslin -o b.muslin --cleanup --clearance 0.02 --reach 0.01"), "argument");
    assert_eq!(kind("a.muslin -o b.muslin --cleanup=up"), "usage");
    assert_eq!(kind("a.muslin -o b.muslin --subdivide 1 --reach 0.1"), "usage");
    assert_eq!(kind("a.muslin -o b.muslin --cleanup --frames 7.."), "missing-frame");
    assert_eq!(kind("nothing -o b.muslin --subdivide 1"), "not-a-cache");
    assert_eq!(kind("nothing.obj -o b.muslin --subdivide 1"), "unreadable");
    assert!(!folder.join("b.muslin").exists(), "nothing is left behind");
    says(&folder, "finish a.muslin -o b.muslin --subdivide 1", 0);
    assert_eq!(kind("a.muslin -o b.muslin --subdivide 2"), "differs");
    says(&folder, "finish a.muslin -o b.muslin --subdivide 2 --overwrite", 0);
}
