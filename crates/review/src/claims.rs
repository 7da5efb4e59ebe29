//! The claims of records.

use setrograde_cards::{Hand, Seat};
use setrograde_claim::{
    Adjudication, ClaimError, Claims, Knowledge, Line, Verdict, core_in_words, in_words,
    ruling_in_words,
};
use setrograde_records::Board;

/// A claim of a declarer, judged.
#[derive(Clone, Debug)]
pub struct JudgedClaim {
    /// The declarer.
    pub claimer: Seat,
    /// The tricks claimed, of those left.
    pub claimed: u8,
    /// The tricks left.
    pub left: u8,
    /// Whether the claimed tricks are sure; `None` if the limit was reached.
    pub sure: Option<bool>,
    /// The plan, or layouts that refute the claim; empty if none was found within the limit.
    pub why: String,
    /// The ruling if the claim were contested, without a stated line; `None` if the limit was
    /// reached.
    pub ruling: Option<Adjudication>,
    /// The ruling in words, or what it says of trumps if the claim is sure.
    pub words: String,
}

/// Returns the number of tricks that declarer claimed of those left, if `board` records a claim.
/// A play that stops early is none by itself.
#[must_use]
pub fn claimed(board: &Board) -> Option<u8> {
    let claim = board.claim?;
    let open = board.deal()?.cards_left() > board.play.len() + board.on_table.len();
    let claimed = claim.checked_sub(board.tricks_played()?)?;
    open.then_some(claimed)
}

/// Returns why there is no claim to judge in `board`, a sentence.
#[must_use]
pub fn no_claim(board: &Board) -> String {
    let cards = board.play.len();
    let open = board
        .deal()
        .is_some_and(|deal| deal.cards_left() > cards + board.on_table.len());
    match cards {
        0 => "No play is recorded.".to_owned(),
        1 if open => "The record ends after the lead; no claim is recorded.".to_owned(),
        _ if open => format!("The record ends after {cards} cards; no claim is recorded."),
        _ => "No claim is recorded.".to_owned(),
    }
}

impl JudgedClaim {
    /// Judges the claim of `board` from what the declarer knows; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the search is cancelled or the database fails.
    pub fn new(
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
            // Perhaps only the plan takes too long.
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

    /// The judgement in words, indented lines.
    #[must_use]
    pub fn in_words(&self) -> String {
        let (name, claimed, left) = (self.claimer.name(), self.claimed, self.left);
        let verdict = match self.sure {
            Some(true) => "sure",
            Some(false) => "not sure",
            None => "unknown within the limit",
        };
        let mut text = match claimed == left {
            true => format!("  {name} claims the last {left}: {verdict}.\n"),
            false => format!("  {name} claims {claimed} of the last {left}: {verdict}.\n"),
        };
        for line in self.why.lines() {
            text += &format!("  {line}\n");
        }
        if self.why.is_empty() && self.sure == Some(true) {
            text += "  No short plan was found within the limit.\n";
        }
        for line in self.words.lines() {
            text += &format!("  {line}\n");
        }
        text
    }
}

/// The answer, or nothing where the limit was reached.
fn known<T>(answer: Result<T, ClaimError>) -> Result<Option<T>, ClaimError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(ClaimError::LimitReached { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
