//! One case of the knowledge about the unseen cards, and how play changes it.

use crate::lanes::{count, lane, suit_of, top, union};

/// One of the hidden hands, clockwise from North.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Hidden {
    First,
    Second,
}

impl Hidden {
    pub(crate) const BOTH: [Hidden; 2] = [Hidden::First, Hidden::Second];

    /// The index in arrays of two: 0 or 1.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    #[inline]
    pub(crate) const fn other(self) -> Hidden {
        match self {
            Hidden::First => Hidden::Second,
            Hidden::Second => Hidden::First,
        }
    }
}

/// Cards known to be in one of the hidden hands, and the lengths that the
/// first of them may have. Everything else about the unseen cards is open.
///
/// A case is *normal* if its lengths are tight, and every card that all its layouts put in one hand
/// is pinned. Normal cases are equal if and only if they have the same layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Case {
    /// The cards that the first and the second hidden hand are known to hold.
    pub pinned: [u64; 2],
    /// The lengths that the first hidden hand may have, its pinned cards included.
    pub lengths: Lengths,
}

impl Case {
    /// The case without any knowledge.
    pub(crate) fn open(unseen: u64) -> Case {
        Case {
            pinned: [0, 0],
            lengths: Lengths {
                lo: [0; 4],
                hi: std::array::from_fn(|suit| count(unseen, suit)),
            },
        }
    }

    /// The case of one layout, as the cards of the two hidden hands.
    pub(crate) fn of_layout(hands: [u64; 2]) -> Case {
        let lengths = std::array::from_fn(|suit| count(hands[0], suit));
        Case {
            pinned: hands,
            lengths: Lengths {
                lo: lengths,
                hi: lengths,
            },
        }
    }

    /// The same case with `card` in one of the hands, which has no other pinned cards.
    pub(crate) fn holding(mut self, hand: Hidden, card: u64) -> Case {
        self.pinned[hand.index()] = card;
        self
    }

    /// The same case with other lengths of a suit; not tight.
    pub(crate) fn with_lengths(mut self, suit: usize, (least, most): (u8, u8)) -> Case {
        self.lengths.lo[suit] = least;
        self.lengths.hi[suit] = most;
        self
    }

    /// The layouts of both cases, as a case that is not normal.
    pub(crate) fn and(&self, other: &Case) -> Case {
        Case {
            pinned: [0, 1].map(|who| self.pinned[who] | other.pinned[who]),
            lengths: self.lengths.intersection(&other.lengths),
        }
    }

    /// Returns true if a normal case has one layout only: all cards are pinned.
    pub(crate) fn is_one_layout(&self) -> bool {
        let held: u32 = self
            .lengths
            .lo
            .iter()
            .map(|&length| u32::from(length))
            .sum();
        self.lengths.lo == self.lengths.hi && self.pinned[0].count_ones() == held
    }

    /// The normal form, if the case has a layout. `unseen` are the unseen cards and `cards` is the
    /// length of the first hidden hand.
    #[inline]
    pub(crate) fn normal(mut self, unseen: u64, cards: u8) -> Option<Case> {
        if self.pinned[0] & self.pinned[1] != 0 {
            return None;
        }
        for suit in 0..4 {
            let pinned = self.pinned.map(|pinned| count(pinned, suit));
            let most = count(unseen, suit) - pinned[1];
            self.lengths.lo[suit] = self.lengths.lo[suit].max(pinned[0]);
            self.lengths.hi[suit] = self.lengths.hi[suit].min(most);
        }
        self.lengths = self.lengths.tightened(cards)?;
        for suit in 0..4 {
            let (lo, hi) = (self.lengths.lo[suit], self.lengths.hi[suit]);
            if lo == hi {
                let all = unseen & lane(suit);
                let rest = all & !union(self.pinned);
                if lo == count(self.pinned[0], suit) {
                    self.pinned[1] |= rest;
                } else if lo == count(all & !self.pinned[1], suit) {
                    self.pinned[0] |= rest;
                }
            }
        }
        Some(self)
    }

    /// Returns the maximum number of cards of `suit` that a hidden hand may hold.
    #[inline]
    pub(crate) fn most(&self, hand: Hidden, suit: usize, unseen: u64) -> u8 {
        match hand {
            Hidden::First => self.lengths.hi[suit],
            Hidden::Second => count(unseen, suit) - self.lengths.lo[suit],
        }
    }

    /// Returns the minimum number of cards of `suit` in a hidden hand.
    #[inline]
    pub(crate) fn least(&self, hand: Hidden, suit: usize, unseen: u64) -> u8 {
        match hand {
            Hidden::First => self.lengths.lo[suit],
            Hidden::Second => count(unseen, suit) - self.lengths.hi[suit],
        }
    }

    /// The cards that a hidden hand may play in some layout, where `led` is the
    /// suit that it must follow.
    #[inline]
    pub(crate) fn playable(&self, hand: Hidden, led: Option<usize>, unseen: u64) -> u64 {
        // If only pinned cards can be in this hand, the remaining ones are pinned in the other.
        let cards = unseen & !self.pinned[hand.other().index()];
        match led {
            Some(led) if self.least(hand, led, unseen) > 0 => cards & lane(led),
            _ => cards,
        }
    }

    /// The case after a hidden hand has played `card`, if it could. `unseen` and
    /// `cards` are as before the play.
    #[inline]
    pub(crate) fn after(
        mut self,
        hand: Hidden,
        card: u64,
        led: Option<usize>,
        unseen: u64,
        cards: u8,
    ) -> Option<Case> {
        if self.pinned[hand.other().index()] & card != 0 {
            return None;
        }
        let suit = suit_of(card);
        let own = &mut self.pinned[hand.index()];
        let pinned = *own & card != 0;
        *own &= !card;
        let held = count(*own, suit) + 1;
        let Lengths { lo, hi } = &mut self.lengths;
        if hand == Hidden::First {
            if !pinned {
                lo[suit] = lo[suit].max(held);
            }
            if hi[suit] < lo[suit] {
                return None;
            }
            lo[suit] -= 1;
            hi[suit] -= 1;
        }
        let rest = unseen & !card;
        if let Some(led) = led.filter(|&led| led != suit) {
            match hand {
                Hidden::First => hi[led] = 0,
                Hidden::Second => lo[led] = count(rest, led),
            }
        }
        self.normal(rest, cards - u8::from(hand == Hidden::First))
    }

    /// The case with fixed lengths: the maximum for hand `long`, suit by suit in `order`.
    pub(crate) fn stretched(
        mut self,
        order: [usize; 4],
        long: Hidden,
        unseen: u64,
        cards: u8,
    ) -> Option<Case> {
        for suit in order {
            let length = match long {
                Hidden::First => self.lengths.hi[suit],
                Hidden::Second => self.lengths.lo[suit],
            };
            self.lengths.lo[suit] = length;
            self.lengths.hi[suit] = length;
            self = self.normal(unseen, cards)?;
        }
        Some(self)
    }

    /// The cards of the first hand where the lengths are fixed, if hand `high` gets
    /// the highest cards that it may hold.
    pub(crate) fn dealt(&self, high: Hidden, unseen: u64) -> u64 {
        let mut hand = self.pinned[0];
        for suit in 0..4 {
            let mut free = unseen & lane(suit) & !union(self.pinned);
            for _ in count(hand, suit)..self.lengths.lo[suit] {
                let card = match high {
                    Hidden::First => top(free),
                    Hidden::Second => free & free.wrapping_neg(),
                };
                hand |= card;
                free ^= card;
            }
        }
        hand
    }

    /// Returns true if every layout of `other` is one of this case.
    #[inline]
    pub(crate) fn includes(&self, other: &Case) -> bool {
        self.pinned[0] & !other.pinned[0] == 0
            && self.pinned[1] & !other.pinned[1] == 0
            && self.lengths.includes(&other.lengths)
    }
}

/// The suit lengths that the first hidden hand may have: at least `lo`,
/// at most `hi`, with a given sum.
///
/// A play shifts or cuts one suit, so a box stays a box. Tight bounds are each reached by some
/// vector, so two boxes describe the same vectors if and only if they are equal, and one set of
/// vectors includes another if and only if its box does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lengths {
    pub lo: [u8; 4],
    pub hi: [u8; 4],
}

impl Lengths {
    /// The vectors within both boxes; not tight.
    pub(crate) fn intersection(&self, other: &Lengths) -> Lengths {
        Lengths {
            lo: std::array::from_fn(|s| self.lo[s].max(other.lo[s])),
            hi: std::array::from_fn(|s| self.hi[s].min(other.hi[s])),
        }
    }

    /// The same vectors of sum `cards` with tight bounds; `None` if there is none.
    #[inline]
    pub(crate) fn tightened(mut self, cards: u8) -> Option<Lengths> {
        let sum = |bounds: &[u8; 4]| bounds.iter().map(|&b| i16::from(b)).sum::<i16>();
        let (least, most, cards) = (sum(&self.lo), sum(&self.hi), i16::from(cards));
        if least > cards || most < cards {
            return None;
        }
        for suit in 0..4 {
            let (lo, hi) = (i16::from(self.lo[suit]), i16::from(self.hi[suit]));
            if lo > hi {
                return None;
            }
            self.lo[suit] = lo.max(cards - (most - hi)) as u8;
            self.hi[suit] = hi.min(cards - (least - lo)) as u8;
        }
        Some(self)
    }

    /// Returns true if every vector of `other` is one of these; both tight, of one sum.
    #[inline]
    pub(crate) fn includes(&self, other: &Lengths) -> bool {
        (0..4).all(|suit| self.lo[suit] <= other.lo[suit] && other.hi[suit] <= self.hi[suit])
    }

    /// The vectors of sum `cards`.
    pub(crate) fn vectors(self, cards: u8) -> impl Iterator<Item = [u8; 4]> {
        let Lengths { lo, hi } = self;
        (lo[0]..=hi[0])
            .flat_map(move |a| (lo[1]..=hi[1]).map(move |b| (a, b)))
            .flat_map(move |(a, b)| (lo[2]..=hi[2]).map(move |c| (a, b, c)))
            .filter_map(move |(a, b, c)| {
                let d = cards.checked_sub(a + b + c)?;
                (lo[3] <= d && d <= hi[3]).then_some([a, b, c, d])
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tight_bounds_are_reached() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let lo: [u8; 4] = std::array::from_fn(|_| rng.u8(0..4));
            let hi = lo.map(|lo| lo + rng.u8(0..4));
            let cards = rng.u8(0..14);
            let loose = Lengths { lo, hi };
            let all: Vec<_> = loose.vectors(cards).collect();
            let Some(tight) = loose.tightened(cards) else {
                assert!(all.is_empty(), "{loose:?} {cards}");
                continue;
            };
            assert_eq!(tight.vectors(cards).collect::<Vec<_>>(), all);
            for suit in 0..4 {
                assert!(all.iter().any(|v| v[suit] == tight.lo[suit]));
                assert!(all.iter().any(|v| v[suit] == tight.hi[suit]));
            }
        }
    }
}
