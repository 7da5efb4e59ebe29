//! Quick tricks: those that the side on lead can cash at once.

use crate::lanes::{
    LANE, ONES, at_least, counts, from_highest_down, highest, lowest, min_lanes, suit_mask,
    sum_of_lanes,
};
use crate::proofs::sure_trumps;
use crate::state::State;

/// Returns the cards that prove that the side of `leader`, who is on lead, takes at least `goal`
/// tricks, or `None`.
///
/// The count stops as soon as it suffices, so no card is named needlessly.
pub(crate) fn reaches(state: &State, leader: usize, goal: i32) -> Option<u64> {
    if state.has_trumps()
        && let Some(ranks) = sure_trumps::reaches(state, leader, goal)
    {
        return Some(ranks);
    }
    let winners = SuitWinners::new(state, leader);
    if winners.at_most(state.shape, leader) < goal {
        return None;
    }
    let mut count = TrickCount {
        goal,
        ..TrickCount::default()
    };
    for suit in (0..4).rev() {
        let held = SuitTricks::new(state, &winners, leader, suit);
        if held.own_length + held.partner_length == 0 {
            if held.is_trump {
                count.enemy_trumps = [held.left_length, held.right_length];
            }
            continue;
        }
        let cashed = count.cash(&held);
        if count.tricks >= goal {
            return Some(count.ranks);
        }
        count.add_partner(&held, &cashed);
    }
    count.with_partner()
}

/// The cards that nobody can beat.
struct SuitWinners {
    /// The leader's.
    own: u64,
    own_counts: u64,
    /// The partner's, which only the leader's own winners could beat.
    partner: u64,
    partner_counts: u64,
}

impl SuitWinners {
    #[inline]
    fn new(state: &State, leader: usize) -> SuitWinners {
        let [left, partner, right] = [1, 2, 3].map(|n| state.hands[(leader + n) & 3]);
        let enemies = left | right;
        let hand = state.hands[leader];
        let own = hand & !from_highest_down(partner | enemies);
        let partner = partner & !from_highest_down(enemies | (hand & !own));
        SuitWinners {
            own,
            own_counts: counts(own),
            partner,
            partner_counts: counts(partner),
        }
    }

    /// An upper bound of the count: as if nobody could ruff and the partner could always be
    /// reached. All suits at once, a lane each.
    #[inline]
    fn at_most(&self, shape: u64, leader: usize) -> i32 {
        let lengths = |seat: usize| shape >> (4 * ((leader + seat) & 3)) & (ONES * 15);
        let [own, left, partner, right] = [0, 1, 2, 3].map(lengths);
        let tops = self.own_counts;
        // If the other hands run out of the suit before the top cards do, the full length counts.
        let long = at_least(tops, left) & at_least(tops, partner) & at_least(tops, right);
        let own_tricks = own & long | tops & !long;
        let both = tops + self.partner_counts;
        let partner_long = at_least(both, left) & at_least(both, own) & at_least(both, right);
        let room = partner - min_lanes(tops, partner);
        let partner_tricks =
            room & partner_long | min_lanes(room, self.partner_counts) & !partner_long;
        let has_winners = at_least(self.partner_counts, ONES);
        sum_of_lanes(own_tricks + (partner_tricks & has_winners)) as i32
    }
}

/// A suit as the side on lead sees it.
struct SuitTricks {
    is_trump: bool,
    /// The leader's cards.
    own: u64,
    own_length: i32,
    left_length: i32,
    partner_length: i32,
    right_length: i32,
    winners: u64,
    winner_count: i32,
    partner_winners: u64,
    partner_winner_count: i32,
}

impl SuitTricks {
    #[inline]
    fn new(state: &State, winners: &SuitWinners, leader: usize, suit: usize) -> SuitTricks {
        let mask = suit_mask(suit);
        let length = |n: usize| state.length((leader + n) & 3, suit) as i32;
        let lane = |counts: u64| (counts >> (LANE as usize * suit)) as i32 & 15;
        SuitTricks {
            is_trump: suit == 3 && state.has_trumps(),
            own: state.hands[leader] & mask,
            own_length: length(0),
            left_length: length(1),
            partner_length: length(2),
            right_length: length(3),
            winners: winners.own & mask,
            winner_count: lane(winners.own_counts),
            partner_winners: winners.partner & mask,
            partner_winner_count: lane(winners.partner_counts),
        }
    }
}

/// The leader's cashed tricks in a suit.
struct Cashed {
    tricks: i32,
    /// The cards that the leader still has of it, if they matter.
    rest: u64,
    /// True if nobody can ruff.
    drawn: bool,
    /// Rounds that nobody can ruff.
    safe: i32,
}

/// The count so far.
#[derive(Default)]
struct TrickCount {
    goal: i32,
    /// The leader's own tricks, and the lowest cards that prove them.
    tricks: i32,
    ranks: u64,
    /// Trumps that the enemies have once the leader's best are drawn.
    enemy_trumps: [i32; 2],
    /// The leader's cards in the suits seen.
    hand_size: i32,
    /// The partner's winners, what proves them, and how many of the leader's
    /// tricks the partner follows to in the same suits.
    partner_tricks: i32,
    partner_ranks: u64,
    partner_follows: i32,
    /// The cards that the partner discards on the leader's trumps.
    drawn_from_partner: i32,
    /// True if the leader can reach the partner.
    entry: bool,
}

impl TrickCount {
    /// Cashes the leader's winners of a suit.
    #[inline]
    fn cash(&mut self, suit: &SuitTricks) -> Cashed {
        self.hand_size += suit.own_length;
        // Rounds that nobody can ruff.
        let mut safe = 13;
        let [left_trumps, right_trumps] = self.enemy_trumps;
        if !suit.is_trump {
            if left_trumps > 0 {
                safe = suit.left_length;
            }
            if right_trumps > 0 {
                safe = safe.min(suit.right_length);
            }
        }
        let drawn = suit.is_trump || left_trumps + right_trumps == 0;
        let mut tricks = 0;
        let mut rest = suit.own;
        if suit.own != 0 {
            let longest = suit
                .left_length
                .max(suit.right_length)
                .max(suit.partner_length);
            if drawn && longest <= suit.winner_count {
                // Once everybody else is out of the suit, the rest is good.
                tricks = suit.own_length;
                self.ranks |= nth(suit.winners, suit.winner_count, longest);
                rest = 0;
            } else {
                tricks = suit.winner_count.min(safe);
                if tricks > 0 {
                    let enough = tricks.min(self.goal - self.tricks);
                    let low = nth(suit.winners, suit.winner_count, enough);
                    self.ranks |= low;
                    rest = suit.own & (low - 1);
                }
            }
            self.tricks += tricks;
        }
        if suit.is_trump {
            self.enemy_trumps =
                [suit.left_length, suit.right_length].map(|length| (length - tricks).max(0));
            self.drawn_from_partner = (tricks - suit.partner_length).max(0);
        }
        Cashed {
            tricks,
            rest,
            drawn,
            safe,
        }
    }

    /// Adds the tricks that the partner can take in a suit once it is on lead.
    #[inline]
    fn add_partner(&mut self, suit: &SuitTricks, cashed: &Cashed) {
        let room = suit.partner_length - cashed.tricks;
        if room <= 0
            || suit.partner_winners == 0
            || (suit.own != 0 && cashed.rest == 0)
            || cashed.rest & suit.winners != 0
        {
            return;
        }
        let enemies = suit.left_length.max(suit.right_length);
        let rounds = enemies.max(suit.own_length) - cashed.tricks;
        let winners = suit.partner_winner_count;
        let count = if cashed.drawn && rounds <= winners && rounds <= room {
            self.partner_ranks |= nth(suit.partner_winners, winners, rounds.max(0));
            room
        } else {
            let count = winners.min(room).min(cashed.safe - cashed.tricks);
            if count > 0 {
                self.partner_ranks |= nth(suit.partner_winners, winners, count);
            }
            count
        };
        if count > 0 {
            self.partner_tricks += count;
            self.partner_follows += cashed.tricks;
            // The leader reaches the partner with a card of this suit that the
            // partner's best beats.
            if cashed.rest != 0 {
                self.entry = true;
                self.partner_ranks |= highest(suit.partner_winners);
            }
        }
    }

    /// The proof with the partner's tricks, if they reach the goal.
    #[inline]
    fn with_partner(&self) -> Option<u64> {
        let tricks = self.tricks + self.partner_tricks.min(self.hand_size - self.tricks);
        let discards = self.hand_size - self.partner_tricks - self.partner_follows;
        let reached = self.entry
            && tricks >= self.goal
            && (self.drawn_from_partner == 0 || discards >= self.drawn_from_partner);
        reached.then_some(self.ranks | self.partner_ranks)
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
