//! `[[cloth.crease]]`: folds pressed into a cloth, as chains of edges with a rest angle (MF5).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::formula::Formula;

/// Edges that rest at an angle: a pleat or a crease. Exactly one of `chain`, `line` and `formula` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Crease {
    /// Angle between the two sides [degrees]: 0 is flat, positive folds the front sides apart (a mountain seen
    /// from the front).
    pub angle: f64,
    /// Vertices one after the other, each joined to the next by an edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<Vec<u32>>,
    /// A line across the cloth from one point to another, in u and v from 0 to 1; the edges nearest to it, end
    /// to end, are creased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<[[f64; 2]; 2]>,
    /// Edges both of whose ends have a value that is not 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<Formula>,
    /// How much stiffer than the fabric the crease bends, as a factor: pressing sets the yarns.
    #[serde(default = "same")]
    pub stiffness: f64,
}

fn same() -> f64 {
    1.0
}
