//! R6 for files of other programs: damaged ones are refused with their name, wherever they are read, and
//! nothing is left behind; caches with missing frames are never taken for whole ones.

use crate::support::{HandMade, json, says, scratch};
use muslin_scene::cache::UpAxis;
use std::fs;
use std::path::Path;

/// Commands that read `file` as cloth, as a body and as an animation, after what they need is there.
fn readers(folder: &Path, file: &str) -> [&'static str; 3] {
    let sheet = "grid = { size = [1, 1], vertices = [3, 3] }";
    let cloth = format!("[[cloth]]\nmesh = \"{file}\"\n");
    let body = format!("[[cloth]]\n{sheet}\nposition = [0, 0, 9]\n[[body]]\nmesh = \"{file}\"\n");
    fs::write(folder.join("cloth.toml"), cloth).unwrap();
    fs::write(folder.join("body.toml"), body).unwrap();
    ["run cloth.toml", "run body.toml", "finish FILE -o b.muslin --subdivide 1"]
}

/// All readers refuse the file: exit code 2, one sentence that names it, and no new file.
fn refuse(folder: &Path, file: &str, words: &str) {
    for command in readers(folder, file) {
        let command = command.replace("FILE", file);
        let before = fs::read_dir(folder).unwrap().count();
        let error = json(folder, &command, 2)["error"].clone();
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(file) && message.contains(words), "{command}: {error}");
        assert!(!message.contains('\n'), "{command}: one line: {error}");
        assert_eq!(fs::read_dir(folder).unwrap().count(), before, "{command}");
    }
}

/// Two squares over five frames, exported.
fn exported(name: &str, file: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    let frames = vec![HandMade::squares(); 5];
    HandMade { frames, up: UpAxis::Z }.write(&folder.join("a.muslin"));
    says(&folder, &format!("export a.muslin -o {file}"), 0);
    folder
}

#[test]
fn a_damaged_usd_file_is_refused() {
    let folder = exported("bad-usda", "a.usda");
    let whole = fs::read_to_string(folder.join("a.usda")).unwrap();
    let write = |text: &str| fs::write(folder.join("a.usda"), text).unwrap();
    write(&whole[..whole.len() / 2]);
    refuse(&folder, "a.usda", "");
    write(&whole.replace("faceVertexIndices = [0, 1, 2, 3", "faceVertexIndices = [0, 1, 2, 900"));
    refuse(&folder, "a.usda", "900");
    write(&whole.replace("faceVertexCounts = [4, 4]", "faceVertexCounts = [4, 7]"));
    refuse(&folder, "a.usda", "corners");
    write("no USD at all");
    refuse(&folder, "a.usda", "");
    write("");
    refuse(&folder, "a.usda", "");
}

#[test]
fn a_gltf_file_with_accessors_out_of_range_is_refused() {
    let folder = exported("bad-glb", "a.glb");
    let whole = fs::read(folder.join("a.glb")).unwrap();
    let length = u32::from_le_bytes(whole[12..16].try_into().unwrap()) as usize;
    let text = std::str::from_utf8(&whole[20..20 + length]).unwrap();
    let changed = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut root: serde_json::Value = serde_json::from_str(text).unwrap();
        change(&mut root);
        let mut json = root.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let rest = &whole[20 + length..];
        let total = (20 + json.len() + rest.len()) as u32;
        let mut bytes = whole[..8].to_vec();
        bytes.extend(total.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(b"JSON");
        bytes.extend(json);
        bytes.extend(rest);
        fs::write(folder.join("a.glb"), bytes).unwrap();
    };
    let position = |root: &serde_json::Value| {
        let index = &root["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
        index.as_u64().unwrap() as usize
    };
    changed(&|root| {
        let index = position(root);
        root["accessors"][index]["count"] = 4_000_000_000_u64.into();
    });
    refuse(&folder, "a.glb", "");
    changed(&|root| {
        let index = position(root);
        root["accessors"][index]["bufferView"] = 777.into();
    });
    refuse(&folder, "a.glb", "777");
    changed(&|root| {
        root["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 777.into();
    });
    refuse(&folder, "a.glb", "777");
    changed(&|root| {
        root["bufferViews"][0]["byteOffset"] = 1_000_000_000_u64.into();
    });
    refuse(&folder, "a.glb", "");
    fs::write(folder.join("a.glb"), &whole[..whole.len() - 40]).unwrap();
    refuse(&folder, "a.glb", "");
}

#[test]
fn a_cache_with_missing_frames_is_not_taken_for_a_whole_one() {
    let folder = scratch("bad-gap");
    let frames = vec![HandMade::squares(); 5];
    HandMade { frames, up: UpAxis::Z }.write(&folder.join("a.muslin"));
    fs::remove_file(folder.join("a.muslin/frames/frame_000002.npz")).unwrap();
    for words in
        ["export a.muslin -o a.usda", "export a.muslin -o a.html", "render a.muslin -o a.gif"]
    {
        let error = json(&folder, words, 2)["error"].clone();
        assert_eq!(error["kind"], "missing-frame", "{words}: {error}");
        assert!(error["message"].as_str().unwrap().contains("between 1 and 3"), "{error}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "only the cache is there");
    let report = json(&folder, "check a.muslin", 1);
    assert_eq!(report["problems"][0]["kind"], "missing-frames");
    // What is whole on one side of the gap can be had.
    assert_eq!(json(&folder, "export a.muslin -o a.usda --frames 3..", 0)["frames"], 2);
    says(&folder, "export a.muslin -o a.obj --frame 1", 0);
}

#[test]
fn sequences_with_a_file_missing_are_refused() {
    let folder = exported("bad-sequence", "a.obj");
    fs::remove_file(folder.join("a_0001.obj")).unwrap();
    let error = json(&folder, "finish a_####.obj -o b.muslin --subdivide 1", 2)["error"].clone();
    assert!(error["message"].as_str().unwrap().contains("number 3 follows 2"), "{error}");
    assert!(!folder.join("b.muslin").exists());
}
