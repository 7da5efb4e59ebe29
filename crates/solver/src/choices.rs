//! The cards of a position to choose from, one of each run of equivalent cards.

use setrograde_cards::{Card, Holding, Position, Suit};

use crate::solve::CardTricks;

/// A card that may be played, and the lower cards that are equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Choice {
    /// The card: the highest of a run of equivalent cards, between which no other hand has a card.
    pub card: Card,
    /// The lower ones.
    pub equals: Holding,
}

impl Choice {
    /// Returns the cards with their tricks.
    pub(crate) const fn with_tricks(self, tricks: u8) -> CardTricks {
        CardTricks {
            card: self.card,
            equals: self.equals,
            tricks,
        }
    }
}

/// Returns the cards that the seat to play may choose from: spades first, each suit from the
/// top.
pub fn choices(position: &Position) -> Vec<Choice> {
    let seat = position.to_play();
    let hand = position.deal().hand(seat);
    let led = position
        .played()
        .first()
        .map(|card| card.suit)
        .filter(|&suit| !hand.suit(suit).is_empty());
    let mut found: Vec<Choice> = Vec::new();
    for suit in Suit::ALL {
        if led.is_some_and(|led| led != suit) {
            continue;
        }
        let mut parted = true;
        for card in Card::pack().filter(|card| card.suit == suit) {
            if hand.contains(card) {
                match found.last_mut().filter(|_| !parted) {
                    Some(choice) => {
                        choice.equals.insert(card.rank);
                    }
                    None => found.push(Choice {
                        card,
                        equals: Holding::EMPTY,
                    }),
                }
                parted = false;
            } else if position.deal().owner(card).is_some() || position.played().contains(&card) {
                parted = true;
            }
        }
    }
    found
}
