//! `setrograde single-dummy --layouts FILE`: the best line over layouts that are given.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::Serialize;
use setrograde::{Report, Words, shown};
use setrograde_beliefs::Question;
use setrograde_cards::{Contract, Deal, Hand, Side, Vulnerability};
use setrograde_games::View;
use setrograde_lookup::Database;
use setrograde_records::decode;
use setrograde_single_dummy::{
    BestLine, Line, LineOptions, LineValue, Objective, best_line, layouts_of, read_layouts,
};

use crate::arguments::shared::duration;
use crate::interrupt;
use crate::questions::NoAnswer;

/// The options of a best line.
#[derive(clap::Args)]
pub struct LineArguments {
    /// The best line over the layouts of a file instead of all: a deal on each line, with a
    /// weight after it or without, or PBN.
    #[arg(long, value_name = "FILE")]
    pub layouts: Option<std::path::PathBuf>,
    /// With --layouts: the best duplicate score in this contract, as 3NTS or 4SXW, instead of
    /// the most tricks. --won N: the tricks that declarer won before.
    #[arg(
        long,
        value_name = "CONTRACT",
        requires = "layouts",
        conflicts_with = "tricks"
    )]
    score: Option<Contract>,
    /// The tricks that declarer has won before, for --score.
    #[arg(long, value_name = "N", requires = "score", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=13))]
    won: u8,
    /// The sides that are vulnerable, for --score: none, NS, EW or both.
    #[arg(long, value_name = "SIDES", requires = "score", default_value = "none", value_parser = crate::arguments::shared::sides)]
    vulnerable: Vulnerability,
    /// With --layouts: seconds after which the answer has bounds.
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "layouts",
        default_value_t = 60.0
    )]
    time: f64,
}

/// A best line that is asked for.
pub struct Asked {
    deals: Vec<Deal>,
    weights: Vec<f64>,
    objective: Objective,
    options: LineOptions,
    file: String,
}

impl LineArguments {
    /// The layouts and what is asked about them; `None` if no file is given.
    pub fn read(
        &self,
        tricks: Option<u8>,
        line: bool,
        most_visits: u64,
        database: Option<&Arc<Database>>,
    ) -> anyhow::Result<Option<Asked>> {
        let Some(path) = &self.layouts else {
            return Ok(None);
        };
        let time = duration(self.time)?;
        let objective = match (self.score, tricks) {
            (Some(contract), _) => Objective::Score {
                contract,
                vulnerability: self.vulnerable,
                won: self.won,
            },
            (None, Some(target)) => Objective::Target(target),
            (None, None) => Objective::Mean,
        };
        let (deals, weights) =
            read_layouts(&read(path)?).with_context(|| path.display().to_string())?;
        Ok(Some(Asked {
            deals,
            weights,
            objective,
            options: LineOptions {
                database: database.cloned(),
                most_visits,
                time: Some(time),
                all_cards: true,
                line,
                stop: interrupt::stop(),
            },
            file: path.display().to_string(),
        }))
    }
}

/// The text of a file, or of standard input.
fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    match path.as_os_str() == "-" {
        true => io::stdin().take(MOST_BYTES).read_to_end(&mut bytes),
        false => {
            let file = fs::File::open(path);
            file.and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes))
        }
    }
    .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(decode(&bytes))
}

/// A file of 1,000 deals is far smaller.
const MOST_BYTES: u64 = 16 << 20;

/// A best line over the layouts of a file.
#[derive(Serialize)]
pub struct OverLayouts {
    objective: &'static str,
    /// Their number.
    layouts: usize,
    #[serde(flatten)]
    found: BestLine,
}

impl Asked {
    /// The best line of a question.
    pub fn answer(&self, question: &Question) -> Result<OverLayouts, NoAnswer> {
        let view = View::of_bridge(question)?;
        let layouts = layouts_of(&view, &self.deals)
            .map_err(|error| NoAnswer::refused(format!("{}: {error}", self.file)))?;
        Ok(OverLayouts {
            objective: self.objective_name(),
            layouts: layouts.len(),
            found: best_line(
                &view,
                &layouts,
                &self.weights,
                &self.objective,
                &self.options,
            )?,
        })
    }

    fn objective_name(&self) -> &'static str {
        match self.objective {
            Objective::Target(_) => "target",
            Objective::Mean => "tricks",
            Objective::Score { .. } => "score",
            Objective::Worth(_) => "worth",
        }
    }
}

impl Report for OverLayouts {
    fn words(&self, to: &mut Words) {
        let (found, layouts) = (&self.found, self.layouts);
        let unit = match self.objective {
            "target" => "of the weight",
            "tricks" => "tricks on average",
            _ => "points on average",
        };
        to.beside(format_args!(
            "{} {unit}, {layouts} {}; double dummy {}",
            self.bounds(&found.value),
            if layouts == 1 { "layout" } else { "layouts" },
            self.told(found.double_dummy),
        ));
        for card in &found.cards {
            let equals = card
                .equals
                .iter()
                .map(|equal| format!(" = {}", shown(*equal)));
            let name = shown(card.card) + &equals.collect::<String>();
            let (bounds, spread) = (self.bounds(&card.value), spread(&card.value.tricks));
            to.line(format_args!("  {name:12} {bounds:18} {spread}"));
        }
        if let Some(line) = &found.line {
            to.line(told_line(found.side, line).trim_end());
        }
    }
}

impl OverLayouts {
    fn told(&self, worth: f64) -> String {
        match self.objective {
            "target" => format!("{:.1} %", 100.0 * worth),
            "tricks" => format!("{worth:.3}"),
            _ => format!("{worth:.1}"),
        }
    }

    /// A worth, or what it lies between.
    fn bounds(&self, value: &LineValue) -> String {
        match value.is_exact() {
            true => self.told(value.worth),
            false => format!("{} to {}", self.told(value.worth), self.told(value.at_most)),
        }
    }
}

/// The numbers of layouts with each number of tricks: `4 in 12, 3 in 52`.
fn spread(tricks: &[u8]) -> String {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    tricks
        .iter()
        .for_each(|tricks| *counts.entry(*tricks).or_default() += 1);
    let each = counts
        .iter()
        .rev()
        .map(|(tricks, layouts)| format!("{tricks} in {layouts}"));
    each.collect::<Vec<_>>().join(", ")
}

/// The line, a step on each line.
fn told_line(side: Side, line: &Line) -> String {
    use setrograde_claim::Step;
    let mut text = format!("The line of {side}, from step {}:\n", line.root);
    for (place, step) in line.steps.iter().enumerate() {
        let told = match step {
            Step::Play { card, then } => format!("play {}, then {then}", shown(*card)),
            Step::Watch { seen, .. } => {
                let way = |(cards, then): &(Hand, usize)| {
                    let cards: Vec<String> = cards.cards().map(shown).collect();
                    format!("{}: {then}", cards.join(" "))
                };
                format!(
                    "they play {}",
                    seen.iter().map(way).collect::<Vec<_>>().join("; ")
                )
            }
            _ => "done".to_owned(),
        };
        text += &format!("  {place}: {told}\n");
    }
    text
}
