//! Layouts in which double dummy fails: they refute a claim without a search
//! over plans.

use setrograde_cards::{Deal, Hand, Position};
use setrograde_solver::{SolveError, Solver};

use crate::knowledge::Knowledge;
use crate::knowledge::case::Hidden;
use crate::knowledge::count::each_layout;

/// The orders in which a hidden hand is given as many cards of a suit as it may
/// hold.
const ORDERS: [[usize; 4]; 8] = [
    [0, 1, 2, 3],
    [1, 2, 3, 0],
    [2, 3, 0, 1],
    [3, 0, 1, 2],
    [0, 2, 3, 1],
    [1, 3, 0, 2],
    [2, 0, 1, 3],
    [3, 1, 2, 0],
];

/// Layouts that are likely to be bad: long suits in one hand, and the high
/// cards in one hand or with the length.
pub(crate) fn bad_layouts(knowledge: &Knowledge) -> Vec<[u64; 2]> {
    let state = knowledge.state();
    let mut found: Vec<[u64; 2]> = Vec::new();
    for case in &state.cases {
        for order in ORDERS {
            for long in Hidden::BOTH {
                let Some(long) = case.stretched(order, long, state.unseen, state.cards) else {
                    continue;
                };
                for high in Hidden::BOTH {
                    let hand = long.dealt(high, state.unseen);
                    let layout = [hand, state.unseen & !hand];
                    if !found.contains(&layout) {
                        found.push(layout);
                    }
                }
            }
        }
    }
    found
}

/// The same and all others, if there are at most `most` layouts; and whether these
/// are all.
pub(crate) fn all_or_bad(knowledge: &Knowledge, most: u64) -> (Vec<[u64; 2]>, bool) {
    let state = knowledge.state();
    let mut found = bad_layouts(knowledge);
    let all = knowledge.layouts() <= most;
    if all {
        for case in &state.cases {
            for hand in each_layout(case, state.unseen, state.cards) {
                let layout = [hand, state.unseen & !hand];
                if !found.contains(&layout) {
                    found.push(layout);
                }
            }
        }
    }
    (found, all)
}

/// The position with the hidden hands laid open.
pub(crate) fn open(knowledge: &Knowledge, layout: [u64; 2]) -> Option<Position> {
    let mut hands = [Hand::EMPTY; 4];
    for seat in knowledge.visible() {
        hands[seat.index()] = knowledge.hand(seat)?;
    }
    for (seat, cards) in knowledge.hidden().into_iter().zip(layout) {
        hands[seat.index()] = Hand::from_bits(cards);
    }
    let trick = knowledge.trick();
    let deal = Deal::new(hands).ok()?;
    Position::new(knowledge.strain(), trick.leader(), deal, trick.cards()).ok()
}

/// The tricks of the claimer's side with all cards seen by everybody.
pub(crate) fn double_dummy(
    solver: &mut Solver,
    knowledge: &Knowledge,
    position: &Position,
) -> Result<u8, SolveError> {
    let tricks = solver.tricks(position)?;
    let ours = position.leader().index() % 2 == knowledge.claimer().index() % 2;
    Ok(if ours {
        tricks
    } else {
        position.tricks_left() as u8 - tricks
    })
}

/// The cards whose ranks mattered if `side` (a seat's place modulo 2) takes fewer
/// than `need` tricks double dummy; `None` if it takes them. `need` is 1 to the
/// tricks left.
pub(crate) fn refutes(
    solver: &mut Solver,
    position: &Position,
    side: usize,
    need: u8,
) -> Result<Option<Hand>, SolveError> {
    let ours = position.leader().index() % 2 == side;
    let target = match ours {
        true => need,
        false => position.tricks_left() as u8 + 1 - need,
    };
    let reach = solver.reaches(position, target)?;
    Ok((reach.reached != ours).then_some(reach.cards))
}

/// A layout in which double dummy takes fewer than `need` tricks, if one of
/// those tried is.
pub(crate) fn refuting(
    solver: &mut Solver,
    knowledge: &Knowledge,
    need: u8,
) -> Result<Option<[u64; 2]>, SolveError> {
    let side = knowledge.claimer().index() % 2;
    for layout in bad_layouts(knowledge) {
        if let Some(position) = open(knowledge, layout)
            && refutes(solver, &position, side, need)?.is_some()
        {
            return Ok(Some(layout));
        }
    }
    Ok(None)
}
