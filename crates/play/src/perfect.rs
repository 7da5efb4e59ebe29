//! Play with all cards known, for games that the double-dummy solver does not
//! know: a search to the end of the board.

use std::collections::HashMap;

use setrograde_beliefs::{Game, State};
use setrograde_cards::Hand;

use crate::thumb;

/// The bounds on the margin of party 0 over party 1, counted from some position on.
#[derive(Clone, Copy)]
struct Margin {
    low: i32,
    high: i32,
}

const FAR: i32 = 1 << 20;

/// A position at the start of a trick: the hands, the leader, and the parties with a trick, for
/// games that pay for taking all of them.
type PositionKey = ([Hand; 4], u8, [bool; 2]);

/// A search of a game of two parties, and its results so far.
#[derive(Default)]
pub(crate) struct Perfect {
    seen: HashMap<PositionKey, Margin>,
}

/// Maximum number of stored positions.
const MOST_SEEN: usize = 1 << 18;

impl Perfect {
    /// Returns the difference of party 0's result from party 1's at the end of the board. All seats
    /// play with all cards known from `exact` tricks before the end, and by rules of thumb before
    /// that.
    pub(crate) fn margin<G: Game>(&mut self, game: &G, mut state: State, exact: usize) -> i32 {
        let far = |state: &State| {
            let left = state.tricks_left();
            left > exact || left == exact && !state.trick().is_empty()
        };
        while !state.is_over() && far(&state) {
            let card = thumb::card_with_all_seen(game, &state);
            state.play(game, card);
        }
        if self.seen.len() > MOST_SEEN {
            self.seen.clear();
        }
        points_ahead(&state) + self.ahead(game, &state, -FAR, FAR)
    }

    /// The margin of party 0 from here on.
    fn ahead<G: Game>(&mut self, game: &G, state: &State, mut low: i32, mut high: i32) -> i32 {
        if state.is_over() {
            let results = game.result(state.tally(), 0) - game.result(state.tally(), 1);
            return results - points_ahead(state);
        }
        let tricks = state.tally().tricks;
        let leader = state.to_play().index() as u8;
        let key = (*state.hands(), leader, [tricks[0] > 0, tricks[1] > 0]);
        let boundary = state.trick().is_empty();
        if boundary && let Some(bounds) = self.seen.get(&key) {
            if bounds.low >= high || bounds.low == bounds.high {
                return bounds.low;
            }
            if bounds.high <= low {
                return bounds.high;
            }
            low = low.max(bounds.low);
            high = high.min(bounds.high);
        }
        let (alpha, beta) = (low, high);
        let maximizes = game.party(state.to_play()) == 0;
        let mut best = if maximizes { -FAR } else { FAR };
        let first = thumb::card_with_all_seen(game, state);
        let others = state.legal(game) - first.into();
        for card in std::iter::once(first).chain(others) {
            let after = state.after(game, card);
            let won = points_ahead(&after) - points_ahead(state);
            let value = won + self.ahead(game, &after, low - won, high - won);
            if maximizes {
                best = best.max(value);
                low = low.max(value);
            } else {
                best = best.min(value);
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        if boundary {
            let unknown = Margin {
                low: -FAR,
                high: FAR,
            };
            let bounds = self.seen.entry(key).or_insert(unknown);
            if best > alpha {
                bounds.low = bounds.low.max(best);
            }
            if best < beta {
                bounds.high = bounds.high.min(best);
            }
        }
        best
    }
}

fn points_ahead(state: &State) -> i32 {
    let points = state.tally().points;
    i32::from(points[0]) - i32::from(points[1])
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use setrograde_cards::{Card, Seat};

    use super::*;
    use setrograde_beliefs::{Jass, Mode};

    /// Plain minimax on results.
    fn minimax(game: &Jass, state: &State) -> i32 {
        if state.is_over() {
            return game.result(state.tally(), 0) - game.result(state.tally(), 1);
        }
        let values = state
            .legal(game)
            .iter()
            .map(|card| minimax(game, &state.after(game, card)));
        let best = match game.party(state.to_play()) {
            0 => values.max(),
            _ => values.min(),
        };
        best.expect("a card")
    }

    #[test]
    fn the_search_agrees_with_minimax() {
        let mut rng = Rng::with_seed(3);
        for round in 0..130 {
            let cards = if round < 120 { 3 } else { 4 };
            let game = Jass::new(Mode::ALL[round % 6], Seat::West, 9);
            let mut pack: Vec<Card> = game.pack().iter().collect();
            rng.shuffle(&mut pack);
            let hands = std::array::from_fn(|seat| {
                pack.iter()
                    .skip(seat)
                    .step_by(4)
                    .take(cards)
                    .copied()
                    .collect()
            });
            let state = State::new(&game, hands);
            let found = Perfect::default().margin(&game, state, 9);
            assert_eq!(found, minimax(&game, &state), "{game:?} {hands:?}");
        }
    }
}
