//! The chances of hidden cards, as a table.

use setrograde_beliefs::{Beliefs, Marginals};
use setrograde_cards::{Card, Seat, Suit};

use crate::words::cards_by_suit;

/// Returns the chance of each hidden card in each hand, in per cent; equivalent cards of a suit
/// share a row.
#[must_use]
pub fn marginals(beliefs: &Beliefs, marginals: &Marginals) -> String {
    let hidden: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|&seat| beliefs.sizes()[seat] > 0)
        .collect();
    let heads = std::iter::once("card").chain(hidden.iter().map(|seat| seat.name()));
    let mut table = vec![heads.map(str::to_owned).collect::<Vec<String>>()];
    for suit in Suit::ALL {
        let mut rows: Vec<(Vec<String>, Vec<Card>)> = Vec::new();
        for rank in beliefs.unseen().holding(suit).iter() {
            let card = Card::new(suit, rank);
            let chance = |&seat: &Seat| 100.0 * marginals.probability(seat, card);
            let chances = hidden.iter().map(|seat| format!("{:.1}", chance(seat)));
            let chances: Vec<String> = chances.collect();
            match rows.last_mut() {
                Some((alike, cards)) if *alike == chances => cards.push(card),
                _ => rows.push((chances, vec![card])),
            }
        }
        let rows = rows.into_iter().map(|(chances, cards)| {
            let cells = std::iter::once(cards_by_suit(&cards)).chain(chances);
            cells.collect()
        });
        table.extend(rows);
    }
    right(&table)
}

/// Rows of cells in columns, each at the right edge of its column.
fn right(table: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = table.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table[0].len()).map(width).collect();
    let rows = table.iter().map(|row| {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, width)| format!(" {cell:>width$} "));
        cells.collect::<String>()
    });
    rows.collect::<Vec<_>>().join("\n")
}
