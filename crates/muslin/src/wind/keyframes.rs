//! A number that changes in time.

/// How the value runs between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds each key until the next one.
    Constant,
    /// Straight lines.
    Linear,
    /// Starts and ends each span at rest.
    #[default]
    Smooth,
}

/// A scalar given at a few times; held before the first and after the last of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframes {
    keys: Vec<(f64, f64)>,
    interpolation: Interpolation,
}

impl Keyframes {
    /// The same `value` at all times.
    pub fn constant(value: f64) -> Self {
        Self { keys: vec![(0.0, value)], interpolation: Interpolation::Constant }
    }

    /// Keys `(time [s], value)` in any order; `None` if there is none or one is not finite.
    pub fn new(mut keys: Vec<(f64, f64)>, interpolation: Interpolation) -> Option<Self> {
        if keys.is_empty() || keys.iter().any(|k| !(k.0.is_finite() && k.1.is_finite())) {
            return None;
        }
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(Self { keys, interpolation })
    }

    /// Forgets all keys: the same `value` at all times from now on. Takes no memory.
    pub fn hold(&mut self, value: f64) {
        self.keys.truncate(1);
        if let Some(key) = self.keys.first_mut() {
            *key = (0.0, value);
        }
    }

    /// The value at `time` \[s\].
    pub fn at(&self, time: f64) -> f64 {
        let after = self.keys.partition_point(|k| k.0 <= time);
        let Some(&(t0, v0)) = self.keys.get(after.wrapping_sub(1)) else {
            return self.keys[0].1;
        };
        let Some(&(t1, v1)) = self.keys.get(after) else {
            return v0;
        };
        let s = (time - t0) / (t1 - t0);
        let blend = match self.interpolation {
            Interpolation::Constant => 0.0,
            Interpolation::Linear => s,
            Interpolation::Smooth => s * s * (3.0 - 2.0 * s),
        };
        v0 + (v1 - v0) * blend
    }
}
