//! Databases compared with Tables 1 and 2 of "Set-Based Retrograde Analysis: Precomputing the
//! Solution to 24-card Bridge Double Dummy Deals" (arXiv:2411.09089, 2024). A dagger
//! marks figures that the paper extrapolated. Its lower bound counts shapes without
//! regard to trumps.
//!
//!     cargo run --release --manifest-path experiments/Cargo.toml --bin report -- db paper --svg growth.svg

mod growth_chart;
mod published;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use clap::Parser;
use comfy_table::{Cell, CellAlignment, Table, presets};
use setrograde_lookup::Database;
use setrograde_lookup::format::manifest::LevelRecord;

use growth_chart::{Series, draw};
use published::{PUBLISHED, published};

const GIB: f64 = (1u64 << 30) as f64;
const DAY_MILLISECONDS: f64 = 86_400_000.0;

/// Compare databases with the paper's Tables 1 and 2.
#[derive(Parser)]
struct Arguments {
    /// Directories of databases, as for the two methods.
    #[arg(value_name = "DIR", required = true)]
    db: Vec<PathBuf>,
    /// Draw states, sets, nodes and bytes against cards into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut levels: Vec<LevelRecord> = Vec::new();
    for directory in &arguments.db {
        levels.extend_from_slice(&Database::open(directory)?.manifest().levels);
    }
    // One block for each method, in the order of the databases.
    levels.sort_by_key(|level| level.level);
    println!("Table 1: the size of the space\n{}\n", sizes(&levels));
    println!("Table 2: what a database costs\n{}", costs(&levels));
    let analysed: Vec<&LevelRecord> = levels
        .iter()
        .filter(|level| level.analysis().is_some())
        .collect();
    if !analysed.is_empty() {
        println!(
            "\nSection 6.3: how setrograde analysis goes\n{}",
            analysis(&analysed)
        );
    }
    if let Some(path) = &arguments.svg {
        draw(path, &series(&levels))?;
    }
    Ok(())
}

fn headed<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header.map(right));
    table
}

fn right(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}

fn add_row(table: &mut Table, row: impl IntoIterator<Item = String>) {
    table.add_row(row.into_iter().map(right));
}

/// Two digits and a power of ten, as the paper writes its figures.
fn power(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else {
        format!("{value:.1e}")
    }
}

fn or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), power)
}

fn sizes(levels: &[LevelRecord]) -> Table {
    let mut table = headed([
        "cards",
        "method",
        "all states",
        "paper",
        "reduced",
        "paper",
        "sets",
        "paper",
        "partitions",
        "lower bound",
    ]);
    for level in levels {
        let paper = published(4 * level.level);
        add_row(
            &mut table,
            [
                (4 * level.level).to_string(),
                level.method.clone(),
                power(all_states(level.level)),
                or_dash(paper.map(|paper| paper.states)),
                power(level.states as f64),
                or_dash(paper.map(|paper| paper.reduced_states)),
                power(level.sets as f64),
                or_dash(paper.and_then(|paper| paper.sets)),
                power(level.partitions as f64),
                or_dash(paper.map(|paper| paper.shapes)),
            ],
        );
    }
    table
}

/// Ways to deal `level` cards to each hand from a full pack, in each strain.
fn all_states(level: u32) -> f64 {
    let mut states = 5.0;
    for hand in 0..4 {
        for card in 0..level {
            states *= f64::from(52 - hand * level - card) / f64::from(card + 1);
        }
    }
    states
}

fn costs(levels: &[LevelRecord]) -> Table {
    let mut table = headed([
        "cards",
        "method",
        "GiB",
        "paper",
        "state-wise",
        "CPU days",
        "paper",
        "state-wise",
        "states/byte",
        "paper",
    ]);
    for level in levels {
        let paper = published(4 * level.level).and_then(|paper| paper.costs);
        let dagger = |value: Option<f64>, extrapolated: bool| {
            format!("{}{}", if extrapolated { "†" } else { "" }, or_dash(value))
        };
        add_row(
            &mut table,
            [
                (4 * level.level).to_string(),
                level.method.clone(),
                power(level.bytes as f64 / GIB),
                or_dash(paper.map(|paper| paper.setrograde_gib)),
                dagger(
                    paper.map(|paper| paper.retrograde_gib),
                    paper.is_some_and(|paper| paper.size_extrapolated),
                ),
                power(level.cpu_milliseconds as f64 / DAY_MILLISECONDS),
                or_dash(paper.and_then(|paper| paper.setrograde_days)),
                dagger(
                    paper.and_then(|paper| paper.retrograde_days),
                    paper.is_some_and(|paper| paper.time_extrapolated),
                ),
                power(level.states as f64 / level.bytes as f64),
                or_dash(paper.map(|paper| paper.states_per_byte)),
            ],
        );
    }
    table
}

fn analysis(levels: &[&LevelRecord]) -> Table {
    let mut table = headed([
        "cards",
        "generated",
        "independent",
        "one in",
        "longest open list",
        "sets before uniting",
        "proofs/set",
        "time in evaluating and generalizing",
    ]);
    for level in levels {
        let Some(analysis) = level.analysis() else {
            continue;
        };
        let share =
            analysis.solving_milliseconds as f64 / analysis.elapsed_milliseconds.max(1) as f64;
        add_row(
            &mut table,
            [
                (4 * level.level).to_string(),
                analysis.generated.to_string(),
                analysis.independent.to_string(),
                format!(
                    "{:.1}",
                    analysis.generated as f64 / analysis.independent.max(1) as f64
                ),
                analysis.longest_open_list.to_string(),
                analysis.uncompacted.to_string(),
                format!(
                    "{:.1}",
                    level.proofs as f64 / analysis.independent.max(1) as f64
                ),
                format!("{:.0} %", 100.0 * share),
            ],
        );
    }
    table
}

/// The curves of the picture: states, then for each method its sets, nodes and
/// bytes, then the paper's sets.
fn series(levels: &[LevelRecord]) -> Vec<Series> {
    let cards = |level: &LevelRecord| 4 * level.level;
    let mut states: BTreeMap<u32, f64> = BTreeMap::new();
    let mut methods: BTreeMap<&str, Vec<&LevelRecord>> = BTreeMap::new();
    for level in levels {
        states.insert(cards(level), level.states as f64);
        methods.entry(&level.method).or_default().push(level);
    }
    let mut all = vec![Series {
        name: "states".to_owned(),
        points: states.into_iter().collect(),
    }];
    for (method, levels) in methods {
        let curve = |what: &str, value: fn(&LevelRecord) -> f64| Series {
            name: format!("{method}: {what}"),
            points: levels
                .iter()
                .map(|level| (cards(level), value(level)))
                .collect(),
        };
        all.push(curve("sets", |level| level.sets as f64));
        all.push(curve("nodes", |level| level.nodes as f64));
        all.push(curve("bytes", |level| level.bytes as f64));
    }
    let paper = PUBLISHED
        .iter()
        .filter_map(|paper| Some((paper.cards, paper.sets?)))
        .collect();
    all.push(Series {
        name: "the paper: sets".to_owned(),
        points: paper,
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_states_round_to_the_published_figures() {
        for published in &PUBLISHED {
            let ours = all_states(published.cards / 4);
            let ratio = ours / published.states;
            assert!(
                (0.6..1.7).contains(&ratio),
                "{} cards: {ours:e}",
                published.cards
            );
        }
    }
}
