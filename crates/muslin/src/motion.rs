//! Prescribed motion: rigid poses as functions of time.

use crate::math::{Quat, Vec3};
use std::fmt;
use std::sync::Arc;

/// A rigid placement: `x ↦ rotation · x + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rotation.
    pub rotation: Quat,
    /// Translation \[m\].
    pub translation: Vec3,
}

impl Pose {
    /// The pose that leaves everything where it is.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// A pure translation.
    pub fn at(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// Where the point `x` goes.
    #[inline]
    pub fn apply(&self, x: Vec3) -> Vec3 {
        self.rotation * x + self.translation
    }

    /// The pose that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// First `other`, then `self`.
    #[must_use]
    pub fn after(&self, other: &Self) -> Self {
        Self {
            rotation: self.rotation * other.rotation,
            translation: self.apply(other.translation),
        }
    }
}

/// A pose at every time \[s\].
#[derive(Clone)]
pub enum Motion {
    /// Stays where it is.
    Still(Pose),
    /// Any function of time.
    Moving(Arc<dyn Fn(f64) -> Pose + Send + Sync>),
}

impl Motion {
    /// A motion from a function of time.
    pub fn moving(pose: impl Fn(f64) -> Pose + Send + Sync + 'static) -> Self {
        Self::Moving(Arc::new(pose))
    }

    /// The pose at time `t` \[s\].
    pub fn pose(&self, t: f64) -> Pose {
        match self {
            Self::Still(pose) => *pose,
            Self::Moving(pose) => pose(t),
        }
    }
}

impl Default for Motion {
    fn default() -> Self {
        Self::Still(Pose::IDENTITY)
    }
}

impl fmt::Debug for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Still(pose) => f.debug_tuple("Still").field(pose).finish(),
            Self::Moving(_) => f.write_str("Moving"),
        }
    }
}
