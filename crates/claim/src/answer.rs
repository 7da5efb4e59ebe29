//! The complete answer to a question about a claim, from one search.

use serde::{Serialize, Serializer};
use setrograde_cards::Seat;

use crate::claims::{CardSure, ClaimError, Claims, Verdict};
use crate::evidence::cores::Core;
use crate::evidence::plan::Plan;
use crate::knowledge::Knowledge;
use crate::weakest::{Assumption, Weakest};

/// The parts of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimParts {
    /// The tricks claimed; `None` asks how many are sure.
    pub tricks: Option<u8>,
    /// The number of tricks that are sure, even if some are claimed.
    pub sure: bool,
    /// The tricks that each card makes sure.
    pub cards: bool,
    /// A plan, or layouts that refute the claim.
    pub proof: bool,
    /// Maximum number of assumptions that make the tricks sure, the weakest first; 0 looks for
    /// none.
    pub assume: usize,
}

/// The tricks that are sure, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimAnswer {
    /// The seat that claims.
    pub claimer: Seat,
    /// The tricks left.
    pub tricks_left: usize,
    /// The number of layouts of the hidden cards.
    pub layouts: u64,
    /// The tricks that are sure; `None` if unknown, or not asked.
    pub sure: Option<u8>,
    /// The tricks that are known to be sure, and the most that may be, if the limit came first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u8; 2]>,
    /// The tricks claimed, or else those that are sure.
    pub claimed: Option<u8>,
    /// True if the claimed tricks are sure; `None` if unknown.
    #[cfg_attr(
        feature = "schema",
        schemars(
            with = "VerdictWord",
            description = "The verdict on the claimed tricks."
        )
    )]
    #[serde(serialize_with = "as_word")]
    pub verdict: Option<bool>,
    /// The cards that may be played; `None` if unknown, or not asked.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<CardSure>"))]
    #[serde(serialize_with = "as_list")]
    pub cards: Option<Vec<CardSure>>,
    /// The weakest assumptions; `None` if unknown, or not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assume: Option<Vec<Assumption>>,
    /// True if weaker assumptions may exist, because the limit came first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub assume_open: bool,
    /// A plan that takes the claimed tricks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// Layouts such that every plan fails in one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core: Option<Core>,
}

/// Returns a verdict as a word: `sure`, `not sure` or `unknown`.
pub const fn verdict(sure: Option<bool>) -> &'static str {
    match sure {
        Some(true) => "sure",
        Some(false) => "not sure",
        None => "unknown",
    }
}

/// The words of a verdict, in descriptions of the interface.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Verdict")]
pub enum VerdictWord {
    /// The tricks are sure.
    #[schemars(rename = "sure")]
    Sure,
    /// They are not.
    #[schemars(rename = "not sure")]
    NotSure,
    /// The limit was reached first.
    #[schemars(rename = "unknown")]
    Unknown,
}

/// Writes a verdict as a [word](verdict).
///
/// # Errors
///
/// The errors of `to`.
pub fn as_word<S: Serializer>(sure: &Option<bool>, to: S) -> Result<S::Ok, S::Error> {
    verdict(*sure).serialize(to)
}

#[expect(clippy::ref_option, reason = "serde calls it with the field")]
fn as_list<S: Serializer>(cards: &Option<Vec<CardSure>>, to: S) -> Result<S::Ok, S::Error> {
    cards.as_deref().unwrap_or_default().serialize(to)
}

/// Writes a text as a list of its lines.
///
/// # Errors
///
/// The errors of `to`.
pub fn as_lines<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(text.lines())
}

/// The answer, or `None` if the limit was reached.
///
/// # Errors
///
/// All other errors.
pub fn known<T>(answer: Result<T, ClaimError>) -> Result<Option<T>, ClaimError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(ClaimError::LimitReached { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Claims {
    /// Answers a question about a claim. Parts that the limit leaves open are `None`.
    ///
    /// # Errors
    ///
    /// If the search was cancelled, the database fails, or the plan is too large to be useful.
    pub fn answer(
        &mut self,
        knowledge: &Knowledge,
        wanted: ClaimParts,
    ) -> Result<ClaimAnswer, ClaimError> {
        let mut answer = ClaimAnswer {
            claimer: knowledge.claimer(),
            tricks_left: knowledge.tricks_left(),
            layouts: knowledge.layouts(),
            sure: None,
            bounds: None,
            claimed: wanted.tricks,
            verdict: None,
            cards: None,
            assume: None,
            assume_open: false,
            plan: None,
            core: None,
        };
        if wanted.cards {
            answer.cards = known(self.cards(knowledge))?;
        }
        if let Some(cards) = &answer.cards {
            // The tricks that are sure follow from those of each card.
            let each = cards.iter().map(|of| of.sure);
            answer.sure = if knowledge.plays_for(knowledge.to_play()) {
                each.max()
            } else {
                each.min()
            };
        } else if wanted.tricks.is_none() || wanted.sure {
            answer.sure = known(self.sure(knowledge))?;
            if answer.sure.is_none() {
                answer.bounds = self.bounds();
            }
        }
        answer.claimed = wanted.tricks.or(answer.sure);
        if let (Some(sure), Some(claimed)) = (answer.sure, answer.claimed) {
            answer.verdict = Some(sure >= claimed);
        } else if let Some(claimed) = wanted.tricks {
            answer.verdict = known(self.is_sure(knowledge, claimed))?;
        }
        if let (true, Some(sure), Some(claimed)) = (wanted.proof, answer.verdict, answer.claimed) {
            match self.prove(knowledge, claimed, sure)? {
                Verdict::Sure(plan) => answer.plan = Some(plan),
                Verdict::Refuted(core) => answer.core = core,
                // Without its proof the answer is useless.
                Verdict::Unknown => answer.verdict = None,
            }
        }
        if wanted.assume > 0 {
            let tricks = wanted.tricks.unwrap_or(knowledge.tricks_left() as u8);
            let is_sure = match (answer.sure, answer.claimed, answer.verdict) {
                (Some(sure), _, _) if sure >= tricks => true,
                (_, Some(claimed), Some(true)) => claimed >= tricks,
                _ => false,
            };
            let found = if is_sure {
                Weakest::default()
            } else {
                self.weakest(knowledge, tricks, wanted.assume)?
            };
            answer.assume_open = !found.complete;
            answer.assume = Some(found.found);
        }
        Ok(answer)
    }
}
