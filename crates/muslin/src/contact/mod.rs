//! What touching does to motion: repulsion and friction, impulses at collisions, rigid zones (BF).
//!
//! Works on the mean velocities of a step; knows positions, masses and features, not forces.

mod approach;
pub mod clutch;
mod exchange;
pub mod forecast;
mod grips;
pub mod impulse;
mod ladder;
pub mod loose;
pub mod obstacle;
mod pinch;
mod squeeze;
pub mod touch;
pub mod zone;

pub use approach::{Approach, Nearby};
pub use grips::{Grips, Memory};
pub use ladder::{ContactParams, Ladder, Motion, Resolved, Response, Unresolved};
