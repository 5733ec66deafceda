//! Bodies and cloth from other programs' files, through scene files.

#![expect(clippy::unwrap_used, reason = "functions of an integration test that are not tests")]

use muslin::judge;
use muslin::math::Vec3;
use muslin_scene::formats::animation::{AnimatedMesh, Clip, Frame, SourceError};
use muslin_scene::formats::{gltf, mdd, obj, pc2, usda};
use muslin_scene::polymesh::{PolyMesh, UpAxis};
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use std::path::{Path, PathBuf};
use std::{env, fs};

const FPS: f64 = 25.0;
const FRAMES: usize = 6;

/// A folder of its own for each test, emptied first.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// An octahedron of radius 0.2 m that is squeezed and lifted.
fn octahedron(time: f64) -> Vec<Vec3> {
    let axes = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z];
    let squeeze = Vec3::new(1.0 + 0.5 * time, 1.0, 1.0);
    axes.iter().map(|x| *x * 0.2 * squeeze + Vec3::Z * 0.3 * time).collect()
}

/// The octahedron's motion in every format.
fn write_files(folder: &Path) {
    let faces =
        [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let mesh = PolyMesh::from_triangles(octahedron(0.0), &faces);
    let clip = Clip { frame_count: FRAMES, fps: FPS, up: UpAxis::Z };
    let mut source = |_: usize, frame: usize| -> Result<Frame, SourceError> {
        let time = frame as f64 / FPS;
        Ok(Frame { positions: octahedron(time), velocities: None, time })
    };
    let meshes = [AnimatedMesh { mesh: &mesh, name: "thing", color: None, animated: true }];
    obj::write_sequence(&folder.join("move.obj"), &clip, &mesh, &mut source).unwrap();
    obj::write(&folder.join("still.obj"), &mesh).unwrap();
    pc2::write(&folder.join("move.pc2"), &clip, &mesh, &mut source).unwrap();
    mdd::write(&folder.join("move.mdd"), &clip, &mesh, &mut source).unwrap();
    let y_up = Clip { up: UpAxis::Y, ..clip };
    usda::write(&folder.join("move.usda"), &y_up, &meshes, &mut source).unwrap();
    gltf::write(&folder.join("move.glb"), &clip, &meshes, &mut source).unwrap();
}

fn runner(folder: &Path, body: &str) -> Result<Runner, String> {
    let text = format!(
        "fps = 50\nframes = 8\n[[cloth]]\ngrid = {{ size = [0.6, 0.6], vertices = [13, 13] }}\n\
         position = [0, 0, 0.25]\n[[body]]\nname = \"thing\"\n{body}\n"
    );
    let name = folder.join("scene.toml").display().to_string();
    let spec = SceneSpec::from_toml(&text, &name, &[]).map_err(|error| error.to_string())?;
    Runner::new(&spec).map_err(|error| error.to_string())
}

/// A body is where its file says at frames and half-way between, and cloth on it does not cross it.
#[test]
fn cloth_lies_on_bodies_of_every_format() {
    let folder = scratch("bodies-formats");
    write_files(&folder);
    let bodies = [
        "mesh_sequence = { files = \"move_####.obj\", fps = 25 }",
        "mesh_sequence = { files = \"move.pc2\", mesh = \"still.obj\", fps = 25 }",
        "mesh_sequence = { files = \"move.mdd\", mesh = \"still.obj\" }",
        "mesh_sequence = { files = \"move.usda\" }",
        "gltf = \"move.glb\"",
    ];
    for body in bodies {
        let mut runner = runner(&folder, body).unwrap();
        let topology = runner.topology();
        let cloth = runner.frame().positions.len() as u32;
        let (of_cloth, of_body): (Vec<_>, Vec<_>) =
            topology.triangles.iter().copied().partition(|t| t[0] < cloth);
        let of_body: Vec<[u32; 3]> = of_body.iter().map(|t| t.map(|v| v - cloth)).collect();
        for frame in 1..=8 {
            runner.advance().unwrap();
            let now = runner.frame();
            // The motion is linear in time, so interpolation is exact; glTF holds 2 m in 16 bits.
            for (found, expected) in now.bodies.iter().zip(octahedron(f64::from(frame) / 50.0)) {
                assert!(
                    found.distance(expected) < 1e-4,
                    "{body}, frame {frame}: {found} {expected}"
                );
            }
            let crossing = judge::crossing_pairs(&now.positions, &of_cloth, &now.bodies, &of_body);
            assert!(crossing.is_empty(), "{body}, frame {frame}");
        }
        // Lifted at 0.3 m/s, the tip has the sheet above it.
        let top = runner.frame().positions.iter().map(|x| x.z).fold(f64::MIN, f64::max);
        assert!(top > 0.2 + 0.3 * 8.0 / 50.0, "{body}: {top}");
    }
}

#[test]
fn start_speed_and_repeat_move_the_clock() {
    let folder = scratch("bodies-clock");
    write_files(&folder);
    let at = |keys: &str, frame: usize| {
        let body = format!(
            "mesh_sequence = {{ files = \"move.pc2\", mesh = \"still.obj\", fps = 25, {keys} }}"
        );
        let mut runner = runner(&folder, &body).unwrap();
        for _ in 0..frame {
            runner.advance().unwrap();
        }
        runner.frame().bodies[4].z
    };
    let tip = |time: f64| 0.2 + 0.3 * time;
    assert!((at("start = 0.1", 0) - tip(0.1)).abs() < 1e-6);
    assert!((at("speed = 2", 2) - tip(0.08)).abs() < 1e-6);
    assert!((at("start = 0.15, repeat = true", 4) - tip(0.23 - 0.2)).abs() < 1e-6);
    // Held after the last frame.
    assert!((at("start = 0.15", 4) - tip(0.2)).abs() < 1e-6);
}

#[test]
fn what_is_wrong_is_one_sentence() {
    let folder = scratch("bodies-wrong");
    write_files(&folder);
    let message = |body: &str| {
        let error = runner(&folder, body).err().unwrap();
        error.replace(&format!("{}/", folder.display()), "")
    };
    assert_eq!(
        message("gltf = { file = \"move.glb\", animation = \"walk\" }"),
        "body `thing`: move.glb: there is no animation `walk` in it: choose `simulation`"
    );
    assert_eq!(
        message("gltf = { file = \"move.glb\", skin = \"man\" }"),
        "body `thing`: move.glb: there is no skin `man` in it: it names none, so leave that out"
    );
    let jump = message("scale = 40\ngltf = { file = \"move.glb\", speed = 200 }");
    assert!(
        jump.starts_with("body `thing`: vertex ") && jump.contains("m from frame 0 to frame 1"),
        "{jump}"
    );
    let open = fs::read_to_string(folder.join("still.obj")).unwrap();
    let last = open.trim_end().rfind("\nf ").unwrap();
    fs::write(folder.join("open.obj"), &open[..last]).unwrap();
    let unclosed = message("mesh = \"open.obj\"");
    assert!(unclosed.contains("open.obj is not closed: 3 of its edges"), "{unclosed}");
    let text = fs::read_to_string(folder.join("move.usda")).unwrap();
    fs::write(folder.join("cut.usda"), &text[..text.len() / 2]).unwrap();
    let cut = message("mesh_sequence = { files = \"cut.usda\" }");
    assert!(cut.starts_with("body `thing`: cut.usda, line "), "{cut}");
}

/// Cloth from glTF keeps its uv, and USD its unit and axes.
#[test]
fn cloth_comes_from_gltf_and_usd() {
    let folder = scratch("bodies-cloth");
    let mesh = PolyMesh::from_triangles(
        vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
        &[[0, 1, 2], [0, 2, 3]],
    );
    let clip = Clip { frame_count: 1, fps: FPS, up: UpAxis::Y };
    let mut source = |_: usize, _: usize| -> Result<Frame, SourceError> {
        Ok(Frame { positions: mesh.positions.clone(), velocities: None, time: 0.0 })
    };
    let meshes = [AnimatedMesh { mesh: &mesh, name: "sheet", color: None, animated: false }];
    gltf::write(&folder.join("a.glb"), &clip, &meshes, &mut source).unwrap();
    usda::write(&folder.join("a.usda"), &clip, &meshes, &mut source).unwrap();
    let text = fs::read_to_string(folder.join("a.usda")).unwrap();
    fs::write(folder.join("b.usda"), text.replace("metersPerUnit = 1", "metersPerUnit = 0.5"))
        .unwrap();
    for (file, size) in [("a.glb", 1.0), ("a.usda", 1.0), ("b.usda", 0.5)] {
        let text = format!("frames = 1\n[[cloth]]\nmesh = \"{file}\"\n");
        let name = folder.join("scene.toml").display().to_string();
        let spec = SceneSpec::from_toml(&text, &name, &[]).unwrap();
        let found = Runner::new(&spec).unwrap().frame().positions;
        for (found, expected) in found.iter().zip(&mesh.positions) {
            assert!(found.distance(*expected * size) < 1e-6, "{file}: {found}");
        }
    }
}

/// A rigged figure with a sheet laid over it, posed by its animation.
#[test]
fn a_sheet_falls_on_the_rigged_figure() {
    let Ok(shared) = env::var("MUSLIN_SHARED") else {
        eprintln!("SKIPPED: MUSLIN_SHARED names no folder with data/bodies");
        return;
    };
    let folder = Path::new(&shared).join("data/bodies");
    let text = r#"
fps = 25
frames = 6
[[cloth]]
grid = { size = [1.2, 1.2], vertices = [31, 31] }
position = [0, 0, 1.6]
velocity = [0, 0, -1]
[[body]]
name = "figure"
gltf = { file = "RiggedFigure.glb", speed = 0.5 }
"#;
    let name = folder.join("scene.toml").display().to_string();
    let spec = SceneSpec::from_toml(text, &name, &[]).unwrap();
    let mut runner = Runner::new(&spec).unwrap();
    let topology = runner.topology();
    let cloth = runner.frame().positions.len() as u32;
    let (of_cloth, of_body): (Vec<_>, Vec<_>) =
        topology.triangles.iter().copied().partition(|t| t[0] < cloth);
    let of_body: Vec<[u32; 3]> = of_body.iter().map(|t| t.map(|v| v - cloth)).collect();
    let first = runner.frame().bodies;
    for _ in 0..6 {
        runner.advance().unwrap();
        let now = runner.frame();
        assert!(judge::crossing_pairs(&now.positions, &of_cloth, &now.bodies, &of_body).is_empty());
    }
    let now = runner.frame();
    let choice = gltf::Choice::default();
    let figure = gltf::Figure::open(&folder.join("RiggedFigure.glb"), choice).unwrap();
    let mut posed = first.clone();
    figure.positions_at(0.5 * 6.0 / 25.0, &mut posed);
    for ((start, found), posed) in first.iter().zip(&now.bodies).zip(&posed) {
        assert!(found.distance(UpAxis::Y.world_from_file(*posed)) < 1e-12);
        assert!(found.distance(*start) < 0.2, "a step of a walk");
    }
    assert!(first.iter().zip(&now.bodies).any(|(a, b)| a.distance(*b) > 0.03));
    let top = now.bodies.iter().map(|x| x.z).fold(f64::MIN, f64::max);
    let sheet = now.positions.iter().map(|x| x.z).fold(f64::MIN, f64::max);
    assert!(sheet > top && sheet < top + 0.1, "the sheet lies on the head: {sheet} {top}");
}
