//! Vector types and the few operations glam lacks. One scalar, `f64`; one library, glam.

pub(crate) mod lanes;

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
    Mat3::from_cols(Vec3::new(0.0, a.z, -a.y), Vec3::new(-a.z, 0.0, a.x), Vec3::new(a.y, -a.x, 0.0))
}

/// A small seeded generator (SplitMix64): the same numbers on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator whose sequence is decided by `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in `[low, high)`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}
