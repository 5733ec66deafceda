//! Caches: a run's frames in a folder that numpy opens without Muslin.
//!
//! A [`CacheWriter`] writes it frame by frame so that a crash or `kill -9` loses at most the frame
//! in flight, and [`CacheWriter::resume`] goes on to the same bits (R3). A [`Cache`] reads it and
//! tells damage from data (R6, R7). The format is described in `docs/cache.md`.

mod arrays;
mod disk;
mod error;
mod filler;
mod frame;
mod layout;
mod lock;
mod manifest;
mod npz;
mod reader;
mod resume;
mod run;
mod sha256;
mod snapshot;
#[cfg(test)]
mod tests;
mod topology;
mod writer;

pub use error::{CacheError, Remedy};
pub use filler::CacheFiller;
pub use frame::Frame;
pub use manifest::{FORMAT, FORMAT_VERSION, Manifest, Status};
pub use reader::Cache;
pub use resume::{Resume, ResumePoint};
pub use run::{Run, Span, Surface, SurfaceKind, UpAxis};
pub use sha256::{Sha256, sha256_hex};
pub use snapshot::{Array, Snapshot};
pub use topology::Topology;
pub use writer::{CacheWriter, Existing, Start};
