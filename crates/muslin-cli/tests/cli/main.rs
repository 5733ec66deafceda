//! The built program, run as a person or a script would.

#![expect(
    clippy::unwrap_used,
    reason = "functions of an integration test that are not tests themselves"
)]

mod bad_files;
mod bad_input;
mod check;
mod dress;
mod export;
mod finish;
mod imported;
mod interrupted;
mod pictures;
mod run;
mod support;
mod talk;
mod view;
