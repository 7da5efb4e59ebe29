//! A hand: the holdings in the four suits.

use std::fmt;
use std::iter::FusedIterator;

use crate::{Card, Holding, Suit};

/// A set of cards: what one seat holds. Any number of cards, 0 to 52.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hand {
    holdings: [Holding; 4],
}

impl Hand {
    /// No cards.
    pub const EMPTY: Hand = Hand::new([Holding::EMPTY; 4]);

    /// The hand with these holdings in spades, hearts, diamonds, clubs.
    #[must_use]
    pub const fn new(holdings: [Holding; 4]) -> Hand {
        Hand { holdings }
    }

    /// The holdings, by suit.
    #[must_use]
    pub const fn holdings(&self) -> &[Holding; 4] {
        &self.holdings
    }

    /// Returns the holding in `suit`.
    #[must_use]
    pub const fn holding(&self, suit: Suit) -> Holding {
        self.holdings[suit.index()]
    }

    /// Number of cards, 0 to 52.
    #[must_use]
    pub fn len(&self) -> usize {
        self.holdings.iter().map(|holding| holding.len()).sum()
    }

    /// Returns true if the hand has no cards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Hand::EMPTY
    }

    /// Returns true if the hand has `card`.
    #[must_use]
    pub const fn contains(&self, card: Card) -> bool {
        self.holding(card.suit).contains(card.rank)
    }

    /// Adds `card`; returns whether it was new.
    pub const fn insert(&mut self, card: Card) -> bool {
        self.holdings[card.suit.index()].insert(card.rank)
    }

    /// Takes `card` away; returns whether it was held.
    pub const fn remove(&mut self, card: Card) -> bool {
        self.holdings[card.suit.index()].remove(card.rank)
    }

    /// The cards held by both hands.
    #[must_use]
    pub fn intersection(&self, other: &Hand) -> Hand {
        Hand::new(std::array::from_fn(|suit| {
            self.holdings[suit].intersection(other.holdings[suit])
        }))
    }

    /// This hand's cards of `suit` alone.
    pub(crate) fn only(&self, suit: Suit) -> Hand {
        let mut hand = Hand::EMPTY;
        hand.holdings[suit.index()] = self.holding(suit);
        hand
    }

    /// The cards, spades first, each suit high to low.
    #[must_use]
    pub const fn cards(&self) -> Cards {
        Cards(*self)
    }
}

/// The cards of a [`Hand`], spades first, each suit high to low.
#[derive(Clone, Debug)]
pub struct Cards(Hand);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let card = Suit::ALL.into_iter().find_map(|suit| {
            let rank = self.0.holding(suit).highest()?;
            Some(Card::new(suit, rank))
        })?;
        self.0.remove(card);
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Cards {}
impl FusedIterator for Cards {}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut hand = Hand::EMPTY;
        for card in cards {
            hand.insert(card);
        }
        hand
    }
}

/// Writes the four holdings separated by dots, as `AK.Q..T2`.
impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [spades, hearts, diamonds, clubs] = self.holdings;
        write!(f, "{spades}.{hearts}.{diamonds}.{clubs}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_cards() {
        let hand: Hand = "ka.q..2T".parse().unwrap();
        assert_eq!(hand.to_string(), "AK.Q..T2");
        assert_eq!(hand.len(), 5);
        let cards: Vec<_> = hand.cards().map(|card| card.to_string()).collect();
        assert_eq!(cards, ["SA", "SK", "HQ", "CT", "C2"]);
        assert_eq!(hand.cards().len(), 5);
        assert_eq!(hand.cards().collect::<Hand>(), hand);
        assert_eq!("...".parse(), Ok(Hand::EMPTY));
        assert_eq!(Hand::EMPTY.to_string(), "...");
        assert_eq!(Card::pack().collect::<Hand>().len(), 52);
    }

    #[test]
    fn set_operations() {
        let mut hand: Hand = "AK.Q..T2".parse().unwrap();
        let queen = "HQ".parse().unwrap();
        assert!(hand.contains(queen));
        assert!(!hand.insert(queen));
        assert!(hand.remove(queen));
        assert!(!hand.remove(queen));
        assert!(hand.holding(Suit::Hearts).is_empty());
        let other = "A2...2".parse().unwrap();
        assert_eq!(hand.intersection(&other).to_string(), "A...2");
        assert_eq!(hand.only(Suit::Clubs).to_string(), "...T2");
        assert!(!hand.is_empty());
    }
}
