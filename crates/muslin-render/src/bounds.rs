//! Axis-aligned boxes of the world.

use muslin::math::Vec3;

/// An axis-aligned box [m]; empty where `min > max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates [m].
    pub min: Vec3,
    /// Greatest coordinates [m].
    pub max: Vec3,
}

impl Bounds {
    /// The box that holds nothing.
    pub const EMPTY: Self = Self {
        min: Vec3::INFINITY,
        max: Vec3::NEG_INFINITY,
    };

    /// The smallest box around the finite ones among `points` [m].
    pub fn of_points(points: &[Vec3]) -> Self {
        points
            .iter()
            .filter(|p| p.is_finite())
            .fold(Self::EMPTY, |b, &p| b.including(p))
    }

    /// The smallest box around this one and `point` [m].
    #[must_use]
    pub fn including(self, point: Vec3) -> Self {
        Self {
            min: self.min.min(point),
            max: self.max.max(point),
        }
    }

    /// The smallest box around both: join the boxes of all frames to frame an animation.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// True where the box holds no point.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The eight corners [m].
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, low: f64, high: f64| if i >> bit & 1 == 0 { low } else { high };
            Vec3::new(
                pick(0, self.min.x, self.max.x),
                pick(1, self.min.y, self.max.y),
                pick(2, self.min.z, self.max.z),
            )
        })
    }
}
