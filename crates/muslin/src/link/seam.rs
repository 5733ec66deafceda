//! Seams (BW15): matched vertices of two borders drawn together by zero-length springs, then welded.
//!
//! A spring of stiffness `k` under a load `F` stays open by `F/k`, and a stiffness that leaves no gap worth
//! speaking of is one that no linear solve resolves. So a stitch also carries a pull `λ`, the multiplier of the
//! augmented Lagrangian `E(x) + λ·c + ½ k |c|²` of the gap `c = x_a − x_b`, and what it finds of a gap is added to it:
//!
//! ```text
//! f_a = −f_b = −(λ + k c + k τ ċ),      λ̇ = k c / (4 τ)
//! ```
//!
//! Against a constant load this is `τ c̈ + ċ + c/(4τ) = 0`, critically damped: gaps go to zero as `e^{−t/(2τ)}`, whatever
//! the stiffness, and λ to the load. Where cloth or a body is in the way λ stops at a bound, so that
//! nothing winds up.

use super::{Spring, StepStart, Strength};
use crate::math::Vec3;

/// A seam being closed.
#[derive(Clone, Debug)]
pub struct Seam {
    /// Matched vertices.
    pub stitches: Vec<[u32; 2]>,
    /// Stiffness of each stitch \[N/m\], growing while the seam closes.
    pub stiffness: Strength,
    /// Largest pull of a stitch \[N\]: one that gapes wide is as soft as this asks.
    pub force: Strength,
    /// Time constant of the closing \[s\]: the damping of a stitch is its stiffness times this, so that
    /// gaps shrink as `e^{−t/τ}`, however strong the stitches are.
    pub closing: f64,
    /// Largest pull `λ` that a stitch carries besides its spring \[N\]; 0 for springs alone.
    pub carried: f64,
}

impl Seam {
    /// The springs of a step, and what each stitch carries in it \[N\]; `before` is what they carried in the
    /// step before, empty at the start.
    pub(super) fn springs(&self, start: &StepStart, before: &[Vec3]) -> (Vec<Spring>, Vec<Vec3>) {
        let (most, force) = (self.stiffness.at(start.time), self.force.at(start.time));
        let mut carried = Vec::new();
        let mut springs = Vec::with_capacity(self.stitches.len());
        for (k, &[a, b]) in self.stitches.iter().enumerate() {
            let gap = start.x[a as usize] - start.x[b as usize];
            let wide = most * gap.length() > force;
            let stiffness = if wide { force / gap.length() } else { most };
            let mut place = Vec3::ZERO;
            if self.carried > 0.0 {
                let was = before.get(k).copied().unwrap_or_default();
                // What gapes wide is still on its way.
                let share = if wide { 0.0 } else { stiffness * start.dt / (4.0 * self.closing) };
                let pull = (was + gap * share).clamp_length_max(self.carried);
                place = if stiffness > 0.0 { pull / -stiffness } else { Vec3::ZERO };
                carried.push(pull);
            }
            springs.push(Spring {
                vertices: [a, b, a, a],
                weights: [1.0, -1.0, 0.0, 0.0],
                place,
                since: start.time,
                stiffness,
                damping: stiffness * self.closing,
                ..Spring::default()
            });
        }
        (springs, carried)
    }

    /// The widest stitch at positions `x`: its number and its gap \[m\].
    pub fn widest(&self, x: &[Vec3]) -> Option<(usize, f64)> {
        let gaps = self.stitches.iter().map(|[a, b]| x[*a as usize].distance(x[*b as usize]));
        gaps.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

#[cfg(test)]
mod tests;
