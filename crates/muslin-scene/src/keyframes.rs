//! Values that change in time: constants, or keyframes with an interpolation (pins, bodies, wind).

use muslin::math::{Quat, Vec3};

#[cfg(test)]
mod tests;

/// How a value gets from one key to the next.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Interpolation {
    /// Holds each key's value until the next key.
    Constant,
    /// Straight from key to key.
    #[default]
    Linear,
    /// A cubic through the keys with continuous velocity that never overshoots them and is at rest
    /// at both ends.
    Smooth,
}

/// A quantity that can be keyframed: a number or a vector, interpolated by component.
pub trait KeyValue: Copy + std::fmt::Debug {
    /// The components, unused ones zero.
    fn components(self) -> [f64; 3];
    /// The value with these components.
    fn from_components(components: [f64; 3]) -> Self;
}

impl KeyValue for f64 {
    fn components(self) -> [f64; 3] {
        [self, 0.0, 0.0]
    }
    fn from_components(components: [f64; 3]) -> Self {
        components[0]
    }
}

impl KeyValue for Vec3 {
    fn components(self) -> [f64; 3] {
        self.to_array()
    }
    fn from_components(components: [f64; 3]) -> Self {
        Self::from_array(components)
    }
}

/// Why a list of keys is no animation.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum KeyframeError {
    /// There is no key at all.
    #[error("a list of keys needs at least one `[time, value]` pair")]
    Empty,
    /// A time or value is infinite or not a number.
    #[error("key {0} is not finite")]
    NotFinite(usize),
    /// Times must grow from key to key.
    #[error("key {index} is at {time} s, but key times must grow from one key to the next")]
    OutOfOrder {
        /// The key, counted from zero.
        index: usize,
        /// Its time [s].
        time: f64,
    },
}

/// A checked list of keys: at least one, finite, times strictly increasing.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframes<T> {
    keys: Vec<(f64, T)>,
    interpolation: Interpolation,
    repeat: bool,
}

impl<T: KeyValue> Keyframes<T> {
    /// Checks the `(time [s], value)` keys. With `repeat` the time from the first to the last key
    /// is played over and over, before the first key too.
    pub fn new(
        keys: Vec<(f64, T)>,
        interpolation: Interpolation,
        repeat: bool,
    ) -> Result<Self, KeyframeError> {
        if keys.is_empty() {
            return Err(KeyframeError::Empty);
        }
        for (index, &(time, value)) in keys.iter().enumerate() {
            if !time.is_finite() || value.components().iter().any(|c| !c.is_finite()) {
                return Err(KeyframeError::NotFinite(index));
            }
            if index > 0 && time <= keys[index - 1].0 {
                return Err(KeyframeError::OutOfOrder { index, time });
            }
        }
        Ok(Self { keys, interpolation, repeat })
    }

    /// The `(time [s], value)` keys, in order of time.
    pub fn keys(&self) -> &[(f64, T)] {
        &self.keys
    }

    /// How values get from key to key.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Whether the keys are played over and over.
    pub fn repeat(&self) -> bool {
        self.repeat
    }

    /// The time wrapped into the keyed interval where the keys repeat.
    fn wrap(&self, time: f64) -> f64 {
        let (first, last) = (self.keys[0].0, self.keys[self.keys.len() - 1].0);
        if self.repeat && last > first && time.is_finite() {
            first + (time - first).rem_euclid(last - first)
        } else {
            time
        }
    }

    /// Value and rate of change at `time`; the rate is the one just after `time` at a key.
    fn sample(&self, time: f64) -> (T, T) {
        let time = self.wrap(time);
        let zero = T::from_components([0.0; 3]);
        let after = self.keys.partition_point(|key| key.0 <= time);
        if after == 0 {
            return (self.keys[0].1, zero);
        }
        let k = after - 1;
        let (t0, v0) = self.keys[k];
        let Some(&(t1, v1)) = self.keys.get(after) else {
            return (v0, zero);
        };
        let (h, s) = (t1 - t0, (time - t0) / (t1 - t0));
        let (a, b) = (v0.components(), v1.components());
        let (mut value, mut rate) = ([0.0; 3], [0.0; 3]);
        for c in 0..3 {
            let slope = (b[c] - a[c]) / h;
            (value[c], rate[c]) = match self.interpolation {
                Interpolation::Constant => (a[c], 0.0),
                Interpolation::Linear => (a[c] + s * (b[c] - a[c]), slope),
                Interpolation::Smooth => {
                    let (m0, m1) = (self.tangent(k, c), self.tangent(after, c));
                    hermite(s, h, [a[c], b[c]], [m0, m1])
                }
            };
        }
        (T::from_components(value), T::from_components(rate))
    }

    /// The slope of component `c` at key `k` [1/s]: the harmonic mean of the neighbouring slopes
    /// (weighted by interval length), zero at extremes and at the ends, so the cubic is monotone
    /// between keys (Fritsch & Butland 1984).
    fn tangent(&self, k: usize, c: usize) -> f64 {
        if k == 0 || k + 1 == self.keys.len() {
            return 0.0;
        }
        let slope = |i: usize| {
            let ((t0, a), (t1, b)) = (self.keys[i], self.keys[i + 1]);
            ((b.components()[c] - a.components()[c]) / (t1 - t0), t1 - t0)
        };
        let ((d0, h0), (d1, h1)) = (slope(k - 1), slope(k));
        if d0 * d1 <= 0.0 {
            return 0.0;
        }
        let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
        (w0 + w1) / (w0 / d0 + w1 / d1)
    }
}

/// The cubic on `[0, h]` with end values `p` and end slopes `m`, and its slope, at `s·h`.
fn hermite(s: f64, h: f64, p: [f64; 2], m: [f64; 2]) -> (f64, f64) {
    let rise = p[1] - p[0];
    let c2 = 3.0 * rise - h * (2.0 * m[0] + m[1]);
    let c3 = h * (m[0] + m[1]) - 2.0 * rise;
    let value = p[0] + s * (h * m[0] + s * (c2 + s * c3));
    let rate = m[0] + s * (2.0 * c2 + s * 3.0 * c3) / h;
    (value, rate)
}

/// A value that is constant or keyframed.
#[derive(Clone, Debug, PartialEq)]
pub enum Keyed<T> {
    /// The same at all times.
    Constant(T),
    /// Interpolated between keys, held before the first and after the last.
    Keys(Keyframes<T>),
}

impl<T: KeyValue> Keyed<T> {
    /// The value at `time` [s].
    pub fn at(&self, time: f64) -> T {
        match self {
            Self::Constant(value) => *value,
            Self::Keys(keyframes) => keyframes.sample(time).0,
        }
    }

    /// The rate of change at `time` [per s], from the interpolation's own derivative.
    pub fn velocity_at(&self, time: f64) -> T {
        match self {
            Self::Constant(_) => T::from_components([0.0; 3]),
            Self::Keys(keyframes) => keyframes.sample(time).1,
        }
    }

    /// Every value written down: the constant, or the value of each key.
    pub fn values(&self) -> Vec<T> {
        match self {
            Self::Constant(value) => vec![*value],
            Self::Keys(keyframes) => keyframes.keys.iter().map(|key| key.1).collect(),
        }
    }

    /// Whether the value changes in time.
    pub fn is_animated(&self) -> bool {
        matches!(self, Self::Keys(keyframes) if keyframes.keys.len() > 1)
    }
}

/// The rotation by `degrees` about x, then y, then z (fixed axes).
pub fn rotation(degrees: Vec3) -> Quat {
    let r = degrees * (std::f64::consts::PI / 180.0);
    Quat::from_rotation_z(r.z) * Quat::from_rotation_y(r.y) * Quat::from_rotation_x(r.x)
}

/// The angular velocity [rad/s] of [`rotation`] at angles `degrees` turning at `rates` [degrees/s].
pub fn angular_velocity(degrees: Vec3, rates: Vec3) -> Vec3 {
    let to_radians = std::f64::consts::PI / 180.0;
    let turn_z = Quat::from_rotation_z(degrees.z * to_radians);
    let turn_zy = turn_z * Quat::from_rotation_y(degrees.y * to_radians);
    (Vec3::Z * rates.z + turn_z * (Vec3::Y * rates.y) + turn_zy * (Vec3::X * rates.x)) * to_radians
}
