//! A board as a seat sees it, and the chances of the hidden cards.

use std::fmt::Write;

use setrograde_beliefs::Beliefs;
use setrograde_cards::{Hand, Seat, Suit};
use setrograde_games::{Game, View};

use super::tables::{headed, right};

/// The view as a compass: the hands that are seen, and how many cards the others
/// hold; then the trick on the table.
pub fn compass<G: Game>(view: &View<G>) -> String {
    let lines = |seat: Seat| -> Vec<String> {
        let mut lines = vec![seat.name().to_owned()];
        match view.hand(seat) {
            Some(hand) => lines.extend(suits(hand)),
            None => {
                let count = view.sizes()[seat.index()];
                lines.push(format!("{count} hidden"));
                lines.extend(["", "", ""].map(str::to_owned));
            }
        }
        lines
    };
    let [north, east, south, west] = Seat::ALL.map(lines);
    let width = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max();
    let left = width(&west).unwrap_or(0) + 3;
    let across = left + width(&north).max(width(&south)).unwrap_or(0) + 3;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let mut line = |line: String| {
        let _ = writeln!(text, "{}", line.trim_end());
    };
    for shown in &north {
        line(format!("{:left$}{shown}", ""));
    }
    for (west, east) in west.iter().zip(&east) {
        line(format!("{west:across$}{east}"));
    }
    for shown in &south {
        line(format!("{:left$}{shown}", ""));
    }
    if !view.trick().is_empty() {
        let plays = view.trick().plays();
        let plays: Vec<String> = plays.map(|(seat, card)| format!("{seat} {card}")).collect();
        line(format!("On the table: {}", plays.join(", ")));
    }
    text
}

/// A hand, a suit a line.
fn suits(hand: Hand) -> impl Iterator<Item = String> {
    Suit::ALL.into_iter().map(move |suit| {
        let holding = hand.holding(suit);
        match holding.is_empty() {
            true => format!("{} —", suit.symbol()),
            false => format!("{} {holding}", suit.symbol()),
        }
    })
}

/// For each hidden card the chances that a seat holds it, in per cent.
pub fn marginals(beliefs: &Beliefs) -> String {
    let marginals = beliefs.marginals();
    let hidden: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|seat| beliefs.sizes()[seat.index()] > 0)
        .collect();
    let mut table = headed(std::iter::once("card").chain(hidden.iter().map(|seat| seat.name())));
    for suit in Suit::ALL {
        for rank in beliefs.unseen().holding(suit).iter() {
            let card = setrograde_cards::Card::new(suit, rank);
            let mut row = vec![right(card.to_string())];
            for &seat in &hidden {
                let chance = 100.0 * marginals.probability(seat, card);
                row.push(right(format!("{chance:.1}")));
            }
            table.add_row(row);
        }
    }
    table.to_string()
}
