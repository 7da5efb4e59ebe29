//! The theorems that prove a lemma without other lemmas. `docs/certificate.md` has their proofs.

use crate::lemma::{Lemma, TRUMPS};

/// Returns true if a theorem proves the lemma.
pub fn prove(lemma: &Lemma) -> bool {
    lemma.trumps && sure_trumps(lemma) || lemma.is_by(lemma.leader.into()) && quick_tricks(lemma)
}

/// Theorem 1: whether the trumps of one hand of the lemma's side, less the higher trumps of the
/// opponents, are as many as the goal.
pub fn sure_trumps(lemma: &Lemma) -> bool {
    let length = |hand: usize| lemma.length(TRUMPS, hand);
    let mut hands = (0..4).filter(|&hand| lemma.is_by(hand) && length(hand) >= lemma.goal);
    hands.any(|hand| {
        let mut sure = 0;
        let mut is_enough = |rank: usize| {
            let owner = lemma.owner(TRUMPS, rank);
            sure += i32::from(owner == hand) - i32::from(!lemma.is_by(owner));
            sure >= lemma.goal
        };
        length(hand) - length(hand + 1) - length(hand + 3) >= lemma.goal
            || (0..lemma.known(TRUMPS)).any(&mut is_enough)
    })
}

/// Theorem 2: whether the leader, if of the lemma's side, reaches the goal with top cards.
pub fn quick_tricks(lemma: &Lemma) -> bool {
    let length = |suit: usize, nth: usize| lemma.length(suit, lemma.hand(nth));
    let tops = leader_tops(lemma);
    // The tricks of a suit that nobody ruffs: all, if the others run out of it.
    let full = [0, 1, 2, 3].map(|suit| {
        let is_long = (1..4).all(|nth| length(suit, nth) <= tops[suit]);
        if is_long { length(suit, 0) } else { tops[suit] }
    });
    let trumps = [0, 1, 2, 3].map(|nth| length(TRUMPS, nth));
    if !lemma.trumps || full[TRUMPS] >= lemma.goal.min(trumps[1].max(trumps[3])) {
        return full.iter().sum::<i32>() >= lemma.goal;
    }
    // An opponent with trumps must follow suit, and the partner must have other cards.
    let follows = |suit, nth| length(suit, nth).max(13 * i32::from(trumps[nth] == 0));
    let rounds = |suit: usize| tops[suit].min(follows(suit, 1)).min(follows(suit, 3));
    let is_free = trumps[2] == 0 || lemma.left() - trumps[2] >= lemma.goal;
    is_free && (0..TRUMPS).map(rounds).sum::<i32>() >= lemma.goal
}

/// The top cards of each suit that the leader is known to hold.
pub fn leader_tops(lemma: &Lemma) -> [i32; 4] {
    // The first bit is of the first card of another hand, or below the known cards.
    let leader = u32::MAX / 3 * u32::from(lemma.leader);
    let others = |suit: usize| (lemma.owners[suit] ^ leader) | !lemma.mask[suit];
    [0, 1, 2, 3].map(|suit| others(suit).trailing_zeros() as i32 / 2)
}
