//! The best line over given layouts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use setrograde_beliefs::{View, counted, joined};
use setrograde_cards::{Contract, Deal, Hand, Side, Vulnerability};
use setrograde_claim::Step;
use setrograde_single_dummy::{
    Line, LineOptions, LineValue, Objective, best_line, layouts_of, read_layouts,
};

use super::options::{TextLines, time_limit, yes};
use crate::{Ask, Board, Desk, Example, HiddenHands, Refusal, Report, Words, shown};

/// The best line of play over given layouts, against best defence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BestLine {
    /// The layouts, 1 to 1,000: a list of deals; or a text with a deal on each line, with a
    /// weight after it or without, or PBN.
    pub layouts: TextLines,
    /// A positive weight for each layout, instead of those in the text; equal ones unless set.
    #[serde(default)]
    pub weights: Vec<f64>,
    /// The target that the line reaches in the most layouts; the best average unless set.
    #[serde(default)]
    pub tricks: Option<u8>,
    /// The contract, such as `3NTS` or `4SXW`, in which the line has the best score.
    #[serde(default)]
    pub score: Option<Contract>,
    /// The tricks won before by declarer, for `score`.
    #[serde(default)]
    pub won: u8,
    /// The sides that are vulnerable, for `score`: `none`, `NS`, `EW` or `both`.
    #[serde(default = "none")]
    pub vulnerable: Vulnerability,
    /// The best line that begins with each card, too.
    #[serde(default = "yes")]
    pub cards: bool,
    /// The line itself, too.
    #[serde(default)]
    pub plan: bool,
    /// Time limit in seconds, after which the answer has bounds; only the desk's limit unless set.
    #[serde(default)]
    pub time: Option<f64>,
    /// Number of positions after which the answer has bounds.
    #[serde(default = "limit")]
    pub limit: u64,
}

const fn none() -> Vulnerability {
    Vulnerability::None
}

const fn limit() -> u64 {
    100_000_000
}

impl BestLine {
    const fn objective(&self) -> Objective {
        match (self.score, self.tricks) {
            (Some(contract), _) => Objective::Score {
                contract,
                vulnerability: self.vulnerable,
                won: self.won,
            },
            (None, Some(target)) => Objective::Target(target),
            (None, None) => Objective::Mean,
        }
    }

    fn layouts(&self) -> Result<(Vec<Deal>, Vec<f64>), Refusal> {
        let read = read_layouts(&self.layouts.0);
        let (deals, weights) = read.map_err(|error| Refusal::option("layouts", error))?;
        Ok(if self.weights.is_empty() {
            (deals, weights)
        } else {
            (deals, self.weights.clone())
        })
    }
}

impl Ask for BestLine {
    const NAME: &'static str = "best_line";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... ? 32... ? out=KJT9...", "layouts": ["N:AQ... KJ... 32... T9..."]}"#,
        command: "",
    };
    type Subject = HiddenHands;
    type Answer = OverLayouts;

    fn check(&self) -> Result<(), Refusal> {
        time_limit(self.time)?;
        if self.score.is_some() && self.tricks.is_some() {
            return Err(Refusal::one_of(&["tricks", "score"]));
        }
        self.layouts().map(drop)
    }

    fn answer(
        &self,
        desk: &mut Desk,
        HiddenHands(question): &HiddenHands,
        _: Option<&Board>,
    ) -> Result<OverLayouts, Refusal> {
        let view = View::of_bridge(question)?;
        let (deals, weights) = self.layouts()?;
        let layouts =
            layouts_of(&view, &deals).map_err(|error| Refusal::option("layouts", error))?;
        let options = LineOptions {
            database: desk.database().cloned(),
            most_visits: self.limit,
            time: time_limit(self.time)?,
            all_cards: self.cards,
            line: self.plan,
            stop: desk.stop().clone(),
        };
        let objective = self.objective();
        Ok(OverLayouts {
            objective: match objective {
                Objective::Target(_) => "target",
                Objective::Mean => "tricks",
                Objective::Score { .. } => "score",
                Objective::Worth(_) => "worth",
            },
            layouts: layouts.len(),
            found: best_line(&view, &layouts, &weights, &objective, &options)?,
        })
    }
}

/// A best line over given layouts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverLayouts {
    /// The quantity that the line maximizes: `target`, `tricks` or `score`.
    pub objective: &'static str,
    /// The number of layouts.
    pub layouts: usize,
    /// The line.
    #[serde(flatten)]
    found: setrograde_single_dummy::BestLine,
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
            "{} {unit}, {}; double dummy {}",
            self.bounds(&found.value),
            counted(layouts, "layout"),
            self.worth(found.double_dummy),
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
            to.line(steps(found.side, line).trim_end());
        }
    }
}

impl OverLayouts {
    fn worth(&self, worth: f64) -> String {
        match self.objective {
            "target" => format!("{:.1} %", 100.0 * worth),
            "tricks" => format!("{worth:.3}"),
            _ => format!("{worth:.1}"),
        }
    }

    /// A value, or bounds on it.
    fn bounds(&self, value: &LineValue) -> String {
        if value.is_exact() {
            self.worth(value.worth)
        } else {
            format!(
                "{} to {}",
                self.worth(value.worth),
                self.worth(value.at_most)
            )
        }
    }
}

/// The numbers of layouts with each number of tricks: `4 in 12, 3 in 52`.
fn spread(tricks: &[u8]) -> String {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    tricks
        .iter()
        .for_each(|tricks| *counts.entry(*tricks).or_default() += 1);
    let each = counts.iter().rev();
    joined(
        each.map(|(tricks, layouts)| format!("{tricks} in {layouts}")),
        ", ",
    )
}

/// The line, a step on each line.
fn steps(side: Side, line: &Line) -> String {
    let mut text = format!("The line of {side}, from step {}:\n", line.root);
    for (index, step) in line.steps.iter().enumerate() {
        let step = match step {
            Step::Play { card, then } => format!("play {}, then {then}", shown(*card)),
            Step::Watch { seen, .. } => {
                let way = |(cards, then): &(Hand, usize)| {
                    format!("{}: {then}", joined(cards.cards().map(shown), " "))
                };
                format!("they play {}", joined(seen.iter().map(way), "; "))
            }
            _ => "done".to_owned(),
        };
        text += &format!("  {index}: {step}\n");
    }
    text
}
