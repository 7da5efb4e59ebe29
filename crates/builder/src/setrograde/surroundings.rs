//! All sets around one ending: for each suit, how many of its top cards are
//! known.

use setrograde_endgame::card_order::{CardOrder, EVERYTHING, Key};
use setrograde_endgame::shape::Column;

use super::permutation::Permutation;
use crate::top_set::{Known, TopSet};

/// What one suit adds to a set that knows so many of its top cards.
#[derive(Clone, Copy)]
struct Part {
    key: Key,
    owners: u32,
    known: Known,
    xs: Column,
}

/// The parts of all sets around an ending, from which each set is put together.
pub(crate) struct Surroundings {
    parts: [[Part; 14]; 4],
    totals: [u8; 4],
}

impl Surroundings {
    pub(crate) fn new(order: &CardOrder, state: &[Permutation; 4]) -> Surroundings {
        let none = Part { key: EVERYTHING, owners: 0, known: 0, xs: Column::EMPTY };
        let mut parts = [[none; 14]; 4];
        let totals = order.columns().map(|column| column.total() as u8);
        for suit in 0..4 {
            let total = usize::from(totals[suit]);
            let mut part = Part { xs: order.columns()[suit], ..none };
            parts[suit][0] = part;
            for place in 0..total {
                let owner = state[suit].owner(place);
                part.key &= !((15 & !(1 << owner)) << (4 * order.at(suit, place)));
                part.owners |= (owner as u32) << (2 * place);
                part.known |= 1 << (16 * suit + place);
                part.xs = part.xs.without_one(owner);
                parts[suit][place + 1] = part;
            }
            // X's of one hand alone are as good as known.
            let all = parts[suit][total];
            for part in parts[suit][..total].iter_mut().rev() {
                if part.xs.holders() > 1 {
                    break;
                }
                *part = Part { key: part.key, ..all };
            }
        }
        Surroundings { parts, totals }
    }

    /// The cards of each suit.
    pub(crate) fn totals(&self) -> [u8; 4] {
        self.totals
    }

    /// The x's of a suit if so many of its top cards are known; none if they
    /// are all one hand's.
    pub(crate) fn xs(&self, suit: usize, known: u8) -> Column {
        self.parts[suit][usize::from(known)].xs
    }

    /// The set in which so many top cards are known.
    #[inline]
    pub(crate) fn set(&self, known: [u8; 4]) -> TopSet {
        let parts = self.parts_of(known);
        TopSet::from_parts(
            parts.map(|part| part.owners),
            parts.iter().fold(0, |cards, part| cards | part.known),
            parts.map(|part| part.xs),
        )
    }

    /// Its key.
    #[inline]
    pub(crate) fn key(&self, known: [u8; 4]) -> Key {
        self.parts_of(known).iter().fold(EVERYTHING, |key, part| key & part.key)
    }

    #[inline]
    fn parts_of(&self, known: [u8; 4]) -> [&Part; 4] {
        std::array::from_fn(|suit| &self.parts[suit][usize::from(known[suit])])
    }
}
