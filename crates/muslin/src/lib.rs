//! Muslin's engine: cloth that never passes through itself, on an ordinary CPU.

pub mod body;
pub mod clock;
pub mod cloth;
pub mod collide;
pub mod contact;
pub mod curtain;
pub mod fabric;
pub mod finish;
pub mod folds;
pub mod force;
pub mod integrate;
pub mod judge;
pub mod levelset;
pub mod linalg;
pub mod link;
pub mod math;
pub mod mesh;
pub mod motion;
pub mod pin;
pub mod report;
mod share;
pub mod sim;
pub mod sparse;
pub mod strain_limit;
mod stretch;
pub mod wind;
