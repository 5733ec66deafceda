//! `muslin finish`: smooth, clean surfaces from simulated frames (BF13, OS4–OS7).

mod cleaning;
mod results;

use crate::cache_scene::CacheScene;
use crate::commands::export::Axis;
use crate::console::Console;
use crate::frame_range::FrameRange;
use crate::interrupt::Interrupt;
use crate::progress::{Progress, SharedProgress};
use crate::threads::Threads;
use crate::{Failure, Outcome};
use clap::Args;
use cleaning::CleaningArguments;
use muslin::finish::HalfSpace;
use muslin_scene::cache::{CacheFiller, Existing, Start};
use muslin_scene::finish::{Fineness, FinishSettings, Finisher, ForeignSettings, Source};
use muslin_scene::polymesh::UpAxis;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Arguments of `muslin finish`.
#[derive(Args, Debug)]
#[command(
    after_help = "The result is a cache like any other: render it, export it, check it. Each frame is \
    finished on its own, so
parts of an animation may be finished at the same time, on several machines, into one folder:
frames that are there already are kept, and the cache is finished when the last one is there.

The input is a cache, or another program's animation: numbered .obj or .ply files, .pc2 or .mdd
with a mesh, .usda, .glb.

Examples:
  muslin finish drape.muslin -o smooth.muslin --subdivide 2
  muslin finish tight.muslin -o clean.muslin --cleanup --subdivide 1
  muslin finish tight.muslin -o flat.muslin --cleanup=flat --subdivide 1
  muslin finish coarse.muslin -o curved.muslin --curved
  muslin finish drape.muslin -o smooth.muslin --subdivide 2 --frames 0..99
  muslin finish 'cloth_####.obj' -o smooth.muslin --subdivide 1 --up y"
)]
pub struct FinishArguments {
    /// The cache folder, or an animation of another program
    #[arg(value_name = "CACHE")]
    pub input: PathBuf,
    /// The cache folder to write
    #[arg(short, long, value_name = "CACHE")]
    pub output: PathBuf,
    /// Replace the cache that is there
    #[arg(long)]
    pub overwrite: bool,
    /// Split every triangle in four and smooth, this many times; never through cloth or bodies
    #[arg(long, value_name = "N", conflicts_with = "curved")]
    pub subdivide: Option<u32>,
    /// Draw curved faces over coarse ones, edges at their rest length
    #[arg(long)]
    pub curved: bool,
    /// Segments along every edge of a curved face, 1 to 64; 18 triangles a face when not given
    #[arg(long, value_name = "N", requires = "curved")]
    pub segments: Option<u32>,
    #[command(flatten)]
    pub cleaning: CleaningArguments,
    /// Keep seams sharp where cloth is sewn together
    #[arg(long, requires = "subdivide")]
    pub sharp_seams: bool,
    /// Only these frames, both ends included
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,
    /// The mesh of a .pc2 or .mdd; the .obj of the same name when not given
    #[arg(long, value_name = "FILE")]
    pub mesh: Option<PathBuf>,
    /// The object of another program's file to take; all when not given
    #[arg(long, value_name = "NAME")]
    pub object: Option<String>,
    /// Frames per second of another program's file; its own, or 24, when not given
    #[arg(long, value_name = "N")]
    pub fps: Option<f64>,
    /// Up axis of another program's file; its own, or z, when not given
    #[arg(long, value_enum)]
    pub up: Option<Axis>,
    /// Length of the unit of another program's file [m]; its own, or 1, when not given
    #[arg(long, value_name = "METRES")]
    pub unit: Option<f64>,
    #[command(flatten)]
    pub threads: Threads,
}

/// Finishes the frames.
pub fn finish(arguments: &FinishArguments, console: Console) -> Result<Outcome, Failure> {
    check(arguments)?;
    let threads = arguments.threads.start()?;
    let source = open(arguments)?;
    let numbers = chosen(arguments, &source)?;
    let scene: CacheScene = CacheScene::parse(&source.resolved_text, &arguments.input)?;
    let finisher = Finisher::new(&source, settings(arguments, &scene)?)?;
    let interrupt = Interrupt::listen()?;
    let start = Start {
        run: finisher.run().clone(),
        topology: finisher.topology(),
        scene_text: &source.scene_text,
        resolved_text: &source.resolved_text,
    };
    let existing = if arguments.overwrite { Existing::Replace } else { Existing::Keep };
    let filler = CacheFiller::open(&arguments.output, &start, existing)?;
    for body in finisher.left_out() {
        console.note(&format!(
            "body `{body}` has no inside, or is not closed: clean-up leaves it out"
        ));
    }
    let mut todo = Vec::new();
    for &number in &numbers {
        if !filler.has(number)? {
            todo.push(number);
        }
    }
    let job = Job { source, finisher, scene, filler, interrupt };
    job.make(&todo, threads, console)?;
    let fingerprint = job.filler.complete(results::summary)?;
    results::tell(arguments, &numbers, todo.len(), fingerprint.as_deref(), console)?;
    if job.interrupt.asked() {
        let place = arguments.output.display().to_string();
        let message =
            format!("interrupted: {place} keeps the frames it has; the same command goes on");
        return Err(Failure::new("interrupted", place, message));
    }
    Ok(Outcome::Done)
}

/// Everything the frames need.
struct Job {
    source: Source,
    finisher: Finisher,
    scene: CacheScene,
    filler: CacheFiller,
    interrupt: Interrupt,
}

impl Job {
    /// Makes frames, as many at a time as there are threads: memory stays bounded.
    fn make(&self, todo: &[u64], threads: usize, console: Console) -> Result<(), Failure> {
        let progress = Progress::new(console, "finishing", todo.len() as u64);
        let progress = SharedProgress::new(progress);
        let one = |number: &u64| {
            self.make_one(*number)?;
            progress.step(&format!("frame {number}"));
            Ok(())
        };
        let made: Result<(), Failure> = todo
            .chunks(threads.max(1))
            .take_while(|_| !self.interrupt.asked())
            .try_for_each(|some| some.par_iter().try_for_each(one));
        progress.end();
        made
    }

    fn make_one(&self, number: u64) -> Result<(), Failure> {
        let frame = self.source.frame(number)?;
        let planes = self.scene.planes(frame.time, self.source.run.up_axis);
        let planes: Vec<HalfSpace> = planes
            .iter()
            .map(|plane| HalfSpace { point: plane.point, normal: plane.normal })
            .collect();
        let done = self.finisher.frame(frame, &planes)?;
        Ok(self.filler.write_frame(number, &done.frame)?)
    }
}

/// Whether there is anything to do, with numbers that make sense.
fn check(arguments: &FinishArguments) -> Result<(), Failure> {
    let cleans = arguments.cleaning.cleanup.is_some();
    if arguments.subdivide.is_none() && !arguments.curved && !cleans {
        let message = "nothing to do: give --subdivide N, --curved or --cleanup";
        return Err(Failure::argument("--subdivide", message));
    }
    positive("--fps", arguments.fps, "frame rate")?;
    positive("--unit", arguments.unit, "length of a unit in metres")
}

fn positive(name: &str, value: Option<f64>, what: &str) -> Result<(), Failure> {
    match value {
        Some(value) if !(value > 0.0 && value.is_finite()) => {
            Err(Failure::argument(name, format!("{value} is no {what}: give a number above 0")))
        }
        _ => Ok(()),
    }
}

fn settings(arguments: &FinishArguments, scene: &CacheScene) -> Result<FinishSettings, Failure> {
    let fineness = if arguments.curved {
        Fineness::Curved(arguments.segments)
    } else {
        Fineness::Subdivide(arguments.subdivide.unwrap_or(0))
    };
    let clean_up = arguments.cleaning.settings(scene.finish.cleanup.as_ref())?;
    Ok(FinishSettings { fineness, clean_up, sharp_seams: arguments.sharp_seams })
}

/// Opens the input: a cache, or what another program wrote.
fn open(arguments: &FinishArguments) -> Result<Source, Failure> {
    let input = &arguments.input;
    let same = |a: &Path, b: &Path| a.canonicalize().ok().zip(b.canonicalize().ok());
    if same(input, &arguments.output).is_some_and(|(a, b)| a == b) {
        let message = "the input and the output are the same folder: name another with -o";
        return Err(Failure::argument("--output", message));
    }
    let numbered = || Source::from_file(input, &ForeignSettings::default()).is_ok();
    let is_cache = input.join("manifest.json").exists()
        || (input.is_dir() && !numbered())
        || (!input.exists() && input.extension().is_none_or(|ending| ending == "muslin"));
    if is_cache {
        return Ok(Source::from_cache(input)?);
    }
    if arguments.sharp_seams {
        let message = "only a cache knows its seams: leave --sharp-seams out";
        return Err(Failure::argument("--sharp-seams", message));
    }
    let settings = ForeignSettings {
        mesh: arguments.mesh.as_deref(),
        object: arguments.object.as_deref(),
        fps: arguments.fps,
        up: arguments.up.map(|axis| match axis {
            Axis::Y => UpAxis::Y,
            Axis::Z => UpAxis::Z,
        }),
        metres_per_unit: arguments.unit,
    };
    Ok(Source::from_file(input, &settings)?)
}

/// The frames asked for, of those that are there.
fn chosen(arguments: &FinishArguments, source: &Source) -> Result<Vec<u64>, Failure> {
    let wanted = |frame: &u64| arguments.frames.is_none_or(|range| range.contains(*frame));
    let numbers: Vec<u64> = source.frames.iter().copied().filter(wanted).collect();
    if !numbers.is_empty() {
        return Ok(numbers);
    }
    let place = arguments.input.display().to_string();
    let message = match (source.frames.first(), source.frames.last(), arguments.frames) {
        (Some(first), Some(last), Some(range)) => {
            format!("{place} does not have frames {range}: it holds frames {first} to {last}")
        }
        _ => format!("{place} holds no frames yet: run it first"),
    };
    Err(Failure::new("missing-frame", place, message))
}
