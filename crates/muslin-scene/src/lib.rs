//! Scene files, meshes, bodies and motions in; caches and other programs' formats out.

pub mod formula;
pub mod keyframes;
pub mod spec;
