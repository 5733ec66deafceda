//! Springs between vertices (BF1): structural and shear springs, chords that skip a vertex, and the
//! stabilising springs between a chord and what it skips.
//!
//! | spring | between | energy |
//! |---|---|---|
//! | structural, shear, chord ([`Spring`]) | two vertices | `½ k (|d| − L)²`, `d = x1 − x0` |
//! | stabilising ([`BendSpring`]) | a point of a chord and the point it skips | `½ k |d|²`, `d = Σ w_i x_i` |
//!
//! A chord alone does not feel the first bit of a bend, which shortens it by the square of the angle; the
//! stabilising spring does, and carries the rigidity. All forces act along `d` and between points of the same
//! weight, so they keep momentum; so does damping, which acts along `d` only.

mod layout;

pub use layout::{Layout, springs};

use crate::math::{Vec2, Vec3};

/// Stabilising springs are damped fully once `|d|` is well above this share of their reach: without a
/// length there is no direction to damp along.
const SMALL: f64 = 0.05;

/// A spring between two vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Its ends.
    pub vertices: [u32; 2],
    /// Rest length `L` \[m\].
    pub length: f64,
    /// Stiffness `k` \[N/m\].
    pub stiffness: f64,
    /// Damping along the spring \[N·s/m\].
    pub damping: f64,
    /// Its direction at rest, in material coordinates.
    pub direction: Vec2,
}

/// A stabilising spring of no rest length between `w_0 x_0 + w_1 x_1`, a point of a chord, and
/// `−w_2 x_2 − w_3 x_3`, what the chord skips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendSpring {
    /// Both ends of the chord, then what it skips.
    pub vertices: [u32; 4],
    /// Weights; they sum to zero.
    pub weights: [f64; 4],
    /// Stiffness \[N/m\].
    pub stiffness: f64,
    /// Damping along the spring \[N·s/m\].
    pub damping: f64,
    /// `|d|` at a bend of one radian \[m\].
    pub reach: f64,
}

/// All springs of a cloth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Springs {
    /// Structural, shear and chord springs.
    pub axial: Vec<Spring>,
    /// Stabilising springs.
    pub bend: Vec<BendSpring>,
}

impl Springs {
    /// Adds another cloth's springs, whose vertices come `offset` later here.
    pub fn append(&mut self, other: &Self, offset: u32) {
        let axial = other.axial.iter();
        self.axial.extend(axial.map(|s| Spring { vertices: s.vertices.map(|v| v + offset), ..*s }));
        let bend = other.bend.iter();
        self.bend
            .extend(bend.map(|s| BendSpring { vertices: s.vertices.map(|v| v + offset), ..*s }));
    }
}

/// Energy of a spring \[J\].
pub fn energy(spring: &Spring, x: [Vec3; 2]) -> f64 {
    let stretch = x[0].distance(x[1]) - spring.length;
    0.5 * spring.stiffness * stretch * stretch
}

/// Energy of a stabilising spring \[J\].
pub fn bend_energy(spring: &BendSpring, x: [Vec3; 4]) -> f64 {
    0.5 * spring.stiffness * combine(spring, x).length_squared()
}

/// Force on the second end, and the unit direction from the first to it; the first end feels the
/// opposite.
#[inline]
pub fn force(spring: &Spring, x: [Vec3; 2]) -> (Vec3, Vec3) {
    let across = x[1] - x[0];
    let length = across.length();
    if length == 0.0 {
        return (Vec3::ZERO, Vec3::ZERO);
    }
    let unit = across / length;
    (unit * (spring.stiffness * (spring.length - length)), unit)
}

/// The force `−k d` of a stabilising spring, of which vertex `i` feels the share `w_i`; and the direction
/// `d/√(|d|² + ε²)` it is damped along.
#[inline]
pub fn bend_force(spring: &BendSpring, x: [Vec3; 4]) -> (Vec3, Vec3) {
    let d = combine(spring, x);
    let small = SMALL * spring.reach;
    (d * -spring.stiffness, d / (d.length_squared() + small * small).sqrt())
}

/// `Σ w_i a_i`.
#[inline]
pub fn combine(spring: &BendSpring, a: [Vec3; 4]) -> Vec3 {
    let w = spring.weights;
    a[0] * w[0] + a[1] * w[1] + a[2] * w[2] + a[3] * w[3]
}

#[cfg(test)]
mod tests;
