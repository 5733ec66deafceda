//! What goes over the socket and into the player: quantised points, and only what changed.

mod bytes;
mod frame;
mod points;
mod topology;

pub use frame::{Record, frame_message};
pub use points::{Points, Quantiser};
pub use topology::topology_message;
