//! Trump tricks that a side takes with any play.
//!
//! Take the `j` highest trumps of one hand, and let the enemies have `e` trumps above the lowest of
//! them. These `j` cards are played in different tricks. Each such trick goes to this side unless
//! an enemy spends one of the `e` trumps on it. So the side takes at least `j - e` tricks, no
//! matter who is on lead.

use crate::lanes::highest;
use crate::state::State;

/// Returns whether the side of `seat` surely takes at least `goal` tricks with trumps; if so, the
/// cards that prove it.
#[inline]
pub(crate) fn reaches(state: &State, seat: usize, goal: i32) -> Option<u64> {
    let hands = &state.hands;
    let enemies = (hands[(seat + 1) & 3] | hands[(seat + 3) & 3]) & state.trumps;
    for seat in [seat, (seat + 2) & 3] {
        let length = state.length(seat, 3) as i32;
        if length < goal {
            continue;
        }
        if enemies == 0 {
            return Some(0);
        }
        let mut mine = hands[seat] & state.trumps;
        let mut higher = enemies;
        // Tricks that are taken, less enemy trumps that are higher.
        let mut sure = 0;
        let mut rest = length;
        while mine != 0 {
            let card = highest(mine);
            mine ^= card;
            rest -= 1;
            sure += 1;
            // Enemies' trumps above this card count from now on.
            while higher > card {
                higher ^= highest(higher);
                sure -= 1;
            }
            if sure >= goal {
                return Some(card);
            }
            if sure + rest < goal {
                break;
            }
        }
    }
    None
}
