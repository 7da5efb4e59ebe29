//! The order of cards in following to a trick.
//!
//! The conditions are the published ones of DDS; the numbers were then tuned for
//! few nodes. A trick counts as won if it is with best play by both sides.

use crate::lanes::{highest, lowest, rank, suit_mask};
use crate::moves::list::{Moves, for_each_run, has_equal};
use crate::state::{State, Trick};

/// Lists the cards for the seat to play with their weights; `N` cards are on the
/// table.
#[inline]
pub(crate) fn fill<const N: usize>(state: &State, trick: &Trick, moves: &mut Moves) {
    let seat = (trick.leader + N) & 3;
    let hand = state.hands[seat];
    let held = hand & trick.led_mask;
    if held != 0 {
        let all = state.all & trick.led_mask;
        let others = all & !held;
        for_each_run(held, others, |card| {
            let weight = follow::<N>(state, trick, held, card);
            moves.push(card, weight - rank(card));
        });
    } else {
        for suit in 0..4 {
            let mask = suit_mask(suit);
            let held = hand & mask;
            if held == 0 {
                continue;
            }
            let all = state.all & mask;
            let length = state.length(seat, suit) as i32;
            // Discards from long suits, but not from a guarded second best.
            let mut add = length * 57 / 16;
            if length == 2 {
                let rest = all & !highest(all);
                if rest != 0 && held & highest(rest) != 0 {
                    add -= 3;
                }
            }
            let mut best = (i32::MIN, 0);
            for_each_run(held, all & !held, |card| {
                let weight = discard::<N>(state, trick, card) + add - rank(card);
                if weight > best.0 {
                    best = (weight, moves.len());
                }
                moves.push(card, weight);
            });
            // A card of each suit before the second of any.
            moves.add_weight(best.1, 60);
        }
    }
}

/// The highest useful card that a seat can play: 0 if it can neither follow suit nor ruff.
#[inline]
fn best_reply(state: &State, trick: &Trick, seat: usize) -> u64 {
    let hand = state.hands[seat];
    let led = hand & trick.led_mask;
    if led != 0 { led } else { hand & state.trumps }
}

/// Returns the weight of a card of the suit led, apart from its rank.
#[inline]
fn follow<const N: usize>(state: &State, trick: &Trick, held: u64, card: u64) -> i32 {
    let beats = trick.is_beaten_by(card, state.trumps);
    let partner_winning = trick.winner == (trick.leader + N + 2) & 3;
    match N {
        1 => second_hand(state, trick, held, card, beats),
        2 => third_hand(state, trick, held, card, beats, partner_winning),
        _ if partner_winning || beats => 30,
        _ => 14,
    }
}

/// Returns what [`follow`] does with one card on the table.
#[inline]
fn second_hand(state: &State, trick: &Trick, held: u64, card: u64, beats: bool) -> i32 {
    let others = state.all & trick.led_mask & !held;
    let third = (trick.leader + 2) & 3;
    let fourth = (trick.leader + 3) & 3;
    let third_best = best_reply(state, trick, third);
    let fourth_best = best_reply(state, trick, fourth);
    let wins = (card | fourth_best) > (trick.best | third_best);
    let leader_led = state.hands[trick.leader] & trick.led_mask;
    let third_led = state.hands[third] & trick.led_mask;
    let fourth_led = state.hands[fourth] & trick.led_mask;
    if wins {
        if third_led != 0 && lowest(third_led) > card {
            42
        } else if fourth_led > trick.best && between(fourth_led, trick.best, leader_led) {
            40
        } else if beats {
            if fourth_led != 0 && card < lowest(fourth_led) {
                75
            } else if card > leader_led {
                47
            } else if has_equal(held, others, card) {
                54
            } else {
                75
            }
        } else if fourth_led != 0 && has_equal(held, others, card) {
            42
        } else {
            37
        }
    } else if (third_led != 0 && lowest(third_led) > card)
        || (fourth_led != 0 && lowest(fourth_led) > card)
    {
        8
    } else if beats {
        if has_equal(held, others, card) {
            30
        } else {
            14
        }
    } else {
        0
    }
}

/// Returns what [`follow`] does with two cards on the table.
#[inline]
fn third_hand(
    state: &State,
    trick: &Trick,
    held: u64,
    card: u64,
    beats: bool,
    partner_winning: bool,
) -> i32 {
    let all = state.all & trick.led_mask;
    let others = all & !held;
    let fourth_best = best_reply(state, trick, (trick.leader + 3) & 3);
    let best_ours = if beats {
        card
    } else if partner_winning {
        trick.best
    } else {
        0
    };
    let wins = best_ours != 0 && best_ours > fourth_best;
    if wins {
        60
    } else if beats {
        let rest = all & !highest(all);
        if rest != 0 && card == highest(rest) {
            25 + rank(card)
        } else if has_equal(held, others, card) {
            20
        } else {
            10
        }
    } else {
        -10
    }
}

/// Returns true if `cards` has one above `low` and below the highest of `high`.
#[inline]
fn between(cards: u64, low: u64, high: u64) -> bool {
    let cards = cards & !(low | (low - 1));
    cards != 0 && lowest(cards) < high
}

/// Returns the weight of a card of another suit, apart from its suit and rank.
#[inline]
fn discard<const N: usize>(state: &State, trick: &Trick, card: u64) -> i32 {
    let is_trump = card & state.trumps != 0;
    let beats = trick.is_beaten_by(card, state.trumps);
    let partner_winning = trick.winner == (trick.leader + N + 2) & 3;
    match N {
        1 => {
            let third_best = best_reply(state, trick, (trick.leader + 2) & 3);
            let fourth_best = best_reply(state, trick, (trick.leader + 3) & 3);
            let mine = if beats { card } else { 0 };
            let wins = (mine | fourth_best) > (trick.best | third_best);
            match (wins, is_trump) {
                (true, true) => 25,
                (true, false) => 45,
                (false, true) => 17,
                (false, false) => -4,
            }
        }
        2 => {
            let fourth_best = best_reply(state, trick, (trick.leader + 3) & 3);
            let wins = if beats {
                card > fourth_best
            } else {
                partner_winning && trick.best > fourth_best
            };
            if wins {
                if partner_winning {
                    if is_trump { 35 } else { 70 }
                } else if beats {
                    59
                } else if is_trump {
                    15
                } else {
                    30
                }
            } else if beats {
                27
            } else if is_trump {
                -39
            } else {
                -8
            }
        }
        _ => {
            if partner_winning {
                if is_trump { 10 } else { 22 }
            } else if beats {
                40
            } else if is_trump {
                -12
            } else {
                14
            }
        }
    }
}
