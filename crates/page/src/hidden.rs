//! Two hands hidden: the sure tricks with a plan, the layouts that beat more, the assumptions that
//! would help, and a ruling on a claim.

use std::error::Error;
use std::sync::Arc;

use serde_json::{Value, json};
use setrograde_beliefs::{CONDITIONS, Condition};
use setrograde_cards::{Card, LargeCount, Seat, Trick};
use setrograde_claim::{
    Assumption, ClaimError, Claims, Knowledge, Line, Options, SoFar, Verdict, Worst, in_words,
    tricks_of,
};

use crate::JsonAnswer;
use crate::position::{SeatsView, field, names};

/// Memory for the search for claims, in bytes.
const MEMORY: usize = 64 << 20;
/// Maximum number of nodes of the search for one answer. A page stops a long question by ending its
/// worker; this limit stops all other callers' questions.
const MOST_NODES: u64 = 2_000_000;

/// A number of tricks, or `-`; and after a tab what the claimer, who is named first,
/// sees with dummy.
struct HiddenQuestion {
    need: Option<u8>,
    seen: SeatsView,
    knowledge: Knowledge,
}

impl HiddenQuestion {
    fn read(text: &str) -> Result<HiddenQuestion, Box<dyn Error>> {
        let (need, text) = field(text, "the number of tricks")?;
        let need = match need {
            "-" => None,
            need => Some(need.parse::<u8>()?),
        };
        let seen = SeatsView::read(text)?;
        let knowledge = Knowledge::of(&seen.question)?;
        let left = knowledge.tricks_left();
        if let Some(need) = need.filter(|&need| usize::from(need) > left) {
            return Err(format!("{need} tricks; there are {left} left").into());
        }
        Ok(HiddenQuestion {
            need,
            seen,
            knowledge,
        })
    }

    fn need(&self) -> Result<u8, &'static str> {
        self.need.ok_or("the number of tricks is missing")
    }
}

fn claims() -> Claims {
    Claims::new(Options {
        memory: MEMORY,
        limit: Some(MOST_NODES),
        ..Options::default()
    })
}

/// An answer, or that the limit was reached.
fn within_limit(answer: Result<Value, ClaimError>) -> JsonAnswer {
    match answer {
        Err(ClaimError::LimitReached { limit }) => Ok(json!({ "limit": limit })),
        Err(error) => Err(error.into()),
        Ok(value) => Ok(value),
    }
}

/// Number of nodes after which `soon` reports the sure tricks: about 0.1 s.
const FEW_NODES: u64 = 1_000;

/// The early bounds on the sure tricks.
fn soon(knowledge: &Knowledge) -> JsonAnswer {
    let so_far = Arc::new(SoFar::default());
    let mut claims = Claims::new(Options {
        memory: MEMORY,
        limit: Some(FEW_NODES),
        so_far: Some(Arc::clone(&so_far)),
        ..Options::default()
    });
    match claims.sure(knowledge) {
        Ok(_) | Err(ClaimError::LimitReached { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let (least, most) = so_far.bounds();
    Ok(json!({ "least": least, "most": most }))
}

/// The questions `soon`, `sure`, `sure_cards`, `plan`, `against` and `help`.
pub(crate) fn answer(what: &str, text: &str) -> JsonAnswer {
    let hidden = HiddenQuestion::read(text)?;
    let knowledge = &hidden.knowledge;
    let mut claims = claims();
    match what {
        "soon" => soon(knowledge),
        "sure" => within_limit(claims.sure(knowledge).map(|sure| {
            json!({
                "claimer": knowledge.claimer().to_string(),
                "tricks_left": knowledge.tricks_left(),
                "layouts": LargeCount(knowledge.layouts().into()),
                "sure": sure,
            })
        })),
        "sure_cards" => {
            within_limit((claims.cards(knowledge)).map(|cards| json!({ "cards": cards })))
        }
        "plan" => plan(&mut claims, knowledge, hidden.need()?),
        "against" => against(&mut claims, knowledge, hidden.need()?),
        _ => help(&mut claims, knowledge, hidden.need()?),
    }
}

/// A plan for tricks that are sure, in words, and in pairs if the order is all that counts.
fn plan(claims: &mut Claims, knowledge: &Knowledge, need: u8) -> JsonAnswer {
    within_limit(claims.plan(knowledge, need).map(|plan| {
        let order = plan.order().map(|pairs| {
            let pair = |(first, second): &(Card, Card)| format!("{first} {second}");
            pairs.iter().map(pair).collect::<Vec<_>>()
        });
        let words = in_words(knowledge, &plan);
        json!({ "tricks": need, "order": order, "why": words.lines().collect::<Vec<_>>() })
    }))
}

/// The layouts that no plan for this number of tricks survives.
fn against(claims: &mut Claims, knowledge: &Knowledge, need: u8) -> JsonAnswer {
    within_limit(claims.decide(knowledge, need).map(|verdict| match verdict {
        Verdict::Sure(_) => json!({ "tricks": need, "verdict": "sure" }),
        Verdict::Refuted(core) => {
            json!({
                "tricks": need,
                "verdict": "not sure",
                "hidden": knowledge.hidden().map(|seat| seat.to_string()),
                "layouts": core.map(|core| core.layouts),
            })
        }
        _ => json!({ "tricks": need, "limit": MOST_NODES }),
    }))
}

/// Maximum number of assumptions of an answer.
const ASSUMPTIONS: usize = 5;

/// The weakest assumptions that make this number of tricks sure, and their chances.
fn help(claims: &mut Claims, knowledge: &Knowledge, need: u8) -> JsonAnswer {
    within_limit(claims.weakest(knowledge, need, ASSUMPTIONS).map(|weakest| {
        let assumption = |of: &Assumption| {
            let mut object = json!(of);
            object["words"] = of.condition.in_words().into();
            object
        };
        json!({
            "tricks": need,
            "assume": weakest.found.iter().map(assumption).collect::<Vec<_>>(),
            "complete": weakest.complete,
        })
    }))
}

/// A condition in words, if there is one; and the forms that it may have, each with its meaning.
pub(crate) fn condition(text: &str) -> JsonAnswer {
    let words = match text.trim() {
        "" | "-" => None,
        text => Some(text.parse::<Condition>()?.in_words()),
    };
    let forms = CONDITIONS.lines().filter_map(|line| line.split_once("  "));
    let forms: Vec<[&str; 2]> = forms
        .map(|(text, meaning)| [text, meaning.trim()])
        .collect();
    Ok(json!({ "words": words, "forms": forms }))
}

/// A ruling on a claim. A first line has the stated line, in words of `claim line`;
/// then comes a question as for `plan`.
pub(crate) fn adjudicate(text: &str) -> JsonAnswer {
    let (line, text) = text.split_once('\n').ok_or("the question is missing")?;
    let line: Line = line.parse()?;
    let hidden = HiddenQuestion::read(text)?;
    let knowledge = &hidden.knowledge;
    let claimed = hidden.need()?;
    let layout = knowledge
        .hidden()
        .map(|seat| hidden.seen.play.end.deal().hand(seat));
    let found = match claims().adjudicate(knowledge, layout, claimed, &line) {
        Err(ClaimError::LimitReached { limit }) => return Ok(json!({ "limit": limit })),
        found => found?,
    };
    let mut ruling = serde_json::to_value(&found)?;
    ruling["claimer"] = knowledge.claimer().to_string().into();
    ruling["tricks_left"] = knowledge.tricks_left().into();
    ruling["line"] = line.to_string().into();
    ruling["on_trumps"] = found
        .on_trumps()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .into();
    ruling["worst"]["by_trick"] = by_trick(knowledge, &found.worst);
    for (index, reading) in found.readings.iter().enumerate() {
        ruling["readings"][index]["worst"]["by_trick"] = by_trick(knowledge, &reading.worst);
    }
    Ok(ruling)
}

/// A play trick by trick: who leads, the cards in order, and whether the claimer's side wins.
fn by_trick(knowledge: &Knowledge, worst: &Worst) -> Value {
    let tricks = tricks_of(knowledge, &worst.play).into_iter();
    let trick = |(trick, winner): (Trick, Seat)| {
        json!({
            "leader": trick.leader().to_string(),
            "cards": names(trick.cards().iter().copied()),
            "won": winner.side() == knowledge.claimer().side(),
        })
    };
    tricks.map(trick).collect()
}
