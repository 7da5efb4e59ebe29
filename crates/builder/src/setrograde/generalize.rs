//! From one ending to a consistent set with as many x's as possible.
//!
//! "Setrograde analysis" (2024), sections 5 and 9.1: a binary search on the
//! number of x's in each suit, nested over the suits.

use setrograde_endgame::owners::PackedOwners;
use setrograde_endgame::suit_lengths::SuitLengths;

use crate::oracle::abstract_trick::KnownCards;
use crate::oracle::top_set::TopSet;
use crate::setrograde::iteration::Permutation;

/// The search for the best set around one ending.
pub(crate) struct Generalization<'a, C> {
    totals: [u8; 4],
    /// Numbers of x's that make a consistent set, and numbers that do not.
    consistent: Vec<UnknownCounts>,
    inconsistent: &'a mut Vec<UnknownCounts>,
    is_consistent: C,
    /// The consistent numbers with the largest total so far, the paper's measure.
    best: UnknownCounts,
}

impl<'a, C: FnMut([u8; 4]) -> bool> Generalization<'a, C> {
    /// Makes a search around an ending. `inconsistent` has numbers of x's that make no consistent
    /// set; `is_consistent` returns true if the set with these numbers of known top cards has one
    /// value.
    pub(crate) fn new(
        around: &Surroundings,
        inconsistent: &'a mut Vec<UnknownCounts>,
        is_consistent: C,
    ) -> Generalization<'a, C> {
        let totals = around.totals();
        // X's that only one hand can own are effectively known and cost nothing.
        let mut free = [0; 4];
        for suit in 0..4 {
            for count in 0..=totals[suit] {
                let xs = around.xs(suit, totals[suit] - count);
                if xs.holders() <= 1 {
                    free[suit] = count;
                }
            }
        }
        Generalization {
            totals,
            consistent: vec![UnknownCounts::of(free)],
            inconsistent,
            is_consistent,
            best: UnknownCounts::of(free),
        }
    }

    /// Returns the number of top cards of each suit that are known in the best set.
    pub(crate) fn run(mut self, guess: [u8; 4]) -> [u8; 4] {
        self.test(UnknownCounts::of(std::array::from_fn(|suit| {
            self.totals[suit] - guess[suit]
        })));
        self.nested(4, UnknownCounts::of([0; 4]));
        self.known(self.best)
    }

    fn known(&self, xs: UnknownCounts) -> [u8; 4] {
        let xs = xs.counts();
        std::array::from_fn(|suit| self.totals[suit] - xs[suit])
    }

    /// Searches the numbers of x's of the first `suits` suits; the remaining suits are fixed.
    /// Returns true if it found a consistent set.
    fn nested(&mut self, suits: usize, xs: UnknownCounts) -> bool {
        let Some(suit) = suits.checked_sub(1) else {
            return self.test(xs);
        };
        let (mut low, mut high) = (self.totals[suit].min(1), self.totals[suit]);
        let mut found = false;
        while low <= high {
            let middle = (low + high).div_ceil(2);
            if self.nested(suit, xs.with(suit, middle)) {
                found = true;
                low = middle + 1;
            } else if middle == 0 {
                break;
            } else {
                high = middle - 1;
            }
        }
        found
    }

    fn test(&mut self, xs: UnknownCounts) -> bool {
        if self.inconsistent.iter().any(|known| known.is_within(xs)) {
            return false;
        }
        if !self.consistent.iter().any(|known| xs.is_within(*known)) {
            let known = self.known(xs);
            if !(self.is_consistent)(known) {
                self.inconsistent.push(xs);
                return false;
            }
            self.consistent.push(xs);
        }
        if xs.total() > self.best.total() {
            self.best = xs;
        }
        true
    }
}

/// One suit of a set in which some top cards of the suit are known.
#[derive(Clone, Copy)]
struct SuitPart {
    owners: u32,
    known: KnownCards,
    xs: SuitLengths,
}

/// The parts of all sets around an ending, from which each set is put together.
pub(crate) struct Surroundings {
    parts: [[SuitPart; 14]; 4],
    totals: [u8; 4],
}

impl Surroundings {
    /// The sets around the ending with these suit lengths and permutations.
    pub(crate) fn new(lengths: [SuitLengths; 4], state: &[Permutation; 4]) -> Surroundings {
        let mut parts = [[SuitPart {
            owners: 0,
            known: 0,
            xs: SuitLengths::EMPTY,
        }; 14]; 4];
        let totals = lengths.map(|suit_lengths| suit_lengths.total() as u8);
        for suit in 0..4 {
            let total = usize::from(totals[suit]);
            let mut part = SuitPart {
                xs: lengths[suit],
                ..parts[suit][0]
            };
            parts[suit][0] = part;
            for index in 0..total {
                let owner = state[suit].owner(index);
                part.owners |= (owner as u32) << (2 * index);
                part.known |= 1 << (16 * suit + index);
                part.xs = part.xs.without_one(owner);
                parts[suit][index + 1] = part;
            }
            // X's of a single hand are as good as known.
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

    /// Returns the x's of a suit if `known` of its top cards are known; none if they all belong to
    /// one hand.
    pub(crate) fn xs(&self, suit: usize, known: u8) -> SuitLengths {
        self.parts[suit][usize::from(known)].xs
    }

    /// The set in which the `known` top cards of each suit are known.
    #[inline]
    pub(crate) fn set(&self, known: [u8; 4]) -> TopSet {
        let parts: [&SuitPart; 4] =
            std::array::from_fn(|suit| &self.parts[suit][usize::from(known[suit])]);
        TopSet::from_parts(
            PackedOwners::from_words(parts.map(|part| part.owners)),
            parts.iter().fold(0, |cards, part| cards | part.known),
            parts.map(|part| part.xs),
        )
    }
}

/// The number of x's of a set in each suit, one byte a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownCounts(u32);

/// The top bit of every byte.
const TOPS: u32 = 0x8080_8080;

impl UnknownCounts {
    pub(crate) fn of(counts: [u8; 4]) -> UnknownCounts {
        UnknownCounts(u32::from_le_bytes(counts))
    }

    pub(crate) fn counts(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    fn total(self) -> u32 {
        self.counts().into_iter().map(u32::from).sum()
    }

    /// Returns the numbers with another one for a suit.
    #[inline]
    pub(crate) fn with(self, suit: usize, count: u8) -> UnknownCounts {
        UnknownCounts(self.0 & !(255 << (8 * suit)) | u32::from(count) << (8 * suit))
    }

    /// Returns true if there are at most as many x's as in `other`, suit by suit.
    #[inline]
    pub(crate) fn is_within(self, other: UnknownCounts) -> bool {
        // Numbers are below 128, so no byte borrows from the next.
        ((other.0 | TOPS) - self.0) & TOPS == TOPS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_is_suit_by_suit() {
        let xs = UnknownCounts::of([1, 0, 13, 4]);
        assert_eq!(xs.with(1, 2).counts(), [1, 2, 13, 4]);
        assert!(xs.is_within(xs));
        assert!(xs.is_within(xs.with(3, 5)));
        assert!(!xs.is_within(xs.with(3, 3)));
        assert!(!xs.with(0, 2).is_within(xs.with(3, 5)));
    }
}
