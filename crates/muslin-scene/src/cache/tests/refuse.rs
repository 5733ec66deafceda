//! R5, R6: what is refused, in one sentence, leaving everything as it was.

use super::super::layout::FRAMES;
use super::*;

#[test]
fn numbers_that_are_not_finite_are_refused_by_name() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    let mut writer = create(&dir).unwrap();
    let good = Toy::new(3).frame();
    let mut bad = good.clone();
    bad.positions[2].y = f64::NAN;
    let message = writer.write_frame(0, &bad).unwrap_err().to_string();
    assert!(message.contains("`positions` of vertex 2 of cloth `veil`"), "{message}");
    let mut bad = good.clone();
    bad.velocities[1].z = f64::INFINITY;
    let message = writer.write_frame(0, &bad).unwrap_err().to_string();
    assert!(message.contains("`velocities` of vertex 1 of cloth `veil`"), "{message}");
    let mut bad = good.clone();
    bad.bodies = vec![Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::new(0.0, f64::NEG_INFINITY, 0.0)];
    let message = writer.write_frame(0, &bad).unwrap_err().to_string();
    assert!(message.contains("`bodies` of vertex 3 of body `rock`"), "{message}");
    let mut bad = good.clone();
    bad.time = f64::NAN;
    assert!(matches!(writer.write_frame(0, &bad), Err(CacheError::NotFiniteState { .. })));
    assert!(FRAMES.list(&dir).unwrap().is_empty());

    writer.write_frame(0, &good).unwrap();
    let mut snapshot = Snapshot::default();
    snapshot.push("warm_start", vec![0.0, f64::NAN]);
    let message = writer.write_checkpoint(0, &snapshot).unwrap_err().to_string();
    assert!(message.contains("entry 1 of `warm_start`"), "{message}");
}

#[test]
fn frames_and_checkpoints_come_in_order() {
    let scratch = Scratch::new();
    let mut writer = create(&scratch.cache()).unwrap();
    let toy = Toy::new(3);
    let unfit = |result: Result<(), CacheError>| matches!(result, Err(CacheError::Unfit { .. }));
    assert!(unfit(writer.write_checkpoint(0, &toy.snapshot())));
    assert!(unfit(writer.write_frame(1, &toy.frame())));
    let mut short = toy.frame();
    short.positions.pop();
    assert!(unfit(writer.write_frame(0, &short)));
    for index in 0..=LAST_FRAME {
        writer.write_frame(index, &toy.frame()).unwrap();
    }
    assert!(unfit(writer.write_frame(LAST_FRAME + 1, &toy.frame())));
    assert!(unfit(writer.write_checkpoint(0, &toy.snapshot())));
    for name in ["frame", "", "../x", "a b"] {
        let mut snapshot = Snapshot::default();
        snapshot.push(name, vec![1.0]);
        assert!(unfit(writer.write_checkpoint(LAST_FRAME, &snapshot)), "{name}");
    }
    let mut twice = toy.snapshot();
    twice.push("x", vec![1u64]);
    assert!(unfit(writer.write_checkpoint(LAST_FRAME, &twice)));
}

#[test]
fn topology_that_does_not_fit_is_refused_before_anything_is_made() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    let broken: [fn(&mut Topology); 12] = [
        |t| t.triangles[4][1] = 7,
        |t| t.corner_uv.truncate(4),
        |t| t.polygon_offsets[2] = 2,
        |t| t.polygon_offsets[5] = 14,
        |t| t.polygon_materials[3] = Some(2),
        |t| t.polygon_materials.truncate(4),
        |t| t.polygon_uv[14] = Some(2),
        |t| t.polygon_uv.truncate(14),
        |t| t.texture_uv[1][0] = f64::INFINITY,
        |t| t.rest_lengths[1] = f64::NAN,
        |t| t.edges.push([0, 1]),
        |t| t.body_positions.push(Vec3::ZERO),
    ];
    for (case, break_it) in broken.iter().enumerate() {
        let mut topology = toy_topology(3);
        break_it(&mut topology);
        let start =
            Start { run: toy_run(3), topology: &topology, scene_text: "", resolved_text: "" };
        let refused = CacheWriter::create(&dir, &start, Existing::Keep);
        assert!(matches!(refused, Err(CacheError::Unfit { .. })), "case {case}: {refused:?}");
        assert!(!dir.exists());
    }
}

#[test]
fn what_stands_in_the_way_is_left_alone() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("thesis.tex"), "do not lose this").unwrap();
    let replace = || with_start(3, |start| CacheWriter::create(&dir, start, Existing::Replace));
    assert!(matches!(replace(), Err(CacheError::NotACache { .. })));
    // A web page's manifest does not make a cache.
    fs::write(dir.join("manifest.json"), r#"{"name": "my page"}"#).unwrap();
    assert!(matches!(replace(), Err(CacheError::NotACache { .. })));
    assert!(matches!(CacheWriter::resume(&dir), Err(CacheError::NotACache { .. })));
    assert!(matches!(Cache::open(&dir), Err(CacheError::NotACache { .. })));
    assert_eq!(contents(&dir).len(), 2);
    fs::remove_dir_all(&dir).unwrap();

    finished(&dir);
    let before = contents(&dir);
    let message = create(&dir).unwrap_err().to_string();
    assert!(message.contains("already holds a finished cache of scene `toy`"), "{message}");
    assert_same(&contents(&dir), &before, "refused");
    drop(replace().unwrap());
    assert!(FRAMES.list(&dir).unwrap().is_empty());
    finished(&dir);
    assert_same(&contents(&dir), &before, "replaced");
}

#[test]
fn a_path_through_a_file_is_one_clear_sentence() {
    let scratch = Scratch::new();
    let file = scratch.0.join("notes.txt");
    fs::write(&file, "text").unwrap();
    let message = create(&file.join("run.muslin")).unwrap_err().to_string();
    assert!(message.contains("part of that path is a file"), "{message}");
    assert!(matches!(create(&file), Err(CacheError::NotACache { .. })));
    assert_eq!(fs::read(&file).unwrap(), b"text");
}

/// A full disk, played by a link to the device that is always full.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_a_cache_to_go_on_with() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    finished(&dir);
    let reference = contents(&dir);
    fs::remove_dir_all(&dir).unwrap();

    let mut writer = create(&dir).unwrap();
    let mut toy = Toy::new(3);
    writer.write_frame(0, &toy.frame()).unwrap();
    writer.write_checkpoint(0, &toy.snapshot()).unwrap();
    toy.step();
    let full = dir.join("frames/frame_000001.npz.tmp");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let message = writer.write_frame(1, &toy.frame()).unwrap_err().to_string();
    assert!(message.contains("frame_000001.npz"), "{message}");
    assert!(
        message.contains("free some space, then continue with `muslin run --resume`"),
        "{message}"
    );
    assert!(!full.is_symlink(), "the half-written file stays");
    assert_eq!(FRAMES.list(&dir).unwrap(), [0]);
    drop(writer);
    finished(&dir);
    assert_same(&contents(&dir), &reference, "after a full disk");
}
