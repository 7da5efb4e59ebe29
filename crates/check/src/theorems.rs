//! The theorems by which a lemma holds without a lemma.

use crate::lemma::{Lemma, TRUMPS};

/// Theorem 1: the tricks that the trumps of one hand of the proving side take, less one for each
/// higher trump of the opponents.
#[must_use]
pub fn sure_trumps(lemma: &Lemma) -> i32 {
    let length = |hand: usize| lemma.length(TRUMPS, hand & 3);
    let side = usize::from(lemma.side);
    let mut most = 0;
    for hand in [side, side + 2] {
        let mut sure = 0;
        for rank in 0..lemma.known(TRUMPS) {
            let owner = lemma.owner(TRUMPS, rank);
            sure += i32::from(owner == hand) - i32::from(!lemma.is_by(owner));
            most = most.max(sure);
        }
        most = most.max(length(hand) - length(hand + 1) - length(hand + 3));
    }
    most
}

/// Theorem 2: whether the leader, whose side lemmas, takes the tricks with top cards: first some
/// trumps, then side suits.
#[must_use]
pub fn quick_tricks(lemma: &Lemma, trumps: bool) -> bool {
    let (leader, goal) = (usize::from(lemma.leader), i32::from(lemma.goal));
    let length = |suit: usize, nth: usize| lemma.length(suit, (leader + nth) & 3);
    // The leader's top cards, and the tricks of a suit that no opponent ruffs.
    let tops = leader_tops(lemma);
    let full = [0, 1, 2, 3].map(|suit| {
        let longest = length(suit, 1).max(length(suit, 2)).max(length(suit, 3));
        if tops[suit] >= longest {
            length(suit, 0)
        } else {
            tops[suit]
        }
    });
    if full.iter().sum::<i32>() < goal || !trumps {
        return full.iter().sum::<i32>() >= goal;
    }
    let partner_trumps = length(TRUMPS, 2);
    let partner_others = lemma.left() - partner_trumps;
    (0..=full[TRUMPS]).any(|drawn| {
        let ruff = [1, 3].map(|nth| length(TRUMPS, nth) > drawn);
        let mut tricks = drawn;
        for suit in 0..TRUMPS {
            tricks += match ruff {
                [false, false] => full[suit],
                [true, false] => tops[suit].min(length(suit, 1)),
                [false, true] => tops[suit].min(length(suit, 3)),
                [true, true] => tops[suit].min(length(suit, 1)).min(length(suit, 3)),
            };
        }
        // The cards beside trumps that the partner may need.
        let others = (goal - drawn).max(0) + (drawn - partner_trumps).max(0);
        let free = ruff == [false, false] || partner_trumps == 0 || partner_others >= others;
        drawn >= goal || tricks >= goal && free
    })
}

/// The top cards of each suit that the leader is known to hold.
#[must_use]
pub fn leader_tops(lemma: &Lemma) -> [i32; 4] {
    [0, 1, 2, 3].map(|suit| {
        let others = lemma.owners[suit] ^ (0x5555_5555 * u32::from(lemma.leader));
        // The first bit is of the first card of another hand, or below the known cards.
        (others | !lemma.masks[suit]).trailing_zeros() as i32 / 2
    })
}
