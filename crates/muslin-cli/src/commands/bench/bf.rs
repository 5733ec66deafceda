//! `muslin bench bf`: robust collisions. The scenes at every size, one thread against all of them (P6), and
//! detection alone on crumpled cloth.

use super::{BenchArguments, FRAMES, Row, SIZES, in_words, measure_with};
use crate::console::Console;
use crate::text::{count, table};
use crate::{Failure, Outcome};
use muslin::collide::detect::{self, Hit};
use muslin::collide::surface::{Parts, Surface};
use muslin::math::{Random, Vec3};
use muslin::mesh::{Diagonals, Sheet};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Instant;

/// Scenes that are timed at every size; the second is the paper's figure 1 (BF14).
const SCENES: [&str; 2] = ["drape-sphere", "curtain-ball"];
/// Vertices along a side of the crumpled sheet.
const CRUMPLED: usize = 100;
/// Its thickness \[m\].
const THICKNESS: f64 = 0.002;
/// How close features may come \[m\].
const SEPARATION: f64 = 1e-4;
/// Times detection is repeated; the fastest counts.
const REPEATS: usize = 20;

/// Detection on crumpled cloth with some threads.
struct Detection {
    threads: usize,
    candidates: usize,
    hits: usize,
    /// Milliseconds for boxes and candidates, and for the continuous test of all candidates.
    milliseconds: [f64; 2],
}

/// Measures.
pub fn bench(arguments: &BenchArguments, console: Console) -> Result<Outcome, Failure> {
    let threads = arguments.threads.start()?;
    let frames = arguments.frames.unwrap_or(FRAMES);
    let mut rows = Vec::new();
    let mut gains = Vec::new();
    for name in SCENES {
        let sizes = arguments.sizes_or(&SIZES);
        for &size in sizes {
            rows.push(measure_with(name, size, &[], frames, console)?);
        }
        if let (Some(&size), Some(with_all), true) = (sizes.last(), rows.last(), threads > 1) {
            let alone = alone(|| measure_with(name, size, &[], frames, console))?;
            gains.push((with_all.name.clone(), total(&alone) / total(with_all)));
        }
    }
    let mut detections = vec![alone(|| Ok(detect_crumpled()))?];
    if threads > 1 {
        detections.push(detect_crumpled());
    }
    let mut words = in_words(&rows, threads);
    for (name, gain) in &gains {
        let _ = write!(words, "\n{name}: {threads} threads are {gain:.2} times as fast as one");
    }
    console.answer(&format!("{words}\n{}", detection_in_words(&detections)))?;
    let mut objects: Vec<Value> = rows.iter().map(Row::to_json).collect();
    objects.extend(detections.iter().map(Detection::to_json));
    let gains: Vec<Value> =
        gains.iter().map(|(name, gain)| json!({ "name": name, "faster": gain })).collect();
    console.object(&json!({ "threads": threads, "rows": objects, "threads_gain": gains }))?;
    Ok(Outcome::Done)
}

/// Runs something on one thread.
fn alone<T: Send>(run: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| {
        Failure::argument("--threads", format!("one more thread cannot be started ({error})"))
    })?;
    pool.install(run)
}

/// Milliseconds of all frames.
fn total(row: &Row) -> f64 {
    row.milliseconds.iter().sum::<f64>().max(f64::MIN_POSITIVE)
}

/// A sheet of one metre pushed together to a heap of folds, and where it is a hundredth of a second later.
fn crumpled(sheet: &Sheet) -> [Vec<Vec3>; 2] {
    let mut random = Random::new(2002);
    let mut noise = |s: f64| Vec3::from_array(std::array::from_fn(|_| random.between(-s, s)));
    let place = |p: &Vec3| {
        let (a, b) = ((60.0 * p.x).sin(), (47.0 * p.y + 9.0 * p.x).sin());
        Vec3::new(
            0.4 * p.x + 0.004 * (120.0 * p.x + 3.0 * p.y).sin(),
            0.5 * p.y + 0.004 * (94.0 * p.y + 18.0 * p.x).sin(),
            0.015 * a + 0.008 * b + 0.05 * p.x,
        )
    };
    let start: Vec<Vec3> = sheet.positions.iter().map(|p| place(p) + noise(1e-4)).collect();
    let end = start.iter().map(|p| *p + Vec3::new(-p.y, p.x, -p.z) * 0.01 + noise(1e-3)).collect();
    [start, end]
}

/// What contact asks of every step: boxes refitted to a motion and all pairs whose boxes meet; then when each
/// of them collides.
fn detect_crumpled() -> Detection {
    let mut best = Detection {
        threads: rayon::current_num_threads(),
        candidates: 0,
        hits: 0,
        milliseconds: [f64::INFINITY; 2],
    };
    let size = [CRUMPLED, CRUMPLED];
    let Ok(sheet) = Sheet::grid([1.0, 1.0], size, Diagonals::Alternating) else { return best };
    let [x0, x1] = crumpled(&sheet);
    let mut surface = Surface::new(sheet.mesh.triangles(), &[], x0.len(), &x0);
    for _ in 0..REPEATS {
        let clock = Instant::now();
        surface.refit(&x0, &x1, 0.25 * THICKNESS);
        let pairs = surface.feature_pairs(Parts::ALL, None, |pair, out| out.push(pair));
        let found = Instant::now();
        let hits: Vec<Hit> = detect::hits_among(&pairs, &x0, &x1, SEPARATION, |_| true);
        let tested = Instant::now();
        let spent = [found - clock, tested - found].map(|time| 1e3 * time.as_secs_f64());
        best.milliseconds = [0, 1].map(|k| best.milliseconds[k].min(spent[k]));
        (best.candidates, best.hits) = (pairs.len(), hits.len());
    }
    best
}

impl Detection {
    fn to_json(&self) -> Value {
        let [boxes, test] = self.milliseconds;
        json!({
            "name": format!("crumpled {CRUMPLED} x {CRUMPLED}"),
            "vertices": CRUMPLED * CRUMPLED,
            "threads": self.threads,
            "candidates": self.candidates,
            "collisions": self.hits,
            "milliseconds": boxes + test,
            "split": { "boxes and candidates": boxes, "continuous test": test },
        })
    }
}

fn detection_in_words(detections: &[Detection]) -> String {
    let header =
        ["detection", "threads", "candidates", "collisions", "boxes, candidates [ms]", "test [ms]"];
    let mut cells = vec![header.map(str::to_owned).to_vec()];
    for detection in detections {
        let [boxes, test] = detection.milliseconds;
        cells.push(vec![
            format!("crumpled {CRUMPLED} x {CRUMPLED}"),
            count(detection.threads as u64),
            count(detection.candidates as u64),
            count(detection.hits as u64),
            format!("{boxes:.2}"),
            format!("{test:.2}"),
        ]);
    }
    table(&cells)
}
