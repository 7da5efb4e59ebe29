//! The claims of records.

use serde::Serialize;
use setrograde_beliefs::joined;
use setrograde_cards::{Hand, Seat};
use setrograde_claim::{
    Adjudication, Assumption, ClaimAnswer, ClaimError, Claims, Core, Knowledge, Line, Plan,
    Verdict, Worst, as_lines, as_word, core_in_words, in_words, known, ruling_in_words,
    tricks_in_words, verdict,
};

use crate::words::{Percent, answer_of};
use crate::{Board, Report, Words};

/// A claim of a declarer, judged.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedClaim {
    /// The declarer.
    pub claimer: Seat,
    /// The tricks left.
    #[serde(rename = "tricks_left")]
    pub left: u8,
    /// The tricks claimed, out of the remaining ones.
    pub claimed: u8,
    /// True if the claimed tricks are sure; `None` if the limit was reached.
    #[cfg_attr(
        feature = "schema",
        schemars(
            with = "setrograde_claim::VerdictWord",
            description = "The verdict on the claimed tricks."
        )
    )]
    #[serde(rename = "verdict", serialize_with = "as_word")]
    pub sure: Option<bool>,
    /// The plan, or layouts that refute the claim; empty if none was found within the limit.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    #[serde(serialize_with = "as_lines")]
    pub why: String,
    /// The ruling if the claim were contested, without a stated line; `None` if the limit was
    /// reached.
    pub(crate) ruling: Option<Adjudication>,
    /// The ruling in words, or its remark about trumps if the claim is sure.
    #[serde(skip)]
    pub(crate) words: String,
}

/// A board without a claim.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoClaim {
    claimed: Option<u8>,
    why: [String; 1],
}

impl NoClaim {
    /// The reason why there is no claim to judge in `board`.
    pub(crate) fn of(board: &Board) -> NoClaim {
        NoClaim {
            claimed: None,
            why: [no_claim(board)],
        }
    }
}

impl Report for NoClaim {
    fn words(&self, to: &mut Words) {
        to.line(format_args!("  {}", self.why[0]));
    }
}

/// Returns the number of remaining tricks that declarer claimed, if `board` records a claim. A play
/// that stops early is not in itself a claim.
pub(crate) fn claimed(board: &Board) -> Option<u8> {
    let claimed = board.claim?.checked_sub(board.tricks_played()?)?;
    is_open(board).then_some(claimed)
}

/// Returns true if the record ends before the last card.
fn is_open(board: &Board) -> bool {
    board
        .deal()
        .is_some_and(|deal| deal.cards_left() > board.play.len())
}

/// Returns why there is no claim to judge in `board`, a sentence.
fn no_claim(board: &Board) -> String {
    match board.play.len() {
        0 => "No play is recorded.".to_owned(),
        1 => "The record ends after the lead; no claim is recorded.".to_owned(),
        cards if is_open(board) => {
            format!("The record ends after {cards} cards; no claim is recorded.")
        }
        _ => "No claim is recorded.".to_owned(),
    }
}

impl JudgedClaim {
    /// Judges the claim of `board` with the declarer's knowledge; `None` if there is no claim.
    ///
    /// # Errors
    ///
    /// If the search is cancelled or the database fails.
    pub(crate) fn new(
        claims: &mut Claims,
        board: &Board,
        knowledge: &Knowledge,
    ) -> Result<Option<JudgedClaim>, ClaimError> {
        let Some((claimed, deal)) = claimed(board).zip(board.deal()) else {
            return Ok(None);
        };
        let left = knowledge.tricks_left() as u8;
        let claimed = claimed.min(left);
        let (sure, why) = match claims.decide(knowledge, claimed) {
            Ok(Verdict::Sure(plan)) => (Some(true), in_words(knowledge, &plan)),
            Ok(Verdict::Refuted(core)) => {
                let why = core.map(|core| core_in_words(knowledge, &core));
                (Some(false), why.unwrap_or_default())
            }
            // The search for a plan alone may take too long.
            Ok(Verdict::Unknown) | Err(ClaimError::PlanTooLarge(_)) => {
                (known(claims.is_sure(knowledge, claimed))?, String::new())
            }
            Err(error) => return Err(error),
        };
        let played: Hand = board.play.iter().copied().collect();
        let layout = knowledge.hidden().map(|seat| deal.hand(seat) - played);
        let ruling = known(claims.adjudicate(knowledge, layout, claimed, &Line::default()))?;
        let words = match &ruling {
            None => "The ruling was not decided within the limit.\n".to_owned(),
            Some(ruling) if sure != Some(true) => {
                let (sure, double_dummy) = (ruling.sure, ruling.double_dummy);
                let words = ruling_in_words(knowledge, ruling);
                format!("Sure: {sure}. Double dummy: {double_dummy}.\n{words}")
            }
            Some(ruling) => ruling.on_trumps(),
        };
        Ok(Some(JudgedClaim {
            claimer: knowledge.claimer(),
            claimed,
            left,
            sure,
            why,
            ruling,
            words,
        }))
    }
}

impl Report for JudgedClaim {
    fn words(&self, to: &mut Words) {
        let (name, claimed, left) = (self.claimer.name(), self.claimed, self.left);
        let verdict = match self.sure {
            None => "unknown within the limit",
            sure => verdict(sure),
        };
        let claimed = if claimed == left {
            format!("the last {left}")
        } else {
            format!("{claimed} of the last {left}")
        };
        to.line(format_args!("  {name} claims {claimed}: {verdict}."));
        for line in self.why.lines() {
            to.line(format_args!("  {line}"));
        }
        if self.why.is_empty() && self.sure == Some(true) {
            to.line("  No short plan was found within the limit.");
        }
        for line in self.words.lines() {
            to.line(format_args!("  {line}"));
        }
    }
}

/// The answer to a question about a claim.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnsweredClaim {
    /// The answer.
    #[serde(flatten)]
    pub(crate) answer: ClaimAnswer,
    /// The plan, or the layouts that refute the claim, in words: one line each, indented by its
    /// step.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) why: Vec<String>,
    /// True if the text has a plan that makes the tricks, or layouts that refute them.
    #[serde(skip)]
    pub(crate) explained: bool,
    /// True if the text is a number of tricks, not a verdict.
    #[serde(skip)]
    pub(crate) counted: bool,
}

impl AnsweredClaim {
    pub(crate) fn new(answer: ClaimAnswer, knowledge: &Knowledge) -> AnsweredClaim {
        let why = match (&answer.plan, &answer.core) {
            (Some(plan), _) => in_words(knowledge, plan),
            (None, Some(core)) => core_in_words(knowledge, core),
            (None, None) => String::new(),
        };
        AnsweredClaim {
            answer,
            why: why.lines().map(str::to_owned).collect(),
            explained: false,
            counted: false,
        }
    }

    /// Returns whether the tricks are sure; `None` if that was not asked or is unknown.
    pub const fn verdict(&self) -> Option<bool> {
        self.answer.verdict
    }

    /// Returns the plan that makes the tricks, or else the layouts that refute them, as an object.
    pub fn evidence(&self) -> Option<impl Serialize + '_> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Evidence<'a> {
            Plan(&'a Plan),
            Core(&'a Core),
        }
        let plan = self.answer.plan.as_ref().map(Evidence::Plan);
        plan.or(self.answer.core.as_ref().map(Evidence::Core))
    }

    fn proof(&self, to: &mut Words) {
        let ClaimAnswer {
            claimed: Some(tricks),
            verdict: Some(sure),
            plan,
            core,
            ..
        } = &self.answer
        else {
            return to.beside("unknown");
        };
        to.beside(format_args!("{tricks} {}", verdict(Some(*sure))));
        match (plan, core) {
            (None, None) => to.line("No small set of layouts that shows this was found."),
            _ => self.why.iter().for_each(|line| to.line(line)),
        }
    }
}

impl Report for AnsweredClaim {
    fn words(&self, to: &mut Words) {
        let answer = &self.answer;
        match (&answer.cards, answer.sure) {
            _ if self.explained => self.proof(to),
            (Some(cards), _) if to.style().by_card => {
                let cards = cards.iter().map(|of| format!("{}={}", of.card, of.sure));
                to.beside(joined(cards, " "));
            }
            (_, Some(sure)) if self.counted => to.beside(sure),
            _ => to.beside(verdict(answer.verdict)),
        }
        for of in answer.assume.iter().flatten() {
            let Assumption {
                condition,
                tricks,
                layouts,
                of: all,
                share,
            } = of;
            let share = Percent(*share);
            to.line(format_args!(
                "{tricks} sure with {condition}: {layouts} of {all} layouts, {share}."
            ));
        }
        if answer.assume_open {
            to.line("The limit was reached: weaker assumptions may exist.");
        }
    }
}

/// The tricks of a stated line: of `claim line`, and of a contested claim.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct StatedLine<T> {
    /// The line.
    pub(crate) line: Line,
    /// The step that could not be made, in a sentence; of a ruling, `why` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unmade: Option<String>,
    /// A worst play, or an adjudication.
    #[serde(flatten)]
    pub(crate) found: T,
    /// The question, which the words need.
    #[serde(skip)]
    pub(crate) knowledge: Knowledge,
}

answer_of! {
    /// The tricks that a stated line takes at worst.
    LineAnswer(StatedLine<Worst>)
}

answer_of! {
    /// The ruling on a contested claim.
    AdjudicateAnswer(StatedLine<Adjudication>)
}

impl Report for LineAnswer {
    fn words(&self, to: &mut Words) {
        let found = &self.0.found;
        let (tricks, cards) = (found.tricks, joined(&found.play, " "));
        let unmade = self.0.unmade.as_ref();
        let unmade = unmade.map_or(String::new(), |unmade| format!("\t{unmade}"));
        to.only(format!("{tricks}\t{cards}{unmade}\n"));
    }
}

impl Report for AdjudicateAnswer {
    fn words(&self, to: &mut Words) {
        let StatedLine {
            found, knowledge, ..
        } = &self.0;
        let mut text = format!(
            "claimed       {}\nsure          {}\ndouble dummy  {}\n{}",
            found.claimed,
            found.sure,
            found.double_dummy,
            ruling_in_words(knowledge, found)
        );
        for reading in &found.readings {
            let tricks = tricks_in_words(knowledge, &reading.worst.play);
            text += &format!("The play that awards {}:\n{tricks}", reading.awarded);
        }
        to.only(text);
    }
}
