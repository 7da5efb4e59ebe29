//! A deal's results: the table, one strain at a time, and par.

use serde::Serialize;
use setrograde::{OnePar, Pars};
use setrograde_cards::{Deal, Seat, Strain, Suit, Vulnerability};
use setrograde_solver::{Solver, TrickTable};

use crate::{EngineAnswer, Named};

/// The results of one strain.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct StrainTricks {
    /// The tricks, by strain and declarer.
    tricks: Named<Strain, Named<Seat, u8>>,
    /// The bonus of each result: `none`, `part`, `game` or `slam`.
    kinds: Named<Strain, Named<Seat, &'static str>>,
}

/// `STRAIN DEAL`: the tricks and the bonus of each declarer, from North.
///
/// A page shows the table as it grows, and shares it among workers.
pub(crate) fn strain(solver: &mut Solver, text: &str) -> EngineAnswer<StrainTricks> {
    let (strain, deal) = text.trim().split_once(' ').ok_or("the deal is missing")?;
    let strain: Strain = strain.parse()?;
    let tricks = solver.declarer_tricks(&deal.parse::<Deal>()?, strain)?;
    let tricks: Vec<(Seat, u8)> = Seat::ALL.into_iter().zip(tricks).collect();
    let kinds = tricks.iter();
    let kinds = kinds.map(|&(seat, tricks)| (seat, kind(strain, tricks)));
    Ok(StrainTricks {
        kinds: Named(vec![(strain, Named(kinds.collect()))]),
        tricks: Named(vec![(strain, Named(tricks))]),
    })
}

/// The kind of the highest contract that makes with this number of tricks.
fn kind(strain: Strain, tricks: u8) -> &'static str {
    let game = match strain {
        Strain::NoTrump => 9,
        Strain::Trump(Suit::Spades | Suit::Hearts) => 10,
        Strain::Trump(Suit::Diamonds | Suit::Clubs) => 11,
    };
    match tricks {
        12.. => "slam",
        tricks if tricks >= game => "game",
        7.. => "part",
        _ => "none",
    }
}

/// `DEALER VULNERABLE` and the 20 results, by strain from no trump and in each by
/// declarer from North: the par score of North and South, and its contracts.
pub(crate) fn par(text: &str) -> EngineAnswer<Pars> {
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
    let par = OnePar::new(&TrickTable::new(tricks), vulnerable, dealer);
    Ok(Pars {
        par: vec![par],
        title: None,
    })
}
