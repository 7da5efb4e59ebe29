//! Iteration over independent endings: the open list.
//!
//! An entry of the list is a range of endings, given by the first of them. When a set that contains
//! this ending is found, the rest of the range splits into up to four ranges, one for each suit:
//! its known cards advance to their next permutation, and its x's return to their first. The ranges
//! are disjoint, because each keeps the known cards of the suits before its own. Every ending is
//! therefore generated exactly once.
//!
//! "Setrograde analysis" (2024), sections 3.4 and 9.1.

use std::collections::BinaryHeap;

use setrograde_endgame::suit_lengths::SuitLengths;

/// The endings whose permutations of each suit come no earlier than those of
/// `state` and agree with them in the topmost `kept` cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OpenRange {
    pub(crate) state: [Permutation; 4],
    kept: [u8; 4],
}

/// The ranges that are still to be covered. The one nearest the end of the
/// canonical order comes first: that keeps the list short.
#[derive(Debug, Default)]
pub(crate) struct OpenList {
    heap: BinaryHeap<OpenRange>,
    totals: [u8; 4],
    /// Number of endings ever put on the list.
    pub(crate) generated: u64,
    /// Maximum number of entries at a time.
    pub(crate) longest: u64,
}

impl OpenList {
    /// Starts with all endings of a partition.
    pub(crate) fn start(&mut self, lengths: [SuitLengths; 4]) {
        self.heap.clear();
        self.totals = lengths.map(|suit_lengths| suit_lengths.total() as u8);
        self.push(OpenRange {
            state: lengths.map(Permutation::first),
            kept: [0; 4],
        });
    }

    pub(crate) fn pop(&mut self) -> Option<OpenRange> {
        self.heap.pop()
    }

    /// Puts on the list the rest of `open` without the endings that share `known` top cards of each
    /// suit with its first one.
    pub(crate) fn push_rest(&mut self, open: OpenRange, known: [u8; 4]) {
        let mut kept = open.kept;
        for suit in 0..4 {
            let next = open.state[suit].after(
                usize::from(known[suit]),
                usize::from(kept[suit]),
                usize::from(self.totals[suit]),
            );
            if let Some(next) = next {
                let mut state = open.state;
                state[suit] = next;
                self.push(OpenRange { state, kept });
            }
            // The endings that differ in this suit are covered.
            kept[suit] = kept[suit].max(known[suit]);
        }
    }

    fn push(&mut self, open: OpenRange) {
        self.heap.push(open);
        self.generated += 1;
        self.longest = self.longest.max(self.heap.len() as u64);
    }
}

/// The hands (0 is the leader) in the order North, South, East, West.
const HANDS: [u8; 4] = [3, 1, 0, 2];
/// The index of each hand in that order.
const RANKS: [u8; 4] = [2, 1, 3, 0];

/// One permutation of a suit: for each card the index of its owner in the order of hands, two bits
/// each, the top card's highest, so permutations of one suit compare as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Permutation(u32);

impl Permutation {
    /// The first permutation of a suit with these lengths.
    pub(crate) fn first(suit_lengths: SuitLengths) -> Permutation {
        let mut permutation = Permutation::default();
        let mut index = 0;
        for hand in HANDS {
            for _ in 0..suit_lengths.length(usize::from(hand)) {
                permutation.0 |= u32::from(RANKS[usize::from(hand)]) << shift(index);
                index += 1;
            }
        }
        permutation
    }

    /// Returns the hand (0..=3) that owns the card at an index from the top.
    #[inline]
    pub(crate) fn owner(self, index: usize) -> usize {
        usize::from(HANDS[(self.0 >> shift(index)) as usize & 3])
    }

    /// The first permutation after all those that share this one's `known` top
    /// cards; it must itself share the topmost `kept`. `None` if there is none.
    /// The suit has `total` cards.
    pub(crate) fn after(self, known: usize, kept: usize, total: usize) -> Option<Permutation> {
        // The number of cards of each rank below the card in question.
        let mut below = [0u8; 4];
        for index in known..total {
            below[self.rank(index)] += 1;
        }
        for index in (kept..known).rev() {
            let rank = self.rank(index);
            if let Some(next) = (rank + 1..4).find(|&next| below[next] > 0) {
                below[rank] += 1;
                below[next] -= 1;
                let above = u32::MAX.checked_shl(shift(index) + 2).unwrap_or(0);
                let mut bits = self.0 & above | (next as u32) << shift(index);
                let mut index = index + 1;
                for (rank, &count) in below.iter().enumerate() {
                    for _ in 0..count {
                        bits |= (rank as u32) << shift(index);
                        index += 1;
                    }
                }
                return Some(Permutation(bits));
            }
            below[rank] += 1;
        }
        None
    }

    #[inline]
    fn rank(self, index: usize) -> usize {
        (self.0 >> shift(index)) as usize & 3
    }
}

/// Returns the lowest bit of the owner of the card at an index.
#[inline]
fn shift(index: usize) -> u32 {
    30 - 2 * index as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn names(permutation: Permutation, total: usize) -> String {
        (0..total)
            .map(|index| ['E', 'S', 'W', 'N'][permutation.owner(index)])
            .collect()
    }

    #[test]
    fn all_permutations_come_once_and_in_order() {
        let suit_lengths = SuitLengths::new([2, 1, 0, 3]);
        let mut at = Permutation::first(suit_lengths);
        let mut count = 1;
        while let Some(next) = at.after(6, 0, 6) {
            assert!(next > at);
            at = next;
            count += 1;
        }
        assert_eq!(count, 60);
        assert_eq!(names(at, 6), "EESNNN");
    }

    #[test]
    fn xs_go_back_to_their_first_permutation() {
        let first = Permutation::first(SuitLengths::new([2; 4]));
        let next = first.after(2, 0, 8);
        assert_eq!(next.map(|next| names(next, 8)).as_deref(), Some("NSNSEEWW"));
        assert_eq!(first.after(2, 2, 8), None);
        let kept = next.and_then(|next| next.after(2, 1, 8));
        assert_eq!(kept.map(|next| names(next, 8)).as_deref(), Some("NENSSEWW"));
    }

    #[test]
    fn ranges_and_sets_part_the_endings() {
        let lengths = [[1, 1, 2, 0], [1, 0, 0, 2], [0, 1, 0, 0], [0; 4]].map(SuitLengths::new);
        let mut list = OpenList::default();
        list.start(lengths);
        // Nothing is generalized: every ending is generated once.
        let mut covered = HashMap::new();
        while let Some(open) = list.pop() {
            assert_eq!(covered.insert(open.state, 0), None);
            list.push_rest(open, lengths.map(|suit_lengths| suit_lengths.total() as u8));
        }
        assert_eq!(covered.len(), 12 * 3);
        // Sets with one or two known cards at random. Each ending must be in the set of exactly one
        // range.
        list.start(lengths);
        let mut step = 0;
        while let Some(open) = list.pop() {
            let known = [1 + step % 2, step % 3, 0, 0];
            step += 1;
            for (ending, covered) in &mut covered {
                let holds = (0..4).all(|suit| {
                    let same = |index| ending[suit].owner(index) == open.state[suit].owner(index);
                    ending[suit] >= open.state[suit]
                        && (0..usize::from(known[suit].max(open.kept[suit]))).all(same)
                });
                *covered += u32::from(holds);
            }
            list.push_rest(open, known);
        }
        assert!(covered.into_values().all(|count| count == 1));
    }
}
