//! Quick tricks: what the side on lead can cash at once.

use crate::lanes::{LANE, ONES, counts, from_highest_down, highest, lowest, suit_mask};
use crate::search::Search;
use crate::sure_trumps;

/// Whether the side of `leader`, who is on lead, surely takes at least `goal`
/// tricks; if so, the cards that prove it.
pub(crate) fn reaches(search: &Search, leader: usize, goal: i32) -> Option<u64> {
    let [left, partner, right] = [1, 2, 3].map(|n| (leader + n) & 3);
    let hands = &search.hands;
    let enemies = hands[left] | hands[right];
    let trump = search.all & search.trumps != 0;
    if trump && let Some(ranks) = sure_trumps::reaches(search, leader, goal) {
        return Some(ranks);
    }

    let mut tricks = 0;
    let mut ranks = 0;
    // Trumps that the enemies still have once the leader's best are drawn.
    let mut left_trumps = 0;
    let mut right_trumps = 0;
    // The partner's winners, and what the leader's cost it.
    let mut partner_tricks = 0;
    let mut partner_ranks = 0;
    let mut partner_follows = 0;
    let mut drawn_from_partner = 0;
    let mut entry = false;
    let mut hand_size = 0;

    // The leader's cards that nobody can beat, the partner's that only these
    // could, and how many there are in each suit.
    let tops = hands[leader] & !from_highest_down(hands[partner] | enemies);
    let partner_tops = hands[partner] & !from_highest_down(enemies | (hands[leader] & !tops));
    let top_counts = counts(tops);
    let partner_top_counts = counts(partner_tops);

    if at_most(search.shape, leader, top_counts, partner_top_counts) < goal {
        return None;
    }

    for suit in (0..4).rev() {
        let mask = suit_mask(suit);
        let lane = |counts: u64| (counts >> (LANE as usize * suit)) as i32 & 15;
        if (hands[leader] | hands[partner]) & mask == 0 {
            if trump && suit == 3 {
                left_trumps = search.length(left, 3) as i32;
                right_trumps = search.length(right, 3) as i32;
            }
            continue;
        }
        let own = hands[leader] & mask;
        let own_length = search.length(leader, suit) as i32;
        let partner_length = search.length(partner, suit) as i32;
        let left_length = search.length(left, suit) as i32;
        let right_length = search.length(right, suit) as i32;
        hand_size += own_length;
        let is_trump = trump && suit == 3;
        // Rounds that nobody can ruff.
        let mut safe = 13;
        if !is_trump {
            if left_trumps > 0 {
                safe = left_length;
            }
            if right_trumps > 0 {
                safe = safe.min(right_length);
            }
        }
        let drawn = is_trump || left_trumps + right_trumps == 0;

        let mut own_tricks = 0;
        let mut uncashed = own;
        if own != 0 {
            let top = tops & mask;
            let tops = lane(top_counts);
            let longest = left_length.max(right_length).max(partner_length);
            if drawn && longest <= tops {
                // Once everybody else is out of the suit, the rest is good.
                own_tricks = own_length;
                ranks |= nth(top, tops, longest);
                uncashed = 0;
            } else {
                own_tricks = tops.min(safe);
                if own_tricks > 0 {
                    if tricks + own_tricks >= goal {
                        return Some(ranks | nth(top, tops, goal - tricks));
                    }
                    let low = nth(top, tops, own_tricks);
                    ranks |= low;
                    uncashed = own & (low - 1);
                }
            }
            tricks += own_tricks;
            if tricks >= goal {
                return Some(ranks);
            }
        }
        if is_trump {
            left_trumps = (left_length - own_tricks).max(0);
            right_trumps = (right_length - own_tricks).max(0);
            drawn_from_partner = (own_tricks - partner_length).max(0);
        }
        // What the partner can take once it is in.
        if partner_length > own_tricks
            && (own == 0 || uncashed != 0)
            && uncashed & tops == 0
            && partner_tops & mask != 0
        {
            let top = partner_tops & mask;
            let tops = lane(partner_top_counts);
            let rounds = left_length.max(right_length).max(own_length) - own_tricks;
            let room = partner_length - own_tricks;
            let count;
            if drawn && rounds <= tops && rounds <= room {
                count = room;
                partner_ranks |= nth(top, tops, rounds.max(0));
            } else {
                count = tops.min(room).min(safe - own_tricks);
                if count > 0 {
                    partner_ranks |= nth(top, tops, count);
                }
            }
            if count > 0 {
                partner_tricks += count;
                partner_follows += own_tricks;
                // The leader reaches the partner with a card of this suit that
                // the partner's best beats.
                if uncashed != 0 {
                    entry = true;
                    partner_ranks |= highest(top);
                }
            }
        }
    }
    if entry
        && tricks + partner_tricks.min(hand_size - tricks) >= goal
        && (drawn_from_partner == 0
            || hand_size - partner_tricks - partner_follows >= drawn_from_partner)
    {
        return Some(ranks | partner_ranks);
    }
    None
}

/// What the count below comes to at most: as if nobody could ruff and the
/// partner could always be reached. All suits at once, a lane each.
#[inline]
fn at_most(shape: u64, leader: usize, tops: u64, partner_tops: u64) -> i32 {
    let lengths = |seat: usize| shape >> (4 * ((leader + seat) & 3)) & (ONES * 15);
    let [own, left, partner, right] = [0, 1, 2, 3].map(lengths);
    // Where the others run out of the suit before the top cards do, the whole
    // length counts.
    let long = everywhere(tops, left) & everywhere(tops, partner) & everywhere(tops, right);
    let own_tricks = own & long | tops & !long;
    let both = tops + partner_tops;
    let partner_long = everywhere(both, left) & everywhere(both, own) & everywhere(both, right);
    let room = partner - tops.min_lanes(partner);
    let partner_tricks = room & partner_long | room.min_lanes(partner_tops) & !partner_long;
    let has_tops = everywhere(partner_tops, ONES);
    ((own_tricks + (partner_tricks & has_tops)).wrapping_mul(ONES) >> 48) as i32
}

/// All ones in the lanes in which `a` is at least `b`; both below 2^15.
#[inline]
const fn everywhere(a: u64, b: u64) -> u64 {
    const GUARDS: u64 = ONES << 15;
    let at_least = ((a | GUARDS) - b) & GUARDS;
    (at_least >> 15) * 0xffff
}

trait MinLanes {
    fn min_lanes(self, other: u64) -> u64;
}

impl MinLanes for u64 {
    /// The smaller number of each lane.
    #[inline]
    fn min_lanes(self, other: u64) -> u64 {
        let more = everywhere(self, other);
        other & more | self & !more
    }
}

/// The `n`th highest of `count` cards; none if `n` is 0.
#[inline]
fn nth(cards: u64, count: i32, n: i32) -> u64 {
    if n == 0 {
        return 0;
    }
    let mut cards = cards;
    for _ in n..count {
        cards &= cards - 1;
    }
    lowest(cards)
}
