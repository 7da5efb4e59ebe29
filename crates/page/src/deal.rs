//! A deal's results: the table, one strain at a time, and par.

use serde_json::json;
use setrograde_cards::{Deal, Seat, Strain, Vulnerability};
use setrograde_solver::{Par, Solver, TrickTable};

use crate::Answer;

/// `STRAIN DEAL`: the tricks of the four declarers, from North.
///
/// A page shows the table as it grows, and shares it among workers.
pub(crate) fn strain(solver: &mut Solver, text: &str) -> Answer {
    let (strain, deal) = text.trim().split_once(' ').ok_or("the deal is missing")?;
    let strain: Strain = strain.parse()?;
    let deal: Deal = deal.parse()?;
    let tricks = solver.declarer_tricks(&deal, strain)?;
    Ok(json!({ "strain": strain.to_string(), "tricks": tricks }))
}

/// `DEALER VULNERABLE` and the 20 results, by strain from no trump and in each by
/// declarer from North: the par score of North and South, and its contracts.
pub(crate) fn par(text: &str) -> Answer {
    let mut words = text.split_whitespace();
    let mut word = |what: &str| words.next().ok_or_else(|| format!("{what} is missing"));
    let dealer: Seat = word("the dealer")?.parse()?;
    let vulnerable: Vulnerability = word("who is vulnerable")?.parse()?;
    let mut tricks = [[0; 4]; 5];
    for result in tricks.iter_mut().flatten() {
        *result = word("a result")?.parse()?;
        if *result > 13 {
            return Err(format!("{result} tricks; a deal has 13").into());
        }
    }
    let par = Par::new(&TrickTable::new(tricks), vulnerable, dealer);
    let contracts = par.contracts.iter().map(ToString::to_string);
    Ok(json!({ "score": par.score, "contracts": contracts.collect::<Vec<_>>() }))
}
