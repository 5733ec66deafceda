//! Exact arithmetic that judges the engine's floating-point geometry.

pub mod contact;
pub mod families;
pub mod poly;
pub mod random;
