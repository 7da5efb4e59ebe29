//! Suit lengths: a [`Column`] for one suit, a [`Shape`] for all four.

use std::fmt;

/// The most cards that a suit can have.
pub const SUIT_CARDS: u32 = 13;

/// How many cards of one suit each hand holds; hand 0 is the leader, then
/// clockwise. Lengths are 0..=13, one in each nibble, hand 0 lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Column(u16);

impl Column {
    /// No cards at all.
    pub const EMPTY: Column = Column(0);

    /// The column with these lengths, hand by hand.
    ///
    /// Lengths above 15 are cut to their low four bits; a length of 14 or 15
    /// is no bridge holding, but nothing here breaks on it.
    #[must_use]
    pub const fn new(lengths: [u8; 4]) -> Column {
        Column(
            (lengths[0] as u16 & 15)
                | (lengths[1] as u16 & 15) << 4
                | (lengths[2] as u16 & 15) << 8
                | (lengths[3] as u16 & 15) << 12,
        )
    }

    /// The column whose four nibbles are `bits`, hand 0 lowest.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Column {
        Column(bits)
    }

    /// The four nibbles, hand 0 lowest.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Cards of this suit in `hand` (0..=3).
    #[inline]
    #[must_use]
    pub const fn length(self, hand: usize) -> u8 {
        (self.0 >> (4 * (hand & 3))) as u8 & 15
    }

    /// All four lengths.
    #[must_use]
    pub const fn lengths(self) -> [u8; 4] {
        [
            self.length(0),
            self.length(1),
            self.length(2),
            self.length(3),
        ]
    }

    /// Cards of this suit in all hands together.
    #[inline]
    #[must_use]
    pub const fn total(self) -> u32 {
        let pairs = (self.0 & 0x0f0f) + ((self.0 >> 4) & 0x0f0f);
        ((pairs & 0xff) + (pairs >> 8)) as u32
    }

    /// The same cards seen from `hand`, which becomes hand 0.
    #[inline]
    #[must_use]
    pub const fn seen_from(self, hand: usize) -> Column {
        Column(self.0.rotate_right(4 * (hand as u32 & 3)))
    }

    /// One card fewer in `hand`, which must have one.
    #[inline]
    #[must_use]
    pub const fn without_one(self, hand: usize) -> Column {
        debug_assert!(self.length(hand) > 0);
        Column(self.0.wrapping_sub(1 << (4 * (hand & 3))))
    }

    /// How many hands hold at least one card.
    #[must_use]
    pub fn holders(self) -> usize {
        self.lengths().iter().filter(|&&length| length > 0).count()
    }

    /// The length-wise difference; `other` must not be longer in any hand.
    #[inline]
    #[must_use]
    pub(crate) const fn minus(self, other: Column) -> Column {
        Column(self.0.wrapping_sub(other.0))
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.lengths();
        write!(f, "{a}-{b}-{c}-{d}")
    }
}

/// The 4×4 matrix of suit lengths: a column for each suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Shape {
    /// One column for each suit.
    pub columns: [Column; 4],
}

impl Shape {
    /// Cards per hand if all four hands have equally many, at least one and at
    /// most 13, and no suit has more than 13; otherwise `None`.
    #[must_use]
    pub fn level(self) -> Option<usize> {
        let hand = |h: usize| -> u32 { self.columns.iter().map(|c| u32::from(c.length(h))).sum() };
        let level = hand(0);
        let equal = (1..4).all(|h| hand(h) == level);
        let fits = self.columns.iter().all(|c| c.total() <= SUIT_CARDS);
        (equal && fits && (1..=SUIT_CARDS).contains(&level)).then_some(level as usize)
    }

    /// The canonical order of the suits: the trump suit first if there is one,
    /// the others by falling column. A trump suit without cards is no trump.
    ///
    /// The answer names suits of `self`: `order[i]` is the suit at place `i`.
    #[inline]
    #[must_use]
    pub fn canonical(self, trump: Option<usize>) -> Canonical {
        let trump = trump.filter(|&suit| self.columns[suit & 3] != Column::EMPTY);
        // The key is the column above the suit's number, so that sorting whole
        // keys sorts columns and carries the suits along; the trump suit is
        // lifted above all others.
        let mut keys = [0u32; 4];
        for (suit, key) in keys.iter_mut().enumerate() {
            *key = u32::from(self.columns[suit].bits()) << 2 | suit as u32;
        }
        if let Some(suit) = trump {
            keys[suit & 3] |= 1 << 18;
        }
        let mut sort_pair = |a: usize, b: usize| {
            let (x, y) = (keys[a], keys[b]);
            keys[a] = x.max(y);
            keys[b] = x.min(y);
        };
        sort_pair(0, 1);
        sort_pair(2, 3);
        sort_pair(0, 2);
        sort_pair(1, 3);
        sort_pair(1, 2);
        Canonical {
            shape: Shape {
                columns: keys.map(|key| Column((key >> 2) as u16)),
            },
            order: keys.map(|key| key as u8 & 3),
            trump: trump.is_some(),
        }
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.columns;
        write!(f, "{a:?} {b:?} {c:?} {d:?}")
    }
}

/// A shape with its suits in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The shape, its suits in canonical order.
    pub shape: Shape,
    /// Which suit of the original shape stands at each place.
    pub order: [u8; 4],
    /// Whether the first suit is a trump suit.
    pub trump: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_keeps_its_lengths() {
        let column = Column::new([1, 0, 13, 4]);
        assert_eq!(column.lengths(), [1, 0, 13, 4]);
        assert_eq!(column.total(), 18);
        assert_eq!(column.holders(), 3);
        assert_eq!(column.seen_from(2).lengths(), [13, 4, 1, 0]);
        assert_eq!(column.without_one(2).lengths(), [1, 0, 12, 4]);
        assert_eq!(format!("{column:?}"), "1-0-13-4");
    }

    #[test]
    fn levels_need_equal_hands_and_at_most_thirteen_cards_in_a_suit() {
        let shape = |columns: [[u8; 4]; 4]| Shape {
            columns: columns.map(Column::new),
        };
        let none = [0; 4];
        assert_eq!(shape([[1; 4], none, none, none]).level(), Some(1));
        assert_eq!(
            shape([[2, 1, 1, 1], [0, 1, 1, 1], none, none]).level(),
            Some(2)
        );
        assert_eq!(
            shape([[2, 1, 1, 1], [0, 1, 1, 0], none, none]).level(),
            None
        );
        assert_eq!(shape([[4, 4, 4, 4], none, none, none]).level(), None);
        assert_eq!(shape([none; 4]).level(), None);
    }

    #[test]
    fn the_trump_suit_comes_first_and_an_empty_one_is_no_trump() {
        let shape = Shape {
            columns: [[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]].map(Column::new),
        };
        let trump = shape.canonical(Some(0));
        assert!(trump.trump);
        assert_eq!(trump.order, [0, 2, 3, 1]);
        let plain = shape.canonical(Some(1));
        assert!(!plain.trump);
        assert_eq!(plain.order, [2, 3, 0, 1]);
        assert_eq!(plain.shape.columns[0], Column::new([1, 0, 0, 1]));
    }
}
