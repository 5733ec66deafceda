//! A pointer that holds a vertex (BW7): a pin that follows it, at a bounded speed.

use super::engine::Engine;
use super::{RunError, Runner};
use muslin::math::Vec3;
use muslin::motion::{Motion, Pose};
use muslin::pin::{Hold, Pin};

/// Fastest that a pointer pulls [m/s].
const FASTEST: f64 = 4.0;

impl Runner {
    /// Pulls a vertex of a cloth towards `target` [m] during the next frame, instead of what was pulled
    /// before. Real-time dynamics can not be pulled.
    pub fn grab(&mut self, piece: usize, vertex: u32, target: Vec3) -> Result<(), RunError> {
        self.release();
        let frame = 1.0 / self.fps;
        let Engine::Implicit(engine) = &mut self.engine else { return Ok(()) };
        let (stock, islands) = (&engine.stock, &mut engine.islands);
        let missing =
            || RunError::part("pointer", "there is no such vertex; grab one that is there");
        let island = islands.iter_mut().find(|i| i.members.contains(&piece)).ok_or_else(missing)?;
        let (range, _) = stock.ranges(island, piece);
        let simulation = &mut island.simulation;
        let x = *simulation.state.x[range.clone()].get(vertex as usize).ok_or_else(missing)?;
        let (index, from) = (range.start as u32 + vertex, simulation.state.time);
        if simulation.pins.iter().any(|pin| pin.vertex == index && pin.holds_at(from)) {
            return Ok(());
        }
        let way = (target - x).clamp_length_max(FASTEST * frame);
        let pose = move |t: f64| Pose::at(way * ((t - from) / frame).clamp(0.0, 1.0));
        let motion = Motion::moving(pose);
        let hold = Hold::Point;
        simulation.pins.push(Pin { vertex: index, hold, motion, from, until: f64::INFINITY });
        Ok(())
    }

    /// Lets go.
    pub fn release(&mut self) {
        let Engine::Implicit(engine) = &mut self.engine else { return };
        let (stock, islands) = (&engine.stock, &mut engine.islands);
        for island in islands {
            let (_, own) = stock.counts(&island.members);
            island.simulation.pins.truncate(own);
            island.simulation.state.anchors.truncate(own);
        }
    }
}
