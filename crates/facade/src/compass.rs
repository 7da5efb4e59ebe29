//! The compass diagram of a deal: North on top, West to the left, East to the right, South at the
//! bottom.

use setrograde_cards::{Hand, Seat, Suit};

/// Spaces between the widest line of one hand and the next hand.
const GAP: usize = 3;

/// Returns the lines of each seat around a table, without trailing spaces. Columns line up where
/// every character is one column wide.
pub fn compass(lines: impl Fn(Seat) -> Vec<String>) -> String {
    let [north, east, south, west] = Seat::ALL.map(lines);
    let width = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max();
    let left = width(&west).unwrap_or(0) + GAP;
    let across = left + width(&north).max(width(&south)).unwrap_or(0) + GAP;
    let mut text = String::new();
    let mut add = |line: String| {
        text += line.trim_end();
        text.push('\n');
    };
    let beside = west.iter().zip(&east);
    north
        .iter()
        .for_each(|line| add(format!("{:left$}{line}", "")));
    beside.for_each(|(west, east)| add(format!("{west:across$}{east}")));
    south
        .iter()
        .for_each(|line| add(format!("{:left$}{line}", "")));
    text
}

/// Returns four hands as a compass, each with its seat's name and a line for each suit.
pub fn compass_of(hands: &[Hand; 4], leader: Option<Seat>) -> String {
    compass(|seat| {
        let mark = if leader == Some(seat) { " (leads)" } else { "" };
        let mut lines = vec![format!("{}{mark}", seat.name())];
        lines.extend(suit_lines(hands[seat]));
        lines
    })
}

/// Returns a line for each suit of a hand; `—` is a void.
pub fn suit_lines(hand: Hand) -> [String; 4] {
    Suit::ALL.map(|suit| match hand.holding(suit) {
        holding if holding.is_empty() => format!("{} —", suit.symbol()),
        holding => format!("{} {holding}", suit.symbol()),
    })
}

#[cfg(test)]
mod tests {
    use setrograde_cards::Deal;

    use super::*;

    fn written(deal: &str) -> String {
        let deal: Deal = deal.parse().expect("a deal");
        compass_of(deal.hands(), Some(Seat::East))
    }

    #[test]
    fn a_diagram() {
        let deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
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
            ♣ KT8
";
        // A line break after a backslash swallows the first line's blanks.
        let written = written(deal);
        assert_eq!(written.trim_start(), expected);
        assert!(written.starts_with("            North\n"));
    }

    #[test]
    fn voids_line_up() {
        let written = written("N:... ... ... ...");
        let lines: Vec<_> = written.lines().collect();
        assert_eq!(lines.len(), 15);
        assert_eq!(lines[1], "       ♠ —");
        assert_eq!(lines[5], "West           East (leads)");
        assert_eq!(lines[6], "♠ —            ♠ —");
        assert!(lines.iter().all(|line| line.trim_end() == *line));
    }
}
