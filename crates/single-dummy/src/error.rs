//! Questions without an answer, and the limits of a search.

use setrograde_cards::{Bid, Hand, Seat, Strain};
use setrograde_lookup::{EndingError, ProbeError};
use setrograde_parallel::Stop;
use setrograde_solver::SolveError;
use thiserror::Error;

/// A question without an answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// A hand of the side to play is hidden.
    #[error("the hands of {} and {} must be shown", .0[0].name(), .0[1].name())]
    HandHidden([Seat; 2]),
    /// The seat to play does not belong to the visible side.
    #[error(
        "{} is to play, and its hand is hidden; ask when {} or {} is to play",
        .0.name(), .0.next().name(), .0.plus(3).name()
    )]
    PlayerHidden(Seat),
    /// The hand on lead is hidden.
    #[error("{} is on lead, and its hand is hidden; give that hand, with `?` for the other hidden hands", .0.name())]
    LeaderHidden(Seat),
    /// The bid's strain is not that of the question.
    #[error("{bid} is a contract in {}, but the question says {strain}", bid.strain())]
    OtherStrain {
        /// The bid.
        bid: Bid,
        /// The question's strain.
        strain: Strain,
    },
    /// The question is not about full deals, before the first card.
    #[error(
        "a contract is judged over full deals, before the first card: the question has {cards} cards, {played} of them played"
    )]
    NotWhole {
        /// Number of cards dealt.
        cards: usize,
        /// Number of cards played.
        played: usize,
    },
    /// A request for no layouts.
    #[error("cannot draw 0 layouts; ask for at least 1")]
    NoLayouts,
    /// More tricks than remain.
    #[error("a target of {target} tricks: there are {left} left")]
    Target {
        /// The target.
        target: u8,
        /// Number of tricks left.
        left: usize,
    },
    /// More layouts than can be searched.
    #[error("{layouts} layouts; at most {most} can be looked at")]
    TooManyLayouts {
        /// Their number.
        layouts: u128,
        /// Maximum.
        most: u128,
    },
    /// A layout of other cards, or of hands of other lengths.
    #[error(
        "layout {number} does not deal the unseen cards: expected {unseen} in the hidden hands, of {} cards (N, E, S, W)",
        .sizes.map(|size| size.to_string()).join(", ")
    )]
    OtherLayout {
        /// The layout, counted from 1.
        number: usize,
        /// The unseen cards.
        unseen: Hand,
        /// Number of cards of each seat, from North.
        sizes: [usize; 4],
    },
    /// More tricks than there are.
    #[error("{won} tricks won and {left} left; there are 13")]
    Won {
        /// Tricks that were won before.
        won: u8,
        /// Tricks left.
        left: u8,
    },
    /// An invalid objective.
    #[error("expected a value for each number of remaining tricks, in non-decreasing order")]
    Worth,
    /// A deal in which a visible hand holds other cards.
    #[error("in layout {number} {} does not hold the cards of the question", .seat.name())]
    OtherHand {
        /// The layout, counted from 1.
        number: usize,
        /// The seat.
        seat: Seat,
    },
    /// Another number of weights than of layouts.
    #[error("{weights} weights for {layouts} layouts; expected one for each, or none")]
    WeightCount {
        /// Number of weights.
        weights: usize,
        /// Number of layouts.
        layouts: usize,
    },
    /// An invalid weight.
    #[error("layout {number} weighs {weight}; expected a positive number")]
    Weight {
        /// The layout, counted from 1.
        number: usize,
        /// The weight.
        weight: f64,
    },
    /// There are no cards left to play.
    #[error("there are no cards left to play")]
    Finished,
    /// The search gave up.
    #[error("no answer within {0} positions")]
    TooLong(u64),
    /// The search was stopped.
    #[error("the search was cancelled")]
    Cancelled,
    /// The remaining cards are not an ending.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// The solver failed.
    #[error(transparent)]
    Solve(SolveError),
    /// The database failed, or has no answer.
    #[error(transparent)]
    Database(#[from] ProbeError),
}

impl From<SolveError> for SearchError {
    fn from(error: SolveError) -> SearchError {
        match error {
            SolveError::Cancelled => SearchError::Cancelled,
            error => SearchError::Solve(error),
        }
    }
}

impl SearchError {
    /// Returns an error if `layouts` is more than `most`.
    pub(crate) fn unless_at_most(most: u128, layouts: u128) -> Result<(), SearchError> {
        if layouts > most {
            Err(SearchError::TooManyLayouts { layouts, most })
        } else {
            Ok(())
        }
    }

    /// An error once `stop` is due.
    pub(crate) fn if_due(stop: &Stop) -> Result<(), SearchError> {
        if stop.is_due() {
            Err(SearchError::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// Counts visits of positions.
pub(crate) struct Visits {
    pub made: u64,
    pub most: u64,
    pub stop: Stop,
}

impl Visits {
    /// Counts a visit, as long as there may be more.
    pub(crate) fn count(&mut self) -> Result<(), SearchError> {
        self.made = self.made.saturating_add(1);
        if self.made > self.most {
            return Err(SearchError::TooLong(self.most));
        }
        match self.made % 64 {
            1 => SearchError::if_due(&self.stop),
            _ => Ok(()),
        }
    }
}
