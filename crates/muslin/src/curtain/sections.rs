//! Second-level nodes: the multi-section rods between neighbouring columns (XU6).
//!
//! A rod is divided in two at the joint nearest its middle, each part again, down to single
//! sections. Given the chord of a rod, the chords of its two parts make a triangle with
//! it, so the joint follows from three lengths with one square root; then the parts are treated
//! in the same way. A part that is a single section has its own length as its chord: all sections
//! keep their length whatever is chosen for the longer parts. No iteration.

use super::folds::Gap;
use super::panel::Panel;
use super::spec::MAX_SECTIONS;
use crate::math::{Vec2, Vec3, try_normalize};

/// How much the parts of a rod bend when it is nearly straight: a chord shortened by `δ` on a
/// circular arc shortens its halves' chords by `δ/4`.
const ROUNDNESS: f64 = 0.25;

/// Share of the rail's direction, in rod lengths, in the direction of a row. Less lets bunched
/// folds flip from side to side, more keeps a blown curtain's folds from turning with it.
const RAIL_SHARE: f64 = 0.15;

/// The rod of one gap.
#[derive(Clone, Debug)]
pub(super) struct Rod {
    /// Mesh column, in its panel, of the first-level node on the left.
    pub first_column: usize,
    /// Number of sections.
    pub sections: usize,
    /// Total length `l^u` \[m\].
    pub length: f64,
    /// Distance along the rod of every joint, as a fraction.
    pub fractions: Vec<f64>,
    /// +1 to bulge to the front, −1 to the back.
    side: f64,
    splits: Vec<Split>,
    /// Whether the right half is the mirror image of the left one, and not in `splits`.
    mirrored: bool,
}

/// A part `from..to` of a rod, divided at `joint`.
#[derive(Clone, Copy, Debug)]
struct Split {
    from: usize,
    joint: usize,
    to: usize,
    /// Lengths of the two parts \[m\].
    left: f64,
    right: f64,
    /// One over the sum of both \[1/m\].
    per_length: f64,
    /// Whether the parts have several sections.
    left_bends: bool,
    right_bends: bool,
    /// Where the parts themselves are divided.
    left_inner: Option<usize>,
    right_inner: Option<usize>,
}

/// The rods of a panel, from left to right.
pub(super) fn rods(gaps: &[Gap]) -> Vec<Rod> {
    let mut first_column = 0;
    let mut rods = Vec::with_capacity(gaps.len());
    for gap in gaps {
        rods.push(Rod::new(gap, first_column));
        first_column += gap.sections.len();
    }
    rods
}

impl Rod {
    fn new(gap: &Gap, first_column: usize) -> Self {
        let total: f64 = gap.sections.iter().sum();
        let mut fractions = vec![0.0];
        for (k, section) in gap.sections.iter().enumerate() {
            fractions.push(fractions[k] + section / total);
        }
        let mut rod = Self {
            first_column,
            sections: gap.sections.len(),
            length: gap.width,
            fractions,
            side: if gap.front { 1.0 } else { -1.0 },
            splits: Vec::new(),
            mirrored: false,
        };
        rod.divide(0, rod.sections);
        rod.mirror(&gap.sections);
        rod
    }

    /// Leaves out the right half if it is the mirror image of the left one.
    fn mirror(&mut self, sections: &[f64]) {
        let middle = self.sections / 2;
        let symmetric = sections.iter().eq(sections.iter().rev());
        if let Some(whole) = self.splits.first_mut()
            && symmetric
            && 2 * whole.joint == self.sections
        {
            whole.right_inner = None;
            self.splits.retain(|split| split.from < middle);
            self.mirrored = true;
        }
    }

    /// Divides the part `from..to`; returns the index of its split, `None` for a single section.
    fn divide(&mut self, from: usize, to: usize) -> Option<usize> {
        let off_middle = |k: usize| {
            let f = &self.fractions;
            (2.0 * f[k] - f[from] - f[to]).abs()
        };
        let joint = (from + 1..to).min_by(|&a, &b| off_middle(a).total_cmp(&off_middle(b)))?;
        let length = |a: usize, b: usize| self.length * (self.fractions[b] - self.fractions[a]);
        let index = self.splits.len();
        self.splits.push(Split {
            from,
            joint,
            to,
            left: length(from, joint),
            right: length(joint, to),
            per_length: 1.0 / length(from, to),
            left_bends: joint - from > 1,
            right_bends: to - joint > 1,
            left_inner: None,
            right_inner: None,
        });
        self.splits[index].left_inner = self.divide(from, joint);
        self.splits[index].right_inner = self.divide(joint, to);
        Some(index)
    }

    /// Places all joints in the plane, given the ends in `joints[0]` and, `chord` away from it, in
    /// `joints[sections]`.
    fn fold(&self, chord: f64, joints: &mut [Vec2], chords: &mut [f64]) {
        chords[0] = chord;
        for (k, split) in self.splits.iter().enumerate() {
            let (joint, [left, right]) =
                split.place(joints[split.from], joints[split.to], chords[k]);
            joints[split.joint] = joint;
            if let Some(part) = split.left_inner {
                chords[part] = left;
            }
            if let Some(part) = split.right_inner {
                chords[part] = right;
            }
        }
        if self.mirrored {
            for k in 1..self.sections / 2 {
                let Vec2 { x, y } = joints[k];
                joints[self.sections - k] = Vec2::new(chord - x, y);
            }
        }
    }
}

impl Split {
    /// The joint's place, on the left of the way from `a` to `b`, which are `chord` apart, and the
    /// chords of both parts.
    #[inline]
    fn place(&self, a: Vec2, b: Vec2, chord: f64) -> (Vec2, [f64; 2]) {
        let e = b - a;
        let [left, right] = self.chords(chord);
        if chord >= left + right {
            let share = left / (left + right);
            return (a + e * share, [chord * share, chord * (1.0 - share)]);
        }
        if chord == 0.0 {
            return (a + Vec2::new(0.0, left), [left, right]);
        }
        // Everything in units of the chord.
        let per_chord_squared = 1.0 / (chord * chord);
        let left_share = left * left * per_chord_squared;
        let along = 0.5 * (1.0 + left_share - right * right * per_chord_squared);
        let height = (left_share - along * along).max(0.0).sqrt();
        (a + e * along + e.perp() * height, [left, right])
    }

    /// Chords of the two parts when the whole has the chord `c`.
    ///
    /// Parts of several sections are round where the rod is nearly straight and straight where it is
    /// folded flat. With the square of the slack no section of an even rod leans over beyond its
    /// chord's normal, so that deep folds lie side by side. Parts give way where the triangle would
    /// not close.
    #[inline]
    fn chords(&self, c: f64) -> [f64; 2] {
        let slack = (c * self.per_length).min(1.0);
        let bent = 1.0 - ROUNDNESS * slack * slack * (1.0 - slack);
        let (left_bends, right_bends) = (self.left_bends, self.right_bends);
        let mut left = if left_bends { self.left * bent } else { self.left };
        let mut right = if right_bends { self.right * bent } else { self.right };
        if left_bends && left > right + c {
            left = right + c;
        } else if right_bends && right > left + c {
            right = left + c;
        }
        [left, right]
    }
}

/// Copies the first-level nodes of `panel` from `x` to `mesh` (both the panel's own part) and places
/// the second-level nodes between them, from `first_row` on.
///
/// Each rod lies in the plane of its edge and the edge's normal, the mean normal of the
/// rectangles around the edge. XU §4.2.
///
/// Deviation: the rectangles left and right of the edge's ends count too, and so does the rail's
/// direction, a little. Where rings are bunched, an edge is short and its direction mostly noise.
pub(super) fn place(panel: &Panel, x: &[Vec3], mesh: &mut [Vec3], first_row: usize) {
    let (m, last_row) = (panel.columns, panel.rows - 1);
    let mut joints = [Vec2::ZERO; MAX_SECTIONS + 1];
    let mut chords = [0.0; MAX_SECTIONS];
    let rows = mesh.chunks_exact_mut(panel.mesh_columns).enumerate();
    for (i, mesh_row) in rows.skip(first_row) {
        let row = &x[i * m..(i + 1) * m];
        let above = &x[i.saturating_sub(1) * m..][..m];
        let below = &x[(i + 1).min(last_row) * m..][..m];
        mesh_row[0] = row[0];
        for (j, rod) in panel.rods.iter().enumerate() {
            let (a, b) = (row[j], row[j + 1]);
            let column = rod.first_column;
            mesh_row[column + rod.sections] = b;
            if rod.sections == 1 {
                continue;
            }
            let e = b - a;
            let down = below[j] - above[j] + below[j + 1] - above[j + 1];
            let across = row[(j + 2).min(m - 1)] - row[j.saturating_sub(1)]
                + panel.frame[0] * (rod.length * RAIL_SHARE);
            let chord = e.length();
            let along = if chord > 0.0 { e / chord } else { panel.frame[0] };
            let normal = across.cross(down);
            let in_plane = normal - along * normal.dot(along);
            let out = try_normalize(in_plane).unwrap_or(panel.frame[2]) * rod.side;
            joints[rod.sections] = Vec2::new(chord, 0.0);
            rod.fold(chord, &mut joints, &mut chords);
            for (vertex, q) in mesh_row[column + 1..].iter_mut().zip(&joints[1..rod.sections]) {
                *vertex = a + along * q.x + out * q.y;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curtain::folds;

    /// Every section keeps its length for every chord a rod can have.
    #[test]
    fn sections_keep_their_lengths() {
        let mut gaps = folds::random(40, 40.0, (1, 9), 3);
        gaps.extend(folds::goblet(1, 3.0));
        for gap in &gaps {
            let rod = Rod::new(gap, 0);
            // Two sections of different lengths cannot be folded flat.
            let longest = gap.sections.iter().fold(0.0_f64, |a, &b| a.max(b));
            let total: f64 = gap.sections.iter().sum();
            let least = (2.0 * longest / total - 1.0).max(0.0) + 0.02;
            for k in 0..=20 {
                let chord = gap.width * (least + (1.0 - least) * f64::from(k) / 20.0);
                let mut joints = vec![Vec2::ZERO; rod.sections + 1];
                joints[rod.sections] = Vec2::new(chord, 0.0);
                if rod.sections == 1 {
                    continue;
                }
                rod.fold(chord, &mut joints, &mut [0.0; MAX_SECTIONS]);
                for (s, pair) in joints.windows(2).enumerate() {
                    let expected = gap.width * gap.sections[s] / total;
                    let error = (pair[0].distance(pair[1]) - expected).abs();
                    assert!(error < 1e-7, "section {s} of {gap:?} at chord {chord}: {error}");
                }
            }
        }
    }

    /// An even two-section rod is an isosceles triangle.
    #[test]
    fn two_sections_make_a_triangle() {
        let rod = Rod::new(&Gap::even(2.0, 1.0, 2, true), 0);
        let mut joints = [Vec2::ZERO, Vec2::ZERO, Vec2::new(1.2, 0.0)];
        rod.fold(1.2, &mut joints, &mut [0.0; MAX_SECTIONS]);
        assert!((joints[1] - Vec2::new(0.6, 0.8)).length() < 1e-15);
    }
}
