//! Animation channels: one property of one node over time.

use super::{
    accessor::{Accessors, Shape},
    document::{Animation, Interpolation},
};
use crate::formats::ReadError;
use muslin::math::Quat;

/// The property that a channel moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
}

/// One property of one node over time.
#[derive(Debug, Clone)]
pub(super) struct Track {
    pub(super) node: usize,
    pub(super) property: Property,
    interpolation: Interpolation,
    /// Ascending [s].
    times: Vec<f64>,
    /// Numbers of one value.
    width: usize,
    /// One value a key; with cubic splines in-tangent, value, out-tangent.
    values: Vec<f64>,
}

impl Track {
    /// The channels of an animation, checked. Properties that move nothing here are skipped.
    pub(super) fn read_all(
        animation: &Animation,
        name: &str,
        node_count: usize,
        accessors: &Accessors,
    ) -> Result<Vec<Self>, ReadError> {
        let mut tracks = Vec::new();
        for (index, channel) in animation.channels.iter().enumerate() {
            let fail = |problem: String| {
                let place = format!("channel {index} of animation `{name}`");
                ReadError::file(accessors.file, format!("{place} {problem}"))
            };
            let property = match channel.target.path.as_str() {
                "translation" => Property::Translation,
                "rotation" => Property::Rotation,
                "scale" => Property::Scale,
                "weights" => Property::Weights,
                _ => continue,
            };
            let Some(node) = channel.target.node else { continue };
            if node >= node_count {
                return Err(fail(format!("moves node {node}, but the file has {node_count}")));
            }
            let sampler = animation.samplers.get(channel.sampler).ok_or_else(|| {
                let count = animation.samplers.len();
                fail(format!("names sampler {}, but the animation has {count}", channel.sampler))
            })?;
            let shape = match property {
                Property::Translation | Property::Scale => Shape::Vec3,
                Property::Rotation => Shape::Vec4,
                Property::Weights => Shape::Scalar,
            };
            let what = format!("animation `{name}`");
            let times = accessors.numbers(sampler.input, Shape::Scalar, &what)?;
            let values = accessors.numbers(sampler.output, shape, &what)?;
            let ascending = times.windows(2).all(|pair| pair[0] < pair[1]);
            let per_key = if sampler.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            let width = match property {
                Property::Weights => values.len() / (per_key * times.len().max(1)),
                _ => shape as usize,
            };
            if times.is_empty() || !ascending || values.len() != per_key * width * times.len() {
                return Err(fail(format!(
                    "has {} keys, not ascending in time or not as many as its {} values: \
                     export it again",
                    times.len(),
                    values.len()
                )));
            }
            let interpolation = sampler.interpolation;
            tracks.push(Self { node, property, interpolation, times, width, values });
        }
        Ok(tracks)
    }

    /// The time of the last key [s].
    pub(super) fn end(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// All key times [s].
    pub(super) fn times(&self) -> &[f64] {
        &self.times
    }

    /// The value at a time [s], held before the first key and after the last.
    pub(super) fn sample(&self, time: f64) -> Vec<f64> {
        let last = self.times.len() - 1;
        let after = self.times.partition_point(|&key| key <= time);
        if after == 0 || after > last {
            return self.value(if after == 0 { 0 } else { last }).to_vec();
        }
        let before = after - 1;
        let length = self.times[after] - self.times[before];
        let s = (time - self.times[before]) / length;
        match self.interpolation {
            Interpolation::Step => self.value(before).to_vec(),
            Interpolation::Linear if self.property == Property::Rotation => {
                let [a, b] = [before, after].map(|key| quaternion(self.value(key)));
                a.slerp(b, s).to_array().to_vec()
            }
            Interpolation::Linear => {
                let pairs = self.value(before).iter().zip(self.value(after));
                pairs.map(|(a, b)| a + (b - a) * s).collect()
            }
            Interpolation::CubicSpline => self.hermite(before, s, length),
        }
    }

    /// Cubic Hermite: tangents are slopes, so they count times the length of the interval.
    fn hermite(&self, before: usize, s: f64, length: f64) -> Vec<f64> {
        let (s2, s3) = (s * s, s * s * s);
        let (h00, h10) = (2.0 * s3 - 3.0 * s2 + 1.0, s3 - 2.0 * s2 + s);
        let (h01, h11) = (3.0 * s2 - 2.0 * s3, s3 - s2);
        let out = &self.part(before, 2);
        let into = &self.part(before + 1, 0);
        let (a, b) = (self.value(before), self.value(before + 1));
        (0..self.width)
            .map(|k| h00 * a[k] + h01 * b[k] + length * (h10 * out[k] + h11 * into[k]))
            .collect()
    }

    fn value(&self, key: usize) -> &[f64] {
        self.part(key, usize::from(self.interpolation == Interpolation::CubicSpline))
    }

    fn part(&self, key: usize, part: usize) -> &[f64] {
        let cubic = self.interpolation == Interpolation::CubicSpline;
        let start = (key * if cubic { 3 } else { 1 } + part) * self.width;
        &self.values[start..start + self.width]
    }
}

/// A unit quaternion from x, y, z, w; no rotation where they are all zero.
pub(super) fn quaternion(xyzw: &[f64]) -> Quat {
    let [x, y, z, w] = [0, 1, 2, 3].map(|k| xyzw.get(k).copied().unwrap_or(0.0));
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if length > 0.0 && length.is_finite() {
        Quat::from_xyzw(x / length, y / length, z / length, w / length)
    } else {
        Quat::IDENTITY
    }
}
