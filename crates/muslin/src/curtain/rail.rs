//! What holds a curtain: rails with sliding rings, poles, tie-backs.

use super::folds::Gap;
use crate::math::Vec3;
use crate::wind::Keyframes;

/// A straight rail with one ring for every column, or a pole.
///
/// The first ring is fixed at `start`. The last one, the lead, is where `lead` says; it pulls or
/// pushes the others along: a ring stays where it is until its neighbour is as far away as the
/// cloth between them allows, or as close as `bunched`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rail {
    /// Where the first ring is fixed \[m\].
    pub start: Vec3,
    /// The other end \[m\].
    pub end: Vec3,
    /// Place of the lead ring over time, 0 at the start and 1 at the end.
    pub lead: Keyframes,
    /// Distance of two rings that touch \[m\].
    pub bunched: f64,
    /// Rate at which a ring slides to where its two gaps share the rail by their `spacing` \[1/s\], as
    /// folds push against each other; zero leaves rings where they are until the cloth pulls
    /// them or the next ring pushes them.
    pub evening: f64,
    /// Displacement of the whole rail or pole \[m\]; see [`Curtain::steer`](super::Curtain::steer).
    pub offset: Vec3,
}

impl Default for Rail {
    /// One metre along x, fully spread.
    fn default() -> Self {
        Self {
            start: Vec3::ZERO,
            end: Vec3::X,
            lead: Keyframes::constant(1.0),
            bunched: 0.012,
            evening: 16.0,
            offset: Vec3::ZERO,
        }
    }
}

impl Rail {
    /// A pole or a fully spread rail from `start` to `end` \[m\].
    pub fn fixed(start: Vec3, end: Vec3) -> Self {
        Self { start, end, ..Self::default() }
    }

    /// Length of rail between the first ring and the lead \[m\].
    pub(super) fn span_at(&self, time: f64) -> f64 {
        self.start.distance(self.end) * self.lead.at(time)
    }

    /// Where the ring at `along` \[m\] from the start is.
    pub(super) fn point(&self, along: f64) -> Vec3 {
        let length = self.start.distance(self.end);
        if length == 0.0 {
            return self.start + self.offset;
        }
        self.start + self.offset + (self.end - self.start) * (along / length)
    }

    /// Moves the lead to its place at `time` and drags the other rings along, after a step `dt` in
    /// which every ring went some way to its share of the rail.
    pub(super) fn slide(&self, rings: &mut [f64], gaps: &Gaps, time: f64, dt: f64) {
        let Gaps { widths, spacings } = gaps;
        let Some(last) = widths.len().checked_sub(1).map(|k| k + 1) else {
            return;
        };
        let cloth: f64 = widths.iter().sum();
        let bunched = |gap: usize| self.bunched.min(widths[gap]);
        let least: f64 = (0..last).map(bunched).sum();
        rings[last] = self.span_at(time).clamp(least, cloth);
        let share = (self.evening * dt).min(0.5);
        for j in 1..last {
            let [left, right] = [spacings[j - 1], spacings[j]];
            let even = (rings[j - 1] * right + rings[j + 1] * left) / (left + right);
            rings[j] += (even - rings[j]) * share;
        }
        for j in (1..last).rev() {
            rings[j] = rings[j].clamp(rings[j + 1] - widths[j], rings[j + 1] - bunched(j));
        }
        for j in 1..last {
            let (low, high) = (rings[j - 1] + bunched(j - 1), rings[j - 1] + widths[j - 1]);
            rings[j] = rings[j].clamp(low, high);
        }
    }
}

/// What a rail needs to know about the gaps between its rings.
#[derive(Clone, Debug)]
pub(super) struct Gaps {
    /// Width of the cloth \[m\].
    pub widths: Vec<f64>,
    /// Shares of the rail.
    pub spacings: Vec<f64>,
}

/// Places along a span \[m\] of columns whose gaps share it by their `spacing`, none of them wider
/// than its cloth: what a gap cannot take goes to the others.
pub(super) fn spread(gaps: &[Gap], span: f64) -> Vec<f64> {
    let mut share: Vec<f64> = gaps.iter().map(|g| g.spacing).collect();
    let mut fixed = vec![false; gaps.len()];
    for _ in 0..gaps.len() {
        let sum = |of_fixed: bool, value: &dyn Fn(usize) -> f64| -> f64 {
            let members = (0..gaps.len()).filter(|&k| fixed[k] == of_fixed);
            members.map(value).sum()
        };
        let left = span - sum(true, &|k| gaps[k].width);
        let scale = left / sum(false, &|k| gaps[k].spacing);
        let mut changed = false;
        for k in 0..gaps.len() {
            let wide = !fixed[k] && gaps[k].spacing * scale > gaps[k].width;
            changed |= wide;
            fixed[k] |= wide;
        }
        for k in 0..gaps.len() {
            share[k] = if fixed[k] { gaps[k].width } else { gaps[k].spacing * scale };
        }
        if !changed {
            break;
        }
    }
    let mut along = vec![0.0];
    for (k, step) in share.iter().enumerate() {
        along.push(along[k] + step);
    }
    along
}

/// A loop around the whole width that gathers the cloth to a hook.
#[derive(Clone, Debug, PartialEq)]
pub struct TieBack {
    /// Where it holds the cloth: 0 at the top, 1 at the hem.
    pub height: f64,
    /// Middle of the loop \[m\].
    pub hook: Vec3,
    /// Width of the gathered cloth, along the rail \[m\].
    pub width: f64,
    /// How far the loop is closed over time, from 0 (off) to 1.
    pub engaged: Keyframes,
}
