//! What was refused, for the page and for tests.

use std::sync::atomic::{AtomicU64, Ordering};

/// How often something was refused or ended. Counting never waits.
#[derive(Debug, Default)]
pub struct Counters {
    /// Requests without the token, or with a foreign host or origin.
    pub forbidden: Counter,
    /// Requests that are not HTTP as it is spoken here, too long or too slow.
    pub bad_requests: Counter,
    /// Connections over the limit.
    pub busy: Counter,
    /// Sockets closed for a message that made no sense.
    pub malformed: Counter,
    /// Sockets closed for sending too much or too often.
    pub flooding: Counter,
    /// Frames that slow viewers were not sent.
    pub skipped_frames: Counter,
}

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds a number.
    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// The number so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
