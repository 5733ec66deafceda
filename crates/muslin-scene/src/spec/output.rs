//! `[render]`, `[output]`, `[finish]` and `[checks]`.

use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::keyframes::Keyed;

/// Where pictures are taken from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Where the camera is [m]; keyframable.
    pub eye: Keyed<Vec3>,
    /// What it looks at [m]; keyframable.
    pub target: Keyed<Vec3>,
    /// Vertical field of view [degrees].
    #[serde(default = "default_fov")]
    pub fov: f64,
}

fn default_fov() -> f64 {
    35.0
}

/// Pictures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Render {
    /// Width [pixels].
    pub width: u32,
    /// Height [pixels].
    pub height: u32,
    /// The camera; placed to show everything when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// Background "#rrggbb".
    pub background: String,
    /// Draw every n-th frame.
    pub every: u32,
}

impl Default for Render {
    fn default() -> Self {
        Self { width: 1280, height: 720, camera: None, background: "#f2efe9".to_owned(), every: 1 }
    }
}

/// The cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Frames between checkpoints of the full state.
    pub checkpoint_every: u32,
    /// Whether velocities are stored, for motion blur.
    pub velocities: bool,
    /// Whether the report of a frame lists the force on every pinned vertex and on every vertex that bodies hold,
    /// and that of every pair of features that touch (BW9, BW11, BW12).
    pub forces: bool,
}

impl Default for Output {
    fn default() -> Self {
        Self { checkpoint_every: 10, velocities: true, forces: false }
    }
}

/// What `muslin finish` does when its flags do not say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Finish {
    /// Levels of collision-aware subdivision (BF13).
    pub subdivide: u32,
    /// Wrinkle-preserving clean-up (MF8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cleanup: Option<Cleanup>,
    /// Curved faces (OS4 to OS7).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curved: Option<Curved>,
}

/// Wrinkle-preserving clean-up: distances in (−∞, τ] go to [ε, τ] (MF8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Cleanup {
    /// The distance τ above which nothing moves [m].
    pub reach: f64,
    /// The least distance ε afterwards [m].
    pub margin: f64,
    /// The deepest that cloth is expected to be in a body [m]; what is deeper is squeezed together.
    pub depth: f64,
}

impl Default for Cleanup {
    fn default() -> Self {
        Self { reach: 0.01, margin: 0.0, depth: 0.01 }
    }
}

/// Curved faces (OS4 to OS7).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Curved {
    /// Level of tessellation (OS7).
    pub level: u32,
    /// Weight normals by elastic force (OS5) instead of by area.
    pub force_normals: bool,
    /// Keep edge curves at their rest length (OS6).
    pub keep_length: bool,
    /// The factor k of the first guess for a fold's height (OS6).
    pub fold_guess: f64,
}

impl Default for Curved {
    fn default() -> Self {
        Self { level: 2, force_normals: true, keep_length: true, fold_guess: 0.5 }
    }
}

/// What must be true of the result; checked by tests and `muslin check`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Checks {
    /// Most crossing triangle pairs in any frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossings: Option<u32>,
    /// Most stretch of an edge in any frame, as a fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch_max: Option<f64>,
    /// Band of the mean height of all cloth at the end [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<[f64; 2]>,
    /// Band of the lowest height of all cloth at the end [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lowest: Option<[f64; 2]>,
    /// Band of the highest height of all cloth at the end [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest: Option<[f64; 2]>,
    /// Band of the drop of the lowest vertex after `fall_frames`, divided by ½gt².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fall: Option<[f64; 2]>,
    /// The frame at which `fall` is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fall_frames: Option<u32>,
    /// Band of the number of contacts at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contacts: Option<[f64; 2]>,
    /// Most kinetic energy at the end, as a fraction of its peak (V16).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinetic_energy: Option<f64>,
    /// Most bending energy at the end, as a fraction of its peak: sculpted folds came back (MF5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bend_energy: Option<f64>,
}
