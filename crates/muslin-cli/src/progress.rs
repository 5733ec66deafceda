//! How far a long job is, on standard error: one line that changes on a terminal, a plain line now
//! and then in a pipe (none for short jobs), nothing with `--quiet` or `--json`.

use crate::console::Console;
use crate::text::duration;
use std::io::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Shortest time between two changes of the line on a terminal.
const TERMINAL_PAUSE: Duration = Duration::from_millis(100);

/// Plain lines in all, at most: enough to follow a job in a log.
const PLAIN_LINES: u64 = 20;

/// Shortest time before a plain line.
const PLAIN_PAUSE: Duration = Duration::from_secs(2);

/// Share of the last item in the mean time of an item: recent ones say more about what is to come.
const RECENT: f64 = 0.2;

/// The progress of one job.
#[derive(Debug)]
pub struct Progress {
    terminal: bool,
    silent: bool,
    what: &'static str,
    total: u64,
    done: u64,
    /// Mean seconds of an item, recent ones weighing more.
    pace: Option<f64>,
    last_item: Instant,
    last_line: Instant,
    /// Length of the line shown last [characters].
    shown: usize,
}

impl Progress {
    /// A job of `total` items; `what` says what is done to them.
    pub fn new(console: Console, what: &'static str, total: u64) -> Self {
        Self {
            terminal: console.terminal,
            silent: console.quiet || console.json,
            what,
            total,
            done: 0,
            pace: None,
            last_item: Instant::now(),
            last_line: Instant::now(),
            shown: 0,
        }
    }

    /// One item more; `detail` says which and what happened.
    pub fn step(&mut self, detail: &str) {
        let now = Instant::now();
        self.count((now - self.last_item).as_secs_f64());
        self.last_item = now;
        if self.silent {
            return;
        }
        let pause = if self.terminal { TERMINAL_PAUSE } else { PLAIN_PAUSE };
        let every = if self.terminal { 1 } else { self.total.div_ceil(PLAIN_LINES).max(1) };
        let is_last = self.done == self.total && self.shown > 0;
        if is_last || (self.done.is_multiple_of(every) && now - self.last_line >= pause) {
            self.last_line = now;
            self.show(&self.line(detail));
        }
    }

    /// Counts an item that took `seconds`.
    fn count(&mut self, seconds: f64) {
        self.done += 1;
        self.pace = Some(self.pace.map_or(seconds, |pace| pace + RECENT * (seconds - pace)));
    }

    /// Seconds left, as far as one can tell.
    fn seconds_left(&self) -> Option<f64> {
        Some(self.pace? * self.total.saturating_sub(self.done) as f64)
    }

    fn line(&self, detail: &str) -> String {
        let percent = 100 * self.done / self.total.max(1);
        let left = match self.seconds_left() {
            Some(seconds) if self.done < self.total => format!(", {} left", duration(seconds)),
            _ => String::new(),
        };
        format!("{} {percent:3} %{left}, {detail}", self.what)
    }

    fn show(&mut self, line: &str) {
        let mut err = std::io::stderr().lock();
        let length = line.chars().count();
        // Progress that cannot be shown is no reason to stop the work.
        let written = if self.terminal {
            let blank = " ".repeat(self.shown.saturating_sub(length));
            write!(err, "\r{line}{blank}").and_then(|()| err.flush())
        } else {
            writeln!(err, "{line}")
        };
        drop(written);
        self.shown = length;
    }

    /// Ends the line on the terminal, so that others can write.
    pub fn end(&mut self) {
        if self.shown > 0 && self.terminal {
            drop(write!(std::io::stderr().lock(), "\r{}\r", " ".repeat(self.shown)));
            self.shown = 0;
        }
    }
}

/// Progress that several threads report to.
#[derive(Debug)]
pub struct SharedProgress(Mutex<Progress>);

impl SharedProgress {
    /// Shares a job among threads.
    pub fn new(progress: Progress) -> Self {
        Self(Mutex::new(progress))
    }

    /// One item more.
    pub fn step(&self, detail: &str) {
        if let Ok(mut progress) = self.0.lock() {
            progress.step(detail);
        }
    }

    /// Ends the line on the terminal.
    pub fn end(&self) {
        if let Ok(mut progress) = self.0.lock() {
            progress.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_and_how_long() {
        let console = Console { json: false, quiet: true, terminal: false, keep: false };
        let mut progress = Progress::new(console, "simulating", 4);
        progress.done = 1;
        progress.pace = Some(20.0);
        assert_eq!(progress.line("frame 1"), "simulating  25 %, 1:00 min left, frame 1");
        progress.done = 4;
        assert_eq!(progress.line("frame 4"), "simulating 100 %, frame 4");
    }

    #[test]
    fn recent_items_weigh_more() {
        let console = Console { json: false, quiet: true, terminal: false, keep: false };
        let mut progress = Progress::new(console, "simulating", 100);
        for seconds in [10.0, 10.0, 10.0, 20.0] {
            progress.count(seconds);
        }
        // 10 s + 0.2 (20 s − 10 s) for each of the 96 left.
        let left = progress.seconds_left().unwrap();
        assert!((left / (96.0 * 12.0) - 1.0).abs() < 0.01, "{left}");
    }
}
