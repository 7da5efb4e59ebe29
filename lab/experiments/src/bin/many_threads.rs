//! The wall-clock time of building a level on machines with many cores, by simulation.
//!
//! ```sh
//! cargo run --release --manifest-path lab/experiments/Cargo.toml --bin many_threads -- 24 --db db
//! ```
//!
//! Builds a sample of the level's shards on the level below, and compares their look-ups with the
//! prediction. Each shard of the level gets its predicted look-ups times a ratio from the sample.
//! Threads then take the shards in the order of a build, largest predicted cost first, each as soon
//! as it is free. One writer appends finished shards to the journal. Numbering the level's
//! partitions and predicting costs are measured here; copying, unpacking and mapping are scaled by
//! bytes from the times of 20 cards, which `a_level_is_sealed_by_one_thread_and_by_two` prints
//! (`crates/builder/src/tests/large.rs`).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::error::Error;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Parser;
use fastrand::Rng;
use setrograde_builder::{CoarseLevels, Effort, Estimate, Method, Plan, Silent, shard_partitions};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::Grain;

/// Seconds of sealing for each byte of the compressed level, measured with 20 cards.
struct Sealing {
    /// One thread copies the shards from the journals and makes the file durable.
    copy: f64,
    /// All threads share the unpacking of the diagrams.
    unpack: f64,
    /// One thread reads and writes the blocks of the map, and makes it durable.
    write: f64,
}

const SEALING: Sealing = Sealing {
    copy: 3.7e-9,
    unpack: 9.2e-8,
    write: 6.8e-9,
};

/// Seconds of the writer for each byte of a journal.
const JOURNAL: f64 = 1.0e-9;

/// Simulates building a level on many threads.
#[derive(Parser)]
struct Arguments {
    /// The level, in cards of all hands together.
    cards: usize,
    /// The database with the level below.
    #[arg(long)]
    db: PathBuf,
    /// Number of shards to build.
    #[arg(long, default_value_t = 400)]
    sample: usize,
    /// The level is coarse, with this grain.
    #[arg(long)]
    grain: Option<Grain>,
    /// Nanoseconds of a look-up.
    #[arg(long, default_value_t = 40.0)]
    lookup: f64,
    /// Numbers of threads.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16, 64, 256])]
    threads: Vec<usize>,
}

/// A shard of the sample.
#[derive(Clone, Copy, Default)]
struct Sampled {
    predicted: f64,
    lookups: f64,
    bytes: f64,
}

impl AddAssign for Sampled {
    fn add_assign(&mut self, other: Sampled) {
        self.predicted += other.predicted;
        self.lookups += other.lookups;
        self.bytes += other.bytes;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let level = arguments.cards / 4;
    let method = arguments.grain.map_or(Method::Refine, Method::Coarse);

    let begun = Instant::now();
    let partitions = PartitionIndex::new(level);
    let size = shard_partitions(level, method);
    let shards = partitions.len().div_ceil(size);
    let plan = Plan::new(arguments.cards, method, shards as u32)?;
    let numbering = begun.elapsed().as_secs_f64();
    let costs: Vec<f64> = plan.shares.iter().map(|share| share.cost as f64).collect();
    let predicted: f64 = costs.iter().sum();

    let mut rng = Rng::with_seed(1);
    let estimate = Estimate {
        database: Some(arguments.db),
        coarse: arguments.grain.map(|grain| CoarseLevels {
            from: arguments.cards,
            grain: grain.into(),
        }),
        effort: Effort::Draws(arguments.sample),
        run: Some(size),
        ..Estimate::new(arguments.cards)
    };
    let report = estimate.run(&Silent, &AtomicBool::new(false))?;
    let (mut sample, mut total) = (Vec::new(), Sampled::default());
    for run in report.sampled {
        let sampled = Sampled {
            predicted: costs[run.partitions.start / size],
            lookups: run.lookups as f64,
            bytes: run.bytes as f64,
        };
        total += Sampled {
            predicted: 1.0,
            lookups: sampled.lookups / sampled.predicted,
            bytes: sampled.bytes / sampled.predicted,
        };
        sample.push(sampled);
    }
    // The error of a prediction, as a part of the mean, and with the sample's large and small halves.
    sample.sort_by(|a, b| a.predicted.total_cmp(&b.predicted));
    let ratios: Vec<f64> = sample.iter().map(|of| of.lookups / of.predicted).collect();
    let mean = |ratios: &[f64]| ratios.iter().sum::<f64>() / ratios.len() as f64;
    let all = mean(&ratios);
    let squares: Vec<f64> = ratios
        .iter()
        .map(|ratio| (ratio / all - 1.0).powi(2))
        .collect();
    let (small, large) = ratios.split_at(ratios.len() / 2);
    println!(
        "look-ups {all:.2} of the prediction, standard deviation {:.2}; {:.2} of small and {:.2} of large shards",
        mean(&squares).sqrt(),
        mean(small),
        mean(large),
    );
    let bytes = predicted * total.bytes / total.predicted;
    let times: Vec<f64> = costs
        .iter()
        .map(|cost| {
            let like = sample[rng.usize(..sample.len())];
            cost * like.lookups / like.predicted * arguments.lookup * 1e-9
        })
        .collect();
    let mut order: Vec<usize> = (0..shards).collect();
    order.sort_by(|&a, &b| costs[b].total_cmp(&costs[a]));
    println!(
        "{} cards: {shards} shards, {:.1} core hours, longest {:.1} s, {:.2} GB; numbering {numbering:.1} s",
        arguments.cards,
        times.iter().sum::<f64>() / 3600.0,
        times.iter().copied().fold(0.0, f64::max),
        bytes / 1e9,
    );
    println!("threads  shards    seal   whole, s  serial  speed-up");
    let work = times.iter().sum::<f64>() + bytes * SEALING.unpack;
    for &threads in &arguments.threads {
        let built = schedule(&order, &times, threads, JOURNAL * bytes / shards as f64);
        let shared = bytes * SEALING.unpack / threads as f64;
        let serial = numbering + bytes * (SEALING.copy + SEALING.write);
        let whole = built + shared + serial;
        println!(
            "{threads:>7} {built:>7.0} {:>7.0} {whole:>10.0} {:>6.1}% {:>9.1}",
            whole - built - numbering,
            100.0 * serial / whole,
            (work + serial) / whole,
        );
    }
    Ok(())
}

/// Returns the time at which the last shard is in the journal.
fn schedule(order: &[usize], times: &[f64], threads: usize, write: f64) -> f64 {
    // The bits of positive floating-point numbers have the order of their values.
    let mut free: BinaryHeap<Reverse<u64>> =
        (0..threads).map(|_| Reverse(0.0_f64.to_bits())).collect();
    let mut ends: Vec<f64> = Vec::with_capacity(order.len());
    for &shard in order {
        let Reverse(begin) = free.pop().expect("a thread is free at some time");
        let end = f64::from_bits(begin) + times[shard];
        ends.push(end);
        free.push(Reverse(end.to_bits()));
    }
    ends.sort_by(f64::total_cmp);
    ends.into_iter()
        .fold(0.0, |written: f64, end| written.max(end) + write)
}
