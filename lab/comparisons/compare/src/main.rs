//! Asks several solvers the same questions in turn, one at a time, and compares
//! answers and times.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Parser;

use crate::report::Report;
use crate::solver::Solver;

mod report;
mod solver;

/// Compares this solver, with and without databases, with DDS 2.9 and DDS 3,
/// and with any other.
///
/// FILE has lines `PBN | t1 ... t20` (tables) or `STRAIN LEADER PBN TRICKS`.
/// Each solver is a program of its own. In every round every solver
/// answers every question, and no two solvers work at once. All answers must be
/// those of the file.
#[derive(Parser)]
struct Arguments {
    file: PathBuf,
    /// Rounds in which everything is asked.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Ask only the first of the questions.
    #[arg(long, value_name = "N")]
    deals: Option<usize>,
    /// Questions that are asked and timed together.
    #[arg(long, value_name = "N", default_value_t = 1)]
    batch: usize,
    /// A database for this solver; may be given several times.
    #[arg(long, value_name = "DIR")]
    db: Vec<PathBuf>,
    /// Unpack the databases before the first question.
    #[arg(long, requires = "db")]
    warm: bool,
    /// Another solver: a program that speaks the protocol of README.md; may be
    /// given several times.
    #[arg(long, value_name = "PATH")]
    solver: Vec<PathBuf>,
    /// Ask the databases alone, without a solver; the questions are endings.
    #[arg(long, requires = "db")]
    probe: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let text = std::fs::read_to_string(&arguments.file)
        .with_context(|| format!("cannot read {}", arguments.file.display()))?;
    let lines = text.lines().take(arguments.deals.unwrap_or(usize::MAX));
    let questions: Vec<(&str, &str)> = lines
        .map(|line| line.split_once(" | ").or_else(|| line.rsplit_once(' ')))
        .collect::<Option<_>>()
        .context("a line without an answer")?;
    ensure!(
        !questions.is_empty() && arguments.rounds > 0 && arguments.batch > 0,
        "there is nothing to ask"
    );

    let mut solvers = vec![Solver::beside("dds2", &[])?];
    match Solver::beside("stock", &[]) {
        Ok(solver) => solvers.push(solver),
        Err(_) => eprintln!("compare: continuing without an installed DDS"),
    }
    solvers.push(Solver::beside("dds3", &[])?);
    for path in &arguments.solver {
        solvers.push(Solver::start(path, &[])?);
    }
    if !arguments.probe {
        solvers.push(Solver::beside("ours", &[])?);
    }
    for db in &arguments.db {
        let mut options = vec!["--db".as_ref(), db.as_os_str()];
        if arguments.probe {
            options.push("--probe".as_ref());
        }
        if arguments.warm {
            options.push("--warm".as_ref());
        }
        solvers.push(Solver::beside("ours", &options)?);
    }

    let batches: Vec<&[(&str, &str)]> = questions.chunks(arguments.batch).collect();
    let mut report = Report::new(
        solvers.iter().map(|solver| solver.name.clone()).collect(),
        batches.iter().map(|batch| batch.len()).collect(),
    );
    for round in 0..arguments.rounds {
        report.start_round();
        for (at, batch) in batches.iter().enumerate() {
            for turn in 0..solvers.len() {
                let who = (turn + at + round) % solvers.len();
                let reply = solvers[who].ask(batch)?;
                report.add(who, at, reply);
            }
        }
    }
    print!("{report}");
    Ok(())
}
