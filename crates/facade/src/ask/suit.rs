//! The best play of one suit.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use setrograde_beliefs::joined;
use setrograde_single_dummy::{Average, SuitHolding, SuitLine};

use super::options::{NoSubject, in_short, time_limit};
use crate::words::Percent;
use crate::{Ask, Board, Desk, Example, Refusal, Report, Words};

/// The best play of a single suit, and its chances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Suit {
    /// North's cards of the suit, such as `AJT98` or `AJxxx`; `-` for none.
    pub north: String,
    /// South's cards.
    pub south: String,
    /// The number of tricks to play for; the most with an even chance unless set.
    #[serde(default)]
    pub tricks: Option<usize>,
    /// The best line for every number of tricks.
    #[serde(default)]
    pub all: bool,
    /// Cards of the suit that were played before.
    #[serde(default = "nothing")]
    pub gone: String,
    /// Vacant places of East and of West: the numbers of their unknown cards.
    #[serde(default = "vacant")]
    pub vacant: [u8; 2],
    /// Entries of North and of South in other suits, `null` for enough. A lead takes one, unless
    /// the hand won the trick before.
    #[serde(default)]
    pub entries: [Option<u8>; 2],
    /// Time limit of the search in seconds; the desk's limit if not set.
    #[serde(default)]
    pub time: Option<f64>,
}

fn nothing() -> String {
    "-".to_owned()
}

/// The cards of a hand, and the tricks of a deal.
const CARDS_OF_HAND: u8 = 13;

const fn vacant() -> [u8; 2] {
    [CARDS_OF_HAND; 2]
}

impl Suit {
    /// The deadline of the search.
    fn deadline(&self) -> Result<Option<Instant>, Refusal> {
        Ok(time_limit(self.time)?.map(|time| Instant::now() + time))
    }
}

impl Ask for Suit {
    const NAME: &'static str = "suit";
    const EXAMPLE: Example = Example {
        json: r#"{"north": "AQ", "south": "32"}"#,
        command: "suit AQ 32",
    };
    type Subject = NoSubject;
    type Answer = SuitLines;

    fn check(&self) -> Result<(), Refusal> {
        if self.all && self.tricks.is_some() {
            return Err(Refusal::one_of(&["all", "tricks"]));
        }
        let most = u64::from(CARDS_OF_HAND);
        let numbers = self.vacant.map(|count| ("vacant", u64::from(count)));
        let tricks = self.tricks.map(|tricks| ("tricks", tricks as u64));
        for (name, found) in numbers.into_iter().chain(tricks) {
            if found > most {
                let problem =
                    format_args!("expected a whole number from 0 to {most}, found {found}");
                return Err(Refusal::option(name, problem));
            }
        }
        self.deadline().map(drop)
    }

    fn answer(
        &self,
        desk: &mut Desk,
        _: &NoSubject,
        _: Option<&Board>,
    ) -> Result<SuitLines, Refusal> {
        let hands = [self.north.as_str(), self.south.as_str()];
        let suit = SuitHolding::read(hands, &self.gone, self.vacant.map(usize::from))
            .map_err(Refusal::question)?
            .with_entries(self.entries);
        let stop = desk.stop().clone();
        let suit = suit.with_stop(match self.deadline()? {
            Some(deadline) => stop.by(deadline),
            None => stop,
        });
        let found = suit.answer(self.tricks);
        let Some(found) = found.map_err(Refusal::question)? else {
            return Err(match self.time {
                Some(seconds) if !desk.is_cancelled() => Refusal::limit(
                    "time",
                    format_args!(
                        "the best lines were not found within the limit of {} s",
                        in_short(seconds)
                    ),
                ),
                _ => Refusal::interrupted(),
            });
        };
        Ok(SuitLines {
            north: self.north.clone(),
            south: self.south.clone(),
            at_least: found.at_least,
            average: found.average,
            matchpoints: found.matchpoints,
            lines: if self.all {
                found.lines.into_iter().skip(1).collect()
            } else {
                vec![found.line]
            },
        })
    }
}

/// The best lines of one suit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitLines {
    /// North's cards, as in the question.
    pub north: String,
    /// South's cards.
    pub south: String,
    /// The chance of at least 0, 1, … tricks, each with its best line.
    pub at_least: Vec<f64>,
    /// The line with the best average, unless there are too many lines.
    pub average: Option<Average>,
    /// The best line at matchpoints, unless there are too many lines.
    pub matchpoints: Option<Average>,
    /// The best line for the requested number of tricks, or for each.
    pub lines: Vec<SuitLine>,
}

impl Report for SuitLines {
    fn words(&self, to: &mut Words) {
        to.title("tricks  at least");
        for (tricks, &chance) in self.at_least.iter().enumerate().skip(1) {
            to.line(format_args!("{tricks:6}  {:>7}", Percent(chance)));
        }
        for (name, best) in [
            ("\nBest on average      ", &self.average),
            ("Best at matchpoints  ", &self.matchpoints),
        ] {
            let Some(best) = best else { continue };
            let chances = best
                .at_least
                .iter()
                .enumerate()
                .skip(1)
                .filter(|&(_, &chance)| chance > 0.0)
                .map(|(tricks, &chance)| format!("{tricks}: {}", Percent(chance)));
            let (mean, chances) = (best.mean, joined(chances, "  "));
            to.line(format_args!("{name}mean {mean:.2}, {chances}"));
        }
        for line in &self.lines {
            to.line(format_args!("\n{line}"));
        }
    }
}
