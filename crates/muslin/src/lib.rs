//! Muslin's engine: cloth that never passes through itself, on an ordinary CPU.

pub mod collide;
pub mod judge;
pub mod math;
