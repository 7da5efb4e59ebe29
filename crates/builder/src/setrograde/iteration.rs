//! Iteration over independent endings: the open list.
//!
//! An entry of the list stands for a range of endings by the first of them.
//! When a set that holds this ending is known, the rest of the range falls into
//! up to four ranges, one for each suit: its known cards go on to their next
//! permutation and its x's back to their first. The ranges have no ending in
//! common: those after the first keep what the set knows of the suits before
//! them. So nothing is generated twice, and nothing is left out.
//!
//! "Setrograde analysis" (2024), sections 3.4 and 9.1.

use std::collections::BinaryHeap;

use setrograde_endgame::suit_lengths::SuitLengths;

use super::permutation::Permutation;

/// The endings whose permutations of each suit come no earlier than those of
/// `state` and agree with them in the topmost `kept` cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Open {
    pub(crate) state: [Permutation; 4],
    kept: [u8; 4],
}

/// The ranges that are still to be covered. The one nearest the end of the
/// canonical order comes first: that keeps the list short.
#[derive(Debug, Default)]
pub(crate) struct OpenList {
    heap: BinaryHeap<Open>,
    totals: [u8; 4],
    /// Endings that were ever put on the list.
    pub(crate) generated: u64,
    /// The most entries at a time.
    pub(crate) longest: u64,
}

impl OpenList {
    /// Starts with all endings of a partition.
    pub(crate) fn start(&mut self, lengths: [SuitLengths; 4]) {
        self.heap.clear();
        self.totals = lengths.map(|suit_lengths| suit_lengths.total() as u8);
        self.push(Open {
            state: lengths.map(Permutation::first),
            kept: [0; 4],
        });
    }

    pub(crate) fn pop(&mut self) -> Option<Open> {
        self.heap.pop()
    }

    /// Puts on the list what is left of `open` when the endings that share so
    /// many top cards of each suit with its first one are taken away.
    pub(crate) fn push_rest(&mut self, open: Open, known: [u8; 4]) {
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
                self.push(Open { state, kept });
            }
            // What differs in this suit is taken care of.
            kept[suit] = kept[suit].max(known[suit]);
        }
    }

    fn push(&mut self, open: Open) {
        self.heap.push(open);
        self.generated += 1;
        self.longest = self.longest.max(self.heap.len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_ending_is_generated_once_if_nothing_is_generalized() {
        let lengths = [[1, 1, 2, 0], [1, 0, 0, 2], [0, 1, 0, 0], [0; 4]].map(SuitLengths::new);
        let mut list = OpenList::default();
        list.start(lengths);
        let mut seen = HashSet::new();
        while let Some(open) = list.pop() {
            assert!(seen.insert(open.state));
            list.push_rest(open, lengths.map(|suit_lengths| suit_lengths.total() as u8));
        }
        assert_eq!(seen.len(), 12 * 3);
    }

    #[test]
    fn ranges_and_sets_part_the_endings() {
        let lengths = [[1, 1, 2, 0], [1, 0, 0, 2], [0, 1, 0, 0], [0; 4]].map(SuitLengths::new);
        let mut all = OpenList::default();
        all.start(lengths);
        let mut endings = Vec::new();
        while let Some(open) = all.pop() {
            endings.push(open.state);
            all.push_rest(open, lengths.map(|suit_lengths| suit_lengths.total() as u8));
        }
        // Sets that know one or two cards, as it comes; each ending must be in
        // the set of exactly one range.
        let mut list = OpenList::default();
        list.start(lengths);
        let mut covered = vec![0; endings.len()];
        let mut step = 0;
        while let Some(open) = list.pop() {
            let known = [1 + step % 2, step % 3, 0, 0];
            step += 1;
            for (ending, covered) in endings.iter().zip(&mut covered) {
                let holds = (0..4).all(|suit| {
                    let same = |place| ending[suit].owner(place) == open.state[suit].owner(place);
                    ending[suit] >= open.state[suit]
                        && (0..usize::from(known[suit].max(open.kept[suit]))).all(same)
                });
                *covered += u32::from(holds);
            }
            list.push_rest(open, known);
        }
        assert_eq!(covered, vec![1; endings.len()]);
    }
}
