//! The program `muslin`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    ExitCode::from(muslin_cli::run_with(&arguments))
}
