//! Parsers survive anything: random bytes, and valid files with pieces changed, cut or repeated.

use crate::formats::{
    gltf, mdd, npy,
    npz::{self, tests::archive},
    obj, pc2, ply, usda,
};
use proptest::prelude::*;
use std::path::Path;

/// Runs every parser; what they return is only looked at for panics.
fn parse_all(bytes: &[u8]) {
    for mesh in [obj::read(bytes, "a"), ply::read(bytes, "a")].into_iter().flatten() {
        // A mesh that was accepted can be used.
        let _ = mesh.validate();
        let corners: usize = mesh.faces().map(|face| face.len() - 2).sum();
        assert_eq!(mesh.triangulate().triangles.len(), corners);
        assert_eq!(mesh.vertex_normals(&mesh.positions).len(), mesh.vertex_count());
    }
    if let Ok(figure) =
        gltf::Figure::read(bytes, "a", Path::new("/nowhere"), gltf::Choice::default())
    {
        let mut positions = figure.mesh().positions.clone();
        figure.positions_at(0.3, &mut positions);
        let _ = figure.mesh().validate();
        let _ = figure.is_rigid();
    }
    if let Ok(stage) = usda::Stage::read(bytes.to_vec(), "a", None) {
        let frames = stage.times().len();
        let _ = stage.mesh().validate();
        let _ =
            stage.positions(frames - 1).map(|x| assert_eq!(x.len(), stage.mesh().vertex_count()));
    }
    let _ = npy::read(bytes, "a");
    let _ = npz::read(bytes, "a");
    for cache in [pc2::read(bytes, "a"), mdd::read(bytes, "a")].into_iter().flatten() {
        let last = cache.positions(cache.frame_count() - 1);
        assert_eq!(last.map(|positions| positions.len()), Some(cache.vertex_count));
    }
}

fn valid_files() -> Vec<Vec<u8>> {
    let obj = "o a\ng b c\nusemtl d\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 1\n\
        f 1/1 2/1 -2/-1 \\\n4//1\nf 1 3 4\n";
    let mut files = vec![obj.as_bytes().to_vec(), archive()];
    files.extend(ply::sample_files());
    let mut pc2 = b"POINTCACHE2\0".to_vec();
    pc2.extend([1, 2, 0, 0, 2].iter().flat_map(|n: &i32| n.to_le_bytes()));
    pc2.extend([0; 48]);
    files.push(pc2);
    let mut mdd = [2, 2].iter().flat_map(|n: &i32| n.to_be_bytes()).collect::<Vec<u8>>();
    mdd.extend([0; 56]);
    files.push(mdd);
    files.extend([usda_file(), glb_file()]);
    files
}

fn usda_file() -> Vec<u8> {
    let text = "#usda 1.0\n(\n upAxis = \"Z\"\n)\ndef Xform \"r\"\n{\n\
        float3 xformOp:rotateXYZ.timeSamples = { 0: (0, 0, 0), 2: (0, 0, 9) }\n\
        uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\"]\ndef Mesh \"m\" ( doc = \"x\" )\n{\n\
        int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n\
        point3f[] points.timeSamples = { 0: [(0,0,0), (1,0,0), (0,1,0)], 1: [(0,0,1), (1,0,1), (0,1,1)] }\n\
        texCoord2f[] primvars:st = [(0, 0)] (interpolation = \"faceVarying\")\n\
        int[] primvars:st:indices = [0, 0, 0]\n}\n}\n";
    text.as_bytes().to_vec()
}

/// A skinned, morphed, animated triangle: one buffer of 36 bytes is all of its arrays.
fn glb_file() -> Vec<u8> {
    let json = r#"{"nodes":[{"mesh":0,"skin":0},{"scale":[1,2,1]}],"skins":[{"joints":[1]}],
        "meshes":[{"weights":[0.5],"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2},
        "targets":[{"POSITION":4}],"indices":3}]}],
        "animations":[{"samplers":[{"input":5,"output":6}],
        "channels":[{"sampler":0,"target":{"node":1,"path":"translation"}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
        {"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},
        {"bufferView":2,"componentType":5121,"count":3,"type":"VEC4","normalized":true},
        {"bufferView":3,"componentType":5121,"count":3,"type":"SCALAR"},
        {"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,
        "indices":{"bufferView":3,"componentType":5121},"values":{"bufferView":0}}},
        {"bufferView":4,"componentType":5126,"count":2,"type":"SCALAR"},
        {"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},
        {"buffer":0,"byteOffset":48,"byteLength":12},{"buffer":0,"byteOffset":60,"byteLength":4},
        {"buffer":0,"byteOffset":64,"byteLength":8}],"buffers":[{"byteLength":72}]}"#;
    let mut binary: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(f32::to_le_bytes).concat();
    binary.extend([0; 12]);
    binary.extend([255; 12]);
    binary.extend([0, 1, 2, 0]);
    binary.extend([0.0_f32, 1.0].map(f32::to_le_bytes).concat());
    let json = format!("{json:<width$}", width = json.len().next_multiple_of(4));
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(json.as_bytes());
    file.extend((binary.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary);
    file
}

#[test]
fn the_valid_files_are_valid() {
    let files = valid_files();
    assert!(obj::read(&files[0], "a").is_ok());
    assert!(npz::read(&files[1], "a").is_ok());
    assert!(files[2..5].iter().all(|file| ply::read(file, "a").is_ok()));
    assert!(pc2::read(&files[5], "a").is_ok());
    assert!(mdd::read(&files[6], "a").is_ok());
    assert!(usda::Stage::read(files[7].clone(), "a", None).is_ok());
    let figure = gltf::Figure::read(&files[8], "a", Path::new(""), gltf::Choice::default());
    assert!(figure.unwrap().is_animated());
}

/// A change to a file.
#[derive(Debug, Clone)]
enum Change {
    Set(usize, u8),
    Cut(usize),
    Remove(usize, usize),
    Repeat(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let place = 0_usize..2000;
    prop_oneof![
        4 => (place.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        // Digits and blanks find their way further into text formats than random bytes do.
        4 => (place.clone(), prop::sample::select(b"0123456789-./ \n#e\\\xff".to_vec()))
            .prop_map(|(at, byte)| Change::Set(at, byte)),
        1 => place.clone().prop_map(Change::Cut),
        1 => (place.clone(), 1_usize..20).prop_map(|(at, length)| Change::Remove(at, length)),
        1 => (place, 1_usize..40).prop_map(|(at, length)| Change::Repeat(at, length)),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let length = bytes.len();
    if length == 0 {
        return;
    }
    match *change {
        Change::Set(at, byte) => bytes[at % length] = byte,
        Change::Cut(at) => bytes.truncate(at % length),
        Change::Remove(at, count) => {
            drop(bytes.drain(at % length..(at % length + count).min(length)));
        }
        Change::Repeat(at, count) => {
            let piece = bytes[at % length..(at % length + count).min(length)].to_vec();
            bytes.splice(at % length..at % length, piece);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        parse_all(&bytes);
        // Past the magic numbers, too.
        let starts: [&[u8]; 6] = [
            b"#usda 1.0\ndef Mesh \"m\"\n{\npoint3f[] points = [",
            b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\n",
            b"ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n",
            b"POINTCACHE2\0\x01\0\0\0",
            b"\x93NUMPY\x01\0",
            b"f ",
        ];
        for start in starts {
            parse_all(&[start, &bytes[..]].concat());
        }
    }

    #[test]
    fn changed_files_never_panic(changes in prop::collection::vec(change(), 1..8)) {
        for mut file in valid_files() {
            for change in &changes {
                apply(&mut file, change);
            }
            parse_all(&file);
        }
    }
}
