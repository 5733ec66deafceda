//! The command line of Muslin.
//!
//! `main` reads the arguments, calls one command and turns its answer into an exit code:
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
use failure::Failure;
use std::process::ExitCode;

/// What a command that did not fail has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// All that was asked is done.
    Done,
    /// `check` looked at everything and found problems.
    ProblemsFound,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let console = Console::new(arguments.json, arguments.quiet);
    match dispatch(&arguments.command, console) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::ProblemsFound) => ExitCode::from(1),
        Err(failure) => {
            console.failure(&failure);
            ExitCode::from(2)
        }
    }
}

fn dispatch(command: &Command, console: Console) -> Result<Outcome, Failure> {
    match command {
        Command::Run(arguments) => commands::run::run(arguments, console),
        Command::Gallery(arguments) => commands::gallery::gallery(arguments, console),
        Command::Render(arguments) => commands::render::render(arguments, console),
        Command::Export(arguments) => commands::export::export(arguments, console),
        Command::Check(arguments) => commands::check::check(arguments, console),
        Command::Fabrics(arguments) => commands::fabrics::fabrics(arguments, console),
        Command::View(arguments) => commands::view::view(arguments, console),
        Command::Bench(arguments) => commands::bench::bench(arguments, console),
        Command::Schema => commands::schema::schema(),
    }
}

/// Answers `--help` and `--version`, or says what is wrong with the arguments.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match Console::new(false, false).answer(error.to_string().trim_end()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(2),
        };
    }
    let json = std::env::args_os().any(|argument| argument == "--json");
    Console::new(json, false).failure(&Failure::usage(error));
    ExitCode::from(2)
}
