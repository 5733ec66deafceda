//! Implicit shapes: negative inside, about the distance \[m\] near the surface.

mod loft;
mod solid;

pub use loft::{Frame, Loft, Section};
pub use solid::{Ellipsoid, RoundCone};

use muslin::math::Vec3;

/// One part of the figure's surface.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Sections along an axis.
    Loft(Loft),
    /// A cone with round ends.
    RoundCone(RoundCone),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
}

impl Shape {
    /// About the signed distance \[m\].
    pub fn value(&self, p: Vec3) -> f64 {
        match self {
            Self::Loft(s) => s.value(p),
            Self::RoundCone(s) => s.value(p),
            Self::Ellipsoid(s) => s.value(p),
        }
    }

    /// A ball around the shape: centre and radius \[m\].
    pub fn bounds(&self) -> (Vec3, f64) {
        match self {
            Self::Loft(s) => s.bounds(),
            Self::RoundCone(s) => s.bounds(),
            Self::Ellipsoid(s) => (s.centre, s.radii.max_element()),
        }
    }
}

/// The smaller of `a` and `b`, rounded where they differ by less than `k` \[m\]: a cubic of finite
/// support, twice differentiable at its ends, that lies at most `k/6` below the smaller one.
pub fn smooth_min(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * h * k / 6.0
}

/// The larger of `a` and `b`, rounded like [`smooth_min`].
pub fn smooth_max(a: f64, b: f64, k: f64) -> f64 {
    -smooth_min(-a, -b, k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rounded_minimum_is_the_minimum_outside_its_support_and_a_sixth_below_inside() {
        assert_eq!(smooth_min(1.0, 3.0, 2.0), 1.0);
        assert_eq!(smooth_min(3.0, 1.0, 0.5), 1.0);
        assert!((smooth_min(1.0, 1.0, 0.6) - 0.9).abs() < 1e-15);
        assert!((smooth_max(1.0, 1.0, 0.6) - 1.1).abs() < 1e-15);
    }
}
