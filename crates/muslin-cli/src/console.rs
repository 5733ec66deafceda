//! Where words go: results to standard output, notes to standard error, nothing into a closed pipe.

use crate::failure::Failure;
use serde_json::Value;
use std::cell::RefCell;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

thread_local! {
    /// The last result of a [`Console::keeping`] on this thread.
    static KEPT: RefCell<Value> = const { RefCell::new(Value::Null) };
}

/// Takes the result that the last [`Console::keeping`] on this thread kept; null where there is none.
pub fn kept() -> Value {
    KEPT.take()
}

/// What the person, or the program, at the other end wants to read.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "four switches that any caller may combine")]
pub struct Console {
    /// One JSON object at the end, nothing else.
    pub json: bool,
    /// No notes, no progress, no summary.
    pub quiet: bool,
    /// Whether notes go to a terminal.
    pub terminal: bool,
    /// Keep the JSON object for the program that asks, and print nothing.
    pub keep: bool,
}

impl Console {
    /// A console that prints as `--json` and `--quiet` say.
    pub fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet, terminal: io::stderr().is_terminal(), keep: false }
    }

    /// A console that prints nothing and keeps the result for [`kept`].
    pub fn keeping() -> Self {
        Self { json: true, quiet: true, terminal: false, keep: true }
    }

    /// Prints what was asked for, also with `--quiet`.
    pub fn answer(self, text: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { print(text) }
    }

    /// Prints a summary of what was done; not with `--quiet`.
    pub fn say(self, text: &str) -> Result<(), Failure> {
        if self.quiet { Ok(()) } else { self.answer(text) }
    }

    /// Prints the result as JSON, with `--json` only.
    pub fn object(self, value: &Value) -> Result<(), Failure> {
        if self.keep {
            KEPT.set(value.clone());
            return Ok(());
        }
        if self.json { print(&pretty(value)) } else { Ok(()) }
    }

    /// Tells how things go, on standard error.
    pub fn note(self, text: &str) {
        if !self.quiet && !self.json {
            complain(text);
        }
    }

    /// Says why the command failed: JSON on standard output, or words on standard error.
    pub fn failure(self, failure: &Failure) {
        if self.json {
            // Nobody is left to tell if standard output is gone too.
            drop(print(&pretty(&failure.to_json())));
        } else {
            complain(&failure.to_text());
        }
    }
}

/// Prints JSON as a whole on standard output, whatever the flags: it is the answer.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print(&pretty(value))
}

/// Warns on standard error, whatever the flags.
pub fn warn(text: &str) {
    complain(&format!("warning: {text}"));
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

/// Prints a line. A reader that has gone (`muslin gallery | head -1`) has read enough.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::io("write to", Path::new("standard output"), &error))
        }
        _ => Ok(()),
    }
}

/// Prints a line on standard error; there is no other place to report that this fails.
fn complain(text: &str) {
    drop(writeln!(io::stderr().lock(), "{text}"));
}
