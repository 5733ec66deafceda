//! R3: the power fails after every file operation in turn, and the resumed run has the same bits.

use super::*;

/// Every frame that was acknowledged is there, and every frame that is there is whole.
fn assert_frames_whole(dir: &Path, acknowledged: u64, what: &str) {
    let Ok(cache) = Cache::open(dir) else {
        assert_eq!(
            acknowledged, 0,
            "{what}: frames were lost with the manifest"
        );
        return;
    };
    let frames = cache.frames().unwrap();
    assert!(
        frames.len() as u64 >= acknowledged,
        "{what}: {frames:?} of {acknowledged}"
    );
    for index in frames {
        cache.frame(index).unwrap();
    }
}

/// No more is made again than what follows the last checkpoint that was safe.
fn assert_resumes_at_the_newest_checkpoint(dir: &Path, acknowledged: u64, what: &str) {
    // Frame n is acknowledged after the checkpoints of all frames before it.
    let mut earlier = (0..acknowledged.saturating_sub(1)).rev();
    let expected = earlier
        .find(|frame| frame % CHECKPOINT_EVERY == 0)
        .map_or(0, |c| c + 1);
    if let Resume::From(point) = CacheWriter::resume(dir).unwrap() {
        assert!(
            point.next_frame >= expected,
            "{what}: {} < {expected}",
            point.next_frame
        );
    }
}

#[test]
fn a_crash_at_any_step_loses_no_frame_and_no_bit() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    let fingerprint = finished(&dir);
    let reference = contents(&dir);
    let mut steps = 0;
    loop {
        fs::remove_dir_all(&dir).unwrap();
        let mut acknowledged = 0;
        let first = run_until(&dir, steps, 3, &mut acknowledged);
        if first.is_ok() {
            break;
        }
        let what = format!("crash after {steps} steps");
        assert_frames_whole(&dir, acknowledged, &what);
        if steps % 2 == 1 {
            assert_resumes_at_the_newest_checkpoint(&dir, acknowledged, &what);
        }
        // A second crash, somewhere in the resumed run; 37 is prime to most run lengths.
        let second_steps = (steps * 37 + 5) % 90;
        if run_until(&dir, second_steps, 3, &mut acknowledged).is_err() {
            assert_frames_whole(&dir, acknowledged, &what);
        }
        assert_eq!(
            run_until(&dir, usize::MAX, 3, &mut acknowledged).unwrap(),
            fingerprint,
            "{what}"
        );
        assert_same(&contents(&dir), &reference, &what);
        steps += 1;
    }
    // Six frames, four checkpoints and seven other files of five steps each, at least.
    assert!(steps >= 17 * 5, "only {steps} steps were counted");
}

/// A crash while an old cache is being replaced leaves either of them, or a folder to start in.
#[test]
fn a_crash_while_replacing_leaves_a_folder_to_go_on_in() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    finished(&dir);
    let reference = contents(&dir);
    for steps in 0.. {
        fs::write(dir.join("sheet.png"), "not ours").unwrap();
        let disk = Disk {
            fuse: Fuse::after(steps),
        };
        let replaced = with_start(3, |start| {
            CacheWriter::create_on(disk, &dir, start, Existing::Replace)
        });
        let done = replaced.is_ok();
        drop(replaced);
        run_until(&dir, usize::MAX, 3, &mut 0).unwrap();
        assert_eq!(fs::read(dir.join("sheet.png")).unwrap(), b"not ours");
        fs::remove_file(dir.join("sheet.png")).unwrap();
        assert_same(
            &contents(&dir),
            &reference,
            &format!("crash after {steps} steps"),
        );
        if done {
            break;
        }
    }
}

/// Where a run is stopped on purpose, with a checkpoint of its own, leaves no trace either.
#[test]
fn a_stopped_run_goes_on_to_the_same_bits() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    finished(&dir);
    let reference = contents(&dir);
    for last in 0..LAST_FRAME {
        fs::remove_dir_all(&dir).unwrap();
        let mut writer = create(&dir).unwrap();
        let mut toy = Toy::new(3);
        for index in 0..=last {
            if index > 0 {
                toy.step();
            }
            writer.write_frame(index, &toy.frame()).unwrap();
        }
        writer.write_checkpoint(last, &toy.snapshot()).unwrap();
        writer.stop("frame limit", &json!({})).unwrap();
        let manifest = Cache::open(&dir).unwrap().manifest().clone();
        assert_eq!(manifest.status, Status::Stopped);
        assert_eq!(manifest.stopped_because.as_deref(), Some("frame limit"));
        let mut next = 0;
        match CacheWriter::resume(&dir).unwrap() {
            Resume::From(point) => {
                assert_eq!(
                    (point.next_frame, point.writer.next_frame()),
                    (last + 1, last + 1)
                );
                let toy = Toy::from_snapshot(point.snapshot.as_ref().unwrap());
                simulate(point.writer, toy, &mut next).unwrap();
            }
            other => panic!("{other:?}"),
        }
        assert_same(
            &contents(&dir),
            &reference,
            &format!("stopped after frame {last}"),
        );
    }
}
