//! The command line of Muslin, as a library, so that other programs give the same answers.
//!
//! [`run_with`] reads arguments, calls one command and turns its answer into an exit code:
//! 0 when all that was asked is done, 1 when `check` found problems, 2 on an error.

mod arguments;
mod cache_scene;
mod commands;
mod console;
mod estimate;
mod export_meshes;
mod failure;
mod frame_range;
mod gallery;
mod gallery_pictures;
mod interrupt;
mod judgement;
mod out_path;
mod picture;
mod plot;
mod progress;
mod scene_source;
mod sheet;
mod text;
mod threads;

use arguments::{Arguments, Command};
use clap::Parser;
use console::Console;
use serde_json::Value;
use std::ffi::OsString;

pub use commands::render::{Shot, draw};
pub use failure::Failure;
pub use interrupt::Interrupt;
pub use scene_source::SceneSource;

/// What a command that did not fail has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All that was asked is done.
    Done,
    /// `check` looked at everything and found problems.
    ProblemsFound,
}

/// Does what the arguments say (the first is the program's name) and returns the exit code.
pub fn run_with(arguments: &[OsString]) -> u8 {
    let parsed = match Arguments::try_parse_from(arguments) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error, arguments),
    };
    let console = Console::new(parsed.json, parsed.quiet);
    // These clean up behind them; the others end at once.
    let cleans_up = matches!(parsed.command, Command::Export(_) | Command::Render(_));
    let interrupt = if cleans_up { Interrupt::listen() } else { Ok(Interrupt::default()) };
    match interrupt.and_then(|interrupt| dispatch(&parsed.command, console, &interrupt)) {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::ProblemsFound) => 1,
        Err(failure) => {
            console.failure(&failure);
            2
        }
    }
}

/// Does what the arguments say without printing, and returns what `--json` would have printed; `export`,
/// `render` and `check` of a cache end early when `interrupt` is asked.
pub fn ask(arguments: &[OsString], interrupt: &Interrupt) -> Result<(Outcome, Value), Failure> {
    let parsed = Arguments::try_parse_from(arguments).map_err(|error| Failure::usage(&error))?;
    let outcome = dispatch(&parsed.command, Console::keeping(), interrupt)?;
    Ok((outcome, console::kept()))
}

fn dispatch(
    command: &Command,
    console: Console,
    interrupt: &Interrupt,
) -> Result<Outcome, Failure> {
    match command {
        Command::Run(arguments) => commands::run::run(arguments, console),
        Command::Dress(arguments) => commands::dress::dress(arguments, console),
        Command::Gallery(arguments) => commands::gallery::gallery(arguments, console),
        Command::Render(arguments) => commands::render::render(arguments, console, interrupt),
        Command::Export(arguments) => commands::export::export(arguments, console, interrupt),
        Command::Finish(arguments) => commands::finish::finish(arguments, console),
        Command::Check(arguments) => commands::check::check(arguments, console, interrupt),
        Command::Fabrics(arguments) => commands::fabrics::fabrics(arguments, console),
        Command::View(arguments) => commands::view::view(arguments, console),
        Command::Bench(arguments) => commands::bench::bench(arguments, console),
        Command::Schema => commands::schema::schema(),
    }
}

/// Answers `--help` and `--version`, or says what is wrong with the arguments.
fn usage(error: &clap::Error, arguments: &[OsString]) -> u8 {
    if !error.use_stderr() {
        return match Console::new(false, false).answer(error.to_string().trim_end()) {
            Ok(()) => 0,
            Err(_) => 2,
        };
    }
    let json = arguments.iter().any(|argument| argument == "--json");
    Console::new(json, false).failure(&Failure::usage(error));
    2
}
