//! `muslin export`: every format, with quads, vertex order, uv and axes as they should be.

use crate::support::{HandMade, json, says, scratch};
use muslin::math::Vec3;
use muslin_scene::cache::UpAxis;
use muslin_scene::formats::{mdd, npz, pc2, read_mesh};
use std::fs;
use std::path::PathBuf;

/// Three frames of squares that rise by 0.25 m a frame (exact in binary).
fn rising(name: &str, up: UpAxis) -> PathBuf {
    let folder = scratch(name);
    HandMade { frames: (0..3).map(frame).collect(), up }.write(&folder.join("a.muslin"));
    folder
}

fn frame(number: u32) -> Vec<Vec3> {
    let rise = Vec3::Z * 0.25 * f64::from(number);
    HandMade::squares().into_iter().map(|x| x + rise).collect()
}

#[test]
fn point_caches_hold_the_positions_in_the_axes_asked_for() {
    let folder = rising("export-points", UpAxis::Z);
    says(&folder, "export a.muslin -o a.pc2", 0);
    let bytes = fs::read(folder.join("a.pc2")).unwrap();
    let cache = pc2::read(&bytes, "a.pc2").unwrap();
    assert_eq!(cache.frame_count(), 3);
    for number in 0..3 {
        assert_eq!(cache.positions(number as usize).unwrap(), frame(number));
    }
    let result = json(&folder, "export a.muslin -o a.mdd --up y --frames 1..2", 0);
    assert_eq!((result["frames"].as_u64(), result["up"].as_str()), (Some(2), Some("y")));
    let bytes = fs::read(folder.join("a.mdd")).unwrap();
    let cache = mdd::read(&bytes, "a.mdd").unwrap();
    let turned: Vec<Vec3> = frame(1).iter().map(|x| Vec3::new(x.x, x.z, -x.y)).collect();
    assert_eq!(cache.positions(0).unwrap(), turned);
}

/// A scene with y up is not turned unless asked, and turned back where it is.
#[test]
fn a_cache_with_y_up_keeps_it() {
    let folder = rising("export-y", UpAxis::Y);
    says(&folder, "export a.muslin -o own.obj --frame 2", 0);
    assert_eq!(read_mesh(&folder.join("own.obj")).unwrap().positions, frame(2));
    says(&folder, "export a.muslin -o turned.obj --frame 2 --up z", 0);
    let turned: Vec<Vec3> = frame(2).iter().map(|x| Vec3::new(x.x, -x.z, x.y)).collect();
    assert_eq!(read_mesh(&folder.join("turned.obj")).unwrap().positions, turned);
}

#[test]
fn numbered_meshes_keep_quads_vertex_order_and_uv() {
    let folder = rising("export-meshes", UpAxis::Z);
    for format in ["obj", "ply"] {
        let result = json(&folder, &format!("export a.muslin -o b.{format}"), 0);
        assert_eq!(result["files"].as_array().unwrap().len(), 3);
        let mesh = read_mesh(&folder.join(format!("b_0002.{format}"))).unwrap();
        assert_eq!(mesh.positions, frame(2));
        assert_eq!(mesh.faces().collect::<Vec<_>>(), [[0, 1, 2, 3], [4, 5, 6, 7]]);
        let uv = mesh.vertex_uv().unwrap();
        assert_eq!(uv[2].to_array(), [1.0, 1.0]);
        assert_eq!(uv[7].to_array(), [0.0, 1.0]);
    }
    json(&folder, "export a.muslin -o wall.obj --frame 0 --body wall", 0);
    assert_eq!(read_mesh(&folder.join("wall.obj")).unwrap().positions, HandMade::body());
}

#[test]
fn numpy_archives_have_the_promised_arrays() {
    let folder = rising("export-npz", UpAxis::Z);
    says(&folder, "export a.muslin -o a.npz", 0);
    let bytes = fs::read(folder.join("a.npz")).unwrap();
    let arrays = npz::read(&bytes, "a.npz").unwrap();
    let shape = |name: &str| {
        let found = arrays.iter().find(|(n, _)| n == name);
        found.unwrap_or_else(|| panic!("no {name}")).1.shape().to_vec()
    };
    assert_eq!(shape("positions"), [3, 8, 3]);
    assert_eq!(shape("velocities"), [3, 8, 3]);
    assert_eq!(shape("triangles"), [4, 3]);
    assert_eq!(shape("uv"), [8, 2]);
    assert_eq!(shape("time"), [3]);
}

#[test]
fn usd_holds_cloths_and_bodies() {
    let folder = rising("export-usd", UpAxis::Z);
    let result = json(&folder, "export a.muslin -o a.usda --up y", 0);
    assert_eq!(result["meshes"], serde_json::json!(["squares", "wall"]));
    let text = fs::read_to_string(folder.join("a.usda")).unwrap();
    assert!(text.contains("upAxis = \"Y\"") && text.contains("endTimeCode = 2"));
    assert!(text.contains("def Mesh \"squares\"") && text.contains("def Mesh \"wall\""));
    assert!(text.contains("int[] faceVertexCounts = [4, 4]"), "quads");
}

#[test]
fn gltf_holds_cloths_and_bodies() {
    let folder = rising("export-glb", UpAxis::Z);
    let result = json(&folder, "export a.muslin -o a.glb", 0);
    assert_eq!(result["meshes"], serde_json::json!(["squares", "wall"]));
    assert_eq!(result["up"], "y");
    let bytes = fs::read(folder.join("a.glb")).unwrap();
    assert_eq!(bytes.len() as u32, u32::from_le_bytes(bytes[8..12].try_into().unwrap()));
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let root: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    assert_eq!(root["nodes"][0]["name"], "squares");
    assert_eq!(root["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len(), 3);
    assert_eq!(root["materials"][0]["doubleSided"], true);
    let error = json(&folder, "export a.muslin -o b.glb --up z", 2);
    assert!(error["error"]["message"].as_str().unwrap().contains("always y up"));
}

#[test]
fn alembic_holds_cloths_and_bodies() {
    let folder = rising("export-abc", UpAxis::Z);
    let result = json(&folder, "export a.muslin -o a.abc", 0);
    assert_eq!(result["meshes"], serde_json::json!(["squares", "wall"]));
    assert_eq!(result["up"], "y");
    assert!(fs::read(folder.join("a.abc")).unwrap().starts_with(b"Ogawa\xff"));
    let error = json(&folder, "export a.muslin -o b.abc --up z", 2);
    assert!(error["error"]["message"].as_str().unwrap().contains("always y up"));
}

#[test]
fn what_cannot_be_written_is_said_and_nothing_is_left() {
    let folder = rising("export-refuse", UpAxis::Z);
    for format in ["gltf", "usdz", "xyz"] {
        let error = &json(&folder, &format!("export a.muslin -o a.{format}"), 2)["error"];
        assert_eq!(error["kind"], "format");
        assert!(error["message"].as_str().unwrap().contains(".usda"), "{error}");
    }
    let kind = |arguments: &str| json(&folder, arguments, 2)["error"]["kind"].clone();
    assert_eq!(kind("export a.muslin -o a"), "format");
    assert_eq!(kind("export a.muslin -o no/where/a.pc2"), "io");
    assert_eq!(kind("export a.muslin -o a.pc2 --cloth shirt"), "wrong-name");
    assert_eq!(kind("export a.muslin -o a.pc2 --frames 7.."), "missing-frame");
    assert_eq!(kind("export a.muslin -o a.obj --frame 7"), "missing-frame");
    assert_eq!(kind("export nothing -o a.pc2"), "not-a-cache");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "only the cache is there");
    fs::write(folder.join("a.pc2"), "mine").unwrap();
    assert_eq!(kind("export a.muslin -o a.pc2"), "exists");
    assert_eq!(fs::read(folder.join("a.pc2")).unwrap(), b"mine");
    says(&folder, "export a.muslin -o a.pc2 --overwrite", 0);
    assert!(fs::read(folder.join("a.pc2")).unwrap().starts_with(b"POINTCACHE2"));
}
