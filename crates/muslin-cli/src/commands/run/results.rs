//! What a run has to say when it ends: `report.json`, `timing.json`, and the summary.

use super::real_time;
use super::simulate::End;
use crate::cache_scene::CacheScene;
use crate::console::Console;
use crate::failure::Failure;
use crate::judgement::Judge;
use crate::progress::{Progress, SharedProgress};
use crate::text::{count, duration, percent};
use muslin::report::Seconds;
use muslin_scene::cache::Cache;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Seconds of a run: the one part that differs from machine to machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// Threads of the process that wrote it last.
    pub threads: usize,
    /// Seconds of each frame.
    pub seconds: BTreeMap<u64, f64>,
    /// Seconds of each stage of the solver, over all frames.
    pub split: BTreeMap<String, f64>,
}

impl Timing {
    /// The timing of a cache so far; nothing where there is none, or it is damaged.
    pub fn read(dir: &Path) -> Self {
        let text = std::fs::read(dir.join("timing.json")).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Adds a frame.
    pub fn add(&mut self, frame: u64, seconds: f64, stages: &Seconds) {
        self.seconds.insert(frame, seconds);
        for (stage, seconds) in stages.stages() {
            *self.split.entry(stage.to_owned()).or_default() += seconds;
        }
    }

    /// Median and largest seconds of a frame; 0 without frames.
    fn per_frame(&self) -> (f64, f64) {
        let mut sorted: Vec<f64> = self.seconds.values().copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let median = median(&sorted);
        (median, sorted.last().copied().unwrap_or(0.0))
    }

    /// The contents of `timing.json`.
    pub fn to_json(&self) -> Value {
        let (median, max) = self.per_frame();
        json!({
            "threads": self.threads,
            "seconds_per_frame": { "median": median, "max": max },
            "split": self.split,
            "seconds": self.seconds,
        })
    }
}

/// The middle of sorted numbers, the mean of the two middle ones where their count is even; 0
/// without numbers.
pub fn median(sorted: &[f64]) -> f64 {
    match sorted {
        [] => 0.0,
        _ => 0.5 * (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]),
    }
}

/// What a run did, apart from timing: the contents of `report.json`.
#[derive(Clone, Debug)]
pub struct Results {
    frames: Vec<Value>,
    end: &'static str,
    crossings_max: Option<usize>,
    pinched_max: Option<usize>,
}

impl Results {
    /// The results, from the reports of the frames.
    pub fn new(reports: &[Value], end: &End) -> Self {
        let end = match end {
            End::LastFrame => "last frame",
            End::AtRest => "at rest",
            End::Interrupted(_) => "interrupted",
            End::OutOfTime(_) => "time limit",
            End::Stuck(..) => "stuck",
        };
        Self { frames: reports.to_vec(), end, crossings_max: None, pinched_max: None }
    }

    /// The results with the judge's findings in every frame, as it is on the disk (R1).
    pub fn judged(mut self, dir: &Path, console: Console) -> Result<Self, Failure> {
        let cache = Cache::open(dir)?;
        let scene = CacheScene::read(&cache)?;
        let judge = Judge::new(&cache.manifest().run, cache.topology(), &scene);
        let numbers = cache.frames()?;
        let total = numbers.len() as u64;
        let progress = SharedProgress::new(Progress::new(console, "checking", total));
        let verdicts = judge.frames(&cache, &numbers, || progress.step("looking for crossings"));
        progress.end();
        let (mut crossings_max, mut pinched_max) = (0, 0);
        for (verdict, report) in verdicts.into_iter().zip(&mut self.frames) {
            let verdict = verdict?;
            crossings_max = crossings_max.max(verdict.crossings.len());
            pinched_max = pinched_max.max(verdict.pinched.len());
            report["crossings"] = json!(verdict.crossings.len());
        }
        (self.crossings_max, self.pinched_max) = (Some(crossings_max), Some(pinched_max));
        Ok(self)
    }

    /// The contents of `report.json`.
    pub fn to_json(&self) -> Value {
        let sum =
            |key: &str| self.frames.iter().filter_map(|frame| frame[key].as_u64()).sum::<u64>();
        let stretches = self.frames.iter().filter_map(|frame| frame["stretch_max"].as_f64());
        json!({
            "summary": {
                "frames": self.frames.len(),
                "ended": self.end,
                "steps": sum("steps"),
                "iterations": sum("iterations"),
                "stretch_max": stretches.reduce(f64::max),
                "crossings_max": self.crossings_max,
                "pinched_max": self.pinched_max,
                "real_time": real_time::summary(&self.frames),
            },
            "frames": self.frames,
        })
    }
}

/// Prints the summary of a finished cache.
pub fn tell(cache: &Cache, sheet: Option<&Path>, console: Console) -> Result<(), Failure> {
    let report = cache.report()?.unwrap_or_default();
    let summary = &report["summary"];
    let timing = Timing::read(cache.dir());
    let (median, max) = timing.per_frame();
    let run = &cache.manifest().run;
    let mut object = Map::new();
    let keys =
        ["frames", "ended", "steps", "stretch_max", "crossings_max", "pinched_max", "real_time"];
    for key in keys {
        object.insert(key.to_owned(), summary[key].clone());
    }
    object.insert("seconds_per_frame".to_owned(), json!({ "median": median, "max": max }));
    object.insert("split".to_owned(), json!(timing.split));
    object.insert("vertices".to_owned(), json!(run.cloth_vertex_count()));
    object.insert("threads".to_owned(), json!(timing.threads));
    object.insert("cache".to_owned(), json!(cache.dir().display().to_string()));
    object.insert("sheet".to_owned(), json!(sheet.map(|sheet| sheet.display().to_string())));
    object.insert("fingerprint".to_owned(), json!(cache.manifest().fingerprint));
    console.say(&in_words(cache, &report["summary"], &timing, sheet))?;
    console.object(&Value::Object(object))
}

fn in_words(cache: &Cache, summary: &Value, timing: &Timing, sheet: Option<&Path>) -> String {
    let (median, max) = timing.per_frame();
    let number = |key: &str| count(summary[key].as_u64().unwrap_or(0));
    let total = timing.seconds.values().sum();
    let mut lines = vec![format!(
        "{}: {} frames in {}, {} a frame, at most {}",
        cache.dir().display(),
        number("frames"),
        milliseconds(total),
        milliseconds(median),
        milliseconds(max)
    )];
    let crossings = match summary["crossings_max"].as_u64() {
        None => "crossings not looked for".to_owned(),
        Some(0) => "no crossings in any frame".to_owned(),
        Some(most) => format!(
            "UP TO {most} CROSSING PAIRS in a frame (see `muslin check {}`)",
            cache.dir().display()
        ),
    };
    let stretch = percent(summary["stretch_max"].as_f64().unwrap_or(0.0));
    lines.push(format!("  stretch at most {stretch}, {crossings}, {} steps", number("steps")));
    if summary["pinched_max"].as_u64() > Some(0) {
        let most = number("pinched_max");
        lines.push(format!("  bodies pinch: up to {most} cloth triangles lie in them there"));
    }
    lines.extend(real_time::in_words(&summary["real_time"]));
    let all: f64 = timing.split.values().sum();
    if all > 0.0 {
        let mut split: Vec<(&String, &f64)> = timing.split.iter().collect();
        split.retain(|(_, seconds)| **seconds >= 0.005 * all);
        split.sort_by(|a, b| b.1.total_cmp(a.1));
        let parts = split.iter().map(|(stage, s)| format!("{stage} {:.0} %", 100.0 * **s / all));
        lines.push(format!("  time: {}", parts.collect::<Vec<_>>().join(", ")));
    }
    lines.extend(sheet.map(|sheet| format!("  picture: {}", sheet.display())));
    lines.join("\n")
}

/// Seconds in milliseconds where that is the better unit.
fn milliseconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", 1e3 * seconds) } else { duration(seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timing_survives_the_way_through_its_file() {
        let mut timing = Timing { threads: 2, ..Timing::default() };
        let stages = Seconds { solve: 0.25, ..Seconds::default() };
        timing.add(1, 0.5, &stages);
        timing.add(2, 1.5, &stages);
        let json = timing.to_json();
        assert_eq!(json["seconds_per_frame"], json!({ "median": 1.0, "max": 1.5 }));
        assert_eq!(json["split"]["solve"], 0.5);
        let back: Timing = serde_json::from_value(json).unwrap();
        assert_eq!(back, timing);
    }

    #[test]
    fn the_median_of_an_even_count_is_between_the_middle_two() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }
}
