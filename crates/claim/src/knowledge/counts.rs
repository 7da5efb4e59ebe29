//! The number of layouts by suit lengths and by the hand of a card.

use std::collections::HashMap;

use setrograde_cards::Card;

use crate::knowledge::Knowledge;
use crate::knowledge::case::Hidden;
use crate::knowledge::layouts::{apart, weights};
use crate::lanes::{bit, count, each, suit_of, union};

/// Numbers of layouts by the length of one suit in the first hidden hand.
type ByLength = [u64; 14];

/// The layouts of some [`Knowledge`], counted once for every subject of an assumption.
pub(crate) struct Counts {
    /// By two suits and their lengths in the first hidden hand.
    lengths: Box<[[[ByLength; 14]; 4]; 4]>,
    /// The layouts in which the first hidden hand has a card, by its bit, then by suit and length.
    holds: HashMap<u64, [ByLength; 4]>,
    /// All layouts.
    pub all: u64,
}

impl Counts {
    pub(crate) fn new(knowledge: &Knowledge) -> Counts {
        let state = knowledge.state();
        let (unseen, cards) = (state.unseen, state.cards);
        let mut counts = Counts {
            lengths: Box::new([[[[0; 14]; 14]; 4]; 4]),
            holds: each(unseen).map(|card| (card, [[0; 14]; 4])).collect(),
            all: 0,
        };
        for case in apart(&state.cases, unseen, cards) {
            let open = unseen & !union(case.pinned);
            for (lengths, ways) in weights(case, unseen, cards) {
                let length = lengths.map(usize::from);
                counts.all += ways;
                for first in 0..4 {
                    for second in 0..4 {
                        counts.lengths[first][second][length[first]][length[second]] += ways;
                    }
                }
                for (&card, holds) in &mut counts.holds {
                    let suit = suit_of(card);
                    let held = if case.pinned[0] & card != 0 {
                        ways
                    } else if case.pinned[1] & card != 0 {
                        0
                    } else {
                        let wanted = lengths[suit] - count(case.pinned[0], suit);
                        ways * u64::from(wanted) / u64::from(count(open, suit))
                    };
                    for suit in 0..4 {
                        holds[suit][length[suit]] += held;
                    }
                }
            }
        }
        counts
    }

    /// The layouts in which the first hidden hand has `length` cards of a suit, and a card is
    /// in one of the hands.
    pub(crate) fn of(&self, card: Option<(Hidden, Card)>, suit: usize, length: usize) -> u64 {
        let all = self.lengths[suit][suit][length][length];
        match card {
            None => all,
            Some((hand, card)) => {
                let first = self.holds[&bit(card)][suit][length];
                match hand {
                    Hidden::First => first,
                    Hidden::Second => all - first,
                }
            }
        }
    }

    /// The layouts in which the first hidden hand has given lengths in two suits.
    pub(crate) fn of_two(&self, suits: [usize; 2], lengths: [u8; 2]) -> u64 {
        let [first, second] = lengths.map(usize::from);
        self.lengths[suits[0]][suits[1]][first][second]
    }
}
