//! `[sparse]`: few particles, and the smooth surface that is drawn over them (OS).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What of sparse cloth is saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Drawn {
    /// The curved surface.
    #[default]
    Curved,
    /// The particles and the flat faces between them.
    Coarse,
}

/// How many folds an edge that is too short may carry (OS6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Folds {
    /// None: plain PN triangles.
    None,
    /// One, the paper's.
    #[default]
    One,
    /// Up to two.
    Two,
    /// Up to four.
    Four,
}

/// Which way folds go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FoldSide {
    /// Along the normal, always: the paper's.
    #[default]
    Normal,
    /// Against it where the cloth around the edge is bent hollow.
    Bending,
}

/// "sparse" dynamics: how the few particles move, and how their surface is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Sparse {
    /// What is saved: the "curved" surface or the "coarse" mesh.
    pub drawn: Drawn,
    /// Segments along each side of a face; the paper's 18 triangles a face when not given (OS7).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segments: Option<u32>,
    /// Weight normals by elastic forces (OS5).
    pub normal_control: bool,
    /// Folds on edges that are too short (OS6).
    pub folds: Folds,
    /// Which way folds go.
    pub fold_side: FoldSide,
    /// The factor k of the first guess for a fold's height (OS6).
    pub fold_guess: f64,
    /// Lower folds where other faces of the cloth are in their way (OS8).
    pub fold_clearance: bool,
    /// Stiffness of every edge [N/m]; the largest that the step allows when not given (OS1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Damping of the springs as a part of critical damping.
    pub damping: f64,
    /// Stretch beyond which the ends of an edge are pulled together, as a fraction (OS2).
    pub stretch_limit: f64,
    /// Sweeps over all edges in a step (OS2).
    pub limit_sweeps: u32,
    /// Distance that the drawn surface keeps from bodies [m]; 0 leaves it where it is (OS8).
    pub margin: f64,
}

impl Default for Sparse {
    fn default() -> Self {
        Self {
            drawn: Drawn::default(),
            segments: None,
            normal_control: true,
            folds: Folds::default(),
            fold_side: FoldSide::default(),
            fold_guess: 0.5,
            fold_clearance: true,
            stiffness: None,
            damping: 0.2,
            stretch_limit: 0.01,
            limit_sweeps: 6,
            margin: 0.004,
        }
    }
}
