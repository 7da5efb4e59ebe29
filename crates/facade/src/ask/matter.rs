//! The cards on which a result depends.

use serde::{Deserialize, Serialize};
use setrograde_cards::{Card, Hand, LargeCount, Position, Rank, Seat, Suit};
use setrograde_solver::{SolveError, Solver};

use crate::{Ask, Board, Desk, Example, Refusal, Report, Start, Words, cards_by_suit};

/// The cards on which a double-dummy result depends: with these cards in the same hands, the result
/// is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Matter {}

impl Ask for Matter {
    const NAME: &'static str = "matter";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... 76... 54... K3..."}"#,
        command: "",
    };
    type Subject = Start;
    type Answer = Matters;

    fn answer(
        &self,
        desk: &mut Desk,
        start: &Start,
        _: Option<&Board>,
    ) -> Result<Matters, Refusal> {
        let position = start.position()?;
        let matters = matter(desk.solver(), position)?;
        let deal = position.deal();
        // The cards that matter are the highest of each suit; those on the table are not dealt.
        let dealt = matters & deal.hands().iter().copied().collect();
        let same = deal.count_with_top(Suit::ALL.map(|suit| dealt.suit(suit).len()));
        Ok(Matters {
            leader: position.leader(),
            tricks: desk.solver().tricks(position)?,
            share: position
                .is_trick_boundary()
                .then(|| same as f64 / deal.count() as f64),
            cards: matters.cards().collect(),
            deals: LargeCount(same),
            of: LargeCount(deal.count_with_top([0; 4])),
        })
    }
}

/// The cards on which a result depends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Matters {
    /// The seat that leads, or led, whose side takes the tricks.
    pub leader: Seat,
    /// The tricks.
    pub tricks: u8,
    /// The cards, spades first, the highest first.
    pub cards: Vec<Card>,
    /// The number of deals with these suit lengths and these cards in the same hands.
    pub deals: LargeCount,
    /// The number of deals with these suit lengths.
    pub of: LargeCount,
    /// The share of all deals of the cards left that have these suit lengths and these cards in the
    /// same hands; `None` during a trick.
    pub share: Option<f64>,
}

/// The cards that a double-dummy result depends on: those, in hands and on the table, that are at
/// or above the lowest card of their suit that a proof needs.
///
/// # Errors
///
/// If the search is cancelled or the database fails.
pub fn matter(solver: &mut Solver, position: &Position) -> Result<Hand, SolveError> {
    let tricks = solver.tricks(position)?;
    let mut lowest: [Option<Rank>; 4] = [None; 4];
    for need in [tricks, tricks + 1] {
        for card in solver.reaches(position, need)?.cards.cards() {
            let lowest = &mut lowest[card.suit];
            *lowest = Some(lowest.map_or(card.rank, |rank| rank.min(card.rank)));
        }
    }
    let held = position.deal().hands().iter().flat_map(|hand| hand.cards());
    let all = held.chain(position.played().iter().copied());
    let matters = |card: &Card| lowest[card.suit].is_some_and(|rank| card.rank >= rank);
    Ok(all.filter(matters).collect())
}

impl Report for Matters {
    fn words(&self, to: &mut Words) {
        let cards = cards_by_suit(&self.cards);
        to.beside(format_args!("{} {cards}", self.tricks));
    }
}
