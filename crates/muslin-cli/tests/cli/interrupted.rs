//! R3: `kill -9`, Ctrl-C and time limits at any moment, then `--resume`: the same bytes.

use crate::support::{DRAPE, HandMade, assert_same, command, json, says, scene, scratch};
use muslin::math::Random;
use muslin_cli::Interrupt;
use muslin_scene::cache::{Cache, Status, UpAxis};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const KILLS: u32 = 20;

#[test]
fn twenty_kills_at_random_moments_leave_no_trace() {
    let folder = scene("kill", DRAPE);
    let clock = Instant::now();
    says(&folder, "run scene.toml -q -o whole.muslin", 0);
    // A life lasts up to a third of a run, so that kills fall on its beginning, middle and end.
    let longest = clock.elapsed().as_secs_f64() / 3.0;
    let killed = folder.join("killed.muslin");
    let mut random = Random::new(20260);
    let (mut kills, mut finished) = (0, 0);
    while kills < KILLS {
        let mut child = command(&folder, "run scene.toml -q -o killed.muslin --resume")
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs_f64(random.between(0.0, longest)));
        let ended = child.try_wait().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        match ended {
            None => kills += 1,
            Some(status) => {
                assert!(status.success());
                assert_same(&folder.join("whole.muslin"), &killed);
                fs::remove_dir_all(&killed).unwrap();
                finished += 1;
            }
        }
        assert!(finished < 100, "runs end before they can be killed");
    }
    says(&folder, "run scene.toml -q -o killed.muslin --resume", 0);
    assert_same(&folder.join("whole.muslin"), &killed);
}

#[test]
fn a_time_limit_stops_early_and_resume_goes_on_to_the_same_bytes() {
    let folder = scene("time-limit", DRAPE);
    says(&folder, "run scene.toml -q -o whole.muslin", 0);
    let error = &json(&folder, "run scene.toml -o part.muslin --max-time 1e-6", 2)["error"];
    assert_eq!(error["kind"], "time-limit");
    assert!(error["message"].as_str().unwrap().contains("--resume"), "{error}");
    let cache = Cache::open(&folder.join("part.muslin")).unwrap();
    assert_eq!(cache.manifest().status, Status::Stopped);
    assert_eq!(cache.frames().unwrap(), [0]);
    json(&folder, "run scene.toml -o part.muslin --resume --max-time 1e-6", 2);
    says(&folder, "run scene.toml -q -o part.muslin --resume", 0);
    assert_same(&folder.join("whole.muslin"), &folder.join("part.muslin"));
}

/// Waits until a file is there.
fn wait_for(path: &Path) {
    let clock = Instant::now();
    while !path.exists() {
        assert!(clock.elapsed() < Duration::from_mins(1), "{} never came", path.display());
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_the_frame_and_says_how_to_go_on() {
    let folder = scene("ctrl-c", DRAPE);
    let run = "run scene.toml -o stopped.muslin --set frames=600 --no-sheet --no-check";
    let child = command(&folder, run).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&folder.join("stopped.muslin/frames/frame_000004.npz"));
    let signal = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(signal.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("interrupted after frame") && words.contains("--resume"), "{words}");
    let cache = Cache::open(&folder.join("stopped.muslin")).unwrap();
    assert_eq!(cache.manifest().status, Status::Stopped);
    let last = *cache.frames().unwrap().last().unwrap();
    assert!((4..600).contains(&last));
    assert_eq!(cache.checkpoints().unwrap().last(), Some(&last), "the state is kept");
}

/// Exports, pictures and checks that were asked to stop do so at the next frame and leave no file.
#[test]
fn what_was_asked_to_stop_leaves_nothing() {
    let folder = scratch("asked-to-stop");
    HandMade { frames: vec![HandMade::squares(); 3], up: UpAxis::Z }
        .write(&folder.join("a.muslin"));
    let path = |name: &str| folder.join(name).into_os_string();
    let interrupt = Interrupt::default();
    interrupt.ask();
    let stopped = |words: &[OsString]| {
        let Err(failure) = muslin_cli::ask(words, &interrupt) else {
            panic!("{words:?} went on");
        };
        assert!(failure.message.contains("asked to stop"), "{words:?}: {failure:?}");
    };
    let word = OsString::from;
    for ending in ["usda", "glb", "abc", "pc2", "mdd", "npz", "obj", "html"] {
        let (cache, file) = (path("a.muslin"), path(&format!("a.{ending}")));
        stopped(&[word("muslin"), word("export"), cache, word("-o"), file]);
    }
    for picture in ["a.png", "a.gif"] {
        stopped(&[word("muslin"), word("render"), path("a.muslin"), word("-o"), path(picture)]);
    }
    stopped(&[word("muslin"), word("check"), path("a.muslin")]);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "only the cache is there");
}
