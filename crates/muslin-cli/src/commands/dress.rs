//! `muslin dress`: sew and settle, and save the dressed state (BW15).

use crate::console::Console;
use crate::scene_source::SceneSource;
use crate::threads::Threads;
use crate::{Failure, Outcome};
use clap::Args;
use muslin_scene::runner::{DressReport, Runner};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `muslin dress`.
#[derive(Args, Debug)]
#[command(
    after_help = "Panels are drawn together along their seams while the bodies stand in their \
    first pose, welded, and
settled. `muslin run` does the same before frame 0; a saved state is sewn once and used often:

  muslin dress shirt.toml --save shirt.npz
  muslin run shirt.toml --set cloth.shirt.initial.file=shirt.npz"
)]
pub struct DressArguments {
    /// A scene file, or @NAME of the gallery
    #[arg(value_name = "SCENE")]
    pub scene: String,
    /// Where the dressed state goes; NAME.dressed.npz when not given
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Change a value of the scene (repeatable)
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub threads: Threads,
}

/// Sews, settles and saves.
pub fn dress(arguments: &DressArguments, console: Console) -> Result<Outcome, Failure> {
    arguments.threads.start()?;
    let source = SceneSource::load(&arguments.scene, &arguments.set)?;
    let clock = Instant::now();
    let runner = Runner::new(&source.scene)?;
    let seconds = clock.elapsed().as_secs_f64();
    let Some(report) = runner.dressing() else {
        let message = "it has nothing to sew: give a cloth panels and seams, or a pattern, and no \
                       `initial`";
        return Err(Failure::new("nothing-to-sew", &arguments.scene, message.to_owned()));
    };
    let default = || PathBuf::from(format!("{}.dressed.npz", source.scene.name));
    let path = arguments.save.clone().unwrap_or_else(default);
    runner.save_positions(&path)?;
    console.say(&format!("{}; took {seconds:.1} s", summary(&report)))?;
    console.say(&format!("saved {}", path.display()))?;
    console.object(&json!({ "dressing": report, "seconds": seconds, "file": path }))?;
    Ok(Outcome::Done)
}

/// What dressing did, in a line.
pub fn summary(report: &DressReport) -> String {
    format!(
        "closed {} stitches from {:.1} mm to {:.2} mm in {:.2} s ({} steps), settled for {:.2} s ({} \
         steps) to {:.1} mm/s",
        report.stitches,
        1e3 * report.gap_before,
        1e3 * report.gap_after,
        report.sewing_time,
        report.sewing_steps,
        report.settle_time,
        report.settle_steps,
        1e3 * report.speed
    )
}
