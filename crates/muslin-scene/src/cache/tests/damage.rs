//! R6, R7: what a disk may do to a file is found out, and resume works around it.

use super::super::layout::{CHECKPOINTS, FRAMES, MANIFEST, SCENE, TOPOLOGY};
use super::super::npz;
use super::*;
use proptest::prelude::*;

/// Every way to shorten a file, flip one bit of it, or add a byte, must be noticed.
fn assert_all_damage_noticed(whole: &[u8], is_good: impl Fn(&[u8]) -> bool) {
    assert!(is_good(whole));
    for length in 0..whole.len() {
        assert!(
            !is_good(&whole[..length]),
            "cut to {length} bytes of {}",
            whole.len()
        );
    }
    let mut bytes = whole.to_vec();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            assert!(
                !is_good(&bytes),
                "bit {bit} of byte {at} of {}",
                whole.len()
            );
            bytes[at] ^= 1 << bit;
        }
    }
    bytes.push(0);
    assert!(!is_good(&bytes), "a byte too many");
}

#[test]
fn every_cut_and_every_flipped_bit_is_noticed() {
    let (toy, run, topology) = (Toy::new(3), toy_run(3), toy_topology(3));
    let frame = npz::encode_frame(4, &toy.frame()).unwrap();
    assert_all_damage_noticed(&frame, |bytes| npz::decode_frame(bytes, 4, &run).is_ok());
    let checkpoint = npz::encode_snapshot(4, &toy.snapshot()).unwrap();
    assert_all_damage_noticed(&checkpoint, |bytes| npz::decode_snapshot(bytes, 4).is_ok());
    let fixed = npz::encode_topology(&topology, &run).unwrap();
    assert_all_damage_noticed(&fixed, |bytes| npz::decode_topology(bytes, &run).is_ok());
}

proptest! {
    /// Whatever stands in a file's place or in a stretch of it, reading it ends, with an error.
    #[test]
    fn no_bytes_upset_a_reader(
        noise in prop::collection::vec(any::<u8>(), 0..200),
        place in any::<prop::sample::Index>(),
    ) {
        let run = toy_run(3);
        prop_assert!(npz::decode_frame(&noise, 4, &run).is_err());
        prop_assert!(npz::decode_snapshot(&noise, 4).is_err());
        prop_assert!(npz::decode_topology(&noise, &run).is_err());
        let whole = npz::encode_frame(4, &Toy::new(3).frame()).unwrap();
        let mut bytes = whole.clone();
        let at = place.index(bytes.len());
        let end = bytes.len().min(at + noise.len());
        bytes[at..end].copy_from_slice(&noise[..end - at]);
        prop_assert_eq!(npz::decode_frame(&bytes, 4, &run).is_ok(), bytes == whole);
    }
}

#[test]
fn a_damaged_frame_is_named_with_what_to_do() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    finished(&dir);
    let path = FRAMES.path(&dir, 3);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
    let cache = Cache::open(&dir).unwrap();
    let message = cache.frame(3).unwrap_err().to_string();
    assert!(message.contains("frame_000003.npz is damaged"), "{message}");
    assert!(message.contains("--overwrite"), "{message}");
    cache.frame(2).unwrap();
    // A whole frame under another frame's name is no better.
    fs::copy(FRAMES.path(&dir, 2), &path).unwrap();
    assert!(matches!(cache.frame(3), Err(CacheError::Damaged { .. })));
    assert!(matches!(
        cache.frame(99),
        Err(CacheError::MissingFrame { frame: 99, .. })
    ));
}

#[test]
fn missing_frames_are_listed() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    finished(&dir);
    let cache = Cache::open(&dir).unwrap();
    assert_eq!(cache.missing_frames().unwrap(), []);
    for index in [0, 2, 3, 5] {
        fs::remove_file(FRAMES.path(&dir, index)).unwrap();
    }
    assert_eq!(cache.frames().unwrap(), [1, 4]);
    assert_eq!(cache.missing_frames().unwrap(), [(0, 0), (2, 3), (5, 5)]);
}

/// A run cut off before its end: frames 0 to 4, checkpoints 2 and 4.
fn unfinished(dir: &Path) {
    let mut writer = create(dir).unwrap();
    let mut toy = Toy::new(3);
    for index in 0..=4 {
        if index > 0 {
            toy.step();
        }
        writer.write_frame(index, &toy.frame()).unwrap();
        if index % CHECKPOINT_EVERY == 0 {
            writer.write_checkpoint(index, &toy.snapshot()).unwrap();
        }
    }
    assert_eq!(CHECKPOINTS.list(dir).unwrap(), [2, 4]);
}

/// Damage to any file after the run was cut off costs frames, never bits.
#[test]
fn resume_goes_back_behind_the_damage() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    finished(&dir);
    let reference = contents(&dir);
    let cases = [
        (CHECKPOINTS.path(&dir, 4), 3),
        (CHECKPOINTS.path(&dir, 2), 5),
        (FRAMES.path(&dir, 4), 3),
        (FRAMES.path(&dir, 3), 3),
        (FRAMES.path(&dir, 2), 0),
        (FRAMES.path(&dir, 0), 0),
    ];
    for (path, expected_next) in cases {
        for remove in [false, true] {
            fs::remove_dir_all(&dir).unwrap();
            unfinished(&dir);
            if remove {
                fs::remove_file(&path).unwrap();
            } else {
                let mut bytes = fs::read(&path).unwrap();
                let middle = bytes.len() / 2;
                bytes[middle] ^= 4;
                fs::write(&path, bytes).unwrap();
            }
            let what = format!("{} damaged (removed: {remove})", path.display());
            match CacheWriter::resume(&dir).unwrap() {
                Resume::From(point) => assert_eq!(point.next_frame, expected_next, "{what}"),
                other => panic!("{what}: {other:?}"),
            }
            run_until(&dir, usize::MAX, 3, &mut 0).unwrap();
            assert_same(&contents(&dir), &reference, &what);
        }
    }
}

#[test]
fn damage_to_the_other_files_is_named() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    for name in [MANIFEST, TOPOLOGY, SCENE] {
        finished(&dir);
        let path = dir.join(name);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
        let message = Cache::open(&dir).unwrap_err().to_string();
        assert!(message.contains(&format!("{name} is damaged")), "{message}");
        fs::remove_dir_all(&dir).unwrap();
    }
}

/// No manifest, however strange, makes a reader panic or allocate what the file does not back.
#[test]
fn strange_manifests_are_refused() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    finished(&dir);
    let whole: Value = serde_json::from_slice(&fs::read(dir.join(MANIFEST)).unwrap()).unwrap();
    let strange = [
        ("/format", json!("zarr")),
        ("/format_version", json!(2)),
        ("/format_version", json!(-1)),
        ("/fps", json!(0)),
        ("/fps", json!("fast")),
        ("/last_frame", json!(u64::MAX)),
        ("/frame_count", json!(7)),
        ("/frame_count", json!(null)),
        ("/first_frame", json!(6)),
        ("/metres_per_unit", json!(-1)),
        ("/surfaces/0/vertices/count", json!(u64::MAX)),
        ("/surfaces/0/vertices/count", json!(4)),
        ("/surfaces/1/vertices/first", json!(2)),
        ("/surfaces/1/kind", json!("cloth")),
        ("/surfaces/0/front_colour", json!([0, 0, 2])),
        ("/status", json!("lost")),
        ("/scene_sha256", json!("00")),
    ];
    let text = whole.to_string();
    for length in 0..text.len() {
        fs::write(dir.join(MANIFEST), &text[..length]).unwrap();
        assert!(Cache::open(&dir).is_err(), "cut to {length} bytes");
    }
    for (pointer, value) in strange {
        let mut manifest = whole.clone();
        *manifest.pointer_mut(pointer).unwrap() = value.clone();
        fs::write(dir.join(MANIFEST), manifest.to_string()).unwrap();
        assert!(
            Cache::open(&dir).is_err(),
            "{pointer} = {value} went unnoticed"
        );
    }
}
