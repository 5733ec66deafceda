//! The longitudinal phase: every column a complex pendulum (XU5).
//!
//! Nodes have moved freely to `x*`; the rods now pull them back. Rod `i` joins node `i − 1` and
//! node `i`, has direction `n_i` and is too long by `c_i`. First the pull along the rods: tensions `λ_i`
//! (force times the step squared) move the nodes by `w_i (n_{i+1} λ_{i+1} − n_i λ_i)`, `w`
//! their mobility, and all rods have their length again, to first order, if
//!
//! `(w_{i−1} + w_i) λ_i − w_i (n_i·n_{i+1}) λ_{i+1} − w_{i−1} (n_i·n_{i−1}) λ_{i−1} = c_i`.
//!
//! Then the motion across: with the tensions known, new positions satisfy
//!
//! `x_i = x*_i + w_i (λ_{i+1}/l (x_{i+1} − x_i) − λ_i/l (x_i − x_{i−1}))`,
//!
//! tensions acting along the *new* rods, which no length of step makes unstable.
//!
//! Both are solved as the paper does it, from the free end up: the lowest rod has one neighbour
//! only, so its tension (position) can be expressed by that of the rod (node) above, and so on to the rail,
//! where everything becomes known; on the way down the values are filled in. No matrix, no iteration.
//!
//! Deviation from XU, Eqs. (5)–(8): there each node swings about its upper neighbour as if
//! that stood still (the acceleration of the local frame is left out). Every rod then swings with
//! the period of one short rod, so the period of a curtain would depend on the number of its rows. Here
//! the tensions are those of the whole chain. For a single node the two agree.

use super::nodes::Nodes;
use super::panel::Panel;
use crate::math::Vec3;

/// Largest push of a rod under pressure, in units of rod length over mobility. At ¼ neighbouring
/// nodes could be pushed apart without bound.
const MOST_PUSH: f64 = 0.125;

/// Corrects `next` of one panel and leaves the rods, still of slightly wrong length, in `rod`.
pub(super) fn swing(nodes: &mut Nodes, panel: &Panel) {
    let range = panel.nodes();
    let mut columns = Columns {
        m: panel.columns,
        length: panel.rod,
        next: &mut nodes.next[range.clone()],
        w: &nodes.mobility[range.clone()],
        rod: &mut nodes.rod[range.clone()],
        pivot: &mut nodes.pivot[range.clone()],
        tension: &mut nodes.tension[range.clone()],
        coupling: &mut nodes.coupling[range],
    };
    columns.measure(panel.frame[1]);
    columns.pull();
    columns.swing();
}

/// The columns of a panel side by side: node `k + m` hangs below node `k`.
struct Columns<'a> {
    m: usize,
    /// `l` \[m\].
    length: f64,
    /// `x*`, then `x`.
    next: &'a mut [Vec3],
    w: &'a [f64],
    /// `n_i`, in the end the rods from upper to lower node \[m\].
    rod: &'a mut [Vec3],
    pivot: &'a mut [f64],
    /// `c_i`, then `λ_i`, then `λ_i / l`.
    tension: &'a mut [f64],
    coupling: &'a mut [f64],
}

impl Columns<'_> {
    /// Unit directions of all rods, and by how much they are too long.
    fn measure(&mut self, down: Vec3) {
        let m = self.m;
        for k in m..self.next.len() {
            let d = self.next[k] - self.next[k - m];
            let length = d.length();
            self.rod[k] = if length > 0.0 { d / length } else { down };
            self.tension[k] = length - self.length;
        }
    }

    /// Tensions along the rods.
    fn pull(&mut self) {
        let (m, end) = (self.m, self.next.len());
        for k in (end - m..end).rev() {
            self.pivot[k] = 1.0 / (self.w[k] + self.w[k - m]);
        }
        for k in (m..end - m).rev() {
            let below = k + m;
            let c = -self.w[k] * self.rod[k].dot(self.rod[below]);
            let factor = c * self.pivot[below];
            self.tension[k] -= factor * self.tension[below];
            self.pivot[k] = 1.0 / (self.w[k] + self.w[k - m] - factor * c);
            self.coupling[below] = c;
        }
        for k in m..2 * m {
            self.tension[k] *= self.pivot[k];
        }
        for k in 2 * m..end {
            let from_above = self.coupling[k] * self.tension[k - m];
            self.tension[k] = (self.tension[k] - from_above) * self.pivot[k];
        }
    }

    /// New positions under these tensions: `x_i = P_i + Q_i x_{i−1}` upward (`P` in `next`, `Q` in
    /// `pivot`), then filled in downward.
    fn swing(&mut self) {
        let (m, end) = (self.m, self.next.len());
        let per_length = 1.0 / self.length;
        for k in m..end {
            let w = self.w[k].max(self.w[k - m]);
            let least = -MOST_PUSH / w;
            self.tension[k] = (self.tension[k] * per_length).max(least);
        }
        for k in (end - m..end).rev() {
            let own = self.w[k] * self.tension[k];
            let inverse = 1.0 / (1.0 + own);
            self.pivot[k] = own * inverse;
            self.next[k] *= inverse;
        }
        for k in (0..end - m).rev() {
            let own = if k < m { 0.0 } else { self.w[k] * self.tension[k] };
            let lower = self.w[k] * self.tension[k + m];
            let inverse = 1.0 / (1.0 + own + lower * (1.0 - self.pivot[k + m]));
            self.pivot[k] = own * inverse;
            self.next[k] = (self.next[k] + self.next[k + m] * lower) * inverse;
        }
        for k in m..end {
            let above = self.next[k - m];
            let x = self.next[k] + above * self.pivot[k];
            self.next[k] = x;
            self.rod[k] = x - above;
        }
    }
}
