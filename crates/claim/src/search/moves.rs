//! The cards worth trying, one or two of each run of equal cards, and their order.

use crate::knowledge::case::Hidden;
use crate::knowledge::state::{Role, Seating, State};
use crate::lanes::{following, lane, suit_of, top, union};
use crate::search::node::{Node, Trick};
use setrograde_cards::Sorting;

/// A card to try, and the run of equal cards that it represents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub card: u64,
    pub run: u64,
}

/// Up to 26 moves, the first to be tried first.
pub(crate) type MoveList = smallvec::SmallVec<[Move; 8]>;

/// Calls `found` with each run of `cards` that no card of `all` interrupts: its cards from the top
/// down.
#[inline]
pub(crate) fn for_each_run(cards: u64, all: u64, mut found: impl FnMut(&[u64])) {
    let mut run = [0; 13];
    for suit in 0..4 {
        let mut left = cards & lane(suit);
        let mut others = all & lane(suit) & !cards;
        let mut len = 0;
        while left != 0 {
            let card = 1 << left.ilog2();
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

/// The cards that separate others: all cards in the hands, and the card that is winning the trick.
#[inline]
fn separators(state: &State, trick: Option<&Trick>) -> u64 {
    state.held() | trick.map_or(0, |trick| trick.winning)
}

/// The cards that a visible hand may play, the lowest of each run of equal cards.
fn of_visible(state: &State, who: usize, trick: Option<&Trick>) -> MoveList {
    let pool = following(state.visible[who], trick.map(|trick| trick.led));
    let mut moves = MoveList::new();
    for_each_run(pool, separators(state, trick), |run| {
        let card = *run.last().expect("a run has a card");
        moves.push(Move {
            card,
            run: union(run.iter().copied()),
        });
    });
    moves
}

/// The cards that a hidden hand may play in some layout.
///
/// Unseen cards form a run if no other card is between them and the knowledge about each is the
/// same. If the other hidden hand has played already, all are equal. If it is still `to_come`, it may
/// hold the rest of the run and thereby decide the winner; a middle card leaves it the choice, which includes the
/// results of the highest and the lowest card. A run of two has no middle card, so both are tried.
fn of_hidden(state: &State, hand: Hidden, trick: Option<&Trick>, to_come: bool) -> MoveList {
    let led = trick.map(|trick| trick.led);
    let pool = state.playable(hand, led);
    let mut moves = MoveList::new();
    for_each_run(pool, separators(state, trick), |run| {
        let mut start = 0;
        while start < run.len() {
            let same = |&&card: &&u64| {
                state.cases.iter().all(|case| {
                    let same = |pinned: u64| (pinned & card == 0) == (pinned & run[start] == 0);
                    same(case.pinned[0]) && same(case.pinned[1])
                })
            };
            let len = run[start..].iter().take_while(same).count();
            let end = start + len;
            let theirs = state
                .cases
                .iter()
                .all(|case| case.pinned[hand.index()] & run[start] != 0);
            let equal = union(run[start..end].iter().copied());
            let mut push = |card| moves.push(Move { card, run: equal });
            match len {
                2 if to_come && !theirs => {
                    push(run[start]);
                    push(run[end - 1]);
                }
                3.. if to_come && !theirs => push(run[end - 2]),
                _ => push(run[end - 1]),
            }
            start = end;
        }
    });
    moves
}

/// Sorts moves, those with the highest score first.
fn sort(moves: &mut MoveList, score: impl Fn(u64) -> i64) {
    moves.in_order_by_cached_key(|step| -score(step.card));
}

/// Number of times that a card decided, by seat, cards on the table, and card.
pub(crate) type History = [[[u32; 64]; 4]; 4];

/// No card has decided yet.
pub(crate) const NO_HISTORY: History = [[[0; 64]; 4]; 4];

/// The cards to try at a node, the likeliest first.
pub(crate) fn moves(seating: &Seating, history: &History, node: &Node<'_>) -> MoveList {
    let &Node {
        state, seat, trick, ..
    } = node;
    let mut found = match seating.roles[seat] {
        Role::Ours(who) | Role::Theirs(who) => of_visible(state, who, trick),
        Role::Hidden(hand) => {
            let to_come = seating.other_to_come(seat, node.played());
            of_hidden(state, hand, trick, to_come)
        }
    };
    if found.len() > 1 {
        let history = &history[seat][node.played()];
        let claimers = seating.is_claimers(seat);
        match trick {
            None => sort(&mut found, |card| {
                i64::from(lead_score(seating, state, seat, card))
            }),
            Some(trick) => sort(&mut found, |card| {
                let score = follow_score(seating, trick, card);
                let decided = if claimers {
                    history[card.trailing_zeros() as usize]
                } else {
                    0
                };
                (i64::from(score > 40) << 40) + i64::from(decided) * 64 + i64::from(score)
            }),
        }
    }
    found
}

fn lead_score(seating: &Seating, state: &State, seat: usize, card: u64) -> i32 {
    let suit = suit_of(card);
    let theirs = top(state.unseen & lane(suit));
    let rank = (card.trailing_zeros() % 16) as i32;
    let Role::Ours(who) = seating.roles[seat] else {
        return rank;
    };
    let mine = state.visible[who] & lane(suit);
    let partners = state.visible[1 - who] & lane(suit);
    let trump = i32::from(Some(suit) == seating.trump && theirs != 0);
    if card > theirs {
        100 + 40 * trump - (mine.count_ones() as i32) + rank / 4
    } else if partners > theirs {
        80 + 40 * trump - rank
    } else {
        20 - rank
    }
}

fn follow_score(seating: &Seating, trick: &Trick, card: u64) -> i32 {
    let rank = (card.trailing_zeros() % 16) as i32;
    if !trick.is_beaten_by(card, seating.trump) {
        return 30 - rank;
    }
    if trick.winner % 2 == trick.to_play() % 2 {
        10 + rank
    } else {
        60 - rank
    }
}
