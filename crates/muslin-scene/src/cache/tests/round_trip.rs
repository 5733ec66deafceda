//! What is written comes back, bit for bit, and says what made it.

use super::*;

#[test]
fn everything_comes_back() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    let fingerprint = finished(&dir);
    let cache = Cache::open(&dir).unwrap();
    assert_eq!(cache.manifest().run, toy_run(3));
    assert_eq!(cache.manifest().status, Status::Finished);
    assert_eq!(cache.manifest().fingerprint.as_ref(), Some(&fingerprint));
    assert_eq!(cache.manifest().frame_count, Some(LAST_FRAME + 1));
    assert_eq!(*cache.topology(), toy_topology(3));
    assert_eq!(cache.scene_text(), SCENE_TEXT);
    assert_eq!(
        cache.frames().unwrap(),
        (0..=LAST_FRAME).collect::<Vec<_>>()
    );
    assert_eq!(cache.checkpoints().unwrap(), [LAST_FRAME]);
    let mut toy = Toy::new(3);
    let mut position_bytes = Vec::new();
    for index in 0..=LAST_FRAME {
        if index > 0 {
            toy.step();
        }
        let expected = Frame {
            bodies: toy_topology(3).body_positions,
            ..toy.frame()
        };
        assert_eq!(cache.frame(index).unwrap(), expected);
        let flat = toy.positions.iter().flat_map(Vec3::to_array);
        position_bytes.extend(flat.flat_map(f64::to_le_bytes));
    }
    assert_eq!(fingerprint, sha256_hex(&position_bytes));
    assert_eq!(cache.fingerprint_of_frames().unwrap(), fingerprint);
    assert_eq!(
        Toy::from_snapshot(&cache.checkpoint(LAST_FRAME).unwrap()),
        toy
    );
    let reports = cache.report().unwrap().unwrap();
    assert_eq!(
        reports["frames"].as_array().unwrap().len() as u64,
        LAST_FRAME + 1
    );
}

/// Signed zeros, the smallest and the largest numbers keep their bits.
#[test]
fn odd_numbers_keep_their_bits() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    let mut writer = create(&dir).unwrap();
    let mut frame = Toy::new(3).frame();
    let odd = Vec3::new(-0.0, f64::from_bits(1), -f64::MAX);
    frame.positions[1] = odd;
    frame.bodies = vec![odd; 4];
    frame.report = json!({ "words": "Größe, 寸法", "list": [1, -2.5e-300] });
    writer.write_frame(0, &frame).unwrap();
    writer.write_checkpoint(0, &Snapshot::default()).unwrap();
    let cache = Cache::open(&dir).unwrap();
    let back = cache.frame(0).unwrap();
    let bits = |p: Vec3| p.to_array().map(f64::to_bits);
    assert_eq!(bits(back.positions[1]), bits(odd));
    assert_eq!(
        back.bodies.iter().map(|p| bits(*p)).collect::<Vec<_>>(),
        vec![bits(odd); 4]
    );
    assert_eq!(back.report, frame.report);
    assert_eq!(cache.checkpoint(0).unwrap(), Snapshot::default());
}

/// A cloth that comes to rest ends early and is complete all the same.
#[test]
fn an_early_end_is_an_end() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    let mut writer = create(&dir).unwrap();
    for index in 0..3 {
        writer.write_frame(index, &Toy::new(3).frame()).unwrap();
    }
    writer.finish(&json!({ "at_rest": true })).unwrap();
    let cache = Cache::open(&dir).unwrap();
    assert_eq!(cache.manifest().last_frame(), Some(2));
    assert_eq!(cache.missing_frames().unwrap(), []);
    assert_eq!(cache.report().unwrap().unwrap()["at_rest"], json!(true));
    assert!(matches!(CacheWriter::resume(&dir), Ok(Resume::Finished(_))));
}

type Change = fn(&mut Manifest);

/// Runs that would give other bits are told apart before one continues the other.
#[test]
fn another_run_is_told_apart() {
    let base = Manifest::new(toy_run(3), SCENE_TEXT);
    assert_eq!(base.difference(&base.clone()), None);
    let cases: [(&str, Change); 6] = [
        ("the version of Muslin", |m| m.muslin_version.push('x')),
        ("the scene file", |m| m.scene_sha256 = sha256_hex(b"other")),
        ("the overridden settings", |m| m.run.overrides.clear()),
        ("the seed", |m| m.run.seed = 1),
        ("the meshes", |m| m.run.surfaces[0].layer = 2),
        ("the run", |m| m.run.up_axis = UpAxis::Y),
    ];
    for (expected, change) in cases {
        let mut other = base.clone();
        change(&mut other);
        assert_eq!(base.difference(&other), Some(expected));
    }
}

/// Two runs of one scene give one folder, whatever their timings; only `timing.json` may differ.
#[test]
fn two_runs_give_one_folder() {
    let scratch = Scratch::new();
    let (a, b) = (scratch.0.join("a.muslin"), scratch.0.join("b.muslin"));
    finished(&a);
    let mut writer = create(&b).unwrap();
    writer.write_timing(&json!({ "seconds": 1.25 })).unwrap();
    writer.write_report(&json!({ "so_far": 0 })).unwrap();
    writer.write_frame(0, &Toy::new(3).frame()).unwrap();
    drop(writer);
    finished(&b);
    let mut files = contents(&b);
    assert!(files.remove(Path::new("timing.json")).is_some());
    assert_same(&contents(&a), &files, "two runs");
}
