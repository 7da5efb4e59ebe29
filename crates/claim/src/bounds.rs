//! Tricks that can be counted at sight.

use crate::case::Case;
use crate::lanes::{above, count, lane, top};
use crate::seating::{Role, Seating};
use crate::state::State;

/// Tricks counted at sight, and the cards whose ranks they rest on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub tricks: u8,
    pub used: u64,
}

impl Count {
    /// A trick for each of `cards`.
    fn of(cards: u64) -> Count {
        Count {
            tricks: cards.count_ones() as u8,
            used: cards,
        }
    }

    fn better(self, other: Count) -> Count {
        if other.tricks > self.tricks {
            other
        } else {
            self
        }
    }
}

/// Tricks that are sure when `seat` is to lead: a lower bound.
pub(crate) fn sure(seating: &Seating, state: &State, seat: usize) -> Count {
    match seating.roles[seat] {
        Role::Visible(who, true) if seating.has_partner() => cash(seating, state, who),
        Role::Visible(who, true) => cash_alone(seating, state, who),
        _ => master_trumps(seating, state),
    }
}

/// The top trumps of one hand of the claimer: they win, no matter what is led.
fn master_trumps(seating: &Seating, state: &State) -> Count {
    let Some(trump) = seating.trump else {
        return Count::default();
    };
    let trumps = lane(trump);
    let of = |who: usize| {
        let others = (state.unseen | state.visible[1 - who]) & trumps;
        Count::of(above(state.visible[who] & trumps, others))
    };
    match seating.has_partner() {
        true => of(0).better(of(1)),
        false => of(0),
    }
}

/// The winners of a hand that gets no help, where dummy is an opponent.
fn cash_alone(seating: &Seating, state: &State, who: usize) -> Count {
    let hand = state.visible[who];
    let others = state.unseen | state.visible[1 - who];
    let winners = |suit: usize| above(hand & lane(suit), others & lane(suit));
    match seating.trump {
        Some(trump) if others & lane(trump) != 0 => Count::of(winners(trump)),
        _ => Count::of((0..4).map(winners).fold(0, |all, more| all | more)),
    }
}

/// Winners of the hand that leads, and those of its partner if it can reach
/// them: the paper's rule for quick tricks, with its rules B and C repaired. A
/// side suit is led while trumps are out only as long as both hidden hands must
/// follow, and before any trick on which they could discard.
fn cash(seating: &Seating, state: &State, leader: usize) -> Count {
    let (mine, partners) = (state.visible[leader], state.visible[1 - leader]);
    // How many rounds of each suit the leader wins if nobody ruffs.
    let mut used = 0;
    let mut rounds = [0_u8; 4];
    for (suit, rounds) in rounds.iter_mut().enumerate() {
        let mask = lane(suit);
        let unseen = top(state.unseen & mask);
        let exhausted = state.longest(suit);
        let (mut own, mut other) = (mine & mask, partners & mask);
        while own != 0 {
            let card = top(own);
            let follows = other & other.wrapping_neg();
            let wins = card > unseen || *rounds >= exhausted;
            if !wins || follows > card {
                break;
            }
            own ^= card;
            other ^= follows;
            *rounds += 1;
            used |= card;
        }
    }
    let trump = seating.trump;
    let out = trump.is_some_and(|trump| state.unseen & lane(trump) != 0);
    let drawn = !out || trump.is_some_and(|trump| rounds[trump] >= state.longest(trump));
    if !drawn {
        for (suit, rounds) in rounds.iter_mut().enumerate() {
            if Some(suit) != trump {
                *rounds = (*rounds).min(followed(seating, state, suit));
            }
        }
    }

    let (mut won, mut discards, mut spare) = (0, 0, 0);
    for (suit, &rounds) in rounds.iter().enumerate() {
        let held = count(partners, suit);
        won += rounds;
        discards += rounds.saturating_sub(held);
        if Some(suit) != trump {
            spare += held.saturating_sub(rounds);
        }
    }
    if discards > spare {
        // The partner would have to ruff.
        if trump.is_some() {
            won -= discards - spare;
        }
        return Count { tricks: won, used };
    }
    if !drawn || trump.is_some_and(|trump| count(mine, trump) > rounds[trump]) {
        return Count { tricks: won, used };
    }
    // The leader's other cards lie below what is unseen, or below all of the
    // partner's: it may cross to the partner's winners.
    let (mut theirs, mut losers, mut reached) = (0, 0, false);
    let mut higher = 0;
    for (suit, &rounds) in rounds.iter().enumerate() {
        let mask = lane(suit);
        let left = count(partners, suit).saturating_sub(rounds);
        let high = above(partners & mask, state.unseen & mask);
        let winners = match Some(suit) == trump {
            true => left,
            false => left.min(high.count_ones() as u8),
        };
        let low = mine & mask & (mine & mask).wrapping_neg();
        theirs += winners;
        higher |= high;
        losers += left - winners;
        reached |= winners > 0 && count(mine, suit) > rounds && low < top(high);
    }
    if reached {
        won += theirs.saturating_sub(discards.saturating_sub(losers));
        used |= higher;
    }
    Count { tricks: won, used }
}

/// For how many rounds every hidden hand that may have a trump must follow.
fn followed(seating: &Seating, state: &State, suit: usize) -> u8 {
    let Some(trump) = seating.trump else {
        return 13;
    };
    let of = |case: &Case| {
        let least = |who: usize| match case.most(who, trump, state.unseen) {
            0 => 13,
            _ => case.least(who, suit, state.unseen),
        };
        least(0).min(least(1))
    };
    state.cases.iter().map(of).min().unwrap_or(0)
}

/// Tricks that the other side takes in some layout: top trumps of one hidden
/// hand, and the winners of a hidden hand that is to lead.
pub(crate) fn lost(seating: &Seating, state: &State, seat: usize) -> Count {
    let visible = state.visible[0] | state.visible[1];
    let mut most = Count::default();
    for who in 0..2 {
        if seating.is_ours(seating.hidden[who]) {
            continue;
        }
        let leads = seating.roles[seat] == Role::Hidden(who);
        for case in &state.cases {
            let mut pinned = *case;
            let mut lost = 0;
            for suit in 0..4 {
                let ruffed = |hand: u64| {
                    let trumps = seating.trump.map_or(0, |trump| hand & lane(trump));
                    if trumps == 0 { 13 } else { count(hand, suit) }
                };
                let safe = if seating.trump == Some(suit) {
                    13
                } else if leads && seating.has_partner() {
                    ruffed(state.visible[0]).min(ruffed(state.visible[1]))
                } else {
                    0
                };
                let others = visible & lane(suit) | case.pinned[1 - who] & lane(suit);
                let mut winners = above(state.unseen & lane(suit), others);
                for _ in 0..safe {
                    let card = top(winners);
                    if card == 0 {
                        break;
                    }
                    winners ^= card;
                    let mut more = pinned;
                    more.pinned[who] |= card;
                    match more.normal(state.unseen, state.cards) {
                        Some(more) if more.pinned[who] & card != 0 => pinned = more,
                        _ => break,
                    }
                    lost |= card;
                }
            }
            most = most.better(Count::of(lost));
        }
    }
    most
}
