//! Scene files, meshes, bodies and motions in; caches and other programs' formats out.

pub mod cache;
pub mod finish;
pub mod formats;
pub mod formula;
pub mod keyframes;
pub mod polymesh;
pub mod runner;
pub mod spec;
