//! The compass diagram of a deal: North on top, West to the left, East to the
//! right, South at the bottom.

use std::fmt;

use crate::{Deal, Seat, Suit};

/// Blanks between the widest line of one hand and the next hand.
const GAP: usize = 3;

/// The text for a void.
const VOID: &str = "—";

/// A deal to be written as a compass diagram.
///
/// Every hand has its seat's name and one line a suit; `—` is a void. The text
/// has 15 lines, no trailing spaces and no final newline.
/// Columns line up where every character is one column wide.
///
/// ```
/// use setrograde_cards::{Deal, Seat};
///
/// let deal: Deal = "N:A.K.. K.A.. Q.Q.. J.J..".parse()?;
/// let diagram = deal.compass().leader(Seat::West).to_string();
/// assert_eq!(diagram.lines().next(), Some("               North"));
/// assert_eq!(diagram.lines().nth(5), Some("West (leads)           East"));
/// assert_eq!(diagram.lines().nth(6), Some("♠ J                    ♠ K"));
/// # Ok::<(), setrograde_cards::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Compass {
    deal: Deal,
    leader: Option<Seat>,
}

impl Compass {
    /// The diagram of `deal`, with no leader marked.
    #[must_use]
    pub const fn new(deal: Deal) -> Compass {
        Compass { deal, leader: None }
    }

    /// The diagram with `seat` marked as leading.
    #[must_use]
    pub const fn leader(mut self, seat: Seat) -> Compass {
        self.leader = Some(seat);
        self
    }

    /// The five lines of one hand: its seat, then its suits.
    fn lines(&self, seat: Seat) -> [String; 5] {
        let mark = if self.leader == Some(seat) {
            " (leads)"
        } else {
            ""
        };
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

impl Deal {
    /// The deal as a compass diagram, to be written with `Display`.
    #[must_use]
    pub fn compass(&self) -> Compass {
        Compass::new(*self)
    }
}

/// Writes the diagram.
impl fmt::Display for Compass {
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
        let written = deal.compass().leader(Seat::East).to_string();
        assert_eq!(written.trim_start(), expected);
        assert!(written.starts_with("            North\n"));
    }

    #[test]
    fn voids_line_up() {
        let deal: Deal = "N:... ... ... ...".parse().unwrap();
        let written = deal.compass().to_string();
        let lines: Vec<_> = written.lines().collect();
        assert_eq!(lines.len(), 15);
        assert_eq!(lines[1], "       ♠ —");
        assert_eq!(lines[5], "West           East");
        assert_eq!(lines[6], "♠ —            ♠ —");
        assert!(lines.iter().all(|line| line.trim_end() == *line));
    }
}
