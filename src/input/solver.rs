//! What all subcommands that solve have in common.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use setrograde_cards::{Deal, TextError};
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, SolveError, Solver, TrickTable};

use super::questions::{NoAnswer, Questions};
use super::threads::ThreadsArgument;
use crate::Outcome;
use crate::interrupt::stop_on_interrupt;

/// How to solve.
#[derive(Args)]
pub struct SolverArguments {
    /// The directory of a database that helps; the answers are the same.
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Memory for each worker's table, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Print one JSON object a line.
    #[arg(long)]
    pub json: bool,
}

impl SolverArguments {
    /// Answers questions with a solver for each worker.
    pub fn run(
        &self,
        question: &[String],
        answer: impl Fn(&mut Solver, &str) -> Result<String, NoAnswer> + Sync,
    ) -> anyhow::Result<Outcome> {
        let stop = stop_on_interrupt()?;
        let database = self.db.as_ref().map(Database::open).transpose()?;
        let memory = usize::try_from(u64::from(self.memory) << 20).context("too much memory")?;
        let options = Options {
            memory,
            endgames: database.map(|database| Arc::new(database) as Arc<dyn Endgames>),
            cancel: Some(Arc::clone(&stop)),
        };
        let questions = Questions {
            question,
            threads: self.threads.count(),
            json: self.json,
            piece: 1,
            stop: &stop,
        };
        let outcome = questions.run(|| Solver::new(options.clone()), answer)?;
        if outcome == Outcome::Interrupted {
            eprintln!("setrograde: interrupted");
        }
        Ok(outcome)
    }
}

impl From<SolveError> for NoAnswer {
    fn from(error: SolveError) -> NoAnswer {
        match error {
            SolveError::Cancelled => NoAnswer::Interrupted,
            error => NoAnswer::Refused(format!("{:#}", anyhow::Error::new(error))),
        }
    }
}

/// Reads a deal and finds its 20 results.
pub fn deal_and_table(solver: &mut Solver, text: &str) -> Result<(Deal, TrickTable), NoAnswer> {
    let deal: Deal = text
        .parse()
        .map_err(|error: TextError| NoAnswer::from(error))?;
    let table = solver.table(&deal)?;
    Ok((deal, table))
}
