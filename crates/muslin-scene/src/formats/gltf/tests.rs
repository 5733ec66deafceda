use super::*;
use crate::formats::{
    animation::{AnimatedMesh, Clip, Frame, SourceError},
    tests::Scratch,
};
use crate::polymesh::{CornerUv, UpAxis};
use muslin::math::{Random, Vec2};
use serde_json::{Value, json};

mod motion;

/// A file under construction: arrays go into one buffer.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Builder {
    pub(super) fn floats(&mut self, shape: &str, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.array(shape, 5126, numbers.len(), &bytes, false)
    }

    pub(super) fn shorts(&mut self, shape: &str, numbers: &[u16]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.array(shape, 5123, numbers.len(), &bytes, false)
    }

    pub(super) fn array(
        &mut self,
        shape: &str,
        component: u32,
        numbers: usize,
        bytes: &[u8],
        normalized: bool,
    ) -> usize {
        let width = match shape {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let view = self.view(bytes);
        self.accessors.push(json!({
            "bufferView": view, "componentType": component, "normalized": normalized,
            "count": numbers / width, "type": shape,
        }));
        self.accessors.len() - 1
    }

    pub(super) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": bytes.len()}));
        self.views.len() - 1
    }

    pub(super) fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    pub(super) fn json(&self, rest: Value) -> Value {
        let mut root = json!({
            "asset": {"version": "2.0"},
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": self.bytes.len()}],
        });
        let (Value::Object(root_keys), Value::Object(rest)) = (&mut root, rest) else { panic!() };
        root_keys.extend(rest);
        root
    }

    pub(super) fn glb(&self, rest: Value) -> Vec<u8> {
        let json = self.json(rest).to_string();
        let json = format!("{json:<width$}", width = json.len().next_multiple_of(4));
        let mut file = b"glTF".to_vec();
        for number in [2, 28 + json.len() + self.bytes.len(), json.len()] {
            file.extend((number as u32).to_le_bytes());
        }
        file.extend(b"JSON");
        file.extend(json.as_bytes());
        file.extend((self.bytes.len() as u32).to_le_bytes());
        file.extend(b"BIN\0");
        file.extend(&self.bytes);
        file
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Figure, ReadError> {
    Figure::read(bytes, "a.glb", Path::new(""), Choice::default())
}

fn message(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

/// A cube from -1 to 1 as exporters write it: four vertices for each of its six faces.
fn cube(builder: &mut Builder) -> Value {
    let mut positions: Vec<f32> = Vec::new();
    let mut indices: Vec<u16> = Vec::new();
    let mut uv: Vec<f32> = Vec::new();
    for axis in 0..3 {
        for side in [-1.0_f32, 1.0] {
            let base = positions.len() as u16 / 3;
            for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let mut corner = [0.0; 3];
                corner[axis] = side;
                // Swapping the other two axes turns the square round.
                corner[(axis + 1) % 3] = a * side;
                corner[(axis + 2) % 3] = b;
                positions.extend(corner);
                uv.extend([0.5 + 0.5 * a, 0.5 + 0.5 * b]);
            }
            indices.extend([0, 1, 2, 0, 2, 3].map(|k| base + k));
        }
    }
    let position = builder.floats("VEC3", &positions);
    let uv = builder.floats("VEC2", &uv);
    let indices = builder.shorts("SCALAR", &indices);
    json!({"attributes": {"POSITION": position, "TEXCOORD_0": uv}, "indices": indices})
}

fn volume(mesh: &PolyMesh) -> f64 {
    let cut = mesh.triangulate();
    let corner = |v: u32| mesh.positions[v as usize];
    let signed = |t: &[u32; 3]| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0;
    cut.triangles.iter().map(signed).sum()
}

#[test]
fn seams_are_welded_and_uv_kept() {
    let mut builder = Builder::default();
    let primitive = cube(&mut builder);
    let file = builder.glb(json!({
        "nodes": [{"mesh": 0, "name": "box"}], "meshes": [{"primitives": [primitive]}],
    }));
    let figure = read(&file).unwrap();
    let mesh = figure.mesh();
    assert_eq!((mesh.vertex_count(), mesh.face_count()), (8, 12));
    assert_eq!(mesh.open_edges(), [[0; 2]; 0]);
    assert_eq!(mesh.validate(), Ok(()));
    assert!((volume(mesh) - 8.0).abs() < 1e-12);
    assert_eq!(mesh.groups[0].name, "box");
    // v counts from the bottom here: the first corner has (0, 0) in the file.
    assert_eq!(mesh.corner_uv(0), Some(Vec2::new(0.0, 1.0)));
    assert!(!figure.is_animated() && figure.is_rigid());
}

/// Two instances, one mirrored and stretched, both below a turned node.
#[test]
fn instances_are_placed_and_mirrors_keep_their_outside() {
    let mut builder = Builder::default();
    let primitive = cube(&mut builder);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let rest = json!({
        "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [
            {"children": [1, 2], "rotation": [0.0, 0.0, half, half]},
            {"mesh": 0, "translation": [10.0, 0.0, 0.0]},
            {"mesh": 0, "name": "mirror", "scale": [-2.0, 1.0, 3.0]},
            {"mesh": 0, "name": "not shown"},
        ],
        "meshes": [{"primitives": [primitive], "name": "cube"}],
    });
    let file = builder.glb(rest);
    let figure = read(&file).unwrap();
    assert_eq!(figure.mesh().vertex_count(), 16);
    assert!((volume(figure.mesh()) - (8.0 + 48.0)).abs() < 1e-9);
    let extent = figure.mesh().positions.iter().fold(Vec3::ZERO, |most, x| most.max(*x));
    // x of the children is y of the world: 10 + 1; y becomes -x.
    assert!((extent - Vec3::new(1.0, 11.0, 3.0)).length() < 1e-12, "{extent}");
    let choice = Choice { node: Some("mirror"), ..Choice::default() };
    let one = Figure::read(&file, "a.glb", Path::new(""), choice).unwrap();
    assert!((volume(one.mesh()) - 48.0).abs() < 1e-9);
    let choice = Choice { node: Some("sphere"), ..Choice::default() };
    let error = Figure::read(&file, "a.glb", Path::new(""), choice).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.glb: there is no node or mesh `sphere` in it: choose `mirror`, `not shown`"
    );
}

#[test]
fn buffers_may_be_text_or_beside() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let mut root = builder.json(json!({
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}],
    }));
    // 36 bytes: 0 0 0, 1 0 0, 0 1 0 as little-endian floats.
    let text = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    root["buffers"][0]["uri"] = json!(format!("data:application/octet-stream;base64,{text}"));
    let expected = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let read = |root: &Value, folder: &Path| {
        Figure::read(root.to_string().as_bytes(), "a.gltf", folder, Choice::default())
    };
    let bytes: Vec<u8> = builder.bytes.clone();
    assert_eq!(bytes.len(), 36);
    let decoded = read(&root, Path::new(""));
    assert_eq!(decoded.unwrap().mesh().positions, expected);
    let scratch = Scratch::new("gltf-beside");
    std::fs::write(scratch.path("a b.bin"), &bytes).unwrap();
    root["buffers"][0]["uri"] = json!("a%20b.bin");
    assert_eq!(read(&root, &scratch.path("")).unwrap().mesh().positions, expected);
    std::fs::write(scratch.path("a b.bin"), &bytes[..20]).unwrap();
    let error = read(&root, &scratch.path("")).unwrap_err().to_string();
    assert!(error.ends_with("20 bytes, but a.gltf needs 36: copy or export it again"), "{error}");
    root["buffers"][0]["uri"] = json!("https://example.com/a.bin");
    let error = read(&root, Path::new("")).unwrap_err().to_string();
    assert_eq!(error, "a.gltf: buffer 0 is at https://example.com/a.bin: save it beside the file");
}

#[test]
#[expect(clippy::too_many_lines, reason = "one line a kind of damage")]
fn damage_is_named() {
    let mut builder = Builder::default();
    let primitive = cube(&mut builder);
    let rest =
        json!({"nodes": [{"mesh": 0}], "meshes": [{"name": "cube", "primitives": [primitive]}]});
    let good = builder.json(rest.clone());
    let with = |change: &dyn Fn(&mut Value)| {
        let mut changed = good.clone();
        change(&mut changed);
        let keys = json!({
            "nodes": changed["nodes"], "meshes": changed["meshes"],
            "accessors": changed["accessors"], "bufferViews": changed["bufferViews"],
            "skins": changed["skins"], "animations": changed["animations"],
        });
        let keys: serde_json::Map<_, _> = match keys {
            Value::Object(keys) => keys.into_iter().filter(|(_, v)| !v.is_null()).collect(),
            _ => panic!(),
        };
        message(&builder.glb(Value::Object(keys)))
    };
    assert_eq!(
        with(&|root| root["accessors"][0]["count"] = json!(25)),
        "a.glb: accessor 0 (POSITION of mesh `cube`, primitive 0) has 25 elements, which reach past \
         the 288 bytes of buffer view 0: export it again"
    );
    assert_eq!(
        with(&|root| root["accessors"][0]["bufferView"] = json!(9)),
        "a.glb: accessor 0 (POSITION of mesh `cube`, primitive 0) names buffer view 9, but the file \
         has 3"
    );
    assert_eq!(
        with(&|root| root["meshes"][0]["primitives"][0]["indices"] = json!(77)),
        "a.glb: accessor 77 (indices of mesh `cube`, primitive 0) is not there: the file has 3; \
         export it again"
    );
    assert_eq!(
        with(&|root| root["nodes"] = json!([{"mesh": 0, "children": [1]}, {"children": [0]}])),
        "a.glb: node 0 is below itself: export the file again"
    );
    assert_eq!(
        with(&|root| root["nodes"] = json!([{"mesh": 0, "skin": 0}])),
        "a.glb: mesh `cube`, primitive 0 has a skin, but a vertex without JOINTS and WEIGHTS: \
         weight it"
    );
    let huge = json!({"componentType": 5126, "count": 4_000_000_000_u64, "type": "VEC3"});
    assert_eq!(
        with(&|root| root["accessors"][0] = huge.clone()),
        "a.glb: accessor 0 (POSITION of mesh `cube`, primitive 0) asks for 4000000000 elements, far \
         more than the size of the file allows"
    );
    let whole = builder.glb(rest);
    let cut = message(&whole[..whole.len() - 7]);
    assert!(cut.contains("a chunk of") && cut.ends_with("copy or export the file again"), "{cut}");
    for name in ["skin", "animation"] {
        let skin = (name == "skin").then_some("body");
        let animation = (name == "animation").then_some("walk");
        let choice = Choice { skin, animation, ..Choice::default() };
        let error = Figure::read(&whole, "a.glb", Path::new(""), choice).unwrap_err().to_string();
        let wanted = skin.or(animation).unwrap();
        let expected =
            format!("a.glb: there is no {name} `{wanted}` in it: it names none, so leave that out");
        assert_eq!(error, expected);
    }
}

/// A square of four quads, two materials and a uv seam, over `frames` frames.
fn flag() -> PolyMesh {
    let at = |k: u32| Vec3::new(f64::from(k % 3), f64::from(k / 3), 0.0);
    let mut mesh = PolyMesh { positions: (0..9).map(at).collect(), ..PolyMesh::default() };
    let mut uv = CornerUv::default();
    for (face, first) in [0, 1, 3, 4].into_iter().enumerate() {
        mesh.push_face(&[first, first + 1, first + 4, first + 3]);
        mesh.face_materials.push(Some(face as u32 % 2));
        // The right half is its own island of the picture.
        for vertex in [first, first + 1, first + 4, first + 3] {
            let island = if face % 2 == 1 { 10.0 } else { 0.0 };
            let place = at(vertex);
            uv.corners.push(Some(uv.values.len() as u32));
            uv.values.push(Vec2::new(place.x + island, place.y));
        }
    }
    // Letters of two bytes: lengths in the file are bytes.
    mesh.materials = vec!["left".into(), "Rückseite".into()];
    mesh.uv = Some(uv);
    mesh
}

/// All weights of the first animation of a file that has one moving mesh.
fn weights(path: &Path) -> Vec<f32> {
    let bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let root: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let output = root["animations"][0]["samplers"][0]["output"].as_u64().unwrap() as usize;
    let accessor = &root["accessors"][output];
    let view = &root["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let at = 28 + length + view["byteOffset"].as_u64().unwrap() as usize;
    let count = accessor["count"].as_u64().unwrap() as usize;
    let numbers = bytes[at..at + 4 * count].as_chunks::<4>().0;
    numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()
}

#[test]
fn what_is_written_reads_back_within_half_a_step() {
    let mesh = flag();
    let moved = |frame: usize| -> Vec<Vec3> {
        let mut random = Random::new(7 + frame as u64);
        let far = if frame == 0 { 0.0 } else { 3.0 };
        let mut some = || random.between(-far, far);
        mesh.positions.iter().map(|x| *x + Vec3::new(some(), some(), some())).collect()
    };
    let mut source = |_: usize, frame: usize| -> Result<Frame, SourceError> {
        Ok(Frame { positions: moved(frame), velocities: None, time: 0.0 })
    };
    let scratch = Scratch::new("glb-round-trip");
    let clip = Clip { frame_count: 5, fps: 25.0, up: UpAxis::Z };
    let color = Some([0.5, 0.25, 1.0]);
    let animated = AnimatedMesh { mesh: &mesh, name: "flag", color, animated: true };
    let still = AnimatedMesh { name: "pole", animated: false, ..animated };
    write(&scratch.path("a.glb"), &clip, &[animated, still], &mut source).unwrap();
    assert!(weights(&scratch.path("a.glb")).iter().all(|weight| [0.0, 1.0].contains(weight)));
    let choice = Choice { node: Some("flag"), ..Choice::default() };
    let figure = Figure::open(&scratch.path("a.glb"), choice).unwrap();
    assert_eq!(figure.mesh().materials, ["left", "Rückseite"]);
    let bytes = std::fs::read(scratch.path("a.glb")).unwrap();
    assert_eq!(bytes.len() as u32, u32::from_le_bytes(bytes[8..12].try_into().unwrap()));
    assert_eq!(figure.mesh().face_count(), 8);
    assert_eq!((figure.duration() * 25.0).round(), 4.0);
    // Welded again: nine vertices, in the order of their first use.
    assert_eq!(figure.mesh().vertex_count(), 9);
    let mut found = vec![Vec3::ZERO; 9];
    for frame in 0..5 {
        figure.positions_at(frame as f64 / 25.0, &mut found);
        let expected = moved(frame);
        for (rest, found) in figure.mesh().positions.iter().zip(&found) {
            let rest = UpAxis::Y.world_from_file(*rest);
            let vertex = mesh.positions.iter().position(|x| x.distance(rest) < 1e-6).unwrap();
            let off = (UpAxis::Y.world_from_file(*found) - expected[vertex]).abs().max_element();
            // Half a step of the largest offset, 3 m, and the rounding of single precision.
            assert!(off <= 3.0 / 65534.0 + 1e-6, "{off}");
        }
    }
    let seam = figure.mesh().uv.as_ref().unwrap();
    assert!(seam.values.iter().any(|uv| uv.x >= 10.0) && seam.values.iter().any(|uv| uv.x < 3.0));
}

#[test]
fn the_rigged_figure_is_closed_and_walks() {
    let Ok(shared) = std::env::var("MUSLIN_SHARED") else {
        eprintln!("SKIPPED: MUSLIN_SHARED names no folder with data/bodies");
        return;
    };
    for (name, height, end) in [("RiggedFigure", 1.45, 1.25), ("RiggedSimple", 9.15, 2.0833)] {
        let path = Path::new(&shared).join(format!("data/bodies/{name}.glb"));
        let figure = Figure::open(&path, Choice::default()).unwrap();
        assert!((figure.duration() - end).abs() < 1e-3, "{}", figure.duration());
        assert_eq!(figure.mesh().open_edges(), [[0; 2]; 0], "{name}");
        let high =
            figure.mesh().positions.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        assert!(high < height * 1.2, "{name}: {high}");
        let mut first = vec![Vec3::ZERO; figure.mesh().vertex_count()];
        figure.positions_at(0.0, &mut first);
        let mut later = first.clone();
        figure.positions_at(0.4 * end, &mut later);
        let moved = first.iter().zip(&later).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(moved > 0.01 && moved < height, "{name}: {moved}");
        let mut posed = figure.mesh().clone();
        posed.positions = later;
        let ratio = volume(&posed) / volume(figure.mesh());
        assert!((0.8..1.2).contains(&ratio), "{name}: a pose keeps its volume, {ratio}");
    }
}
