//! Cards as bits of one word: sixteen for each suit, spades lowest.

use std::ops::BitOr;

use setrograde_cards::{Card, Hand};

/// The bits of one suit.
pub(crate) const LANE: u64 = 0xffff;

/// The bits of `suit`.
#[inline]
pub(crate) const fn lane(suit: usize) -> u64 {
    LANE << (16 * suit)
}

/// The suit of a card.
#[inline]
pub(crate) const fn suit_of(card: u64) -> usize {
    card.trailing_zeros() as usize / 16
}

/// The number of cards of `suit` in `cards`.
#[inline]
pub(crate) const fn count(cards: u64, suit: usize) -> u8 {
    (cards & lane(suit)).count_ones() as u8
}

/// The bit of one card.
pub(crate) const fn bit(card: Card) -> u64 {
    Hand::of(card).bits()
}

/// The card whose bit is `bit`.
pub(crate) fn card(bit: u64) -> Card {
    let card = Hand::from_bits(bit).iter().next();
    card.expect("the bit of a card")
}

/// The cards of `bits` one by one, from the lowest bit.
pub(crate) fn each(mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let low = bits & bits.wrapping_neg();
        bits ^= low;
        (low != 0).then_some(low)
    })
}

/// The cards that a hand may play where `led` must be followed.
#[inline]
pub(crate) const fn following(hand: u64, led: Option<usize>) -> u64 {
    match led {
        Some(led) if hand & lane(led) != 0 => hand & lane(led),
        _ => hand,
    }
}

/// `cards` after the card `gone` has left the pack: the ranks above it in its
/// suit move down by one.
#[inline]
pub(crate) const fn close_gap(cards: u64, gone: u64) -> u64 {
    let lane = lane(suit_of(gone));
    let below = gone - 1;
    let above = lane & !below & !gone;
    cards & !above & !gone | (cards & above) >> 1
}

/// Undoes [`close_gap`]: the ranks from `gone` on move up by one.
#[inline]
pub(crate) const fn open_gap(cards: u64, gone: u64) -> u64 {
    let lane = lane(suit_of(gone));
    let above = lane & !(gone - 1);
    cards & !above | (cards & above) << 1 & lane
}

/// All cards that are in one of the sets.
#[inline]
pub(crate) fn union(sets: impl IntoIterator<Item = u64>) -> u64 {
    sets.into_iter().fold(0, BitOr::bitor)
}

/// The highest card of `cards`, which is one suit; 0 if there is none.
#[inline]
pub(crate) const fn top(cards: u64) -> u64 {
    if cards == 0 { 0 } else { 1 << cards.ilog2() }
}

/// The cards of `cards` that no card of `others` beats; both are one suit.
#[inline]
pub(crate) const fn above(cards: u64, others: u64) -> u64 {
    match top(others) {
        0 => cards,
        top => cards & !(top | (top - 1)),
    }
}

/// The cards of `cards`, and in each suit all that are higher than one of them.
#[inline]
pub(crate) const fn and_above(cards: u64) -> u64 {
    let mut all = 0;
    let mut suit = 0;
    while suit < 4 {
        let found = cards & lane(suit);
        let low = found & found.wrapping_neg();
        if low != 0 {
            all |= lane(suit) & !(low - 1);
        }
        suit += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_hands() {
        let hand_text: Hand = "AK2.Q..T2".parse().unwrap();
        let bits = hand_text.bits();
        assert_eq!(each(bits).count(), 6);
        for one in Card::pack() {
            assert_eq!(card(bit(one)), one);
        }
        assert_eq!(count(bits, 0), 3);
        assert_eq!(suit_of(bit("CT".parse().unwrap())), 3);
    }

    #[test]
    fn gaps_close() {
        let hand = Hand::from_bits;
        let cards = "AK2.Q..T2".parse::<Hand>().unwrap().bits();
        let gone = bit("SK".parse().unwrap());
        assert_eq!(hand(close_gap(cards, gone)).to_string(), "K2.Q..T2");
        let gone = bit("C3".parse().unwrap());
        assert_eq!(hand(close_gap(cards, gone)).to_string(), "AK2.Q..92");
        let gone = bit("D3".parse().unwrap());
        assert_eq!(close_gap(cards, gone), cards);
    }
}
