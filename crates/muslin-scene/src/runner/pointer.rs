//! A pointer that holds a vertex (BW7): a pin that follows it, at a bounded speed.

use super::Runner;
use muslin::math::Vec3;
use muslin::motion::{Motion, Pose};
use muslin::pin::{Hold, Pin};

/// Fastest that a pointer pulls [m/s].
const FASTEST: f64 = 4.0;

impl Runner {
    /// Pulls a vertex of a cloth towards `target` [m] during the next frame, instead of what was pulled
    /// before.
    pub fn grab(&mut self, piece: usize, vertex: usize, target: Vec3) {
        self.release();
        let frame = 1.0 / self.fps;
        let Self { stock, islands, .. } = self;
        let Some(island) = islands.iter_mut().find(|i| i.members.contains(&piece)) else { return };
        let (range, _) = stock.ranges(island, piece);
        let simulation = &mut island.simulation;
        let Some(&x) = simulation.state.x[range.clone()].get(vertex) else { return };
        let (index, from) = ((range.start + vertex) as u32, simulation.state.time);
        if simulation.pins.iter().any(|pin| pin.vertex == index && pin.holds_at(from)) {
            return;
        }
        let way = (target - x).clamp_length_max(FASTEST * frame);
        let pose = move |t: f64| Pose::at(way * ((t - from) / frame).clamp(0.0, 1.0));
        let motion = Motion::moving(pose);
        let hold = Hold::Point;
        simulation.pins.push(Pin { vertex: index, hold, motion, from, until: f64::INFINITY });
    }

    /// Lets go.
    pub fn release(&mut self) {
        let Self { stock, islands, .. } = self;
        for island in islands {
            let (_, own) = stock.counts(&island.members);
            island.simulation.pins.truncate(own);
            island.simulation.state.anchors.truncate(own);
        }
    }
}
