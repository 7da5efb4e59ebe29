//! The list of moves of one position, the most promising first.

use crate::lanes::{highest, suit_mask};

/// Moves with their weights, at most one for each card of a hand.
///
/// Most nodes need only one move, so the best one is picked on demand and the rest is never sorted.
/// A move is a number of 16 bits, the weight above the card's bit number, and the list has a fixed
/// length, so a few vector instructions find the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    list: [i16; 16],
    len: usize,
}

/// Marks an empty slot.
const NONE: i16 = i16::MIN;

/// Weights beyond this are clamped.
const LIMIT: i32 = 500;

impl Moves {
    #[inline]
    pub(crate) const fn new() -> Moves {
        Moves {
            list: [NONE; 16],
            len: 0,
        }
    }

    /// Returns the number of moves in the list.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Adds a move: the highest of a run of equivalent cards.
    #[inline]
    pub(crate) fn push(&mut self, card: u64, weight: i32) {
        let index = (card | 1).ilog2() as i16;
        self.list[self.len & 15] = weight.clamp(-LIMIT, LIMIT) as i16 * 64 + index;
        self.len += 1;
    }

    /// Makes a move heavier.
    #[inline]
    pub(crate) fn add_weight(&mut self, index: usize, weight: i32) {
        let slot = &mut self.list[index & 15];
        *slot = slot.saturating_add(weight as i16 * 64) & !63 | *slot & 63;
    }

    /// Takes out the heaviest move; of equal ones the one with the higher bit.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<u64> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        let last = self.len & 15;
        let mut best = self.list[last];
        let mut at = last;
        for index in 0..last {
            if self.list[index] > best {
                best = self.list[index];
                at = index;
            }
        }
        self.list[at] = self.list[last];
        Some(1 << (best & 63))
    }
}

// Runs of equivalent cards: those of one hand with no card of another hand
// between them. One move a run is enough.

/// The highest card of each run of equivalent cards of one suit, high to low:
/// cards of `hand` with no card of `others` between them.
#[inline]
pub(crate) fn for_each_run(hand: u64, others: u64, mut each: impl FnMut(u64)) {
    let mut left = hand;
    while left != 0 {
        let top = highest(left);
        each(top);
        let below = others & (top - 1);
        if below == 0 {
            return;
        }
        left &= highest(below) - 1;
    }
}

/// The lowest card that a run-winning `card` represents if no lower card of the hand's suit is its
/// own move, and otherwise `card`.
///
/// `held` are the hand's cards of the suit, `card` among them, and `all` the
/// cards of all hands at the start of the trick.
#[inline]
pub(crate) fn lowest_of_last_run(card: u64, held: u64, all: u64, suit: usize) -> u64 {
    let low = held & held.wrapping_neg();
    let between = (card - 1) & !(low - 1) & all & suit_mask(suit) & !held;
    if between == 0 { low } else { card }
}

/// Returns true if the cards of a hand, not none, are one run.
#[inline]
pub(crate) fn is_one_run(hand: u64, others: u64) -> bool {
    let low = hand & hand.wrapping_neg();
    others & (highest(hand) - low) == 0
}

/// The highest card of the run that `card`, one of `hand`, is in.
#[inline]
pub(crate) fn top_of_run(card: u64, hand: u64, others: u64) -> u64 {
    let above = others & !(2 * card - 1);
    let below = above & above.wrapping_neg();
    highest(hand & below.wrapping_sub(1))
}

/// Returns true if the next lower card of the suit that is in play is the hand's too.
#[inline]
pub(crate) fn has_equal(own: u64, others: u64, card: u64) -> bool {
    let below = card - 1;
    let mine = own & below;
    mine != 0 && mine > others & below
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(hand: u64, others: u64) -> Vec<u64> {
        let mut found = Vec::new();
        for_each_run(hand, others, |card| found.push(card));
        found
    }

    #[test]
    fn runs_are_parted_by_other_hands_only() {
        assert_eq!(runs(0b1101_1000, 0b0010_0100), [0b1000_0000, 0b0001_0000]);
        // A gap whose cards are all played does not split a run.
        assert_eq!(runs(0b1010_1001, 0), [0b1000_0000]);
        assert_eq!(runs(0, 0b11), Vec::<u64>::new());
    }

    #[test]
    fn one_run_or_more() {
        assert!(is_one_run(0b1010_1000, 0b0100));
        assert!(is_one_run(0b1000, 0b1_0100));
        assert!(!is_one_run(0b1001, 0b0100));
    }

    #[test]
    fn every_card_is_in_the_run_of_its_top() {
        let (hand, others) = (0b1101_1000, 0b0010_0100);
        for (card, top) in [(7, 7), (6, 7), (4, 4), (3, 4)] {
            assert_eq!(top_of_run(1 << card, hand, others), 1 << top);
        }
    }

    #[test]
    fn only_the_last_run_stands_for_its_lowest_card() {
        assert_eq!(lowest_of_last_run(0b1000, 0b1100, 0b1111, 0), 0b100);
        assert_eq!(lowest_of_last_run(0b1000, 0b1101, 0b1111, 0), 0b1000);
    }
}
