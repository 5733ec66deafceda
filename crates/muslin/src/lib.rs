//! Muslin's engine: cloth that never passes through itself, on an ordinary CPU.

pub mod cloth;
pub mod fabric;
pub mod force;
pub mod linalg;
pub mod math;
pub mod mesh;
