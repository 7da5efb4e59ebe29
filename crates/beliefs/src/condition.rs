//! Conditions on how the hidden cards lie, and their text.

use std::fmt;
use std::str::FromStr;

use setrograde_cards::{Card, Hand, Seat, Suit};
use thiserror::Error;

use crate::limits::{Limits, Measure};
use crate::question::QuestionError;

/// One statement about the hidden cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// A hidden hand has `least` to `most` cards of a suit, or points; each hidden
    /// hand does if none is named.
    Range {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
        /// The cards or points that are counted.
        of: Measure,
        /// The fewest.
        least: u8,
        /// The most.
        most: u8,
    },
    /// The hidden cards of a suit are split like this, either way round.
    Split {
        /// The suit.
        suit: Suit,
        /// The number of cards in one hidden hand.
        first: u8,
        /// The number in the other.
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

/// An assumption about the hidden cards: alternatives, each a list of terms that hold
/// together.
///
/// | text | meaning |
/// |---|---|
/// | `W.S=0-2`, `W.S<=2`, `W.S>=1`, `W.S=2` | the number of spades that West holds |
/// | `W.hcp=11-15`, `W.hcp<=9` | the high-card points that West holds |
/// | `S=3-2` | the spades are split 3-2, either way round |
/// | `S<=3`, `S>=1`, `hcp<=9` | so in each hidden hand |
/// | `E+HK` | East holds the king of hearts |
/// | `E+HK,S=3-2` | both |
/// | `S=3-2\|W.S=4` | one or the other; `,` binds closer |
///
/// ```
/// use setrograde_beliefs::Condition;
///
/// let condition: Condition = "E+SJ,S<=4|W.hcp=5-8".parse()?;
/// assert_eq!(condition.alternatives().len(), 2);
/// assert_eq!(condition.to_string(), "E+SJ,S<=4|W.hcp=5-8");
/// # Ok::<(), setrograde_beliefs::QuestionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    alternatives: Vec<Vec<Placed>>,
}

/// A term, and the column in which it was written.
#[derive(Clone, Copy, Debug)]
struct Placed {
    term: Term,
    column: usize,
}

/// Places are equal if their terms are, wherever these were written.
impl PartialEq for Placed {
    fn eq(&self, other: &Placed) -> bool {
        self.term == other.term
    }
}

impl Eq for Placed {}

/// A condition that does not fit the hidden cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// A term about a hand that is not hidden.
    #[error("{} is visible; conditions are about the hidden hands", seat.name())]
    VisibleSeat {
        /// The seat.
        seat: Seat,
    },
    /// A term about a card that is not hidden.
    #[error("the {card} is not one of the unseen cards")]
    NotUnseen {
        /// The card.
        card: Card,
    },
    /// A split that does not add up.
    #[error(
        "{unseen} {} are unseen, which cannot be split {first}-{second}", suit.name()
    )]
    UnfitSplit {
        /// The suit.
        suit: Suit,
        /// The number of its cards that are unseen.
        unseen: usize,
        /// The number that one hidden hand is said to hold.
        first: u8,
        /// The number that the other is said to hold.
        second: u8,
    },
    /// A split where there are not two hidden hands.
    #[error(
        "a split is between two hidden hands, and here {hidden} are hidden; write it for each hand, as W.S=2"
    )]
    SplitOfMany {
        /// The number of hidden hands.
        hidden: usize,
    },
    /// Alternatives where all terms must hold together.
    #[error(
        "alternatives (`|`, and splits as 4-1) cannot be taken together here; ask about each of them"
    )]
    Alternatives,
}

impl Condition {
    /// The condition that all of `terms` hold.
    #[must_use]
    pub fn all(terms: Vec<Term>) -> Condition {
        Condition::any([terms])
    }

    /// The condition that all terms of one of `alternatives` hold.
    #[must_use]
    pub fn any(alternatives: impl IntoIterator<Item = Vec<Term>>) -> Condition {
        let unplaced = |term| Placed { term, column: 1 };
        let terms = |terms: Vec<Term>| terms.into_iter().map(unplaced).collect();
        Condition {
            alternatives: alternatives.into_iter().map(terms).collect(),
        }
    }

    /// The condition that the hand of `seat` is within `limits`.
    #[must_use]
    pub fn of_limits(seat: Seat, limits: &Limits) -> Condition {
        let mut terms = Vec::new();
        let lengths = Suit::ALL.map(|suit| (Measure::Length(suit), limits.lengths[suit.index()]));
        for (of, (least, most)) in lengths
            .into_iter()
            .chain([(Measure::Points, limits.points)])
        {
            if (least, most) != (0, of.top()) {
                terms.push(Term::Range {
                    seat: Some(seat),
                    of,
                    least,
                    most,
                });
            }
        }
        let held = limits.cards.cards();
        terms.extend(held.map(|card| Term::Place { seat, card }));
        Condition::all(terms)
    }

    /// The alternatives, each with the terms that hold together.
    pub fn alternatives(&self) -> impl ExactSizeIterator<Item = impl Iterator<Item = Term> + '_> {
        self.alternatives
            .iter()
            .map(|placed| placed.iter().map(|placed| placed.term))
    }

    /// Checks that every term is about the `hidden` hands and their cards,
    /// `unseen`.
    ///
    /// # Errors
    ///
    /// The first term that is not, with the column in which it was written.
    pub fn check(&self, hidden: &[Seat], unseen: Hand) -> Result<(), (usize, ConditionError)> {
        for &Placed { term, column } in self.alternatives.iter().flatten() {
            term.check(hidden, unseen)
                .map_err(|error| (column, error))?;
        }
        Ok(())
    }

    /// The condition as limits on each hand, where all of it must hold together.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), and for alternatives.
    pub fn limits(
        &self,
        hidden: &[Seat],
        unseen: Hand,
    ) -> Result<[Limits; 4], (usize, ConditionError)> {
        self.check(hidden, unseen)?;
        if let Some([Placed { column, .. }, ..]) = self.alternatives.get(1).map(Vec::as_slice) {
            return Err((*column, ConditionError::Alternatives));
        }
        let mut limits = [Limits::default(); 4];
        for &Placed { term, column } in self.alternatives.iter().flatten() {
            match term {
                Term::Range {
                    seat,
                    of,
                    least,
                    most,
                } => {
                    let all = seat.as_ref().map_or(hidden, std::slice::from_ref);
                    for seat in all {
                        limits[seat.index()].and_range(of, least, most);
                    }
                }
                Term::Split {
                    suit,
                    first,
                    second,
                } if first.abs_diff(second) <= 1 => {
                    for seat in hidden {
                        let (least, most) = (first.min(second), first.max(second));
                        limits[seat.index()].and_range(Measure::Length(suit), least, most);
                    }
                }
                Term::Split { .. } => return Err((column, ConditionError::Alternatives)),
                Term::Place { seat, card } => limits[seat.index()].cards |= Hand::of(card),
            }
        }
        Ok(limits)
    }

    /// Whether the hands, by seat, are as the condition says. `hidden` are the
    /// seats that it is about.
    #[must_use]
    pub fn allows(&self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        let holds = |term: Term| term.holds(hidden, hands);
        self.alternatives().any(|mut terms| terms.all(holds))
    }
}

impl Term {
    fn check(self, hidden: &[Seat], unseen: Hand) -> Result<(), ConditionError> {
        match self {
            Term::Range {
                seat: Some(seat), ..
            }
            | Term::Place { seat, .. }
                if !hidden.contains(&seat) =>
            {
                Err(ConditionError::VisibleSeat { seat })
            }
            Term::Place { card, .. } if !unseen.contains(card) => {
                Err(ConditionError::NotUnseen { card })
            }
            Term::Split { .. } if hidden.len() != 2 => {
                let hidden = hidden.len();
                Err(ConditionError::SplitOfMany { hidden })
            }
            Term::Split {
                suit,
                first,
                second,
            } if usize::from(first + second) != unseen.suit(suit).len() => {
                let unseen = unseen.suit(suit).len();
                Err(ConditionError::UnfitSplit {
                    suit,
                    unseen,
                    first,
                    second,
                })
            }
            _ => Ok(()),
        }
    }

    fn holds(self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        let hand = |seat: &Seat| hands[seat.index()];
        match self {
            Term::Range {
                seat,
                of,
                least,
                most,
            } => {
                let mut all = seat.as_ref().map_or(hidden, std::slice::from_ref).iter();
                all.all(|seat| (least..=most).contains(&of.of(hand(seat))))
            }
            Term::Split { suit, first, .. } => hidden
                .iter()
                .any(|seat| Measure::Length(suit).of(hand(seat)) == first),
            Term::Place { seat, card } => hand(&seat).contains(card),
        }
    }
}

/// Writes the term as it is read.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Range {
                seat,
                of,
                least,
                most,
            } => {
                let hand = seat.map_or(String::new(), |seat| format!("{seat}."));
                match (least, most) {
                    (0, most) => write!(f, "{hand}{of}<={most}"),
                    (least, most) if most == of.top() => write!(f, "{hand}{of}>={least}"),
                    (least, most) if seat.is_none() => write!(f, "{of}>={least},{of}<={most}"),
                    (least, most) if least == most => write!(f, "{hand}{of}={least}"),
                    (least, most) => write!(f, "{hand}{of}={least}-{most}"),
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
            for (m, placed) in terms.iter().enumerate() {
                if m > 0 {
                    f.write_str(",")?;
                }
                placed.term.fmt(f)?;
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
            for text in part.split(',') {
                let blanks = text.chars().take_while(|c| c.is_whitespace()).count();
                let at = column + blanks;
                let term = read_term(text.trim()).ok_or_else(|| {
                    let found: String = text.trim().chars().take(20).collect();
                    let problem = format!(
                        "{found:?} is not a condition; expected one as W.S=0-2, S=3-2, \
                         S<=3, E.hcp=11-15 or E+HK"
                    );
                    QuestionError::new(at, problem)
                })?;
                terms.push(Placed { term, column: at });
                column += text.chars().count() + 1;
            }
            alternatives.push(terms);
        }
        Ok(Condition { alternatives })
    }
}

fn read_term(text: &str) -> Option<Term> {
    if let Some((seat, card)) = text.split_once('+') {
        return Some(Term::Place {
            seat: seat.trim().parse().ok()?,
            card: card.trim().parse().ok()?,
        });
    }
    let (subject, rest) = text.split_at(text.find(['=', '<', '>'])?);
    let (seat, subject) = match subject.split_once('.') {
        Some((seat, subject)) => (Some(seat.parse::<Seat>().ok()?), subject),
        None => (None, subject),
    };
    let of = match subject.eq_ignore_ascii_case("hcp") {
        true => Measure::Points,
        false => Measure::Length(subject.parse().ok()?),
    };
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok();
        number.filter(|&number: &u8| digits && number <= of.top())
    };
    let range = |least, most| {
        Some(Term::Range {
            seat,
            of,
            least,
            most,
        })
    };
    if let Some(most) = rest.strip_prefix("<=") {
        return range(0, number(most)?);
    }
    if let Some(least) = rest.strip_prefix(">=") {
        return range(number(least)?, of.top());
    }
    let rest = rest.strip_prefix('=')?;
    match (rest.split_once('-'), seat) {
        (Some((first, second)), None) => match of {
            Measure::Length(suit) => Some(Term::Split {
                suit,
                first: number(first)?,
                second: number(second)?,
            }),
            Measure::Points => None,
        },
        (Some((least, most)), Some(_)) => range(number(least)?, number(most)?),
        (None, Some(_)) => range(number(rest)?, number(rest)?),
        (None, None) => None,
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
            "E.hcp=11-15",
            "E.hcp>=12",
            "hcp<=9",
            "E+HK",
            "E+HK,S=3-2|W.S=4",
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), text);
        }
        let spaced: Condition = " e+hk , s=3-2 | w.s=0-2,E.HCP=0-40".parse().unwrap();
        assert_eq!(spaced.to_string(), "E+HK,S=3-2|W.S<=2,E.hcp<=40");
    }

    #[test]
    fn equal_conditions_have_equal_terms() {
        let read = |text: &str| text.parse::<Condition>().unwrap();
        assert_eq!(read("E+HK, S=3-2"), read("E+HK,S=3-2"));
        assert_ne!(read("E+HK"), read("E+HQ"));
        // A range of each hidden hand is not a split.
        let each = Term::Range {
            seat: None,
            of: Measure::Length(Suit::Spades),
            least: 1,
            most: 3,
        };
        let text = Condition::all(vec![each]).to_string();
        assert_eq!(text, "S>=1,S<=3");
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
            ("E.hcp=41", 1),
            ("hcp=3-2", 1),
            ("E:S5-8", 1),
        ] {
            let error = text.parse::<Condition>().unwrap_err();
            assert_eq!(error.column(), column, "{text}");
        }
    }

    #[test]
    fn terms_fit_the_hidden_cards() {
        let unseen: Hand = "KT98.K2..".parse().unwrap();
        let hidden = [Seat::East, Seat::West];
        let check = |text: &str| {
            let condition: Condition = text.parse().unwrap();
            let found = condition.check(&hidden, unseen);
            found.map_err(|(column, error)| format!("{column}: {error}"))
        };
        assert_eq!(check("E+SK,S=3-1|W.H>=1,hcp<=4"), Ok(()));
        let error = |text: &str| check(text).unwrap_err();
        assert!(error("E+SK,N.S=0").starts_with("6: North is visible"));
        assert!(error("E+SK|S+HK").starts_with("6: South is visible"));
        assert_eq!(error(" E+SA"), "2: the SA is not one of the unseen cards");
        assert_eq!(
            error("S=3-2"),
            "1: 4 spades are unseen, which cannot be split 3-2"
        );
        let three = [Seat::East, Seat::South, Seat::West];
        let split: Condition = "S=2-2".parse().unwrap();
        let (_, error) = split.check(&three, unseen).unwrap_err();
        assert_eq!(error, ConditionError::SplitOfMany { hidden: 3 });
    }

    #[test]
    fn limits_say_the_same_as_the_condition() {
        let unseen: Hand = "KT98.K2..".parse().unwrap();
        let hidden = [Seat::East, Seat::West];
        for text in [
            "E+SK",
            "W.hcp=3-6,S<=3",
            "S=2-2,E.H>=1",
            "hcp>=3",
            "E+SK,E+HK,W.S=3",
            "H=2-0|S=1-3",
            "S=4-0",
        ] {
            let condition: Condition = text.parse().unwrap();
            let limits = condition.limits(&hidden, unseen);
            if text.contains('|') || text == "S=4-0" {
                let column = if text == "S=4-0" { 1 } else { 7 };
                assert_eq!(limits, Err((column, ConditionError::Alternatives)));
            } else {
                assert!(limits.is_ok(), "{text}");
            }
            let mut allowed = 0;
            for n in 0..1 << 6 {
                let of_east = |(at, _): &(usize, Card)| n >> at & 1 == 1;
                let (east, west): (Vec<_>, Vec<_>) = unseen.iter().enumerate().partition(of_east);
                let hand = |cards: Vec<(usize, Card)>| cards.into_iter().map(|(_, card)| card);
                let mut hands = [Hand::EMPTY; 4];
                hands[Seat::East.index()] = hand(east).collect();
                hands[Seat::West.index()] = hand(west).collect();
                let allows = condition.allows(&hidden, &hands);
                allowed += u32::from(allows);
                if let Ok(limits) = limits {
                    let again = Condition::of_limits(Seat::East, &limits[1]);
                    assert_eq!(again.allows(&hidden, &hands), limits[1].allow(hands[1]));
                    let within = (0..4).all(|seat| {
                        hands[seat].is_empty() && seat % 2 == 0 || limits[seat].allow(hands[seat])
                    });
                    assert_eq!(allows, within, "{text} {}", hands[1]);
                }
            }
            assert!(allowed > 0 && allowed < 64, "{text}: {allowed}");
        }
    }
}
