//! The knowledge along a path of a diagram: the owners of each suit's top cards.

use std::fmt::Write;

use setrograde_cards::{Seat, Strain, Suit};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::partition::Shape;
use setrograde_endgame::suit_lengths::SuitLengths;

/// A card is 16 times its suit plus its index from the top of the suit, 0 to 12, so one bit in 64
/// represents it.
pub(crate) type CardNumber = u8;

/// The index that means "one of the x's": below all known cards.
pub(crate) const X: CardNumber = 15;

/// The strain of the endings of a partition, with spades as its trump suit, if it has one.
pub(crate) fn strain(trump: bool) -> Strain {
    if trump {
        Strain::Trump(Suit::Spades)
    } else {
        Strain::NoTrump
    }
}

/// The bits of a suit's cards.
pub(crate) const fn suit_bits(suit: usize) -> u64 {
    0xffff << (16 * suit)
}

/// The owners of each suit's top cards: two bits per card, the top card's lowest.
/// The verifier's own type: it shares none with the builders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TopOwners([u32; 4]);

impl TopOwners {
    /// The owner of the card with index `at` from the top of a suit.
    #[inline]
    pub(crate) fn owner(&self, suit: usize, at: u32) -> usize {
        (self.0[suit] >> (2 * (at & 15))) as usize & 3
    }

    #[inline]
    fn note(&mut self, suit: usize, at: u8, owner: usize) {
        self.0[suit] |= (owner as u32) << (2 * at);
    }
}

/// A set of endings of one shape: each suit's top cards have known owners,
/// and the x's below may lie anywhere that the lengths allow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathSet {
    /// The known cards of each hand, one bit each.
    held: [u64; 4],
    /// A bit with index [`X`] for each suit in which the hand has an x.
    xs: [u64; 4],
    /// The owners of the known cards.
    owners: TopOwners,
    counts: [u8; 4],
    hidden: [SuitLengths; 4],
}

impl PathSet {
    /// Nothing is known but the shape.
    pub(crate) fn nothing(shape: Shape) -> PathSet {
        let mut xs = [0; 4];
        for (suit, suit_lengths) in shape.lengths.iter().enumerate() {
            for (hand, xs) in xs.iter_mut().enumerate() {
                *xs |= u64::from(suit_lengths.length(hand) > 0) << (16 * suit + usize::from(X));
            }
        }
        PathSet {
            held: [0; 4],
            xs,
            owners: TopOwners::default(),
            counts: [0; 4],
            hidden: shape.lengths,
        }
    }

    /// Knows that the next card of a suit is `owner`'s, who must have an x.
    #[inline]
    pub(crate) fn learn(mut self, suit: usize, owner: usize) -> PathSet {
        let at = self.counts[suit];
        self.held[owner] |= 1 << (16 * suit + usize::from(at));
        self.owners.note(suit, at, owner);
        self.counts[suit] = at + 1;
        self.hidden[suit] = self.hidden[suit].without_one(owner);
        if self.hidden[suit].length(owner) == 0 {
            self.xs[owner] &= !suit_bits(suit);
        }
        self
    }

    /// The x's of a suit.
    #[inline]
    pub(crate) fn hidden(&self, suit: usize) -> SuitLengths {
        self.hidden[suit]
    }

    /// The owners of the known cards.
    #[inline]
    pub(crate) fn owners(&self) -> &TopOwners {
        &self.owners
    }

    /// All known cards.
    #[inline]
    pub(crate) fn cards(&self) -> u64 {
        self.held[0] | self.held[1] | self.held[2] | self.held[3]
    }

    /// Returns the cards that a hand may play: the highest of each run of adjacent
    /// known cards, for all of a run are equally good, and an x in each suit where
    /// it has one.
    #[inline]
    pub(crate) fn moves(&self, hand: usize) -> u64 {
        // No card has index 15, so no run goes from suit to suit.
        self.held[hand] & !(self.held[hand] << 1) | self.xs[hand]
    }

    /// The set of a single ending of this one.
    pub(crate) fn any_ending(mut self) -> PathSet {
        for suit in 0..4 {
            for owner in 0..4 {
                while self.hidden[suit].length(owner) > 0 {
                    self = self.learn(suit, owner);
                }
            }
        }
        self
    }

    /// The text of some ending of this set: North leads, and the first suit,
    /// if it is trump, is spades.
    pub(crate) fn ending_text(self, trump: bool) -> String {
        let whole = self.any_ending();
        let owners = [0, 1, 2, 3].map(|suit| whole.owner_list(suit));
        let owners = owners.each_ref().map(Vec::as_slice);
        let ending = Ending::new(strain(trump), Seat::North, owners)
            .expect("a partition's shape is that of an ending");
        ending.to_position().to_string()
    }

    fn owner_list(&self, suit: usize) -> Vec<u8> {
        (0..self.counts[suit])
            .map(|at| self.owners.owner(suit, at.into()) as u8)
            .collect()
    }

    /// The set as text: for each suit the owners from the top, hand 0 as
    /// North, and an x for each card below.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for suit in Suit::ALL {
            let separator = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{separator}{}:", suit.letter());
            for owner in self.owner_list(suit.index()) {
                text.push(Seat::from_index(owner.into()).letter());
            }
            for _ in 0..self.hidden[suit].total() {
                text.push('x');
            }
        }
        text
    }
}

#[cfg(test)]
impl PathSet {
    /// Returns true if the set has this ending, in which North leads.
    pub(crate) fn holds(&self, ending: &Ending) -> bool {
        Suit::ALL.into_iter().all(|suit| {
            let owners = self.owner_list(suit.index()).into_iter().enumerate();
            owners
                .into_iter()
                .all(|(at, owner)| ending.owner(suit, at) == Some(Seat::from_index(owner.into())))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_described_by_owners_and_xs_with_an_ending_of_it() {
        let lengths =
            [[2, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1]].map(SuitLengths::new);
        let nothing = PathSet::nothing(Shape { lengths });
        assert_eq!(nothing.text(), "S:xxx H:xx D:xx C:x");
        let set = nothing.learn(0, 1).learn(0, 0).learn(2, 3);
        assert_eq!(set.text(), "S:ENx H:xx D:Wx C:x");
        assert_eq!(set.any_ending().text(), "S:ENN H:ES D:WS C:W");
        assert_eq!(set.ending_text(true), "S N N:KQ... A.A.. .K.K. ..A.A");
        assert_eq!(set.ending_text(false), "NT N N:KQ... A.A.. .K.K. ..A.A");
    }
}
