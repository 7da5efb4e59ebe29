//! The cards on which a result depends.

use serde::{Deserialize, Serialize};
use setrograde_cards::{Card, Deal, LargeCount, Seat, Suit};
use setrograde_records::Board;

use crate::desk::{Ask, Desk, Example};
use crate::refusal::Refusal;
use crate::subjects::Start;
use crate::words::{Report, Words, cards_by_suit};

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
        command: &[],
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
        let matters = crate::matter(desk.solver(), position)?;
        let (deals, of) = crate::lesson::same_lengths(position, matters);
        Ok(Matters {
            leader: position.leader(),
            tricks: desk.solver().tricks(position)?,
            share: position.is_trick_boundary().then(|| {
                let top = Suit::ALL.map(|suit| matters.suit(suit).len());
                share(position.deal(), top)
            }),
            cards: matters.cards().collect(),
            deals: LargeCount(deals),
            of: LargeCount(of),
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

/// The share of all deals of these cards that have these suit lengths and the highest `top` cards of
/// each suit in the same hands.
pub fn share(deal: &Deal, top: [usize; 4]) -> f64 {
    deal.count_with_top(top) as f64 / deal.count() as f64
}

impl Report for Matters {
    fn words(&self, to: &mut Words) {
        let cards = cards_by_suit(&self.cards);
        to.beside(format_args!("{} {cards}", self.tricks));
    }
}
