//! `Solver::analyse`: a played deal, card by card.

use setrograde_cards::{Card, Position, Seat};

use crate::error::SolveError;
use crate::solver::Solver;

/// The tricks that both sides could still take at each point of a play.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Analysis {
    leader: Seat,
    total: u8,
    tricks: Vec<u8>,
}

impl Analysis {
    /// Returns the seat that led or was to lead at the start of the play.
    #[must_use]
    pub fn leader(&self) -> Seat {
        self.leader
    }

    /// For the start and after each card of the play: the tricks, of all those
    /// from the start on, that the side of `seat` takes if the play so far stands
    /// and everybody continues without a mistake.
    #[must_use]
    pub fn tricks(&self, seat: Seat) -> impl ExactSizeIterator<Item = u8> + '_ {
        let leaders = seat.distance_from(self.leader).is_multiple_of(2);
        self.tricks
            .iter()
            .map(move |&tricks| if leaders { tricks } else { self.total - tricks })
    }
}

impl Solver {
    /// The tricks after every card of a play that starts from `start`.
    ///
    /// # Errors
    ///
    /// If a card of the play cannot be played, if the search was cancelled, and
    /// if the database fails.
    pub fn analyse(&mut self, start: &Position, play: &[Card]) -> Result<Analysis, SolveError> {
        let leader = start.leader();
        let mut position = *start;
        // Tricks that the leader's side has won.
        let mut won = 0;
        let mut tricks = Vec::with_capacity(play.len() + 1);
        tricks.push(self.tricks(start)?);
        for (place, &card) in play.iter().enumerate() {
            let next = position
                .play(card)
                .map_err(|source| SolveError::IllegalCard { place, source })?;
            if next.is_trick_boundary() && next.leader().distance_from(leader) % 2 == 0 {
                won += 1;
            }
            position = next;
            let rest = self.tricks(&position)?;
            let same = position.leader().distance_from(leader).is_multiple_of(2);
            tricks.push(
                won + if same {
                    rest
                } else {
                    position.tricks_left() as u8 - rest
                },
            );
        }
        Ok(Analysis {
            leader,
            total: start.tricks_left() as u8,
            tricks,
        })
    }
}
