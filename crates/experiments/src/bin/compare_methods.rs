//! Builds the same levels by both methods and compares them: time, sets,
//! nodes, bytes, what the analysis did, and the values of random endings with
//! the time that a look-up takes.
//!
//! ```text
//! cargo run --release -p setrograde-experiments --bin compare_methods -- CARDS [ENDINGS]
//! ```

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use setrograde_builder::{Build, Method, Metric, Silent};
use setrograde_cards::{Seat, Strain, Suit};
use setrograde_lookup::format::manifest::LevelRecord;
use setrograde_lookup::{Database, Ending};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let cards: usize = arguments.next().ok_or("how many cards?")?.parse()?;
    let endings: usize = arguments
        .next()
        .map_or(Ok(1_000_000), |endings| endings.parse())?;
    let directories = [tempfile::tempdir()?, tempfile::tempdir()?];
    let methods = [Method::Refine, Method::Setrograde(Metric::MostXs)];
    for (directory, method) in directories.iter().zip(methods) {
        let build = Build {
            method,
            threads: Some(1),
            ..Build::new(directory.path(), cards)
        };
        for record in build.run(&Silent, &AtomicBool::new(false))?.levels {
            print(&record);
        }
    }
    let mut random = Random(1);
    let endings: Vec<Ending> = (0..endings)
        .map(|_| random.ending(cards / 4))
        .collect::<Result<_, _>>()?;
    let mut answers = Vec::new();
    for (directory, method) in directories.iter().zip(methods) {
        let database = Database::open(directory.path())?;
        for level in database.levels() {
            (0..level.shard_count()).try_for_each(|shard| level.load(shard))?;
        }
        let start = Instant::now();
        let values: Vec<u8> = endings
            .iter()
            .map(|ending| database.value(ending))
            .collect::<Result<_, _>>()?;
        let each = start.elapsed() / endings.len().max(1) as u32;
        println!(
            "{}: {} random endings of {cards} cards, {each:?} each",
            method.name(),
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
    if let Some(analysis) = record.analysis {
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

/// SplitMix64: endings are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % bound as u64) as usize
    }

    /// An ending of `level` cards a hand, dealt from a full pack.
    fn ending(&mut self, level: usize) -> Result<Ending, Box<dyn Error>> {
        let mut pack: Vec<usize> = (0..52).collect();
        let mut owner = [None; 52];
        for dealt in 0..4 * level {
            let at = dealt + self.below(52 - dealt);
            pack.swap(dealt, at);
            owner[pack[dealt]] = Some((dealt % 4) as u8);
        }
        let suits: Vec<Vec<u8>> = owner
            .chunks(13)
            .map(|suit| suit.iter().copied().flatten().collect())
            .collect();
        let strain = match self.below(5) {
            4 => Strain::NoTrump,
            suit => Strain::Trump(Suit::from_index(suit)),
        };
        let leader = Seat::from_index(self.below(4));
        Ok(Ending::new(
            [&suits[0], &suits[1], &suits[2], &suits[3]],
            leader,
            strain,
        )?)
    }
}
