//! Two hands hidden: the sure tricks with a plan, the layouts that beat more, the assumptions that
//! would help, and a ruling on a claim.

use std::sync::Arc;

use serde::Serialize;
use setrograde_beliefs::{CONDITIONS, Condition};
use setrograde_cards::{Card, Hand, LargeCount, Seat, Trick};
use setrograde_claim::{
    Adjudication, Assumption, CardSure, ClaimError, Claims, Knowledge, Line, Options, SoFar,
    Verdict, Worst, in_words, tricks_of, verdict,
};

use crate::EngineAnswer;
use crate::position::{SeatsView, field};

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
    fn read(text: &str) -> EngineAnswer<HiddenQuestion> {
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
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(untagged)]
pub(crate) enum OrLimit<T> {
    Found(T),
    Limit(SearchLimit),
}

/// The limit that a search reached.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SearchLimit {
    /// The number of nodes.
    limit: u64,
}

impl<T> OrLimit<T> {
    fn of(answer: Result<T, ClaimError>) -> EngineAnswer<OrLimit<T>> {
        match answer {
            Err(ClaimError::LimitReached { limit }) => Ok(OrLimit::Limit(SearchLimit { limit })),
            Err(error) => Err(error.into()),
            Ok(answer) => Ok(OrLimit::Found(answer)),
        }
    }
}

/// Number of nodes after which `soon` reports the sure tricks: about 0.1 s.
const FEW_NODES: u64 = 1_000;

/// Bounds on the sure tricks.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SureBounds {
    least: u8,
    most: u8,
}

/// The early bounds on the sure tricks.
pub(crate) fn soon(text: &str) -> EngineAnswer<SureBounds> {
    let so_far = Arc::new(SoFar::default());
    let mut claims = Claims::new(Options {
        memory: MEMORY,
        limit: Some(FEW_NODES),
        so_far: Some(Arc::clone(&so_far)),
        ..Options::default()
    });
    match claims.sure(&HiddenQuestion::read(text)?.knowledge) {
        Ok(_) | Err(ClaimError::LimitReached { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let (least, most) = so_far.bounds();
    Ok(SureBounds { least, most })
}

/// The tricks that are sure.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SureCount {
    claimer: Seat,
    tricks_left: usize,
    /// The number of layouts of the hidden cards.
    layouts: LargeCount,
    /// The tricks that are sure in each.
    sure: u8,
}

/// The tricks that are sure.
pub(crate) fn sure(text: &str) -> EngineAnswer<OrLimit<SureCount>> {
    let knowledge = HiddenQuestion::read(text)?.knowledge;
    OrLimit::of(claims().sure(&knowledge).map(|sure| SureCount {
        claimer: knowledge.claimer(),
        tricks_left: knowledge.tricks_left(),
        layouts: LargeCount(knowledge.layouts().into()),
        sure,
    }))
}

/// The cards that may be played.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct SureCards {
    cards: Vec<CardSure>,
}

/// The tricks that each card makes sure.
pub(crate) fn sure_cards(text: &str) -> EngineAnswer<OrLimit<SureCards>> {
    let cards = claims().cards(&HiddenQuestion::read(text)?.knowledge);
    OrLimit::of(cards.map(|cards| SureCards { cards }))
}

/// A plan for tricks that are sure.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PlanInWords {
    tricks: u8,
    /// The cards of the claimer's side, two for each trick, if their order is all that counts.
    order: Option<Vec<String>>,
    /// The plan in words, a line of text for each step.
    why: Vec<String>,
}

/// A plan for tricks that are sure, in words, and in pairs if the order is all that counts.
pub(crate) fn plan(text: &str) -> EngineAnswer<OrLimit<PlanInWords>> {
    let hidden = HiddenQuestion::read(text)?;
    let (knowledge, tricks) = (&hidden.knowledge, hidden.need()?);
    OrLimit::of(claims().plan(knowledge, tricks).map(|plan| {
        let pair = |(first, second): &(Card, Card)| format!("{first} {second}");
        let words = in_words(knowledge, &plan);
        PlanInWords {
            tricks,
            order: plan.order().map(|pairs| pairs.iter().map(pair).collect()),
            why: words.lines().map(str::to_owned).collect(),
        }
    }))
}

/// Whether tricks are sure, and why not.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Against {
    tricks: u8,
    /// `sure` or `not sure`.
    verdict: &'static str,
    /// The seats of the hidden hands.
    hidden: [Seat; 2],
    /// Layouts of these hands such that every plan fails in one of them; null if none were found.
    layouts: Option<Vec<[Hand; 2]>>,
}

/// The layouts that no plan for this number of tricks survives.
pub(crate) fn against(text: &str) -> EngineAnswer<OrLimit<Against>> {
    let hidden = HiddenQuestion::read(text)?;
    let (knowledge, tricks) = (&hidden.knowledge, hidden.need()?);
    let limit = ClaimError::LimitReached { limit: MOST_NODES };
    let decided = claims().decide(knowledge, tricks);
    OrLimit::of(decided.and_then(|decided| {
        let (sure, core) = match decided {
            Verdict::Sure(_) => (true, None),
            Verdict::Refuted(core) => (false, core),
            Verdict::Unknown => return Err(limit),
        };
        Ok(Against {
            tricks,
            verdict: verdict(Some(sure)),
            hidden: knowledge.hidden(),
            layouts: core.map(|core| core.layouts),
        })
    }))
}

/// Maximum number of assumptions of an answer.
const ASSUMPTIONS: usize = 5;

/// The assumptions that would make tricks sure.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Help {
    tricks: u8,
    /// The weakest assumptions, the one that holds in the most layouts first.
    assume: Vec<AssumptionInWords>,
    /// True if no weaker ones exist.
    complete: bool,
}

/// An assumption that makes a claim sure, also in words.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AssumptionInWords {
    #[serde(flatten)]
    of: Assumption,
    /// The condition in words.
    words: String,
}

/// The weakest assumptions that make this number of tricks sure, and their chances.
pub(crate) fn help(text: &str) -> EngineAnswer<OrLimit<Help>> {
    let hidden = HiddenQuestion::read(text)?;
    let tricks = hidden.need()?;
    let weakest = claims().weakest(&hidden.knowledge, tricks, ASSUMPTIONS);
    OrLimit::of(weakest.map(|weakest| {
        let found = weakest.found.into_iter().map(|of| AssumptionInWords {
            words: of.condition.in_words(),
            of,
        });
        Help {
            tricks,
            assume: found.collect(),
            complete: weakest.complete,
        }
    }))
}

/// A condition, explained.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ConditionInWords {
    /// The condition in words; null of none.
    words: Option<String>,
    /// The forms that conditions have, each with its meaning.
    forms: Vec<[&'static str; 2]>,
}

/// A condition in words, if there is one; and the forms that it may have, each with its meaning.
pub(crate) fn condition(text: &str) -> EngineAnswer<ConditionInWords> {
    let words = match text.trim() {
        "" | "-" => None,
        text => Some(text.parse::<Condition>()?.in_words()),
    };
    let forms = CONDITIONS.lines().filter_map(|line| line.split_once("  "));
    let forms = forms.map(|(text, meaning)| [text, meaning.trim()]);
    Ok(ConditionInWords {
        words,
        forms: forms.collect(),
    })
}

/// A ruling on a claim.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Ruling {
    claimer: Seat,
    tricks_left: usize,
    /// The line that was stated.
    line: Line,
    #[serde(flatten)]
    found: Adjudication,
    /// What is awarded if the claim did not mention trumps that are out; empty where that makes no
    /// difference.
    on_trumps: String,
    /// The worst play and those of the readings, trick by trick.
    by_trick: Vec<Vec<WonTrick>>,
}

/// A trick of a play.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WonTrick {
    leader: Seat,
    /// The cards in order.
    cards: Vec<Card>,
    /// True if the claimer's side wins it.
    won: bool,
}

/// A ruling on a claim. A first line has the stated line, in words of `claim line`;
/// then comes a question as for `plan`.
pub(crate) fn adjudicate(text: &str) -> EngineAnswer<OrLimit<Ruling>> {
    let (line, text) = text.split_once('\n').ok_or("the question is missing")?;
    let line: Line = line.parse()?;
    let hidden = HiddenQuestion::read(text)?;
    let knowledge = &hidden.knowledge;
    let claimed = hidden.need()?;
    let layout = knowledge
        .hidden()
        .map(|seat| hidden.seen.play.end.deal().hand(seat));
    let found = claims().adjudicate(knowledge, layout, claimed, &line);
    OrLimit::of(found.map(|found| {
        let readings = found.readings.iter().map(|reading| &reading.worst);
        let plays = [&found.worst].into_iter().chain(readings);
        let on_trumps = found.on_trumps();
        let on_trumps: Vec<&str> = on_trumps.split_whitespace().collect();
        Ruling {
            claimer: knowledge.claimer(),
            tricks_left: knowledge.tricks_left(),
            line,
            on_trumps: on_trumps.join(" "),
            by_trick: plays.map(|worst| by_trick(knowledge, worst)).collect(),
            found,
        }
    }))
}

/// A play trick by trick: who leads, the cards in order, and whether the claimer's side wins.
fn by_trick(knowledge: &Knowledge, worst: &Worst) -> Vec<WonTrick> {
    let tricks = tricks_of(knowledge, &worst.play).into_iter();
    let trick = |(trick, winner): (Trick, Seat)| WonTrick {
        leader: trick.leader(),
        cards: trick.cards().to_vec(),
        won: winner.side() == knowledge.claimer().side(),
    };
    tricks.map(trick).collect()
}
