//! Bytes and milliseconds a frame at several sizes; slow, so only when asked for:
//! `cargo test --release -p muslin-studio --test studio -- --ignored --nocapture figures`.

use crate::chromium::{self, Browser};
use crate::client::Socket;
use crate::scenes::{path, studio};
use muslin::math::Vec3;
use muslin_scene::cache::{Cache, CacheWriter, Existing, Start};
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use muslin_studio::{Show, Studio, player};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Instant;

/// Vertices along a side: 2 k, 10 k, 22 k and 100 k in all.
const SIDES: [usize; 4] = [45, 100, 148, 316];
const FRAMES: u64 = 100;

fn scene(side: usize, more: &str) -> String {
    format!(
        "fps = 60\nframes = {FRAMES}\nquality = \"preview\"\n{more}\n[[cloth]]\n\
         grid = {{ size = [1, 1], vertices = [{side}, {side}] }}\nposition = [0, 0, 0.56]\n\
         [[body]]\nname = \"ball\"\nsphere = {{ radius = 0.25 }}\nposition = [0, 0, 0.28]\n"
    )
}

/// A sheet in which waves run, as fast as cloth in a breeze: some 0.5 m/s.
fn waving(start: &[Vec3], time: f64) -> Vec<Vec3> {
    let wave = |x: &Vec3| {
        let (a, b) = ((9.0 * x.x - 7.0 * time).sin(), (13.0 * x.y + 4.0 * x.x - 11.0 * time).sin());
        *x + Vec3::new(0.012 * b, 0.012 * a, 0.05 * a + 0.02 * b)
    };
    start.iter().map(wave).collect()
}

/// A cache of waves; nothing is simulated.
fn cache(side: usize) -> Cache {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("waves-{side}.muslin"));
    let text = scene(side, "solver = { contact = \"none\" }");
    let scene = SceneSpec::from_toml(&text, "waves.toml", &[]).unwrap();
    let runner = Runner::new(&scene).unwrap();
    let (topology, resolved) = (runner.topology(), scene.to_toml().unwrap());
    let run = runner.plan(&scene, &[], FRAMES);
    let start = Start { run, topology: &topology, scene_text: &text, resolved_text: &resolved };
    let mut writer = CacheWriter::create(&dir, &start, Existing::Replace).unwrap();
    let mut frame = runner.frame();
    let rest = frame.positions.clone();
    for number in 0..=FRAMES {
        frame.time = number as f64 / 60.0;
        frame.positions = waving(&rest, frame.time);
        writer.write_frame(number, &frame).unwrap();
    }
    writer.finish(&serde_json::Value::Null).unwrap();
    Cache::open(&dir).unwrap()
}

/// Sends a cache to a viewer, frame by frame; mean and largest bytes of all but the first.
fn send(studio: &Studio) -> (u64, u64) {
    let mut viewer = Socket::open(studio.address(), &path(studio, "socket")).unwrap();
    let sizes = (0..=FRAMES).map(|frame| {
        viewer.say(&format!("{{\"do\":\"see\",\"frame\":{frame}}}")).unwrap();
        viewer.hear_frame().1.len() as u64
    });
    let sizes: Vec<u64> = sizes.skip(1).collect();
    (sizes.iter().sum::<u64>() / FRAMES, sizes.iter().copied().max().unwrap_or_default())
}

#[test]
#[ignore = "slow: measures"]
fn figures_of_bytes() {
    for side in SIDES {
        let cache = cache(side);
        let made = player(&cache, &cache.frames().unwrap()).unwrap();
        let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
        let studio = Studio::open(Show::Cache(Box::new(cache)), address, Vec::new()).unwrap();
        let (mean, largest) = send(&studio);
        println!(
            "{} vertices: {mean} B a frame, at most {largest}; player of {} frames {:.2} MB, off by {:.1} µm at most",
            side * side,
            made.frames,
            1e-6 * made.html.len() as f64,
            1e6 * made.error
        );
    }
}

/// Plays a cache and says what it costs.
fn play(browser: &mut Browser, side: usize) -> String {
    let cache = cache(side);
    let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
    let studio = Studio::open(Show::Cache(Box::new(cache)), address, Vec::new()).unwrap();
    browser.open(&studio.link());
    browser.value(
        "muslin.calls = 0;
         for (const name of ['drawElements', 'drawArrays']) {
           const { gl } = muslin.view.painter, own = gl[name].bind(gl);
           gl[name] = (...more) => { muslin.calls += 1; own(...more); };
         }
         muslin.reads = [];
         const read = muslin.reader.read.bind(muslin.reader);
         muslin.reader.read = (data) => {
           const begin = performance.now(), frame = read(data);
           muslin.reads.push(performance.now() - begin);
           return frame;
         };
         muslin.seek(1); muslin.play()",
    );
    browser.wait("muslin.view.drawn > 30");
    let begin = browser.number("performance.now()");
    let first = browser.number("muslin.calls = 0, muslin.view.drawn");
    browser.wait(&format!("muslin.view.drawn >= {first} + 30"));
    let seconds = 1e-3 * (browser.number("performance.now()") - begin);
    let drawn = browser.number("muslin.view.drawn") - first;
    let calls = browser.number("muslin.calls") / drawn;
    browser.value("muslin.pause()");
    let read = browser.number("muslin.reads.sort((a, b) => a - b)[muslin.reads.length >> 1]");
    // Each by itself, with nothing else going on.
    let parts = ["muslin.view.refresh()", "muslin.view.painter.draw(muslin.view.camera, null)"];
    let [place, draw] = parts.map(|work| {
        browser.number(&format!(
            "(() => {{ const all = [];
               for (let k = 0; k < 41; k++) {{ const begin = performance.now(); {work}; all.push(performance.now() - begin); }}
               return all.sort((a, b) => a - b)[20]; }})()"
        ))
    });
    format!(
        "{} vertices, {} triangles: the page's own time: to read {read:.2} ms, for places, normals and upload \
         {place:.2} ms, to have it drawn {draw:.2} ms in {calls:.0} calls; {:.1} pictures a second drawn in software",
        side * side,
        2 * (side - 1) * (side - 1),
        drawn / seconds,
    )
}

#[test]
#[ignore = "slow: measures"]
fn figures_of_playing() {
    let Some(mut browser) = chromium::start("figures") else { return };
    for side in SIDES {
        println!("{}", play(&mut browser, side));
    }
}

#[test]
#[ignore = "slow: measures"]
fn figures_of_simulating() {
    for side in SIDES {
        let studio = studio(&scene(side, ""));
        let mut viewer = Socket::open(studio.address(), &path(&studio, "socket")).unwrap();
        let whole = viewer.hear_frame().1.len();
        viewer.say(r#"{"do":"speed","value":0}"#).unwrap();
        viewer.say(r#"{"do":"play"}"#).unwrap();
        let (mut sizes, begin) = (Vec::new(), Instant::now());
        let end = if side > 200 { 6 } else { 30 };
        while sizes.len() < end {
            sizes.push(viewer.hear_frame().1.len());
        }
        let seconds = begin.elapsed().as_secs_f64() / end as f64;
        let mean = sizes.iter().sum::<usize>() / sizes.len();
        println!(
            "{} vertices: whole {whole} B, then {mean} B a frame (largest {}), {:.1} frames/s simulated",
            side * side,
            sizes.iter().max().unwrap(),
            1.0 / seconds
        );
    }
}
