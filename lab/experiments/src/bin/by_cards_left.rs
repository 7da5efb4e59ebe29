//! The solver's nodes by cards left, without a database and with each that is
//! named.
//!
//! ```text
//! cargo run --profile dist -p setrograde-experiments --bin by_cards_left -- \
//!     [--db DIR]... [--sets reduced|walk|none] [--deals N] FILE
//! ```
//!
//! Lines of the file are deals in PBN; what follows ` | ` is ignored. All 20
//! results of each are found on one thread, once to warm up and once to count. A
//! node is an arrival at the start of a trick that the tricks left alone do not
//! decide.
//!
//! `--sets` says what becomes of a database's proofs.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::{Parser, ValueEnum};
use setrograde_cards::Deal;
use setrograde_endgame::ending::Ending;
use setrograde_experiments::deals;
use setrograde_lookup::{Database, ProbeError};
use setrograde_solver::{Endgames, EndgamesError, Options, Solver, TopCards, Verdict};

/// Counts the solver's nodes by cards left.
#[derive(Parser)]
struct Arguments {
    /// A database's directory; give it again for another.
    #[arg(long, value_name = "DIR")]
    db: Vec<String>,
    /// The fate of a database's proofs.
    #[arg(long, value_enum, default_value_t = Sets::Reduced)]
    sets: Sets,
    /// Take only the first N deals.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    deals: usize,
    /// Deals in PBN, one on each line.
    file: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut deals = deals(&arguments.file)?;
    deals.truncate(arguments.deals);
    let mut columns: Vec<Column> = Vec::new();
    columns.push(measure(&deals, None)?);
    for directory in &arguments.db {
        let probes = Arc::new(Probes::open(directory, arguments.sets)?);
        columns.push(measure(&deals, Some(probes))?);
    }
    print(&columns, deals.len());
    Ok(())
}

/// The cost of a search, with one database or none.
struct Column {
    name: String,
    /// Tricks of the database; 0 for none.
    depth: usize,
    /// By tricks left.
    nodes: [u64; 14],
    /// For all deals.
    milliseconds: f64,
    counts: Counts,
}

/// The outcomes of the solver's questions at the boundary.
#[derive(Clone, Copy, Default)]
struct Counts {
    answered: u64,
    /// For a partial level.
    missing: u64,
    /// The cards that the proofs named.
    known_cards: u64,
}

fn measure(deals: &[Deal], probes: Option<Arc<Probes>>) -> Result<Column, Box<dyn Error>> {
    let mut solver = Solver::new(Options {
        endgames: probes.clone().map(|probes| probes as Arc<dyn Endgames>),
        ..Options::default()
    });
    for deal in deals {
        solver.table(deal)?;
    }
    let before = *solver.nodes_by_tricks_left();
    if let Some(probes) = &probes {
        probes.take_counts();
    }
    let start = Instant::now();
    for deal in deals {
        solver.table(deal)?;
    }
    let time = start.elapsed();
    let after = solver.nodes_by_tricks_left();
    let (name, depth, counts) = match probes {
        Some(probes) => (
            probes.database.extent(),
            probes.max_tricks(),
            probes.take_counts(),
        ),
        None => ("no database".to_owned(), 0, Counts::default()),
    };
    Ok(Column {
        name,
        depth,
        nodes: std::array::from_fn(|left| after[left] - before[left]),
        milliseconds: time.as_secs_f64() * 1e3,
        counts,
    })
}

fn print(columns: &[Column], deals: usize) {
    print!("{:>12}", "");
    for column in columns {
        print!("  {:^18}", column.name);
    }
    print!("\n{:>12}", "cards left");
    for _ in columns {
        print!("  {:>10} {:>7}", "nodes", "to here");
    }
    println!();
    let deals = deals.max(1) as f64;
    for left in 1..14 {
        if columns.iter().all(|column| column.nodes[left] == 0) {
            continue;
        }
        print!("{:>12}", 4 * left);
        for column in columns {
            let to_here: u64 = column.nodes[..=left].iter().sum();
            print!(
                "  {:10.0} {:6.1}%",
                column.nodes[left] as f64 / deals,
                100.0 * to_here as f64 / column.all().max(1.0),
            );
        }
        println!();
    }
    print!("{:>12}", "all");
    for column in columns {
        print!("  {:10.0} {:7}", column.all() / deals, "");
    }
    print!("\n{:>12}", "ms");
    for column in columns {
        print!("  {:10.3} {:7}", column.milliseconds / deals, "");
    }
    println!("\n(a deal's 20 results; `to here` is the share at that number of cards or fewer)");
    let Some((plain, with)) = columns.split_first() else {
        return;
    };
    for column in with {
        let above = |c: &Column| c.nodes[column.depth + 1..].iter().sum::<u64>() as f64;
        let arrivals = column.nodes[column.depth] as f64;
        let counts = column.counts;
        let [answered, missing, known] =
            [counts.answered, counts.missing, counts.known_cards].map(|count| count as f64);
        println!(
            "\n{}: saves {:.1} % of the nodes, {:.1} % of those above the boundary, {:.1} % of the time",
            column.name,
            100.0 * (1.0 - column.all() / plain.all()),
            100.0 * (1.0 - above(column) / above(plain)),
            100.0 * (1.0 - column.milliseconds / plain.milliseconds),
        );
        println!(
            "  at the boundary: {:.0} arrivals a deal, {:.1} % answered by the table, {:.1} % by the \
             database, whose proofs name {:.2} cards on average; {:.1} % are not in the database",
            arrivals / deals,
            100.0 * (1.0 - (answered + missing) / arrivals),
            100.0 * answered / arrivals,
            known / answered,
            100.0 * missing / arrivals,
        );
    }
}

impl Column {
    /// All nodes.
    fn all(&self) -> f64 {
        self.nodes.iter().sum::<u64>() as f64
    }
}

/// Statistics of the sets that prove a database's answers.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Sets {
    /// They are generalized as far as possible.
    Reduced,
    /// The walk stops where the target is decided, and reduces nothing.
    Walk,
    /// Only the value is used: every card counts as relevant.
    None,
}

/// A database that counts the look-ups at the boundary.
#[derive(Debug)]
struct Probes {
    database: Database,
    sets: Sets,
    answered: AtomicU64,
    missing: AtomicU64,
    known_cards: AtomicU64,
}

impl Probes {
    fn open(directory: &str, sets: Sets) -> Result<Probes, Box<dyn Error>> {
        Ok(Probes {
            database: Database::open(directory)?,
            sets,
            answered: AtomicU64::new(0),
            missing: AtomicU64::new(0),
            known_cards: AtomicU64::new(0),
        })
    }

    /// The counts since this was last asked.
    fn take_counts(&self) -> Counts {
        let take = |count: &AtomicU64| count.swap(0, Ordering::Relaxed);
        Counts {
            answered: take(&self.answered),
            missing: take(&self.missing),
            known_cards: take(&self.known_cards),
        }
    }

    /// The set at which the walk to the answer ends.
    fn walked(&self, ending: &Ending, target: u8) -> Result<TopCards, ProbeError> {
        let located = self
            .database
            .locate(ending)?
            .ok_or_else(|| self.database.not_held(ending))?;
        let walk = located.prove(target)?;
        let known = [0, 1, 2, 3].map(|suit| walk.set.known(suit) as u8);
        Ok(TopCards::new(known))
    }
}

impl Endgames for Probes {
    fn max_tricks(&self) -> usize {
        self.database.max_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let count = |count: &AtomicU64, more: u64| {
            if ending.level() == self.max_tricks() {
                count.fetch_add(more, Ordering::Relaxed);
            }
        };
        let Some(located) = self.database.locate(ending)? else {
            count(&self.missing, 1);
            return Ok(None);
        };
        let mut verdict = located.decide(target)?;
        match self.sets {
            Sets::Reduced => {}
            Sets::Walk => verdict.known = self.walked(ending, target)?,
            Sets::None => verdict.known = ending.all_cards(),
        }
        count(&self.answered, 1);
        count(&self.known_cards, verdict.known.total().into());
        Ok(Some(verdict))
    }
}
