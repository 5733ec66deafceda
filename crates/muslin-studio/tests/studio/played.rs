//! Caches: played in the studio, and as a file that needs no studio.

use crate::browser::STATE;
use crate::chromium;
use crate::client::Socket;
use crate::scenes::{NAPKIN, path};
use muslin::math::Vec3;
use muslin_scene::cache::{Cache, CacheWriter, Existing, Start};
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use muslin_studio::{Show, Studio, player};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

const FRAMES: u64 = 20;

/// A cache of the napkin, written anew.
fn cache(name: &str) -> Cache {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.muslin"));
    let scene = SceneSpec::from_toml(NAPKIN, "napkin.toml", &[]).unwrap();
    let mut runner = Runner::new(&scene).unwrap();
    let (topology, resolved) = (runner.topology(), scene.to_toml().unwrap());
    let run = runner.plan(&scene, &[], FRAMES);
    let start = Start { run, topology: &topology, scene_text: NAPKIN, resolved_text: &resolved };
    let mut writer = CacheWriter::create(&dir, &start, Existing::Replace).unwrap();
    writer.write_frame(0, &runner.frame()).unwrap();
    for number in 1..=FRAMES {
        runner.advance().unwrap();
        writer.write_frame(number, &runner.frame()).unwrap();
    }
    writer.finish(&serde_json::Value::Null).unwrap();
    Cache::open(&dir).unwrap()
}

#[test]
fn a_cache_sends_the_frames_that_are_asked_for() {
    let cache = cache("asked");
    let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
    let studio = Studio::open(Show::Cache(Box::new(cache)), address, Vec::new()).unwrap();
    let mut viewer = Socket::open(studio.address(), &path(&studio, "socket")).unwrap();
    let scene = viewer.hear_type("scene");
    assert_eq!(
        (scene["mode"].as_str(), scene["last_frame"].as_u64()),
        (Some("cache"), Some(FRAMES))
    );
    assert!(scene["settings"].is_null(), "there is nothing to tune");
    viewer.say(r#"{"do":"see","frame":7,"ahead":1}"#).unwrap();
    let first = viewer.hear_frame();
    let second = viewer.hear_frame();
    assert_eq!((first.0, second.0), (7, 8));
    // Head, boxes and coordinates; then what holds each vertex, in runs.
    let points = 17 + 2 * 21 + 6 * (21 * 21) + body_bytes(&scene);
    let marks = first.1.len() - points - 5;
    assert!((2..21 * 21).contains(&marks), "{marks} bytes of marks");
    assert_eq!((first.1[17], second.1[17]), (1, 2), "whole, then a difference");
    assert!(second.1.len() < first.1.len(), "which is shorter: {}", second.1.len());
    viewer.say(r#"{"do":"judge","on":true}"#).unwrap();
    viewer.say(r#"{"do":"see","frame":9}"#).unwrap();
    let judged = viewer.hear_type("crossings");
    assert_eq!((judged["frame"].as_u64(), judged["pairs"].as_u64()), (Some(9), Some(0)));
    viewer.say(r#"{"do":"see","frame":4000}"#).unwrap();
    let notice = viewer.hear_type("notice");
    assert!(notice["text"].as_str().unwrap().contains("4000"), "{notice}");
}

fn body_bytes(scene: &serde_json::Value) -> usize {
    let bodies = scene["surfaces"].as_array().unwrap().iter().filter(|s| s["kind"] == "body");
    bodies.map(|s| 6 * s["vertices"][1].as_u64().unwrap() as usize).sum()
}

#[test]
fn in_a_browser_the_player_opens_from_the_disk_and_shows_the_same_frames() {
    let cache = cache("player");
    let made = player(&cache, &cache.frames().unwrap()).unwrap();
    assert_eq!(made.frames as u64, FRAMES + 1);
    assert!(made.error < 1e-5, "a box of a metre in 65535 steps: {} m", made.error);
    for outside in ["http://", "https://", "src=\"", "@import"] {
        assert!(!made.html.contains(outside), "it needs nothing from elsewhere: {outside}");
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("player.html");
    fs::write(&file, &made.html).unwrap();
    let Some(mut browser) = chromium::start("player") else { return };
    browser.open(&format!("file://{}", file.display()));
    browser.wait("muslin.view.frame.number >= 3");
    browser.value("muslin.pause(); muslin.seek(20)");
    browser.wait("document.documentElement.dataset.frame === '20'");
    browser.photograph("player");
    let held = browser.value("muslin.view.frame.marks.filter((m) => m & 2).length > 3");
    assert_eq!(held, true, "and what rests on the block");
    let shown = browser.number(STATE);
    let positions = cache.frame(FRAMES).unwrap().positions;
    let flat = positions.iter().flat_map(Vec3::to_array);
    let exact: f64 = flat.enumerate().map(|(k, x)| x * (1.0 + (k % 97) as f64)).sum();
    // Every coordinate is off by at most the error, and by what single precision takes (6e-8 of a metre).
    let bound = (made.error + 1e-7) * 49.0 * 3.0 * positions.len() as f64;
    assert!((shown - exact).abs() < bound, "{shown} and {exact}");
    // Played as fast as the screen asks, every picture of the screen shows a new frame.
    let share = browser.number(
        "(async () => {
            const next = () => new Promise((done) => requestAnimationFrame(done));
            muslin.clockwork.speed = 0;
            muslin.play();
            for (let k = 0; k < 5; k++) await next();
            const first = muslin.view.drawn;
            for (let k = 0; k < 40; k++) await next();
            return (muslin.view.drawn - first) / 40;
        })()",
    );
    assert!(share > 0.9, "{share} of the pictures");
    assert_eq!(browser.complaints, Vec::<String>::new());
}
