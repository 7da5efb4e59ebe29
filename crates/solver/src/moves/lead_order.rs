//! The order of leads.
//!
//! The weight of a lead is that of its suit, plus that of the card within the suit.
//! The conditions are the published ones of DDS; the numbers were then tuned for
//! few nodes.

use setrograde_endgame::owners::PackedOwners;

use crate::lanes::{highest, rank, suit_mask};
use crate::moves::list::{Moves, for_each_run, has_equal};
use crate::state::State;

/// Leads that were best before; 0 for none.
pub(crate) struct Hints {
    /// In a position of the same shape.
    pub same_shape: u64,
    /// The last time this seat led with as many tricks left.
    pub same_depth: u64,
    /// The last time this seat led from the same hand.
    pub same_hand: u64,
    /// The last time this seat led with the same two hands of its side.
    pub same_side: u64,
    /// The nodes that the search has taken so far.
    pub effort: u32,
}

impl Hints {
    /// Nothing is remembered.
    pub(crate) const NONE: Hints = Hints {
        same_shape: 0,
        same_depth: 0,
        same_hand: 0,
        same_side: 0,
        effort: 0,
    };
}

/// Lists the leads with their weights. `owners` are those of the cards in play.
pub(crate) fn fill(
    state: &State,
    owners: &PackedOwners,
    leader: usize,
    left: i32,
    hints: &Hints,
    moves: &mut Moves,
) {
    let no_trump = state.trumps == 0;
    // The nodes beyond the first million, in units of 8,192.
    let effort = (hints.effort.saturating_sub(1 << 20) >> 13).min(400) as i32;
    // High leads are better in long searches at no trump, and in very long ones with trumps.
    let high_weight = if no_trump {
        effort.min(30)
    } else {
        (hints.effort.saturating_sub(1 << 21) >> 13).min(30) as i32
    };
    for suit in 0..4 {
        let own = state.hands[leader] & suit_mask(suit);
        if own == 0 {
            continue;
        }
        let view = SuitView::new(state, leader, suit);
        let mut suit_weight = view.suit_weight(state, leader, suit, left);
        if view.finesse(leader, owners.words()[suit]) {
            suit_weight += if no_trump { 30 } else { 25 };
        }
        // Of a suit's runs the highest comes first.
        let mut high = high_weight;
        let mut best = (i32::MIN, 0);
        for_each_run(own, view.all & !own, |card| {
            let wins = view.wins(card);
            let mut weight = suit_weight + view.card_weight(card, wins) + high;
            high = 0;
            if card == hints.same_shape {
                weight += if wins { 136 } else { 30 };
            }
            if card == hints.same_depth {
                weight += 12;
            }
            if card == hints.same_hand {
                // The longer a search takes, the more memory helps it.
                weight += 20 + effort;
            }
            if card == hints.same_side {
                weight += if wins { 90 } else { 60 };
            }
            if weight > best.0 {
                best = (weight, moves.len());
            }
            moves.push(card, weight);
        });
        // A card of each suit before the second of any.
        moves.add_weight(best.1, FIRST_OF_SUIT);
    }
}

/// The weight that the best card of each suit gets on top.
const FIRST_OF_SUIT: i32 = 34;

/// A suit as the leader sees it; all cards are those of the suit.
struct SuitView {
    /// In play, and in the hands of leader, left enemy, partner, right enemy.
    all: u64,
    own: u64,
    left: u64,
    partner: u64,
    right: u64,
    /// The highest and the second highest card in play.
    top: u64,
    second: u64,
    is_trump: bool,
    enemies_ruff: bool,
    partner_ruffs: bool,
    /// The cards that contain the enemies' best and the partner's best, trumps if they can ruff.
    enemy_best: u64,
    partner_best: u64,
}

impl SuitView {
    #[inline]
    fn new(state: &State, leader: usize, suit: usize) -> SuitView {
        let mask = suit_mask(suit);
        let [own, left, partner, right] = [0, 1, 2, 3].map(|n| state.hands[(leader + n) & 3]);
        let all = state.all & mask;
        let is_trump = state.trumps == mask;
        let ruffs = |hand: u64| {
            if hand & mask == 0 && !is_trump {
                hand & state.trumps
            } else {
                0
            }
        };
        let top = highest(all);
        let rest = all ^ top;
        let enemy_ruffs = ruffs(left) | ruffs(right);
        let partner_ruff = ruffs(partner);
        SuitView {
            all,
            own: own & mask,
            left: left & mask,
            partner: partner & mask,
            right: right & mask,
            top,
            second: if rest == 0 { 0 } else { highest(rest) },
            is_trump,
            enemies_ruff: enemy_ruffs != 0,
            partner_ruffs: partner_ruff != 0,
            enemy_best: if enemy_ruffs != 0 {
                enemy_ruffs
            } else {
                (left | right) & mask
            },
            partner_best: if partner_ruff != 0 {
                partner_ruff
            } else {
                partner & mask
            },
        }
    }

    /// Returns true if the leader's side wins the trick with best play by both sides.
    #[inline]
    fn wins(&self, card: u64) -> bool {
        (card | self.partner_best) > self.enemy_best
    }

    /// Returns true if the partner may finesse against the left enemy: the condition of macroxue's
    /// solver. Both have two cards of the suit and the leader one, so the five highest cards exist.
    #[inline]
    fn finesse(&self, leader: usize, owners: u32) -> bool {
        let (partner, left) = (self.partner, self.left);
        FINESSES[leader & 3][(owners & 0x3ff) as usize / 64] >> (owners & 63) & 1 != 0
            && partner & partner.wrapping_sub(1) != 0
            && left & left.wrapping_sub(1) != 0
    }

    /// The suit's part of the weight: suits in which the enemies have little
    /// choice come first.
    #[inline]
    fn suit_weight(&self, state: &State, leader: usize, suit: usize, left: i32) -> i32 {
        let no_trump = state.trumps == 0;
        let length = |n: usize| state.length((leader + n) & 3, suit) as i32;
        let choice = |held: u64, n: usize| {
            if held != 0 {
                57 * length(n)
            } else if no_trump {
                // As if it held six cards.
                57 * 6
            } else {
                79 * left
            }
        };
        let mut weight = length(2) - length(0);
        if self.enemies_ruff {
            weight -= 2;
        }
        if self.partner_ruffs {
            weight += 8;
        }
        if self.right & (self.top | self.second) != 0 {
            weight -= 17;
        }
        if self.left & self.top != 0 {
            weight += 8;
        }
        // A singleton to the partner's top card, to ruff the next round.
        if !no_trump
            && !self.is_trump
            && self.own.is_power_of_two()
            && state.hands[leader] & state.trumps != 0
            && self.partner & self.top != 0
            && length(2) >= 2
        {
            weight += 16;
        }
        weight - (choice(self.left, 1) + choice(self.right, 3)) / 8
    }

    /// The card's part of the weight.
    #[inline]
    fn card_weight(&self, card: u64, wins: bool) -> i32 {
        let rank = 2 + rank(card);
        let pick = |winning: i32, losing: i32| if wins { winning } else { losing };
        if self.left == self.top || self.right == self.top {
            pick(50, 11) - rank
        } else if self.own & self.top != 0 {
            if self.partner & self.second != 0 {
                pick(54, 37) - rank
            } else if card == self.top {
                pick(30, 25)
            } else {
                pick(25, -15) - rank
            }
        } else if self.partner & self.top != 0 {
            if self.own & self.second != 0 {
                pick(42, 37) - rank
            } else {
                pick(46, 42) - rank
            }
        } else if card == self.second && has_equal(self.own, self.all & !self.own, card) {
            pick(46, 29)
        } else {
            pick(35, 9) - rank
        }
    }
}

/// For each leader, whether a suit whose five highest cards have these owners (two
/// bits each, the highest lowest) is one to [finesse](SuitView::finesse): one bit for
/// each of the 1,024 combinations.
static FINESSES: [[u64; 16]; 4] = {
    let mut table = [[0; 16]; 4];
    let mut leader = 0;
    while leader < 4 {
        let mut owners = 0;
        while owners < 1024 {
            if is_finesse(leader, owners) {
                table[leader][owners / 64] |= 1 << (owners % 64);
            }
            owners += 1;
        }
        leader += 1;
    }
    table
};

/// Returns true if the left enemy has an honour just above, or between, honours of the partner:
/// king behind the ace, ace and queen around the king, king and jack around the queen. An honour
/// that closes the gap may also be the leader's if the next lower one is the side's too.
const fn is_finesse(leader: usize, owners: usize) -> bool {
    let (left, partner) = ((leader + 1) & 3, (leader + 2) & 3);
    let [ace, king, queen, jack, ten] = [
        owners & 3,
        owners >> 2 & 3,
        owners >> 4 & 3,
        owners >> 6 & 3,
        owners >> 8 & 3,
    ];
    let queen_is_ours = queen & 1 == leader & 1;
    let jack_is_ours = jack & 1 == leader & 1;
    let ten_is_ours = ten & 1 == leader & 1;
    partner == king
        && (left == ace || left == queen && (partner == jack || jack_is_ours && ten_is_ours))
        || partner == ace && left == king && (partner == queen || queen_is_ours && jack_is_ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finesses_are_found_for_every_leader() {
        // Owners from the ace down, counted from the leader: 1 is the left enemy, 2
        // the partner.
        for (owners, expected) in [
            ([1, 2, 3, 3, 3], true),
            ([3, 2, 1, 1, 1], false),
            ([2, 1, 2, 3, 3], true),
            ([2, 1, 0, 2, 3], true),
            ([2, 1, 0, 3, 2], false),
            ([0, 1, 2, 2, 2], false),
            ([3, 2, 1, 2, 3], true),
            ([3, 2, 1, 0, 0], true),
            ([3, 2, 1, 0, 3], false),
        ] {
            for (leader, finesses) in FINESSES.iter().enumerate() {
                let word = (0..5).fold(0, |word, n| word | ((owners[n] + leader) & 3) << (2 * n));
                let found = finesses[word / 64] >> (word % 64) & 1 != 0;
                assert_eq!(found, expected, "{owners:?}, leader {leader}");
            }
        }
    }
}
