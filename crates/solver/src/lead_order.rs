//! Which leads to try first.

use crate::lanes::{highest, suit_mask};
use crate::moves::{Moves, for_each_run};
use crate::weights::w;
use crate::search::Search;

/// Lists the leads, the most promising first. `hint` is the lead that was best
/// in a similar position, if any.
pub(crate) fn fill(search: &Search, leader: usize, left: i32, hint: u64, killer: u64, moves: &mut Moves) {
    let [lho, partner, rho] = [1, 2, 3].map(|n| (leader + n) & 3);
    let hands = &search.hands;
    let no_trump = search.trumps == 0;
    for suit in 0..4 {
        let mask = suit_mask(suit);
        let own = hands[leader] & mask;
        if own == 0 {
            continue;
        }
        let all = search.all & mask;
        let is_trump = search.trumps == mask;
        let (l, p, r) = (hands[lho] & mask, hands[partner] & mask, hands[rho] & mask);
        let can_ruff = |seat: usize, held: u64| {
            held == 0 && !is_trump && hands[seat] & search.trumps != 0
        };
        let (l_ruffs, p_ruffs, r_ruffs) =
            (can_ruff(lho, l), can_ruff(partner, p), can_ruff(rho, r));
        let count = |held: u64, seat: usize| {
            if held == 0 {
                (if no_trump { w(65, 79) } else { w(0, 79) }) * left
            } else {
                (if no_trump { w(66, 57) } else { w(1, 57) }) * search.length(seat, suit) as i32
            }
        };
        let top = highest(all);
        let rest = all ^ top;
        let second = if rest == 0 { 0 } else { highest(rest) };

        let mut bonus = 0;
        if l_ruffs || r_ruffs {
            bonus -= w(2, 2);
        }
        if r & (top | second) != 0 {
            bonus -= if no_trump { w(67, 17) } else { w(3, 17) };
        }
        if p_ruffs {
            bonus += w(69, 0);
        }
        if is_trump {
            bonus += w(70, 0);
        }
        bonus += search.length(leader, suit) as i32 * w(71, 0) / 8;
        bonus += search.length(partner, suit) as i32 * w(72, 0) / 8;
        if l & top != 0 {
            bonus += w(73, 0);
        }
        if search.trumps != 0
            && !is_trump
            && own & (own - 1) == 0
            && hands[leader] & search.trumps != 0
            && p & top != 0
            && search.length(partner, suit) >= 2
        {
            bonus += w(4, 16);
        }
        let delta = bonus - (count(l, lho) + count(r, rho)) / 8;

        // The best that each side can do about a card.
        let enemy_best = if l_ruffs || r_ruffs {
            let mut trumps = 0;
            if l_ruffs {
                trumps |= hands[lho];
            }
            if r_ruffs {
                trumps |= hands[rho];
            }
            trumps & search.trumps
        } else {
            l | r
        };
        let partner_best = if p_ruffs { hands[partner] & search.trumps } else { p };
        let single_top = (l == top) || (r == top);

        let mut best: (i32, usize) = (i32::MIN, 0);
        let others = all & !own;
        for_each_run(own, others, |card| {
            let rank = 2 + rank(card);
            let wins = (card | partner_best) > enemy_best;
            let mut weight = if wins {
                if single_top {
                    w(6, 50) - rank
                } else if own & top != 0 {
                    if p & second != 0 {
                        w(7, 54) - rank
                    } else if card == top { w(8, 30) } else {
                        w(9, 25) - rank
                    }
                } else if p & top != 0 {
                    if own & second != 0 { w(10, 42) - rank } else { w(11, 46) - rank }
                } else if own & second != 0 && card == second && has_equal(own, others, card) { w(12, 46) } else {
                    w(13, 35) - rank
                }
            } else if single_top {
                w(14, 11) - rank
            } else if own & top != 0 {
                if p & second != 0 {
                    w(15, 37) - rank
                } else if card == top { w(16, 25) } else {
                    w(17, -7) - rank
                }
            } else if p & top != 0 {
                if own & second != 0 { w(18, 37) - rank } else { w(19, 42) - rank }
            } else if own & second != 0 && card == second && has_equal(own, others, card) { w(20, 29) } else {
                w(21, 9) - rank
            };
            weight += delta;
            if card & hint != 0 {
                weight += if wins { w(22, 120) } else { w(23, 34) };
            }
            if card == killer {
                weight += w(24, 10);
            }
            if weight > best.0 {
                best = (weight, moves.len());
            }
            moves.push(card, weight);
        });
        // One card of each suit before the second of any.
        moves.add_weight(best.1, if no_trump { w(68, 26) } else { w(25, 26) });
    }
}

/// The card's number within its suit, 0 for the lowest at the start of the
/// search.
#[inline]
pub(crate) fn rank(card: u64) -> i32 {
    ((card | 1).ilog2() & 15) as i32
}

/// Whether the next lower card of the suit that is in play is the hand's too.
#[inline]
pub(crate) fn has_equal(own: u64, others: u64, card: u64) -> bool {
    let below = card - 1;
    let mine = own & below;
    mine != 0 && mine > others & below
}
