//! R6: bad input gets one clear message with its place, exit code 2, and nothing half-written.

use crate::support::{json, muslin, scratch};
use std::fs;
use std::path::Path;

/// A scene, perhaps with a mesh file, that must be refused.
struct Bad {
    name: &'static str,
    scene: &'static str,
    mesh: &'static str,
    /// Words of the place and of the message.
    place: &'static str,
    words: &'static [&'static str],
}

const MESH_CLOTH: &str = "[[cloth]]\nmesh = \"mesh.obj\"\n";

const TABLE: &[Bad] = &[
    Bad {
        name: "unknown key",
        scene: "[[cloth]]\ngrid = { size = [1, 1] }\nfabrik = \"denim\"\n",
        mesh: "",
        place: "scene.toml:3:1",
        words: &["fabrik", "did you mean `fabric`"],
    },
    Bad {
        name: "wrong unit",
        scene: "[[cloth]]\ngrid = { size = [1, 1] }\n[cloth.fabric]\ndensity = 150\n",
        mesh: "",
        place: "scene.toml:4",
        words: &["density", "kg/m²", "0.15"],
    },
    Bad {
        name: "wrong sign",
        scene: "[[cloth]]\ngrid = { size = [1, 1] }\n[[body]]\nsphere = { radius = -1 }\n",
        mesh: "",
        place: "scene.toml:4",
        words: &["radius"],
    },
    Bad {
        name: "missing file",
        scene: "[[cloth]]\nmesh = \"shirt.obj\"\n",
        mesh: "",
        place: "scene.toml:2",
        words: &["shirt.obj"],
    },
    Bad {
        name: "empty mesh",
        scene: MESH_CLOTH,
        mesh: "# nothing\n",
        place: "cloth",
        words: &["mesh.obj", "no faces"],
    },
    Bad {
        name: "index out of range",
        scene: MESH_CLOTH,
        mesh: "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
        place: "cloth",
        words: &["mesh.obj", "line 4", "9"],
    },
    Bad {
        name: "NaN vertex",
        scene: MESH_CLOTH,
        mesh: "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n",
        place: "cloth",
        words: &["mesh.obj", "line 2"],
    },
    Bad {
        name: "zero-area face",
        scene: MESH_CLOTH,
        mesh: "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 4\nf 1 2 3\n",
        place: "cloth",
        words: &["face 1", "no area"],
    },
    Bad {
        name: "flipped uv triangle",
        scene: "[[cloth]]\nmesh = { file = \"mesh.obj\", rest = \"uv\" }\n",
        mesh: "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0.9 0.1\n\
               f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n",
        place: "cloth",
        words: &["mesh.obj", "triangle 1", "flipped in uv"],
    },
    Bad {
        name: "edge shared by three faces",
        scene: MESH_CLOTH,
        mesh: "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n",
        place: "cloth",
        words: &["vertices 0 and 1", "3 faces"],
    },
    Bad {
        name: "duplicate vertices",
        scene: MESH_CLOTH,
        mesh: "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 4 6 5\n",
        place: "cloth",
        words: &["vertices 1 and 3", "same place"],
    },
    Bad {
        name: "cloth that starts intersecting",
        scene: "[[cloth]]\ngrid = { size = [1, 1], vertices = [5, 5] }\n\
                [[body]]\nsphere = { radius = 0.3 }\n",
        mesh: "",
        place: "frame 0",
        words: &["crossing", "triangle"],
    },
    Bad {
        name: "body that is not closed",
        scene: "[[cloth]]\ngrid = { size = [1, 1], vertices = [3, 3] }\n\
                [[body]]\nname = \"tent\"\nmesh = \"mesh.obj\"\n",
        mesh: "v 0 0 -2\nv 1 0 -2\nv 0 1 -2\nv 0 0 -1\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
        place: "body `tent`",
        words: &["mesh.obj", "3 of its edges", "vertices 0 and 1", "close it", "two_sided = true"],
    },
    Bad {
        name: "settings of a field that is not used",
        scene: "[[cloth]]\ngrid = { size = [1, 1], vertices = [3, 3] }\nposition = [0, 0, 1]\n\
                [[body]]\nname = \"ball\"\nsphere = { radius = 0.3 }\nlevel_set = { cell = 0.01 }\n",
        mesh: "",
        place: "scene.toml:7",
        words: &["level_set", "no effect", "collision = \"level-set\""],
    },
    Bad {
        name: "0 fps",
        scene: "fps = 0\n[[cloth]]\ngrid = { size = [1, 1] }\n",
        mesh: "",
        place: "scene.toml:1",
        words: &["fps"],
    },
    Bad {
        name: "a grid of 10^9 cells",
        scene: "[[cloth]]\ngrid = { size = [1, 1], vertices = [31623, 31623] }\n",
        mesh: "",
        place: "scene.toml:2",
        words: &["vertices"],
    },
    Bad { name: "no TOML", scene: "[[cloth]\n", mesh: "", place: "scene.toml:1", words: &[] },
    Bad {
        name: "no cloth",
        scene: "fps = 24\n",
        mesh: "",
        place: "scene.toml:1",
        words: &["cloth"],
    },
];

#[test]
fn every_bad_scene_is_refused_with_its_place_and_leaves_nothing() {
    for bad in TABLE {
        let folder = scratch(&format!("bad-{}", bad.name.replace([' ', '^'], "-")));
        fs::write(folder.join("scene.toml"), bad.scene).unwrap();
        if !bad.mesh.is_empty() {
            fs::write(folder.join("mesh.obj"), bad.mesh).unwrap();
        }
        let before = names(&folder);
        let error = json(&folder, "run scene.toml", 2)["error"].clone();
        let text = |key: &str| error[key].as_str().unwrap().to_owned();
        assert!(text("where").starts_with(bad.place), "{}: {error}", bad.name);
        for word in bad.words {
            assert!(text("message").contains(word), "{}: `{word}` not in {error}", bad.name);
        }
        assert!(!text("message").contains('\n'), "{}: one line", bad.name);
        assert_eq!(names(&folder), before, "{}: nothing is half-written", bad.name);
        // A person reads the same on standard error, and nothing else is printed.
        let output = muslin(&folder, "run scene.toml");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{}", bad.name);
        assert!(output.stderr.starts_with(b"error: "), "{}", bad.name);
    }
}

#[test]
fn bad_overrides_and_outputs_are_refused() {
    let folder = scratch("bad-rest");
    let scene = "[[cloth]]\nname = \"sheet\"\ngrid = { size = [1, 1], vertices = [3, 3] }\n";
    fs::write(folder.join("scene.toml"), scene).unwrap();
    fs::write(folder.join("file"), "mine").unwrap();
    let before = names(&folder);
    for (arguments, kind, words) in [
        ("run scene.toml --set frames", "override", "has no `=`"),
        ("run scene.toml --set cloth.shet.fabric=denim", "override", "sheet"),
        ("run scene.toml --set cloth.sheet.fabrik=denim", "unknown-key", "fabrik"),
        ("run scene.toml --set frames=many", "wrong-value", "frames"),
        ("run nope.toml", "unreadable", "cannot be read"),
        ("run @nope", "unknown-scene", "@hang"),
        ("run .", "unreadable", "folder"),
        ("run scene.toml -o file", "not-a-cache", "file"),
        ("run scene.toml -o file/below", "io", "file/below"),
        ("render nope -o a.png", "not-a-cache", "nope"),
        ("check file", "unreadable", "file"),
    ] {
        let error = json(&folder, arguments, 2)["error"].clone();
        assert_eq!(error["kind"], kind, "{arguments}: {error}");
        assert!(error["message"].as_str().unwrap().contains(words), "{arguments}: {error}");
        assert_eq!(names(&folder), before, "{arguments}");
    }
    assert_eq!(fs::read(folder.join("file")).unwrap(), b"mine");
}

#[test]
fn a_damaged_cache_is_neither_drawn_nor_resumed() {
    let folder = crate::support::scene("bad-cache", crate::support::DRAPE);
    muslin(&folder, "run scene.toml -q --no-sheet --frames ..2");
    let manifest = folder.join("scene.muslin/manifest.json");
    let whole = fs::read(&manifest).unwrap();
    fs::write(&manifest, &whole[..whole.len() / 2]).unwrap();
    for arguments in [
        "render scene.muslin -o a.png",
        "export scene.muslin -o a.pc2",
        "run scene.toml --frames ..2 --resume",
    ] {
        assert_eq!(json(&folder, arguments, 2)["error"]["kind"], "damaged", "{arguments}");
    }
    let newer =
        String::from_utf8(whole).unwrap().replace("\"format_version\": 1", "\"format_version\": 2");
    fs::write(&manifest, newer).unwrap();
    assert_eq!(json(&folder, "render scene.muslin -o a.png", 2)["error"]["kind"], "version");
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
