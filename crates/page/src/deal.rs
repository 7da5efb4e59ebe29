//! A deal's results: the table, one strain at a time, and par.

use serde_json::{Value, json};
use setrograde::OnePar;
use setrograde_cards::{Deal, Seat, Strain, Suit, Vulnerability};
use setrograde_solver::{Solver, TrickTable};

use crate::JsonAnswer;

/// `STRAIN DEAL`: the tricks and the bonus of each declarer, from North.
///
/// A page shows the table as it grows, and shares it among workers.
pub(crate) fn strain(solver: &mut Solver, text: &str) -> JsonAnswer {
    let (strain, deal) = text.trim().split_once(' ').ok_or("the deal is missing")?;
    let strain: Strain = strain.parse()?;
    let deal: Deal = deal.parse()?;
    let tricks = solver.declarer_tricks(&deal, strain)?;
    let by_seat = |of: &dyn Fn(u8) -> Value| -> Value {
        let seats = Seat::ALL.iter().zip(tricks);
        seats
            .map(|(seat, tricks)| (seat.to_string(), of(tricks)))
            .collect()
    };
    let name = strain.to_string();
    Ok(json!({
        "tricks": { &name: by_seat(&|tricks| tricks.into()) },
        "kinds": { &name: by_seat(&|tricks| kind(strain, tricks).into()) },
    }))
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
pub(crate) fn par(text: &str) -> JsonAnswer {
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
    Ok(json!({ "par": [par_object(&par)] }))
}

/// The score and the contracts of par.
pub(crate) fn par_object(par: &OnePar) -> Value {
    let mut object = json!(par);
    object["vulnerable"] = par.vulnerable.to_string().into();
    object
}
