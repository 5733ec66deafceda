//! The loop of a run: advance, write, checkpoint, look whether to stop.

use super::results::Timing;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::text::{count, number};
use muslin_scene::cache::{CacheError, CacheWriter};
use muslin_scene::runner::{FrameReport, Runner};
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

/// Kinetic energy below this share of its peak is rest (V16).
const REST: f64 = 1e-6;

/// Which frames to make, and when to stop before.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// First frame to save.
    pub first: u64,
    /// Last frame.
    pub last: u64,
    /// Frames between checkpoints.
    pub checkpoint_every: u64,
    /// Stop when the cloth is at rest.
    pub until_rest: bool,
    /// Stop after this time [s].
    pub max_time: Option<f64>,
}

/// Why the loop ended.
#[derive(Debug)]
pub enum End {
    /// All frames are there.
    LastFrame,
    /// The cloth came to rest, as asked.
    AtRest,
    /// Somebody pressed Ctrl-C.
    Interrupted(u64),
    /// The time was up.
    OutOfTime(u64),
    /// The simulation could not go on (R5).
    Stuck(u64, Failure),
}

/// A run in progress.
pub struct Session<'a> {
    /// The simulation.
    pub runner: Runner,
    /// The cache.
    pub writer: CacheWriter,
    /// When to stop.
    pub limits: Limits,
    /// Seconds of each frame.
    pub timing: &'a mut Timing,
    /// Reports of all frames saved so far.
    pub reports: &'a mut Vec<Value>,
    /// Ctrl-C.
    pub interrupt: Interrupt,
}

impl Session<'_> {
    /// Makes frames until there is a reason to stop; the state is checkpointed when it returns.
    pub fn simulate(&mut self, console: Console) -> Result<End, Failure> {
        let started = Instant::now();
        let Limits { last, .. } = self.limits;
        let todo = last.saturating_sub(self.runner.frame_number());
        let mut progress = Progress::new(console, "simulating", todo);
        let end = loop {
            let frame = self.runner.frame_number();
            match self.visit(frame, started) {
                Ok(None) => {}
                Ok(Some(end)) => break end,
                Err(error) if is_about_numbers(&error) => {
                    let last_good = self.writer.next_frame().saturating_sub(1);
                    break End::Stuck(last_good, error.into());
                }
                Err(error) => return Err(error.into()),
            }
            let clock = Instant::now();
            match self.runner.advance() {
                Ok(report) => {
                    self.timing.add(frame + 1, clock.elapsed().as_secs_f64(), &report.seconds);
                    progress.step(&detail(&report, last));
                }
                Err(error) => break End::Stuck(frame, error.into()),
            }
        };
        progress.end();
        Ok(end)
    }

    /// Writes the present frame, unless it is there, and a checkpoint, where one is due.
    fn visit(&mut self, frame: u64, started: Instant) -> Result<Option<End>, CacheError> {
        if frame < self.limits.first {
            return Ok(self.reason_to_stop(frame, started));
        }
        if frame == self.writer.next_frame() {
            let contents = self.runner.frame();
            self.writer.write_frame(frame, &contents)?;
            self.reports.push(contents.report);
        }
        let end = self.reason_to_stop(frame, started);
        if end.is_some() || (frame > 0 && frame.is_multiple_of(self.limits.checkpoint_every)) {
            self.writer.write_checkpoint(frame, &self.runner.snapshot())?;
            self.writer.write_timing(&self.timing.to_json())?;
        }
        Ok(end)
    }

    /// Whether the present frame is the last one now.
    fn reason_to_stop(&self, frame: u64, started: Instant) -> Option<End> {
        let out_of_time =
            self.limits.max_time.is_some_and(|limit| started.elapsed().as_secs_f64() >= limit);
        if frame >= self.limits.last {
            Some(End::LastFrame)
        } else if self.limits.until_rest && is_at_rest(self.reports) {
            Some(End::AtRest)
        } else if self.interrupt.asked() {
            Some(End::Interrupted(frame))
        } else if out_of_time {
            Some(End::OutOfTime(frame))
        } else {
            None
        }
    }
}

/// Whether the cache refused a frame for what is in it, rather than the disk for other reasons.
fn is_about_numbers(error: &CacheError) -> bool {
    matches!(error, CacheError::NotFinite { .. } | CacheError::NotFiniteState { .. })
}

/// Whether the last frame saved is at rest, by the energies of all frames saved, so that a resumed
/// run stops at the same frame as one that was never interrupted.
fn is_at_rest(reports: &[Value]) -> bool {
    let kinetic = |report: &Value| report["energy"]["kinetic"].as_f64().unwrap_or(0.0);
    let peak = reports.iter().map(kinetic).fold(0.0, f64::max);
    peak > 0.0 && reports.last().is_some_and(|last| kinetic(last) < REST * peak)
}

/// What the progress line says about a frame.
fn detail(report: &FrameReport, last: u64) -> String {
    format!(
        "frame {} of {last}, {} contacts, step {} ms",
        report.frame,
        count(report.contact.near),
        number(1e3 * report.smallest_step)
    )
}

impl End {
    /// Why the run stopped before its end, for the manifest.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::LastFrame | Self::AtRest => None,
            Self::Interrupted(_) => Some("it was interrupted".to_owned()),
            Self::OutOfTime(_) => Some("the time limit was reached".to_owned()),
            Self::Stuck(_, failure) => Some(failure.message.clone()),
        }
    }

    /// The failure to report where not all that was asked is done.
    pub fn failure(&self, dir: &Path, scene: &str) -> Option<Failure> {
        let dir = dir.display();
        let stopped = |kind: &str, reason: &str, frame: u64| {
            let message = format!(
                "{reason} after frame {frame}; go on with `muslin run {scene} -o {dir} --resume`"
            );
            Some(Failure::new(kind, format!("frame {frame}"), message))
        };
        match self {
            Self::LastFrame | Self::AtRest => None,
            Self::Interrupted(frame) => stopped("interrupted", "interrupted", *frame),
            Self::OutOfTime(frame) => stopped("time-limit", "the time limit was reached", *frame),
            Self::Stuck(frame, failure) => {
                Some(failure.clone().and(&format!("frames up to {frame} are kept in {dir}")))
            }
        }
    }
}
