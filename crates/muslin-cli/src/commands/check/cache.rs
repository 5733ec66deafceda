//! A cache: every frame as it is on the disk.

use super::shape;
use super::sunk::LevelSets;
use super::zones::ZoneStays;
use super::{Found, FrameLine, Report, expectations};
use crate::cache_scene::{CacheScene, up_vector};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::judgement::{Crossing, Judge, Verdict};
use crate::progress::{Progress, SharedProgress};
use muslin::judge::Problem;
use muslin_scene::cache::{Cache, CacheError, Status};
use rayon::prelude::*;
use serde_json::Value;
use std::path::Path;

/// Checks the cache in `dir`.
pub fn check(
    dir: &Path,
    pairs: usize,
    console: Console,
    interrupt: &Interrupt,
) -> Result<Report, Failure> {
    let mut report = Report::default();
    let cache = match Cache::open(dir) {
        Ok(cache) => cache.until(interrupt.flag()),
        Err(error @ CacheError::Damaged { .. }) => {
            report.problems.push(Failure::from(error).into());
            return Ok(report);
        }
        Err(error) => return Err(error.into()),
    };
    whole(&cache, &mut report)?;
    let scene = CacheScene::read(&cache)?;
    let judge = Judge::new(&cache.manifest().run, cache.topology(), &scene);
    let level_sets = LevelSets::new(&cache.manifest().run, cache.topology(), &scene);
    let numbers = cache.frames()?;
    let progress = Progress::new(console, "checking", numbers.len() as u64);
    let progress = SharedProgress::new(progress);
    let look = |&number: &u64| {
        let seen = cache.frame(number);
        let seen = seen.map(|frame| {
            let sunk = level_sets.sunk(number, &frame);
            (judge.frame(number, &frame), sunk, frame.report)
        });
        progress.step(&format!("frame {number}"));
        (number, seen)
    };
    let seen: Vec<_> = numbers.par_iter().map(look).collect();
    progress.end();
    let mut all_sunk = Vec::new();
    let mut zones = ZoneStays::new(&cache.manifest().run);
    for (number, seen) in seen {
        match seen {
            Ok((verdict, sunk, of_frame)) => {
                all_sunk.extend(sunk);
                zones.add(number, &of_frame["zoned_vertices"]);
                add_verdict(&mut report, &judge, &verdict, &of_frame, pairs);
            }
            Err(error @ CacheError::Stopped { .. }) => return Err(error.into()),
            Err(error) => {
                let found = Found::from(Failure::from(error));
                report.problems.push(Found { frame: Some(number), ..found });
            }
        }
    }
    report.notes.extend(level_sets.in_words(&all_sunk));
    zones.judge(&mut report);
    if !judge.crossings_are_wrong() && report.frames.iter().any(|line| line.crossings > 0) {
        let note = "the scene's contact does not promise that there are no crossings, or its checks \
                    allow some: they are counted, and are no problem";
        report.notes.push(note.to_owned());
    }
    if report.problems.iter().all(|found| found.kind != "damaged") {
        fingerprint(&cache, &mut report)?;
        expectations::check(&cache, &scene, &mut report)?;
    }
    ledger(&mut report);
    report.notes.extend(numbers.last().and_then(|&last| shape_at(&cache, last)));
    Ok(report)
}

/// The shape of the cloth in a frame, in words; nothing where the frame cannot be read.
fn shape_at(cache: &Cache, number: u64) -> Option<String> {
    let run = &cache.manifest().run;
    let frame = cache.frame(number).ok()?;
    shape::in_words(run, cache.topology(), &frame, up_vector(run.up_axis))
}

/// Whether all frames that should be there are.
fn whole(cache: &Cache, report: &mut Report) -> Result<(), Failure> {
    let manifest = cache.manifest();
    let place = cache.dir().display().to_string();
    for (first, last) in cache.missing_frames()? {
        if manifest.status == Status::Finished {
            let message = format!("frames {first} to {last} are missing: run it with --overwrite");
            report.problems.push(Found::new("missing-frames", Some(first), place.clone(), message));
        }
    }
    if manifest.status != Status::Finished {
        let why = manifest.stopped_because.as_ref();
        let why = why.map_or(String::new(), |why| format!(" ({why})"));
        let status = manifest.status;
        let message =
            format!("the run is {status}{why}, not finished: go on with `muslin run --resume`");
        report.problems.push(Found::new("unfinished", None, place, message));
    }
    Ok(())
}

/// Whether the frames are those the run ended with.
fn fingerprint(cache: &Cache, report: &mut Report) -> Result<(), Failure> {
    let Some(expected) = &cache.manifest().fingerprint else { return Ok(()) };
    if cache.fingerprint_of_frames()? != *expected {
        let message = "the frames are not those that the run ended with (their fingerprint differs): \
                       run it with --overwrite";
        let place = cache.dir().display().to_string();
        report.problems.push(Found::new("fingerprint", None, place, message.to_owned()));
    }
    Ok(())
}

/// Adds what the judge says about a frame.
pub fn add_verdict(
    report: &mut Report,
    judge: &Judge,
    verdict: &Verdict,
    of_frame: &Value,
    pairs: usize,
) {
    let frame = verdict.frame;
    let found = |kind: &str, crossing: &Crossing| {
        let what = judge.describe(*crossing);
        let message = format!("frame {frame}: {what}");
        Found::new(kind, Some(frame), what, message)
    };
    if judge.crossings_are_wrong() {
        let listed = verdict.crossings.iter().take(pairs);
        report.problems.extend(listed.map(|crossing| found("crossing", crossing)));
        let more = verdict.crossings.len().saturating_sub(pairs);
        if more > 0 {
            let message =
                format!("frame {frame}: {more} more pairs cross (list them with --pairs)");
            report.problems.push(Found::new("crossing", Some(frame), String::new(), message));
        }
    }
    report.pinched.extend(verdict.pinched.iter().take(pairs).map(|c| found("pinched", c)));
    for problem in verdict.problems.iter().take(pairs.max(1)) {
        let (kind, place) = match problem {
            Problem::NonFiniteVertex { vertex } => ("not-finite", format!("vertex {vertex}")),
            Problem::MissingVertex { triangle, .. } => ("index", judge.triangle(*triangle)),
            Problem::DegenerateTriangle { triangle } => ("degenerate", judge.triangle(*triangle)),
        };
        let message = format!("frame {frame}: {problem} ({place})");
        report.problems.push(Found::new(kind, Some(frame), place, message));
    }
    report.frames.push(FrameLine {
        frame,
        crossings: verdict.crossings.len(),
        pinched: verdict.pinched.len(),
        stretch_max: verdict.stretch.map(|stretch| stretch.strain),
        energy: of_frame["energy"].clone(),
    });
    let worst = report.frames.iter().filter_map(|line| line.stretch_max).fold(0.0, f64::max);
    if let Some(stretch) = verdict.stretch.filter(|s| s.strain >= worst && s.strain > 0.0) {
        report.worst_edge = Some((frame, judge.edge(stretch.edge)));
    }
}

/// The energies of the first and last frame, and the most stretched edge, as notes.
fn ledger(report: &mut Report) {
    if let Some((frame, edge)) = &report.worst_edge {
        report.notes.push(format!("most stretched: {edge}, in frame {frame}"));
    }
    let total = |line: &FrameLine| {
        let kinds = ["kinetic", "membrane", "bend", "gravity"];
        kinds.iter().map(|kind| line.energy[kind].as_f64()).sum::<Option<f64>>()
    };
    let kinetic = |line: &FrameLine| line.energy["kinetic"].as_f64().unwrap_or(0.0);
    let ends = (report.frames.first(), report.frames.last());
    if let (Some(first), Some(last)) = ends
        && let (Some(start), Some(end)) = (total(first), total(last))
    {
        let peak = report.frames.iter().map(kinetic).fold(0.0, f64::max);
        report.notes.push(format!(
            "energy: {start:.4} J at frame {}, {end:.4} J at frame {}; kinetic {:.2e} J at the end, \
             {peak:.2e} J at its peak",
            first.frame,
            last.frame,
            kinetic(last)
        ));
    }
}
