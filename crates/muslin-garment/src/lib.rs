//! From sewing patterns to meshes (BW15): panels with seams in, a garment ready to be sewn out.
//!
//! ```
//! use muslin_garment::{MeshSettings, build, library};
//!
//! let pattern = library::pattern("@poncho", &[])?;
//! let garment = build(&pattern, &MeshSettings { edge_length: 0.04 })?;
//! assert_eq!(garment.weld.len(), garment.positions.len());
//! # Ok::<(), muslin_garment::GarmentError>(())
//! ```
//!
//! The way of a pattern: [`from_toml`] or [`from_garment_code`] reads a [`Pattern`]; `plan`
//! samples every edge once for both sides of its seam; `panel_mesh` fills each panel with
//! triangles; `assemble` places the panels around the body, stitches and welds.

mod assemble;
mod cdt;
mod curve;
mod error;
mod expression;
mod facing;
mod garment;
mod garment_code;
pub mod library;
mod panel_mesh;
mod pattern;
mod plan;
mod svg;
mod toml_format;
mod union_find;

pub use assemble::{MeshSettings, build};
pub use curve::{Curve, Measured};
pub use error::GarmentError;
pub use garment::{Attachment, Fold, Garment, Group, Part, SeamStitches};
pub use garment_code::from_garment_code;
pub use panel_mesh::Quality;
pub use pattern::{
    Button, Direction, ElasticBand, InnerLine, Panel, PanelEdge, Pattern, PatternPoint, Placement,
    Seam, SeamPiece, Wrap, WrapAxis,
};
pub use svg::to_svg;
pub use toml_format::{from_toml, from_toml_with};
