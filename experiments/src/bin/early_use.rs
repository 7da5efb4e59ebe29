//! The share of the questions that a part of a level's work can answer, by the
//! order in which its shards are built.
//!
//! ```sh
//! cargo run --release --manifest-path experiments/Cargo.toml --bin early_use -- 24 --deals 60
//! ```
//!
//! Random deals are solved, and their arrivals at endings of N cards
//! counted by shard; no database is needed. Then the shards are put in the order of
//! *worth*, the most demand for their cost first, and in others, and the shares of the
//! arrivals that the first shards cover are printed with their share of the predicted
//! work.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Parser;
use setrograde_builder::{Method, Plan, demand};
use setrograde_cards::Deal;
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::states::{arrangements_of_partition, states_of_partition};
use setrograde_solver::{Endgames, EndgamesError, Ending, Options, Solver, Verdict};

/// Counts what searches ask a level, and how early each order has it.
#[derive(Parser)]
struct Arguments {
    /// The level, in cards of all hands together.
    cards: usize,
    /// Random deals to solve, all 20 results of each.
    #[arg(long, value_name = "N", default_value_t = 30)]
    deals: usize,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Shares of the work at which the arrivals are printed, in percent.
const SHARES: [f64; 9] = [0.1, 0.3, 1.0, 3.0, 10.0, 20.0, 30.0, 50.0, 70.0];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let level = arguments.cards / 4;
    let arrivals = Arc::new(Arrivals {
        level,
        of: Mutex::default(),
    });
    let mut solver = Solver::new(Options {
        endgames: Some(Arc::clone(&arrivals) as Arc<dyn Endgames>),
        ..Options::default()
    });
    let mut random = fastrand::Rng::with_seed(arguments.seed);
    for _ in 0..arguments.deals {
        solver.table(&Deal::random(|n| random.usize(..n)))?;
    }
    let index = PartitionIndex::new(level);
    let size = Plan::new(arguments.cards, Method::Refine, 1)?.shares[0]
        .shards
        .len();
    let plan = Plan::new(arguments.cards, Method::Refine, size as u32)?;
    let counts = arrivals.of.lock().unwrap_or_else(PoisonError::into_inner);
    let total: u64 = counts.values().sum();
    println!(
        "{} deals: {total} arrivals at {} of {} partitions",
        arguments.deals,
        counts.len(),
        index.len()
    );
    let mut shards = Vec::with_capacity(plan.shares.len());
    for share in &plan.shares {
        let mut shard = Shard {
            cost: share.cost as f64,
            ..Shard::default()
        };
        let partitions = index.iter_from(share.partitions.start);
        for partition in partitions.take(share.partitions.len()) {
            shard.arrivals += counts.get(&partition).copied().unwrap_or(0) as f64;
            let states = states_of_partition(partition) as f64;
            shard.demand += demand(partition);
            shard.endings += states * arrangements_of_partition(partition) as f64;
        }
        shards.push(shard);
    }
    print!("{:24}", "work, %");
    SHARES.iter().for_each(|share| print!(" {share:>6}"));
    println!();
    let orders: [(&str, Worth); 4] = [
        ("worth", |shard| shard.demand / shard.cost),
        ("endings / cost", |shard| shard.endings / shard.cost),
        ("1 / cost", |shard| 1.0 / shard.cost),
        ("as if foreknown", |shard| shard.arrivals / shard.cost),
    ];
    for (name, worth) in orders {
        shards.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        print!("{name:24}");
        covered(&shards)
            .iter()
            .for_each(|share| print!(" {:>6.1}", 100.0 * share));
        println!();
    }
    Ok(())
}

/// The rank of a shard: greater ones come first.
type Worth = fn(&Shard) -> f64;

#[derive(Default)]
struct Shard {
    cost: f64,
    arrivals: f64,
    demand: f64,
    endings: f64,
}

/// The shares of the arrivals that are covered at each of [`SHARES`].
fn covered(shards: &[Shard]) -> Vec<f64> {
    let cost: f64 = shards.iter().map(|shard| shard.cost).sum();
    let arrivals: f64 = shards.iter().map(|shard| shard.arrivals).sum();
    let (mut work, mut found) = (0.0, 0.0);
    let mut shares = Vec::new();
    for shard in shards {
        while shares.len() < SHARES.len() && work > SHARES[shares.len()] / 100.0 * cost {
            shares.push(found / arrivals);
        }
        work += shard.cost;
        found += shard.arrivals;
    }
    shares.resize(SHARES.len(), 1.0);
    shares
}

/// An empty source of endgame values that counts the look-ups.
#[derive(Debug)]
struct Arrivals {
    level: usize,
    of: Mutex<HashMap<Partition, u64>>,
}

impl Endgames for Arrivals {
    fn max_tricks(&self) -> usize {
        self.level
    }

    fn verdict(&self, ending: &Ending, _: u8) -> Result<Option<Verdict>, EndgamesError> {
        if ending.level() == self.level {
            let partition = ending.canonical().partition;
            let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
            *of.entry(partition).or_default() += 1;
        }
        Ok(None)
    }
}
