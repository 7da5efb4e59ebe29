//! The chances of hidden cards, as a table.

use setrograde_beliefs::joined;
use setrograde_cards::{Card, Hand, Seat, Suit};

use crate::words::cards_by_suit;

/// Returns the chance of each of the `unseen` cards in each hand of these `sizes`, in per cent;
/// cards of a suit with the same chances share a row.
pub fn marginals(sizes: [u8; 4], unseen: Hand, chance: impl Fn(Seat, Card) -> f64) -> String {
    let seats = Seat::ALL.into_iter();
    let hidden: Vec<Seat> = seats.filter(|&seat| sizes[seat] > 0).collect();
    let heads = std::iter::once("card").chain(hidden.iter().map(|seat| seat.name()));
    let mut table = vec![heads.map(str::to_owned).collect::<Vec<String>>()];
    for suit in Suit::ALL {
        let mut rows: Vec<(Vec<String>, Vec<Card>)> = Vec::new();
        for rank in unseen.holding(suit) {
            let card = Card::new(suit, rank);
            let chances = hidden
                .iter()
                .map(|&seat| format!("{:.1}", 100.0 * chance(seat, card)));
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
    joined(rows, "\n")
}
