//! The theorems by which a lemma holds without another one. `docs/certificate.md` has their proofs.

use crate::lemma::{Lemma, TRUMPS};

/// Theorem 1: the tricks that the trumps of one hand of the lemma's side take, less one for each
/// higher trump of the opponents.
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

/// Theorem 2: whether the leader, of the lemma's side, takes the tricks with top cards: first some
/// trumps, then side suits.
pub fn quick_tricks(lemma: &Lemma, trumps: bool) -> bool {
    let (leader, goal) = (usize::from(lemma.leader), i32::from(lemma.goal));
    let length = |suit: usize, nth: usize| lemma.length(suit, (leader + nth) & 3);
    let tops = leader_tops(lemma);
    // The tricks of a suit that nobody ruffs: all, if the others run out of it.
    let full = [0, 1, 2, 3].map(|suit| {
        let others = length(suit, 1).max(length(suit, 2)).max(length(suit, 3));
        let all = tops[suit] >= others;
        if all { length(suit, 0) } else { tops[suit] }
    });
    let most = full.iter().sum::<i32>();
    if most < goal || !trumps {
        return most >= goal;
    }
    let partner_trumps = length(TRUMPS, 2);
    let partner_others = lemma.left() - partner_trumps;
    (0..=full[TRUMPS].min(goal)).any(|drawn| {
        let may_ruff = |nth: usize| length(TRUMPS, nth) > drawn;
        if !may_ruff(1) && !may_ruff(3) {
            return drawn + full[..TRUMPS].iter().sum::<i32>() >= goal;
        }
        // An opponent with trumps must follow suit, and the partner must have other cards.
        let follows = |suit: usize, nth: usize| if may_ruff(nth) { length(suit, nth) } else { 13 };
        let rounds = |suit: usize| tops[suit].min(follows(suit, 1)).min(follows(suit, 3));
        let others = goal - drawn + (drawn - partner_trumps).max(0);
        drawn + (0..TRUMPS).map(rounds).sum::<i32>() >= goal
            && (drawn == goal || partner_trumps == 0 || partner_others >= others)
    })
}

/// The top cards of each suit that the leader is known to hold.
pub fn leader_tops(lemma: &Lemma) -> [i32; 4] {
    [0, 1, 2, 3].map(|suit| {
        let others = lemma.owners[suit] ^ (0x5555_5555 * u32::from(lemma.leader));
        // The first bit is of the first card of another hand, or below the known cards.
        (others | !lemma.masks[suit]).trailing_zeros() as i32 / 2
    })
}
