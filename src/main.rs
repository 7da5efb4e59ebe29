//! `setrograde`: endgame databases for double-dummy bridge, and a solver. Builds
//! databases, looks endings up, proves databases right, and solves deals.
//!
//! Each subcommand is a file in `commands`. They share `arguments` (options of the
//! command line), `questions` (reading questions, and answering them on all cores),
//! `json` (the objects that `--json` prints) and `output` (tables, progress, errors).

#![deny(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod allocator;
mod arguments;
mod commands;
mod interrupt;
mod json;
mod outcome;
mod output;
mod questions;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use setrograde::source::arguments_act;
use setrograde_builder::BuildError;

use crate::allocator::Allocator;
use crate::interrupt::is_interrupted;
use crate::outcome::Outcome;
use crate::output::errors::one_line;
use crate::output::say;
use crate::questions::Refused;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    ended(run())
}

/// Prints an error on standard error, and returns the exit status of the process.
fn ended(end: anyhow::Result<ExitCode>) -> ExitCode {
    match end {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // An error with a context says where it happened.
            let error = if error.is::<io::Error>() && error.chain().count() == 1 {
                error.context("standard output: cannot write")
            } else {
                error
            };
            say(format_args!("setrograde: {}", one_line(error.as_ref())));
            // Work that was cancelled ends with an error, too.
            if is_interrupted() {
                Outcome::Interrupted.into()
            } else if error.is::<Refused>() {
                Outcome::SomeUnanswered.into()
            } else if let Some(BuildError::Busy { .. }) = error.downcast_ref() {
                Outcome::Again.into()
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let subcommand = match commands::read() {
        Ok(subcommand) => subcommand,
        // Help and version are such an "error", too.
        Err(refusal) => return print_refusal(&refusal),
    };
    output::standard::check_output().context("standard output: cannot write")?;
    interrupt::listen()?;
    subcommand.run().map(ExitCode::from)
}

/// Prints what a command line asks for instead of work: an error, help or the version.
///
/// # Errors
///
/// If it cannot be written.
fn print_refusal(refusal: &clap::Error) -> anyhow::Result<ExitCode> {
    if refusal.use_stderr() && arguments_act() {
        refusal.render().to_string().lines().for_each(say);
        return Ok(ExitCode::from(refusal.exit_code() as u8));
    }
    let written = refusal.print().and_then(|()| io::stdout().flush());
    written.context("standard output: cannot write")?;
    Ok(ExitCode::from(refusal.exit_code() as u8))
}

/// Returns true if standard output was closed by its reader, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| {
            // "No process is on the other end of the pipe", on Windows.
            let of_windows = cfg!(windows) && error.raw_os_error() == Some(233);
            error.kind() == io::ErrorKind::BrokenPipe || of_windows
        })
    })
}
