//! Endings: positions with no card on the table, by relative ranks.

use crate::shape::{Canonical, Column, Shape};

/// A position with equally many cards in each hand and none on the table.
///
/// Hands are seats 0..=3 clockwise from North, suits 0..=3 from spades down.
/// Ranks are relative: a suit is the list of its cards' owners from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// For each suit the owners from the top, two bits each, the top card's
    /// lowest; zero beyond the last card.
    owners: [u32; 4],
    columns: [Column; 4],
    leader: u8,
    /// 0..=3, or 4 at no trump.
    trump: u8,
}

impl Ending {
    /// Owners from the top of each suit, two bits each.
    #[inline]
    #[must_use]
    pub fn packed_owners(&self) -> [u32; 4] {
        self.owners
    }

    /// The seat on lead, 0..=3.
    #[inline]
    #[must_use]
    pub fn leader_index(&self) -> u8 {
        self.leader
    }

    /// The suit lengths as the leader sees them: the leader is hand 0.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape { columns: self.columns.map(|column| column.seen_from(usize::from(self.leader))) }
    }

    /// The canonical shape, and the order of the suits in it.
    #[inline]
    #[must_use]
    pub fn canonical(&self) -> Canonical {
        self.shape().canonical((self.trump < 4).then_some(usize::from(self.trump)))
    }
}
