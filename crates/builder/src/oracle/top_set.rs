//! Sets of endings as builders use them: the owners of each suit's top cards, and
//! x's below.

use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::shape::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;

/// Known cards as a bit set: bit `16 * suit + place`, where place 0 is the
/// suit's top card.
pub(crate) type KnownCards = u64;

/// For each suit the owners of its top cards, in order, and how many x's each
/// hand holds below them.
///
/// This family of sets is closed under play: when each hand plays a known card
/// or an x, the endings that can follow form such a set one level down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopSet {
    /// The owners of the known cards.
    owners: PackedOwners,
    known: KnownCards,
    xs: [SuitLengths; 4],
}

impl TopSet {
    /// All endings of a shape.
    pub(crate) fn everything(shape: Shape) -> TopSet {
        let mut set = TopSet {
            owners: PackedOwners::NONE,
            known: 0,
            xs: shape.lengths,
        };
        for suit in 0..4 {
            set.settle(suit);
        }
        set
    }

    /// The set with these owners, known cards and x's (see the fields), in
    /// which no suit has x's of one hand alone.
    #[inline]
    pub(crate) fn from_parts(
        owners: PackedOwners,
        known: KnownCards,
        xs: [SuitLengths; 4],
    ) -> TopSet {
        TopSet { owners, known, xs }
    }

    /// The same set with one more card known: the next card of `suit` belongs
    /// to `owner`, who must hold an x there.
    pub(crate) fn with(mut self, suit: usize, owner: usize) -> TopSet {
        self.push(suit, owner);
        self.settle(suit);
        self
    }

    /// The owners of each suit's known cards.
    #[inline]
    pub(crate) fn owners(&self) -> &PackedOwners {
        &self.owners
    }

    /// The cards that are known: in each suit all from the top to some place.
    #[inline]
    pub(crate) fn known(&self) -> KnownCards {
        self.known
    }

    /// The x's of a suit.
    #[inline]
    pub(crate) fn xs(&self, suit: usize) -> SuitLengths {
        self.xs[suit]
    }

    fn push(&mut self, suit: usize, owner: usize) {
        let place = (self.known >> (16 * suit)).trailing_ones();
        self.owners.insert(suit, place as usize, owner);
        self.known |= 1 << (16 * suit as u32 + place);
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
