//! Edge-length control: a curve that is too short for its cloth gets a fold (OS6).
//!
//! The curve is cut at its middle `p`; `p` moves by `h n` along the middle normal; both halves become
//! sides of PN triangles again; `h` is found by bisection such that the length is the rest length.
//!
//! | paper | here | unit |
//! |---|---|---|
//! | `L_ij` | [`Fold::target`] | m |
//! | `h` | height of the fold | m |
//! | `h_0 = k (L_ij − \|p_i − p_j\|)` | first probe, `k` = [`Fold::guess`] | m |
//!
//! Beyond the paper: a fold may point against the normal ([`Fold::side`]), be limited by what is near
//! ([`Fold::limit`]), and be cut in two by recursion: an edge of `2^d` pieces can carry `2^(d−1)` folds.

use super::pn_triangle::{Curve, edge_curve, halves, middle_normal};
use crate::math::Vec3;

/// Relative error of a controlled length. V10 asks for 1 %; half of that goes to quadrature.
pub const LENGTH_TOLERANCE: f64 = 2e-3;

/// Error of a controlled length as a part of what was missing: keeps heights within a few per cent of
/// themselves, or small folds would flicker.
const PART_OF_MISSING: f64 = 0.05;

/// Missing part of a length that is not worth a fold; its height would be a thousandth of the length.
const LEAST_MISSING: f64 = 2e-6;

/// Height over length from which on a fold consists of PN sides alone. Smaller values make the length
/// fall before it rises, and a fold would begin with a jump.
const GROWN: f64 = 0.25;

/// Most bisections. The bracket is at most about one rest length wide, and a height of a thousandth
/// must be found to some per cent.
const MOST_BISECTIONS: usize = 24;

/// Chord over rest length at which a second fold begins to share, and from which on it has replaced
/// the single one: a single fold is then as high as 0.26 and 0.38 of the edge.
const SHARED_FROM: f64 = 0.85;
const SHARED_TO: f64 = 0.65;

/// What an edge's curve should become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    /// Wanted length \[m\].
    pub target: f64,
    /// Factor `k` of the first guess \[-\].
    pub guess: f64,
    /// +1: the fold rises along the normal, as in the paper; −1: against it.
    pub side: f64,
    /// Greatest height \[m\]; infinite for none.
    pub limit: f64,
}

impl Fold {
    /// The same fold for half of the edge.
    #[must_use]
    pub fn halved(&self) -> Self {
        Self { target: 0.5 * self.target, ..*self }
    }
}

/// What became of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shaped {
    /// How far the middle moved along its normal \[m\].
    pub height: f64,
    /// Length of the whole curve \[m\]; zero if it was not to be controlled.
    pub length: f64,
}

/// Length of a cubic curve \[m\]: Gauss–Legendre with five points on `|c'(t)|`.
#[inline]
pub fn length(c: &Curve) -> f64 {
    const NODES: [f64; 5] = [
        0.046_910_077_030_668,
        0.230_765_344_947_158_5,
        0.5,
        0.769_234_655_052_841_5,
        0.953_089_922_969_332,
    ];
    const WEIGHTS: [f64; 5] = [
        0.118_463_442_528_094_5,
        0.239_314_335_249_683_2,
        0.284_444_444_444_444_4,
        0.239_314_335_249_683_2,
        0.118_463_442_528_094_5,
    ];
    let (a, b, d) = ((c[1] - c[0]) * 3.0, (c[2] - c[1]) * 3.0, (c[3] - c[2]) * 3.0);
    // All nodes at once, for registers that hold several numbers.
    let along = |k: usize, a: f64, b: f64, d: f64| {
        let (t, s) = (NODES[k], 1.0 - NODES[k]);
        a * (s * s) + b * (2.0 * s * t) + d * (t * t)
    };
    let mut speeds = [0.0; 5];
    for (k, speed) in speeds.iter_mut().enumerate() {
        let (x, y, z) = (along(k, a.x, b.x, d.x), along(k, a.y, b.y, d.y), along(k, a.z, b.z, d.z));
        *speed = (x * x + y * y + z * z).sqrt();
    }
    let mut sum = 0.0;
    for (speed, w) in speeds.into_iter().zip(WEIGHTS) {
        sum += w * speed;
    }
    sum
}

/// Cuts `curve` with end normals `n` into `pieces` (a power of two), folding it to the target length.
///
/// `start` \[m\] is its length, which nobody asks for without a fold; `normals` receives the normals at the cuts, one
/// less than there are pieces.
pub fn shape(
    (curve, start): (&Curve, f64),
    n: [Vec3; 2],
    fold: Option<&Fold>,
    pieces: &mut [Curve],
    normals: &mut [Vec3],
) -> Shaped {
    let cut = pieces.len() > 1;
    let middle = if cut { middle_normal([curve[0], curve[3]], n) } else { n[0] };
    shape_about((curve, start), n, middle, fold, (pieces, normals))
}

/// The same for a curve whose normal at its `middle` is known; nobody asks for that of a curve that stays whole.
pub fn shape_about(
    (curve, start): (&Curve, f64),
    n: [Vec3; 2],
    middle: Vec3,
    fold: Option<&Fold>,
    (pieces, normals): (&mut [Curve], &mut [Vec3]),
) -> Shaped {
    if pieces.len() < 2 {
        pieces[0] = *curve;
        return Shaped { height: 0.0, length: if fold.is_some() { start } else { 0.0 } };
    }
    let last = pieces.len() == 2;
    let cut = match fold {
        Some(fold) => {
            let share = if last { 0.0 } else { share(curve, fold) };
            folded((curve, start), n, middle, fold, share)
        }
        None => Cut { parts: halves(curve), lengths: [0.0; 2], height: 0.0, left: 0.0 },
    };
    let half = pieces.len() / 2;
    normals[half - 1] = middle;
    let (low, high) = pieces.split_at_mut(half);
    let (low_n, high_n) = normals.split_at_mut(half - 1);
    let (low_ends, high_ends) = ([n[0], middle], [middle, n[1]]);
    let lengths = cut.lengths;
    let sum = lengths[0] + lengths[1];
    if last || cut.left <= 0.0 {
        shape((&cut.parts[0], 0.0), low_ends, None, low, low_n);
        shape((&cut.parts[1], 0.0), high_ends, None, high, &mut high_n[1..]);
        return Shaped { height: cut.height, length: sum };
    }
    let growth = (sum + cut.left) / sum;
    let rest = |k: usize| fold.map(|f| Fold { target: lengths[k] * growth, ..*f });
    let a = shape((&cut.parts[0], lengths[0]), low_ends, rest(0).as_ref(), low, low_n);
    let b = shape((&cut.parts[1], lengths[1]), high_ends, rest(1).as_ref(), high, &mut high_n[1..]);
    Shaped { height: cut.height, length: a.length + b.length }
}

/// A curve in two, with a fold between.
struct Cut {
    parts: [Curve; 2],
    /// Their lengths \[m\], if there is a fold.
    lengths: [f64; 2],
    /// Height of the fold \[m\].
    height: f64,
    /// Length left to smaller folds on the parts \[m\].
    left: f64,
}

/// Part of the missing length that is left to two smaller folds: 0 for a single fold, 1 for two.
fn share(curve: &Curve, fold: &Fold) -> f64 {
    let ratio = curve[0].distance(curve[3]) / fold.target;
    let t = ((SHARED_FROM - ratio) / (SHARED_FROM - SHARED_TO)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// One fold on the middle of a curve, which leaves the part `share` of the missing length.
///
/// Deviation: the paper's halves are PN sides at any `h`, even at 0, where they are not quite the
/// halves of the uncut curve. Here low folds are between the two, so that a fold grows out of the
/// uncut curve and nothing jumps when an edge begins to shorten.
fn folded(
    (curve, start): (&Curve, f64),
    n: [Vec3; 2],
    middle: Vec3,
    fold: &Fold,
    share: f64,
) -> Cut {
    let uncut = halves(curve);
    let left = share * (fold.target - start);
    let goal = fold.target - left;
    let missing = goal - start;
    if missing <= LEAST_MISSING * fold.target {
        return Cut { parts: uncut, lengths: lengths(&uncut), height: 0.0, left };
    }
    // The height grows like the root of what is missing, so small folds need finer lengths.
    let tolerance = (LENGTH_TOLERANCE * fold.target).min(PART_OF_MISSING * missing);
    let (ends, p) = ([curve[0], curve[3]], uncut[0][3]);
    let pn_sides = |tip: Vec3| {
        [edge_curve([ends[0], tip], [n[0], middle]), edge_curve([tip, ends[1]], [middle, n[1]])]
    };
    let flat = pn_sides(p);
    let raised = |h: f64| {
        let mut parts = pn_sides(p + middle * (h * fold.side));
        let relative = h / (GROWN * fold.target);
        if relative < 1.0 {
            let uncut_part = 1.0 - relative * relative;
            for (k, part) in parts.iter_mut().enumerate() {
                part[1] += (uncut[k][1] - flat[k][1]) * uncut_part;
                part[2] += (uncut[k][2] - flat[k][2]) * uncut_part;
            }
        }
        parts
    };
    // With the tip half a goal from the middle of the chord, both chords together reach the goal.
    let most = 0.5 * goal + p.distance((ends[0] + ends[1]) * 0.5);
    if fold.limit < most {
        let parts = raised(fold.limit);
        let lengths = lengths(&parts);
        let short = goal - (lengths[0] + lengths[1]);
        if short >= 0.0 {
            return Cut { parts, lengths, height: fold.limit, left: left + short };
        }
    }
    // A low fold on a straight chord `d` is `d + 2.4 h²/d` long: two S-curves `h (3t² − 2t³)`.
    let low = (missing * (start + goal) / 4.8).sqrt();
    let guess = low.max(fold.guess * (fold.target - ends[0].distance(ends[1])));
    let most = most.min(fold.limit);
    let (mut parts, mut lengths) = (uncut, [0.0; 2]);
    let height = bisect(most, guess, [start, goal], tolerance, |h| {
        parts = raised(h);
        lengths = self::lengths(&parts);
        lengths[0] + lengths[1]
    });
    Cut { parts, lengths, height, left }
}

fn lengths(parts: &[Curve; 2]) -> [f64; 2] {
    [length(&parts[0]), length(&parts[1])]
}

/// The height in `[0, most]` at which `value` is within `tolerance` of `goal`; it is `start`, below the
/// goal, at 0, and not below the goal at `most`. The first probe is `guess`; the last one is the answer.
///
/// Deviation: a bracket is kept as in bisection, but as the length grows with the square of the height
/// at first, probes are where that law meets the goal. The middle is taken every third time, so the
/// bracket shrinks whatever the law.
fn bisect(
    most: f64,
    guess: f64,
    [start, goal]: [f64; 2],
    tolerance: f64,
    mut value: impl FnMut(f64) -> f64,
) -> f64 {
    let (mut low, mut high) = ((0.0, start), (most, f64::INFINITY));
    let mut probe = if guess > 0.0 && guess < most { guess } else { 0.5 * most };
    for round in 1..=MOST_BISECTIONS {
        let length = value(probe);
        if (length - goal).abs() <= tolerance || round == MOST_BISECTIONS {
            break;
        }
        let (a, b) = if length < goal {
            let known = (low, (probe, length));
            low = (probe, length);
            if high.1.is_finite() { (low, high) } else { known }
        } else {
            high = (probe, length);
            (low, high)
        };
        let square = a.0 * a.0 + (b.0 * b.0 - a.0 * a.0) * (goal - a.1) / (b.1 - a.1);
        probe = square.max(0.0).sqrt();
        if round % 3 == 0 || !(probe > low.0 && probe < high.0) {
            probe = 0.5 * (low.0 + high.0);
        }
    }
    probe
}

#[cfg(test)]
mod tests;
