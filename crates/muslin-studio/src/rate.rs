//! How often a client may send.

use std::time::Instant;

/// Messages a second, in the long run: a pointer that moves sends one a picture.
const PER_SECOND: f64 = 150.0;
/// Messages at once.
const AT_ONCE: f64 = 300.0;

/// A bucket that fills with time and is emptied by messages.
#[derive(Debug)]
pub struct Allowance {
    left: f64,
    since: Instant,
}

impl Allowance {
    /// A full bucket.
    pub fn new(now: Instant) -> Self {
        Self { left: AT_ONCE, since: now }
    }

    /// Whether one more message is allowed.
    pub fn take(&mut self, now: Instant) -> bool {
        let seconds = now.saturating_duration_since(self.since).as_secs_f64();
        self.left = (self.left + seconds * PER_SECOND).min(AT_ONCE) - 1.0;
        self.since = now;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_flood_is_stopped_and_a_steady_hand_is_not() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        let at_once = (0..1000).take_while(|_| allowance.take(start)).count();
        assert_eq!(at_once, 300);
        let mut allowance = Allowance::new(start);
        let steady = |k: u32| allowance.take(start + Duration::from_millis(7) * k);
        assert!((0..5000).all(steady), "143 a second, for 35 seconds");
    }
}
