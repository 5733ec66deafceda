//! Matching the breaks of both sides of a seam, and cutting edges into strands.

use super::breaks::Breaks;
use super::directions::DirectedSeam;
use super::{Run, SNAP, Shapes, Strand};
use crate::error::GarmentError;
use crate::pattern::Pattern;

/// A place on a side: its distance from the start, and where that is on the run that ends and on
/// the run that begins there.
#[derive(Clone, Copy, Debug)]
struct Stop {
    at: f64,
    before: (usize, f64),
    after: (usize, f64),
}

/// One side of a seam, measured.
struct Side<'a> {
    runs: Vec<Run>,
    lengths: Vec<f64>,
    stops: Vec<Stop>,
    total: f64,
    shapes: &'a Shapes,
}

impl<'a> Side<'a> {
    fn new(shapes: &'a Shapes, breaks: &Breaks, runs: &[Run]) -> Self {
        let snap = |run: &Run| Run {
            from: breaks.snap(run.panel, run.edge, run.from),
            to: breaks.snap(run.panel, run.edge, run.to),
            ..*run
        };
        let runs: Vec<Run> = runs.iter().map(snap).collect();
        let mut side = Self { lengths: Vec::new(), stops: Vec::new(), total: 0.0, runs, shapes };
        for index in 0..side.runs.len() {
            side.add_stops(breaks, index);
        }
        side
    }

    fn add_stops(&mut self, breaks: &Breaks, index: usize) {
        let run = self.runs[index];
        let length = self.shapes.edges[run.panel][run.edge].length();
        let inside = |f: &f64| (*f - run.from) * (*f - run.to) < 0.0;
        let mut passed: Vec<f64> =
            breaks.fractions[run.panel][run.edge].iter().copied().filter(inside).collect();
        if run.to < run.from {
            passed.reverse();
        }
        for fraction in passed {
            let at = self.total + (fraction - run.from).abs() * length;
            self.stops.push(Stop { at, before: (index, fraction), after: (index, fraction) });
        }
        let own = (run.to - run.from).abs() * length;
        self.lengths.push(own);
        self.total += own;
        if index + 1 < self.runs.len() {
            let next = (index + 1, self.runs[index + 1].from);
            self.stops.push(Stop { at: self.total, before: (index, run.to), after: next });
        }
    }

    /// The stop at a distance from the start that has none yet.
    fn stop_at(&self, at: f64) -> Stop {
        let mut start = 0.0;
        for (index, (run, &length)) in self.runs.iter().zip(&self.lengths).enumerate() {
            if at <= start + length || index + 1 == self.runs.len() {
                let fraction = run.from + (run.to - run.from) * ((at - start) / length).min(1.0);
                return Stop { at, before: (index, fraction), after: (index, fraction) };
            }
            start += length;
        }
        Stop { at, before: (0, 0.0), after: (0, 0.0) }
    }

    fn ends(&self) -> [Stop; 2] {
        let last = self.runs.len() - 1;
        let start = (0, self.runs[0].from);
        let end = (last, self.runs[last].to);
        [
            Stop { at: 0.0, before: start, after: start },
            Stop { at: self.total, before: end, after: end },
        ]
    }
}

/// Cuts all seams into strands with two sides; breaks of one side become breaks of the other.
pub(super) fn sewn_strands(
    pattern: &Pattern,
    shapes: &Shapes,
    seams: &[DirectedSeam],
    breaks: &mut Breaks,
    edge_length: f64,
) -> Result<Vec<Strand>, GarmentError> {
    let mut strands: Vec<Strand> = Vec::new();
    for (s, seam) in seams.iter().enumerate() {
        let [a, b] = [0, 1].map(|k| Side::new(shapes, breaks, &seam.sides[k]));
        if let Some(run) = [&a, &b].iter().flat_map(|side| &side.runs).find(|r| r.from == r.to) {
            return Err(GarmentError::ShortEdge {
                panel: pattern.panels[run.panel].name.clone(),
                edge: edge_name(pattern, *run),
                length: 0.0,
                edge_length,
            });
        }
        let knots = matched(&a, &b, SNAP * edge_length);
        for pair in knots.windows(2) {
            let piece = |side: &Side<'_>, k: usize| {
                let ((run, from), (_, to)) = (pair[0][k].after, pair[1][k].before);
                Run { from, to, ..side.runs[run] }
            };
            let sides = vec![piece(&a, 0), piece(&b, 1)];
            for run in &sides {
                breaks.add(run.panel, run.edge, run.from);
                breaks.add(run.panel, run.edge, run.to);
            }
            strands.push(Strand { sides, seam: Some(s), fractions: Vec::new(), sizes: [0.0; 2] });
        }
    }
    refuse_overlaps(pattern, &strands)?;
    Ok(strands)
}

/// Pairs of stops, from end to end. Breaks of the two sides that nearly meet are paired; the
/// others get a partner by proportion between the pairs around them.
fn matched(a: &Side<'_>, b: &Side<'_>, reach: f64) -> Vec<[Stop; 2]> {
    let mean = 0.5 * (a.total + b.total);
    let near = |x: &Stop, y: &Stop| (x.at / a.total - y.at / b.total) * mean;
    let mut open: Vec<[Option<Stop>; 2]> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.stops.len() || j < b.stops.len() {
        let (x, y) = (a.stops.get(i), b.stops.get(j));
        let gap = match (x, y) {
            (Some(x), Some(y)) => near(x, y),
            (Some(_), None) => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        };
        // A later break of the side that is behind may be the better partner.
        let better_a =
            matches!((a.stops.get(i + 1), y), (Some(x), Some(y)) if near(x, y).abs() < gap.abs());
        let better_b =
            matches!((x, b.stops.get(j + 1)), (Some(x), Some(y)) if near(x, y).abs() < gap.abs());
        if gap.abs() <= reach && !(gap < 0.0 && better_a) && !(gap > 0.0 && better_b) {
            open.push([x.copied(), y.copied()]);
            (i, j) = (i + 1, j + 1);
        } else if gap < 0.0 {
            open.push([x.copied(), None]);
            i += 1;
        } else {
            open.push([None, y.copied()]);
            j += 1;
        }
    }
    fill(a, b, &open)
}

fn fill(a: &Side<'_>, b: &Side<'_>, open: &[[Option<Stop>; 2]]) -> Vec<[Stop; 2]> {
    let ([a0, a1], [b0, b1]) = (a.ends(), b.ends());
    let full = |k: &[Option<Stop>; 2]| k[0].zip(k[1]);
    let mut knots = vec![[a0, b0]];
    for (index, knot) in open.iter().enumerate() {
        let (lower_a, lower_b) = open[..index].iter().rev().find_map(full).unwrap_or((a0, b0));
        let (upper_a, upper_b) = open[index..].iter().find_map(full).unwrap_or((a1, b1));
        let across =
            |x: f64, [x0, x1]: [f64; 2], [y0, y1]: [f64; 2]| y0 + (x - x0) / (x1 - x0) * (y1 - y0);
        let (span_a, span_b) = ([lower_a.at, upper_a.at], [lower_b.at, upper_b.at]);
        knots.push(match *knot {
            [Some(x), Some(y)] => [x, y],
            [Some(x), None] => [x, b.stop_at(across(x.at, span_a, span_b))],
            [None, Some(y)] => [a.stop_at(across(y.at, span_b, span_a)), y],
            [None, None] => continue,
        });
    }
    knots.push([a1, b1]);
    knots
}

fn edge_name(pattern: &Pattern, run: Run) -> String {
    let panel = &pattern.panels[run.panel];
    panel.edges().nth(run.edge).map_or_else(String::new, |edge| edge.name.clone())
}

fn refuse_overlaps(pattern: &Pattern, strands: &[Strand]) -> Result<(), GarmentError> {
    let mut pieces: Vec<(usize, usize, f64, f64, usize)> = strands
        .iter()
        .flat_map(|strand| {
            let seam = strand.seam.unwrap_or(0);
            strand.sides.iter().map(move |run| {
                (run.panel, run.edge, run.from.min(run.to), run.from.max(run.to), seam)
            })
        })
        .collect();
    pieces.sort_by(|x, y| (x.0, x.1).cmp(&(y.0, y.1)).then(x.2.total_cmp(&y.2)));
    for pair in pieces.windows(2) {
        let (first, second) = (pair[0], pair[1]);
        if (first.0, first.1) == (second.0, second.1) && first.3 > second.2 + 1e-9 {
            let run = Run { panel: first.0, edge: first.1, from: 0.0, to: 1.0 };
            return Err(GarmentError::SewnTwice {
                panel: pattern.panels[first.0].name.clone(),
                edge: edge_name(pattern, run),
                first: pattern.seams[first.4].name.clone(),
                second: pattern.seams[second.4].name.clone(),
            });
        }
    }
    Ok(())
}

/// Adds the strands of everything that is not sewn.
pub(super) fn free_strands(breaks: &Breaks, strands: &mut Vec<Strand>) {
    let mut sewn: Vec<(usize, usize, f64)> = strands
        .iter()
        .flat_map(|strand| &strand.sides)
        .map(|run| (run.panel, run.edge, 0.5 * (run.from + run.to)))
        .collect();
    sewn.sort_by(|x, y| (x.0, x.1).cmp(&(y.0, y.1)).then(x.2.total_cmp(&y.2)));
    for (panel, edges) in breaks.fractions.iter().enumerate() {
        for (edge, fractions) in edges.iter().enumerate() {
            for pair in fractions.windows(2) {
                let (from, to) = (pair[0], pair[1]);
                let next = sewn.partition_point(|x| {
                    (x.0, x.1).cmp(&(panel, edge)).then(x.2.total_cmp(&from)).is_lt()
                });
                let taken = sewn.get(next).is_some_and(|x| (x.0, x.1) == (panel, edge) && x.2 < to);
                if !taken {
                    strands.push(Strand {
                        sides: vec![Run { panel, edge, from, to }],
                        seam: None,
                        fractions: Vec::new(),
                        sizes: [0.0; 2],
                    });
                }
            }
        }
    }
}
