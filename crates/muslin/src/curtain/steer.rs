//! Live controls of what holds a panel (XU9), and the pointer (BW7).

use super::{Curtain, Top};
use crate::link::Pull;
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
    /// Pulls a node towards a place, which it holds at the end of the next update, or lets go; pulls of
    /// numbers that are not finite and nodes that do not exist are ignored.
    pub fn pull(&mut self, pull: Option<(usize, Pull)>) {
        self.pull = pull.filter(|(node, pull)| *node < self.nodes.x.len() && pull.is_valid());
    }

    /// The first-level node in the row of a vertex that is nearest to it along the cloth.
    pub fn node_near(&self, vertex: usize) -> Option<usize> {
        let panel = self.panels.iter().find(|panel| panel.vertices().contains(&vertex))?;
        let place = vertex - panel.first_vertex;
        let (row, column) = (place / panel.mesh_columns, place % panel.mesh_columns);
        let columns = panel.node_columns().enumerate();
        let (nearest, _) = columns.min_by_key(|(_, own)| own.abs_diff(column))?;
        Some(panel.first_node + row * panel.columns + nearest)
    }

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
