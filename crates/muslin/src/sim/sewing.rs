//! Closing seams inside a simulation (BW15).

use super::Simulation;
use crate::link::Weld;

impl Simulation {
    /// Contact leaves closing seams alone: features that will share a vertex once `weld` is made do not
    /// push each other apart. All other features still do.
    pub fn sew(&mut self, weld: &Weld) {
        if let Some(ladder) = &mut self.scratch.ladder {
            ladder.sew(weld.map());
        }
    }
}
