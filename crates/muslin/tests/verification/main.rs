//! Verification of the engine against closed forms: the small tier of the lists V (physics) and R
//! (robustness). Every reference is analytic or computed here by another method.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests, which fail by panicking and print what they measure"
)]

mod capstan;
mod caught;
mod common;
mod constraints;
mod drape;
mod energy;
mod failure;
mod fall;
mod friction;
mod large_steps;
mod levelset;
mod mesh;
mod mixed;
mod rest;
mod statics;
mod time_order;
mod tunnel;
mod wedge;
