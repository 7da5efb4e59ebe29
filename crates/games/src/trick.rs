//! The trick on the table.

use setrograde_cards::{Card, Hand, Rank, Seat, Suit};

/// The cards played to a trick, 0 to 4, and which of them wins so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Trick {
    cards: [Card; 4],
    leader: Seat,
    count: u8,
    /// The place of the winning card in the order of play.
    best: u8,
}

/// Stands where no card has been played.
const NO_CARD: Card = Card::new(Suit::Spades, Rank::DEUCE);

impl Trick {
    /// The trick to which `leader` is to lead.
    #[must_use]
    pub const fn new(leader: Seat) -> Trick {
        Trick {
            cards: [NO_CARD; 4],
            leader,
            count: 0,
            best: 0,
        }
    }

    /// The cards in the order of play.
    #[inline]
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.count)]
    }

    /// The seats that have played, with their cards.
    pub fn plays(&self) -> impl Iterator<Item = (Seat, Card)> + '_ {
        let seats = (0..4).map(|place| self.leader.plus(place));
        seats.zip(self.cards().iter().copied())
    }

    /// The seat that led or is to lead.
    #[inline]
    #[must_use]
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// Number of cards, 0 to 4.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether nobody has led yet.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The seat that plays the next card.
    #[inline]
    #[must_use]
    pub const fn to_play(&self) -> Seat {
        self.leader.plus(self.count as usize)
    }

    /// The suit that was led.
    #[inline]
    #[must_use]
    pub fn led(&self) -> Option<Suit> {
        self.cards().first().map(|card| card.suit)
    }

    /// The card that wins so far.
    #[inline]
    #[must_use]
    pub fn best(&self) -> Option<Card> {
        self.cards().get(usize::from(self.best)).copied()
    }

    /// The seat that wins so far; the leader if nobody has played.
    #[inline]
    #[must_use]
    pub const fn winner(&self) -> Seat {
        self.leader.plus(self.best as usize)
    }

    /// All cards of the trick.
    #[must_use]
    pub fn set(&self) -> Hand {
        self.cards().iter().copied().collect()
    }

    /// Adds a card, which takes the lead if it `wins` from the best so far; the
    /// first card always does. A fifth card takes the place of the fourth.
    #[inline]
    pub(crate) fn push(&mut self, card: Card, wins: bool) {
        let place = usize::from(self.count.min(3));
        if place == 0 || wins {
            self.best = place as u8;
        }
        self.cards[place] = card;
        self.count = place as u8 + 1;
    }
}
