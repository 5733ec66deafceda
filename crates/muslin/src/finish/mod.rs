//! Finishing: smooth surfaces from coarse meshes, for drawing.
//!
//! [`CurvedFaces`] replaces every face of a coarse mesh by curved patches (OS4–OS7). It needs only
//! positions and rest lengths, so it serves the sparse garments of [`crate::sparse`] and the frames of
//! any other run alike. [`subdivide`] refines and smooths any cloth without letting it cross (BF13), and
//! [`cleanup`] moves finished cloth out of bodies and keeps its wrinkles (MF8).

pub mod box_tree;
mod cleaner;
pub mod cleanup;
mod crossings;
mod curved_faces;
mod curved_settings;
pub mod edge_length;
mod fold_plan;
mod guard;
pub mod normal_control;
pub(crate) mod pair_tree;
mod patches;
pub mod pn_triangle;
mod push_clear;
mod push_out;
mod solids;
pub mod subdivide;
mod tessellation;
mod unit_normals;
mod untangle;

pub use cleaner::{CleanCounts, Cleaner, WrinkleField};
pub use crossings::Crossings;
pub use curved_faces::{ControlVectors, CurvedCounts, CurvedFaces, MANY_TRIANGLES};
pub use curved_settings::{CurvedError, CurvedSettings, FoldSide, Folds};
pub use guard::{Guarded, HalfSpace, Obstacles, move_guarded};
pub use push_clear::{BodyField, BodyParts};
pub use push_out::{Asked, Clearance, Known, PushedOut, push_out};
pub(crate) use push_out::{clear_from, stays_clear};
pub use solids::BodySolids;
pub use tessellation::{MOST_SEGMENTS, Tessellation};
