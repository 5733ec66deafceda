//! From a file's axes and unit to Muslin's (z up, metres), and back. Always given, never guessed.

use super::PolyMesh;
use muslin::math::Vec3;
use thiserror::Error;

/// Which axis of a file points up. Both are right-handed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// y up, -z away from the viewer: glTF, Maya, most body scans.
    Y,
    /// z up: Blender's and Muslin's own.
    #[default]
    Z,
}

/// A unit that lengths cannot be scaled by.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "the unit is {metres_per_unit} metres, but it must be a positive number: \
     1 for metres, 0.01 for centimetres"
)]
pub struct UnitError {
    /// The unit that was given [m].
    pub metres_per_unit: f64,
}

impl UpAxis {
    /// A vector of the file in Muslin's axes (z up).
    #[inline]
    pub fn world_from_file(self, v: Vec3) -> Vec3 {
        match self {
            Self::Y => Vec3::new(v.x, -v.z, v.y),
            Self::Z => v,
        }
    }

    /// A vector in Muslin's axes (z up) in those of the file.
    #[inline]
    pub fn file_from_world(self, v: Vec3) -> Vec3 {
        match self {
            Self::Y => Vec3::new(v.x, v.z, -v.y),
            Self::Z => v,
        }
    }
}

impl PolyMesh {
    /// The mesh in Muslin's axes and metres, given the file's up axis and unit [m].
    pub fn into_world(mut self, up: UpAxis, metres_per_unit: f64) -> Result<Self, UnitError> {
        if !(metres_per_unit > 0.0 && metres_per_unit.is_finite()) {
            return Err(UnitError { metres_per_unit });
        }
        for position in &mut self.positions {
            *position = up.world_from_file(*position) * metres_per_unit;
        }
        Ok(self)
    }
}
