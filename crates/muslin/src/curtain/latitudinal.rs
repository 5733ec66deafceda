//! The latitudinal phase: smoothing, the hard width constraint, and exact rod lengths (XU6).
//!
//! Rows are finished one after the other from the rail down. A row's nodes lie on spheres around the
//! row above, which is final; then neighbours that are farther apart than their cloth is wide are
//! brought together; then the rods get their length again. So lengths are right to rounding,
//! always, and what the width has in excess afterwards is measured and reported.

use super::nodes::Nodes;
use super::panel::Panel;
use crate::math::Vec3;

/// Rounds of width sweeps (there and back) and rod lengths in a row that has too wide a gap.
const ROUNDS: usize = 32;

/// Largest share of its neighbours a rod takes on in one smoothing; above ¼ it would oscillate.
const MOST_SMOOTHING: f64 = 0.2;

/// Excess of a width, as a fraction, that ends the rounds.
const ENOUGH: f64 = 4e-3;

/// What is aimed at within a row, as a share of the width; the rest is left to rounding and to
/// what the rod lengths undo.
const AIM: f64 = 0.997;

/// Finishes the rows of a panel from `rod`, smoothing the rods first; returns the largest width in
/// excess as a fraction of the width. A panel that nothing holds keeps its momentum.
///
/// The smoothing stage of XU §2 makes each rod a little more like its four neighbours.
///
/// Deviation: the paper smooths the finished mesh; here it comes before the width constraint and
/// the collisions, so that these have the last word and no rod changes its length.
pub(super) fn smooth_and_settle(nodes: &mut Nodes, panel: &Panel, dt: f64) -> f64 {
    let share = (1.0 - (-panel.smoothing * dt).exp()).min(MOST_SMOOTHING);
    let m = panel.columns;
    let range = panel.nodes();
    let (rod, bend) = (&nodes.rod[range.clone()], &nodes.bend[range.clone()]);
    let (next, w) = (&mut nodes.next[range.clone()], &nodes.mobility[range.clone()]);
    let mass = &nodes.mass[range];
    let center = if panel.is_free() { weighted_sum(next, mass) } else { Vec3::ZERO };
    let mut excess = narrow(&mut next[..m], None, &w[..m], panel);
    for i in 1..panel.rows {
        let (done, rest) = next.split_at_mut(i * m);
        let above = &done[(i - 1) * m..];
        let row = &mut rest[..m];
        for j in 0..m {
            let k = i * m + j;
            let smooth = rod[k] + unevenness(rod, bend, panel, [i, j]) * share;
            // A node in a tie-back stays where it is tied, whatever the rods above it do.
            let tied = (row[j] - above[j] - smooth) * (1.0 - bend[k]);
            row[j] = above[j] + with_length(smooth + tied, panel);
        }
        excess = excess.max(narrow(row, Some(above), &w[i * m..(i + 1) * m], panel));
    }
    if panel.is_free() {
        let shift = (center - weighted_sum(next, mass)) / mass.iter().sum::<f64>();
        for x in next {
            *x += shift;
        }
    }
    excess
}

fn weighted_sum(x: &[Vec3], mass: &[f64]) -> Vec3 {
    x.iter().zip(mass).map(|(&x, &m)| x * m).sum()
}

/// Finishes the rows of a panel from `first_row` on again after nodes were moved; returns the width
/// excess of the whole panel.
pub(super) fn settle(nodes: &mut Nodes, panel: &Panel, first_row: usize) -> f64 {
    let m = panel.columns;
    let range = panel.nodes();
    let (next, w) = (&mut nodes.next[range.clone()], &nodes.mobility[range]);
    let first_row = first_row.max(1);
    let finished = next[..first_row * m].chunks_exact(m);
    let mut excess = finished.fold(0.0, |most, row| Fit::of(row, panel).excess.max(most));
    for i in first_row..panel.rows {
        let (done, rest) = next.split_at_mut(i * m);
        let above = &done[(i - 1) * m..];
        let row = &mut rest[..m];
        restore_lengths(row, above, panel);
        excess = narrow(row, Some(above), &w[i * m..(i + 1) * m], panel).max(excess);
    }
    excess
}

/// Width excess of the whole panel at the present positions.
pub(super) fn excess(nodes: &Nodes, panel: &Panel) -> f64 {
    let rows = nodes.x[panel.nodes()].chunks_exact(panel.columns);
    rows.fold(0.0, |most, row| Fit::of(row, panel).excess.max(most))
}

/// Sum of the differences between the rod of node (i, j) and its neighbours.
#[inline]
fn unevenness(rod: &[Vec3], bend: &[f64], panel: &Panel, [i, j]: [usize; 2]) -> Vec3 {
    let m = panel.columns;
    let k = i * m + j;
    let own = rod[k];
    let mut sum = Vec3::ZERO;
    if j > 0 {
        sum += rod[k - 1] - own;
    }
    if j + 1 < m {
        sum += rod[k + 1] - own;
    }
    if i > 1 {
        sum += (rod[k - m] - own) * bend[k - m];
    }
    if i + 1 < panel.rows {
        sum += (rod[k + m] - own) * bend[k];
    }
    sum
}

/// `d` with the length of a rod.
#[inline]
fn with_length(d: Vec3, panel: &Panel) -> Vec3 {
    let length = d.length();
    if length > 0.0 { d * (panel.rod / length) } else { panel.frame[1] * panel.rod }
}

fn restore_lengths(row: &mut [Vec3], above: &[Vec3], panel: &Panel) {
    for (x, &upper) in row.iter_mut().zip(above) {
        *x = upper + with_length(*x - upper, panel);
    }
}

/// Brings neighbours in a row together that are farther apart than their cloth is wide (XU §4.2), and
/// apart those that are closer than the fold between them is thick; returns the remaining excess.
///
/// Deviation: none for the width of one pair. A row is swept in both directions, so that a pull is
/// passed on both ways, and the rods get their length back after each round. The least distance is
/// ours: without it, bunched columns swing through each other.
///
/// There is nothing `above` the top row; where rings hold it, nothing moves.
fn narrow(row: &mut [Vec3], above: Option<&[Vec3]>, w: &[f64], panel: &Panel) -> f64 {
    let mut fit = Fit::of(row, panel);
    for _ in 0..ROUNDS {
        if fit.excess <= ENOUGH && !fit.crowded {
            break;
        }
        for gap in 0..panel.gaps.widths.len() {
            adjust(row, w, gap, panel);
        }
        for gap in (0..panel.gaps.widths.len()).rev() {
            adjust(row, w, gap, panel);
        }
        if let Some(above) = above {
            restore_lengths(row, above, panel);
        }
        fit = Fit::of(row, panel);
    }
    fit.excess
}

/// Moves the two ends of a gap to an allowed distance.
#[inline]
fn adjust(row: &mut [Vec3], w: &[f64], gap: usize, panel: &Panel) {
    let (a, b) = (row[gap], row[gap + 1]);
    let distance_squared = a.distance_squared(b);
    let (least, most) = (panel.closest[gap], panel.gaps.widths[gap]);
    let wanted = if distance_squared > most * most {
        AIM * most
    } else if distance_squared < least * least {
        least
    } else {
        return;
    };
    let mobility = w[gap] + w[gap + 1];
    let distance = distance_squared.sqrt();
    if mobility == 0.0 || distance == 0.0 {
        return;
    }
    let pull = (b - a) * ((1.0 - wanted / distance) / mobility);
    row[gap] = a + pull * w[gap];
    row[gap + 1] = b - pull * w[gap + 1];
}

/// How the neighbours of a row keep their distances.
struct Fit {
    /// Largest relative excess of the width, 0 if there is none.
    excess: f64,
    /// Whether two are too close.
    crowded: bool,
}

impl Fit {
    fn of(row: &[Vec3], panel: &Panel) -> Self {
        let mut fit = Self { excess: 0.0, crowded: false };
        let limits = panel.closest.iter().zip(&panel.gaps.widths);
        for (pair, (&least, &most)) in row.windows(2).zip(limits) {
            let squared = pair[0].distance_squared(pair[1]);
            if squared > most * most {
                fit.excess = fit.excess.max(squared.sqrt() / most - 1.0);
            }
            fit.crowded |= squared < least * least;
        }
        fit
    }
}
