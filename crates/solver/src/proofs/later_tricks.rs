//! Later tricks: those that the side not on lead takes sooner or later.

use crate::lanes::{highest, suit_mask};
use crate::proofs::sure_trumps;
use crate::state::State;

/// Returns whether the enemies of `leader`, who is on lead, surely take at least `goal` tricks; if
/// so, the cards that prove it.
///
/// With trumps these are sure trump tricks. Otherwise, if every lead loses to the enemies, they
/// take that trick, and at no trump they can continue with all their top cards.
pub(crate) fn reaches(state: &State, leader: usize, goal: i32) -> Option<u64> {
    let hands = &state.hands;
    if state.has_trumps() {
        if let Some(ranks) = sure_trumps::reaches(state, (leader + 1) & 3, goal) {
            return Some(ranks);
        }
        if goal > 1 {
            return None;
        }
    }
    let partner = hands[(leader + 2) & 3];
    let enemies = [(leader + 1) & 3, (leader + 3) & 3];
    let partner_ruffs = partner & state.trumps != 0;
    let mut proof = 0;
    let mut taken_by = [false; 2];
    for suit in 0..4 {
        let mask = suit_mask(suit);
        if hands[leader] & mask == 0 {
            continue;
        }
        let top = highest(state.all & mask);
        let enemy = enemies.iter().position(|&enemy| hands[enemy] & top != 0)?;
        if partner_ruffs && partner & mask == 0 {
            return None;
        }
        proof |= top;
        taken_by[enemy] = true;
    }
    if goal == 1 {
        return Some(proof);
    }
    for (enemy, taken) in enemies.into_iter().zip(taken_by) {
        if taken {
            let (count, cards) = cashable(state, enemy);
            if count < goal {
                return None;
            }
            proof |= cards;
        }
    }
    Some(proof)
}

/// The tricks that a hand on lead can cash by rank at no trump, and the lowest card needed for them
/// in each suit.
fn cashable(state: &State, seat: usize) -> (i32, u64) {
    let mut count = 0;
    let mut ranks = 0;
    for suit in 0..4 {
        let mask = suit_mask(suit);
        let own = state.hands[seat] & mask;
        let others = state.all & mask & !own;
        let top = if others == 0 {
            own
        } else {
            own & !(highest(others) * 2 - 1)
        };
        count += top.count_ones() as i32;
        if others != 0 {
            ranks |= top & top.wrapping_neg();
        }
    }
    (count, ranks)
}
