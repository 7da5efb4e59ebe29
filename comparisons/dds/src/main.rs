//! Runs this solver and DDS 2.9 (as the crate `ddss-sys` builds it) in turn, on
//! one thread, on the same deals, and compares answers and times.
//!
//! ```text
//! compare-dds FILE [--rounds N] [--deals N] [--db DIR]
//! ```
//!
//! Lines are `PBN | t1 ... t20` (tables) or `STRAIN LEADER PBN TRICKS` (single
//! boards). Of each deal's times in the rounds the least counts, for each
//! solver. Every answer of both is compared with the one in the file.

use std::ffi::c_char;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use setrograde_cards::{Deal, Position, Strain};
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, Solver};

enum Task {
    Table(Deal),
    Board(Box<Position>),
}

fn pbn(text: &str) -> [c_char; 80] {
    let mut cards = [0; 80];
    for (slot, byte) in cards.iter_mut().zip(text.bytes()) {
        *slot = byte as c_char;
    }
    cards
}

/// DDS's number of a strain: spades 0 to no trump 4.
fn denomination(strain: Strain) -> usize {
    strain.trump().map_or(4, |suit| suit.index())
}

fn dds(task: &Task) -> anyhow::Result<String> {
    match task {
        Task::Table(deal) => {
            let deal = ddss_sys::ddTableDealPBN {
                cards: pbn(&deal.to_string()),
            };
            let mut results = ddss_sys::ddTableResults::default();
            // SAFETY: DDS was set up, and is called from this thread only.
            let code = unsafe { ddss_sys::CalcDDtablePBN(deal, &mut results) };
            anyhow::ensure!(code == 1, "DDS failed with {code}");
            let tricks = Strain::ALL
                .iter()
                .flat_map(|&strain| results.resTable[denomination(strain)])
                .map(|tricks| tricks.to_string());
            Ok(tricks.collect::<Vec<_>>().join(" "))
        }
        Task::Board(position) => {
            let deal = ddss_sys::dealPBN {
                trump: denomination(position.strain()) as i32,
                first: position.leader().index() as i32,
                currentTrickSuit: [0; 3],
                currentTrickRank: [0; 3],
                remainCards: pbn(&position.deal().to_string()),
            };
            let mut found = ddss_sys::futureTricks::default();
            // SAFETY: as above.
            let code = unsafe { ddss_sys::SolveBoardPBN(deal, -1, 1, 1, &mut found, 0) };
            anyhow::ensure!(code == 1, "DDS failed with {code}");
            Ok(found.score[0].to_string())
        }
    }
}

fn ours(task: &Task, solver: &mut Solver) -> anyhow::Result<String> {
    Ok(match task {
        Task::Table(deal) => solver.table(deal)?.to_string(),
        Task::Board(position) => solver.tricks(position)?.to_string(),
    })
}

fn main() -> anyhow::Result<()> {
    let (mut file, mut rounds, mut deals, mut endgames) = (None, 3, usize::MAX, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .with_context(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--rounds" => rounds = value()?.parse()?,
            "--deals" => deals = value()?.parse()?,
            "--db" => endgames = Some(Arc::new(Database::open(value()?)?) as Arc<dyn Endgames>),
            _ => file = Some(argument),
        }
    }
    let file = file.context("which file?")?;
    // SAFETY: called once, before any other function of DDS.
    unsafe { ddss_sys::SetMaxThreads(1) };

    let text = std::fs::read_to_string(&file)?;
    let mut tasks = Vec::new();
    for line in text.lines().take(deals) {
        tasks.push(match line.split_once(" | ") {
            Some((deal, answer)) => (Task::Table(deal.parse()?), answer),
            None => {
                let (position, answer) = line.rsplit_once(' ').context("no answer")?;
                (Task::Board(Box::new(position.parse()?)), answer)
            }
        });
    }
    let mut times = vec![[f64::INFINITY; 2]; tasks.len()];
    let mut nodes = 0;
    // DDS keeps its table for a deal that it has just seen, so the rounds go
    // over all deals.
    for round in 0..rounds {
        for ((task, answer), least) in tasks.iter().zip(&mut times) {
            for who in [round % 2, 1 - round % 2] {
                let options = Options {
                    endgames: endgames.clone(),
                    ..Options::default()
                };
                let mut solver = Solver::new(options);
                let start = Instant::now();
                let found = if who == 0 {
                    dds(task)?
                } else {
                    ours(task, &mut solver)?
                };
                let time = start.elapsed().as_secs_f64() * 1e3;
                if found != *answer {
                    bail!(
                        "expected {answer}, {} says {found}",
                        ["DDS", "this solver"][who]
                    );
                }
                least[who] = least[who].min(time);
                if round == 0 {
                    nodes += solver.nodes();
                }
            }
        }
    }

    let count = times.len();
    anyhow::ensure!(count > 0, "no deals");
    let total = |who: usize| times.iter().map(|time| time[who]).sum::<f64>();
    let median = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    for (who, name) in ["DDS 2.9", "ours"].into_iter().enumerate() {
        let mut own: Vec<f64> = times.iter().map(|time| time[who]).collect();
        println!(
            "{name:8} mean {:9.3} ms  median {:9.3} ms",
            total(who) / count as f64,
            median(&mut own)
        );
    }
    let mut ratios: Vec<f64> = times.iter().map(|[dds, ours]| ours / dds).collect();
    println!(
        "{count} deals, all answers equal; ours / DDS: {:.3} in total, {:.3} median; {} nodes a deal",
        total(1) / total(0),
        median(&mut ratios),
        nodes / count as u64,
    );
    Ok(())
}
