//! `muslin bench mf`: mixed dynamics against implicit dynamics on the same scenes, and distance fields.

use super::{BenchArguments, fields};
use crate::console::Console;
use crate::progress::Progress;
use crate::text::{count, table};
use crate::{Failure, Outcome};
use muslin::folds;
use muslin::math::Vec3;
use muslin_scene::runner::{FrameReport, Runner};
use muslin_scene::spec::SceneSpec;
use serde_json::{Value, json};
use std::time::Instant;

/// A turn of the hem that counts as a fold [rad]: 20 degrees.
const FOLD: f64 = 0.35;

/// Frames of each scene, unless others are asked for.
const FRAMES: u32 = 60;

/// Vertices along each side where nothing is said: with 100 mixed dynamics would take hours.
const SIZES: [u32; 1] = [20];

/// The dynamics that are compared.
const DYNAMICS: [&str; 3] = ["implicit", "mixed", "springs"];

/// What each scene is changed to, so that nothing but the integrator takes energy from the swing.
const SCENES: [(&str, &[&str]); 2] =
    [("hang", &["cloth.0.fabric.damping=0", "solver.strain_limit=\"off\""]), ("drape-sphere", &[])];

struct Row {
    scene: &'static str,
    dynamics: &'static str,
    size: u32,
    vertices: u64,
    /// Wall-clock seconds per simulated second.
    seconds: f64,
    steps: u64,
    /// Iterations of a solve, mean and most.
    iterations: [f64; 2],
    /// Energy lost since the start as a share of the largest kinetic energy.
    lost: f64,
    folds: usize,
}

/// Measures.
pub fn bench(arguments: &BenchArguments, console: Console) -> Result<Outcome, Failure> {
    let frames = arguments.frames.unwrap_or(FRAMES);
    let threads = arguments.threads.start()?;
    let of_field = |error: muslin::levelset::SolidError| {
        Failure::new("internal", "distance fields", error.to_string())
    };
    let fields = fields::measure().map_err(of_field)?;
    console.answer(&fields.in_words())?;
    let mut rows = Vec::new();
    for (scene, changes) in SCENES {
        for &size in arguments.sizes_or(&SIZES) {
            for dynamics in DYNAMICS {
                rows.push(measure(scene, changes, dynamics, size, frames, console)?);
            }
        }
    }
    console.answer(&in_words(&rows, threads))?;
    let objects: Vec<Value> = rows.iter().map(Row::to_json).collect();
    console.object(&json!({ "threads": threads, "rows": objects, "fields": fields.to_json() }))?;
    Ok(Outcome::Done)
}

fn measure(
    scene: &'static str,
    changes: &[&str],
    dynamics: &'static str,
    size: u32,
    frames: u32,
    console: Console,
) -> Result<Row, Failure> {
    let embedded = crate::gallery::find(scene)?;
    let mut overrides: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    overrides.push(format!("cloth.0.grid.vertices=[{size}, {size}]"));
    overrides.push(format!("solver.dynamics=\"{dynamics}\""));
    let spec = SceneSpec::from_toml(embedded.text, &format!("{scene}.toml"), &overrides)?;
    let mut runner = Runner::new(&spec)?;
    let mut progress = Progress::new(console, "measuring", u64::from(frames));
    let total = |report: &FrameReport| {
        let e = &report.energy;
        e.kinetic + e.membrane + e.bend + e.gravity
    };
    let start = runner.report().clone();
    let (mut peak, mut last) = (f64::MIN_POSITIVE, start.clone());
    let (mut steps, mut solves, mut iterations, mut most) = (0, 0, 0, 0);
    let clock = Instant::now();
    for _ in 0..frames {
        last = runner.advance()?;
        peak = peak.max(last.energy.kinetic);
        steps += u64::from(last.steps);
        solves += last.solves;
        iterations += last.iterations;
        most = most.max(last.iterations_max);
        progress.step(&format!("{scene}, {dynamics}, frame {}", last.frame));
    }
    progress.end();
    let simulated = f64::from(frames) / spec.fps;
    Ok(Row {
        scene,
        dynamics,
        size,
        vertices: runner.estimate().vertices,
        seconds: clock.elapsed().as_secs_f64() / simulated,
        steps,
        iterations: [f64::from(iterations) / f64::from(solves.max(1)), f64::from(most)],
        lost: (total(&start) - total(&last)) / peak,
        folds: folds::count(&border(&runner.frame().positions, size as usize), Vec3::Z, FOLD),
    })
}

/// The border of a square sheet, once around.
fn border(positions: &[Vec3], size: usize) -> Vec<Vec3> {
    let last = size - 1;
    let sides = (0..last)
        .map(|k| [k, 0])
        .chain((0..last).map(|k| [last, k]))
        .chain((0..last).map(|k| [last - k, last]))
        .chain((0..=last).map(|k| [0, last - k]));
    sides.map(|[i, j]| positions[i + j * size]).collect()
}

impl Row {
    fn to_json(&self) -> Value {
        let simulated = 1e3 * self.seconds;
        json!({
            "name": format!("{} {} {} x {}", self.scene, self.dynamics, self.size, self.size),
            "vertices": self.vertices,
            "milliseconds_per_simulated_second": simulated,
            "steps": self.steps,
            "iterations_mean": self.iterations[0],
            "iterations_max": self.iterations[1],
            "energy_lost": self.lost,
            "folds": self.folds,
        })
    }
}

fn in_words(rows: &[Row], threads: usize) -> String {
    let header = [
        "scene",
        "dynamics",
        "vertices",
        "s per simulated s",
        "steps",
        "iterations (most)",
        "energy lost",
        "folds of the border",
    ];
    let mut cells = vec![header.map(str::to_owned).to_vec()];
    for row in rows {
        cells.push(vec![
            format!("{} {} x {}", row.scene, row.size, row.size),
            row.dynamics.to_owned(),
            count(row.vertices),
            format!("{:.2}", row.seconds),
            count(row.steps),
            format!("{:.1} ({:.0})", row.iterations[0], row.iterations[1]),
            format!("{:.2} %", 100.0 * row.lost),
            row.folds.to_string(),
        ]);
    }
    format!("{threads} threads; energy lost as a share of its largest motion\n{}", table(&cells))
}
