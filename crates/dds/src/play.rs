//! `AnalysePlay` and its kind: what declarer takes after each card of a play.

use std::ffi::c_int;

use setrograde_cards::{Card, Position, Seat};
use setrograde_solver::{SolveError, Solver};

use crate::abi::{PlayTrace, SolvedPlay};
use crate::check;
use crate::code::Fault;

/// The cards of a play, checked against the position that it starts from.
pub fn cards(start: &Position, play: &PlayTrace) -> Result<Vec<Card>, Fault> {
    let number = usize::try_from(play.number).map_err(|_| Fault::Play)?;
    if number > 52 {
        return Err(Fault::Play);
    }
    // DDS stops where the last trick begins.
    let used = number.min(
        4 * (start.tricks_left() - 1) - start.played().len().min(4 * (start.tricks_left() - 1)),
    );
    let mut position = *start;
    let mut cards = Vec::with_capacity(used);
    for place in 0..used {
        let card = check::card(play.suit[place], play.rank[place]).ok_or(Fault::Play)?;
        position = position.play(card).map_err(|_| Fault::Play)?;
        cards.push(card);
    }
    Ok(cards)
}

/// Tricks for the side of the hand to the right of the first leader.
pub fn analyse(
    solver: &mut Solver,
    start: &Position,
    cards: &[Card],
) -> Result<SolvedPlay, SolveError> {
    let declarer = Seat::plus(start.leader(), 3);
    let analysis = solver.analyse(start, cards)?;
    let mut solved = SolvedPlay {
        number: 0,
        tricks: [0; 53],
    };
    for (place, tricks) in analysis.tricks(declarer).enumerate().take(53) {
        solved.tricks[place] = c_int::from(tricks);
        solved.number += 1;
    }
    Ok(solved)
}
