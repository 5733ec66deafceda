//! Which way the two sides of a seam run.

use super::{Run, Shapes};
use crate::error::GarmentError;
use crate::pattern::{Direction, Pattern, Seam, SeamPiece};
use muslin::math::Vec3;

/// Two ways are alike when their gaps differ by less than this part.
const UNDECIDED: f64 = 0.05;
/// Points along a seam at which the sides' distance is taken.
const PROBES: usize = 9;
/// Lengths of a seam's sides may differ by this factor (ease).
const MAX_EASE: f64 = 1.25;
/// Lengths of a gathered seam's sides may differ by this factor.
const MAX_GATHER: f64 = 6.0;

/// A seam whose pieces have directions.
#[derive(Clone, Debug)]
pub(super) struct DirectedSeam {
    pub sides: [Vec<Run>; 2],
}

/// Directs all seams and compares the lengths of their sides.
pub(super) fn directed_seams(
    pattern: &Pattern,
    shapes: &Shapes,
) -> Result<Vec<DirectedSeam>, GarmentError> {
    pattern.seams.iter().map(|seam| directed(pattern, shapes, seam)).collect()
}

fn directed(pattern: &Pattern, shapes: &Shapes, seam: &Seam) -> Result<DirectedSeam, GarmentError> {
    let place = || format!("seam {:?}", seam.name);
    for piece in seam.a.iter().chain(&seam.b) {
        let [from, to] = piece.range;
        if !(from >= 0.0 && to <= 1.0 && from < to) {
            return Err(GarmentError::Number {
                place: place(),
                message: format!("the range {from} to {to} of an edge is not within 0 to 1"),
            });
        }
    }
    if seam.a.is_empty() || seam.b.is_empty() {
        let message = "one side has no edges; give both sides some".to_owned();
        return Err(GarmentError::Number { place: place(), message });
    }
    check_lengths(shapes, seam)?;
    let a = chain(pattern, shapes, &seam.a);
    let mut b = chain(pattern, shapes, &seam.b);
    let told = |pieces: &[SeamPiece]| pieces.iter().any(|p| p.direction != Direction::Auto);
    if !(told(&seam.a) && told(&seam.b)) {
        let turned: Vec<Run> = b.iter().rev().map(|run| reversed(*run)).collect();
        let (straight, back) = (gap(pattern, shapes, &a, &b), gap(pattern, shapes, &a, &turned));
        let alike = (straight - back).abs() <= UNDECIDED * straight.max(back);
        let own_panel = a[0].panel == b[0].panel;
        let turn = if alike || own_panel {
            faces_agree(pattern, shapes, a[0], b[0])
        } else {
            back < straight
        };
        if turn {
            b = turned;
        }
    }
    Ok(DirectedSeam { sides: [a, b] })
}

fn check_lengths(shapes: &Shapes, seam: &Seam) -> Result<(), GarmentError> {
    let length = |pieces: &[SeamPiece]| -> f64 {
        let of = |p: &SeamPiece| shapes.edges[p.panel][p.edge].length() * (p.range[1] - p.range[0]);
        pieces.iter().map(of).sum()
    };
    let (a, b) = (length(&seam.a), length(&seam.b));
    let limit = if seam.gather { MAX_GATHER } else { MAX_EASE };
    if a.max(b) <= limit * a.min(b) {
        return Ok(());
    }
    let hint = if seam.gather { "" } else { ", or set gather = true" };
    Err(GarmentError::SeamLengths { seam: seam.name.clone(), a, b, limit, hint })
}

fn reversed(run: Run) -> Run {
    Run { from: run.to, to: run.from, ..run }
}

/// Whether cloth lies to the left of someone who walks along `run`.
pub(crate) fn material_left(shapes: &Shapes, run: Run) -> bool {
    let which = shapes.loop_of[run.panel][run.edge];
    shapes.cloth_left[run.panel][which] == (run.from < run.to)
}

/// Whether walking both runs as they are would sew an outside to an inside: cloth that continues
/// across a seam is on the left of one side and on the right of the other.
fn faces_agree(pattern: &Pattern, shapes: &Shapes, a: Run, b: Run) -> bool {
    let left = |run: Run| material_left(shapes, run) == (pattern.panels[run.panel].facing() > 0.0);
    left(a) == left(b)
}

fn place(pattern: &Pattern, shapes: &Shapes, run: Run, along: f64) -> Vec3 {
    let fraction = run.from + (run.to - run.from) * along;
    pattern.panels[run.panel].place(shapes.edges[run.panel][run.edge].point(fraction))
}

/// Directs the pieces of one side so that each starts near where the one before ends in space:
/// the best of all choices, found piece by piece.
fn chain(pattern: &Pattern, shapes: &Shapes, pieces: &[SeamPiece]) -> Vec<Run> {
    let options = |piece: &SeamPiece| -> Vec<Run> {
        let [from, to] = piece.range;
        let forward = Run { panel: piece.panel, edge: piece.edge, from, to };
        match piece.direction {
            Direction::Forward => vec![forward],
            Direction::Backward => vec![reversed(forward)],
            Direction::Auto => vec![forward, reversed(forward)],
        }
    };
    let mut best: Vec<(f64, Vec<Run>)> = Vec::new();
    for piece in pieces {
        let mut next: Vec<(f64, Vec<Run>)> = Vec::new();
        for run in options(piece) {
            let start = place(pattern, shapes, run, 0.0);
            let mut choice = (0.0, Vec::new());
            for (index, (cost, runs)) in best.iter().enumerate() {
                let gap = runs
                    .last()
                    .map_or(0.0, |&before| (place(pattern, shapes, before, 1.0) - start).length());
                if index == 0 || cost + gap < choice.0 {
                    choice = (cost + gap, runs.clone());
                }
            }
            choice.1.push(run);
            next.push(choice);
        }
        best = next;
    }
    let cheapest = best.into_iter().reduce(|a, b| if b.0 < a.0 { b } else { a });
    cheapest.map(|(_, runs)| runs).unwrap_or_default()
}

/// Mean distance in space between the sides, walked together \[m\].
fn gap(pattern: &Pattern, shapes: &Shapes, a: &[Run], b: &[Run]) -> f64 {
    let length = |run: &Run| shapes.edges[run.panel][run.edge].length() * (run.to - run.from).abs();
    let at = |side: &[Run], fraction: f64| {
        let total: f64 = side.iter().map(length).sum();
        let mut rest = fraction * total;
        for (index, run) in side.iter().enumerate() {
            let own = length(run);
            if rest <= own || index + 1 == side.len() {
                return place(pattern, shapes, *run, (rest / own).min(1.0));
            }
            rest -= own;
        }
        Vec3::ZERO
    };
    let probe = |k: usize| {
        let fraction = k as f64 / (PROBES - 1) as f64;
        (at(a, fraction) - at(b, fraction)).length()
    };
    (0..PROBES).map(probe).sum::<f64>() / PROBES as f64
}
