//! The owners of an ending's cards, packed, and the relevant top cards.

use std::fmt;

use crate::partition::SuitOrder;

/// For each suit the owners of its cards from the top down, two bits each, the top card's lowest;
/// zero beyond the last card. Owners are hand numbers 0..=3; the caller chooses hand 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PackedOwners([u32; 4]);

impl PackedOwners {
    /// No cards.
    pub const NONE: PackedOwners = PackedOwners([0; 4]);

    /// Returns the owners of one word for each suit.
    #[inline]
    pub const fn from_words(words: [u32; 4]) -> PackedOwners {
        PackedOwners(words)
    }

    /// Returns one word for each suit.
    #[inline]
    pub const fn words(self) -> [u32; 4] {
        self.0
    }

    /// Returns the owner of the card with index `rank` in a suit (0 for the top card, at most 15).
    #[inline]
    pub const fn owner(&self, suit: usize, rank: usize) -> usize {
        (self.0[suit & 3] >> (2 * (rank & 15))) as usize & 3
    }

    /// Sets the owner of the card with index `rank` in a suit, which must have none yet.
    #[inline]
    pub fn insert(&mut self, suit: usize, rank: usize, owner: usize) {
        self.0[suit & 3] |= (owner as u32 & 3) << (2 * (rank & 15));
    }

    /// Returns all bits of these cards, as a mask to compare owners.
    #[inline]
    pub fn mask(cards: TopCards) -> PackedOwners {
        PackedOwners(std::array::from_fn(|suit| {
            (1 << (2 * cards.of_suit(suit))) - 1
        }))
    }

    /// Returns the owners of the cards in `mask`.
    #[inline]
    #[must_use]
    pub fn masked(self, mask: PackedOwners) -> PackedOwners {
        PackedOwners(std::array::from_fn(|suit| self.0[suit] & mask.0[suit]))
    }

    /// Returns true if both have the same owners for the cards in `mask`.
    #[inline]
    pub const fn agree(&self, other: &PackedOwners, mask: &PackedOwners) -> bool {
        let ([a, b, c, d], [e, f, g, h], [i, j, k, l]) = (self.0, other.0, mask.0);
        (a ^ e) & i | (b ^ f) & j | (c ^ g) & k | (d ^ h) & l == 0
    }

    /// Returns the only suit in which these owners differ from `other` in the cards of `mask`, if
    /// they differ there only in the lowest card of `known`. Returns `None` also if `mask` has a
    /// card that `known` does not.
    #[inline]
    pub fn differs_in_lowest(
        &self,
        other: &PackedOwners,
        mask: &PackedOwners,
        known: &PackedOwners,
    ) -> Option<usize> {
        let halves = |words: &PackedOwners| {
            let [a, b, c, d] = words.0.map(u64::from);
            [a | b << 32, c | d << 32]
        };
        let ([a, b], [c, d]) = (halves(self), halves(other));
        let ([e, f], [g, h]) = (halves(mask), halves(known));
        let (low, high) = ((a ^ c) & e, (b ^ d) & f);
        // The lowest known card has the two highest bits of each word.
        let lowest = |known: u64| known & !(known >> 2 & 0x3fff_ffff_3fff_ffff);
        let outside = e & !g | f & !h | low & !lowest(g) | high & !lowest(h);
        if outside != 0 || (low == 0) == (high == 0) {
            return None;
        }
        let (both, first) = if low != 0 { (low, 0) } else { (high, 2) };
        match (both as u32, (both >> 32) as u32) {
            (_, 0) => Some(first),
            (0, _) => Some(first + 1),
            _ => None,
        }
    }

    /// Returns the owners in the order of a partition: the suit `order.suit(i)` at index `i`.
    #[inline]
    pub(crate) fn in_order(self, order: SuitOrder) -> PackedOwners {
        PackedOwners(order.suits().map(|suit| self.0[suit]))
    }

    /// Removes the top card of a suit and returns its owner.
    #[inline]
    pub(crate) fn pop(&mut self, suit: usize) -> usize {
        let cards = &mut self.0[suit & 3];
        let owner = *cards as usize & 3;
        *cards >>= 2;
        owner
    }
}

/// The cards that a proof depends on: a number of top cards of each suit, at most 15. For any
/// distribution of the cards below them in hands of these lengths, the answer is the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TopCards(u16);

impl TopCards {
    /// Returns the top `counts[suit]` cards of each suit, spades first, at most 15 of each.
    #[inline]
    pub fn new(counts: [u8; 4]) -> TopCards {
        let [a, b, c, d] = counts.map(|count| u16::from(count.min(15)));
        TopCards(a | b << 4 | c << 8 | d << 12)
    }

    /// Returns the cards whose numbers are four bits for each suit, suit 0 lowest.
    #[inline]
    pub const fn from_bits(bits: u16) -> TopCards {
        TopCards(bits)
    }

    /// Returns four bits for each suit, suit 0 lowest.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// Returns the number of cards of a suit.
    #[inline]
    pub const fn of_suit(self, suit: usize) -> usize {
        (self.0 >> (4 * (suit & 3)) & 15) as usize
    }

    /// Returns the number of cards.
    #[inline]
    pub const fn total(self) -> u16 {
        let pairs = (self.0 & 0x0f0f) + (self.0 >> 4 & 0x0f0f);
        (pairs + (pairs >> 8)) & 0xff
    }
}

impl fmt::Debug for TopCards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        [0, 1, 2, 3].map(|suit| self.of_suit(suit)).fmt(f)
    }
}

impl fmt::Debug for PackedOwners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        write!(f, "{a:#x} {b:#x} {c:#x} {d:#x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_cards_are_numbers_of_cards() {
        for bits in 0..=u16::MAX {
            let counts = [0, 4, 8, 12].map(|suit| (bits >> suit) as u8 & 15);
            let cards = TopCards::new(counts);
            assert_eq!([0, 1, 2, 3].map(|suit| cards.of_suit(suit) as u8), counts);
            assert_eq!(TopCards::from_bits(cards.to_bits()), cards);
            assert_eq!(
                cards.total(),
                counts.iter().map(|&n| u16::from(n)).sum::<u16>()
            );
        }
        assert_eq!(
            TopCards::new([16, 15, 20, 0]),
            TopCards::new([15, 15, 15, 0])
        );
    }

    #[test]
    fn owners_are_kept_card_by_card() {
        let random = &mut fastrand::Rng::with_seed(21);
        for _ in 0..if cfg!(miri) { 50 } else { 1_000 } {
            let counts = [(); 4].map(|()| random.u8(..=13));
            let suits = counts.map(|n| (0..n).map(|_| random.usize(..4)).collect::<Vec<_>>());
            let mut owners = PackedOwners::NONE;
            for (suit, cards) in suits.iter().enumerate() {
                for (rank, &owner) in cards.iter().enumerate() {
                    owners.insert(suit, rank, owner);
                }
            }
            assert_eq!(PackedOwners::from_words(owners.words()), owners);
            let kept = counts.map(|n| random.u8(..=n));
            let masked = owners.masked(PackedOwners::mask(TopCards::new(kept)));
            let mut left = owners;
            for (suit, cards) in suits.iter().enumerate() {
                for (rank, &owner) in cards.iter().enumerate() {
                    assert_eq!(owners.owner(suit, rank), owner);
                    let is_kept = rank < usize::from(kept[suit]);
                    assert_eq!(masked.owner(suit, rank), if is_kept { owner } else { 0 });
                    assert_eq!(left.pop(suit), owner);
                }
            }
            assert_eq!(left, PackedOwners::NONE);
        }
    }

    /// Random owners of up to five cards a suit that differ in no card, one, or two.
    #[test]
    fn owners_that_differ_are_found_card_by_card() {
        let random = &mut fastrand::Rng::with_seed(22);
        let mut found = [0; 5];
        for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
            let words = [(); 4].map(|()| random.u32(..1 << 10));
            let mut others = words;
            for _ in 0..random.u8(..3) {
                others[random.usize(..4)] ^= random.u32(1..4) << (2 * random.u32(..5));
            }
            let counts = [(); 4].map(|()| random.u8(..5));
            let mut known = counts;
            if random.u8(..4) == 0 {
                known[random.usize(..4)] = random.u8(..5);
            }
            let [one, other] = [words, others].map(PackedOwners::from_words);
            let different: Vec<_> = (0..4)
                .flat_map(|suit| (0..usize::from(counts[suit])).map(move |rank| (suit, rank)))
                .filter(|&(suit, rank)| one.owner(suit, rank) != other.owner(suit, rank))
                .collect();
            let all_known = (0..4).all(|suit| counts[suit] <= known[suit]);
            let expected = match different[..] {
                [(suit, rank)] if all_known && rank + 1 == usize::from(known[suit]) => Some(suit),
                _ => None,
            };
            let [mask, known] =
                [counts, known].map(|cards| PackedOwners::mask(TopCards::new(cards)));
            assert_eq!(one.agree(&other, &mask), different.is_empty());
            assert_eq!(one.differs_in_lowest(&other, &mask, &known), expected);
            found[expected.map_or(4, |suit| suit)] += 1;
        }
        assert!(
            cfg!(miri) || found.iter().all(|&count| count > 100),
            "{found:?}"
        );
    }
}
