//! Several parts of a body: their union, and where they pinch (MF6).

use super::field::Sample;
use crate::math::{Vec3, try_normalize};

/// The union of parts: the sample with the smallest distance.
pub fn union(parts: impl IntoIterator<Item = Sample>) -> Option<Sample> {
    parts.into_iter().min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// Two parts at a point inside both of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Unit normal of the surface on which both are as far away.
    pub normal: Vec3,
    /// How far that surface is along the normal \[m\].
    pub offset: f64,
}

/// The surface of least distance between two parts, seen from a point: there `φ_a = φ_b`, so to first
/// order it is `(φ_b − φ_a)/|∇φ_a − ∇φ_b|` away along `∇φ_a − ∇φ_b`. `None` where both parts go the same
/// way and there is no such surface nearby.
pub fn meeting(a: &Sample, b: &Sample) -> Option<Meeting> {
    let apart = a.gradient - b.gradient;
    let slope = apart.length();
    // Below this angle between the normals the parts are one surface rather than two that close.
    if slope < 0.5 {
        return None;
    }
    let offset = (b.distance - a.distance) / slope;
    try_normalize(apart).map(|normal| Meeting { normal, offset })
}
