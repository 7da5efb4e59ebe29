//! The time of claims: reads lines `QUESTION<tab>K` from standard input and
//! prints for each the verdict, the nodes and the processor time in seconds of
//! deciding whether K tricks are sure; with `--sure`, of finding how many are.
//!
//!     cargo run --release --manifest-path experiments/Cargo.toml --bin claim_times < claims.txt

use std::io::{BufRead, stdin};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use cpu_time::ThreadTime;
use setrograde_claim::{Claims, Knowledge, Options};
use setrograde_lookup::Database;
use setrograde_solver::Endgames;

/// Measures how long claims take: reads lines `QUESTION<tab>K` from standard
/// input.
#[derive(Parser)]
struct Arguments {
    /// Find how many tricks are sure, rather than whether K are.
    #[arg(long)]
    sure: bool,
    /// Give up on a claim after this many nodes.
    #[arg(long, value_name = "NODES")]
    limit: Option<u64>,
    /// The directory of a database that helps.
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Arguments { sure, limit, db } = Arguments::parse();
    let database = db.map(Database::open).transpose()?.map(Arc::new);
    let endgames = database.map(|database| database as Arc<dyn Endgames>);
    let mut times = Vec::new();
    let mut nodes = 0;
    let mut unknown = 0;
    for line in stdin().lock().lines() {
        let line = line?;
        let (question, tricks) = line.split_once('\t').ok_or("QUESTION<tab>K expected")?;
        let knowledge: Knowledge = question.parse()?;
        let tricks: u8 = tricks.trim().parse()?;
        let mut claims = Claims::new(Options {
            limit,
            endgames: endgames.clone(),
            ..Options::default()
        });
        let start = ThreadTime::now();
        let verdict = if sure {
            claims.sure(&knowledge).map(|sure| sure.to_string())
        } else {
            claims
                .is_sure(&knowledge, tricks)
                .map(|sure| sure.to_string())
        };
        let time = start.elapsed().as_secs_f64();
        let verdict = verdict.unwrap_or_else(|_| {
            unknown += 1;
            "unknown".to_owned()
        });
        println!(
            "{verdict}\t{}\t{time:.6}\t{}\t{line}",
            claims.nodes(),
            knowledge.tricks_left()
        );
        nodes += claims.nodes();
        times.push(time);
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    eprintln!(
        "{} claims, {unknown} unknown: {nodes} nodes, {:.3} s, median {:.6}, 90 % {:.6}, 99 % {:.6}, most {:.6}",
        times.len(),
        times.iter().sum::<f64>(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    Ok(())
}
