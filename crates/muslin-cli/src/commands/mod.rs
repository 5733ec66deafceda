//! One file per command. A command takes its arguments and the console, does what was asked, and
//! says so.

pub mod bench;
pub mod check;
pub mod dress;
pub mod export;
mod export_player;
pub mod fabrics;
pub mod finish;
pub mod gallery;
pub mod render;
pub mod run;
pub mod schema;
pub mod view;

use crate::Failure;
use crate::frame_range::FrameRange;
use muslin_scene::cache::Cache;

/// Numbers of the frames asked for, of those that are there: one, a range, or all.
fn frames_of(
    cache: &Cache,
    one: Option<u64>,
    range: Option<FrameRange>,
) -> Result<Vec<u64>, Failure> {
    let all = cache.frames()?;
    if let Some(frame) = one {
        // Reading it says what there is if there is no such frame.
        cache.frame(frame)?;
        return Ok(vec![frame]);
    }
    let chosen: Vec<u64> = all
        .iter()
        .copied()
        .filter(|&frame| range.is_none_or(|range| range.contains(frame)))
        .collect();
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let place = cache.dir().display().to_string();
    let present = match (all.first(), all.last()) {
        (Some(first), Some(last)) => format!("it holds frames {first} to {last}"),
        _ => "it holds no frames yet".to_owned(),
    };
    let asked = range.map_or_else(|| "any frame".to_owned(), |range| format!("frames {range}"));
    Err(Failure::new("missing-frame", &place, format!("{place} does not have {asked}: {present}")))
}

/// Refuses frames with a gap: what follows it would come too early in an animation.
fn unbroken(cache: &Cache, frames: &[u64]) -> Result<(), Failure> {
    let Some(gap) = frames.windows(2).find(|pair| pair[1] > pair[0] + 1) else { return Ok(()) };
    let (before, after) = (gap[0], gap[1]);
    let place = cache.dir().display().to_string();
    let message = format!(
        "{place} has no frames between {before} and {after}: choose frames on one side with --frames, \
         or make it again with `muslin run --overwrite`"
    );
    Err(Failure::new("missing-frame", place, message))
}
