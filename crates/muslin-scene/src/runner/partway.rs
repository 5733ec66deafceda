//! Frames that stop on their way: between two steps a program may change what acts on the cloth and go on
//! from there (XU9), and a frame that nobody changed ends in the same bits as one that never stopped.

use super::islands::{self, Island};
use super::{FrameReport, RunError, Runner};
use muslin::collide::aabb::Aabb;
use muslin::sim::State;

/// A frame on its way.
pub(super) struct Begun {
    /// The islands as they were at its start, to which an error goes back.
    pub start: Vec<State>,
    /// What was done so far.
    pub report: FrameReport,
    /// What each island has swept that has arrived.
    pub arrived: Vec<Aabb>,
    /// What the island after them has swept so far.
    pub sweeping: Aabb,
}

impl Begun {
    /// A frame of which no step is taken yet.
    pub fn new(islands: &[Island]) -> Self {
        Self {
            start: islands.iter().map(|island| island.simulation.state.clone()).collect(),
            report: FrameReport::default(),
            arrived: Vec::with_capacity(islands.len()),
            sweeping: Self::place(islands.first()),
        }
    }

    /// The next island has arrived.
    pub fn arrive(&mut self, next: Option<&Island>) {
        self.arrived.push(std::mem::replace(&mut self.sweeping, Self::place(next)));
    }

    fn place(island: Option<&Island>) -> Aabb {
        islands::bounds(island.map_or(&[], |island| &island.simulation.state.x))
    }
}

impl Runner {
    /// Advances towards the next frame, asking `go_on` after every step of implicit dynamics: where it says
    /// no, the answer is `None`, and the next call goes on after that step. Real-time dynamics, whose frame
    /// takes milliseconds, do it whole.
    pub fn advance_some(
        &mut self,
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Option<FrameReport>, RunError> {
        let frame = self.frame + 1;
        let span = [self.frame, frame].map(|frame| frame as f64 / self.fps);
        let Some(report) = self.engine.advance_some(frame, span, &self.pieces, go_on)? else {
            return Ok(None);
        };
        self.arrive(frame, report)?;
        Ok(Some(self.report.clone()))
    }

    /// Goes on where `other` stands, also in the middle of a frame: the same cloth under other conditions.
    /// Whatever the pointer holds is let go.
    pub fn go_on_from(&mut self, other: &mut Self) -> Result<(), RunError> {
        other.release();
        self.restore(&other.snapshot(), other.frame)?;
        self.engine.take_begun(&mut other.engine);
        Ok(())
    }
}
