//! Running the program, scratch folders, small scenes and hand-made caches.

use muslin::math::Vec3;
use muslin_scene::cache::{
    CacheWriter, Existing, Frame, Run, Span, Start, Surface, SurfaceKind, Topology, UpAxis,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A sheet that falls on a block above the ground: contact, friction, self-collision.
pub const DRAPE: &str = r#"
fps = 24
frames = 12
[output]
checkpoint_every = 3
[render]
width = 64
height = 36
[[cloth]]
name = "sheet"
grid = { size = [0.6, 0.6], vertices = [9, 9] }
position = [0, 0, 0.4]
fabric = "cotton poplin"
[[body]]
name = "block"
box = { size = [0.2, 0.2, 0.3] }
position = [0, 0, 0.2]
[[body]]
name = "ground"
plane = {}
"#;

/// A folder of its own for each test, emptied first.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A scratch folder with `scene.toml` in it.
pub fn scene(name: &str, text: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("scene.toml"), text).unwrap();
    folder
}

/// The program, about to run in `folder`; arguments are split at spaces.
pub fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muslin"));
    command.current_dir(folder).args(arguments.split_whitespace());
    command
}

/// Runs the program to its end.
pub fn muslin(folder: &Path, arguments: &str) -> Output {
    command(folder, arguments).output().unwrap()
}

/// Runs the program, which must exit with `code`; its output and messages.
pub fn says(folder: &Path, arguments: &str, code: i32) -> (String, String) {
    let output = muslin(folder, arguments);
    let out = String::from_utf8(output.stdout).unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "muslin {arguments}\n{out}\n{err}");
    (out, err)
}

/// Runs the program with `--json`, which must exit with `code` and print one object, nothing else.
pub fn json(folder: &Path, arguments: &str, code: i32) -> Value {
    let (out, err) = says(folder, &format!("{arguments} --json"), code);
    assert_eq!(err, "", "muslin {arguments}");
    serde_json::from_str(&out).unwrap()
}

/// Every file below `folder` with its bytes, without `timing.json`.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().unwrap() != "timing.json" {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Names the first file in which two caches differ.
pub fn assert_same(a: &Path, b: &Path) {
    let (in_a, in_b) = (contents(a), contents(b));
    assert_eq!(in_a.keys().collect::<Vec<_>>(), in_b.keys().collect::<Vec<_>>());
    for (name, bytes) in &in_a {
        assert!(*bytes == in_b[name], "{} differs in {}", name.display(), b.display());
    }
}

/// A cloth of two unit squares (quads, one above the other by 1 m) and a body of one triangle
/// that stands 5 m away; a plane named `floor` at z = −10 m.
pub struct HandMade {
    pub frames: Vec<Vec<Vec3>>,
    pub up: UpAxis,
}

impl HandMade {
    /// Both squares, lower one first.
    pub fn squares() -> Vec<Vec3> {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let at = |z: f64| corners.map(|(x, y)| Vec3::new(x, y, z));
        at(0.0).into_iter().chain(at(1.0)).collect()
    }

    /// The body's triangle, in the plane x = 5.
    pub fn body() -> Vec<Vec3> {
        vec![Vec3::new(5.0, 0.0, 0.0), Vec3::new(5.0, 1.0, 0.0), Vec3::new(5.0, 0.0, 1.0)]
    }

    /// Writes the cache with the library, finished.
    pub fn write(&self, dir: &Path) {
        let scene_text = "[[cloth]]\ngrid = {}\n";
        let resolved_text = "[[body]]\nname = \"floor\"\nplane = {}\nposition = [0, 0, -10]\n";
        let start = Start { run: self.run(), topology: &topology(), scene_text, resolved_text };
        let mut writer = CacheWriter::create(dir, &start, Existing::Keep).unwrap();
        for (index, positions) in self.frames.iter().enumerate() {
            let frame = Frame {
                time: index as f64 / 10.0,
                positions: positions.clone(),
                velocities: vec![Vec3::new(0.0, 2.0, 0.0); positions.len()],
                bodies: Vec::new(),
                marks: Vec::new(),
                report: Value::Null,
            };
            writer.write_frame(index as u64, &frame).unwrap();
        }
        writer.finish(&Value::Null).unwrap();
    }

    fn run(&self) -> Run {
        let surface = |name: &str, kind, spans: [[u64; 2]; 3]| {
            let [vertices, triangles, polygons] = spans.map(|[first, count]| Span { first, count });
            let front_colour = [1.0, 0.5, 0.0];
            Surface {
                name: name.to_owned(),
                kind,
                vertices,
                triangles,
                polygons,
                front_colour,
                back_colour: front_colour,
                layer: 0,
            }
        };
        Run {
            scene: "hand-made".to_owned(),
            overrides: BTreeMap::new(),
            seed: 1,
            fps: 10.0,
            first_frame: 0,
            last_frame: self.frames.len() as u64 - 1,
            up_axis: self.up,
            metres_per_unit: 1.0,
            surfaces: vec![
                surface("squares", SurfaceKind::Cloth, [[0, 8], [0, 4], [0, 2]]),
                surface("wall", SurfaceKind::Body, [[8, 3], [4, 1], [2, 1]]),
            ],
        }
    }
}

fn topology() -> Topology {
    let uv = |t: [usize; 3]| t.map(|k| [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]][k]);
    let halves = [uv([0, 1, 2]), uv([0, 2, 3])];
    Topology {
        triangles: vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7], [8, 9, 10]],
        corner_uv: vec![halves[0], halves[1], halves[0], halves[1], [[0.0; 2]; 3]],
        polygon_offsets: vec![0, 4, 8, 11],
        polygon_vertices: (0..11).collect(),
        polygon_materials: vec![None; 3],
        material_names: Vec::new(),
        texture_uv: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        polygon_uv: (0..11u32).map(|corner| (corner < 8).then_some(corner % 4)).collect(),
        edges: vec![[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]],
        rest_lengths: vec![1.0; 8],
        body_positions: HandMade::body(),
    }
}
