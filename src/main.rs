//! `setrograde`: endgame databases for double-dummy bridge. Build them, ask
//! them, prove them.

mod analyse;
mod answer;
mod batch;
mod build;
mod estimate;
mod explain;
mod growth_chart;
mod interrupt;
mod level_table;
mod par;
mod plan;
mod progress;
mod published;
mod query;
mod report;
mod seal;
mod solve;
mod solver_arguments;
mod stats;
mod table;
mod verify;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

const AFTER_HELP: &str = "\
Exit status:
  0    all done
  1    something failed; the last line on standard error says what
  2    the command line was not understood
  3    some questions had no answer (each is named on standard error)
  130  interrupted; what was finished is kept

Start with:
  setrograde build --cards 16 --db db
  setrograde query --db db --explain 'NT W N:AK.2.. QJ.A.. 32..A. ..K2.A'
  setrograde table 'N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76'";

/// Endgame databases for double-dummy bridge, and a solver: build them, ask
/// them, prove them, solve deals.
#[derive(Parser)]
#[command(version, after_help = AFTER_HELP, propagate_version = true)]
struct Command {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Build(build::BuildArguments),
    Estimate(estimate::EstimateArguments),
    Plan(plan::PlanArguments),
    Seal(seal::SealArguments),
    Query(query::QueryArguments),
    Solve(solve::SolveArguments),
    Table(table::TableArguments),
    Par(par::ParArguments),
    Analyse(analyse::AnalyseArguments),
    Stats(stats::StatsArguments),
    Verify(verify::VerifyArguments),
    Report(report::ReportArguments),
}

/// How a command ended, short of an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    SomeUnanswered,
    Interrupted,
}

fn main() -> ExitCode {
    let result = match Command::parse().what {
        What::Build(arguments) => build::run(&arguments),
        What::Estimate(arguments) => estimate::run(&arguments),
        What::Plan(arguments) => plan::run(&arguments),
        What::Seal(arguments) => seal::run(&arguments),
        What::Query(arguments) => query::run(&arguments),
        What::Solve(arguments) => solve::run(&arguments),
        What::Table(arguments) => table::run(&arguments),
        What::Par(arguments) => par::run(&arguments),
        What::Analyse(arguments) => analyse::run(&arguments),
        What::Stats(arguments) => stats::run(&arguments),
        What::Verify(arguments) => verify::run(&arguments),
        What::Report(arguments) => report::run(&arguments),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::SomeUnanswered) => ExitCode::from(3),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("setrograde: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whoever read our output has seen enough, as `head` does.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
