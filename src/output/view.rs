//! A board as a seat sees it.

use std::fmt::Write;

use setrograde::shown;
use setrograde_beliefs::{Game, View};
use setrograde_cards::{Hand, Seat, Suit};

/// The view as a compass: the visible hands, and the number of cards of each hidden one; then the
/// trick on the table.
pub fn compass<G: Game>(view: &View<G>) -> String {
    let mut text = around(|seat| match view.hand(seat) {
        Some(hand) => suits(hand).collect(),
        None => {
            let count = view.sizes()[seat];
            let mut lines = vec![String::new(); 4];
            lines[0] = format!("{count} hidden");
            lines
        }
    });
    if !view.trick().is_empty() {
        let plays: Vec<String> = view
            .trick()
            .plays()
            .map(|(seat, card)| format!("{seat} {}", shown(card)))
            .collect();
        text += &format!("On the table: {}\n", plays.join(", "));
    }
    text
}

/// Four hands as a compass.
pub fn compass_of(hands: &[Hand; 4]) -> String {
    around(|seat| suits(hands[seat]).collect())
}

/// Four lines for each seat below its name, around a table.
fn around(lines: impl Fn(Seat) -> Vec<String>) -> String {
    let [north, east, south, west] = Seat::ALL.map(|seat| {
        let mut all = vec![seat.name().to_owned()];
        all.extend(lines(seat));
        all
    });
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
    text
}

/// A hand, a suit a line.
fn suits(hand: Hand) -> impl Iterator<Item = String> {
    Suit::ALL.into_iter().map(move |suit| {
        let holding = hand.holding(suit);
        if holding.is_empty() {
            format!("{} —", suit.symbol())
        } else {
            format!("{} {holding}", suit.symbol())
        }
    })
}
