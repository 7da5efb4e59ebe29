//! `setrograde claim check`, and plans and cores as JSON.

use std::io::{self, Read, Write};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};
use setrograde_cards::{Card, Hand};
use setrograde_claim::{Core, Pair, Plan, Step, check_core, check_plan};

use crate::Outcome;
use crate::arguments::condition::{ConditionArgument, described};
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
    if let Err(error) = arguments.condition.read() {
        return refused(error);
    }
    let knowledge = match arguments.condition.knowledge(None, &arguments.question) {
        Ok(knowledge) => knowledge,
        Err(error) => return refused(described(&error, false)),
    };
    let source = Source::new(&arguments.proof);
    let place = source.name();
    let mut text = String::new();
    source
        .open()?
        .take(LONGEST + 1)
        .read_to_string(&mut text)
        .with_context(|| format!("{place}: cannot read"))?;
    if text.len() as u64 > LONGEST {
        bail!("{place}: longer than {LONGEST} bytes");
    }
    let value: Value = serde_json::from_str(&text).with_context(|| place.to_string())?;
    let problem = if value.get("steps").is_none() {
        let core = core_from(&value).with_context(|| place.to_string())?;
        let problem = check_core(&knowledge, &core).err();
        if problem.is_none() {
            writeln!(
                io::stdout(),
                "right: no plan takes {} tricks in all layouts",
                core.tricks
            )?;
        }
        problem.map(|error| error.to_string())
    } else {
        let plan = plan_from(&value).with_context(|| place.to_string())?;
        let problem = check_plan(&knowledge, &plan).err();
        if problem.is_none() {
            writeln!(
                io::stdout(),
                "right: the plan takes {} tricks in {} layouts",
                plan.tricks,
                plan.among
                    .map_or("all".to_owned(), |among| among.len().to_string())
            )?;
        }
        problem.map(|error| error.to_string())
    };
    Ok(match problem {
        None => Outcome::Done,
        Some(problem) => {
            writeln!(io::stdout(), "wrong: {problem}")?;
            Outcome::NotSure
        }
    })
}

fn pair_text((lead, follow): &Pair) -> String {
    format!("{lead} {follow}")
}

/// A plan as JSON.
pub fn plan_json(plan: &Plan) -> Value {
    let steps: Vec<Value> = plan
        .steps
        .iter()
        .map(|step| match step {
            Step::Done => json!({ "done": true }),
            Step::Order(pairs) => {
                let pairs: Vec<String> = pairs.iter().map(pair_text).collect();
                json!({ "order": pairs })
            }
            Step::Play { card, then } => json!({ "play": card.to_string(), "then": then }),
            Step::Watch { seen, otherwise } => {
                let seen: Vec<Value> = seen
                    .iter()
                    .map(|(cards, then)| json!({ "cards": names(cards), "then": then }))
                    .collect();
                json!({ "watch": seen, "else": otherwise })
            }
        })
        .collect();
    let mut object = json!({ "tricks": plan.tricks, "root": plan.root, "steps": steps });
    if let Some(among) = &plan.among {
        object["among"] = layouts_json(among);
    }
    object
}

/// A core as JSON.
pub fn core_json(core: &Core) -> Value {
    json!({ "tricks": core.tricks, "layouts": layouts_json(&core.layouts) })
}

/// The two hidden hands of each layout.
fn layouts_json(layouts: &[[Hand; 2]]) -> Value {
    let texts = layouts
        .iter()
        .map(|hands| hands.map(|hand| hand.to_string()));
    texts.collect::<Vec<_>>().into()
}

fn names(cards: &Hand) -> Vec<String> {
    cards.cards().map(|card| card.to_string()).collect()
}

fn number(value: &Value, name: &str) -> anyhow::Result<usize> {
    let number = value.get(name).and_then(Value::as_u64);
    let number = number.and_then(|number| usize::try_from(number).ok());
    number.with_context(|| format!("{name:?} is missing or not a number"))
}

fn tricks(value: &Value) -> anyhow::Result<u8> {
    u8::try_from(number(value, "tricks")?).context("\"tricks\" is above 13")
}

fn list<'a>(value: &'a Value, name: &str) -> anyhow::Result<&'a Vec<Value>> {
    let list = value.get(name).and_then(Value::as_array);
    list.with_context(|| format!("{name:?} is missing or not a list"))
}

fn text<'a>(value: &'a Value, what: &str) -> anyhow::Result<&'a str> {
    value
        .as_str()
        .with_context(|| format!("{what} must be a text"))
}

fn card(value: &Value) -> anyhow::Result<Card> {
    let text = text(value, "a card")?;
    text.parse().with_context(|| format!("{text:?}"))
}

fn step_from(value: &Value) -> anyhow::Result<Step> {
    if value.get("done").is_some() {
        return Ok(Step::Done);
    }
    if value.get("order").is_some() {
        let mut pairs = Vec::new();
        for pair in list(value, "order")? {
            let pair = text(pair, "a pair")?;
            let Some((lead, follow)) = pair.split_once(' ') else {
                bail!("{pair:?} is no pair, as \"SA S2\"");
            };
            pairs.push((lead.parse()?, follow.parse()?));
        }
        return Ok(Step::Order(pairs));
    }
    if let Some(played) = value.get("play") {
        return Ok(Step::Play {
            card: card(played)?,
            then: number(value, "then")?,
        });
    }
    let mut seen = Vec::new();
    for way in list(value, "watch")? {
        let cards = list(way, "cards")?.iter().map(card);
        let cards: anyhow::Result<Hand> = cards.collect();
        seen.push((cards?, number(way, "then")?));
    }
    Ok(Step::Watch {
        seen,
        otherwise: number(value, "else")?,
    })
}

fn plan_from(value: &Value) -> anyhow::Result<Plan> {
    let steps = list(value, "steps")?.iter().enumerate();
    let steps = steps.map(|(n, step)| step_from(step).with_context(|| format!("step {n}")));
    Ok(Plan {
        tricks: tricks(value)?,
        root: number(value, "root")?,
        steps: steps.collect::<anyhow::Result<_>>()?,
        among: match value.get("among") {
            Some(_) => Some(layouts_from(value, "among")?),
            None => None,
        },
    })
}

fn layouts_from(value: &Value, name: &str) -> anyhow::Result<Vec<[Hand; 2]>> {
    let mut layouts = Vec::new();
    for (n, layout) in list(value, name)?.iter().enumerate() {
        let hands = layout.as_array().filter(|hands| hands.len() == 2);
        let hands = hands.with_context(|| format!("layout {n}: expected two hands"))?;
        let hand = |at: usize| -> anyhow::Result<Hand> {
            let text = text(&hands[at], "a hand")?;
            text.parse()
                .with_context(|| format!("layout {n}: {text:?}"))
        };
        layouts.push([hand(0)?, hand(1)?]);
    }
    Ok(layouts)
}

fn core_from(value: &Value) -> anyhow::Result<Core> {
    Ok(Core {
        tricks: tricks(value)?,
        layouts: layouts_from(value, "layouts")?,
    })
}
