//! `muslin bench os`: a skirt of few particles on a kicking figure, split as in the paper's table
//! (OS8), with and without normal and edge-length control.

use super::timed::{TimedRow, in_words};
use crate::console::Console;
use crate::progress::Progress;
use crate::{Failure, gallery};
use muslin::finish::MANY_TRIANGLES;
use muslin::sparse::MANY_PARTICLES;
use muslin_scene::runner::{FrameReport, RealTimeReport, Runner};
use muslin_scene::spec::SceneSpec;
use serde_json::Value;

/// Frames where nothing is said: the figure stands for a moment and then kicks seven times.
const FRAMES: u32 = 540;
/// Runs of each variant; a frame counts with the best of them, because they are the same but for
/// what else the machine did.
const RUNS: usize = 3;
/// Faces of the paper's skirt.
const FACES: u32 = 108;

/// What one row changes in the scene `skirt-kick`.
struct Variant {
    name: String,
    overrides: Vec<String>,
}

/// Measures all variants.
pub fn measure(frames: Option<u32>, console: Console) -> Result<Vec<TimedRow>, Failure> {
    let variants = variants();
    let mut progress = Progress::new(console, "measuring", variants.len() as u64);
    let mut rows = Vec::new();
    for variant in &variants {
        // Inside the thread pool, as a program would be that has its own.
        rows.push(rayon::scope(|_| time(variant, frames.unwrap_or(FRAMES)))?);
        progress.step(&variant.name);
    }
    progress.end();
    Ok(rows)
}

fn variants() -> Vec<Variant> {
    let variant = |name: &str, overrides: &[&str]| Variant {
        name: name.to_owned(),
        overrides: overrides.iter().map(|&o| o.to_owned()).collect(),
    };
    let plain = ["sparse.folds=none", "sparse.normal_control=false"];
    let mut variants = vec![variant("with control", &[]), variant("without control", &plain)];
    for segments in [8, 16, 32] {
        let triangles = crate::text::count(u64::from(FACES * segments * segments));
        let cut = format!("sparse.segments={segments}");
        variants.push(variant(&format!("{triangles} triangles"), &[&cut]));
    }
    let rings = format!("cloth.skirt.skirt.rings={:?}", [40; 25]);
    variants.push(variant("1,000 particles", &[&rings, "sparse.segments=4"]));
    variants
}

fn time(variant: &Variant, frames: u32) -> Result<TimedRow, Failure> {
    let mut overrides = variant.overrides.clone();
    overrides.push(format!("frames={frames}"));
    let scene = gallery::find("skirt-kick")?;
    let spec = SceneSpec::from_toml(scene.text, "skirt-kick.toml", &overrides)?;
    let mut runner = Runner::new(&spec)?;
    let surface = &runner.plan(&spec, &[], 0).surfaces[0];
    let triangles = surface.triangles.count as f64;
    let rings = spec.cloth[0].skirt.as_ref().map(|skirt| skirt.rings.clone()).unwrap_or_default();
    let mut row = TimedRow {
        name: variant.name.clone(),
        nodes: rings.iter().map(|&n| u64::from(n)).sum(),
        vertices: runner.frame().positions.len() as u64,
        ..TimedRow::default()
    };
    let start = runner.snapshot();
    let mut reports: Vec<FrameReport> = Vec::with_capacity(frames as usize);
    for run in 0..RUNS {
        runner.restore(&start, 0)?;
        for frame in 0..frames as usize {
            let report = runner.advance()?;
            match reports.get_mut(frame).filter(|_| run > 0) {
                Some(best) => keep_best(best, &report),
                None => reports.push(report),
            }
        }
    }
    let part = |of: fn(&FrameReport) -> f64| reports.iter().map(|r| 1e3 * of(r)).collect();
    row.milliseconds = part(|r| r.seconds.solve + r.seconds.collision + r.seconds.other);
    row.split = vec![
        ("integration", part(|r| r.seconds.solve)),
        ("collision", part(|r| r.seconds.collision)),
        ("smoothing", part(|r| r.seconds.other)),
    ];
    let mean = |of: fn(&RealTimeReport) -> u64| {
        let each = reports.iter().filter_map(|r| r.real_time.as_ref());
        each.map(of).sum::<u64>() as f64 / reports.len().max(1) as f64
    };
    row.counts = vec![
        ("triangles", triangles),
        ("threads", threads(row.nodes, triangles)),
        ("steps", mean(|r| r.substeps)),
        ("body contacts", mean(|r| r.body_contacts)),
        ("self contacts", mean(|r| r.contacts)),
        ("folds", mean(|r| r.folds)),
        ("inside", mean(|r| r.inside)),
    ];
    Ok(row)
}

/// Threads that share the work of a garment of this size.
fn threads(particles: u64, triangles: f64) -> f64 {
    let many = particles >= MANY_PARTICLES as u64 || triangles >= MANY_TRIANGLES as f64;
    if many { rayon::current_num_threads() as f64 } else { 1.0 }
}

fn keep_best(best: &mut FrameReport, next: &FrameReport) {
    let (best, next) = (&mut best.seconds, &next.seconds);
    best.solve = best.solve.min(next.solve);
    best.collision = best.collision.min(next.collision);
    best.other = best.other.min(next.other);
}

/// The table.
pub fn words(rows: &[TimedRow]) -> String {
    let title = "A skirt that is kicked, ms a frame of 1/30 s: median / worst 1 %; counts are means a frame";
    in_words(rows, title)
}

/// The rows of `--json`.
pub fn to_json(rows: &[TimedRow]) -> Vec<Value> {
    rows.iter().map(TimedRow::to_json).collect()
}
