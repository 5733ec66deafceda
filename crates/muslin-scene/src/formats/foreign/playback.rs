//! An animation at any time: between frames by interpolation, few frames in memory.

use super::Animation;
use crate::formats::ReadError;
use muslin::math::Vec3;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Frames kept in memory: a step looks at two times, each between four frames.
const KEPT: usize = 8;

/// What happens between frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// Straight from frame to frame.
    #[default]
    Linear,
    /// Cubic Hermite with the slopes of the chords around each frame: velocities are continuous.
    Smooth,
}

/// Positions of an animation at any time, in the file's axes and unit.
#[derive(Debug)]
pub struct Playback {
    animation: Animation,
    interpolation: Interpolation,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// The frames used last, latest at the end.
    frames: Vec<(usize, Arc<Vec<Vec3>>)>,
    /// Why a frame could not be had.
    failure: Option<ReadError>,
}

impl Playback {
    /// Plays an animation.
    pub fn new(animation: Animation, interpolation: Interpolation) -> Self {
        Self { animation, interpolation, held: Mutex::default() }
    }

    /// The animation.
    pub fn animation(&self) -> &Animation {
        &self.animation
    }

    /// The time of the last frame [s].
    pub fn duration(&self) -> f64 {
        self.animation.times().last().copied().unwrap_or(0.0)
    }

    /// Writes the vertices at a time [s], held before the first frame and after the last; says
    /// whether it could. Where a frame cannot be read, `out` keeps what it holds and
    /// [`Self::failure`] says why.
    pub fn positions_at(&self, time: f64, out: &mut [Vec3]) -> bool {
        match self.try_positions(time, out) {
            Ok(()) => true,
            Err(error) => {
                self.lock().failure.get_or_insert(error);
                false
            }
        }
    }

    /// Why a frame could not be read, once.
    pub fn failure(&self) -> Option<ReadError> {
        self.lock().failure.take()
    }

    fn try_positions(&self, time: f64, out: &mut [Vec3]) -> Result<(), ReadError> {
        let times = self.animation.times();
        let after = times.partition_point(|&at| at <= time);
        let last = times.len() - 1;
        if after == 0 || after > last {
            let held = self.frame(if after == 0 { 0 } else { last })?;
            out.copy_from_slice(&held);
            return Ok(());
        }
        let before = after - 1;
        let length = times[after] - times[before];
        let s = (time - times[before]) / length;
        let (a, b) = (self.frame(before)?, self.frame(after)?);
        if self.interpolation == Interpolation::Linear {
            for ((out, a), b) in out.iter_mut().zip(a.iter()).zip(b.iter()) {
                *out = a.lerp(*b, s);
            }
            return Ok(());
        }
        // The chord around a frame, or the one chord there is at the ends.
        let (earlier, later) = (before.saturating_sub(1), (after + 1).min(last));
        let (p, q) = (self.frame(earlier)?, self.frame(later)?);
        let into = length / (times[after] - times[earlier]);
        let onward = length / (times[later] - times[before]);
        let (s2, s3) = (s * s, s * s * s);
        for (k, out) in out.iter_mut().enumerate() {
            let (slope_a, slope_b) = ((b[k] - p[k]) * into, (q[k] - a[k]) * onward);
            *out = a[k] * (2.0 * s3 - 3.0 * s2 + 1.0)
                + b[k] * (3.0 * s2 - 2.0 * s3)
                + slope_a * (s3 - 2.0 * s2 + s)
                + slope_b * (s3 - s2);
        }
        Ok(())
    }

    /// A frame, from memory if it was used lately.
    fn frame(&self, frame: usize) -> Result<Arc<Vec<Vec3>>, ReadError> {
        if let Some(known) = self.known(frame) {
            return Ok(known);
        }
        let positions = Arc::new(self.animation.positions(frame)?);
        let mut held = self.lock();
        if held.frames.len() >= KEPT {
            held.frames.remove(0);
        }
        held.frames.push((frame, Arc::clone(&positions)));
        Ok(positions)
    }

    fn known(&self, frame: usize) -> Option<Arc<Vec<Vec3>>> {
        let mut held = self.lock();
        let at = held.frames.iter().position(|(known, _)| *known == frame)?;
        let entry = held.frames.remove(at);
        let positions = Arc::clone(&entry.1);
        held.frames.push(entry);
        Some(positions)
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // What is held is whole at any time: a panic elsewhere does not spoil it.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
