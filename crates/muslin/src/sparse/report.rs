//! What a frame cost and did.

use crate::finish::{CurvedCounts, PushedOut};

/// Report of one update, over all its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Seconds for forces, steps and edge limits (OS8).
    pub integration: f64,
    /// Seconds for collisions (OS8).
    pub collision: f64,
    /// Seconds for the drawn surface, its clean-up against the body included (OS8).
    pub smoothing: f64,
    /// Steps the frame was divided into.
    pub steps: usize,
    /// Particles moved out of the body.
    pub vertex_contacts: usize,
    /// Faces moved out of the body.
    pub face_contacts: usize,
    /// Pairs of coarse faces, by their particles and edges, found too near each other (OS8).
    pub self_contacts: usize,
    /// Pairs that may have met, but for which there was no room.
    pub self_left_out: usize,
    /// Edges found too long.
    pub long_edges: usize,
    /// Largest edge length over rest length, minus 1, at the end \[-\].
    pub stretch: f64,
    /// What became of the edges' curves.
    pub curved: CurvedCounts,
    /// Clean-up of the drawn surface.
    pub drawn: PushedOut,
}

impl Report {
    /// Seconds for the whole frame.
    pub fn total(&self) -> f64 {
        self.integration + self.collision + self.smoothing
    }
}
