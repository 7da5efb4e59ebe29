//! Results as tags of a PBN file.

use setrograde_beliefs::joined;
use setrograde_cards::{Card, Hand, Position, Seat, Strain};
use setrograde_records::{Board, DoubleDummy};
use setrograde_solver::{Par, ParContract, SolveError, Solver, Target, TrickTable, Wanted};

/// The results of a board: the tricks and, if it names the dealer and the
/// vulnerability and has 13 cards in each hand, par.
pub fn results(table: &TrickTable, board: &Board) -> DoubleDummy {
    let tricks = Strain::ALL.map(|strain| Seat::ALL.map(|declarer| table.tricks(strain, declarer)));
    let whole = board.deal().is_some_and(|deal| deal.cards_left() == 52);
    let par = match (board.vulnerability, board.dealer) {
        (Some(vulnerability), Some(dealer)) if whole => {
            Some(Par::new(table, vulnerability, dealer))
        }
        _ => None,
    };
    DoubleDummy {
        tricks: Some(tricks),
        par_score: par.as_ref().map(|par| par.score),
        par_contract: par.as_ref().map(contracts),
        play: None,
    }
}

/// The best cards at each card of a play, which begins at `start`.
///
/// # Errors
///
/// If a card of the play cannot be played, or the search fails or is cancelled.
pub(crate) fn best_cards(
    solver: &mut Solver,
    start: &Position,
    play: &[Card],
) -> Result<Vec<Hand>, SolveError> {
    let mut position = *start;
    let mut rows = Vec::with_capacity(play.len());
    for (index, &card) in play.iter().enumerate() {
        let next = position
            .play(card)
            .map_err(|source| SolveError::IllegalCard { index, source })?;
        rows.push(best(solver, &position)?);
        position = next;
    }
    Ok(rows)
}

/// The cards that take the most tricks in a position.
pub(crate) fn best(solver: &mut Solver, position: &Position) -> Result<Hand, SolveError> {
    let found = solver.solve(position, Target::Most, Wanted::AllBest)?;
    let runs = found.cards.iter();
    let cards = runs.flat_map(|run| std::iter::once(run.card).chain(run.equal_cards()));
    Ok(cards.collect())
}

/// The contracts of par, such as `NS 4S+1` and `EW 5DX-2`.
fn contracts(par: &Par) -> String {
    let contract = |contract: &ParContract| {
        let declarers: String = contract.declarers().map(|seat| seat.letter()).collect();
        let doubled = if contract.over < 0 { "X" } else { "" };
        let over = match contract.over {
            0 => "=".to_owned(),
            over => format!("{over:+}"),
        };
        format!("{declarers} {}{doubled}{over}", contract.bid)
    };
    match &par.contracts[..] {
        [] => "Pass".to_owned(),
        contracts => joined(contracts.iter().map(contract), ", "),
    }
}
