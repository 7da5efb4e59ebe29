//! Tricks that can be counted without search.
//!
//! A count names the cards whose ranks it depends on. It names only as many as the target needs,
//! because with fewer cards the answer holds for more states.

use crate::knowledge::case::{Case, Hidden};
use crate::knowledge::state::{Role, Seating, State};
use crate::lanes::{above, count, lane, top, union};

/// Tricks counted without search, and the cards whose ranks they depend on.
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

    /// Drops cards that are not needed for `need` tricks, the lowest first.
    fn highest(mut self, need: u8) -> Count {
        while self.tricks > need {
            let longest = (0..4)
                .map(|suit| self.used & lane(suit))
                .max_by_key(|cards| cards.count_ones())
                .expect("there are four suits");
            self.used &= !(longest & longest.wrapping_neg());
            self.tricks -= 1;
        }
        self
    }

    fn better(self, other: Count) -> Count {
        if other.tricks > self.tricks {
            other
        } else {
            self
        }
    }
}

/// Tricks that are sure when `seat` is to lead: a lower bound, by which `need` are
/// sure or not.
pub(crate) fn sure(seating: &Seating, state: &State, seat: usize, need: u8) -> Count {
    match seating.roles[seat] {
        Role::Ours(who) if seating.has_partner() => cash(seating, state, who, need),
        Role::Ours(who) => cash_alone(seating, state, who).highest(need),
        _ => master_trumps(seating, state).highest(need),
    }
}

/// The top trumps of one of the claimer's hands, which win whatever is led.
fn master_trumps(seating: &Seating, state: &State) -> Count {
    let Some(trump) = seating.trump else {
        return Count::default();
    };
    let trumps = lane(trump);
    let of = |who: usize| {
        let others = (state.unseen | state.visible[1 - who]) & trumps;
        Count::of(above(state.visible[who] & trumps, others))
    };
    if seating.has_partner() {
        of(0).better(of(1))
    } else {
        of(0)
    }
}

/// The winners of a hand without help, if dummy is an opponent.
fn cash_alone(seating: &Seating, state: &State, who: usize) -> Count {
    let hand = state.visible[who];
    let others = state.unseen | state.visible[1 - who];
    let winners = |suit: usize| above(hand & lane(suit), others & lane(suit));
    match seating.trump {
        Some(trump) if others & lane(trump) != 0 => Count::of(winners(trump)),
        _ => Count::of(union((0..4).map(winners))),
    }
}

/// The rounds of each suit that the hand on lead wins without ruffs.
struct SideWinners {
    rounds: [u8; 4],
    /// The card that wins each round; none if its rank does not matter.
    cards: [[u64; 13]; 4],
}

impl SideWinners {
    fn new(state: &State, leader: usize) -> SideWinners {
        let mut winners = SideWinners {
            rounds: [0; 4],
            cards: [[0; 13]; 4],
        };
        for suit in 0..4 {
            let mask = lane(suit);
            let unseen = top(state.unseen & mask);
            let exhausted = state.longest(suit);
            let mut own = state.visible[leader] & mask;
            let mut other = state.visible[1 - leader] & mask;
            for (round, winner) in winners.cards[suit].iter_mut().enumerate() {
                let card = top(own);
                let follows = other & other.wrapping_neg();
                let alone = round >= usize::from(exhausted);
                if card == 0 || follows > card || card < unseen && !alone {
                    break;
                }
                own ^= card;
                other ^= follows;
                // A card of a suit that nobody else has wins by length.
                *winner = if alone && follows == 0 { 0 } else { card };
                winners.rounds[suit] += 1;
            }
        }
        winners
    }

    /// The cards whose ranks matter.
    fn used(&self) -> u64 {
        let used = |suit: usize| {
            let cards = &self.cards[suit][..usize::from(self.rounds[suit])];
            union(cards.iter().copied())
        };
        union((0..4).map(used))
    }

    /// The number of a suit's cards whose owners matter for its last round; 0 if that wins by
    /// length, or if there is no round.
    fn depth(&self, suit: usize, held: u64) -> u32 {
        let last = self.rounds[suit].checked_sub(1);
        let card = last.map_or(0, |last| self.cards[suit][usize::from(last)]);
        match card {
            0 => 0,
            card => (held & lane(suit) & !(card - 1)).count_ones(),
        }
    }

    /// The number of the partner's discards on these rounds, and of its cards that are neither
    /// trumps nor cards of the suit led.
    fn discards(&self, partners: u64, trump: Option<usize>) -> (u8, u8) {
        let (mut discards, mut spare) = (0, 0);
        for (suit, &rounds) in self.rounds.iter().enumerate() {
            let held = count(partners, suit);
            discards += rounds.saturating_sub(held);
            if Some(suit) != trump {
                spare += held.saturating_sub(rounds);
            }
        }
        (discards, spare)
    }
}

/// Winners of the hand that leads, and those of its partner if it can reach
/// them: the paper's rule for quick tricks, with its rules B and C repaired. A
/// side suit is led while trumps are out only as long as both hidden hands must
/// follow, and before any trick on which they could discard.
fn cash(seating: &Seating, state: &State, leader: usize, need: u8) -> Count {
    let (mine, partners) = (state.visible[leader], state.visible[1 - leader]);
    let mut winners = SideWinners::new(state, leader);
    let trump = seating.trump;
    let out = trump.filter(|&trump| state.unseen & lane(trump) != 0);
    let drawn = out.is_none_or(|trump| winners.rounds[trump] >= state.longest(trump));
    if !drawn {
        for (suit, rounds) in winners.rounds.iter_mut().enumerate() {
            if Some(suit) != trump {
                *rounds = (*rounds).min(followed(seating, state, suit));
            }
        }
    }

    let mut won: u8 = winners.rounds.iter().sum();
    let (discards, spare) = winners.discards(partners, trump);
    if discards > spare {
        // The partner would have to ruff.
        return Count {
            tricks: won - trump.map_or(0, |_| discards - spare),
            used: winners.used(),
        };
    }
    while won > need {
        // All trumps that draw others are needed.
        let draws =
            |suit: usize| drawn && out == Some(suit) && winners.rounds[suit] <= state.longest(suit);
        let held = state.held();
        let depth = |suit: usize| {
            if draws(suit) {
                0
            } else {
                winners.depth(suit, held)
            }
        };
        let suit = (0..4)
            .max_by_key(|&suit| depth(suit))
            .expect("there are four suits");
        if depth(suit) == 0 {
            break;
        }
        winners.rounds[suit] -= 1;
        won -= 1;
    }
    let mut used = winners.used();
    let ruffs = trump.is_some_and(|trump| count(mine, trump) > winners.rounds[trump]);
    if won >= need || !drawn || ruffs {
        return Count { tricks: won, used };
    }
    // The leader's other cards are lower than all unseen cards, or than all of the partner's: the
    // leader can reach the partner's winners.
    let (mut theirs, mut reached) = (0, false);
    let mut higher = 0;
    for (suit, &rounds) in winners.rounds.iter().enumerate() {
        let mask = lane(suit);
        let left = count(partners, suit).saturating_sub(rounds);
        let high = above(partners & mask, state.unseen & mask);
        let winners = if Some(suit) == trump {
            left
        } else {
            left.min(high.count_ones() as u8)
        };
        let low = mine & mask & (mine & mask).wrapping_neg();
        theirs += winners;
        higher |= high;
        reached |= winners > 0 && count(mine, suit) > rounds && low < top(high);
    }
    if reached {
        // Partner discards a winner only if all its other cards win or have been played:
        // then every trick is won.
        won = (won + theirs).min(mine.count_ones() as u8);
        used |= higher;
    }
    Count { tricks: won, used }
}

/// Returns the number of rounds in which every hidden hand that may have a trump must follow.
fn followed(seating: &Seating, state: &State, suit: usize) -> u8 {
    let Some(trump) = seating.trump else {
        return 13;
    };
    let of = |case: &Case| {
        let least = |hand: Hidden| match case.most(hand, trump, state.unseen) {
            0 => 13,
            _ => case.least(hand, suit, state.unseen),
        };
        least(Hidden::First).min(least(Hidden::Second))
    };
    state.cases.iter().map(of).min().unwrap_or(0)
}

/// Tricks that the other side takes in some layout: top trumps of one hidden hand, and the winners
/// of a hidden hand that is to lead. The only question is whether it takes `enough`.
pub(crate) fn lost(seating: &Seating, state: &State, seat: usize, enough: u8) -> Count {
    let visible = union(state.visible);
    let mut most = Count::default();
    for hand in Hidden::BOTH {
        let who = hand.index();
        if seating.is_ours(seating.hidden[who]) {
            continue;
        }
        let leads = seating.roles[seat] == Role::Hidden(hand);
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
                    let Some(more) = more.normal(state.unseen, state.cards) else {
                        break;
                    };
                    pinned = more;
                    lost |= card;
                }
            }
            most = most.better(Count::of(lost));
            if most.tricks >= enough {
                return most.highest(enough);
            }
        }
    }
    most
}
