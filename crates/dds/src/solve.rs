//! `SolveBoard`: the cards of the hand to play and their values.

use std::ffi::c_int;

use setrograde_solver::{CardTricks, Choice, SolveError, Solver, Target, Wanted, choices};

use crate::abi::FutureTricks;
use crate::check::Question;
use crate::compat::order;

/// Answers a checked question as DDS does.
pub fn solve(solver: &mut Solver, question: &Question) -> Result<FutureTricks, SolveError> {
    let before = solver.nodes();
    let mut future = answer(solver, question)?;
    future.nodes = c_int::try_from(solver.nodes() - before).unwrap_or(c_int::MAX);
    Ok(future)
}

fn answer(solver: &mut Solver, question: &Question) -> Result<FutureTricks, SolveError> {
    let position = &question.position;
    let left = position.tricks_left();
    let all = question.solutions == 3;
    if left == 1 {
        return last_trick(solver, question);
    }
    let legal = choices(position);
    if legal.len() == 1 && question.skip_single {
        let mut future = without_tricks(solver, question, &legal)?;
        future.score[0] = -2;
        return Ok(future);
    }
    if question.target == 0 && !all {
        return without_tricks(solver, question, &legal);
    }
    let target = match question.target {
        1.. if !all => Target::AtLeast(question.target as u8),
        _ => Target::Most,
    };
    let cards = match question.solutions {
        1 => {
            let order = order::of(position, &legal);
            solver
                .first_of(position, target, &order)?
                .into_iter()
                .collect()
        }
        2 => solver.solve(position, target, Wanted::AllBest)?.cards,
        _ => solver.solve(position, target, Wanted::All)?.cards,
    };
    if cards.is_empty() {
        let mut future = FutureTricks::EMPTY;
        future.score[0] = if question.target == 1 { 0 } else { -1 };
        return Ok(future);
    }
    Ok(list(question, &legal, cards))
}

/// The cards, each with no trick; nothing is searched.
fn without_tricks(
    solver: &mut Solver,
    question: &Question,
    legal: &[Choice],
) -> Result<FutureTricks, SolveError> {
    let found = solver.solve(&question.position, Target::AtLeast(0), Wanted::AllBest)?;
    Ok(list(question, legal, found.cards))
}

/// The last trick: the card that is left, without equals.
fn last_trick(solver: &mut Solver, question: &Question) -> Result<FutureTricks, SolveError> {
    let mut cards = solver
        .solve(&question.position, Target::Most, Wanted::All)?
        .cards;
    cards.truncate(1);
    if question.target == 0 && question.solutions < 3 {
        for card in &mut cards {
            card.tricks = 0;
        }
    }
    Ok(list(question, &choices(&question.position), cards))
}

/// Lists cards, the best first, equal ones in DDS's order; only one card if only one is requested.
fn list(question: &Question, legal: &[Choice], mut cards: Vec<CardTricks>) -> FutureTricks {
    order::sort(&question.position, legal, &mut cards);
    if question.solutions == 1 {
        cards.truncate(1);
    }
    let mut future = FutureTricks::EMPTY;
    future.cards = cards.len() as c_int;
    for (at, card) in cards.iter().enumerate().take(13) {
        let suit = card.card.suit.index() as c_int;
        let rank = c_int::from(card.card.rank.value());
        let equals = c_int::from(card.equals.bits()) << 2;
        future.suit[at] = suit;
        future.rank[at] = question.raised.lower(suit, rank);
        future.equals[at] = question.raised.lower_all(suit, equals);
        future.score[at] = c_int::from(card.tricks);
    }
    future
}
