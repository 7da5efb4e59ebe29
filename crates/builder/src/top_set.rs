//! The sets that builders think in: the owners of each suit's top cards, and
//! x's below them.

use setrograde_endgame::shape::{Column, Shape};

/// For each suit the owners of its top cards, in order, and how many x's each
/// hand holds below them.
///
/// This family of sets is closed under play: when each hand plays a known card
/// or an x, the endings that can follow form such a set one level down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopSet {
    /// Owners two bits each, the top card's lowest, and a 1 above the last:
    /// 1 alone means that no card is known.
    owners: [u32; 4],
    xs: [Column; 4],
}

impl TopSet {
    /// All endings of a shape.
    pub(crate) fn everything(shape: Shape) -> TopSet {
        let mut set = TopSet { owners: [1; 4], xs: shape.columns };
        for suit in 0..4 {
            set.settle(suit);
        }
        set
    }

    /// The same set with one more card known: the next card of `suit` belongs
    /// to `owner`, who must hold an x there.
    pub(crate) fn with(mut self, suit: usize, owner: usize) -> TopSet {
        self.push(suit, owner);
        self.settle(suit);
        self
    }

    /// The owners, with the marker above the last (see the field).
    #[inline]
    pub(crate) fn owners(&self) -> [u32; 4] {
        self.owners
    }

    /// The x's of a suit.
    #[inline]
    pub(crate) fn xs(&self, suit: usize) -> Column {
        self.xs[suit]
    }

    /// How many top cards of a suit are known.
    #[inline]
    pub(crate) fn known(&self, suit: usize) -> u32 {
        (31 - self.owners[suit].leading_zeros()) / 2
    }

    fn push(&mut self, suit: usize, owner: usize) {
        let at = 2 * self.known(suit);
        self.owners[suit] += (owner as u32) << at;
        // The marker moves up by one card: 1 << at becomes 4 << at.
        self.owners[suit] += 3 << at;
        self.xs[suit] = self.xs[suit].without_one(owner);
    }

    /// X's of one hand alone are as good as known.
    fn settle(&mut self, suit: usize) {
        if self.xs[suit].holders() == 1 {
            for owner in 0..4 {
                for _ in 0..self.xs[suit].length(owner) {
                    self.push(suit, owner);
                }
            }
        }
    }
}
