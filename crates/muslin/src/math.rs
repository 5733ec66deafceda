//! Vector types and the few operations glam lacks. One scalar, `f64`; one library, glam.

pub use glam::{DMat3 as Mat3, DQuat as Quat, DVec2 as Vec2, DVec3 as Vec3};

/// The unit vector along `a`, or `None` where `a` is zero or not finite.
#[inline]
pub fn try_normalize(a: Vec3) -> Option<Vec3> {
    let length = a.length();
    (length > 0.0 && length.is_finite()).then(|| a / length)
}

/// The outer product `a bᵀ`.
#[inline]
pub fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix `[a]×` with `[a]× b = a × b`.
#[inline]
pub fn skew(a: Vec3) -> Mat3 {
    Mat3::from_cols(
        Vec3::new(0.0, a.z, -a.y),
        Vec3::new(-a.z, 0.0, a.x),
        Vec3::new(a.y, -a.x, 0.0),
    )
}
