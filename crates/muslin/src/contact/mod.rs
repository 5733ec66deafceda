//! What touching does to motion: repulsion and friction, impulses at collisions, rigid zones (BF).
//!
//! Works on the mean velocities of a step; knows positions, masses and features, not forces.

pub mod impulse;
mod ladder;
pub mod obstacle;
pub mod zone;

pub use ladder::{ContactParams, Ladder, Motion, Resolved, Unresolved};
