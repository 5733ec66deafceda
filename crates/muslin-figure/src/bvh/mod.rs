//! Motion capture in BVH files, mapped onto the figure.

mod clip;
mod error;
mod names;
mod parse;
mod retarget;
mod token;

pub use clip::{Clip, ClipRange};
pub use error::BvhError;
pub use parse::Bvh;

#[cfg(test)]
mod tests;
