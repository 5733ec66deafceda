//! The exports, opened by the programs they are meant for: usd-core, Blender, numpy. Skipped,
//! with a message, where those are not installed; `MUSLIN_REQUIRE_USD=1` makes that a failure and
//! `MUSLIN_PYTHON` names the interpreter.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "functions of an integration test that are not tests themselves"
)]

use muslin::math::{Quat, Vec2, Vec3};
use muslin_scene::{
    formats::{
        WriteError, alembic,
        animation::{AnimatedMesh, Clip, Frame, SourceError},
        gltf, mdd,
        npy::{Array, Values},
        npz, obj, pc2, ply, usd_core, usda,
    },
    polymesh::{CornerUv, PolyMesh, UpAxis},
};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

const FRAMES: usize = 12;
const FPS: f64 = 25.0;

/// The interpreter, if it has numpy; says what is missing, and fails where that is not allowed.
fn python() -> Option<String> {
    let python = env::var("MUSLIN_PYTHON").unwrap_or_else(|_| "python3".into());
    let required = env::var("MUSLIN_REQUIRE_USD").as_deref() == Ok("1");
    let imports = |module: &str| {
        let output = Command::new(&python).args(["-c", &format!("import {module}")]).output();
        let found = output.is_ok_and(|output| output.status.success());
        let advice = "install it or set MUSLIN_PYTHON";
        assert!(found || !required, "`{python}` cannot import {module}: {advice}");
        if !found {
            println!("SKIPPED: checks that need {module}: `{python}` cannot import it; {advice}");
        }
        found
    };
    imports("pxr");
    imports("numpy").then_some(python)
}

/// A folder of its own for each test, emptied first.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the checker and returns what it printed; fails if it does.
fn check(python: &str, reference: &Path, files: &[PathBuf]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/check_exports.py");
    let output = Command::new(python)
        .arg(script)
        .arg("--reference")
        .arg(reference)
        .args(files)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}\n{errors}");
    println!("{printed}");
    printed
}

/// A grid of quads with one uv per vertex and two materials.
fn cloth(side: u32) -> PolyMesh {
    let mut mesh = PolyMesh::default();
    let mut uv = CornerUv::default();
    for (row, column) in (0..=side).flat_map(|row| (0..=side).map(move |column| (row, column))) {
        let at = Vec2::new(column as f64, row as f64) / side as f64;
        mesh.positions.push(at.extend(0.0));
        uv.values.push(at);
    }
    mesh.materials = vec!["front side".into(), "Rückseite".into()];
    for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
        let first = row * (side + 1) + column;
        mesh.push_face(&[first, first + 1, first + side + 2, first + side + 1]);
        mesh.face_materials.push(Some(u32::from(row >= side / 2)));
    }
    uv.corners = mesh.face_vertices.iter().map(|&vertex| Some(vertex)).collect();
    mesh.uv = Some(uv);
    mesh
}

/// A tetrahedron that stands still, with a name that needs care.
fn body() -> PolyMesh {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    PolyMesh::from_triangles(positions, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

/// The cloth waves: `z = a sin(kx + ωt)`, with its exact velocity.
fn waving(mesh: &PolyMesh, frame: usize) -> Frame {
    let (amplitude, wave_number, rate) = (0.1, 7.0, 3.0);
    let time = frame as f64 / FPS;
    let phase = |p: &Vec3| wave_number * p.x + rate * time;
    let positions = mesh.positions.iter();
    Frame {
        positions: positions
            .clone()
            .map(|p| Vec3::new(p.x, p.y, amplitude * phase(p).sin()))
            .collect(),
        velocities: Some(
            positions.map(|p| Vec3::Z * (amplitude * rate * phase(p).cos())).collect(),
        ),
        time,
    }
}

fn write_all(folder: &Path, up: UpAxis) -> (PathBuf, Vec<PathBuf>) {
    let (cloth, body) = (cloth(20), body());
    let clip = Clip { frame_count: FRAMES, fps: FPS, up };
    let z_up = Clip { up: UpAxis::Z, ..clip };
    let mut source = |mesh: usize, frame: usize| -> Result<Frame, SourceError> {
        Ok(match mesh {
            0 => waving(&cloth, frame),
            _ => Frame { positions: body.positions.clone(), velocities: None, time: 0.0 },
        })
    };
    let meshes = [
        AnimatedMesh { mesh: &cloth, name: "cloth", color: Some([0.8, 0.2, 0.1]), animated: true },
        AnimatedMesh { mesh: &body, name: "3 \"bodies\"", color: None, animated: false },
    ];
    let path = |name: &str| folder.join(name);
    npz::write_animation(&path("clip.npz"), &z_up, &cloth, &mut source).unwrap();
    usda::write(&path("clip.usda"), &clip, &meshes, &mut source).unwrap();
    gltf::write(&path("clip.glb"), &clip, &meshes, &mut source).unwrap();
    alembic::write(&path("clip.abc"), &clip, &meshes, &mut source).unwrap();
    pc2::write(&path("clip.pc2"), &z_up, &cloth, &mut source).unwrap();
    mdd::write(&path("clip.mdd"), &z_up, &cloth, &mut source).unwrap();
    let obj = obj::write_sequence(&path("clip.obj"), &z_up, &cloth, &mut source).unwrap();
    let ply = ply::write_sequence(&path("clip_%05d.ply"), &z_up, &cloth, &mut source).unwrap();
    assert_eq!(obj[FRAMES - 1], path("clip_0011.obj"));
    assert_eq!(ply[FRAMES - 1], path("clip_00011.ply"));
    let mut files = ["clip.npz", "clip.usda", "clip.pc2", "clip.mdd"].map(path).to_vec();
    files.extend([obj[FRAMES - 1].clone(), ply[FRAMES - 1].clone()]);
    files.extend(["clip.glb", "clip.abc"].map(path));
    if usd_core::convert(&path("clip.usda"), &path("clip.usdc"), &|| false).is_ok() {
        files.push(path("clip.usdc"));
    } else {
        println!("SKIPPED: .usdc: there is no usd-core");
    }
    (path("clip.npz"), files)
}

#[test]
fn other_programs_read_what_was_simulated() {
    let Some(python) = python() else {
        return;
    };
    let (reference, files) = write_all(&scratch("exports-z"), UpAxis::Z);
    let printed = check(&python, &reference, &files);
    assert!(printed.contains(" passed, 0 failed"), "{printed}");
}

/// Cloth that flies off by 5 m and turns over: no program may cut anything off.
#[test]
fn what_moves_far_and_turns_over_arrives_too() {
    let Some(python) = python() else {
        return;
    };
    let (folder, cloth) = (scratch("exports-far"), cloth(12));
    let clip = Clip { frame_count: FRAMES, fps: FPS, up: UpAxis::Z };
    let mut source = |_: usize, frame: usize| -> Result<Frame, SourceError> {
        let share = frame as f64 / (FRAMES - 1) as f64;
        let turn = Quat::from_rotation_x(std::f64::consts::PI * share);
        let positions = cloth.positions.iter();
        let positions = positions.map(|x| turn * *x + Vec3::new(5.0, -1.0, 2.0) * share).collect();
        let velocities = Some(vec![Vec3::ZERO; cloth.vertex_count()]);
        Ok(Frame { positions, velocities, time: frame as f64 / FPS })
    };
    let meshes = [AnimatedMesh { mesh: &cloth, name: "cloth", color: None, animated: true }];
    let [npz, glb, abc] = ["far.npz", "far.glb", "far.abc"].map(|name| folder.join(name));
    npz::write_animation(&npz, &clip, &cloth, &mut source).unwrap();
    gltf::write(&glb, &clip, &meshes, &mut source).unwrap();
    alembic::write(&abc, &clip, &meshes, &mut source).unwrap();
    let printed = check(&python, &npz, &[glb, abc]);
    assert!(printed.contains(" passed, 0 failed"), "{printed}");
}

#[test]
fn usd_with_y_up_shows_the_same_motion() {
    let Some(python) = python() else {
        return;
    };
    let (reference, files) = write_all(&scratch("exports-y"), UpAxis::Y);
    let printed = check(&python, &reference, &files[1..2]);
    assert!(printed.contains(" passed, 0 failed"), "{printed}");
}

#[test]
fn archives_that_numpy_wrote_are_read() {
    let Some(python) = python() else { return };
    let path = scratch("numpy-archive").join("a.npz");
    let code = "import sys, numpy as np; np.savez(sys.argv[1], a=np.arange(6.0).reshape(2, 3), \
                b=np.array([7, 8], '<i8'), c=np.zeros((0, 2), 'f4'))";
    let output = Command::new(python).args(["-c", code]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = npz::read(&fs::read(path).unwrap(), "a.npz").unwrap();
    let array = |shape: &[usize], values| Array::new(shape, values).unwrap();
    let expected = [
        ("a".to_string(), array(&[2, 3], Values::F64(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]))),
        ("b".to_string(), array(&[2], Values::I64(vec![7, 8]))),
        ("c".to_string(), array(&[0, 2], Values::F32(vec![]))),
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_checker_notices_a_wrong_position() {
    let Some(python) = python() else {
        return;
    };
    let (reference, files) = write_all(&scratch("exports-wrong"), UpAxis::Z);
    let mut bytes = fs::read(&files[2]).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&files[2], bytes).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/check_exports.py");
    let output =
        Command::new(python).arg(script).arg("--reference").arg(reference).arg(&files[2]).output();
    let output = output.unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && printed.contains("failed: "), "{printed}");
}

/// 100 frames of 10,000 vertices in glTF stay below 20 MB.
#[test]
fn gltf_is_small_enough_for_the_web() {
    let folder = scratch("exports-small");
    let mesh = cloth(99);
    assert_eq!(mesh.vertex_count(), 10_000);
    let clip = Clip { frame_count: 100, fps: FPS, up: UpAxis::Z };
    let mut source =
        |_: usize, frame: usize| -> Result<Frame, SourceError> { Ok(waving(&mesh, frame)) };
    let meshes = [AnimatedMesh { mesh: &mesh, name: "cloth", color: None, animated: true }];
    gltf::write(&folder.join("a.glb"), &clip, &meshes, &mut source).unwrap();
    let size = fs::metadata(folder.join("a.glb")).unwrap().len();
    assert!(size < 20_000_000, "{size} bytes");
}

/// The largest amount of memory this process has held [bytes], where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}

/// How long this thread has waited for a core that others used [s], where the system tells.
fn waited() -> f64 {
    let status = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().nth(1).and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) * 1e-9
}

/// 60 frames of 22,500 vertices: USD text within 4 s, glTF within 3 s, all within 300 MB.
#[test]
#[ignore = "measures time: run alone, with --ignored"]
fn large_clips_are_written_in_seconds() {
    let folder = scratch("exports-large");
    let mesh = cloth(149);
    assert_eq!(mesh.vertex_count(), 22_500);
    let clip = Clip { frame_count: 60, fps: FPS, up: UpAxis::Z };
    let mut source =
        |_: usize, frame: usize| -> Result<Frame, SourceError> { Ok(waving(&mesh, frame)) };
    let meshes = [AnimatedMesh { mesh: &mesh, name: "cloth", color: None, animated: true }];
    let time = |name: &str, write: &mut dyn FnMut(&Path) -> Result<(), WriteError>| {
        let (start, before) = (Instant::now(), waited());
        write(&folder.join(name)).unwrap();
        let wall = start.elapsed().as_secs_f64();
        let seconds = wall - (waited() - before);
        println!("{name}: {seconds:.3} s, {wall:.3} s with waiting for a core");
        let limit = if name == "a.glb" { 3.0 } else { 4.0 };
        assert!(seconds < limit, "{name} took {seconds} s");
    };
    time("a.usda", &mut |path| usda::write(path, &clip, &meshes, &mut source));
    time("a.glb", &mut |path| gltf::write(path, &clip, &meshes, &mut source));
    time("a.abc", &mut |path| alembic::write(path, &clip, &meshes, &mut source));
    let glb = fs::metadata(folder.join("a.glb")).unwrap().len();
    println!("a.glb: {:.1} MB", glb as f64 / 1e6);
    time("a.npz", &mut |path| npz::write_animation(path, &clip, &mesh, &mut source));
    time("a.pc2", &mut |path| pc2::write(path, &clip, &mesh, &mut source));
    time("a.mdd", &mut |path| mdd::write(path, &clip, &mesh, &mut source));
    time("a.obj", &mut |path| obj::write_sequence(path, &clip, &mesh, &mut source).map(drop));
    time("a.ply", &mut |path| ply::write_sequence(path, &clip, &mesh, &mut source).map(drop));
    if let Some(peak) = peak_memory() {
        println!("peak memory: {:.0} MB", peak as f64 / 1e6);
        assert!(peak < 300_000_000, "{peak} bytes");
    }
}
