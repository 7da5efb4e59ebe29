//! Sets of endings: a 4-bit owner mask for each of some top cards of each suit.

use std::fmt;

use setrograde_cards::Suit;

use crate::partition::SuitOrder;

/// Bit 0 of every nibble.
const EVERY_NIBBLE: u64 = 0x1111_1111_1111_1111;

/// A set of endings of one shape: for each suit, the hands that may own the top card, the next, and
/// so on; cards without a mask are x's and may be in any hand. A mask has bit `h` set if hand `h`
/// may own the card. Hand 0 is North in the sets that answer a question about an ending, and the
/// leader in those of a partition. Text has the hands in the order N S E W.
///
/// "Setrograde analysis" (2024), section 5, Set Representation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EndingSet {
    /// For each suit the masks, the top card's in the lowest nibble; all ones
    /// from the first x on.
    masks: [u64; 4],
    known: [u8; 4],
}

impl EndingSet {
    /// The set of all endings: every card is an x.
    pub const EVERYTHING: EndingSet = EndingSet {
        masks: [u64::MAX; 4],
        known: [0; 4],
    };

    /// Adds the mask of the next card of a suit (0..=3): the hands that may own it. A suit has at
    /// most 16 masks; later ones are ignored.
    #[inline]
    pub fn learn(&mut self, suit: usize, mask: u8) {
        let at = self.known[suit & 3];
        if at < 16 {
            let hole = u64::from(!mask & 15) << (4 * at);
            self.masks[suit & 3] &= !hole;
            self.known[suit & 3] = at + 1;
        }
    }

    /// Returns the number of top cards of a suit that have a mask.
    pub fn known(&self, suit: usize) -> usize {
        usize::from(self.known[suit & 3])
    }

    /// The masks of a suit, the top card's in the lowest nibble; all ones from
    /// the first x on.
    #[inline]
    pub(crate) fn masks(&self, suit: usize) -> u64 {
        self.masks[suit & 3]
    }

    /// Returns the set in the suits and hands of a partition: with the suit `order.suit(i)` at
    /// index `i`, and hand `leader` as hand 0.
    pub(crate) fn seen_by(&self, order: SuitOrder, leader: u8) -> EndingSet {
        let turn = u32::from(leader & 3);
        let low = u64::from(15u8 >> turn) * EVERY_NIBBLE;
        let seen = |masks: u64| masks >> turn & low | masks << ((4 - turn) & 3) & !low;
        EndingSet {
            masks: order.suits().map(|suit| seen(self.masks[suit])),
            known: order.suits().map(|suit| self.known[suit]),
        }
    }

    /// Returns the hands that may own a card, given its suit and its index from the top, 0 first;
    /// all four for an x.
    #[inline]
    pub fn mask(&self, suit: usize, rank: usize) -> u8 {
        if rank < 16 {
            (self.masks[suit & 3] >> (4 * rank)) as u8 & 15
        } else {
            15
        }
    }

    /// Returns the set with as few known cards as `holds` allows: suit by suit, it drops the lowest
    /// known cards as long as `holds` returns true for the wider set.
    #[must_use]
    pub(crate) fn widen(
        self,
        suits: [usize; 4],
        mut holds: impl FnMut(&EndingSet) -> bool,
    ) -> EndingSet {
        let mut set = self;
        for suit in suits {
            while set.known(suit) > 0 {
                let wider = set.forget_from(suit, set.known(suit) - 1);
                if !holds(&wider) {
                    break;
                }
                set = wider;
            }
        }
        set
    }

    /// Returns the set without the masks of a suit from index `known` on.
    pub(crate) fn forget_from(mut self, suit: usize, known: usize) -> EndingSet {
        let suit = suit & 3;
        if known < usize::from(self.known[suit]) {
            self.masks[suit] |= u64::MAX << (4 * known);
            self.known[suit] = known as u8;
        }
        self
    }
}

/// As `setrograde query --explain` writes sets: for each suit with known cards its symbol,
/// and for each of these cards four digits, 1 for a hand that may own it, in the order N S
/// E W, partners together. Hands are seats from North here, suits from spades down.
impl fmt::Display for EndingSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for suit in Suit::ALL {
            for rank in 0..self.known(suit.index()) {
                if rank == 0 {
                    write!(f, "{space}{}", suit.symbol())?;
                    space = " ";
                }
                f.write_str(" ")?;
                write_mask(f, self.mask(suit.index(), rank))?;
            }
        }
        match space {
            "" => f.write_str("all endings"),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for EndingSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes a mask as [`EndingSet`]'s `Display` does: in the order N S E W.
///
/// # Errors
///
/// Those of `out`.
pub fn write_mask(out: &mut impl fmt::Write, mask: u8) -> fmt::Result {
    [0, 2, 1, 3]
        .into_iter()
        .try_for_each(|seat| out.write_char(char::from(b'0' + (mask >> seat & 1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_written_partners_together() {
        let mut set = EndingSet::EVERYTHING;
        assert_eq!(set.to_string(), "all endings");
        // East; then North or South; then only West.
        set.learn(1, 0b0010);
        set.learn(1, 0b0101);
        set.learn(3, 0b1000);
        assert_eq!(set.to_string(), "♥ 0010 1100 ♣ 0001");
        assert_eq!(format!("{set:?}"), set.to_string());
    }

    #[test]
    fn a_suit_has_room_for_sixteen_masks() {
        let mut set = EndingSet::EVERYTHING;
        for rank in 0..20 {
            assert_eq!(set.known(2), rank.min(16));
            set.learn(2, 1 << (rank % 4));
        }
        for rank in 0..20 {
            let learnt = if rank < 16 { 1 << (rank % 4) } else { 15 };
            assert_eq!(set.mask(2, rank), learnt);
            assert_eq!(set.mask(1, rank), 15);
        }
        let wider = set.widen([2, 0, 1, 3], |wider| wider.known(2) >= 5);
        assert_eq!(
            (wider.known(2), wider.mask(2, 4), wider.mask(2, 5)),
            (5, 1, 15)
        );
    }
}
