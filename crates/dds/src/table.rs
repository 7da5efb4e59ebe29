//! `CalcDDtable` and its kind: the tricks of every declarer in every strain.

use std::ffi::c_int;

use setrograde_cards::{Deal, Strain, Suit};
use setrograde_solver::SolveError;

use crate::abi::{Holdings, TableResults};
use crate::check;
use crate::code::Fault;
use crate::resources;

/// The strains in the order of a C table.
pub const STRAINS: [Strain; 5] = [
    Strain::Trump(Suit::Spades),
    Strain::Trump(Suit::Hearts),
    Strain::Trump(Suit::Diamonds),
    Strain::Trump(Suit::Clubs),
    Strain::NoTrump,
];

/// Checks the cards of a table.
pub fn deal(cards: &Holdings) -> Result<Deal, Fault> {
    let hands = check::hands(cards);
    if hands.iter().all(|hand| hand.is_empty()) {
        return Err(Fault::ZeroCards);
    }
    let deal = Deal::new(hands).map_err(|_| Fault::DuplicateCards)?;
    match deal.cards_per_hand() {
        Some(_) => Ok(deal),
        None => Err(Fault::CardCount),
    }
}

/// The tables of some deals, in the strains that `wanted` tells; 0 elsewhere.
///
/// A strain of a deal is the smallest piece of work for a thread.
pub fn tables(deals: &[Deal], wanted: [bool; 5]) -> Result<Vec<TableResults>, SolveError> {
    let questions: Vec<(usize, usize)> = (0..deals.len())
        .flat_map(|deal| (0..5).map(move |strain| (deal, strain)))
        .filter(|&(_, strain)| wanted[strain])
        .collect();
    let answers = resources::search_each(&questions, |solver, &(deal, strain)| {
        solver.declarer_tricks(&deals[deal], STRAINS[strain])
    });
    let mut tables = vec![
        TableResults {
            tricks: [[0; 4]; 5]
        };
        deals.len()
    ];
    for (&(deal, strain), answer) in questions.iter().zip(answers) {
        let left = deals[deal].cards_per_hand().unwrap_or(13) as c_int;
        // DDS takes what the leaders win from 13, however few cards there are.
        tables[deal].tricks[strain] = answer?.map(|tricks| 13 - (left - c_int::from(tricks)));
    }
    Ok(tables)
}
