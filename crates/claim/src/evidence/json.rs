//! Writes and reads the steps of plans with serde; docs/json.md of the project has examples.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use setrograde_cards::{Card, TextError};

use super::plan::Step;

/// A step as an object.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "expected a step: done, order, rule, play and then, or watch and else"
)]
pub(crate) enum Form {
    Done {
        done: bool,
    },
    Order {
        order: Vec<String>,
    },
    Play {
        play: String,
        then: usize,
    },
    Rule {
        rule: Vec<String>,
    },
    Watch {
        watch: Vec<SeenHands>,
        #[serde(rename = "else")]
        otherwise: usize,
    },
}

/// Cards that another hand may play, and the step after any of them.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SeenHands {
    /// The cards.
    cards: Vec<String>,
    /// The step.
    then: usize,
}

impl From<Step> for Form {
    fn from(step: Step) -> Form {
        match step {
            Step::Done => Form::Done { done: true },
            Step::Order(pairs) => {
                let pairs = pairs.iter();
                let order = pairs.map(|(lead, follow)| format!("{lead} {follow}"));
                Form::Order {
                    order: order.collect(),
                }
            }
            Step::Play { card, then } => Form::Play {
                play: card.to_string(),
                then,
            },
            Step::Rule(cards) => Form::Rule {
                rule: cards.iter().map(Card::to_string).collect(),
            },
            Step::Watch { seen, otherwise } => {
                let watch = seen.iter().map(|&(cards, then)| SeenHands {
                    cards: cards.cards().map(|card| card.to_string()).collect(),
                    then,
                });
                Form::Watch {
                    watch: watch.collect(),
                    otherwise,
                }
            }
        }
    }
}

impl TryFrom<Form> for Step {
    type Error = String;

    fn try_from(form: Form) -> Result<Step, String> {
        Ok(match form {
            Form::Done { .. } => Step::Done,
            Form::Order { order } => {
                let pair = |pair: &String| {
                    let words = pair.split_once(' ');
                    let problem = || format!("{pair:?} is not a pair, as \"SA S2\"");
                    let (lead, follow) = words.ok_or_else(problem)?;
                    Ok((card(lead)?, card(follow)?))
                };
                Step::Order(order.iter().map(pair).collect::<Result<_, String>>()?)
            }
            Form::Play { play, then } => Step::Play {
                card: card(&play)?,
                then,
            },
            Form::Rule { rule } => {
                let cards = rule.iter().map(|text| card(text));
                Step::Rule(cards.collect::<Result<_, String>>()?)
            }
            Form::Watch { watch, otherwise } => {
                let seen = watch.iter().map(|SeenHands { cards, then }| {
                    let cards = cards.iter().map(|text| card(text));
                    Ok((cards.collect::<Result<_, String>>()?, *then))
                });
                Step::Watch {
                    seen: seen.collect::<Result<_, String>>()?,
                    otherwise,
                }
            }
        })
    }
}

fn card(text: &str) -> Result<Card, String> {
    let read = Card::from_str(text);
    read.map_err(|error: TextError| format!("{text:?}: {error}"))
}
