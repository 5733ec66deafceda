//! Rows of the real-time benchmarks: medians and the worst 1 % of frames, splits, counts.

use crate::commands::run::median;
use crate::text::{count, table};
use serde_json::{Map, Value, json};

/// One measured scene.
#[derive(Clone, Debug, Default)]
pub struct TimedRow {
    /// Name of the scene or variant.
    pub name: String,
    /// Simulated nodes or particles.
    pub nodes: u64,
    /// Drawn vertices.
    pub vertices: u64,
    /// Milliseconds of each frame.
    pub milliseconds: Vec<f64>,
    /// Milliseconds of each frame in each stage.
    pub split: Vec<(&'static str, Vec<f64>)>,
    /// What happened, over all frames.
    pub counts: Vec<(&'static str, f64)>,
}

/// The value below which 99 % of the numbers lie.
pub fn worst_percent(numbers: &[f64]) -> f64 {
    let sorted = sorted(numbers);
    let at = (sorted.len().saturating_sub(1) as f64 * 0.99) as usize;
    sorted.get(at).copied().unwrap_or(0.0)
}

/// The middle of numbers in any order.
pub fn middle(numbers: &[f64]) -> f64 {
    median(&sorted(numbers))
}

fn sorted(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

impl TimedRow {
    /// The row of `--json`.
    pub fn to_json(&self) -> Value {
        let named = |list: Vec<(&'static str, f64)>| -> Map<String, Value> {
            list.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()
        };
        let split = self.split.iter().map(|(stage, ms)| (*stage, middle(ms))).collect();
        json!({
            "name": self.name,
            "nodes": self.nodes,
            "vertices": self.vertices,
            "milliseconds": middle(&self.milliseconds),
            "milliseconds_worst_percent": worst_percent(&self.milliseconds),
            "split": named(split),
            "counts": named(self.counts.clone()),
        })
    }

    /// `0.123 / 0.456`: median and worst 1 %.
    fn pair(numbers: &[f64]) -> String {
        format!("{:.3} / {:.3}", middle(numbers), worst_percent(numbers))
    }
}

/// The rows in words; the same stages and counts in all of them.
pub fn in_words(rows: &[TimedRow], title: &str) -> String {
    let mut header = vec!["scene".to_owned(), "nodes".to_owned(), "vertices".to_owned()];
    if let Some(first) = rows.first() {
        header.extend(first.split.iter().map(|(stage, _)| (*stage).to_owned()));
        header.push("total".to_owned());
        header.extend(first.counts.iter().map(|(name, _)| (*name).to_owned()));
    }
    let mut cells = vec![header];
    for row in rows {
        let mut line = vec![row.name.clone(), count(row.nodes), count(row.vertices)];
        line.extend(row.split.iter().map(|(_, ms)| TimedRow::pair(ms)));
        line.push(TimedRow::pair(&row.milliseconds));
        line.extend(row.counts.iter().map(|(_, value)| crate::text::number(*value)));
        cells.push(line);
    }
    format!("{title}\n{}", table(&cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_percent_is_the_99th_of_a_hundred() {
        let numbers: Vec<f64> = (1..=101).rev().map(f64::from).collect();
        assert_eq!(worst_percent(&numbers), 100.0);
        assert_eq!(middle(&numbers), 51.0);
        assert_eq!(worst_percent(&[]), 0.0);
    }
}
