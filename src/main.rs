//! `setrograde`: endgame databases for double-dummy bridge, and a solver. Builds
//! databases, looks endings up, proves databases right, and solves deals.
//!
//! Each subcommand is a file in `commands`. They share `arguments` (options of the
//! command line), `questions` (reading questions, and answering them on all cores)
//! and `output` (tables, progress, explanations).

#![warn(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod commands;
mod interrupt;
mod outcome;
mod output;
mod questions;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::outcome::Outcome;
use crate::output::errors::one_line;
use crate::output::say;

const AFTER_HELP: &str = "\
Exit status:
  0    all done
  1    something failed; the last line on standard error says what (or a claim is
       not sure)
  2    the command line was not understood
  3    some questions had no answer (each is named on standard error)
  4    some claims are unknown: the limit was reached
  130  interrupted; what was finished is kept

Start with:
  setrograde build --cards 16 --db db
  setrograde query --db db --explain 'NT W N:AK.2.. QJ.A.. 32..A. ..K2.A'
  setrograde table 'N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76'";

/// Endgame databases for double-dummy bridge, and a solver.
///
/// Builds databases, looks endings up, proves databases right; solves deals, finds
/// claims, plays.
#[derive(Parser)]
#[command(version, after_help = AFTER_HELP, propagate_version = true)]
struct CommandLine {
    #[command(subcommand)]
    subcommand: commands::Subcommand,
}

fn main() -> ExitCode {
    let subcommand = CommandLine::parse().subcommand;
    match interrupt::listen().and_then(|()| subcommand.run()) {
        Ok(outcome) => outcome.into(),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What is written elsewhere says where.
            let error = match error.is::<io::Error>() && error.chain().count() == 1 {
                true => error.context("standard output: cannot write"),
                false => error,
            };
            say(format_args!("setrograde: {}", one_line(error.as_ref())));
            ExitCode::FAILURE
        }
    }
}

/// Whether standard output was closed by its reader, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
