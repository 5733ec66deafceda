//! R3 with a real process and a real `kill -9`.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::*;

/// Enough vertices that a good part of the child's time goes into writing.
const PARTICLES: u32 = 20_000;
/// Tells the child where to write.
const FOLDER: &str = "MUSLIN_TEST_CACHE";

/// The child: runs or resumes the toy's run where its parent says. Not a test by itself.
#[test]
#[ignore = "started by the tests below"]
fn child_run() {
    if let Some(dir) = std::env::var_os(FOLDER) {
        run_until(Path::new(&dir), usize::MAX, PARTICLES, &mut 0).unwrap();
    }
}

/// The child: starts a cache and keeps it open.
#[test]
#[ignore = "started by the tests below"]
fn child_hold() {
    if let Some(dir) = std::env::var_os(FOLDER) {
        let _writer = create(Path::new(&dir)).unwrap();
        sleep(Duration::from_mins(1));
    }
}

fn child(name: &str, dir: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--ignored",
            "--exact",
            &format!("cache::tests::kill::{name}"),
        ])
        .env(FOLDER, dir)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killed_at_odd_moments_the_run_ends_with_the_same_bits() {
    let scratch = Scratch::new();
    let (calm, dir) = (scratch.0.join("calm.muslin"), scratch.cache());
    let started = Instant::now();
    assert!(child("child_run", &calm).wait().unwrap().success());
    let duration = started.elapsed();
    let reference = contents(&calm);
    assert!(reference.len() > LAST_FRAME as usize);
    for attempt in 0..12 {
        // Moments spread over the run by the golden ratio, and a second one in the resumed run.
        let part = (f64::from(attempt) * 0.618_033_988_75).fract();
        for moment in [part, 0.5 * part] {
            let mut process = child("child_run", &dir);
            sleep(duration.mul_f64(moment));
            process.kill().unwrap();
            process.wait().unwrap();
            assert_frames_whole(&dir);
        }
        assert!(child("child_run", &dir).wait().unwrap().success());
        assert_same(
            &contents(&dir),
            &reference,
            &format!("killed at {part:.3} of the run"),
        );
        fs::remove_dir_all(&dir).unwrap();
    }
}

fn assert_frames_whole(dir: &Path) {
    if let Ok(cache) = Cache::open(dir) {
        for index in cache.frames().unwrap() {
            cache.frame(index).unwrap();
        }
    }
}

#[test]
fn a_second_writer_waits_until_the_first_is_gone() {
    let scratch = Scratch::new();
    let dir = scratch.cache();
    let mut holder = child("child_hold", &dir);
    let deadline = Instant::now() + Duration::from_secs(30);
    while Cache::open(&dir).is_err() {
        assert!(Instant::now() < deadline, "the child made no cache");
        sleep(Duration::from_millis(2));
    }
    let pid = holder.id().to_string();
    match CacheWriter::resume(&dir) {
        Err(CacheError::Locked { process, .. }) => assert_eq!(process, pid),
        other => panic!("{other:?}"),
    }
    let replaced = with_start(3, |start| {
        CacheWriter::create(&dir, start, Existing::Replace)
    });
    assert!(
        matches!(replaced, Err(CacheError::Locked { .. })),
        "{replaced:?}"
    );
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert!(dir.join("writer.lock").exists());
    finished(&dir);
    assert!(!dir.join("writer.lock").exists());
}
