//! `AnalysePlay` and its kind: what declarer takes after each card of a play.

use std::ffi::c_int;

use setrograde_cards::{Card, PlayError, Position, Seat, Trick};
use setrograde_solver::{SolveError, Solver};

use crate::abi::{PlayTrace, SolvedPlay};
use crate::check::Question;
use crate::code::Fault;
use crate::numbers;

/// The positions of a play, starting before its first card, up to the last that DDS analyses.
fn positions(question: &Question, play: &PlayTrace) -> Result<Vec<Position>, Fault> {
    let start = &question.position;
    let used = usize::try_from(values(start, play) - 1).unwrap_or(0);
    let mut positions = vec![*start];
    let mut position = *start;
    for index in 0..used {
        let suit = play.suit[index];
        let rank = question.raised.raise(suit, play.rank[index]);
        let card = numbers::card(suit, rank).ok_or(Fault::Play)?;
        position = after(&position, card).ok_or(Fault::Play)?;
        positions.push(position);
    }
    Ok(positions)
}

/// The position after a card, which may be a revoke: DDS takes those.
fn after(position: &Position, card: Card) -> Option<Position> {
    match position.play(card) {
        Ok(next) => Some(next),
        Err(PlayError::MustFollow { .. }) => {
            let mut held = *position.deal();
            held.remove(card);
            let played: Vec<Card> = position.played().iter().copied().chain([card]).collect();
            let (strain, leader) = (position.strain(), position.leader());
            let trick = played
                .iter()
                .try_fold(Trick::new(leader), |trick, &card| trick.with(card))?;
            if trick.cards().len() == 4 {
                return Position::new(strain, trick.winner(strain)?, held, &[]).ok();
            }
            Position::with_revokes(strain, leader, held, &played).ok()
        }
        Err(_) => None,
    }
}

/// The number of values that DDS gives for a play, which may be none and even less.
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
    question: &Question,
    play: &PlayTrace,
) -> Result<SolvedPlay, Fault> {
    let start = &question.position;
    let positions = positions(question, play)?;
    let declarer = start.leader().plus(3);
    let declares = |seat: Seat| seat.side() == declarer.side();
    let mut solved = SolvedPlay {
        number: values(start, play),
        tricks: [0; 53],
    };
    let shown = usize::try_from(solved.number).unwrap_or(0).min(53);
    let mut won = 0;
    for (index, position) in positions.iter().enumerate().take(shown) {
        let ended = index > 0 && position.is_trick_boundary();
        won += u8::from(ended && declares(position.leader()));
        let value = c_int::from(won + tricks(solver, position, declarer)?);
        // No card gains its own side a trick but a revoke, which does not in DDS.
        solved.tricks[index] = match index.checked_sub(1) {
            None => value,
            Some(last) if declares(positions[last].to_play()) => value.min(solved.tricks[last]),
            Some(last) => value.max(solved.tricks[last]),
        };
    }
    Ok(solved)
}

/// The tricks that are left for a declarer's side.
fn tricks(solver: &mut Solver, position: &Position, declarer: Seat) -> Result<u8, SolveError> {
    let leaders = solver.tricks(position)?;
    Ok(if position.leader().side() == declarer.side() {
        leaders
    } else {
        position.tricks_left() as u8 - leaders
    })
}
