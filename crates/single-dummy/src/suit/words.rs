//! The steps of a line of play, and their text.

use serde::{Serialize, Serializer};
use setrograde_beliefs::joined;
use setrograde_cards::{Rank, Seat};
use setrograde_claim::wrapped;

use super::SuitHolding;

/// A trick of a plan: the lead, the card of the third hand, and the continuations. The steps
/// printed after it apply for any play of the opponents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitStep {
    /// The hand that leads: North or South.
    pub from: Seat,
    /// The card that it leads.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(serialize_with = "as_letter")]
    pub lead: Rank,
    /// The cards of the third hand: one unless they depend on the second hand's.
    pub third: Vec<SuitThird>,
    /// The continuations that depend on the opponents' cards; empty if none does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<SuitBranch>,
}

fn as_letter<S: Serializer>(
    rank: &(impl Copy + Into<Option<Rank>>),
    to: S,
) -> Result<S::Ok, S::Error> {
    let rank: Option<Rank> = (*rank).into();
    rank.map(Rank::letter).serialize(to)
}

/// A card of the third hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitThird {
    /// The card; `None` if the hand is void.
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    #[serde(serialize_with = "as_letter")]
    pub card: Option<Rank>,
    /// The cards of the second hand after which it is played: a rank, touching ranks as `(K/Q)`,
    /// `low` or `shows out`.
    pub after: Vec<String>,
}

/// A continuation, and when it is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitBranch {
    /// The trick as it went.
    pub when: When,
    /// The steps that follow.
    pub steps: Vec<SuitStep>,
}

/// The shortest description of a trick that distinguishes its continuation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// True if North and South won it.
    Won(bool),
    /// The cards of the second hand.
    Second(Vec<String>),
    /// The cards of the fourth hand.
    Fourth(Vec<String>),
    /// The cards of both.
    Both(Vec<[String; 2]>),
}

/// Maximum number of lines of a plan that are written.
const LONGEST: usize = 40;

/// Maximum width of a line, without the indent of the branch that it is in.
const WIDTH: usize = 59;

/// The continuation at some point.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum After {
    /// The tricks are there.
    Won,
    /// Nothing that could still be won.
    Lost,
    Play(Vec<SuitStep>),
}

impl After {
    pub(super) fn steps(self) -> Vec<SuitStep> {
        match self {
            After::Play(steps) => steps,
            After::Won | After::Lost => Vec::new(),
        }
    }

    /// The plan in words.
    pub(super) fn words(&self) -> String {
        let mut lines = match self {
            After::Won => vec!["No further play is needed.".to_owned()],
            After::Lost => vec!["No line takes that many tricks.".to_owned()],
            After::Play(steps) => in_words(steps),
        };
        if lines.len() > LONGEST {
            lines.truncate(LONGEST);
            lines.push("… and so on: the longest branches are left out.".to_owned());
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn in_words(steps: &[SuitStep]) -> Vec<String> {
    let mut lines = Vec::new();
    for step in steps {
        let second = SuitHolding::second(usize::from(step.from == Seat::South));
        let [second, fourth] = [second.name(), second.partner().name()];
        lines.extend(wrapped(&trick_words(step, second), ["", "  "], WIDTH));
        for branch in &step.then {
            let label = match &branch.when {
                When::Won(true) => "If that wins".to_owned(),
                When::Won(false) => "If that loses".to_owned(),
                When::Second(names) => format!("If {second}: {}", names.join(" or ")),
                When::Fourth(names) => format!("If {fourth}: {}", names.join(" or ")),
                When::Both(pairs) => {
                    let pairs = pairs.iter().map(|pair| pair.join(" and "));
                    format!("If {second} and {fourth}: {}", joined(pairs, "; "))
                }
            };
            lines.extend(wrapped(&format!("{label}:"), ["  ", "    "], WIDTH));
            lines.extend(
                in_words(&branch.steps)
                    .iter()
                    .map(|line| format!("    {line}")),
            );
        }
    }
    lines
}

/// A trick: the lead, and the cards of the third hand, by those of the second if it matters.
fn trick_words(step: &SuitStep, second: &str) -> String {
    let the = |card: Rank| format!("the {}", card.letter());
    let (lead, from) = (the(step.lead), step.from.name());
    if let [SuitThird { card, .. }] = step.third[..] {
        let partner = step.from.partner().name();
        let third = card.map(|card| format!(", {} from {partner}", the(card)));
        return format!("Lead {lead} from {from}{}.", third.unwrap_or_default());
    }
    let mut line = format!("Lead {lead} from {from}.");
    for SuitThird { card, after } in &step.third {
        let card = card.map_or_else(|| "nothing".to_owned(), the);
        line += &format!(" {second} {}: {card}.", after.join(" or "));
    }
    line
}
