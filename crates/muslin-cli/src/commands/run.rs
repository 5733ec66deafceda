//! `muslin run`: from a scene to a cache.

mod place;
mod real_time;
mod results;
mod simulate;

use crate::commands::dress;
use crate::console::Console;
use crate::estimate;
use crate::frame_range::FrameRange;
use crate::interrupt::Interrupt;
use crate::scene_source::SceneSource;
use crate::sheet;
use crate::threads::Threads;
use crate::{Failure, Outcome};
use clap::Args;
use muslin_scene::cache::Cache;
use muslin_scene::cache::Run;
use muslin_scene::runner::Runner;
use place::{Place, Plan};
pub use results::median;
use results::{Results, Timing};
use simulate::{End, Limits, Session};
use std::path::{Path, PathBuf};

/// Arguments of `muslin run`.
#[derive(Args, Debug)]
#[command(
    after_help = "The cache is a folder that numpy opens without Muslin (docs/cache.md). Every \
    frame is whole on the disk
when it is named, so a crash or Ctrl-C loses at most the frame in flight, and --resume goes on to
the same bits. At the end a judge that shares no code with the solver looks for crossings in every
saved frame, and a contact sheet of the animation is drawn into the folder.

Examples:
  muslin run @drape-sphere                          a gallery scene, into drape-sphere.muslin
  muslin run skirt.toml -o skirt.muslin --resume    go on where it was interrupted
  muslin run @hang --set cloth.sheet.fabric=denim --set frames=120
  muslin run @drape-sphere --until-rest --max-time 600 --json"
)]
#[expect(clippy::struct_excessive_bools, reason = "flags of the command line are independent")]
pub struct RunArguments {
    /// A scene file, or @NAME of the gallery
    #[arg(value_name = "SCENE")]
    pub scene: String,
    /// The cache folder; NAME.muslin when not given
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Go on with the cache that is there; start where there is none
    #[arg(long)]
    pub resume: bool,
    /// Replace the cache that is there
    #[arg(long, conflicts_with = "resume")]
    pub overwrite: bool,
    /// Save frames A to B, both ends included; frame 0 is the initial state, where every run starts
    #[arg(long, value_name = "A..B")]
    pub frames: Option<FrameRange>,
    /// Change a value of the scene, such as solver.steps_per_frame=8 (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Stop when the cloth is at rest, before the last frame
    #[arg(long)]
    pub until_rest: bool,
    /// Stop after this many seconds; --resume goes on later
    #[arg(long, value_name = "SECONDS")]
    pub max_time: Option<f64>,
    /// Do not look for crossings in the saved frames
    #[arg(long)]
    pub no_check: bool,
    /// Do not draw the contact sheet
    #[arg(long)]
    pub no_sheet: bool,
    #[command(flatten)]
    pub threads: Threads,
}

/// Simulates a scene.
pub fn run(arguments: &RunArguments, console: Console) -> Result<Outcome, Failure> {
    if let Some(seconds) = arguments.max_time.filter(|s| !(*s > 0.0 && s.is_finite())) {
        let message = format!("{seconds} is no time limit: give seconds above 0");
        return Err(Failure::argument("--max-time", message));
    }
    let threads = arguments.threads.start()?;
    let source = SceneSource::load(&arguments.scene, &arguments.set)?;
    let (first, last) = frame_span(arguments.frames, u64::from(source.scene.frames))?;
    let mut runner = Runner::new(&source.scene)?;
    if let Some(report) = runner.dressing() {
        console.note(&dress::summary(&report));
    }
    let dir = arguments.output.clone().unwrap_or_else(|| default_folder(&source.scene.name));
    let run = Run { first_frame: first, ..runner.plan(&source.scene, &arguments.set, last) };
    let plan = Plan { dir: &dir, run, topology: runner.topology(), source: &source };
    let interrupt = Interrupt::listen()?;
    let point = match place::open(&plan, arguments.resume, arguments.overwrite)? {
        Place::Finished => {
            console.note(&format!("{} is finished already", dir.display()));
            return tell(arguments, &dir, console);
        }
        Place::Writing(point) => point,
    };
    let estimate = runner.estimate();
    console.note(&estimate::describe(&estimate, &source.scene, last + 1, threads));
    let mut timing = Timing::read(&dir);
    timing.threads = threads;
    let mut reports = place::reports(&dir, point.next_frame)?;
    if let Some(snapshot) = &point.snapshot {
        runner.restore(snapshot, point.next_frame - 1)?;
        console.note(&format!("going on after frame {}", point.next_frame - 1));
    }
    let limits = Limits {
        first,
        last,
        checkpoint_every: u64::from(source.scene.output.checkpoint_every).max(1),
        until_rest: arguments.until_rest,
        max_time: arguments.max_time,
    };
    let mut session = Session {
        runner,
        writer: point.writer,
        limits,
        timing: &mut timing,
        reports: &mut reports,
        interrupt,
    };
    let end = session.simulate(console)?;
    let writer = session.writer;
    writer.write_timing(&timing.to_json())?;
    let results = Results::new(&reports, &end);
    if let (Some(reason), Some(failure)) = (end.reason(), end.failure(&dir, &arguments.scene)) {
        writer.stop(&reason, &results.to_json())?;
        return Err(failure);
    }
    let results = if arguments.no_check { results } else { results.judged(&dir, console)? };
    writer.finish(&results.to_json())?;
    if arguments.until_rest && matches!(end, End::LastFrame) {
        return Err(still_moving(&dir, last));
    }
    tell(arguments, &dir, console)
}

/// The frames to save, from `--frames` and the scene.
fn frame_span(range: Option<FrameRange>, scene_frames: u64) -> Result<(u64, u64), Failure> {
    let Some(range) = range else { return Ok((0, scene_frames)) };
    let last = range.last.unwrap_or(scene_frames);
    if range.first > last {
        let message = format!("the scene ends at frame {last}, before frame {}", range.first);
        return Err(Failure::argument("--frames", message));
    }
    Ok((range.first, last))
}

/// `NAME.muslin` in the current folder.
fn default_folder(name: &str) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    PathBuf::from(format!("{name}.muslin"))
}

fn still_moving(dir: &Path, last: u64) -> Failure {
    let message = format!(
        "the cloth was not at rest after frame {last}; all frames are in {}, give it more with \
         --set frames=N",
        dir.display()
    );
    Failure::new("not-at-rest", format!("frame {last}"), message)
}

/// Draws the contact sheet where there is none, and says what the finished cache holds.
fn tell(arguments: &RunArguments, dir: &Path, console: Console) -> Result<Outcome, Failure> {
    let cache = Cache::open(dir)?;
    let path = dir.join(sheet::SHEET);
    if !arguments.no_sheet && !path.exists() {
        console.note("drawing the contact sheet");
        sheet::write(&cache)?;
    }
    let sheet = path.exists().then_some(path);
    results::tell(&cache, sheet.as_deref(), console)?;
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_plain_names() {
        assert_eq!(default_folder("drape-sphere"), Path::new("drape-sphere.muslin"));
        assert_eq!(default_folder("../a b"), Path::new("---a-b.muslin"));
    }

    #[test]
    fn frames_end_where_the_scene_ends() {
        let span = |text: &str| frame_span(Some(text.parse().unwrap()), 60);
        assert_eq!(frame_span(None, 60), Ok((0, 60)));
        assert_eq!(span("..5"), Ok((0, 5)));
        assert_eq!(span("3..90"), Ok((3, 90)));
        assert!(span("61..").is_err());
    }
}
