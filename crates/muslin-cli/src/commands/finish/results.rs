//! What finishing found: crossings level by level.

use super::FinishArguments;
use crate::Failure;
use crate::console::Console;
use crate::text::{count, table};
use muslin_scene::cache::Cache;
use serde_json::{Value, json};

/// Crossings of all frames at one level.
fn sum(reports: &[(u64, Value)], level: impl Fn(&Value) -> &Value) -> Value {
    let of = |kind: &str| -> u64 {
        reports.iter().filter_map(|(_, report)| level(&report["finish"])[kind].as_u64()).sum()
    };
    json!({ "cloth": of("cloth"), "bodies": of("bodies"), "planes": of("planes") })
}

/// The report of the finished cache, from those of its frames.
pub fn summary(reports: &[(u64, Value)]) -> Value {
    let levels = |report: &Value| report["finish"]["levels"].as_array().map_or(0, Vec::len);
    let most = reports.iter().map(|(_, report)| levels(report)).max().unwrap_or(0);
    let total = |kind: &str| -> u64 {
        let numbers = reports.iter().filter_map(|(_, r)| r["finish"][kind].as_array());
        numbers.flatten().filter_map(Value::as_u64).sum()
    };
    let crosses = |report: &Value| {
        let last = report["finish"]["levels"].as_array().and_then(|levels| levels.last());
        last.is_some_and(|at| total_of(at) > 0)
    };
    let wrong = reports.iter().filter(|(_, report)| crosses(report)).map(|(frame, _)| *frame);
    json!({
        "finish": {
            "frames": reports.len(),
            "input": sum(reports, |finish| &finish["input"]),
            "levels": (0..most).map(|k| sum(reports, |f| &f["levels"][k])).collect::<Vec<_>>(),
            "contacts": total("contacts"),
            "held": total("held"),
            "cleaned": total("cleaned"),
            "pinched": total("pinched"),
            "stuck": total("stuck"),
            "frames_that_cross": wrong.collect::<Vec<_>>(),
        }
    })
}

/// What clean-up did, where it did anything.
fn cleaned(finish: &Value) -> Option<String> {
    let [moved, pinched, stuck] =
        ["cleaned", "pinched", "stuck"].map(|kind| finish[kind].as_u64().unwrap_or(0));
    (moved + pinched + stuck > 0).then(|| {
        format!(
            "clean-up moved {} vertices, left {} alone that are pinched between bodies, and could \
             not get {} where they belong",
            count(moved),
            count(pinched),
            count(stuck)
        )
    })
}

fn total_of(crossings: &Value) -> u64 {
    ["cloth", "bodies", "planes"].iter().filter_map(|kind| crossings[kind].as_u64()).sum()
}

/// Says what was done.
pub fn tell(
    arguments: &FinishArguments,
    numbers: &[u64],
    made: usize,
    fingerprint: Option<&str>,
    console: Console,
) -> Result<(), Failure> {
    let cache = Cache::open(&arguments.output)?;
    let mut reports = Vec::new();
    for frame in cache.frames()?.into_iter().filter(|frame| numbers.contains(frame)) {
        reports.push((frame, cache.frame(frame)?.report));
    }
    let result = summary(&reports);
    let finish = &result["finish"];
    let missing: u64 = cache.missing_frames()?.iter().map(|(first, last)| last - first + 1).sum();
    let run = &cache.manifest().run;
    let place = arguments.output.display();
    console.object(&json!({
        "cache": place.to_string(),
        "frames": reports.len(),
        "made": made,
        "missing": missing,
        "vertices": run.cloth_vertex_count(),
        "finish": finish,
        "fingerprint": fingerprint,
    }))?;
    let kept = reports.len().saturating_sub(made);
    let state = match missing {
        0 => "finished".to_owned(),
        missing => format!("{} frames still to come", count(missing)),
    };
    let mut lines = vec![format!(
        "{place}: {} vertices, {} frames made, {} kept, {state}",
        count(run.cloth_vertex_count() as u64),
        count(made as u64),
        count(kept as u64)
    )];
    let row = |name: String, at: &Value| {
        let number = |kind: &str| count(at[kind].as_u64().unwrap_or(0));
        vec![name, number("cloth"), number("bodies"), number("planes"), String::new()]
    };
    let head = ["crossings", "cloth", "bodies", "planes", ""].map(str::to_owned).to_vec();
    let mut rows = vec![head, row("input".to_owned(), &finish["input"])];
    let levels = finish["levels"].as_array().map_or(&[][..], Vec::as_slice);
    rows.extend(levels.iter().enumerate().map(|(k, at)| row(format!("level {k}"), at)));
    lines.push(table(&rows));
    if let Some(cleaned) = cleaned(finish) {
        lines.push(cleaned);
    }
    console.say(&lines.join("\n"))
}
