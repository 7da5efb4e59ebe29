//! The time of claims at the first trick: of random deals in which North and
//! South hold 30 points or more, whether 13, 12 and 11 tricks are sure. Strain
//! and leader are random. Prints a line for each claim and the figures of all.
//!
//!     cargo run --release --manifest-path lab/experiments/Cargo.toml --bin strong_deals

use std::sync::Arc;

use clap::Parser;
use cpu_time::ThreadTime;
use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_claim::{ClaimError, Claims, Knowledge, Options};
use setrograde_lookup::Database;
use setrograde_solver::Endgames;

/// Measures claims at the first trick of strong deals.
#[derive(Parser)]
struct Arguments {
    /// Number of deals.
    #[arg(long, default_value_t = 200)]
    deals: usize,
    /// Number of them to leave out.
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Minimum points of the claimer's side.
    #[arg(long, default_value_t = 30)]
    points: u32,
    /// Give up on a claim after this number of nodes.
    #[arg(long, default_value_t = 2_000_000)]
    limit: u64,
    /// Only the deals with these numbers, from 0.
    #[arg(long, value_delimiter = ',')]
    only: Vec<usize>,
    /// Directory of a database, for the double-dummy part.
    #[arg(long)]
    db: Option<std::path::PathBuf>,
}

/// A random deal in which North and South are strong, and who leads to what.
fn strong(rng: &mut fastrand::Rng, points: u32) -> Position {
    loop {
        let deal = Deal::random(|n| rng.usize(..n));
        let of = |seat: Seat| -> u32 {
            let cards = deal.hand(seat).cards();
            cards
                .map(|card| (card.rank.index() as u32).saturating_sub(8))
                .sum()
        };
        if of(Seat::North) + of(Seat::South) < points {
            continue;
        }
        let strain = Strain::ALL[rng.usize(0..5)];
        let leader = Seat::from_index(rng.usize(0..4));
        if let Ok(position) = Position::new(strain, leader, deal, &[]) {
            return position;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let mut rng = fastrand::Rng::with_seed(arguments.seed);
    let database = arguments.db.as_ref().map(Database::open).transpose()?;
    let endgames = database.map(|database| Arc::new(database) as Arc<dyn Endgames>);
    let (mut times, mut nodes, mut unknown) = (Vec::new(), 0, 0);
    let mut verdicts = [0; 2];
    for n in 0..arguments.deals {
        let position = strong(&mut rng, arguments.points);
        let asked = arguments.only.is_empty() || arguments.only.contains(&n);
        if n < arguments.skip || !asked {
            continue;
        }
        let knowledge = Knowledge::from_position(&position, Seat::South, Seat::North)?;
        for tricks in [13, 12, 11] {
            let mut claims = Claims::new(Options {
                limit: Some(arguments.limit),
                endgames: endgames.clone(),
                ..Options::default()
            });
            let start = ThreadTime::now();
            let verdict = match claims.is_sure(&knowledge, tricks) {
                Ok(sure) => {
                    verdicts[usize::from(sure)] += 1;
                    if sure { "sure" } else { "not sure" }
                }
                Err(ClaimError::LimitReached { .. }) => {
                    unknown += 1;
                    "unknown"
                }
                Err(error) => return Err(error.into()),
            };
            let time = start.elapsed().as_secs_f64();
            println!(
                "{n}\t{tricks}\t{verdict}\t{}\t{time:.4}\t{position}",
                claims.nodes()
            );
            nodes += claims.nodes();
            times.push(time);
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    eprintln!(
        "{} claims: {} sure, {} not sure, {unknown} unknown; {nodes} nodes, {:.1} s, median {:.4}, \
         90 % {:.3}, 95 % {:.3}, 99 % {:.3}, most {:.2}",
        times.len(),
        verdicts[1],
        verdicts[0],
        times.iter().sum::<f64>(),
        at(0.5),
        at(0.9),
        at(0.95),
        at(0.99),
        at(1.0)
    );
    Ok(())
}
