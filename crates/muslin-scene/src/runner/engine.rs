//! The dynamics a scene may choose, as one closed set.

use super::cloth::Piece;
use super::curtain::CurtainEngine;
use super::implicit::Implicit;
use super::sparse::SparseEngine;
use super::ties::Tie;
use super::{FrameReport, RunError};
use crate::cache::Snapshot;
use muslin::link::Grab;
use muslin::math::Vec3;

/// What moves the cloth.
pub enum Engine {
    /// Implicit, mixed or spring dynamics with robust contact, in islands.
    Implicit(Box<Implicit>),
    /// Columns of rods, in real time (XU).
    Curtain(Box<CurtainEngine>),
    /// Few particles and curved faces, in real time (OS).
    Sparse(Box<SparseEngine>),
}

impl Engine {
    /// Time [s]; `nominal` is the time of the present frame.
    pub fn time(&self, nominal: f64) -> f64 {
        match self {
            Self::Implicit(engine) => engine.time(),
            Self::Curtain(_) | Self::Sparse(_) => nominal,
        }
    }

    /// Advances from the frame before `frame` to it; `span` are their times [s].
    pub fn advance(
        &mut self,
        frame: u64,
        span: [f64; 2],
        pieces: &[Piece],
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<FrameReport, RunError> {
        match self {
            Self::Implicit(engine) => engine.advance(frame, span[1], pieces, go_on),
            Self::Curtain(engine) => engine.advance(frame, span),
            Self::Sparse(engine) => engine.advance(frame, span, pieces),
        }
    }

    /// The same, but where `go_on` says no the cloth stays where it is, in the middle of the frame: `None`.
    pub fn advance_some(
        &mut self,
        frame: u64,
        span: [f64; 2],
        pieces: &[Piece],
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Option<FrameReport>, RunError> {
        match self {
            Self::Implicit(engine) => engine.advance_some(frame, span[1], pieces, go_on),
            Self::Curtain(_) | Self::Sparse(_) => {
                self.advance(frame, span, pieces, go_on).map(Some)
            }
        }
    }

    /// Takes over a frame that another engine of the same cloths began.
    pub fn take_begun(&mut self, other: &mut Self) {
        if let (Self::Implicit(engine), Self::Implicit(other)) = (self, other) {
            engine.take_begun(other);
        }
    }

    /// Adds energies and stretch as they are now, at `time` [s].
    pub fn measure(&self, time: f64, report: &mut FrameReport) {
        match self {
            Self::Implicit(engine) => engine.measure(report),
            Self::Curtain(engine) => engine.measure(time, report),
            Self::Sparse(engine) => engine.measure(report),
        }
    }

    /// Leaves out everything that crosses now until it has separated (R1).
    pub fn leave_out_crossings(&mut self) {
        match self {
            Self::Implicit(engine) => engine.leave_out_crossings(),
            Self::Curtain(engine) => engine.leave_out_crossings(0.0),
            Self::Sparse(_) => {}
        }
    }

    /// Gives the pointer what it holds, or takes it away. Real-time dynamics pull the node or particle
    /// that is nearest to the vertex.
    pub fn point(&mut self, scripted: usize, grabbed: Option<Tie<Grab>>) {
        match self {
            Self::Implicit(engine) => engine.point(scripted, grabbed),
            Self::Curtain(engine) => engine.point(grabbed),
            Self::Sparse(engine) => engine.point(grabbed),
        }
    }

    /// Positions of all cloths [m], in the order of the scene.
    pub fn positions(&self) -> Vec<Vec3> {
        match self {
            Self::Implicit(engine) => engine.gather(|state| &state.x),
            Self::Curtain(engine) => engine.positions().to_vec(),
            Self::Sparse(engine) => engine.positions(),
        }
    }

    /// Velocities of all cloths [m/s], in the order of the scene.
    pub fn velocities(&self) -> Vec<Vec3> {
        match self {
            Self::Implicit(engine) => engine.gather(|state| &state.v),
            Self::Curtain(engine) => engine.velocities().to_vec(),
            Self::Sparse(engine) => engine.velocities(),
        }
    }

    /// What of cloth `m` has a rest length: edges, and the lengths [m].
    pub fn edges(&self, m: usize) -> Vec<([u32; 2], f64)> {
        match self {
            Self::Implicit(engine) => engine.edges(m),
            Self::Curtain(engine) => engine.edges(m),
            Self::Sparse(engine) => engine.edges(m),
        }
    }

    /// Everything the next step reads (R3).
    pub fn save(&self) -> Snapshot {
        match self {
            Self::Implicit(engine) => engine.save(),
            Self::Curtain(engine) => engine.save(),
            Self::Sparse(engine) => engine.save(),
        }
    }

    /// Puts the state back to a snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RunError> {
        match self {
            Self::Implicit(engine) => engine.restore(snapshot),
            Self::Curtain(engine) => engine.restore(snapshot),
            Self::Sparse(engine) => engine.restore(snapshot),
        }
    }

    /// Memory that a cloth vertex takes [bytes].
    pub fn bytes_per_vertex(&self) -> u64 {
        match self {
            // Matrix, preconditioner and hierarchy: a grid of 100² vertices peaks at 67 MB, one of
            // 200² at 254 MB.
            Self::Implicit(_) => 6_300,
            // Positions, velocities, normals, signs and boxes.
            Self::Curtain(_) => 400,
            // Positions, normals and scratch of the drawn surface; particles are few.
            Self::Sparse(_) => 300,
        }
    }
}
