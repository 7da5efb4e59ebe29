//! A trick: up to four cards, and who wins them.

use crate::card::Rank;
use crate::{Card, Seat, Strain, Suit};

/// The card in slots that are not played yet, so equal tricks compare and hash as equal.
const UNPLAYED: Card = Card::new(Suit::Clubs, Rank::DEUCE);

/// A trick, complete or under way: who led to it, and the 0 to 4 cards played
/// to it in clockwise order.
///
/// A trick has no access to hands, so it neither checks that cards were legal nor refuses a card
/// that it already has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trick {
    leader: Seat,
    cards: [Card; 4],
    len: u8,
}

impl Trick {
    /// The trick to which `leader` is about to lead.
    pub const fn new(leader: Seat) -> Trick {
        Trick {
            leader,
            cards: [UNPLAYED; 4],
            len: 0,
        }
    }

    /// The trick with one more card, played by [`to_play`](Self::to_play);
    /// `None` if the trick is complete.
    pub fn with(mut self, card: Card) -> Option<Trick> {
        *self.cards.get_mut(usize::from(self.len))? = card;
        self.len += 1;
        Some(self)
    }

    /// Returns the seat that led, or is to lead.
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// The cards played, the lead first.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.len)]
    }

    /// The cards played and who played them, the lead first.
    pub fn plays(&self) -> impl Iterator<Item = (Seat, Card)> + '_ {
        let seats = (0..4).map(|n| self.leader.plus(n));
        seats.zip(self.cards().iter().copied())
    }

    /// Returns true if all four cards have been played.
    pub(crate) const fn is_complete(&self) -> bool {
        self.len == 4
    }

    /// Returns the seat that plays the next card; the leader again once the trick
    /// is complete.
    pub const fn to_play(&self) -> Seat {
        self.leader.plus(self.len as usize)
    }

    /// The suit that must be followed; `None` before the lead.
    pub fn led_suit(&self) -> Option<Suit> {
        self.cards().first().map(|card| card.suit)
    }

    /// Returns the seat that wins the trick, or is winning it so far; `None` before
    /// the lead.
    ///
    /// The highest trump wins, and without one the highest card of the suit
    /// led.
    pub fn winner(&self, strain: Strain) -> Option<Seat> {
        let led = self.led_suit()?;
        let strength = |card: Card| {
            let class = if Some(card.suit) == strain.trump() {
                2
            } else {
                i32::from(card.suit == led)
            };
            (class, card.rank)
        };
        self.plays()
            .max_by_key(|&(_, card)| strength(card))
            .map(|(seat, _)| seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trick(leader: Seat, cards: &str) -> Trick {
        cards.split(' ').fold(Trick::new(leader), |trick, card| {
            trick.with(card.parse().unwrap()).unwrap()
        })
    }

    #[test]
    fn building_a_trick() {
        let empty = Trick::new(Seat::West);
        assert_eq!(empty.to_play(), Seat::West);
        assert_eq!(empty.led_suit(), None);
        assert_eq!(empty.winner(Strain::NoTrump), None);

        let started = trick(Seat::West, "SQ S2");
        assert_eq!(started.to_play(), Seat::East);
        assert_eq!(started.led_suit(), Some(Suit::Spades));
        assert_eq!(started.winner(Strain::NoTrump), Some(Seat::West));
        assert!(!started.is_complete());

        let complete = trick(Seat::West, "SQ S2 SK S3");
        assert!(complete.is_complete());
        assert_eq!(complete.with("SA".parse().unwrap()), None);
        assert_eq!(complete.winner(Strain::NoTrump), Some(Seat::East));
    }
}
