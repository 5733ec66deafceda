//! What is near and what will meet: the geometry under the collision ladder of BF.

pub mod ccd;
pub mod distance;
