//! `CalcDDtable` and its kind: the tricks of every declarer in every strain.

use std::ffi::c_int;

use setrograde_cards::Deal;
use setrograde_solver::{SolveError, Solver};

use crate::abi::{self, Holdings};
use crate::check;
use crate::code::Fault;
use crate::numbers::STRAINS;
use crate::resources;

/// Checks the cards of a table.
pub fn deal(cards: &Holdings) -> Result<Deal, Fault> {
    let deal = abi::Deal {
        trump: 4,
        first: 0,
        trick_suit: [0; 3],
        trick_rank: [0; 3],
        cards: *cards,
    };
    let position = check::question(&deal, -1, 1, 1)?.position;
    if !position.is_trick_boundary() {
        return Err(Fault::CardCount);
    }
    Ok(*position.deal())
}

/// The tricks of a deal in all strains, by row and declarer.
pub fn all(solver: &mut Solver, deal: &Deal) -> Result<[[c_int; 4]; 5], SolveError> {
    let mut rows = [[0; 4]; 5];
    for (row, strain) in rows.iter_mut().zip(STRAINS) {
        *row = solver.declarer_tricks(deal, strain)?.map(c_int::from);
    }
    Ok(rows)
}

/// The tricks of some deals in the `wanted` strains: deal, row of the
/// strain, and tricks by declarer.
///
/// `threads` limits the workers. A strain of a deal is the smallest piece of work
/// for a thread.
pub fn tricks(
    deals: &[Deal],
    wanted: [bool; 5],
    threads: Option<usize>,
) -> Result<Vec<(usize, usize, [c_int; 4])>, SolveError> {
    let questions: Vec<(usize, usize)> = (0..deals.len())
        .flat_map(|deal| (0..5).map(move |strain| (deal, strain)))
        .filter(|&(_, strain)| wanted[strain])
        .collect();
    let answers = resources::search_each(&questions, threads, |solver, &(deal, strain)| {
        solver.declarer_tricks(&deals[deal], STRAINS[strain])
    });
    let answered = questions
        .iter()
        .zip(answers)
        .map(|(&(deal, strain), answer)| {
            // DDS subtracts the leaders' tricks from 13, even if there are fewer cards.
            let lost = 13 - deals[deal].cards_per_hand().unwrap_or(13) as c_int;
            Ok((
                deal,
                strain,
                answer?.map(|tricks| lost + c_int::from(tricks)),
            ))
        });
    answered.collect()
}
