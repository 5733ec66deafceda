//! What the scene's `[checks]` ask of the result.
//!
//! Crossings and stretch hold for any run. The other checks are about the scene as it is written:
//! with overridden settings, or before its last frame, they are notes.

use super::{Found, FrameLine, Report};
use crate::cache_scene::{CacheScene, up_vector};
use crate::failure::Failure;
use crate::text::number;
use muslin::math::Vec3;
use muslin_scene::cache::{Cache, Frame};
use muslin_scene::spec::Checks;

/// The frame at which the fall is taken, where the scene does not say.
const FALL_FRAMES: u32 = 6;

/// Adds a problem for every expectation that does not hold.
pub fn check(cache: &Cache, scene: &CacheScene, report: &mut Report) -> Result<(), Failure> {
    let Some(checks) = &scene.checks else { return Ok(()) };
    let mut found = over_limits(checks, report);
    let of_result = about_the_result(cache, scene, checks, report)?;
    if cache.manifest().run.overrides.is_empty() {
        found.extend(of_result);
    } else {
        let note =
            |found: Found| format!("{} (no problem: settings were overridden)", found.message);
        report.notes.extend(of_result.into_iter().map(note));
    }
    report.problems.extend(found);
    Ok(())
}

fn unmet(key: &str, frame: u64, message: &str) -> Found {
    let message = format!("frame {frame}: {message}, as checks.{key} asks");
    Found::new("expectation", Some(frame), format!("checks.{key}"), message)
}

/// Frames with more stretch or crossings than the scene allows.
fn over_limits(checks: &Checks, report: &Report) -> Vec<Found> {
    let mut found = Vec::new();
    for line in &report.frames {
        if let (Some(limit), Some(stretch)) = (checks.stretch_max, line.stretch_max)
            && stretch > limit
        {
            let message = format!("stretch {stretch:.6} is not within {limit}");
            found.push(unmet("stretch_max", line.frame, &message));
        }
        if let Some(limit) = checks.crossings.filter(|limit| *limit > 0)
            && line.crossings > limit as usize
        {
            let message = format!("{} crossing pairs are not within {limit}", line.crossings);
            found.push(unmet("crossings", line.frame, &message));
        }
    }
    found
}

/// What is asked of the fall and of the last frame.
fn about_the_result(
    cache: &Cache,
    scene: &CacheScene,
    checks: &Checks,
    report: &mut Report,
) -> Result<Vec<Found>, Failure> {
    let numbers = cache.frames()?;
    let up = up_vector(cache.manifest().run.up_axis);
    let mut found = Vec::new();
    let fall_frame = u64::from(checks.fall_frames.unwrap_or(FALL_FRAMES));
    if let Some([low, high]) = checks.fall
        && fall_frame > 0
        && numbers.contains(&0)
        && numbers.contains(&fall_frame)
    {
        let fall = fall(&cache.frame(0)?, &cache.frame(fall_frame)?, up, scene.gravity());
        report.notes.push(format!("fall after {fall_frame} frames: {fall:.4} of ½gt²"));
        if !(low..=high).contains(&fall) {
            let message = format!("the fall {fall:.4} is not within {low} to {high}");
            found.push(unmet("fall", fall_frame, &message));
        }
    }
    let Some(&last) = numbers.last().filter(|last| **last == scene.frames) else {
        return Ok(found);
    };
    for (key, band, value) in bands(checks, &cache.frame(last)?, up) {
        if let Some([low, high]) = band
            && !(low..=high).contains(&value)
        {
            found.push(unmet(key, last, &format!("{value:.4} is not within {low} to {high}")));
        }
    }
    for (key, part, limit) in [
        ("kinetic_energy", "kinetic", checks.kinetic_energy),
        ("bend_energy", "bend", checks.bend_energy),
    ] {
        let Some(limit) = limit else { continue };
        let energy = |line: &FrameLine| line.energy[part].as_f64().unwrap_or(0.0);
        let peak = report.frames.iter().map(energy).fold(0.0, f64::max);
        let share = report.frames.last().map_or(0.0, energy) / peak.max(f64::MIN_POSITIVE);
        if share > limit {
            let message = format!("{} of the peak energy is not within {limit}", number(share));
            found.push(unmet(key, last, &message));
        }
    }
    Ok(found)
}

type Band = Option<[f64; 2]>;

/// Bands of the last frame and what they are about.
fn bands(checks: &Checks, end: &Frame, up: Vec3) -> [(&'static str, Band, f64); 4] {
    let heights = || end.positions.iter().map(|x| x.dot(up));
    let mean = heights().sum::<f64>() / (end.positions.len().max(1) as f64);
    let contacts = end.report["contact"]["near"].as_f64().unwrap_or(0.0);
    [
        ("height", checks.height, mean),
        ("lowest", checks.lowest, heights().fold(f64::INFINITY, f64::min)),
        ("highest", checks.highest, heights().fold(f64::NEG_INFINITY, f64::max)),
        ("contacts", checks.contacts, contacts),
    ]
}

/// Drop of the lowest vertex ÷ ½gt².
fn fall(start: &Frame, frame: &Frame, up: Vec3, gravity: f64) -> f64 {
    let lowest =
        |frame: &Frame| frame.positions.iter().map(|x| x.dot(up)).fold(f64::INFINITY, f64::min);
    let time = frame.time - start.time;
    (lowest(start) - lowest(frame)) / (0.5 * gravity * time * time)
}
