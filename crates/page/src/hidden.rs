//! Two hands hidden: the tricks that are sure, how, what beats more, what would
//! help, and a ruling on a claim.

use std::error::Error;

use serde_json::{Value, json};
use setrograde_beliefs::Question;
use setrograde_cards::{Card, Seat};
use setrograde_claim::{
    ClaimError, Claims, Knowledge, Line, Options, Verdict, core_in_words, in_words,
};

use crate::Answer;
use crate::chances::condition;
use crate::position::{Play, names, read_cards};

/// Memory for the search for claims, in bytes.
const MEMORY: usize = 64 << 20;
/// The most nodes of the search for one answer. A page stops what takes too long by
/// ending its worker; this is the end of everything else.
const MOST_NODES: u64 = 2_000_000;

/// A question about two hidden hands, as tabs divide it: who claims; who is dummy;
/// a number of tricks, or `-`; a condition, or `-`; `STRAIN LEADER DEAL` with all
/// hands, or with `?` for the hidden ones; the cards played since.
struct Hidden {
    knowledge: Knowledge,
    /// The play, if all hands were given.
    play: Option<Play>,
    need: Option<u8>,
}

impl Hidden {
    fn read(text: &str) -> Result<Hidden, Box<dyn Error>> {
        let mut fields = text.splitn(6, '\t');
        let mut field = |what: &str| fields.next().ok_or_else(|| format!("{what} is missing"));
        let claimer: Seat = field("who claims")?.parse()?;
        let dummy: Seat = field("dummy")?.parse()?;
        let need = match field("the number of tricks")? {
            "-" => None,
            need => Some(need.parse()?),
        };
        let condition = condition(field("the condition")?)?;
        let position = field("the position")?;
        let cards = fields.next().unwrap_or("");
        let (knowledge, play) = if position.contains('?') {
            (unseen(position, cards, claimer)?, None)
        } else {
            if claimer == dummy {
                return Err("the claimer and dummy are one seat".into());
            }
            let play = Play::read(&format!("{position}\t{cards}"))?;
            let mut knowledge = Knowledge::from_position(&play.start, claimer, dummy)?;
            for &card in &play.cards {
                knowledge = knowledge.play(card)?;
            }
            (knowledge, Some(play))
        };
        let knowledge = match &condition {
            Some(condition) => knowledge.given(condition)?,
            None => knowledge,
        };
        if let Some(need) = need.filter(|&need: &u8| usize::from(need) > knowledge.tricks_left()) {
            let left = knowledge.tricks_left();
            return Err(format!("{need} tricks; there are {left} left").into());
        }
        Ok(Hidden {
            knowledge,
            play,
            need,
        })
    }

    fn need(&self) -> Result<u8, &'static str> {
        self.need.ok_or("the number of tricks is missing")
    }
}

/// The knowledge of a position that was written with `?`.
fn unseen(position: &str, cards: &str, claimer: Seat) -> Result<Knowledge, Box<dyn Error>> {
    let mut knowledge = Knowledge::of(&position.parse::<Question>()?.asked_by(claimer))?;
    for card in read_cards(cards)? {
        knowledge = knowledge.play(card)?;
    }
    Ok(knowledge)
}

fn claims() -> Claims {
    Claims::new(Options {
        memory: MEMORY,
        limit: Some(MOST_NODES),
        ..Options::default()
    })
}

/// An answer, or that the limit was reached.
fn within_limit(answer: Result<Value, ClaimError>) -> Answer {
    match answer {
        Err(ClaimError::LimitReached { limit }) => Ok(json!({ "limit": limit })),
        Err(error) => Err(error.into()),
        Ok(value) => Ok(value),
    }
}

/// The questions `sure`, `sure_cards`, `plan`, `against` and `help`.
pub(crate) fn answer(what: &str, text: &str) -> Answer {
    let hidden = Hidden::read(text)?;
    let knowledge = &hidden.knowledge;
    let mut claims = claims();
    match what {
        "sure" => within_limit(claims.sure(knowledge).map(|sure| {
            json!({
                "claimer": knowledge.claimer().to_string(),
                "seat": knowledge.to_play().to_string(),
                "hidden": knowledge.hidden().map(|seat| seat.to_string()),
                "tricks_left": knowledge.tricks_left(),
                "layouts": knowledge.layouts().to_string(),
                "sure": sure,
            })
        })),
        "sure_cards" => within_limit(claims.cards(knowledge).map(|cards| {
            let card = |of: &setrograde_claim::CardSure| json!({ "card": of.card.to_string(), "sure": of.sure });
            json!({ "cards": cards.iter().map(card).collect::<Vec<_>>() })
        })),
        "plan" => plan(&mut claims, knowledge, hidden.need()?),
        "against" => against(&mut claims, knowledge, hidden.need()?),
        _ => help(&mut claims, knowledge, hidden.need()?),
    }
}

/// A plan for tricks that are sure, in words.
fn plan(claims: &mut Claims, knowledge: &Knowledge, need: u8) -> Answer {
    within_limit(claims.plan(knowledge, need).map(|plan| {
        let order = plan.order().map(|pairs| {
            let pair = |(first, second): &(Card, Card)| names([*first, *second]);
            pairs.iter().map(pair).collect::<Vec<_>>()
        });
        json!({ "tricks": need, "order": order, "words": in_words(knowledge, &plan) })
    }))
}

/// The layouts that no plan for so many tricks survives.
fn against(claims: &mut Claims, knowledge: &Knowledge, need: u8) -> Answer {
    within_limit(claims.decide(knowledge, need).map(|verdict| match verdict {
        Verdict::Sure(_) => json!({ "tricks": need, "verdict": "sure" }),
        Verdict::Refuted(core) => {
            let words = core.as_ref().map(|core| core_in_words(knowledge, core));
            let hands = |core: &setrograde_claim::Core| -> Vec<Value> {
                let layouts = core.layouts.iter();
                layouts
                    .map(|hands| json!(hands.map(|hand| hand.to_string())))
                    .collect()
            };
            json!({
                "tricks": need,
                "verdict": "not sure",
                "hidden": knowledge.hidden().map(|seat| seat.to_string()),
                "layouts": core.as_ref().map(hands),
                "words": words,
            })
        }
        _ => json!({ "tricks": need, "limit": MOST_NODES }),
    }))
}

/// The weakest assumptions that make so many tricks sure, and their chances.
fn help(claims: &mut Claims, knowledge: &Knowledge, need: u8) -> Answer {
    within_limit(claims.weakest(knowledge, need).map(|found| {
        let assumption = |of: &setrograde_claim::Assumption| {
            json!({
                "condition": of.condition.to_string(),
                "layouts": of.layouts.to_string(),
                "of": of.of.to_string(),
                "share": of.share(),
            })
        };
        json!({ "tricks": need, "assumptions": found.iter().map(assumption).collect::<Vec<_>>() })
    }))
}

/// A ruling on a claim. A first line has the stated line, in words of `claim line`;
/// then a question as for `plan`, with all four hands.
pub(crate) fn adjudicate(text: &str) -> Answer {
    let (line, text) = text.split_once('\n').ok_or("the question is missing")?;
    let line: Line = line.parse()?;
    let hidden = Hidden::read(text)?;
    let play = hidden
        .play
        .as_ref()
        .ok_or("a ruling needs all four hands")?;
    let knowledge = &hidden.knowledge;
    let claimed = hidden.need()?;
    let layout = knowledge.hidden().map(|seat| play.end.deal().hand(seat));
    within_limit(claims().adjudicate(knowledge, layout, claimed, &line).map(|found| {
        json!({
            "claimer": knowledge.claimer().to_string(),
            "tricks_left": knowledge.tricks_left(),
            "line": line.to_string(),
            "claimed": found.claimed,
            "sure": found.sure,
            "double_dummy": found.double_dummy,
            "worst": { "tricks": found.worst.tricks, "play": names(found.worst.play.iter().copied()) },
            "awarded": found.awarded,
        })
    }))
}
