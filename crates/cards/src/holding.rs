//! The ranks of one suit in one hand.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr};
use std::str::FromStr;

use crate::Rank;
use crate::card::read_rank;
use crate::text::{TextError, TextProblem};

/// A set of ranks: a hand's cards in one suit.
///
/// Stored as 13 bits, bit `r - 2` for rank `r`: bit 0 is the deuce, bit 12 the
/// ace. `Ord` compares these bits as a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Holding(u16);

impl Holding {
    /// A void.
    pub const EMPTY: Holding = Holding(0);
    /// All 13 ranks.
    pub(crate) const FULL: Holding = Holding(0x1fff);

    /// The holding with these bits; bits 13 and up are ignored.
    pub const fn from_bits(bits: u16) -> Holding {
        Holding(bits & Holding::FULL.0)
    }

    /// The holding's bits, 0 to `0x1fff`.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Number of cards, 0 to 13.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if this is a void.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if `rank` is held.
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 & bit(rank) != 0
    }

    /// Adds `rank`; returns whether it was new.
    pub const fn insert(&mut self, rank: Rank) -> bool {
        let new = !self.contains(rank);
        self.0 |= bit(rank);
        new
    }

    /// The highest rank held, if any.
    pub fn highest(self) -> Option<Rank> {
        self.iter().next()
    }

    /// The ranks held, high to low.
    pub const fn iter(self) -> Ranks {
        Ranks(self)
    }
}

const fn bit(rank: Rank) -> u16 {
    1 << rank.index()
}

/// The ranks of a [`Holding`], high to low.
#[derive(Clone, Debug)]
pub struct Ranks(Holding);

impl Iterator for Ranks {
    type Item = Rank;

    fn next(&mut self) -> Option<Rank> {
        let bit = self.0.0.checked_ilog2()?;
        self.0.0 &= !(1 << bit);
        Some(Rank::from_bit(bit as u8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Ranks {}
impl FusedIterator for Ranks {}

impl IntoIterator for Holding {
    type Item = Rank;
    type IntoIter = Ranks;

    fn into_iter(self) -> Ranks {
        self.iter()
    }
}

/// The ranks held by either.
impl BitOr for Holding {
    type Output = Holding;

    fn bitor(self, other: Holding) -> Holding {
        Holding(self.0 | other.0)
    }
}

/// The ranks held by both.
impl BitAnd for Holding {
    type Output = Holding;

    fn bitand(self, other: Holding) -> Holding {
        Holding(self.0 & other.0)
    }
}

impl FromIterator<Rank> for Holding {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Self {
        let mut holding = Holding::EMPTY;
        for rank in ranks {
            holding.insert(rank);
        }
        holding
    }
}

/// Writes the ranks high to low, as in `AKT2`; nothing for a void.
impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|rank| rank.fmt(f))
    }
}

/// Reads ranks in any order, the ten as `T` or `10`; an empty text is a void.
impl FromStr for Holding {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut holding = Holding::EMPTY;
        // The text is ASCII, so offsets are columns.
        let mut next = 0;
        while next < text.len() {
            let offset = next;
            let (rank, length) = read_rank(&text[offset..]).map_err(|e| e.shifted(offset))?;
            next += length;
            if !holding.insert(rank) {
                return Err(TextError::new(
                    offset + 1,
                    TextProblem::RepeatedRank { rank },
                ));
            }
        }
        Ok(holding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_the_ends() {
        assert_eq!("2".parse(), Ok(Holding::from_bits(1)));
        assert_eq!("A".parse(), Ok(Holding::from_bits(1 << 12)));
        assert_eq!(Holding::from_bits(0xffff), Holding::FULL);
        assert_eq!(Holding::FULL.to_string(), "AKQJT98765432");
        assert_eq!(Holding::FULL.len(), 13);
    }

    #[test]
    fn set_operations() {
        let mut holding: Holding = "2tAk".parse().unwrap();
        assert_eq!(holding.to_string(), "AKT2");
        assert_eq!(holding.highest(), Some(Rank::ACE));
        assert!(!holding.insert(Rank::ACE));
        assert!(!holding.contains(Rank::new(12).unwrap()));
        assert_eq!(holding.iter().len(), 4);

        let other = "KQ".parse().unwrap();
        assert_eq!((holding | other).to_string(), "AKQT2");
        assert_eq!((holding & other).to_string(), "K");
        assert!((holding & Holding::EMPTY).is_empty());
        assert_eq!(Holding::EMPTY.highest(), None);
    }

    #[test]
    fn every_holding_survives_text_and_collection() {
        for bits in 0..=Holding::FULL.bits() {
            let holding = Holding::from_bits(bits);
            assert_eq!(holding.to_string().parse(), Ok(holding));
            assert_eq!(holding.iter().collect::<Holding>(), holding);
        }
    }
}
