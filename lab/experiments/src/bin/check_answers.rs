//! Solves files of positions or deals whose answers are known, and compares:
//! without a database, and with each that is named.
//!
//! ```text
//! cargo run --profile dist -p setrograde-experiments --bin check_answers -- \
//!     [--db DIR]... [--limit N] [--rounds N] FILE...
//! ```
//!
//! Lines are `STRAIN LEADER PBN TRICKS`, or `PBN | t1 ... t20` for full deals;
//! `--limit` takes the first lines of each file only. The minimum of a line's times over all rounds
//! counts, because in the first round the database reads its files. The exit status is 1 if an
//! answer is wrong.

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, Solver};

/// A source of endgame answers, with its name.
type Source = (String, Option<Arc<dyn Endgames>>);

/// Solves files of positions or deals whose answers are known.
#[derive(Parser)]
struct Arguments {
    /// A database's directory; give it again for another.
    #[arg(long, value_name = "DIR")]
    db: Vec<String>,
    /// Take only the first N lines of each file.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// Solve every line N times; the least time counts.
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: usize,
    /// Positions or deals with their answers, one on each line.
    #[arg(required = true)]
    files: Vec<String>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut sources: Vec<Source> = vec![("no database".to_owned(), None)];
    let arguments = Arguments::parse();
    for directory in &arguments.db {
        let database = Database::open(directory)?;
        sources.push((database.extent(), Some(Arc::new(database))));
    }
    let mut wrong = 0;
    for path in &arguments.files {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let lines: Vec<&str> = text.lines().take(arguments.limit).collect();
        for source in &sources {
            wrong += check(path, &lines, arguments.rounds, source)?;
        }
    }
    Ok(if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Checks lines, prints the cost, and returns the number of wrong answers.
fn check(
    path: &str,
    lines: &[&str],
    rounds: usize,
    (name, endgames): &Source,
) -> Result<usize, Box<dyn Error>> {
    let mut solver = Solver::new(Options {
        endgames: endgames.clone(),
        ..Options::default()
    });
    let mut wrong = 0;
    let mut least = vec![f64::INFINITY; lines.len()];
    for round in 0..rounds {
        for (line, least) in lines.iter().zip(&mut least) {
            let (time, right) = answer(&mut solver, line)?;
            *least = least.min(time);
            if !right && round == 0 {
                wrong += 1;
                println!("wrong: {line}");
            }
        }
    }
    let count = lines.len().max(1);
    let total: f64 = least.iter().sum();
    least.sort_by(f64::total_cmp);
    let nodes = solver.nodes() / (count * rounds.max(1)) as u64;
    println!(
        "{path}, {name}: {count} solved, {wrong} wrong; mean {:.3} ms, median {:.3} ms; {nodes} nodes each",
        total / count as f64,
        least.get(count / 2).unwrap_or(&0.0),
    );
    Ok(wrong)
}

/// Solves a line: the milliseconds, and whether the answer is right.
fn answer(solver: &mut Solver, line: &str) -> Result<(f64, bool), Box<dyn Error>> {
    let (start, found, expected);
    if let Some((deal, answers)) = line.split_once(" | ") {
        let deal = deal.parse()?;
        start = Instant::now();
        (found, expected) = (solver.table(&deal)?.to_string(), answers);
    } else {
        let (position, tricks) = line.rsplit_once(' ').ok_or("a line without an answer")?;
        let position = position.parse()?;
        start = Instant::now();
        (found, expected) = (solver.tricks(&position)?.to_string(), tricks);
    }
    Ok((start.elapsed().as_secs_f64() * 1e3, found == expected))
}
