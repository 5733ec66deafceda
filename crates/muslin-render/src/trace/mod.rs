//! Rays against triangles: a four-wide bounding volume hierarchy built by the surface area heuristic.

mod build;
mod bvh;
mod pack;

pub(crate) use bvh::{Bvh, Tracer};
pub(crate) use pack::{Hit, Ray};

#[cfg(test)]
mod tests;
