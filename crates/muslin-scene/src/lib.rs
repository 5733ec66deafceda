//! Scene files, meshes, bodies and motions in; caches and other programs' formats out.

pub mod cache;
pub mod formats;
pub mod polymesh;
