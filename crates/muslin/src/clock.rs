//! Seconds per stage for the report. Never read by anything that decides what happens.

use std::time::Instant;

/// A running clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

/// Starts a clock.
pub fn start() -> Clock {
    Clock(Instant::now())
}

impl Clock {
    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// Seconds since the start or the last lap, and starts anew.
    pub fn lap(&mut self) -> f64 {
        let seconds = self.seconds();
        self.0 = Instant::now();
        seconds
    }
}
