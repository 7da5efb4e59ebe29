//! Ways to distribute equivalent cards: counted, numbered and drawn.

use fastrand::Rng;
use setrograde_cards::{Card, Hand};

/// Binomial coefficients up to 52 over 26.
static CHOOSE: [[u64; 53]; 53] = {
    let mut choose = [[0; 53]; 53];
    let mut n = 0;
    while n < 53 {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= n {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

fn choose(n: u8, k: u8) -> u128 {
    CHOOSE[usize::from(n)][usize::from(k)].into()
}

/// Returns the number of ways to distribute the cards that give each seat the number in `split`.
pub(crate) fn ways(split: [u8; 4]) -> u128 {
    let mut left = split.iter().sum::<u8>();
    let mut ways = 1;
    for share in split {
        ways *= choose(left, share);
        left -= share;
    }
    ways
}

/// The ways to give four seats a number of cards together, each no more than its `most`, in order.
pub(crate) fn splits(total: u8, most: [u8; 4]) -> Vec<[u8; 4]> {
    let mut found = Vec::new();
    for a in 0..=most[0].min(total) {
        for b in 0..=most[1].min(total - a) {
            for c in 0..=most[2].min(total - a - b) {
                let d = total - a - b - c;
                if d <= most[3] {
                    found.push([a, b, c, d]);
                }
            }
        }
    }
    found
}

/// Distributes `cards` in the numbers `split`, in the way numbered `number`, which must be below
/// [`ways`].
pub(crate) fn share_out_nth(
    cards: &[Card],
    split: [u8; 4],
    mut number: u128,
    hands: &mut [Hand; 4],
) {
    let mut cards: Vec<Card> = cards.to_vec();
    for (hand, share) in hands.iter_mut().zip(split) {
        let ways = choose(cards.len() as u8, share);
        let mut which = number % ways;
        number /= ways;
        let mut wanted = share;
        let mut left = cards.len() as u8;
        cards.retain(|&card| {
            left -= 1;
            // The subsets without this card come first.
            let without = choose(left, wanted);
            let kept_out = wanted == 0 || which < without;
            if !kept_out {
                which -= without;
                wanted -= 1;
                *hand |= Hand::of(card);
            }
            kept_out
        });
    }
}

/// Distributes `cards` in the numbers `split`, with all ways equally likely.
#[inline]
pub(crate) fn share_out_at_random(
    cards: &[Card],
    split: [u8; 4],
    rng: &mut Rng,
    hands: &mut [Hand; 4],
) {
    let count = cards.len();
    let most = split.iter().max().copied().unwrap_or(0);
    if usize::from(most) == count {
        for (hand, share) in hands.iter_mut().zip(split) {
            if share == most {
                *hand |= cards.iter().copied().collect();
            }
        }
        return;
    }
    let mut bits = [0u64; 52];
    let mut rest = 0;
    for (bit, &card) in bits.iter_mut().zip(cards) {
        *bit = Hand::of(card).bits();
        rest |= *bit;
    }
    // Draw for all seats except the one with the most cards, which gets the rest.
    let mut left = count;
    let mut largest = 4;
    for seat in 0..4 {
        if largest == 4 && split[seat] == most {
            largest = seat;
            continue;
        }
        let mut hand = 0;
        for _ in 0..split[seat] {
            let at = rng.u32(0..left as u32) as usize;
            left -= 1;
            hand |= bits[at];
            bits[at] = bits[left];
        }
        rest &= !hand;
        hands[seat] |= Hand::from_bits(hand);
    }
    if let Some(hand) = hands.get_mut(largest) {
        *hand |= Hand::from_bits(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_way_has_one_number() {
        let cards: Vec<Card> = Hand::from_bits(0x1807_0001_0003).iter().collect();
        for split in [[2, 2, 2, 2], [8, 0, 0, 0], [1, 0, 4, 3], [0, 7, 1, 0]] {
            let mut seen = HashSet::new();
            for number in 0..ways(split) {
                let mut hands = [Hand::EMPTY; 4];
                share_out_nth(&cards, split, number, &mut hands);
                assert_eq!(hands.map(|hand| hand.len() as u8), split);
                assert!(seen.insert(hands));
            }
            assert_eq!(seen.len() as u128, ways(split));
            let mut drawn = HashSet::new();
            let mut rng = Rng::with_seed(1);
            for _ in 0..60_000 {
                let mut hands = [Hand::EMPTY; 4];
                share_out_at_random(&cards, split, &mut rng, &mut hands);
                drawn.insert(hands);
            }
            assert_eq!(drawn, seen);
        }
        assert_eq!(
            ways([13, 13, 13, 13]),
            53_644_737_765_488_792_839_237_440_000
        );
    }
}
