//! Bookmarks: positions that look-ups reached in the level below, remembered along the path of
//! splits.
//!
//! Endings that can follow a trick from a set can follow it from every enclosing set, and a walk
//! takes the known cards of a suit from the top. A walk therefore begins like the walk for an
//! enclosing set, and may start where that walk ended. A bookmark depends only on cards, so it
//! serves every claim.

use setrograde_endgame::diagram::Edge;

use crate::oracle::abstract_trick::KnownCards;

/// A position in a diagram.
#[derive(Clone, Copy)]
pub(crate) struct Bookmark {
    /// The edge that leads there.
    pub(crate) at: Edge,
    /// The known cards that lead there from the root.
    pub(crate) taken: KnownCards,
}

/// A trick as an enclosing set sees it: the number of the diagram after it (from the suits played
/// and the winner), and the cards played that the enclosing set knows. All other cards are x's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct TrickKey {
    after: u16,
    played: KnownCards,
}

impl TrickKey {
    /// Makes the key of a trick that leads to the diagram with the number `after`.
    #[inline]
    pub(crate) fn new(after: usize, played: KnownCards) -> TrickKey {
        let after = after as u16;
        TrickKey { after, played }
    }

    /// The number of its slot.
    #[inline]
    fn slot(self) -> usize {
        let mixed = self.played ^ u64::from(self.after).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOT_BITS)) as usize
    }
}

/// A moment on the path of splits.
pub(crate) type Moment = usize;

/// A bookmark, with the trick that leads to its diagram.
#[derive(Clone, Copy)]
struct BookmarkSlot {
    trick: TrickKey,
    bookmark: Bookmark,
}

impl BookmarkSlot {
    /// No trick has all suits and cards.
    const EMPTY: BookmarkSlot = BookmarkSlot {
        trick: TrickKey {
            after: u16::MAX,
            played: 0,
        },
        bookmark: Bookmark {
            at: Edge::NOTHING,
            taken: 0,
        },
    };
}

/// Binary logarithm of the number of slots of 32 bytes: 128 KiB.
const SLOT_BITS: u32 = 12;

/// The bookmarks of look-ups for the sets on the path of splits: for each trick the last one,
/// unless another trick has taken its slot.
pub(crate) struct Bookmarks {
    slots: Box<[BookmarkSlot]>,
    /// The former contents of the slots that were written, in the order of writing.
    before: Vec<(usize, BookmarkSlot)>,
}

impl Bookmarks {
    /// Makes an empty table.
    pub(crate) fn new() -> Bookmarks {
        Bookmarks {
            slots: vec![BookmarkSlot::EMPTY; 1 << SLOT_BITS].into(),
            before: Vec::new(),
        }
    }

    /// Returns the last bookmark of a trick.
    #[inline]
    pub(crate) fn get(&self, trick: TrickKey) -> Option<Bookmark> {
        let slot = &self.slots[trick.slot()];
        (slot.trick == trick).then_some(slot.bookmark)
    }

    /// Stores the bookmark of a trick.
    #[inline]
    pub(crate) fn remember(&mut self, trick: TrickKey, bookmark: Bookmark) {
        let number = trick.slot();
        let before = std::mem::replace(&mut self.slots[number], BookmarkSlot { trick, bookmark });
        self.before.push((number, before));
    }

    /// Returns the current moment, for [`forget_since`](Self::forget_since).
    pub(crate) fn now(&self) -> Moment {
        self.before.len()
    }

    /// Restores all slots to their contents at a moment.
    pub(crate) fn forget_since(&mut self, moment: Moment) {
        for (number, slot) in self.before.drain(moment..).rev() {
            self.slots[number] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bookmark(value: u8) -> Bookmark {
        Bookmark {
            at: Edge::leaf(value),
            taken: 1,
        }
    }

    fn trick(number: u64) -> TrickKey {
        TrickKey::new(7, number)
    }

    fn value(bookmarks: &Bookmarks, number: u64) -> Option<u8> {
        bookmarks
            .get(trick(number))
            .map(|bookmark| bookmark.at.lo())
    }

    #[test]
    fn after_a_split_the_places_are_those_from_before() {
        let mut bookmarks = Bookmarks::new();
        bookmarks.remember(trick(7), bookmark(1));
        let outer = bookmarks.now();
        bookmarks.remember(trick(7), bookmark(2));
        let inner = bookmarks.now();
        // More tricks than slots: each slot is written several times.
        for number in (8..).take(16 << SLOT_BITS) {
            bookmarks.remember(trick(number), bookmark(3));
        }
        assert_eq!(value(&bookmarks, 7 + (16 << SLOT_BITS)), Some(3));
        bookmarks.forget_since(inner);
        assert_eq!(
            (value(&bookmarks, 7), value(&bookmarks, 8)),
            (Some(2), None)
        );
        bookmarks.forget_since(outer);
        assert_eq!(value(&bookmarks, 7), Some(1));
        bookmarks.forget_since(0);
        assert_eq!(value(&bookmarks, 7), None);
    }
}
