//! A recording of the calls that a program made: JSON Lines, described in
//! `benchmarks/README.md` of DDS.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use dds::abi::{DealPbn, FutureTricks};
use serde::Deserialize;

/// Boards that were asked about together: layouts of what one player cannot see.
pub struct Call {
    /// `bid`, `lead`, `play` or `claimcheck` in the recording.
    pub purpose: String,
    /// Number of the trick, from 1.
    pub trick: u8,
    /// 1 if one best card was asked for, 3 if all cards.
    pub solutions: i32,
    pub deals: Vec<DealPbn>,
    /// The tricks of each card, by its number: one map for each deal. Where only the best is
    /// known it has one number, and none where nothing is known.
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
    let text = read_text(path)?;
    let mut calls = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let location = || format!("{}, line {}", path.display(), number + 1);
        let line: Line = serde_json::from_str(line).with_context(location)?;
        if line.t == "solve" {
            calls.push(call(line).with_context(location)?);
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
    for (index, card) in line.current_trick.iter().enumerate() {
        trick_suit[index] = card / 13;
        trick_rank[index] = 14 - card % 13;
    }
    let deals = line.hands_pbn.iter().map(|pbn| {
        let deal = deal(line.strain_i, line.leader_i, [trick_suit, trick_rank], pbn);
        deal.with_context(|| format!("a deal of {} letters", pbn.len()))
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
    /// Returns true if `found` is what was recorded for a board.
    pub fn is_answer(&self, board: usize, found: &FutureTricks) -> bool {
        let recorded = &self.answers[board];
        if recorded.is_empty() {
            return true;
        }
        if let Some(best) = recorded.get(&BEST) {
            return *best == found.score[0];
        }
        let mut cards = BTreeMap::new();
        for index in 0..found.cards as usize {
            let ranks = found.equals[index] | 1 << found.rank[index];
            for rank in (2..15).filter(|rank| ranks >> rank & 1 == 1) {
                cards.insert(found.suit[index] * 13 + 14 - rank, found.score[index]);
            }
        }
        *recorded == cards
    }
}

/// Reads boards, lines of `STRAIN LEADER PBN TRICKS`: each is a call of its own that asks for
/// `solutions`.
pub fn boards(path: &Path, solutions: i32) -> anyhow::Result<Vec<Call>> {
    let text = read_text(path)?;
    let board = |line: &str| {
        let (position, tricks) = line.rsplit_once(' ')?;
        let mut words = position.splitn(3, ' ');
        let (strain, leader, pbn) = (words.next()?, words.next()?, words.next()?);
        let number = |letters: &str, letter| Some(letters.find(letter)? as i32);
        let (strain, leader) = (number("NSHDC", strain)?, number("NESW", leader)?);
        let deal = deal(strain, leader, [[0; 3]; 2], pbn)?;
        Some(Call {
            purpose: "boards".to_owned(),
            trick: 1,
            solutions,
            deals: vec![deal],
            answers: vec![BTreeMap::from([(BEST, tricks.parse().ok()?)])],
        })
    };
    let lines = text.lines();
    lines
        .map(|line| board(line).with_context(|| format!("not a board: {line}")))
        .collect()
}

/// Reads deals, the first field of each line in PBN, and makes of each, at no trump and with
/// spades as trumps, a call about what is left after each lead of West. What is right is not
/// known.
pub fn leads(path: &Path) -> anyhow::Result<Vec<Call>> {
    let text = read_text(path)?;
    let mut calls = Vec::new();
    for line in text.lines() {
        let pbn = line.split(" | ").next().unwrap_or(line);
        for (strain, name) in [(0, "leads, NT"), (1, "leads, S")] {
            let deals = after_leads(strain, pbn).with_context(|| format!("not a deal: {line}"))?;
            calls.push(Call {
                purpose: name.to_owned(),
                trick: 1,
                solutions: 1,
                answers: vec![BTreeMap::new(); deals.len()],
                deals,
            });
        }
    }
    Ok(calls)
}

/// The rest after each lead of West, whose hand is the last.
fn after_leads(strain: i32, pbn: &str) -> Option<Vec<DealPbn>> {
    let (others, west) = pbn.strip_prefix("N:")?.rsplit_once(' ')?;
    let suits: Vec<&str> = west.split('.').collect();
    let mut deals = Vec::new();
    for (suit, ranks) in suits.iter().enumerate() {
        for rank in ranks.chars() {
            let mut left: Vec<String> = suits.iter().map(|&ranks| ranks.to_owned()).collect();
            left[suit].retain(|other| other != rank);
            let pbn = format!("N:{others} {}", left.join("."));
            let number = "23456789TJQKA".find(rank)? as i32 + 2;
            let led = [[suit as i32, 0, 0], [number, 0, 0]];
            deals.push(deal(strain, 3, led, &pbn)?);
        }
    }
    Some(deals)
}

/// A deal with the suits and ranks of the cards on the table, as DDS has them. Strains count from no
/// trump.
fn deal(strain: i32, leader: i32, [suits, ranks]: [[i32; 3]; 2], pbn: &str) -> Option<DealPbn> {
    let mut cards = [0; 80];
    for (index, byte) in pbn.bytes().enumerate() {
        *cards.get_mut(index)? = byte as _;
    }
    Some(DealPbn {
        trump: (strain + 4) % 5,
        first: leader,
        trick_suit: suits,
        trick_rank: ranks,
        cards,
    })
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The path of the recording among the sources that Cargo has fetched.
pub fn fetched() -> anyhow::Result<PathBuf> {
    const INSIDE: &str = "dds-bridge-sys-3.4.0/vendor/benchmarks/testdata/dds-camrose-1-32.jsonl";
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")));
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
