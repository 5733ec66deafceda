//! `muslin check`: what is wrong with a scene, a mesh or a cache.

mod cache;
mod expectations;
mod mesh;
mod scene;
mod shape;
mod sunk;
mod zones;

use crate::console::Console;
use crate::interrupt::Interrupt;
use crate::text::{count, percent};
use crate::threads::Threads;
use crate::{Failure, Outcome};
use clap::Args;
use serde_json::{Value, json};
use std::path::Path;

/// Arguments of `muslin check`.
#[derive(Args, Debug)]
#[command(after_help = "What is looked at:
  scene    keys, values, files, meshes; whether the initial state crosses itself
  mesh     (.obj, .ply) degenerate and inverted faces, torn and crowded edges, uv, crossings
  cache    every frame: damage, crossings of cloth with cloth and bodies, degenerate triangles,
           strain; and what the scene's [checks] ask for

Crossings are decided by exact arithmetic in code that the solver does not use; touching counts.
Exit code 1 means that something is wrong.

Examples:
  muslin check drape.muslin
  muslin check @hang
  muslin check shirt.obj --json")]
pub struct CheckArguments {
    /// A cache folder, a scene file or @NAME, or a mesh file
    #[arg(value_name = "WHAT")]
    pub what: String,
    /// Crossing pairs to list per frame
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub pairs: usize,
    /// Change a value of the scene before it is checked (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub threads: Threads,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    kind: String,
    frame: Option<u64>,
    place: String,
    message: String,
}

impl Found {
    fn new(kind: &str, frame: Option<u64>, place: String, message: String) -> Self {
        Self { kind: kind.to_owned(), frame, place, message }
    }

    fn to_json(&self) -> Value {
        let Self { kind, frame, place, message } = self;
        json!({ "kind": kind, "frame": frame, "where": place, "message": message })
    }
}

impl From<Failure> for Found {
    fn from(failure: Failure) -> Self {
        Self { kind: failure.kind, frame: None, place: failure.place, message: failure.message }
    }
}

/// What was measured of one frame.
#[derive(Clone, Debug, PartialEq)]
struct FrameLine {
    frame: u64,
    crossings: usize,
    pinched: usize,
    stretch_max: Option<f64>,
    /// The frame's energies, as its report has them [J].
    energy: Value,
}

/// The answer.
#[derive(Clone, Debug, Default)]
struct Report {
    problems: Vec<Found>,
    /// Cloth that lies in bodies where they pinch: allowed, listed apart (R1).
    pinched: Vec<Found>,
    frames: Vec<FrameLine>,
    /// What is worth knowing besides.
    notes: Vec<String>,
    /// The frame and edge of the largest stretch.
    worst_edge: Option<(u64, String)>,
}

/// Checks what is named.
pub fn check(
    arguments: &CheckArguments,
    console: Console,
    interrupt: &Interrupt,
) -> Result<Outcome, Failure> {
    arguments.threads.start()?;
    let path = Path::new(&arguments.what);
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let extension = extension.unwrap_or_default();
    let report = if arguments.what.starts_with('@') || (extension == "toml" && !path.is_dir()) {
        scene::check(&arguments.what, &arguments.set, arguments.pairs)?
    } else if path.is_dir() {
        cache::check(path, arguments.pairs, console, interrupt)?
    } else if matches!(extension.as_str(), "obj" | "ply") {
        mesh::check(path, arguments.pairs)?
    } else {
        return Err(not_checkable(&arguments.what, path));
    };
    tell(&arguments.what, &report, console)?;
    Ok(if report.problems.is_empty() { Outcome::Done } else { Outcome::ProblemsFound })
}

fn not_checkable(what: &str, path: &Path) -> Failure {
    let message = if path.exists() {
        format!("{what} is not a cache, a scene or a mesh: give a folder, .toml, .obj or .ply")
    } else {
        format!("there is no {what}: check the path")
    };
    Failure::new("unreadable", what, message)
}

fn tell(what: &str, report: &Report, console: Console) -> Result<(), Failure> {
    let frame = |line: &FrameLine| {
        json!({
            "frame": line.frame,
            "crossings": line.crossings,
            "pinched": line.pinched,
            "stretch_max": line.stretch_max,
            "energy": line.energy,
        })
    };
    console.object(&json!({
        "ok": report.problems.is_empty(),
        "problems": report.problems.iter().map(Found::to_json).collect::<Vec<_>>(),
        "pinched": report.pinched.iter().map(Found::to_json).collect::<Vec<_>>(),
        "frames": report.frames.iter().map(frame).collect::<Vec<_>>(),
        "notes": report.notes,
    }))?;
    console.answer(&in_words(what, report))
}

fn in_words(what: &str, report: &Report) -> String {
    let mut lines = Vec::new();
    let most_crossings = report.frames.iter().map(|line| line.crossings).max();
    let stretches = report.frames.iter().filter_map(|line| line.stretch_max);
    if let Some(most) = most_crossings {
        let frames = match report.frames.len() {
            1 => "1 frame".to_owned(),
            many => format!("{} frames", count(many as u64)),
        };
        let crossings = match most {
            0 => "no crossings".to_owned(),
            most => format!("up to {} crossing pairs", count(most as u64)),
        };
        let stretch = stretches.reduce(f64::max);
        let stretch =
            stretch.map_or(String::new(), |s| format!(", stretch at most {}", percent(s)));
        lines.push(format!("{what}: {frames}, {crossings}{stretch}"));
    }
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(report.pinched.iter().map(|found| format!("pinched: {}", found.message)));
    lines.extend(report.problems.iter().map(|found| format!("{}: {}", found.kind, found.message)));
    lines.push(match report.problems.len() {
        0 => format!("{what}: nothing wrong"),
        1 => format!("{what}: 1 problem"),
        many => format!("{what}: {} problems", count(many as u64)),
    });
    lines.join("\n")
}
