//! Solves files of positions or deals whose answers are known, and compares.
//!
//! Lines are `STRAIN LEADER PBN TRICKS`, or `PBN | t1 ... t20` for whole deals.
//! Environment: `DB` names the directory of a database to consult, `LIMIT` is the
//! number of lines to solve, and `BY_TRICKS` asks for nodes by cards left.

use std::sync::Arc;
use std::time::Instant;

use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let endgames = match std::env::var_os("DB") {
        Some(directory) => Some(Arc::new(Database::open(directory)?) as Arc<dyn Endgames>),
        None => None,
    };
    let limit = std::env::var("LIMIT").map_or(Ok(usize::MAX), |text| text.parse())?;
    for path in std::env::args().skip(1) {
        let mut solver = Solver::new(Options {
            endgames: endgames.clone(),
            ..Options::default()
        });
        let mut wrong = 0;
        let mut times = Vec::new();
        for line in std::fs::read_to_string(&path)?.lines().take(limit) {
            let start;
            let right = if let Some((deal, answers)) = line.split_once(" | ") {
                let deal = deal.parse()?;
                start = Instant::now();
                solver.table(&deal)?.to_string() == answers
            } else {
                let (position, answer) = line.rsplit_once(' ').ok_or("no answer")?;
                let position = position.parse()?;
                start = Instant::now();
                solver.tricks(&position)?.to_string() == answer
            };
            times.push(start.elapsed().as_secs_f64() * 1e3);
            if !right {
                wrong += 1;
                println!("wrong: {line}");
            }
        }
        let count = times.len();
        let total: f64 = times.iter().sum();
        times.sort_by(f64::total_cmp);
        println!(
            "{path}: {count} solved, {wrong} wrong; mean {:.3} ms, median {:.3} ms; {} nodes each, {:.0} ns a node",
            total / count as f64,
            times[count / 2],
            solver.nodes() / count as u64,
            total * 1e6 / solver.nodes() as f64,
        );
        if std::env::var_os("BY_TRICKS").is_some() {
            for (left, nodes) in solver.nodes_by_tricks_left().iter().enumerate().skip(2) {
                println!("{:2} cards: {} nodes each", 4 * left, nodes / count as u64);
            }
        }
    }
    Ok(())
}
