//! Verification of the engine against closed forms: the small tier of the lists V (physics) and R
//! (robustness). Every reference is analytic or computed here by another method.

mod common;
mod drape;
mod failure;
mod fall;
mod friction;
mod mesh;
mod statics;
mod time_order;
mod tunnel;
