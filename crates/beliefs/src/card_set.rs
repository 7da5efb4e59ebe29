//! Cards as bits.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

use setrograde_cards::{Card, Hand, Holding, Rank, Suit};

/// A set of cards as 64 bits: sixteen for each suit, spades lowest, and within
/// a suit bit 0 for the deuce up to bit 12 for the ace.
///
/// ```
/// use setrograde_beliefs::CardSet;
/// use setrograde_cards::{Hand, Suit};
///
/// let hand: Hand = "AK2.Q..".parse()?;
/// let set = CardSet::from(hand);
/// assert_eq!(set.len(), 4);
/// assert_eq!(set.suit(Suit::Hearts).to_string(), ".Q..");
/// assert!(set.contains("SK".parse()?));
/// # Ok::<(), setrograde_cards::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardSet(u64);

const SUIT: u64 = 0x1fff;

impl CardSet {
    /// No cards.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 cards.
    pub const PACK: CardSet = CardSet(SUIT | SUIT << 16 | SUIT << 32 | SUIT << 48);

    /// The set with these bits; bits that stand for no card are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits & CardSet::PACK.0)
    }

    /// The bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The number of a card's bit, 0 to 60.
    #[inline]
    #[must_use]
    pub const fn place(card: Card) -> usize {
        card.suit.index() << 4 | card.rank.index()
    }

    /// The set of one card.
    #[inline]
    #[must_use]
    pub const fn of(card: Card) -> CardSet {
        CardSet(1 << CardSet::place(card))
    }

    /// All thirteen cards of a suit.
    #[inline]
    #[must_use]
    pub const fn all_of(suit: Suit) -> CardSet {
        CardSet(SUIT << (suit.index() << 4))
    }

    /// The cards of this set that belong to `suit`.
    #[inline]
    #[must_use]
    pub const fn suit(self, suit: Suit) -> CardSet {
        CardSet(self.0 & CardSet::all_of(suit).0)
    }

    /// The ranks held in `suit`.
    #[inline]
    #[must_use]
    pub const fn holding(self, suit: Suit) -> Holding {
        Holding::from_bits((self.0 >> (suit.index() << 4)) as u16)
    }

    /// Number of cards.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `card` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & CardSet::of(card).0 != 0
    }

    /// Whether every card of this set is in `other`.
    #[inline]
    #[must_use]
    pub const fn is_subset(self, other: CardSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The first card: of the first suit, the lowest.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Card> {
        (self.0 != 0).then(|| card_at(self.0.trailing_zeros()))
    }

    /// The card with `n` cards of the set before it.
    #[inline]
    #[must_use]
    pub fn nth(self, n: usize) -> Option<Card> {
        let mut bits = self.0;
        for _ in 0..n {
            bits &= bits.wrapping_sub(1);
        }
        CardSet(bits).first()
    }

    /// The cards: spades first, each suit from the lowest up.
    #[inline]
    #[must_use]
    pub const fn iter(self) -> Cards {
        Cards(self)
    }
}

#[inline]
fn card_at(place: u32) -> Card {
    let suit = Suit::from_index(place as usize >> 4);
    // Every bit of a set stands for a card.
    let rank = Rank::new((place & 15) as u8 + 2).unwrap_or(Rank::ACE);
    Card::new(suit, rank)
}

/// The cards of a [`CardSet`], in the order of [`Card`].
#[derive(Clone, Debug)]
pub struct Cards(CardSet);

impl Iterator for Cards {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let card = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Cards {}
impl FusedIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        self.iter()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards
            .into_iter()
            .fold(CardSet::EMPTY, |set, card| set | CardSet::of(card))
    }
}

/// The union of sets.
impl FromIterator<CardSet> for CardSet {
    fn from_iter<I: IntoIterator<Item = CardSet>>(sets: I) -> CardSet {
        sets.into_iter()
            .fold(CardSet::EMPTY, |all, cards| all | cards)
    }
}

impl From<Hand> for CardSet {
    fn from(hand: Hand) -> CardSet {
        let bits = Suit::ALL
            .into_iter()
            .map(|suit| u64::from(hand.holding(suit).bits()) << (suit.index() << 4));
        CardSet(bits.sum())
    }
}

impl From<CardSet> for Hand {
    fn from(set: CardSet) -> Hand {
        Hand::new(Suit::ALL.map(|suit| set.holding(suit)))
    }
}

impl From<Card> for CardSet {
    fn from(card: Card) -> CardSet {
        CardSet::of(card)
    }
}

impl BitOr for CardSet {
    type Output = CardSet;
    #[inline]
    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl BitOrAssign for CardSet {
    #[inline]
    fn bitor_assign(&mut self, other: CardSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;
    #[inline]
    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

/// The cards of this set that are not in the other.
impl Sub for CardSet {
    type Output = CardSet;
    #[inline]
    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

impl SubAssign for CardSet {
    #[inline]
    fn sub_assign(&mut self, other: CardSet) {
        self.0 &= !other.0;
    }
}

/// Writes the set as a hand, as `AK.Q..T2`.
impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hand::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_agree_with_hands() {
        for text in ["AKQJT98765432...", "...", "A2.K3.Q4.J5", "T.9.8.7"] {
            let hand: Hand = text.parse().expect("a hand");
            let set = CardSet::from(hand);
            assert_eq!(Hand::from(set), hand);
            assert_eq!(set.len(), hand.len());
            assert_eq!(set.to_string(), text);
            let mut cards: Vec<Card> = hand.cards().collect();
            cards.sort();
            assert_eq!(set.iter().collect::<Vec<_>>(), cards);
            assert_eq!(cards.iter().copied().collect::<CardSet>(), set);
            for (n, &card) in cards.iter().enumerate() {
                assert_eq!(set.nth(n), Some(card));
            }
            assert_eq!(set.nth(cards.len()), None);
            assert_eq!((CardSet::PACK - set) | set, CardSet::PACK);
        }
        assert_eq!(Card::pack().collect::<CardSet>(), CardSet::PACK);
    }
}
