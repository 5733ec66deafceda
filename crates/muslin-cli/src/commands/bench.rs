//! `muslin bench`: how fast the benchmark scenes run here.

mod bf;
mod bw;
mod fields;
mod mf;
mod os;
mod timed;
mod xu;

use super::run::median;
use crate::console::{Console, kept};
use crate::progress::Progress;
use crate::text::{count, table};
use crate::threads::Threads;
use crate::{Failure, Outcome};
use clap::{Args, ValueEnum};
use muslin::report::Seconds;
use muslin_scene::runner::Runner;
use muslin_scene::spec::SceneSpec;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `muslin bench`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Parts:
  bw    hang, cylinder-drape, two-particles by implicit dynamics: EVAL, CG and contact, growth with
        the vertices, and four decades of bending stiffness (--plot draws both)
  bf    drape-sphere and curtain-ball, robust contact with self-collision: all threads against one, and
        detection alone on a crumpled sheet
  mf    hang and drape-sphere by implicit, mixed and spring dynamics: time, energy kept, folds; distance
        fields: errors, memory, time. Explicit steps shrink with the triangles: twice the size takes eight
        times as long
  os    a skirt of 66 particles on a kicking figure, split as in the paper's table
  xu    flag, curtains, curtain-open, stage-drape; growth from 240 to 250,000 nodes (--plot draws it)
  all   these five, one after the other; takes many minutes

Each row is one scene at one size: median milliseconds a frame, and how they split over the stages
of the solver.

Examples:
  muslin bench
  muslin bench xu --plot growth.svg
  muslin bench bf --sizes 25,50,100,150 --frames 60 --json")]
pub struct BenchArguments {
    /// What to measure; hang, drape-sphere, os and xu when not given
    #[arg(value_enum, value_name = "PART")]
    pub part: Option<Part>,
    /// Vertices along each side of the cloth; 25,50,100, for mf 20, when not given
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    pub sizes: Vec<u32>,
    /// Frames to simulate of each scene; 60, in real time 540 or 600, when not given
    #[arg(long, value_name = "N")]
    pub frames: Option<u32>,
    /// Draw the growth that bw or xu measures as an SVG file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub threads: Threads,
}

/// A paper whose method is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Implicit dynamics
    Bw,
    /// Robust collisions
    Bf,
    /// Folds and wrinkles: mixed against implicit dynamics
    Mf,
    /// Few particles, curved faces
    Os,
    /// Curtains
    Xu,
    /// Everything, one part after the other
    All,
}

impl BenchArguments {
    /// The sizes that were asked for, or the usual ones of a part.
    fn sizes_or<'a>(&'a self, usual: &'a [u32]) -> &'a [u32] {
        if self.sizes.is_empty() { usual } else { &self.sizes }
    }
}

/// A benchmark scene of the gallery.
struct Scene {
    part: Part,
    name: &'static str,
}

/// Frames of each scene where nothing is said.
const FRAMES: u32 = 60;

/// Vertices along each side where nothing is said.
const SIZES: [u32; 3] = [25, 50, 100];

/// The benchmark scenes that exist.
const SCENES: [Scene; 2] =
    [Scene { part: Part::Bw, name: "hang" }, Scene { part: Part::Bf, name: "drape-sphere" }];

/// One measured scene.
struct Row {
    name: String,
    vertices: u64,
    /// Milliseconds of each frame, sorted.
    milliseconds: Vec<f64>,
    split: Seconds,
    steps: u64,
    /// Iterations of conjugate gradients.
    iterations: u64,
}

/// Measures.
pub fn bench(arguments: &BenchArguments, console: Console) -> Result<Outcome, Failure> {
    if arguments.frames == Some(0) {
        return Err(Failure::argument("--frames", "0 frames cannot be timed: give 1 or more"));
    }
    match arguments.part {
        Some(Part::Mf) => return mf::bench(arguments, console),
        Some(Part::Bw) => return bw::bench(arguments, console),
        Some(Part::Bf) => return bf::bench(arguments, console),
        Some(Part::All) => return all(arguments, console),
        Some(Part::Os | Part::Xu) | None => {}
    }
    let asked = |part: Part| arguments.part.is_none_or(|asked| asked == part);
    let scenes: Vec<&Scene> = SCENES.iter().filter(|scene| asked(scene.part)).collect();
    let threads = arguments.threads.start()?;
    let mut rows = Vec::new();
    for scene in scenes {
        for &size in arguments.sizes_or(&SIZES) {
            rows.push(measure(scene, size, arguments.frames.unwrap_or(FRAMES), console)?);
        }
    }
    let mut objects: Vec<Value> = rows.iter().map(Row::to_json).collect();
    if !rows.is_empty() {
        console.answer(&in_words(&rows, threads))?;
    }
    if asked(Part::Os) {
        let rows = os::measure(arguments.frames, console)?;
        console.answer(&os::words(&rows))?;
        objects.extend(os::to_json(&rows));
    }
    if asked(Part::Xu) {
        let measured = xu::measure(arguments.frames, console)?;
        console.answer(&measured.in_words())?;
        objects.extend(measured.to_json());
        arguments.plot.as_ref().map_or(Ok(()), |path| measured.plot(path))?;
    }
    console.object(&json!({ "threads": threads, "rows": objects }))?;
    Ok(Outcome::Done)
}

/// Every part after the other, those that take minutes too.
fn all(arguments: &BenchArguments, console: Console) -> Result<Outcome, Failure> {
    arguments.threads.start()?;
    let mut objects = Map::new();
    for part in [Part::Bw, Part::Bf, Part::Mf, Part::Os, Part::Xu] {
        let own = BenchArguments {
            part: Some(part),
            // They have been started.
            threads: Threads::default(),
            // Two parts draw: the curtains into a file of their own.
            plot: match part {
                Part::Xu => arguments.plot.as_ref().map(|path| bw::beside(path, "xu")),
                _ => arguments.plot.clone(),
            },
            ..arguments.clone()
        };
        bench(&own, if console.json { Console::keeping() } else { console })?;
        if let (true, Some(value)) = (console.json, part.to_possible_value()) {
            objects.insert(value.get_name().to_owned(), kept());
        }
    }
    console.object(&Value::Object(objects))?;
    Ok(Outcome::Done)
}

/// Simulates one scene at one size.
fn measure(scene: &Scene, size: u32, frames: u32, console: Console) -> Result<Row, Failure> {
    measure_with(scene.name, size, &[], frames, console)
}

/// Simulates one scene at one size, with more changes to it.
fn measure_with(
    name: &str,
    size: u32,
    changes: &[String],
    frames: u32,
    console: Console,
) -> Result<Row, Failure> {
    let embedded = crate::gallery::find(name)?;
    let mut overrides = vec![format!("cloth.0.grid.vertices=[{size}, {size}]")];
    overrides.extend_from_slice(changes);
    let spec = SceneSpec::from_toml(embedded.text, &format!("{name}.toml"), &overrides)?;
    let mut runner = Runner::new(&spec)?;
    let mut row = Row {
        name: format!("{name} {size} x {size}"),
        vertices: runner.estimate().vertices,
        milliseconds: Vec::new(),
        split: Seconds::default(),
        steps: 0,
        iterations: 0,
    };
    let mut progress = Progress::new(console, "measuring", u64::from(frames));
    for _ in 0..frames {
        let clock = Instant::now();
        let report = runner.advance()?;
        row.milliseconds.push(1e3 * clock.elapsed().as_secs_f64());
        row.split.add(&report.seconds);
        row.steps += u64::from(report.steps + report.rejected_steps);
        row.iterations += u64::from(report.iterations);
        progress.step(&format!("{}, frame {}", row.name, report.frame));
    }
    progress.end();
    row.milliseconds.sort_unstable_by(f64::total_cmp);
    Ok(row)
}

impl Row {
    fn worst(&self) -> f64 {
        self.milliseconds.last().copied().unwrap_or(0.0)
    }

    /// Vertices times steps in a second.
    fn throughput(&self) -> f64 {
        let seconds = 1e-3 * self.milliseconds.iter().sum::<f64>();
        self.vertices as f64 * self.steps as f64 / seconds.max(f64::MIN_POSITIVE)
    }

    /// Mean milliseconds a frame in each stage.
    fn split(&self) -> Vec<(&'static str, f64)> {
        let frames = self.milliseconds.len().max(1) as f64;
        self.split.stages().map(|(stage, seconds)| (stage, 1e3 * seconds / frames)).to_vec()
    }

    fn to_json(&self) -> Value {
        let split: Map<String, Value> = self
            .split()
            .into_iter()
            .map(|(stage, milliseconds)| (stage.to_owned(), json!(milliseconds)))
            .collect();
        json!({
            "name": self.name,
            "vertices": self.vertices,
            "milliseconds": median(&self.milliseconds),
            "milliseconds_max": self.worst(),
            "steps": self.steps,
            "iterations": self.iterations,
            "vertex_steps_per_second": self.throughput(),
            "split": split,
        })
    }
}

fn in_words(rows: &[Row], threads: usize) -> String {
    let header = ["scene", "vertices", "ms/frame", "worst", "vertex·steps/s", "split [ms]"];
    let mut cells = vec![header.map(str::to_owned).to_vec()];
    for row in rows {
        let split = row.split().into_iter().filter(|(_, ms)| *ms >= 0.005);
        let split: Vec<String> = split.map(|(stage, ms)| format!("{stage} {ms:.2}")).collect();
        cells.push(vec![
            row.name.clone(),
            count(row.vertices),
            format!("{:.2}", median(&row.milliseconds)),
            format!("{:.2}", row.worst()),
            format!("{:.2e}", row.throughput()),
            split.join(", "),
        ]);
    }
    format!("{threads} threads\n{}", table(&cells))
}
