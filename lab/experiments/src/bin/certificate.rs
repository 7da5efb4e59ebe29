//! Measures certificates: sizes, times, and what the checker says of changed ones.
//!
//! ```text
//! cargo run --release --manifest-path lab/experiments/Cargo.toml --bin certificate -- \
//!     [--deals N] [--random N] [--changes N] [--level N] [FILE]
//! ```
//!
//! Lines of the file are deals in PBN; what follows ` | ` is ignored. Times are those of the thread.

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use cpu_time::ThreadTime;
use setrograde_cards::{Card, Deal, Hand, Strain};
use setrograde_check::{check, read};
use setrograde_prove::{certify, compress};
use setrograde_solver::{Options, Solver};

/// Measures certificates.
#[derive(Parser)]
struct Arguments {
    /// Take only the first N deals.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    deals: usize,
    /// Take N random deals.
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: usize,
    /// Seed of the random deals and changes.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Change each certificate N times.
    #[arg(long, value_name = "N", default_value_t = 0)]
    changes: usize,
    /// The level of gzip.
    #[arg(long, value_name = "N", default_value_t = 9)]
    level: u32,
    /// Deals in PBN, one on each line.
    file: Option<PathBuf>,
}

/// Totals of deals.
#[derive(Clone, Debug, Default)]
struct Totals {
    deals: usize,
    lemmas: u64,
    raw: usize,
    bytes: usize,
    most: usize,
    table: Duration,
    both: Duration,
    pack: Duration,
    check: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut random = fastrand::Rng::with_seed(arguments.seed);
    let mut deals = Vec::new();
    if let Some(file) = &arguments.file {
        let text = std::fs::read_to_string(file)?;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            deals.push(line.split(" | ").next().unwrap_or(line).parse::<Deal>()?);
        }
    }
    deals.truncate(arguments.deals);
    for _ in 0..arguments.random {
        let mut cards: Vec<Card> = Card::pack().collect();
        random.shuffle(&mut cards);
        let mut hands = [Hand::EMPTY; 4];
        for (nth, &card) in cards.iter().enumerate() {
            hands[nth % 4].insert(card);
        }
        deals.push(Deal::new(hands)?);
    }
    let mut totals = Totals::default();
    for deal in &deals {
        let mut solver = Solver::new(Options::default());
        let start = ThreadTime::now();
        for strain in Strain::ALL {
            solver.declarer_tricks(deal, strain)?;
        }
        let table = start.elapsed();
        let start = ThreadTime::now();
        let mut solver = Solver::new(Options::default());
        let (_, bytes) = certify(&mut solver, deal)?;
        let both = start.elapsed();
        let start = ThreadTime::now();
        let mut file = Vec::new();
        compress(&bytes, &mut file, arguments.level)?;
        let pack = start.elapsed();
        let start = ThreadTime::now();
        let proved = check(&read(&file[..])?)?;
        let checked = start.elapsed();
        totals.deals += 1;
        totals.lemmas += proved.lemmas;
        totals.raw += bytes.len();
        totals.bytes += file.len();
        totals.most = totals.most.max(file.len());
        totals.table += table;
        totals.both += both;
        totals.pack += pack;
        totals.check += checked;
        if std::env::var_os("DUMP").is_some() {
            std::fs::write(format!("/tmp/cert{}", totals.deals), &bytes)?;
        }
        println!("{} lemmas {} raw {} gzip {}; table {:.3} extra {:.2} pack {:.2} check {:.2}", totals.deals, proved.lemmas, bytes.len(), file.len(),
            table.as_secs_f64(), (both.as_secs_f64() - table.as_secs_f64()) / table.as_secs_f64(), pack.as_secs_f64() / table.as_secs_f64(), checked.as_secs_f64() / table.as_secs_f64());
    }
    let n = totals.deals.max(1);
    let t = totals.table.as_secs_f64();
    println!("mean lemmas {} raw {} gzip {} most {}; table {:.3} extra {:.2} pack {:.2} check {:.3}", totals.lemmas as usize / n, totals.raw / n, totals.bytes / n, totals.most,
        t / n as f64, (totals.both.as_secs_f64() - t) / t, totals.pack.as_secs_f64() / t, totals.check.as_secs_f64() / t);
    Ok(())
}
