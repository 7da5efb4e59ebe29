//! Claims at the table.

use std::sync::Arc;

use setrograde_beliefs::{Game, Question, QuestionError, Tally};
use setrograde_cards::Seat;
use setrograde_claim::{
    ClaimError, Claims, Knowledge, Options, SoFar, Verdict, core_in_words, in_words,
};
use setrograde_solver::Stop;
use thiserror::Error;

use crate::Table;
use crate::players::with_tricks_of;

/// The judgement of a claim.
#[derive(Clone, Debug)]
pub enum TableClaim {
    /// The tricks are sure: the tally of the whole board, and the plan in words.
    Sure(Tally, String),
    /// They are not: the layouts that show this in words, empty if no few were found.
    Refuted(String),
    /// It is undecided: the results so far in words.
    Unknown(String),
}

/// A claim that could not be judged.
#[derive(Debug, Error)]
#[error(transparent)]
pub enum TableClaimError {
    /// The position is no question about hidden hands.
    Question(#[from] QuestionError),
    /// The search failed.
    Claim(#[from] ClaimError),
}

impl<G: Game> Table<G> {
    /// Judges a claim of some of the tricks left by the seat that chooses the next card, with what
    /// it sees and no more than `limit` search nodes. `None` if it does not see two hands, or the
    /// game has another play than bridge.
    ///
    /// # Errors
    ///
    /// If the search fails or is stopped.
    pub fn judge(
        &self,
        claimed: u8,
        limit: u64,
        stop: Stop,
    ) -> Result<Option<TableClaim>, TableClaimError> {
        let view = self.view();
        let seen = |seat: Seat| view.hand(seat).is_some();
        let sees_two = Seat::ALL.into_iter().filter(|&seat| seen(seat)).count() >= 2;
        let Some(strain) = self.game().strain().filter(|_| sees_two) else {
            return Ok(None);
        };
        let (claimer, leader) = (view.observer(), self.game().first_leader());
        let question = Question::of(strain, leader, self.dealt(), seen)
            .asked_by(claimer)
            .after(self.history());
        let knowledge = Knowledge::of(&question)?;
        let so_far = Arc::new(SoFar::default());
        let mut claims = Claims::new(Options {
            so_far: Some(Arc::clone(&so_far)),
            limit: Some(limit),
            stop,
            ..Options::default()
        });
        Ok(Some(match claims.decide(&knowledge, claimed)? {
            Verdict::Sure(plan) => {
                let tally = with_tricks_of(self.state(), self.game().party(claimer), claimed);
                TableClaim::Sure(tally, in_words(&knowledge, &plan))
            }
            Verdict::Refuted(core) => {
                let why = core.map(|core| core_in_words(&knowledge, &core));
                TableClaim::Refuted(why.unwrap_or_default())
            }
            Verdict::Unknown => {
                match claims.sure(&knowledge) {
                    Ok(_) | Err(ClaimError::LimitReached { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
                TableClaim::Unknown(so_far.to_string())
            }
        }))
    }
}
