//! `setrograde db estimate`: what building a level would take.

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use comfy_table::Table;
use serde_json::{Value, json};
use setrograde::cards::LargeCount;
use setrograde::grouped;
use setrograde_builder::{Effort, Estimate, EstimateReport, Projection};

use crate::Outcome;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::level::CoarseArguments;
use crate::arguments::numbers::{cards, whole};
use crate::arguments::shared::ThreadsArgument;
use crate::arguments::size::Size;
use crate::interrupt;
use crate::json;
use crate::output::progress::simple_bar;
use crate::output::tables::{headed, right};

/// Estimate from a sample what building a level would take.
///
/// Needs a database with the level below. Nothing is written.
#[derive(Args)]
#[command(after_help = include_str!("../help/estimate.txt"))]
pub struct EstimateArguments {
    /// The level: the cards left in an ending, all hands together, up to 32.
    #[arg(long, value_name = "N", value_parser = cards)]
    cards: usize,
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    coarse: CoarseArguments,
    /// Time limit for the estimate, in seconds. Intervals need two rounds of 8 runs.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = whole::<u64>(..))]
    time: u64,
    /// Draw N runs, rounded up to a multiple of 8 and at least 16, instead of a time limit.
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = whole::<usize>(..))]
    draw: Option<usize>,
    /// Random seed of the sample.
    #[arg(long, value_name = "X", default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Partitions in a run. [default: those of a shard; 1 from 28 exact cards on]
    #[arg(long, value_name = "R", value_parser = whole::<u16>(1..=512))]
    run: Option<u16>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &EstimateArguments) -> anyhow::Result<Outcome> {
    let estimate = Estimate {
        cards: arguments.cards,
        database: arguments.db.directory()?,
        method: arguments.coarse.method(arguments.cards).unwrap_or_default(),
        effort: match arguments.draw {
            Some(draws) => Effort::Draws(draws),
            None => Effort::Time(Duration::from_secs(arguments.time)),
        },
        seed: arguments.seed,
        run: arguments.run.map(usize::from),
        threads: arguments.threads.count(),
    };
    // It moves on a terminal, and is nothing elsewhere.
    let bar = simple_bar("{spinner} {msg}", None);
    bar.set_message("no run finished yet");
    let progress = |runs, elapsed: Duration| {
        bar.set_message(format!("{runs} runs, {:.0} s", elapsed.as_secs_f64()));
    };
    let done = estimate.run(progress, &interrupt::stop());
    bar.finish_and_clear();
    let report = done?;
    if arguments.json {
        json::print(object(&report, arguments.seed))?;
    } else {
        let mut out = io::stdout().lock();
        writeln!(out, "{}\n{}", heading(&report), table(&report))?;
        for note in notes(&report) {
            writeln!(out, "{note}")?;
        }
    }
    Ok(if interrupt::is_interrupted() {
        Outcome::Interrupted
    } else {
        Outcome::Done
    })
}

/// The projection of a level, as an object.
fn object(report: &EstimateReport, seed: u64) -> Value {
    let of = |Projection { value, low, high }: Projection| json!({ "estimate": value, "low": low, "high": high });
    json!({
        "cards": report.cards,
        "grain": report.grain.map(|grain| grain.to_string()),
        "partitions": report.partitions,
        "states": LargeCount(report.states),
        "confidence": 0.95,
        "lookups": of(report.lookups),
        "cpu_seconds": of(report.cpu),
        "sets": of(report.sets),
        "nodes": of(report.nodes),
        "nodes_written": of(report.written),
        "bytes": of(report.bytes),
        "memory_bytes": report.memory,
        "map_bytes": of(report.map),
        "disk_peak_bytes": of(report.disk_peak()),
        "largest_in_sample": report.largest,
        "sample": {
            "runs": report.draws,
            "rounds": report.rounds,
            "partitions_of_run": report.run,
            "partitions_of_shard": report.shard,
            "seed": seed,
            "seconds": report.elapsed.as_secs_f64(),
        },
    })
}

fn heading(report: &EstimateReport) -> String {
    format!(
        "{} {}cards, {} partitions, {} endings: projected from {} runs of {}, {:.0} s\n",
        report.cards,
        if report.grain.is_some() {
            "coarse "
        } else {
            ""
        },
        grouped(report.partitions as u64),
        grouped(report.states),
        report.draws,
        partitions(report.run as u64),
        report.elapsed.as_secs_f64(),
    )
}

fn table(report: &EstimateReport) -> Table {
    let mut table = headed(["", "estimate", "from", "to"]);
    let mut add = |name: &str, projection: Projection, show: &dyn Fn(f64) -> String| {
        let Projection { value, low, high } = projection;
        let (low, high) = if high.is_finite() {
            (show(low), show(high))
        } else {
            ("?".to_owned(), "?".to_owned())
        };
        table.add_row([name.to_owned(), show(value), low, high].map(right));
    };
    let count = |number: f64| grouped(three_digits(number));
    add("look-ups", report.lookups, &count);
    let (unit, seconds) = time_unit(report.cpu.value);
    let cpu = report.cpu.times(1.0 / seconds);
    add(&format!("CPU {unit}"), cpu, &|time| format!("{time:.2}"));
    add("sets", report.sets, &count);
    add("nodes", report.nodes, &count);
    add("bytes", report.bytes, &count);
    table
}

fn notes(report: &EstimateReport) -> Vec<String> {
    let size = |projection: Projection| {
        let size = |bytes: f64| Size::new(bytes as u64);
        let Projection { value, low, high } = projection;
        if high.is_finite() {
            format!("{} ({} to {})", size(value), size(low), size(high))
        } else {
            size(value).to_string()
        }
    };
    let mut notes = vec![
        String::new(),
        format!(
            "Memory for the level below: at most {}; a build is faster with three times that",
            Size::new(report.memory)
        ),
        format!("Its map, and memory to build on it: {}", size(report.map)),
        format!(
            "Disk while it is built, sealed and mapped: {}",
            size(report.disk_peak())
        ),
    ];
    if report.rounds < 2 {
        notes.push(format!(
            "No intervals: only {} runs were finished, and the cheap ones are finished first",
            report.draws
        ));
    }
    notes.push(format!(
        "Largest diagram of the sample: {} nodes; the level has larger ones",
        grouped(report.largest)
    ));
    if report.run < report.shard {
        notes.push(format!(
            "Bytes are too high: {} packed alone, where a build packs {} together",
            partitions(report.run as u64),
            report.shard
        ));
    }
    notes
}

fn partitions(count: u64) -> String {
    match count {
        1 => "1 partition".to_owned(),
        count => format!("{} partitions", grouped(count)),
    }
}

/// Returns the most readable unit for a time in seconds, and its length in seconds.
fn time_unit(seconds: f64) -> (&'static str, f64) {
    match seconds {
        ..600.0 => ("s", 1.0),
        ..36_000.0 => ("min", 60.0),
        ..360_000.0 => ("h", 3_600.0),
        _ => ("days", 86_400.0),
    }
}

/// A number to three significant digits: no projection knows more.
fn three_digits(number: f64) -> u128 {
    let unit = 10f64.powf((number.max(1.0).log10().floor() - 2.0).max(0.0));
    ((number / unit).round() * unit) as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_to_be_read() {
        let counted = [1, 1_234].map(partitions);
        assert_eq!(counted, ["1 partition", "1,234 partitions"]);
        let times = [599.0, 600.0, 35_970.0, 36_000.0, 360_000.0];
        let units = times.map(|seconds| time_unit(seconds).0);
        assert_eq!(units, ["s", "min", "min", "h", "days"]);
        let kept = [0.0, 7.4, 1_234.0, 9_996.0, 4.2071e9].map(three_digits);
        assert_eq!(kept, [0, 7, 1_230, 10_000, 4_210_000_000]);
    }
}
