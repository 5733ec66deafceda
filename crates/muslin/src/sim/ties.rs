//! Links inside a simulation: the springs of a step (BW7, MF9), and contact around closing seams (BW15).

use super::Simulation;
use crate::link::{StepStart, Tied, Weld};

impl Simulation {
    /// The springs of a step of `dt` \[s\] from the present state.
    pub fn tied(&self, dt: f64) -> Tied {
        let Self { cloth, bodies, state, .. } = self;
        let (x, v, time) = (&state.x, &state.v, state.time);
        self.links.springs(&StepStart { cloth, bodies, x, v, time, dt }, &state.links)
    }

    /// Contact leaves closing seams alone: features that will share a vertex once `weld` is made do not
    /// push each other apart. All other features still do.
    pub fn sew(&mut self, weld: &Weld) {
        if let Some(ladder) = &mut self.scratch.ladder {
            ladder.sew(weld.map());
        }
    }
}
