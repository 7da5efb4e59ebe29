//! Later tricks: what the side that is not on lead takes sooner or later.

use crate::lanes::{highest, suit_mask};
use crate::search::Search;
use crate::sure_trumps;
const SIGMA: bool = false;

/// Whether the enemies of `leader`, who is on lead, surely take at least `goal`
/// of the `left` tricks; if so, the cards that prove it.
pub(crate) fn reaches(search: &Search, leader: usize, goal: i32, left: i32) -> Option<u64> {
    let hands = &search.hands;
    let partner = (leader + 2) & 3;
    let side = hands[leader] | hands[partner];
    let has_trumps = search.all & search.trumps != 0;
    if has_trumps {
        if let Some(ranks) = sure_trumps::reaches(search, (leader + 1) & 3, goal) {
            return Some(ranks);
        }
        if goal > 1 {
            return None;
        }
    }
    let partner_ruffs = hands[partner] & search.trumps != 0;
    let mut ranks = 0;
    let mut led_ranks = 0;
    // Tricks that the side on lead may take before it loses the lead.
    let mut tricks = 0;
    // Whether the side on lead may win the next trick.
    let mut leads_to_side = false;
    for suit in 0..4 {
        let mask = suit_mask(suit);
        let cards = search.all & mask;
        if cards == 0 {
            continue;
        }
        let top = highest(cards);
        if has_trumps && suit == 3 {
            if top & side != 0 {
                leads_to_side |= hands[leader] & mask != 0;
            } else {
                ranks |= top;
                if hands[leader] & mask != 0 { led_ranks |= top; }
            }
        } else if top & side != 0 {
            tricks += search.length(leader, suit).max(search.length(partner, suit)) as i32;
            leads_to_side |= hands[leader] & mask != 0;
        } else {
            ranks |= top;
            if hands[leader] & mask != 0 { led_ranks |= top; }
            leads_to_side |=
                partner_ruffs && hands[leader] & mask != 0 && hands[partner] & mask == 0;
        }
    }
    if goal == 1 {
        if !leads_to_side { return Some(led_ranks); }
        if SIGMA && (!has_trumps && tricks < left) {
            return Some(ranks);
        }
        return None;
    }
    if leads_to_side {
        return None;
    }
    // Whatever is led, the enemy who has the highest card of the suit wins it
    // and can cash his other winners.
    let mut proof = 0;
    let mut winners = [None; 4];
    for suit in 0..4 {
        let mask = suit_mask(suit);
        if hands[leader] & mask == 0 {
            continue;
        }
        let top = highest(search.all & mask);
        let enemy = if top & hands[(leader + 1) & 3] != 0 { (leader + 1) & 3 } else { (leader + 3) & 3 };
        let (count, cards) = *winners[enemy].get_or_insert_with(|| cashable(search, enemy));
        if count < goal {
            return None;
        }
        proof |= top | cards;
    }
    Some(proof)
}

/// The tricks that a hand on lead can cash by rank, and their lowest cards.
fn cashable(search: &Search, seat: usize) -> (i32, u64) {
    let mut count = 0;
    let mut ranks = 0;
    for suit in 0..4 {
        let mask = suit_mask(suit);
        let own = search.hands[seat] & mask;
        if own == 0 {
            continue;
        }
        let others = search.all & mask & !own;
        let top = if others == 0 { own } else { own & !(highest(others) * 2 - 1) };
        if top != 0 {
            count += top.count_ones() as i32;
            if others != 0 {
                ranks |= top & top.wrapping_neg();
            }
        }
    }
    (count, ranks)
}
