//! `AnalysePlay` and its kind: what declarer takes after each card of a play.

use std::ffi::c_int;

use setrograde_cards::{Card, Position};
use setrograde_solver::Solver;

use crate::abi::{PlayTrace, SolvedPlay};
use crate::check;
use crate::code::Fault;

/// The cards of a play, checked against the position that it starts from.
fn cards(start: &Position, play: &PlayTrace) -> Result<Vec<Card>, Fault> {
    let used = usize::try_from(values(start, play) - 1).unwrap_or(0);
    let mut position = *start;
    let mut cards = Vec::with_capacity(used);
    for place in 0..used {
        let card = check::card(play.suit[place], play.rank[place]).ok_or(Fault::Play)?;
        position = position.play(card).map_err(|_| Fault::Play)?;
        cards.push(card);
    }
    Ok(cards)
}

/// How many values DDS gives for a play, which may be none and even less.
///
/// It stops where the last trick begins, and counts the cards on the table as if
/// they were part of the play.
fn values(start: &Position, play: &PlayTrace) -> c_int {
    let until_last = 4 * (start.tricks_left() as c_int - 1);
    play.number.min(until_last) - start.played().len() as c_int + 1
}

/// Tricks for the side of the hand to the right of the first leader.
pub fn analyse(
    solver: &mut Solver,
    start: &Position,
    play: &PlayTrace,
) -> Result<SolvedPlay, Fault> {
    let cards = cards(start, play)?;
    let mut solved = SolvedPlay {
        number: values(start, play),
        tricks: [0; 53],
    };
    let declarer = start.leader().plus(3);
    let analysis = solver.analyse(start, &cards)?;
    let shown = usize::try_from(solved.number).unwrap_or(0);
    for (place, tricks) in analysis.tricks(declarer).enumerate().take(shown.min(53)) {
        solved.tricks[place] = c_int::from(tricks);
    }
    Ok(solved)
}
