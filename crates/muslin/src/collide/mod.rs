//! Finding what touches: closest points, continuous collision, hierarchy and detection.
//!
//! Knows positions, triangles and edges; knows nothing of forces or masses.

pub mod aabb;
pub(crate) mod box_group;
pub mod bvh;
mod candidates;
pub mod ccd;
pub mod detect;
pub mod distance;
pub mod flat;
pub mod solid;
pub mod surface;
