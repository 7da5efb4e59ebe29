//! Ranks, and cards as a suit and a rank.

use std::fmt;

use crate::Suit;

/// The letters of the ranks from the deuce up.
const LETTERS: &[u8; 13] = b"23456789TJQKA";

const NAMES: [&str; 13] = [
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king", "ace",
];

/// The rank of a card: 2 to 10, then 11 (jack) to 14 (ace).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(u8);

impl Rank {
    /// The lowest rank.
    pub const DEUCE: Rank = Rank(2);
    /// The highest rank.
    pub const ACE: Rank = Rank(14);

    /// The rank with this value, if it is 2 to 14.
    #[must_use]
    pub const fn new(value: u8) -> Option<Rank> {
        match value {
            2..=14 => Some(Rank(value)),
            _ => None,
        }
    }

    /// The rank whose bit in a [`Holding`](crate::Holding) is `bit`.
    ///
    /// The caller must pass 0 to 12.
    pub(crate) const fn from_bit(bit: u8) -> Rank {
        debug_assert!(bit < 13);
        Rank(bit + 2)
    }

    /// All ranks, from the ace down.
    pub fn all() -> impl Iterator<Item = Rank> {
        (Rank::DEUCE.0..=Rank::ACE.0).rev().map(Rank)
    }

    /// The rank's value, 2 to 14.
    #[must_use]
    pub const fn value(self) -> u8 {
        self.0
    }

    /// The rank's number, 0 (deuce) to 12 (ace).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 2
    }

    /// The rank's letter or digit; `T` for the ten.
    #[must_use]
    pub const fn letter(self) -> char {
        LETTERS[self.index()] as char
    }

    /// The rank with this letter or digit, in upper or lower case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Rank> {
        Rank::all().find(|rank| rank.letter().eq_ignore_ascii_case(&letter))
    }

    /// The rank's English name, as `queen`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }
}

/// Writes the rank's letter.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letter().encode_utf8(&mut [0; 4]))
    }
}

/// A card of the pack.
///
/// Cards are ordered by suit as written (spades first), then by rank from the
/// deuce up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card {
    /// The card's suit.
    pub suit: Suit,
    /// The card's rank.
    pub rank: Rank,
}

impl Card {
    /// The card of this suit and rank.
    #[must_use]
    pub const fn new(suit: Suit, rank: Rank) -> Card {
        Card { suit, rank }
    }

    /// The 52 cards of the pack, spades first, each suit from the ace down.
    pub fn pack() -> impl Iterator<Item = Card> {
        Suit::ALL
            .into_iter()
            .flat_map(|suit| Rank::all().map(move |rank| Card::new(suit, rank)))
    }

    /// The card in words and letters, for messages: `queen of hearts (HQ)`.
    pub(crate) fn described(self) -> String {
        format!("{} of {} ({self})", self.rank.name(), self.suit.name())
    }
}

/// Writes the letters of the suit and the rank, as `SA`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit.letter(), self.rank.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks() {
        assert_eq!(Rank::new(1), None);
        assert_eq!(Rank::new(15), None);
        for value in 2..=14 {
            let rank = Rank::new(value).unwrap();
            assert_eq!(rank.value(), value);
            assert_eq!(rank.to_string().parse(), Ok(rank));
            assert_eq!(rank.to_string().to_lowercase().parse(), Ok(rank));
        }
        let letters: String = Rank::all().map(Rank::letter).collect();
        assert_eq!(letters, "AKQJT98765432");
        assert_eq!(Rank::from_letter('1'), None);
        assert_eq!(Rank::ACE.name(), "ace");
        assert_eq!(Rank::DEUCE.name(), "deuce");
    }

    #[test]
    fn the_pack() {
        let pack: Vec<_> = Card::pack().collect();
        assert_eq!(pack.len(), 52);
        for card in pack {
            assert_eq!(card.to_string().parse(), Ok(card));
            assert_eq!(card.to_string().to_lowercase().parse(), Ok(card));
        }
        assert_eq!(
            Card::pack().next().map(|c| c.to_string()),
            Some("SA".into())
        );
    }
}
