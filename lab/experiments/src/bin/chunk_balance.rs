//! The balance of the chunks of a level: builds it in chunks, in its own directory, and compares
//! the work of each with the prediction.
//!
//! ```sh
//! cargo run --release --manifest-path lab/experiments/Cargo.toml --bin chunk_balance -- 16 20 100
//! ```
//!
//! The level of 16 cards, in 20 chunks, and then in 100. Look-ups are counted:
//! they are the same on every machine, and time is in proportion to them.

use std::error::Error;
use std::sync::atomic::AtomicBool;

use clap::Parser;
use setrograde_builder::{Build, Chunk, Method, Plan, Silent};

/// Builds a level in chunks, and compares the work of each with the prediction.
#[derive(Parser)]
struct Arguments {
    /// The level, in cards of all hands together.
    cards: u32,
    /// Numbers of chunks to cut it into.
    #[arg(required = true)]
    chunks: Vec<u32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { cards, chunks } = Arguments::parse();
    let never = AtomicBool::new(false);
    println!("chunks  largest  deviation   largest predicted  (of the mean)");
    for chunks in chunks {
        let directory = tempfile::tempdir()?;
        let build = Build::new(directory.path(), cards as usize);
        if cards > 4 {
            Build::new(directory.path(), cards as usize - 4).run(&Silent, &never)?;
        }
        let mut lookups = Vec::new();
        for chunk in (1..=chunks).filter_map(|number| Chunk::new(number, chunks)) {
            let finished = build.run_chunk(chunk, &Silent, &never)?;
            lookups.extend(finished.map(|finished| finished.work.lookups as f64));
        }
        let plan = Plan::new(cards as usize, Method::Refine, chunks)?;
        let costs: Vec<f64> = plan.shares.iter().map(|share| share.cost as f64).collect();
        println!(
            "{chunks:>6} {:>8.2} {:>10.2} {:>19.2}",
            largest(&lookups),
            deviation(&lookups),
            largest(&costs),
        );
    }
    Ok(())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The largest value over the mean.
fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max) / mean(values)
}

/// The standard deviation over the mean.
fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / values.len() as f64).sqrt() / mean
}
