//! The claims of records: a play that ended early with a result.

use setrograde_cards::{Hand, Seat};
use setrograde_claim::{
    Adjudication, ClaimError, Claims, Knowledge, Line, Verdict, core_in_words, in_words,
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
    /// The ruling if the claim were contested; `None` if the limit was reached.
    pub ruling: Option<Adjudication>,
}

/// Returns the number of tricks that declarer claimed of those left, if the play of `board`
/// ended early with a result.
#[must_use]
pub fn claimed(board: &Board) -> Option<u8> {
    let result = board.claim.or(board.result)?;
    let open = board.deal()?.cards_left() > board.play.len() + board.on_table.len();
    let claimed = result.checked_sub(board.tricks_played()?)?;
    open.then_some(claimed)
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
        let ruling = claims.adjudicate(knowledge, layout, claimed, &Line::default());
        Ok(Some(JudgedClaim {
            claimer: knowledge.claimer(),
            claimed,
            left,
            sure,
            why,
            ruling: known(ruling)?,
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
        if let Some(ruling) = self.ruling.as_ref().filter(|_| self.sure != Some(true)) {
            let (sure, double_dummy) = (ruling.sure, ruling.double_dummy);
            text += &format!("  Sure: {sure}. Double dummy: {double_dummy}. ");
            text += &format!("Contested, Law 70 awards {}.\n", ruling.awarded);
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
