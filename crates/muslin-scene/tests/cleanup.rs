//! V13: clean-up of a cache's frames (MF8), against bodies that are met as distance fields and as triangles.

#![expect(clippy::unwrap_used, reason = "functions of an integration test that are not tests")]

use muslin::finish::cleanup::CleanUp;
use muslin::math::Vec3;
use muslin_scene::cache::{CacheWriter, Existing, Start};
use muslin_scene::finish::{Cleaning, Fineness, FinishSettings, Finished, Finisher, Source};
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use std::fs;
use std::path::Path;

const SETTINGS: CleanUp = CleanUp { least: 1e-3, reach: 0.01, expected_depth: 0.015 };

/// Half the sides of the block [m]; its top is at height 0.
const BLOCK: Vec3 = Vec3::new(0.15, 0.15, 0.1);
/// Half the sides of the block buried in it [m], with the same middle.
const BURIED: Vec3 = Vec3::new(0.1, 0.1, 0.088);

const SCENE: &str = r#"
fps = 24
frames = 2
[[cloth]]
grid = { size = [0.44, 0.44], vertices = [45, 45] }
position = [0, 0, 0.004]
fabric = "cotton poplin"
[[body]]
name = "block"
box = { size = [0.3, 0.3, 0.2] }
position = [0, 0, -0.1]
COLLISION
[[body]]
name = "buried"
box = { size = [0.2, 0.2, 0.176] }
position = [0, 0, -0.1]
COLLISION
"#;

/// The signed distance of a box around (0, 0, −0.1) [m].
fn distance(half: Vec3, x: Vec3) -> f64 {
    let q = (x - Vec3::new(0.0, 0.0, -0.1)).abs() - half;
    q.max(Vec3::ZERO).length() + q.max_element().min(0.0)
}

/// Where cloth sinks to [m]: waves of 4 mm, and a hollow that reaches the buried block.
fn sunk(x: Vec3) -> Vec3 {
    let hollow = 0.016 * (1.0 - x.truncate().length_squared() / 0.0036).max(0.0);
    let wave = 0.004 * (70.0 * x.x).sin() * (50.0 * x.y).cos();
    x - Vec3::Z * (0.008 + wave + hollow)
}

/// Runs the scene, lets its cloth sink, and writes that as a cache.
fn cache(name: &str, collision: &str) -> Source {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cleanup").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    let text = SCENE.replace("COLLISION", collision);
    let scene = SceneSpec::from_toml(&text, "test.toml", &[]).unwrap();
    let mut runner = Runner::new(&scene).unwrap();
    let start = Start {
        run: runner.plan(&scene, &[], 2),
        topology: &runner.topology(),
        scene_text: &text,
        resolved_text: &scene.to_toml().unwrap(),
    };
    let mut writer = CacheWriter::create(&folder, &start, Existing::Replace).unwrap();
    for number in 0..=2 {
        if number > 0 {
            runner.advance().unwrap();
        }
        let mut frame = runner.frame();
        frame.positions.iter_mut().for_each(|x| *x = sunk(*x));
        writer.write_frame(number, &frame).unwrap();
    }
    drop(writer);
    Source::from_cache(&folder).unwrap()
}

fn finished(source: &Source, levels: u32, clean_up: Cleaning) -> Finished {
    let fineness = Fineness::Subdivide(levels);
    let settings = FinishSettings { fineness, clean_up: Some(clean_up), sharp_seams: false };
    let finisher = Finisher::new(source, settings).unwrap();
    assert!(finisher.left_out().is_empty());
    finisher.frame(source.frame(2).unwrap(), &[]).unwrap()
}

fn check(source: &Source) {
    let before = source.frame(2).unwrap().positions;
    let done = finished(source, 0, Cleaning::KeepWrinkles(SETTINGS));
    let is_pinched = |x: &Vec3| distance(BLOCK, *x) < 0.0 && distance(BURIED, *x) < 0.0;
    let pinched = before.iter().filter(|x| is_pinched(x)).count();
    assert!(pinched > 10, "{pinched}");
    let report = &done.frame.report["finish"];
    assert_eq!(report["pinched"][0].as_u64(), Some(pinched as u64));
    assert_eq!(report["stuck"][0].as_u64(), Some(0));
    let mut depths = Vec::new();
    for (old, new) in before.iter().zip(&done.frame.positions) {
        let (d0, d1) = (distance(BLOCK, *old), distance(BLOCK, *new));
        if is_pinched(old) {
            assert_eq!(old, new, "pinched");
            continue;
        }
        assert!(d1 >= SETTINGS.least - 1e-9, "from {d0} to {d1} at {new}");
        assert!(d0 < SETTINGS.reach || old == new, "{d0} is above the reach, but moved");
        depths.push((d0, d1));
    }
    // The order of depths is kept, and deeper is deeper by more than rounding.
    depths.sort_by(|a, b| a.0.total_cmp(&b.0));
    for pair in depths.windows(2) {
        let (way, mapped) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        assert!(mapped > 0.05 * way - 1e-9, "{pair:?}");
    }
    assert!(depths.iter().filter(|(d0, _)| *d0 < 0.0).count() > 500);
    waves_stay(source, &before, &done);
    // Finer meshes are as clean.
    let finer = finished(source, 1, Cleaning::KeepWrinkles(SETTINGS));
    let inside = |x: &&Vec3| distance(BLOCK, **x) < 0.0;
    let left = finer.frame.positions.iter().filter(inside).filter(|x| !is_pinched(x)).count();
    assert_eq!(left, 0);
}

/// On top of the block waves come out as waves, and flattening makes them flat.
fn waves_stay(source: &Source, before: &[Vec3], done: &Finished) {
    let flat = finished(source, 0, Cleaning::Flatten(SETTINGS.least));
    // Between two rows of vertices: those next to the rim may come out sideways.
    let on_top = |x: &Vec3| x.x.abs() < 0.125 && x.y.abs() < 0.125 && x.truncate().length() > 0.07;
    let spread = |after: &[Vec3]| {
        let tops = before.iter().zip(after).filter(|(old, _)| on_top(old) && old.z < 0.0);
        let (low, high) = tops
            .fold((f64::MAX, f64::MIN), |(low, high), (_, new)| (low.min(new.z), high.max(new.z)));
        high - low
    };
    let (waves, kept) = (spread(before), spread(&done.frame.positions));
    let flattened = spread(&flat.frame.positions);
    assert!(kept > 0.25 * waves, "{kept} of {waves}");
    assert!(flattened < 0.3 * kept, "{flattened} is not flat against {kept}");
}

#[test]
fn v13_cloth_in_a_level_set_body_comes_out_in_order() {
    check(&cache("level-set", "collision = \"level-set\"\nlevel_set = { cell = 0.01 }"));
}

#[test]
fn v13_cloth_in_a_mesh_body_comes_out_in_order() {
    check(&cache("mesh", ""));
}
