//! `body.flex`: bodies that bend and twist.

use crate::keyframes::Keyed;
use muslin::math::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A body whose upper part turns against its lower part, bending and twisting what is between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Flex {
    /// Heights in the shape's own frame between which it bends [m]; below the first it stays.
    pub between: [f64; 2],
    /// How the part above turns about x, then y, then z [degrees]; keyframable.
    pub rotation: Keyed<Vec3>,
}
