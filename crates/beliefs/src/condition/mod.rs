//! Conditions on the hidden cards.
//!
//! A condition has alternatives, each a list of terms. `term` and `shapes` define the terms,
//! `placed` their columns and denials. `read` and `words` read them, `joined` what joins them, and
//! `text` writes them. `cases` splits conditions into limits on each hand.

mod cases;
mod joined;
mod placed;
mod read;
mod shapes;
mod term;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use cases::{Fitted, Steps};
pub(crate) use cases::{Taken, and, boxes, minus, product, without};
pub(crate) use joined::count;
pub use joined::{Budget, Statement, alternatives};
pub use placed::Placed;
pub use shapes::Shapes;
pub(crate) use shapes::{SHAPES, orders};
pub use term::{Linear, Summand, Term};

use setrograde_cards::{Card, Hand, Seat, Suit};
use thiserror::Error;

use crate::limits::{Limits, Measure};

/// An assumption about the hidden cards: alternatives, each a list of terms that hold
/// together.
///
#[doc = concat!("```text\n", include_str!("../conditions.txt"), "```")]
///
/// ```
/// use setrograde_beliefs::Condition;
///
/// let condition: Condition = "E+SJ,S<=4|W.hcp=5-8".parse()?;
/// assert_eq!(condition.alternatives().len(), 2);
/// assert_eq!(condition.to_string(), "E+SJ,S<=4|W.hcp=5-8");
/// # Ok::<(), setrograde_beliefs::QuestionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    alternatives: Vec<Vec<Placed>>,
}

/// The forms of a condition, an example and its meaning on each line; the text of help and
/// documents.
pub const CONDITIONS: &str = include_str!("../conditions.txt");

/// A condition that contradicts the hidden cards.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// A term about a hand that is not hidden.
    #[error("{} is visible; conditions are about the hidden hands", seat.name())]
    VisibleSeat {
        /// The seat.
        seat: Seat,
    },
    /// A term about a card that is not hidden.
    #[error("the {card} is not one of the unseen cards")]
    NotUnseen {
        /// The card.
        card: Card,
    },
    /// A split that does not add up.
    #[error(
        "{unseen} {} are unseen, which cannot be split {first}-{second}", suit.name()
    )]
    UnfitSplit {
        /// The suit.
        suit: Suit,
        /// Number of its cards that are unseen.
        unseen: usize,
        /// The stated number in one hidden hand.
        first: u8,
        /// The stated number in the other hand.
        second: u8,
    },
    /// A split without two hidden hands.
    #[error(
        "a split is between two hidden hands, and here {hidden} are hidden; write it for each hand, as W.S=2"
    )]
    SplitOfMany {
        /// Number of hidden hands.
        hidden: usize,
    },
    /// Terms that no hands satisfy together, whatever the cards.
    #[error("{condition} can never hold")]
    Never {
        /// The condition.
        condition: String,
    },
    /// A condition with alternatives, where all terms must hold together.
    #[error(
        "alternatives (`|`, and splits as 4-1) cannot be taken together here; ask about each of them"
    )]
    Alternatives,
}

impl Condition {
    /// The condition that all terms of one of `alternatives` are as they say: `[[term]]` holds if
    /// the term does, `[[(term, false)]]` if it does not.
    pub fn any(
        alternatives: impl IntoIterator<Item: IntoIterator<Item: Into<Placed>>>,
    ) -> Condition {
        let alternatives = alternatives.into_iter();
        Condition {
            alternatives: alternatives
                .map(|terms| terms.into_iter().map(Into::into).collect())
                .collect(),
        }
    }

    /// The condition that the hand of `seat` is within `limits`.
    pub fn of_limits(seat: Seat, limits: &Limits) -> Condition {
        let mut terms: Vec<Placed> = Vec::new();
        let lengths = Suit::ALL.map(|suit| (Measure::Length(suit), limits.lengths[suit]));
        for (of, (least, most)) in lengths
            .into_iter()
            .chain([(Measure::Points, limits.points)])
        {
            let ranges = if least <= most {
                vec![(least, most)]
            } else {
                // A minimum and a maximum that contradict each other.
                vec![(least, of.top()), (0, most)]
            };
            let ranges = ranges.into_iter().filter(|&range| range != (0, of.top()));
            terms.extend(ranges.map(|range| Placed::from(Term::range(Some(seat), of, range))));
        }
        for (cards, holds) in [(limits.cards, true), (limits.lacks, false)] {
            let placed = |card| Placed::from((Term::Holds { seat, card }, holds));
            terms.extend(cards.cards().map(placed));
        }
        Condition::any([terms])
    }

    /// The alternatives, each with its terms.
    pub fn alternatives(&self) -> impl ExactSizeIterator<Item = &[Placed]> {
        self.alternatives.iter().map(Vec::as_slice)
    }

    /// Returns true if layouts are counted and drawn quickly under the condition: it has one
    /// alternative, or a few that are about one hand.
    pub fn is_quick(&self) -> bool {
        const FEW: usize = 12;
        let mut seats = self.terms().flat_map(Placed::seats);
        let first = seats.next();
        let one_hand = first.is_some() && seats.all(|seat| Some(seat) == first);
        self.alternatives.len() == 1 || self.alternatives.len() <= FEW && one_hand
    }

    /// The terms of all alternatives.
    pub fn terms(&self) -> impl Iterator<Item = &Placed> {
        self.alternatives.iter().flatten()
    }

    /// Checks that every term is about the `hidden` hands and their cards, `unseen`, and that the
    /// terms of an alternative do not contradict each other.
    ///
    /// # Errors
    ///
    /// The first term that is not, with the column in which it was written; or the whole condition
    /// if it can never hold.
    pub fn check(&self, hidden: &[Seat], unseen: Hand) -> Result<(), (usize, ConditionError)> {
        self.fit(hidden, unseen, &mut Steps::default()).map(drop)
    }

    /// Returns true if the hands, by seat, satisfy the condition. `hidden` are its seats.
    pub fn allows(&self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        let mut alternatives = self.alternatives();
        alternatives.any(|terms| terms.iter().all(|of| of.allows(hidden, hands)))
    }
}
