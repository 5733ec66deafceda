//! `muslin bench xu`: curtains in real time (XU9), and how their cost grows with the nodes.

use super::timed::{TimedRow, in_words, middle};
use crate::Failure;
use crate::console::Console;
use crate::plot::{Line, LogLog, exponent};
use crate::progress::Progress;
use muslin::curtain::scenes::{Scene, sized};
use muslin::curtain::{CollisionSpec, Report};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// Seconds of a frame; one step each.
const FRAME: f64 = 1.0 / 60.0;
/// Frames of each scene where nothing is said: ten seconds.
const FRAMES: u32 = 600;
/// Nodes of the curtains that show the growth.
const SIZES: [usize; 6] = [240, 1_000, 4_000, 16_000, 64_000, 250_000];

/// What was measured: rows, and the growth without and with collisions as (nodes, milliseconds).
pub struct Measured {
    rows: Vec<TimedRow>,
    growth: [Vec<[f64; 2]>; 2],
}

/// Measures the scenes and the growth.
pub fn measure(frames: Option<u32>, console: Console) -> Result<Measured, Failure> {
    let frames = frames.unwrap_or(FRAMES);
    let mut rows = Vec::new();
    for mut scene in Scene::all().map_err(stuck)? {
        rows.push(time(&mut scene, frames, console)?);
    }
    let (mut growth, mut progress) =
        ([Vec::new(), Vec::new()], Progress::new(console, "measuring", 2 * SIZES.len() as u64));
    for (collisions, points) in
        [CollisionSpec::OFF, CollisionSpec::default()].into_iter().zip(&mut growth)
    {
        for nodes in SIZES {
            let mut scene = sized(nodes, collisions).map_err(stuck)?;
            let count = (400_000 / nodes as u32).clamp(12, 400).min(frames);
            let row = time(&mut scene, count, console)?;
            points.push([row.nodes as f64, middle(&row.milliseconds)]);
            progress.step(&format!("{nodes} nodes"));
        }
    }
    progress.end();
    Ok(Measured { rows, growth })
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn stuck(error: muslin::curtain::CurtainError) -> Failure {
    Failure::new("simulation", "bench xu", error.to_string())
}

/// Times every frame of a scene.
fn time(scene: &mut Scene, frames: u32, console: Console) -> Result<TimedRow, Failure> {
    let mut row = TimedRow {
        name: scene.name.to_owned(),
        nodes: scene.curtain.nodes().len() as u64,
        vertices: scene.curtain.positions().len() as u64,
        ..TimedRow::default()
    };
    let mut total = Report::default();
    let mut progress = Progress::new(console, "measuring", u64::from(frames));
    for _ in 0..frames {
        let clock = Instant::now();
        let report = *scene.frame(FRAME).map_err(stuck)?;
        row.milliseconds.push(1e3 * clock.elapsed().as_secs_f64());
        total.substeps = total.substeps.max(report.substeps);
        total.width_excess = total.width_excess.max(report.width_excess);
        total.contacts += report.contacts;
        total.contacts_left += report.contacts_left;
        total.obstacle_contacts += report.obstacle_contacts;
        total.vertices_inside += report.vertices_inside;
        total.edges_inside += report.edges_inside;
        total.corners_inside += report.corners_inside;
        total.deepest = total.deepest.max(report.deepest);
        progress.step(&row.name);
    }
    progress.end();
    row.counts = vec![
        ("substeps", total.substeps as f64),
        ("width excess %", 1e2 * total.width_excess),
        ("contacts", total.contacts as f64),
        ("left", total.contacts_left as f64),
        ("with bodies", total.obstacle_contacts as f64),
        ("inside", total.inside() as f64),
        ("deepest mm", 1e3 * total.deepest),
    ];
    Ok(row)
}

impl Measured {
    /// The rows of `--json`, the growth among them.
    pub fn to_json(&self) -> Vec<Value> {
        let mut rows: Vec<Value> = self.rows.iter().map(TimedRow::to_json).collect();
        for (name, points) in NAMES.into_iter().zip(&self.growth) {
            for [nodes, milliseconds] in points {
                rows.push(json!({
                    "name": format!("growth, {name}, {nodes} nodes"),
                    "nodes": nodes,
                    "vertices": nodes,
                    "milliseconds": milliseconds,
                    "split": {},
                    "exponent": exponent(points),
                }));
            }
        }
        rows
    }

    /// The table and the growth.
    pub fn in_words(&self) -> String {
        let title = "Curtains, ms a frame of 1/60 s: median / worst 1 %";
        let mut words = in_words(&self.rows, title);
        for (name, points) in NAMES.into_iter().zip(&self.growth) {
            let _ = write!(words, "\nGrowth {name}: exponent {:.3}", exponent(points));
            for [nodes, milliseconds] in points {
                let each = 1e6 * milliseconds / nodes;
                let _ = write!(
                    words,
                    "\n  {nodes:>7} nodes  {milliseconds:>9.4} ms  {each:.0} ns a node"
                );
            }
        }
        words
    }

    /// Writes the growth as a plot.
    pub fn plot(&self, path: &Path) -> Result<(), Failure> {
        let mut lines: Vec<Line> = NAMES
            .into_iter()
            .zip(&self.growth)
            .map(|(name, points)| Line {
                label: format!("{name}: exponent {:.2}", exponent(points)),
                points: points.clone(),
                guide: false,
            })
            .collect();
        if let ([first, ..], Some(last)) = (&self.growth[0][..], self.growth[0].last()) {
            let linear = [last[0], first[1] * last[0] / first[0]];
            lines.push(Line {
                label: "linear".to_owned(),
                points: vec![*first, linear],
                guide: true,
            });
        }
        let plot = LogLog {
            title: "Cost of a curtain's step".to_owned(),
            x_label: "first-level nodes".to_owned(),
            y_label: "milliseconds a step".to_owned(),
            lines,
        };
        std::fs::write(path, plot.to_svg()).map_err(|error| {
            let message =
                format!("the plot cannot be written: {error}; give a file in a folder that exists");
            Failure::new("file", path.display().to_string(), message)
        })
    }
}

/// The two lines of the growth.
const NAMES: [&str; 2] = ["without collisions", "with collisions"];
