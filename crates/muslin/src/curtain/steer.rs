//! Live controls of what holds a panel (XU9).

use super::{Curtain, Top};
use crate::math::Vec3;

/// What a hand does to a panel; holds until it is changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Controls<'a> {
    /// Place of the lead ring, 0 at the start of the rail and 1 at its end.
    pub lead: f64,
    /// Displacement of the whole rail or pole \[m\].
    pub offset: Vec3,
    /// How far each tie-back is closed, from 0 (off) to 1.
    pub tied: &'a [f64],
}

impl Curtain {
    /// Replaces the keyframes of panel `index` by these values from the next step on. Numbers that are
    /// not finite, and panels and tie-backs that do not exist, are ignored.
    pub fn steer(&mut self, index: usize, controls: &Controls) {
        let Some(panel) = self.panels.get_mut(index) else { return };
        if let Top::Rail(rail) = &mut panel.top {
            if controls.lead.is_finite() {
                rail.lead.hold(controls.lead);
            }
            if controls.offset.is_finite() {
                rail.offset = controls.offset;
            }
        }
        for (tie, &tied) in panel.tie_backs.iter_mut().zip(controls.tied) {
            if tied.is_finite() {
                tie.engaged.hold(tied);
            }
        }
    }
}
