//! `setrograde claim check`, and plans and cores as JSON.

use std::io::{self, Read, Write};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;
use setrograde_cards::{Card, Hand, TextError};
use setrograde_claim::{Core, Plan, Step, check_core, check_plan};

use crate::Outcome;
use crate::arguments::condition::{ConditionArgument, described};
use crate::json::{CoreObject, PlanObject, SeenCards, StepObject, texts};
use crate::questions::refused;
use crate::questions::sources::Source;

/// The most bytes of a plan or a core.
const LONGEST: u64 = 256 << 20;

/// Check a plan, or layouts that refute a claim.
#[derive(Args)]
#[command(after_help = include_str!("../../help/claim_check.txt"))]
pub struct CheckArguments {
    #[command(flatten)]
    condition: ConditionArgument,
    /// The question, as for `claim`, in quotes.
    question: String,
    /// The plan or the core, as JSON; `-` for standard input.
    #[arg(value_name = "FILE")]
    proof: String,
}

pub fn run(arguments: &CheckArguments) -> anyhow::Result<Outcome> {
    arguments.condition.read()?;
    let knowledge = arguments.condition.knowledge(None, &arguments.question);
    let knowledge = knowledge.map_err(|error| refused(described(&error, false)))?;
    let source = Source::new(&arguments.proof);
    let place = source.name();
    let mut text = String::new();
    let read = source.open()?.take(LONGEST + 1).read_to_string(&mut text);
    read.with_context(|| format!("{place}: cannot read"))?;
    if text.len() as u64 > LONGEST {
        bail!("{place}: longer than {LONGEST} bytes");
    }
    let value: Value = serde_json::from_str(&text).with_context(|| place.to_string())?;
    let checked = if value.get("steps").is_none() {
        let core = core_from(value).with_context(|| place.to_string())?;
        check_core(&knowledge, &core)
            .map_err(|error| error.to_string())
            .map(|()| {
                let tricks = core.tricks;
                format!("no plan takes {tricks} tricks in all layouts")
            })
    } else {
        let plan = plan_from(value).with_context(|| place.to_string())?;
        check_plan(&knowledge, &plan)
            .map_err(|error| error.to_string())
            .map(|()| {
                let layouts = plan.among.as_ref().map(|among| among.len().to_string());
                let layouts = layouts.as_deref().unwrap_or("all");
                format!("the plan takes {} tricks in {layouts} layouts", plan.tricks)
            })
    };
    let (text, outcome) = match checked {
        Ok(text) => (format!("right: {text}"), Outcome::Done),
        Err(problem) => (format!("wrong: {problem}"), Outcome::NotSure),
    };
    writeln!(io::stdout(), "{text}")?;
    Ok(outcome)
}

/// A plan as JSON.
pub fn plan_json(plan: &Plan) -> PlanObject {
    let step = |step: &Step| match step {
        Step::Done => StepObject::Done { done: true },
        Step::Order(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(lead, follow)| format!("{lead} {follow}"));
            StepObject::Order {
                order: pairs.collect(),
            }
        }
        &Step::Play { card, then } => StepObject::Play {
            play: card.to_string(),
            then,
        },
        Step::Watch { seen, otherwise } => StepObject::Watch {
            watch: seen
                .iter()
                .map(|(cards, then)| SeenCards {
                    cards: texts(cards.cards()),
                    then: *then,
                })
                .collect(),
            otherwise: *otherwise,
        },
    };
    PlanObject {
        tricks: plan.tricks,
        root: plan.root,
        steps: plan.steps.iter().map(step).collect(),
        among: plan.among.as_deref().map(layouts_json),
    }
}

/// A core as JSON.
pub fn core_json(core: &Core) -> CoreObject {
    CoreObject {
        tricks: core.tricks,
        layouts: layouts_json(&core.layouts),
    }
}

/// The two hidden hands of each layout.
fn layouts_json(layouts: &[[Hand; 2]]) -> Vec<[String; 2]> {
    let texts = layouts.iter();
    texts
        .map(|hands| hands.map(|hand| hand.to_string()))
        .collect()
}

fn parsed<T: FromStr<Err = TextError>>(text: &str) -> anyhow::Result<T> {
    text.parse().with_context(|| format!("{text:?}"))
}

fn step_from(step: StepObject) -> anyhow::Result<Step> {
    Ok(match step {
        StepObject::Done { .. } => Step::Done,
        StepObject::Order { order } => {
            let pair = |pair: &String| {
                let words = pair.split_once(' ');
                let (lead, follow) =
                    words.with_context(|| format!("{pair:?} is no pair, as \"SA S2\""))?;
                Ok((parsed(lead)?, parsed(follow)?))
            };
            Step::Order(order.iter().map(pair).collect::<anyhow::Result<_>>()?)
        }
        StepObject::Play { play, then } => Step::Play {
            card: parsed(&play)?,
            then,
        },
        StepObject::Watch { watch, otherwise } => {
            let seen = watch.iter().map(|SeenCards { cards, then }| {
                let cards = cards.iter().map(|card| parsed::<Card>(card));
                Ok((cards.collect::<anyhow::Result<Hand>>()?, *then))
            });
            Step::Watch {
                seen: seen.collect::<anyhow::Result<_>>()?,
                otherwise,
            }
        }
    })
}

fn plan_from(value: Value) -> anyhow::Result<Plan> {
    let plan: PlanObject = serde_json::from_value(value)?;
    let steps = (0..).zip(plan.steps);
    let steps =
        steps.map(|(n, step): (usize, _)| step_from(step).with_context(|| format!("step {n}")));
    Ok(Plan {
        tricks: plan.tricks,
        root: plan.root,
        steps: steps.collect::<anyhow::Result<_>>()?,
        among: plan.among.as_deref().map(layouts_from).transpose()?,
    })
}

fn core_from(value: Value) -> anyhow::Result<Core> {
    let core: CoreObject = serde_json::from_value(value)?;
    Ok(Core {
        tricks: core.tricks,
        layouts: layouts_from(&core.layouts)?,
    })
}

fn layouts_from(layouts: &[[String; 2]]) -> anyhow::Result<Vec<[Hand; 2]>> {
    let hands = layouts
        .iter()
        .map(|[one, other]| Ok([parsed(one)?, parsed(other)?]));
    hands.collect()
}
