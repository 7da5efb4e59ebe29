//! The compass diagram of a deal: North on top, West to the left, East to the
//! right, South at the bottom.

use std::fmt;

use setrograde_cards::{Deal, Seat, Suit};

/// Spaces between the widest line of one hand and the next hand.
const GAP: usize = 3;

/// The text for a void.
const VOID: &str = "—";

/// A deal to be written as a compass diagram.
///
/// Every hand has its seat's name and one line per suit; `—` is a void. The text
/// has 15 lines, no trailing spaces and no final newline.
/// Columns line up where every character is one column wide.
pub(crate) struct Compass<'a> {
    pub deal: &'a Deal,
    pub leader: Seat,
}

impl Compass<'_> {
    /// The five lines of one hand: its seat, then its suits.
    fn lines(&self, seat: Seat) -> [String; 5] {
        let mark = if self.leader == seat { " (leads)" } else { "" };
        let suit = |suit: Suit| {
            let holding = self.deal.hand(seat).holding(suit);
            if holding.is_empty() {
                format!("{} {VOID}", suit.symbol())
            } else {
                format!("{} {holding}", suit.symbol())
            }
        };
        let [spades, hearts, diamonds, clubs] = Suit::ALL.map(suit);
        let title = format!("{}{mark}", seat.name());
        [title, spades, hearts, diamonds, clubs]
    }
}

/// The width of the widest of `lines`, in characters.
fn width(lines: &[String]) -> usize {
    lines
        .iter()
        .map(|line| line.chars().count())
        .max()
        .expect("a hand has lines")
}

/// Writes the diagram.
impl fmt::Display for Compass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [north, east, south, west] = Seat::ALL.map(|seat| self.lines(seat));
        let left = width(&west) + GAP;
        let middle = width(&north).max(width(&south)) + GAP;

        for line in &north {
            writeln!(f, "{:left$}{line}", "")?;
        }
        for (line, east_line) in west.iter().zip(&east) {
            let across = left + middle;
            writeln!(f, "{line:across$}{east_line}")?;
        }
        for (n, line) in south.iter().enumerate() {
            let line_break = if n == 0 { "" } else { "\n" };
            write!(f, "{line_break}{:left$}{line}", "")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(deal: &Deal, leader: Seat) -> String {
        Compass { deal, leader }.to_string()
    }

    #[test]
    fn a_diagram() {
        let deal: Deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"
            .parse()
            .unwrap();
        let expected = "\
            North
            ♠ T543
            ♥ KQ4
            ♦ 43
            ♣ 9542
West                   East (leads)
♠ Q2                   ♠ AKJ96
♥ AJT8532              ♥ 6
♦ 2                    ♦ AKT5
♣ A76                  ♣ QJ3
            South
            ♠ 87
            ♥ 97
            ♦ QJ9876
            ♣ KT8";
        // A line break after a backslash swallows the first line's blanks.
        let written = written(&deal, Seat::East);
        assert_eq!(written.trim_start(), expected);
        assert!(written.starts_with("            North\n"));
    }

    #[test]
    fn voids_line_up() {
        let deal: Deal = "N:... ... ... ...".parse().unwrap();
        let written = written(&deal, Seat::East);
        let lines: Vec<_> = written.lines().collect();
        assert_eq!(lines.len(), 15);
        assert_eq!(lines[1], "       ♠ —");
        assert_eq!(lines[5], "West           East (leads)");
        assert_eq!(lines[6], "♠ —            ♠ —");
        assert!(lines.iter().all(|line| line.trim_end() == *line));
    }
}
