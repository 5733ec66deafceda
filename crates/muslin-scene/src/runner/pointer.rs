//! Dragging cloth with a pointer while it runs (BW7).

use super::ties::Tie;
use super::{RunError, Runner};
use crate::spec;
use muslin::link::{Grab, Point, Strength};
use muslin::math::Vec3;
use muslin::motion::{Motion, Pose};

/// The pointer: its spring, and what it holds.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    stiffness: f64,
    damping: f64,
    grabbed: Option<Tie<Grab>>,
    /// Drags that the scene itself has.
    scripted: usize,
}

impl Pointer {
    /// A pointer that holds nothing.
    pub fn new(spec: &spec::Pointer) -> Self {
        let spec::Pointer { stiffness, damping, drag } = spec;
        Self { stiffness: *stiffness, damping: *damping, grabbed: None, scripted: drag.len() }
    }
}

impl Runner {
    /// Grabs a vertex of a cloth, both by number, or drags what is grabbed on to `target` [m]: it gets
    /// there during the next frame. A run in which nothing is grabbed is the same to the last bit.
    pub fn grab(&mut self, piece: usize, vertex: u32, target: Vec3) -> Result<(), RunError> {
        self.drag(piece, Point::vertex(vertex), target)
    }

    /// The same for any point of a cloth: a weighted sum of up to three of its vertices.
    pub fn drag(&mut self, piece: usize, point: Point, target: Vec3) -> Result<(), RunError> {
        let count = self.pieces.get(piece).map_or(0, |p| p.positions.len());
        if let Some(v) = point.vertices.iter().find(|&&v| v as usize >= count) {
            let message = format!("cloth {piece} has no vertex {v}; grab one that is there");
            return Err(RunError::part("pointer", message));
        }
        if !target.is_finite() || !point.weights.iter().all(|w| w.is_finite()) {
            return Err(RunError::part("pointer", "the target is not finite; give three numbers"));
        }
        let now = self.time();
        let held =
            self.pointer.grabbed.take().filter(|tie| tie.piece == piece && tie.link.point == point);
        let from = held.map_or(target, |tie| tie.link.target.pose(now).translation);
        let (arrival, fps) = (now + 1.0 / self.fps, self.fps);
        let path = move |t: f64| {
            let share = (1.0 - (arrival - t) * fps).clamp(0.0, 1.0);
            Pose::at(from + (target - from) * share)
        };
        let link = Grab {
            point,
            target: Motion::moving(path),
            stiffness: Strength::Constant(self.pointer.stiffness),
            damping: self.pointer.damping,
            from: f64::NEG_INFINITY,
            until: f64::INFINITY,
        };
        let grabbed = Tie { piece, to: None, link };
        self.engine.point(self.pointer.scripted, Some(grabbed.clone()));
        self.pointer.grabbed = Some(grabbed);
        Ok(())
    }

    /// Lets go of what is grabbed.
    pub fn release(&mut self) {
        self.pointer.grabbed = None;
        self.engine.point(self.pointer.scripted, None);
    }
}
