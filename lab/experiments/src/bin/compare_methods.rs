//! Builds the same levels by both methods and compares them: time, sets, nodes, bytes, the work of
//! the analysis, and the values of random endings with the time of a look-up.
//!
//! ```text
//! cargo run --profile dist -p setrograde-experiments --bin compare_methods -- CARDS [ENDINGS]
//! ```

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use setrograde_builder::{Build, DEEPEST, Method, Silent, Stop};
use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_lookup::format::manifest::LevelRecord;
use setrograde_lookup::{Database, Ending, ProbeError};

/// Builds the same levels by both methods and compares them.
#[derive(Parser)]
struct Arguments {
    /// The deepest level, in cards of all hands together.
    cards: usize,
    /// Random endings of that level to look up.
    #[arg(default_value_t = 1_000_000)]
    endings: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { cards, endings } = Arguments::parse();
    let directories = [tempfile::tempdir()?, tempfile::tempdir()?];
    let methods = [Method::Refine, Method::Setrograde];
    for (directory, method) in directories.iter().zip(methods) {
        let build = Build {
            methods: [method; DEEPEST + 1],
            threads: Some(1),
            ..Build::new(directory.path(), cards)
        };
        for record in build.run(&Silent, &Stop::default())?.levels {
            print(&record);
        }
    }
    let mut random = fastrand::Rng::with_seed(1);
    let endings: Vec<Ending> = (0..endings)
        .map(|_| random_ending(&mut random, cards / 4))
        .collect::<Result<_, _>>()?;
    let mut answers = Vec::new();
    for directory in &directories {
        let database = Database::open(directory.path())?;
        for level in database.levels() {
            level.check()?;
        }
        let start = Instant::now();
        let values: Vec<u8> = endings
            .iter()
            .map(|ending| {
                let located = database
                    .locate(ending)?
                    .ok_or_else(|| database.not_held(ending))?;
                Ok(located.value()?)
            })
            .collect::<Result<_, ProbeError>>()?;
        let each = start.elapsed() / endings.len().max(1) as u32;
        println!(
            "{}: {} random endings of {cards} cards, {each:?} each",
            database.manifest().levels[0].method,
            endings.len()
        );
        answers.push(values);
    }
    let differ = answers[0]
        .iter()
        .zip(&answers[1])
        .filter(|(a, b)| a != b)
        .count();
    println!("{differ} values differ");
    if differ == 0 {
        Ok(())
    } else {
        Err("the methods disagree".into())
    }
}

fn print(record: &LevelRecord) {
    let LevelRecord {
        method,
        sets,
        nodes,
        largest,
        bytes,
        proofs,
        lookups,
        ..
    } = record;
    println!(
        "{method} {} cards: {sets} sets, {nodes} nodes, largest {largest}, {bytes} bytes, {:.2} s CPU, \
         {proofs} proofs, {lookups} look-ups",
        4 * record.level,
        record.cpu_milliseconds as f64 / 1e3,
    );
    if let Some(analysis) = record.analysis() {
        println!(
            "    {} generated, {} independent, longest open list {}, {} candidates, \
             {} sets before compaction, {:.0} % of the time in evaluation and generalization",
            analysis.generated,
            analysis.independent,
            analysis.longest_open_list,
            analysis.candidates,
            analysis.uncompacted,
            100.0 * analysis.solving_milliseconds as f64
                / analysis.elapsed_milliseconds.max(1) as f64,
        );
    }
}

/// An ending of `level` cards a hand, dealt from a full pack.
fn random_ending(random: &mut fastrand::Rng, level: usize) -> Result<Ending, Box<dyn Error>> {
    let deal = Deal::random_ending(level, |n| random.usize(..n));
    let strain = Strain::ALL[random.usize(..5)];
    let leader = Seat::from_index(random.usize(..4));
    let position = Position::new(strain, leader, deal, &[])?;
    Ok(Ending::from_position(&position)?)
}
