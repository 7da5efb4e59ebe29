//! Conditions on how the unseen cards lie, and their text.

use std::fmt;
use std::str::FromStr;

use setrograde_cards::{Card, Seat, Suit};

use crate::question::error::{Problem, QuestionError};

/// One thing that is said about the unseen cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// A hidden hand holds `least` to `most` cards of a suit; each hidden hand
    /// does if none is named.
    Length {
        /// The hand; both if `None`.
        seat: Option<Seat>,
        /// The suit.
        suit: Suit,
        /// The fewest cards, 0 to 13.
        least: u8,
        /// The most cards, 0 to 13.
        most: u8,
    },
    /// The unseen cards of a suit are split like this, either way round.
    Split {
        /// The suit.
        suit: Suit,
        /// How many cards one hidden hand holds.
        first: u8,
        /// How many the other holds.
        second: u8,
    },
    /// A hidden hand holds a card.
    Place {
        /// The hand.
        seat: Seat,
        /// The card.
        card: Card,
    },
}

/// What may be assumed about the unseen cards: one of several alternatives,
/// each of which says one or more things together.
///
/// | text | meaning |
/// |---|---|
/// | `W.S=0-2`, `W.S<=2`, `W.S>=1`, `W.S=2` | the number of spades that West holds |
/// | `S=3-2` | the spades are split 3-2, either way round |
/// | `S<=3`, `S>=1` | each hidden hand holds at most 3, at least 1 spade |
/// | `E+HK` | East holds the king of hearts |
/// | `E+HK,S=3-2` | both |
/// | `S=3-2\|W.S=4` | one or the other; `,` binds closer |
///
/// ```
/// use setrograde_claim::{Condition, Knowledge};
///
/// let knowledge: Knowledge = "NT S N:AKQ... ? 432... ? out=JT9876...".parse()?;
/// let even: Condition = "S=3-3".parse()?;
/// let offside: Condition = "E+SJ,S<=4".parse()?;
/// assert_eq!(knowledge.given(&even)?.layouts(), 20);
/// assert_eq!(knowledge.given(&offside)?.layouts(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    alternatives: Vec<Vec<Term>>,
}

impl Condition {
    /// The condition that all of `terms` hold.
    #[must_use]
    pub fn all(terms: Vec<Term>) -> Condition {
        Condition {
            alternatives: vec![terms],
        }
    }

    /// The condition that all terms of one of `alternatives` hold.
    #[must_use]
    pub fn any(alternatives: Vec<Vec<Term>>) -> Condition {
        Condition { alternatives }
    }

    /// The alternatives, each a list of what holds together.
    #[must_use]
    pub fn alternatives(&self) -> &[Vec<Term>] {
        &self.alternatives
    }
}

/// Writes the term as it is read.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Length {
                seat,
                suit,
                least,
                most,
            } => {
                if let Some(seat) = seat {
                    write!(f, "{seat}.")?;
                }
                match (least, most) {
                    (0, most) => write!(f, "{suit}<={most}"),
                    (least, 13) => write!(f, "{suit}>={least}"),
                    (least, most) if seat.is_none() => write!(f, "{suit}>={least},{suit}<={most}"),
                    (least, most) if least == most => write!(f, "{suit}={least}"),
                    (least, most) => write!(f, "{suit}={least}-{most}"),
                }
            }
            Term::Split {
                suit,
                first,
                second,
            } => write!(f, "{suit}={first}-{second}"),
            Term::Place { seat, card } => write!(f, "{seat}+{card}"),
        }
    }
}

/// Writes the condition as it is read.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, terms) in self.alternatives.iter().enumerate() {
            if n > 0 {
                f.write_str("|")?;
            }
            for (m, term) in terms.iter().enumerate() {
                if m > 0 {
                    f.write_str(",")?;
                }
                term.fmt(f)?;
            }
        }
        Ok(())
    }
}

/// Reads terms joined by `,` (and) and `|` (or).
impl FromStr for Condition {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Condition, QuestionError> {
        let mut alternatives = Vec::new();
        let mut column = 1;
        for part in text.split('|') {
            let mut terms = Vec::new();
            for term in part.split(',') {
                terms.push(read_term(term).map_err(|error| error.shifted(column - 1))?);
                column += term.chars().count() + 1;
            }
            alternatives.push(terms);
        }
        Ok(Condition { alternatives })
    }
}

fn read_term(text: &str) -> Result<Term, QuestionError> {
    let trimmed = text.trim();
    let start = text.chars().take_while(|c| c.is_whitespace()).count();
    let bad = |text: &str| {
        let found = text.chars().take(20).collect();
        QuestionError::new(start + 1, Problem::NotATerm { found })
    };
    if let Some((seat, card)) = trimmed.split_once('+') {
        let seat: Seat = seat.trim().parse().map_err(|_| bad(trimmed))?;
        let card: Card = card.trim().parse().map_err(|_| bad(trimmed))?;
        return Ok(Term::Place { seat, card });
    }
    let split = trimmed.find(['=', '<', '>']).ok_or_else(|| bad(trimmed))?;
    let (subject, rest) = trimmed.split_at(split);
    let (seat, suit) = match subject.split_once('.') {
        Some((seat, suit)) => (Some(seat.parse::<Seat>().map_err(|_| bad(trimmed))?), suit),
        None => (None, subject),
    };
    let suit: Suit = suit.parse().map_err(|_| bad(trimmed))?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text
            .parse()
            .ok()
            .filter(|&number: &u8| digits && number <= 13);
        number.ok_or_else(|| bad(trimmed))
    };
    let length = |least, most| Term::Length {
        seat,
        suit,
        least,
        most,
    };
    if let Some(most) = rest.strip_prefix("<=") {
        return Ok(length(0, number(most)?));
    }
    if let Some(least) = rest.strip_prefix(">=") {
        return Ok(length(number(least)?, 13));
    }
    let rest = rest.strip_prefix('=').ok_or_else(|| bad(trimmed))?;
    match (rest.split_once('-'), seat) {
        (Some((first, second)), None) => Ok(Term::Split {
            suit,
            first: number(first)?,
            second: number(second)?,
        }),
        (Some((least, most)), Some(_)) => Ok(length(number(least)?, number(most)?)),
        (None, Some(_)) => Ok(length(number(rest)?, number(rest)?)),
        (None, None) => Err(bad(trimmed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text() {
        for text in [
            "W.S=1-2",
            "W.S<=2",
            "W.S>=1",
            "W.S=2",
            "S=3-2",
            "S<=3",
            "E+HK",
            "E+HK,S=3-2|W.S=4",
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), text);
        }
        let spaced: Condition = " e+hk , s=3-2 | w.s=0-2".parse().unwrap();
        assert_eq!(spaced.to_string(), "E+HK,S=3-2|W.S<=2");
    }

    #[test]
    fn errors_name_their_column() {
        for (text, column) in [
            ("", 1),
            ("E+HK,", 6),
            ("E+HK, X", 7),
            ("S=3-2|S=14-0", 7),
            ("S=3", 1),
            ("W.S", 1),
            ("W.S=+1", 1),
            ("E+H", 1),
        ] {
            let error = text.parse::<Condition>().unwrap_err();
            assert_eq!(error.column(), column, "{text}");
        }
    }
}
