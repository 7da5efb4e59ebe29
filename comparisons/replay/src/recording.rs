//! A recording of the calls that a program made: JSON Lines, described in
//! `benchmarks/README.md` of DDS.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use dds::abi::{DealPbn, FutureTricks};
use serde::Deserialize;

/// Boards that were asked about together: layouts of what one player cannot see.
pub struct Call {
    /// `bid`, `lead`, `play` or `claimcheck`.
    pub purpose: String,
    /// The number of the trick, from 1.
    pub trick: u8,
    /// 1 if one best card was asked for, 3 if all cards.
    pub solutions: i32,
    pub deals: Vec<DealPbn>,
    /// The tricks of each card, by its number: one map for each deal. With `solutions`
    /// 1 they have one number, that of the best.
    answers: Vec<BTreeMap<i32, i32>>,
}

/// The key of the number of tricks that the best card takes.
const BEST: i32 = -1;

#[derive(Deserialize)]
struct Line {
    t: String,
    #[serde(default)]
    purpose: String,
    #[serde(default)]
    trick: u8,
    #[serde(default)]
    strain_i: i32,
    #[serde(default)]
    leader_i: i32,
    #[serde(default)]
    current_trick: Vec<i32>,
    #[serde(default)]
    solutions: i32,
    #[serde(default)]
    hands_pbn: Vec<String>,
    #[serde(default)]
    result: serde_json::Value,
}

/// Reads the solve calls of a recording.
pub fn read(path: &Path) -> anyhow::Result<Vec<Call>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut calls = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), number + 1);
        let line: Line = serde_json::from_str(line).with_context(place)?;
        if line.t == "solve" {
            calls.push(call(line).with_context(place)?);
        }
    }
    Ok(calls)
}

fn call(line: Line) -> anyhow::Result<Call> {
    ensure!(
        line.current_trick.len() <= 3,
        "more than three cards on the table"
    );
    let (mut trick_suit, mut trick_rank) = ([0; 3], [0; 3]);
    for (place, card) in line.current_trick.iter().enumerate() {
        trick_suit[place] = card / 13;
        trick_rank[place] = 14 - card % 13;
    }
    let deals = line.hands_pbn.iter().map(|pbn| {
        let mut cards = [0; 80];
        ensure!(pbn.len() < cards.len(), "a deal of {} letters", pbn.len());
        for (place, byte) in pbn.bytes().enumerate() {
            cards[place] = byte as _;
        }
        Ok(DealPbn {
            trump: (line.strain_i + 4) % 5,
            first: line.leader_i,
            trick_suit,
            trick_rank,
            cards,
        })
    });
    let deals = deals.collect::<anyhow::Result<Vec<_>>>()?;
    let lists: BTreeMap<String, Vec<i32>> =
        serde_json::from_value(line.result).context("the result is not lists of numbers")?;
    let mut answers = vec![BTreeMap::new(); deals.len()];
    for (key, list) in lists {
        let card = match key.as_str() {
            "max" => BEST,
            "min" => continue,
            card => card.parse().context("a card that is not a number")?,
        };
        ensure!(
            list.len() == deals.len(),
            "{} answers to {} boards",
            list.len(),
            deals.len()
        );
        for (answer, tricks) in answers.iter_mut().zip(list) {
            answer.insert(card, tricks);
        }
    }
    Ok(Call {
        purpose: line.purpose,
        trick: line.trick,
        solutions: line.solutions,
        deals,
        answers,
    })
}

impl Call {
    /// Whether `found` is what was recorded for a board.
    pub fn is_answer(&self, board: usize, found: &FutureTricks) -> bool {
        if self.solutions == 1 {
            return self.answers[board].get(&BEST) == Some(&found.score[0]);
        }
        let mut cards = BTreeMap::new();
        for place in 0..found.cards as usize {
            let ranks = found.equals[place] | 1 << found.rank[place];
            for rank in (2..15).filter(|rank| ranks >> rank & 1 == 1) {
                cards.insert(found.suit[place] * 13 + 14 - rank, found.score[place]);
            }
        }
        self.answers[board] == cards
    }
}

/// The place of the recording among the sources that Cargo has fetched.
pub fn fetched() -> anyhow::Result<PathBuf> {
    const INSIDE: &str = "dds-bridge-sys-3.4.0/vendor/benchmarks/testdata/dds-camrose-1-32.jsonl";
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home
        .context("there is no home directory")?
        .join("registry/src");
    let registries = std::fs::read_dir(&sources)
        .with_context(|| format!("cannot read {}", sources.display()))?;
    registries
        .filter_map(|registry| Some(registry.ok()?.path().join(INSIDE)))
        .find(|path| path.exists())
        .with_context(|| {
            format!(
                "no registry in {} has {INSIDE}; run cargo fetch",
                sources.display()
            )
        })
}
