//! All sets around one ending: for each suit, how many of its top cards are
//! known.

use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::suit_lengths::SuitLengths;

use super::permutation::Permutation;
use crate::oracle::abstract_trick::KnownCards;
use crate::oracle::top_set::TopSet;

/// The part of one suit in a set in which some of its top cards are known.
#[derive(Clone, Copy)]
struct Part {
    owners: u32,
    known: KnownCards,
    xs: SuitLengths,
}

/// The parts of all sets around an ending, from which each set is put together.
pub(crate) struct Surroundings {
    parts: [[Part; 14]; 4],
    totals: [u8; 4],
}

impl Surroundings {
    /// The sets around the ending with these suit lengths and permutations.
    pub(crate) fn new(lengths: [SuitLengths; 4], state: &[Permutation; 4]) -> Surroundings {
        let mut parts = [[Part {
            owners: 0,
            known: 0,
            xs: SuitLengths::EMPTY,
        }; 14]; 4];
        let totals = lengths.map(|suit_lengths| suit_lengths.total() as u8);
        for suit in 0..4 {
            let total = usize::from(totals[suit]);
            let mut part = Part {
                xs: lengths[suit],
                ..parts[suit][0]
            };
            parts[suit][0] = part;
            for place in 0..total {
                let owner = state[suit].owner(place);
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
                *part = all;
            }
        }
        Surroundings { parts, totals }
    }

    /// The cards of each suit.
    pub(crate) fn totals(&self) -> [u8; 4] {
        self.totals
    }

    /// The owners of all cards.
    pub(crate) fn owners(&self) -> PackedOwners {
        let whole = |suit: usize| self.parts[suit][usize::from(self.totals[suit])].owners;
        PackedOwners::from_words([0, 1, 2, 3].map(whole))
    }

    /// The x's of a suit if `known` of its top cards are known; none if they
    /// are all one hand's.
    pub(crate) fn xs(&self, suit: usize, known: u8) -> SuitLengths {
        self.parts[suit][usize::from(known)].xs
    }

    /// The set in which the `known` top cards of each suit are known.
    #[inline]
    pub(crate) fn set(&self, known: [u8; 4]) -> TopSet {
        let parts: [&Part; 4] =
            std::array::from_fn(|suit| &self.parts[suit][usize::from(known[suit])]);
        TopSet::from_parts(
            PackedOwners::from_words(parts.map(|part| part.owners)),
            parts.iter().fold(0, |cards, part| cards | part.known),
            parts.map(|part| part.xs),
        )
    }
}
