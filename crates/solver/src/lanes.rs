//! Sets of cards as 64-bit words: one lane of 16 bits for each suit.
//!
//! Within a lane the suit's lowest card is bit 0, and at most the low 13 bits are used; the upper
//! three keep the lanes apart in arithmetic on words. The last lane is the trump suit's, if there
//! is one, so if either of two cards in a trick is a trump, the higher bit wins.

/// Bits per lane.
pub(crate) const LANE: u32 = 16;

/// The 13 card bits of the first lane.
pub(crate) const SUIT: u64 = 0x1fff;

/// Bit 0 of every lane.
pub(crate) const ONES: u64 = 0x0001_0001_0001_0001;

/// Bit 15 of every lane, which no card uses.
const GUARDS: u64 = ONES << 15;

/// All cards of a suit.
#[inline]
pub const fn suit_mask(suit: usize) -> u64 {
    SUIT << ((LANE * suit as u32) & 63)
}

/// The suit of a single card (or of the highest card of a set).
#[inline]
pub const fn suit_of(card: u64) -> usize {
    ((card | 1).ilog2() / LANE) as usize
}

/// The highest card of a set that is not empty.
#[inline]
pub const fn highest(cards: u64) -> u64 {
    1 << (cards | 1).ilog2()
}

/// The lowest card of a set, if any.
#[inline]
pub const fn lowest(cards: u64) -> u64 {
    cards & cards.wrapping_neg()
}

/// In each suit in which `ranks` has cards, the bits from the lowest of them
/// up; nothing in the other suits.
#[inline]
pub(crate) const fn from_lowest_up(ranks: u64) -> u64 {
    // The guard bit absorbs the borrow of an empty lane, whose low 15 bits become set; in other
    // lanes the bits below the lowest become set.
    let below = ((ranks | GUARDS) - ONES) & !ranks;
    !below & !GUARDS
}

/// The card's number within its suit, 0 for the lowest at the start of the
/// search.
#[inline]
pub(crate) const fn rank(card: u64) -> i32 {
    ((card | 1).ilog2() & 15) as i32
}

/// Bits in each lane, as a number in that lane.
#[inline]
pub(crate) const fn counts(cards: u64) -> u64 {
    const TWOS: u64 = 0x5555_5555_5555_5555;
    const FOURS: u64 = 0x3333_3333_3333_3333;
    const EIGHTS: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = cards - (cards >> 1 & TWOS);
    let nibbles = (pairs & FOURS) + (pairs >> 2 & FOURS);
    let bytes = (nibbles + (nibbles >> 4)) & EIGHTS;
    (bytes + (bytes >> 8)) & (ONES * 0xff)
}

/// In each lane, every bit below the highest of `cards` and that bit itself.
#[inline]
pub(crate) const fn from_highest_down(cards: u64) -> u64 {
    let cards = cards | (cards >> 1 & (ONES * 0x7fff));
    let cards = cards | (cards >> 2 & (ONES * 0x3fff));
    let cards = cards | (cards >> 4 & (ONES * 0x0fff));
    cards | (cards >> 8 & (ONES * 0x00ff))
}

/// All ones in the lanes in which `a` is at least `b`; both below 2^15.
#[inline]
pub(crate) const fn at_least(a: u64, b: u64) -> u64 {
    let at_least = ((a | GUARDS) - b) & GUARDS;
    (at_least >> 15) * 0xffff
}

/// The smaller number of each lane.
#[inline]
pub(crate) const fn min_lanes(a: u64, b: u64) -> u64 {
    let more = at_least(a, b);
    b & more | a & !more
}

/// The sum of the four lanes.
#[inline]
pub(crate) const fn sum_of_lanes(numbers: u64) -> u64 {
    numbers.wrapping_mul(ONES) >> 48
}

/// The cards of the suit of `card` with the same result and the same proof, in which only `ranks`
/// mattered: if `card` itself did not matter, all cards below the lowest that did.
#[inline]
pub fn alike(card: u64, ranks: u64) -> u64 {
    let suit = suit_mask(suit_of(card));
    let low = lowest(ranks & suit);
    if low == 0 {
        suit
    } else if low > card {
        suit & (low - 1)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_stay_apart() {
        let mut cards = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..10_000 {
            cards = cards
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let set = (cards ^ cards >> 29) & (cards << 7) & (ONES * SUIT);
            let (up, down, counts) = (from_lowest_up(set), from_highest_down(set), counts(set));
            for suit in 0..4 {
                let lane = |word: u64| (word >> (16 * suit)) as u16;
                let cards = lane(set);
                assert_eq!(u32::from(lane(counts)), cards.count_ones());
                let (expect_up, expect_down) = match cards.checked_ilog2() {
                    None => (0, 0),
                    Some(top) => (
                        0x7fff & (u16::MAX << cards.trailing_zeros()),
                        u16::MAX >> (15 - top),
                    ),
                };
                assert_eq!(lane(up), expect_up);
                assert_eq!(lane(down), expect_down);
            }
        }
    }

    #[test]
    fn single_cards() {
        for suit in 0..4 {
            let card = 1 << (16 * suit + 5);
            assert_eq!(suit_of(card), suit);
            assert_eq!(card & suit_mask(suit), card);
            assert_eq!(highest(card | 1), card);
            assert_eq!(lowest(card | 1 << 63), card);
        }
    }
}
