//! `muslin bench os`: a skirt of few particles on a kicking figure, split as in the paper's table
//! (OS8), with and without normal and edge-length control.

use super::timed::{TimedRow, in_words};
use crate::Failure;
use crate::console::Console;
use crate::progress::Progress;
use muslin::finish::{Folds, Tessellation};
use muslin::sparse::skirt::{PAPER_RINGS, SkirtKick};
use muslin::sparse::{GarmentSettings, Report};
use serde_json::Value;

/// Seconds of a frame, as in the paper.
const FRAME: f64 = 1.0 / 30.0;
/// Frames where nothing is said: the figure stands for 2 s and then kicks eight times.
const FRAMES: u32 = 60 + 8 * 60;
/// Runs of each variant; a frame counts with the best of them, because they are the same but for
/// what else the machine did.
const RUNS: usize = 3;

/// Rings and settings of one row.
struct Variant {
    name: String,
    rings: Vec<usize>,
    settings: GarmentSettings,
}

/// Measures all variants.
pub fn measure(frames: Option<u32>, console: Console) -> Result<Vec<TimedRow>, Failure> {
    let variants = variants();
    let mut progress = Progress::new(console, "measuring", variants.len() as u64);
    let mut rows = Vec::new();
    for variant in &variants {
        rows.push(time(variant, frames.unwrap_or(FRAMES))?);
        progress.step(&variant.name);
    }
    progress.end();
    Ok(rows)
}

fn variants() -> Vec<Variant> {
    let paper = GarmentSettings::default();
    let mut plain = paper;
    plain.curved.folds = Folds::None;
    plain.curved.normal_control = false;
    let cut = |segments: u32| {
        let mut settings = paper;
        settings.curved.tessellation = Tessellation::Segments(segments);
        settings
    };
    let skirt = |name: &str, settings| Variant {
        name: name.to_owned(),
        rings: PAPER_RINGS.to_vec(),
        settings,
    };
    let mut variants = vec![skirt("with control", paper), skirt("without control", plain)];
    for segments in [8, 16, 32] {
        let triangles = crate::text::count(u64::from(108 * segments * segments));
        variants.push(skirt(&format!("{triangles} triangles"), cut(segments)));
    }
    variants.push(Variant {
        name: "1,000 particles".to_owned(),
        rings: vec![40; 25],
        settings: cut(4),
    });
    variants
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn stuck(error: impl ToString) -> Failure {
    Failure::new("simulation", "bench os", error.to_string())
}

fn time(variant: &Variant, frames: u32) -> Result<TimedRow, Failure> {
    let mut reports: Vec<Report> = Vec::with_capacity(frames as usize);
    let mut row = TimedRow { name: variant.name.clone(), ..TimedRow::default() };
    let mut triangles = 0;
    for run in 0..RUNS {
        let mut skirt = SkirtKick::with_rings(&variant.rings, variant.settings).map_err(stuck)?;
        row.nodes = skirt.garment.particles().len() as u64;
        row.vertices = skirt.garment.positions().len() as u64;
        triangles = skirt.garment.triangles().len();
        for frame in 0..frames as usize {
            let report = *skirt.frame(FRAME).map_err(stuck)?;
            match reports.get_mut(frame).filter(|_| run > 0) {
                Some(best) => keep_best(best, &report),
                None => reports.push(report),
            }
        }
    }
    let part = |of: fn(&Report) -> f64| reports.iter().map(|r| 1e3 * of(r)).collect::<Vec<f64>>();
    row.milliseconds = part(Report::total);
    row.split = vec![
        ("integration", part(|r| r.integration)),
        ("collision", part(|r| r.collision)),
        ("smoothing", part(|r| r.smoothing)),
    ];
    let mean = |of: fn(&Report) -> usize| {
        reports.iter().map(of).sum::<usize>() as f64 / reports.len().max(1) as f64
    };
    row.counts = vec![
        ("triangles", triangles as f64),
        ("vertex contacts", mean(|r| r.vertex_contacts)),
        ("face contacts", mean(|r| r.face_contacts)),
        ("folds", mean(|r| r.curved.folded)),
        ("inside", mean(|r| r.drawn.inside)),
    ];
    Ok(row)
}

fn keep_best(best: &mut Report, next: &Report) {
    best.integration = best.integration.min(next.integration);
    best.collision = best.collision.min(next.collision);
    best.smoothing = best.smoothing.min(next.smoothing);
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
