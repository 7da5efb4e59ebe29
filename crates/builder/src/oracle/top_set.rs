//! Sets of endings in the builder's form: the owners of each suit's top cards, and x's below.

use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::partition::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;

use crate::oracle::abstract_trick::{HandMoves, KnownCards, card, x};

/// For each suit the owners of its top cards, in order, and the number of x's of each hand below
/// them.
///
/// This family of sets is closed under play: when each hand plays a known card
/// or an x, the endings that can follow form such a set one level down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopSet {
    /// The owners of the known cards.
    owners: PackedOwners,
    known: KnownCards,
    xs: [SuitLengths; 4],
    moves: HandMoves,
}

impl TopSet {
    /// All endings of a shape.
    pub(crate) fn everything(shape: Shape) -> TopSet {
        let mut set = TopSet::of_xs(shape.lengths);
        for suit in 0..4 {
            set.settle(suit);
        }
        set
    }

    /// Makes the set with these owners, known cards and x's (see the fields). No suit may have x's
    /// of only one hand.
    pub(crate) fn from_parts(
        owners: PackedOwners,
        known: KnownCards,
        xs: [SuitLengths; 4],
    ) -> TopSet {
        let mut set = TopSet::of_xs(xs);
        for suit in 0..4 {
            for rank in 0..(known >> (16 * suit)).trailing_ones() as usize {
                set.know(suit, owners.owner(suit, rank));
            }
        }
        set
    }

    /// Returns the set with one more card known: the next card of `suit` belongs to `owner`, who
    /// must have an x there.
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

    /// Returns the known cards: in each suit all from the top to some rank.
    #[inline]
    pub(crate) fn known(&self) -> KnownCards {
        self.known
    }

    /// The x's of a suit.
    #[inline]
    pub(crate) fn xs(&self, suit: usize) -> SuitLengths {
        self.xs[suit]
    }

    /// The moves of each hand.
    #[inline]
    pub(crate) fn moves(&self) -> &HandMoves {
        &self.moves
    }

    /// No known cards above these x's.
    fn of_xs(xs: [SuitLengths; 4]) -> TopSet {
        let mut moves = [0; 4];
        for (hand, moves) in moves.iter_mut().enumerate() {
            for suit in (0..4).filter(|&suit| xs[suit].length(hand) > 0) {
                *moves |= x(suit);
            }
        }
        TopSet {
            owners: PackedOwners::NONE,
            known: 0,
            xs,
            moves,
        }
    }

    /// Makes an x of `owner` the suit's next known card.
    fn push(&mut self, suit: usize, owner: usize) {
        self.know(suit, owner);
        self.xs[suit] = self.xs[suit].without_one(owner);
        if self.xs[suit].length(owner) == 0 {
            self.moves[owner] &= !x(suit);
        }
    }

    /// Adds a known card below those that the suit has.
    fn know(&mut self, suit: usize, owner: usize) {
        let rank = (self.known >> (16 * suit)).trailing_ones() as usize;
        if rank == 0 || self.owners.owner(suit, rank - 1) != owner {
            self.moves[owner] |= card(suit, rank);
        }
        self.owners.insert(suit, rank, owner);
        self.known |= card(suit, rank);
    }

    /// X's of a single hand are as good as known.
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
