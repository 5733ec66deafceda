//! `muslin bench bw`: implicit dynamics (BW16). The split over EVAL, CG and contact, how cost grows with the
//! vertices, and what four decades of bending stiffness change.

use super::{BenchArguments, FRAMES, Row, measure_with};
use crate::commands::run::median;
use crate::console::Console;
use crate::plot::{Line, LogLog, exponent};
use crate::text::{count, table};
use crate::{Failure, Outcome};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Scenes that are timed at every size.
const SCENES: [&str; 3] = ["hang", "cylinder-drape", "two-particles"];
/// The scene whose bending is swept: no contact, whose work depends on the folds.
const SWEPT: &str = "hang";
/// Vertices along a side of the swept sheet.
const SWEPT_SIZE: u32 = 40;
/// Bending stiffness of the sweep [N·m].
const BENDING: [f64; 5] = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3];

/// What was measured.
struct Measured {
    /// For each scene, one row per size.
    growth: Vec<(&'static str, Vec<Row>)>,
    /// One row per bending stiffness.
    sweep: Vec<(f64, Row)>,
}

/// Measures.
pub fn bench(arguments: &BenchArguments, console: Console) -> Result<Outcome, Failure> {
    let threads = arguments.threads.start()?;
    let frames = arguments.frames.unwrap_or(FRAMES);
    let mut measured = Measured { growth: Vec::new(), sweep: Vec::new() };
    for name in SCENES {
        let sizes = arguments.sizes_or(&super::SIZES).iter();
        let rows = sizes.map(|&size| measure_with(name, size, &[], frames, console));
        measured.growth.push((name, rows.collect::<Result<_, _>>()?));
    }
    for bending in BENDING {
        let changes = [format!("cloth.0.fabric.bending={bending:e}")];
        let row = measure_with(SWEPT, SWEPT_SIZE, &changes, frames, console)?;
        measured.sweep.push((bending, row));
    }
    console.answer(&format!("{threads} threads\n{}", measured.in_words()))?;
    if let Some(path) = &arguments.plot {
        write(path, &measured.growth_plot())?;
        write(&beside(path, "stiffness"), &measured.sweep_plot())?;
    }
    console.object(&json!({ "threads": threads, "rows": measured.to_json() }))?;
    Ok(Outcome::Done)
}

/// Shares of the time in EVAL, CG, contact and the rest [%] (BW16).
fn shares(row: &Row) -> [f64; 4] {
    let split = &row.split;
    let contact = split.proximity + split.repulsion + split.collision;
    let parts = [split.assembly, split.solve, contact, split.strain + split.other];
    let total: f64 = parts.iter().sum();
    parts.map(|part| if total > 0.0 { 1e2 * part / total } else { 0.0 })
}

/// (vertices, mean milliseconds a step): finer cloth may need more steps, which is not what P1 asks for.
fn points(rows: &[Row]) -> Vec<[f64; 2]> {
    let per_step = |row: &Row| row.milliseconds.iter().sum::<f64>() / row.steps.max(1) as f64;
    rows.iter().map(|row| [row.vertices as f64, per_step(row)]).collect()
}

/// Mean milliseconds a frame.
fn mean(row: &Row) -> f64 {
    row.milliseconds.iter().sum::<f64>() / row.milliseconds.len().max(1) as f64
}

/// Largest divided by smallest.
fn ratio(values: impl Iterator<Item = f64>) -> f64 {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(a, b), v| (a.min(v), b.max(v)));
    if low > 0.0 && low.is_finite() { high / low } else { 0.0 }
}

impl Measured {
    fn in_words(&self) -> String {
        let header = [
            "scene",
            "vertices",
            "ms/frame",
            "worst",
            "steps",
            "iterations",
            "EVAL %",
            "CG %",
            "contact %",
            "rest %",
        ];
        let mut cells = vec![header.map(str::to_owned).to_vec()];
        for row in self.growth.iter().flat_map(|(_, rows)| rows) {
            let mut line = vec![
                row.name.clone(),
                count(row.vertices),
                format!("{:.2}", median(&row.milliseconds)),
                format!("{:.2}", row.worst()),
                count(row.steps),
                count(row.iterations),
            ];
            line.extend(shares(row).map(|share| format!("{share:.0}")));
            cells.push(line);
        }
        let mut words = table(&cells);
        for (name, rows) in &self.growth {
            let _ = write!(words, "\nGrowth of {name}: n^{:.2}", exponent(&points(rows)));
        }
        let size = SWEPT_SIZE;
        let _ = write!(words, "\nBending of {SWEPT} {size} x {size}:");
        for (bending, row) in &self.sweep {
            let iterations = count(row.iterations);
            let _ = write!(
                words,
                "\n  {bending:.0e} N·m  {:>8.2} ms  {iterations} iterations",
                mean(row)
            );
        }
        let [time, work] = self.sweep_ratios();
        let _ =
            write!(words, "\n  slowest / fastest {time:.2}, most / fewest iterations {work:.2}");
        words
    }

    /// Ratios over the sweep: time, iterations.
    fn sweep_ratios(&self) -> [f64; 2] {
        let rows = || self.sweep.iter().map(|(_, row)| row);
        [ratio(rows().map(mean)), ratio(rows().map(|row| row.iterations as f64))]
    }

    fn to_json(&self) -> Vec<Value> {
        let mut objects = Vec::new();
        for (_, rows) in &self.growth {
            let growth = exponent(&points(rows));
            for row in rows {
                let mut object = row.to_json();
                let [eval, cg, contact, rest] = shares(row);
                object["percent"] =
                    json!({ "eval": eval, "cg": cg, "contact": contact, "rest": rest });
                object["exponent"] = json!(growth);
                objects.push(object);
            }
        }
        let [time, work] = self.sweep_ratios();
        for (bending, row) in &self.sweep {
            let mut object = row.to_json();
            object["bending"] = json!(bending);
            object["sweep"] = json!({ "time_ratio": time, "iteration_ratio": work });
            objects.push(object);
        }
        objects
    }

    fn growth_plot(&self) -> LogLog {
        let mut lines: Vec<Line> = Vec::new();
        for (name, rows) in &self.growth {
            let points = points(rows);
            let label = format!("{name}: exponent {:.2}", exponent(&points));
            lines.push(Line { label, points, guide: false });
        }
        let first = lines.first().map(|line| line.points.clone()).unwrap_or_default();
        if let ([first, ..], Some(last)) = (&first[..], first.last()) {
            let end = [last[0], first[1] * (last[0] / first[0]).powf(1.5)];
            let label = "n^1.5".to_owned();
            lines.push(Line { label, points: vec![*first, end], guide: true });
        }
        LogLog {
            title: "Cost of implicit dynamics".to_owned(),
            x_label: "vertices".to_owned(),
            y_label: "milliseconds a step".to_owned(),
            lines,
        }
    }

    fn sweep_plot(&self) -> LogLog {
        let line = |label: &str, of: &dyn Fn(&Row) -> f64| Line {
            label: label.to_owned(),
            points: self.sweep.iter().map(|(bending, row)| [*bending, of(row)]).collect(),
            guide: false,
        };
        LogLog {
            title: format!("Bending stiffness, {SWEPT} {SWEPT_SIZE} x {SWEPT_SIZE}"),
            x_label: "bending stiffness [N·m]".to_owned(),
            y_label: "a frame".to_owned(),
            lines: vec![
                line("milliseconds", &mean),
                line("iterations", &|row| {
                    row.iterations as f64 / row.milliseconds.len().max(1) as f64
                }),
            ],
        }
    }
}

/// `growth.svg` → `growth-stiffness.svg`.
pub(super) fn beside(path: &Path, what: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or("svg".into(), |e| e.to_string_lossy());
    path.with_file_name(format!("{stem}-{what}.{extension}"))
}

fn write(path: &Path, plot: &LogLog) -> Result<(), Failure> {
    std::fs::write(path, plot.to_svg()).map_err(|error| {
        let message =
            format!("the plot cannot be written: {error}; give a file in a folder that exists");
        Failure::new("file", path.display().to_string(), message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use muslin::report::Seconds;

    fn row(vertices: u64, milliseconds: f64) -> Row {
        let split = Seconds {
            assembly: 1.0,
            solve: 5.0,
            collision: 3.0,
            proximity: 0.5,
            other: 0.5,
            ..Seconds::default()
        };
        Row {
            name: String::new(),
            vertices,
            milliseconds: vec![milliseconds; 2],
            split,
            steps: 8,
            iterations: 100,
        }
    }

    /// BW16: the split adds up to the whole, the growth of an exact law is its exponent, and the ratio of a
    /// sweep is that of its ends.
    #[test]
    fn bw16_figures_of_known_times() {
        assert_eq!(shares(&row(1, 1.0)), [10.0, 50.0, 35.0, 5.0]);
        let rows = [1_000, 4_000, 16_000].map(|n: u64| row(n, 0.01 * (n as f64).powf(1.25)));
        assert!((exponent(&points(&rows)) - 1.25).abs() < 1e-12);
        let sweep = BENDING.map(|bending| (bending, row(1_600, 2.0 + 1e3 * bending)));
        let measured = Measured { growth: Vec::new(), sweep: sweep.into() };
        let [time, work] = measured.sweep_ratios();
        assert!((time - 3.0 / 2.0001).abs() < 1e-12);
        assert_eq!(work, 1.0);
        assert_eq!(ratio(std::iter::empty()), 0.0);
    }

    #[test]
    fn the_second_plot_lies_beside_the_first() {
        assert_eq!(
            beside(Path::new("a/growth.svg"), "stiffness"),
            Path::new("a/growth-stiffness.svg")
        );
        assert_eq!(beside(Path::new("growth"), "stiffness"), Path::new("growth-stiffness.svg"));
    }
}
