//! Endings that share their lengths and their top cards.

use setrograde_cards::{Sorting, Suit};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::owners::TopCards;

/// An ending's cards, of which the low ones may change their owners.
pub(crate) struct Alike {
    ending: Ending,
    /// By suit, the owners of its cards from the top.
    owners: [Vec<u8>; 4],
    /// By suit, the number of top cards that stay.
    known: [usize; 4],
}

impl Alike {
    /// The ending itself, whose `known` cards stay.
    pub(crate) fn new(ending: &Ending, known: [usize; 4]) -> Alike {
        let owners = Suit::ALL.map(|suit| {
            let owners = (0..).map_while(|nth| ending.owner(suit, nth));
            owners.map(|seat| seat.index() as u8).collect()
        });
        Alike {
            ending: *ending,
            owners,
            known,
        }
    }

    /// The cards of a suit that may change their owners.
    fn low(&mut self, suit: usize) -> &mut [u8] {
        let owners = &mut self.owners[suit];
        let known = self.known[suit].min(owners.len());
        &mut owners[known..]
    }

    /// Goes to the first of all endings.
    pub(crate) fn rewind(&mut self) {
        (0..4).for_each(|suit| self.low(suit).in_any_order_by(Ord::cmp));
    }

    /// Goes to the next ending; returns false after the last, and is at the first again.
    pub(crate) fn advance(&mut self) -> bool {
        (0..4).any(|suit| next_order(self.low(suit)))
    }

    /// Goes to an ending at random; `random` returns a number below its argument.
    pub(crate) fn shuffle(&mut self, random: &mut impl FnMut(usize) -> usize) {
        for suit in 0..4 {
            let low = self.low(suit);
            for last in (1..low.len()).rev() {
                low.swap(last, random(last + 1));
            }
        }
    }

    /// The ending.
    pub(crate) fn ending(&self) -> Ending {
        let [s, h, d, c] = &self.owners;
        let ending = Ending::new(self.ending.strain(), self.ending.leader(), [s, h, d, c]);
        ending.expect("an ending's cards keep the lengths of its hands")
    }

    /// Returns the suit and the index, from the top of the suit, of the highest card with different
    /// owners in `self` and `other`; the first suit if indices are equal.
    pub(crate) fn difference(&self, other: &Alike) -> Option<(usize, usize)> {
        let indices = (0..4).filter_map(|suit| {
            let mut both = self.owners[suit].iter().zip(&other.owners[suit]);
            Some((suit, both.position(|(mine, theirs)| mine != theirs)?))
        });
        indices.min_by_key(|&(suit, nth)| (nth - self.known[suit].min(nth), nth))
    }
}

/// The counts of top cards as [`TopCards`].
pub(crate) fn top_cards(known: [usize; 4]) -> TopCards {
    TopCards::new(known.map(|cards| cards as u8))
}

/// Puts the items into the next order; after the last into the first, and returns false.
fn next_order(items: &mut [u8]) -> bool {
    let rising = |at: &usize| items[*at] < items[*at + 1];
    let Some(at) = (0..items.len().saturating_sub(1)).rev().find(rising) else {
        items.reverse();
        return false;
    };
    let larger = items.iter().rposition(|&item| item > items[at]);
    items.swap(at, larger.expect("the next one is larger"));
    items[at + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_endings_are_visited_once() {
        let position = "NT S N:AT9... 8.AK.. 7.Q.A. KQ6...".parse().unwrap();
        let ending = Ending::from_position(&position).unwrap();
        let endings = |known| {
            let mut alike = Alike::new(&ending, known);
            alike.rewind();
            let mut found = vec![alike.ending()];
            while alike.advance() {
                found.push(alike.ending());
            }
            let different: HashSet<Ending> = found.iter().copied().collect();
            assert_eq!(different.len(), found.len());
            assert!(different.contains(&ending));
            found.len()
        };
        // Eight spades 3-1-1-3, three hearts 2-1.
        assert_eq!(endings([8, 3, 1, 0]), 1);
        assert_eq!(endings([8, 0, 0, 0]), 3);
        assert_eq!(endings([0, 3, 0, 0]), 1_120);
        assert_eq!(endings([6, 0, 0, 0]), 6);
        let (mut one, mut other) = (
            Alike::new(&ending, [2, 0, 0, 0]),
            Alike::new(&ending, [2; 4]),
        );
        assert_eq!(one.difference(&other), None);
        other.rewind();
        assert_eq!(one.difference(&other), Some((0, 2)));
        one.shuffle(&mut |_| 0);
        assert_eq!(
            one.ending().lengths(Suit::Spades),
            ending.lengths(Suit::Spades)
        );
    }
}
