//! The cards worth trying: one or two of each run of equal cards.

use crate::knowledge::state::State;
use crate::lanes::lane;
use crate::search::trick::Trick;

/// A card to try, and the run of equal cards that it stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub card: u64,
    pub run: u64,
}

/// Up to 26 moves, the first to be tried first.
pub(crate) type Moves = smallvec::SmallVec<[Move; 8]>;

/// Calls `found` with each run of `cards` between which no card of `all` lies:
/// its cards from the top down.
#[inline]
fn for_each_run(cards: u64, all: u64, mut found: impl FnMut(&[u64])) {
    let mut run = [0; 13];
    for suit in 0..4 {
        let mut left = cards & lane(suit);
        let mut others = all & lane(suit) & !cards;
        let mut len = 0;
        while left != 0 {
            let card = 1 << (63 - left.leading_zeros());
            left &= !card;
            let above = others & !(card - 1);
            if above != 0 {
                if len > 0 {
                    found(&run[..len]);
                    len = 0;
                }
                others &= !above;
            }
            run[len] = card;
            len += 1;
        }
        if len > 0 {
            found(&run[..len]);
        }
    }
}

/// The cards that separate others: all that are held, and the one that is
/// winning the trick.
#[inline]
fn separators(state: &State, trick: Option<&Trick>) -> u64 {
    state.held() | trick.map_or(0, |trick| trick.winning)
}

/// The cards that a visible hand may play, the lowest of each run of equal cards.
pub(crate) fn of_visible(state: &State, who: usize, trick: Option<&Trick>) -> Moves {
    let hand = state.visible[who];
    let pool = match trick {
        Some(trick) if hand & lane(trick.led) != 0 => hand & lane(trick.led),
        _ => hand,
    };
    let mut moves = Moves::new();
    for_each_run(pool, separators(state, trick), |run| {
        let card = run.last().copied().unwrap_or(0);
        moves.push(Move {
            card,
            run: union(run),
        });
    });
    moves
}

/// The cards that a hidden hand may play in some layout.
///
/// Unseen cards of which nobody holds one between, and of which the same is
/// known, form a run. If the other hidden hand has played already, all are
/// equal. If not, it may hold the rest of the run and decide with it who wins;
/// a middle card leaves it the choice, which includes what the highest and the
/// lowest lead to. A run of two has no middle card, so both are tried.
pub(crate) fn of_hidden(
    state: &State,
    who: usize,
    trick: Option<&Trick>,
    other_to_come: bool,
) -> Moves {
    let led = trick.map(|trick| trick.led);
    let pool = state.playable(who, led);
    let mut moves = Moves::new();
    for_each_run(pool, separators(state, trick), |run| {
        let mut start = 0;
        while start < run.len() {
            let same = |&&card: &&u64| {
                state.cases.iter().all(|case| {
                    let same = |who: usize| {
                        (case.pinned[who] & card == 0) == (case.pinned[who] & run[start] == 0)
                    };
                    same(0) && same(1)
                })
            };
            let len = run[start..].iter().take_while(same).count();
            let end = start + len;
            let theirs = state
                .cases
                .iter()
                .all(|case| case.pinned[who] & run[start] != 0);
            let equal = union(&run[start..end]);
            let mut push = |card| moves.push(Move { card, run: equal });
            match len {
                2 if other_to_come && !theirs => {
                    push(run[start]);
                    push(run[end - 1]);
                }
                3.. if other_to_come && !theirs => push(run[end - 2]),
                _ => push(run[end - 1]),
            }
            start = end;
        }
    });
    moves
}

/// Sorts moves, those with the highest score first.
pub(crate) fn sort(moves: &mut Moves, score: impl Fn(u64) -> i64) {
    moves.sort_by_cached_key(|step| -score(step.card));
}

fn union(cards: &[u64]) -> u64 {
    cards.iter().fold(0, |all, card| all | card)
}
