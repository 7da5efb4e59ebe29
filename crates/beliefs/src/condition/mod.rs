//! Conditions on the hidden cards.
//!
//! `text` reads and writes them; `cases` splits them into limits on each hand.

mod cases;
mod joined;
mod text;

pub use joined::{Statement, joined};

use setrograde_cards::{Card, Hand, Seat, Suit};
use thiserror::Error;

use crate::limits::{Limits, Measure};
use crate::question_error::{Location, QuestionError};

/// One statement about the hidden cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// A hidden hand has `least` to `most` cards of a suit, or points; this applies to each hidden
    /// hand if none is named.
    Range {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
        /// The cards or points that are counted.
        of: Measure,
        /// Minimum.
        least: u8,
        /// Maximum.
        most: u8,
    },
    /// The hidden cards of a suit are split like this, either way round.
    Split {
        /// The suit.
        suit: Suit,
        /// Number of cards in one hidden hand.
        first: u8,
        /// The number in the other hand.
        second: u8,
    },
    /// A hidden hand has a card.
    Holds {
        /// The hand.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A hidden hand does not have a card.
    Lack {
        /// The hand.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A hidden hand has suits of these lengths, in any order; this applies to each hidden hand if
    /// none is named.
    Shape {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
        /// The lengths, the longest first.
        lengths: [u8; 4],
    },
    /// A hidden hand is 4-3-3-3, 4-4-3-2 or 5-3-3-2; this applies to each hidden hand if none is
    /// named.
    Balanced {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
    },
    /// A sum is `least` to `most`.
    Sum {
        /// The sum.
        of: Sum,
        /// Minimum.
        least: u8,
        /// Maximum.
        most: u8,
    },
    /// Two measures or sums are compared.
    Compare {
        /// The left side.
        left: Sum,
        /// The relation of the two.
        relation: Relation,
        /// The right side.
        right: Sum,
    },
}

/// A sum of one to four measures of hidden hands, as `N.S+S.S`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sum([Option<(Seat, Measure)>; 4]);

/// The relation of the left side of a comparison to the right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `=`
    Equal,
}

impl Sum {
    /// The sum of these measures; `None` if there are none, or more than four.
    #[must_use]
    pub fn new(parts: &[(Seat, Measure)]) -> Option<Sum> {
        let mut sum = [None; 4];
        for (at, &part) in parts.iter().enumerate() {
            *sum.get_mut(at)? = Some(part);
        }
        (!parts.is_empty()).then_some(Sum(sum))
    }

    /// The measures that are added, each with the seat of its hand.
    pub fn parts(&self) -> impl Iterator<Item = (Seat, Measure)> + '_ {
        self.0.iter().flatten().copied()
    }

    /// The sum of these values of its measures.
    fn of(&self, value: impl Fn(Seat, Measure) -> u8) -> u8 {
        self.parts().map(|(seat, of)| value(seat, of)).sum()
    }

    /// Its maximum, with each measure at its own maximum.
    #[must_use]
    pub fn top(&self) -> u8 {
        self.parts().map(|(_, of)| of.top()).sum()
    }
}

impl Relation {
    /// Returns true if this comparison holds for two numbers.
    #[must_use]
    pub const fn holds(self, left: u8, right: u8) -> bool {
        match self {
            Relation::Greater => left > right,
            Relation::AtLeast => left >= right,
            Relation::Equal => left == right,
        }
    }
}

/// The shapes that are balanced.
const BALANCED: [[u8; 4]; 3] = [[4, 3, 3, 3], [4, 4, 3, 2], [5, 3, 3, 2]];

/// An assumption about the hidden cards: alternatives, each a list of terms that hold
/// together.
///
#[doc = concat!("```text\n", include_str!("../conditions.txt"), "```")]
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

/// The forms of a condition, an example and its meaning on each line; the text of help and
/// documents.
pub const CONDITIONS: &str = include_str!("../conditions.txt");

/// A term of a condition, whether it holds, and the column in which it was written.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    term: Term,
    holds: bool,
    column: usize,
}

impl Placed {
    /// Returns true if the hands, by seat, are as the term says. `hidden` are the seats that a term
    /// without a seat is about.
    #[must_use]
    pub fn allows(&self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        self.term.holds(hidden, hands) == self.holds
    }

    /// Checks that the term is about the `hidden` hands and their cards, `unseen`.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check(&self, hidden: &[Seat], unseen: Hand) -> Result<(), QuestionError> {
        let checked = self.term.check(hidden, unseen);
        checked.map_err(|error| QuestionError::at(Location::Condition(self.column), error))
    }

    /// The opposite, without `not` where there are other words for it.
    fn opposite(self) -> Placed {
        let term = match self.term {
            _ if !self.holds => {
                return Placed {
                    holds: true,
                    ..self
                };
            }
            Term::Holds { seat, card } => Term::Lack { seat, card },
            Term::Lack { seat, card } => Term::Holds { seat, card },
            Term::Compare {
                left,
                relation,
                right,
            } if relation != Relation::Equal => Term::Compare {
                left: right,
                relation: match relation {
                    Relation::Greater => Relation::AtLeast,
                    _ => Relation::Greater,
                },
                right: left,
            },
            Term::Range {
                seat: Some(seat),
                of,
                least,
                most,
            } if let Some((least, most)) = outside((least, most), of.top()) => Term::Range {
                seat: Some(seat),
                of,
                least,
                most,
            },
            Term::Sum { of, least, most }
                if let Some((least, most)) = outside((least, most), of.top()) =>
            {
                Term::Sum { of, least, most }
            }
            _ => {
                return Placed {
                    holds: false,
                    ..self
                };
            }
        };
        Placed { term, ..self }
    }
}

/// The numbers up to `top` outside a range, if these are a range as well.
const fn outside((least, most): (u8, u8), top: u8) -> Option<(u8, u8)> {
    match (least, most) {
        (0, most) if most < top => Some((most + 1, top)),
        (least, most) if least > 0 && most >= top => Some((0, least - 1)),
        _ => None,
    }
}

/// Equal if the terms are equal, regardless of their columns.
impl PartialEq for Placed {
    fn eq(&self, other: &Placed) -> bool {
        (self.term, self.holds) == (other.term, other.holds)
    }
}

impl Eq for Placed {}

/// A condition that contradicts the hidden cards.
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
        /// Number of its cards that are unseen.
        unseen: usize,
        /// The stated number in one hidden hand.
        first: u8,
        /// The stated number in the other hand.
        second: u8,
    },
    /// A split without two hidden hands.
    #[error(
        "a split is between two hidden hands, and here {hidden} are hidden; write it for each hand, as W.S=2"
    )]
    SplitOfMany {
        /// Number of hidden hands.
        hidden: usize,
    },
    /// A condition with alternatives, where all terms must hold together.
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
        let unplaced = |term| Placed {
            term,
            holds: true,
            column: 1,
        };
        let terms = |terms: Vec<Term>| terms.into_iter().map(unplaced).collect();
        Condition {
            alternatives: alternatives.into_iter().map(terms).collect(),
        }
    }

    /// The condition that all of `terms`, which were read one by one, are as they say.
    #[must_use]
    pub fn of_terms(terms: Vec<Placed>) -> Condition {
        Condition {
            alternatives: vec![terms],
        }
    }

    /// The condition that a term does not hold.
    #[must_use]
    pub fn denied(term: Term) -> Condition {
        let placed = Placed {
            term,
            holds: false,
            column: 1,
        };
        Condition {
            alternatives: vec![vec![placed]],
        }
    }

    /// The condition that the hand of `seat` is within `limits`.
    #[must_use]
    pub fn of_limits(seat: Seat, limits: &Limits) -> Condition {
        let mut terms = Vec::new();
        let lengths = Suit::ALL.map(|suit| (Measure::Length(suit), limits.lengths[suit]));
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
        terms.extend(held.map(|card| Term::Holds { seat, card }));
        let lacks = limits.lacks.cards();
        terms.extend(lacks.map(|card| Term::Lack { seat, card }));
        Condition::all(terms)
    }

    /// The alternatives, each with its terms, and for each of these whether it holds or must not.
    pub fn alternatives(
        &self,
    ) -> impl ExactSizeIterator<Item = impl Iterator<Item = (Term, bool)> + '_> {
        self.alternatives
            .iter()
            .map(|placed| placed.iter().map(|placed| (placed.term, placed.holds)))
    }

    /// Checks that every term is about the `hidden` hands and their cards,
    /// `unseen`.
    ///
    /// # Errors
    ///
    /// The first term that is not, with the column in which it was written.
    pub fn check(&self, hidden: &[Seat], unseen: Hand) -> Result<(), (usize, ConditionError)> {
        for &Placed { term, column, .. } in self.alternatives.iter().flatten() {
            term.check(hidden, unseen)
                .map_err(|error| (column, error))?;
        }
        Ok(())
    }

    /// Returns true if the hands, by seat, satisfy the condition. `hidden` are its seats.
    #[must_use]
    pub fn allows(&self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        let fits = |(term, holds): (Term, bool)| term.holds(hidden, hands) == holds;
        self.alternatives().any(|mut terms| terms.all(fits))
    }
}

impl Term {
    /// The hand that the term is about; `None` if it is about each hidden one.
    const fn seat(self) -> Option<Seat> {
        match self {
            Term::Range { seat, .. } | Term::Shape { seat, .. } | Term::Balanced { seat } => seat,
            Term::Holds { seat, .. } | Term::Lack { seat, .. } => Some(seat),
            Term::Split { .. } | Term::Sum { .. } | Term::Compare { .. } => None,
        }
    }

    /// The measures that are added or compared, each with the seat of its hand.
    fn parts(&self) -> impl Iterator<Item = (Seat, Measure)> + '_ {
        let (left, right) = match self {
            Term::Sum { of, .. } => (Some(of), None),
            Term::Compare { left, right, .. } => (Some(left), Some(right)),
            _ => (None, None),
        };
        left.into_iter().chain(right).flat_map(Sum::parts)
    }

    /// The measures of hands that the term speaks of.
    pub fn measures(&self) -> impl Iterator<Item = Measure> + '_ {
        let one = match self {
            Term::Range { of, .. } => Some(*of),
            _ => None,
        };
        one.into_iter().chain(self.parts().map(|(_, of)| of))
    }

    fn check(self, hidden: &[Seat], unseen: Hand) -> Result<(), ConditionError> {
        let mut seats = self.seat().into_iter().chain(self.parts().map(|of| of.0));
        if let Some(seat) = seats.find(|seat| !hidden.contains(seat)) {
            return Err(ConditionError::VisibleSeat { seat });
        }
        match self {
            Term::Holds { card, .. } | Term::Lack { card, .. } if !unseen.contains(card) => {
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
        let hand = |seat: Seat| hands[seat];
        if let Some(holds) = self.holds_for(hidden, |seat, of| of.of(hand(seat))) {
            return holds;
        }
        let each = self.seat();
        let mut all = each.as_ref().map_or(hidden, std::slice::from_ref).iter();
        match self {
            Term::Split { suit, first, .. } => hidden
                .iter()
                .any(|&seat| Measure::Length(suit).of(hand(seat)) == first),
            Term::Holds { seat, card } => hand(seat).contains(card),
            Term::Lack { seat, card } => !hand(seat).contains(card),
            Term::Shape { lengths, .. } => all.all(|&seat| shape(hand(seat)) == lengths),
            Term::Balanced { .. } => all.all(|&seat| BALANCED.contains(&shape(hand(seat)))),
            Term::Range { .. } | Term::Sum { .. } | Term::Compare { .. } => {
                unreachable!("these hold for the values of their measures, or do not")
            }
        }
    }

    /// Returns whether the term holds for these values of measures; `None` if it is about others.
    #[must_use]
    pub fn holds_for(self, hidden: &[Seat], value: impl Fn(Seat, Measure) -> u8) -> Option<bool> {
        match self {
            Term::Range {
                seat,
                of,
                least,
                most,
            } => {
                let within = |&seat: &Seat| (least..=most).contains(&value(seat, of));
                let seats = seat.as_ref().map_or(hidden, std::slice::from_ref);
                Some(seats.iter().all(within))
            }
            Term::Sum { of, least, most } => Some((least..=most).contains(&of.of(value))),
            Term::Compare {
                left,
                relation,
                right,
            } => Some(relation.holds(left.of(&value), right.of(&value))),
            _ => None,
        }
    }
}

/// The lengths of a hand's suits, the longest first.
fn shape(hand: Hand) -> [u8; 4] {
    let mut lengths = Suit::ALL.map(|suit| hand.suit(suit).len() as u8);
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    lengths
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
            "W-HA",
            "N.balanced",
            "balanced",
            "N.5-4-3-1",
            "N.controls>=5",
            "losers<=7",
            "N.S.top3>=2",
            "S.top5<=1",
            "N.S+S.S>=8",
            "N.hcp+S.hcp=25-27",
            "N.S+S.S+E.H=4",
            "N.S+N.H<=7",
            "N.S>N.H",
            "N.S+N.H>=S.C",
            "N.hcp=S.hcp",
            "not N.balanced",
            "not S=3-2,not E.hcp=11-15|not S<=3",
            "not N.S=N.H",
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), text);
        }
        for (text, same) in [
            ("E+HKQ", "E+HK,E+HQ"),
            ("W-♥A10", "W-HA,W-HT"),
            ("W.S<3,W.S>4", "W.S<=2,W.S>=5"),
            ("E.hcp=12+", "E.hcp>=12"),
            ("N.5431", "N.5-4-3-1"),
            ("N.2-3-3-5", "N.5-3-3-2"),
            ("(W.S>=5|W.H>=5),E+HK", "W.S>=5,E+HK|W.H>=5,E+HK"),
            ("W.( S>=5 | H>=5 )", "W.S>=5|W.H>=5"),
            ("(((E+HK)))", "E+HK"),
            ("S.S>=2,S.top3>=1", "S.S>=2,S.top3>=1"),
            ("n.s + s.s > 7", "N.S+S.S>=8"),
            ("N.S+S.S=8+", "N.S+S.S>=8"),
            ("N.S+S.S<3", "N.S+S.S<=2"),
            ("N.S<N.H", "N.H>N.S"),
            ("N.S<=N.H+S.H", "N.H+S.H>=N.S"),
            ("N.(S>H,S+H>=8,S=2)", "N.S>N.H,N.S+N.H>=8,N.S=2"),
            ("S.S.top3+S.H.top3>=3", "S.S.top3+S.H.top3>=3"),
            ("not E+HK", "E-HK"),
            ("not not E+HK", "E+HK"),
            ("not (E+HK,W.S>=5)", "E-HK|W.S<=4"),
            ("NOT(E+HK|W.S=2)", "E-HK,not W.S=2"),
            ("not N.S>N.H", "N.H>=N.S"),
            ("not N.S+S.S>=8", "N.S+S.S<=7"),
            ("N.(not balanced,not S=4)", "not N.balanced,not N.S=4"),
            ("not (not N.balanced)", "N.balanced"),
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), same, "{text}");
        }
    }

    #[test]
    fn in_words() {
        for (text, words) in [
            ("E+HK", "East has the king of hearts"),
            (
                "W-HA,S=3-2",
                "West does not have the ace of hearts and the spades are split 3-2",
            ),
            ("W.S=1|W.S=0", "West has 1 spade, or West has no spades"),
            (
                "N.hcp=15-17,N.balanced",
                "North has 15 to 17 points and North is balanced",
            ),
            ("S<=3", "each hidden hand has at most 3 spades"),
            ("N.5431", "North is 5-4-3-1"),
            ("N.S.top3>=2", "North has at least 2 of the top 3 spades"),
            (
                "N.losers<=7,N.controls>=1",
                "North has at most 7 losers and North has at least 1 control",
            ),
            (
                "E.hcp=1,E.controls=2,E.losers=1",
                "East has 1 point and East has 2 controls and East has 1 loser",
            ),
            (
                "E.hcp>=12,E.S.top5<=1",
                "East has at least 12 points and East has at most 1 of the top 5 spades",
            ),
            ("balanced", "each hidden hand is balanced"),
            (
                "N.S+S.S>=8",
                "North and South have at least 8 spades together",
            ),
            (
                "N.hcp+S.hcp=25-27",
                "North and South have 25 to 27 points together",
            ),
            (
                "N.S>N.H,N.S+S.H=7",
                "North's spades are more than North's hearts and North's spades and South's hearts \
                 are 7 together",
            ),
            (
                "not N.balanced,not N.S=4|not S=3-2",
                "North is not balanced and North does not have 4 spades, or the spades are not split 3-2",
            ),
            ("not S<=3", "not each hidden hand has at most 3 spades"),
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.in_words(), words);
        }
    }

    /// Every line of the text that help and documents show.
    #[test]
    fn what_the_help_teaches_is_read() {
        for line in CONDITIONS.lines() {
            let (text, meaning) = line.split_once("  ").expect("a meaning");
            let condition: Condition = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(condition.to_string().parse(), Ok(condition), "{text}");
            for also in meaning
                .split_once("also ")
                .map_or("", |(_, also)| also)
                .split(", ")
            {
                assert!(
                    also.is_empty() || also.parse::<Condition>().is_ok(),
                    "{also}"
                );
            }
            assert!(
                !meaning.trim().is_empty() && line.chars().count() <= 80,
                "{line}"
            );
        }
    }

    #[test]
    fn signs_of_word_processors_are_read() {
        for (written, plain) in [
            ("N.♠\u{fe0f}≥5", "N.S>=5"),
            ("N.hcp=15–17", "N.hcp=15-17"),
            ("N.hcp\u{a0}≤ 9; E.♥ ≥ 4", "N.hcp<=9,E.H>=4"),
            ("not N.balanced and N.S>=5", "not N.balanced,N.S>=5"),
            ("S=3—2 or W.S=4", "S=3-2|W.S=4"),
            ("E+HK && W.S=4 || E+SA", "E+HK,W.S=4|E+SA"),
        ] {
            let read = |text: &str| text.parse::<Condition>().unwrap().to_string();
            assert_eq!(read(written), read(plain), "{written}");
        }
    }

    #[test]
    fn blanks_and_case_do_not_matter() {
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
            ("(E+HK", 6),
            ("E+HK)", 5),
            ("N.(E+HK)", 4),
            ("E+HK,N(S=1)", 6),
            ("N.5-4-3-2", 1),
            ("W.S>13", 1),
            ("W.S<0", 1),
            ("W+H", 1),
            ("N.S.top4>=1", 1),
            ("N.S+S.S>=27", 1),
            ("N.S+S>=8", 1),
            ("N.S+S.S+E.S+W.S+N.H=3", 1),
            ("S>H", 1),
            ("E+HK,not", 6),
            ("not ", 5),
            ("notN.balanced", 1),
            ("E+HK,not (E+SK", 15),
        ] {
            let error = text.parse::<Condition>().unwrap_err();
            assert_eq!(error.column(), column, "{text}");
        }
        let error = "E+HK,N(S=1)".parse::<Condition>().unwrap_err();
        let problem = error.problem();
        assert!(
            problem.starts_with("\"N(\" is not a condition"),
            "{problem}"
        );
    }

    /// An odd number of cards that are split evenly leaves no alternatives.
    #[test]
    fn even_splits_are_limits() {
        let hidden = [Seat::East, Seat::West];
        let limits = |text: &str| {
            let condition: Condition = text.parse().unwrap();
            condition.limits(&hidden, "KT987...".parse().unwrap())
        };
        for text in ["S=3-2", "S=2-3"] {
            let [_, east, _, west] = limits(text).unwrap();
            assert_eq!((east.lengths[0], west.lengths[0]), ((2, 3), (2, 3)));
        }
        assert_eq!(limits("S=4-1"), Err((1, ConditionError::Alternatives)));
    }

    #[test]
    fn texts_have_limits() {
        let error = |text: String| text.parse::<Condition>().unwrap_err().to_string();
        let any = |count: usize| vec!["W.S>=1"; count].join("|");
        let read = any(256).parse::<Condition>().unwrap();
        assert_eq!(read.alternatives().len(), 256);
        let many = "column 1804: more than 256 alternatives";
        assert_eq!(error(any(257) + ",E+HK"), many);
        let read = format!("({}),({})", any(16), any(16));
        let read = read.parse::<Condition>().unwrap();
        assert_eq!(read.alternatives().len(), 256);
        let many = error(format!("({}),({})", any(16), any(17)));
        assert!(many.ends_with("more than 256 alternatives"), "{many}");
        // Brackets may be many, but not deep.
        let nested = |depth: usize| format!("{}S<=3{}", "(".repeat(depth), ")".repeat(depth));
        let side_by_side = [nested(16), nested(16)].join("|");
        assert_eq!(
            side_by_side.parse::<Condition>().unwrap().to_string(),
            "S<=3|S<=3"
        );
        assert_eq!(
            error(nested(17)),
            "column 17: more than 16 brackets in brackets"
        );
    }

    /// Impossible alternatives take no memory.
    #[test]
    fn limits_around_alternatives_are_narrow() {
        let unseen: Hand = "KT98.K2..".parse().unwrap();
        let hidden = [Seat::East, Seat::West];
        let around = |text: &str| {
            let condition: Condition = text.parse().unwrap();
            condition.around(&hidden, unseen)
        };
        let [_, east, _, west] = around("E.S>=3,E.S<=2|E.S=2,E.hcp=3-4,W+HK|E.S=1,W+HK2,E-S9");
        assert_eq!(east.lengths[0], (1, 2));
        assert_eq!(east.points, Limits::default().points);
        assert_eq!(west.cards, ".K..".parse().unwrap());
        assert_eq!(east.lacks, Hand::EMPTY);
        let [_, east, ..] = around("E.hcp=3-4,E-S9|E.hcp=2,E-S98");
        assert_eq!((east.points, east.lacks), ((2, 4), "9...".parse().unwrap()));
        for of in around("E+SK,E-SK") {
            assert!(!of.can_be() && !of.allow(unseen));
        }
    }

    /// If there are too many cases, the layouts are checked one by one.
    #[test]
    fn cases_are_not_too_many() {
        let hidden = [Seat::East, Seat::South, Seat::West];
        let cases = |text: &str| {
            let condition: Condition = text.parse().unwrap();
            let cases = condition.cases(&hidden, Hand::PACK);
            cases.map(|cases| cases.len())
        };
        // 4, 12 and 12 shapes are balanced.
        assert_eq!(cases("S.balanced,W.balanced"), Some(28 * 28));
        assert_eq!(
            cases("E.S=0,S.balanced,W.balanced|E.S=1,S.balanced,W.balanced"),
            None
        );
        assert_eq!(cases("balanced"), None);
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
            "E-SK",
            "(E+SK|W.S=3),hcp<=6",
            "E.S.top3=1|W+HK",
            "W.(S>=3|H=2)",
            "S<=3|E+HK|E-S9",
            "E.losers<=3",
            "E.controls=1|W.S=2",
            "E.S.top5=1",
            "E-SK,E-S9|E.H>=1,W+S9",
            "E.S+W.H>=3",
            "E.S>E.H",
            "E.hcp>W.hcp",
            "E.hcp+W.S=4-6",
            "E.S=W.S",
            "not S=2-2",
            "not S<=3",
            "not E.S=1-2",
            "not (E+SK,W.H=1)",
            "not hcp=2+,W.S>=1",
            "not E.hcp=W.hcp",
            "not E.S.top5=1",
            "E.controls>=W.controls",
            "not E.losers=2-3",
        ] {
            let condition: Condition = text.parse().unwrap();
            let limits = condition.limits(&hidden, unseen);
            let cases = condition.cases(&hidden, unseen);
            let said = !text.contains("losers") && !text.contains("controls");
            assert_eq!(cases.is_some(), said, "{text}");
            let around = condition.around(&hidden, unseen);
            if text.contains('|') || text == "S=4-0" || !said && !text.starts_with("not") {
                let column = match text {
                    "(E+SK|W.S=3),hcp<=6" => 7,
                    "W.(S>=3|H=2)" => 9,
                    text => text.find('|').map_or(1, |bar| bar + 2),
                };
                assert_eq!(
                    limits,
                    Err((column, ConditionError::Alternatives)),
                    "{text}"
                );
            } else {
                let one = cases.as_ref().is_some_and(|cases| cases.len() == 1);
                assert_eq!(limits.is_ok(), one, "{text}");
            }
            let mut allowed = 0;
            for n in 0..1 << 6 {
                let of_east = |(at, _): &(usize, Card)| n >> at & 1 == 1;
                let (east, west): (Vec<_>, Vec<_>) = unseen.iter().enumerate().partition(of_east);
                let hand = |cards: Vec<(usize, Card)>| cards.into_iter().map(|(_, card)| card);
                let mut hands = [Hand::EMPTY; 4];
                hands[Seat::East] = hand(east).collect();
                hands[Seat::West] = hand(west).collect();
                let allows = condition.allows(&hidden, &hands);
                allowed += u32::from(allows);
                let within = |case: &[Limits; 4]| {
                    hidden
                        .iter()
                        .all(|s| case[s.index()].allow(hands[s.index()]))
                };
                assert!(!allows || within(&around), "{text} {}", hands[1]);
                if let Some(cases) = &cases {
                    // Each matching layout is in one case.
                    let found = cases.iter().filter(|case| within(case)).count();
                    assert_eq!(found, usize::from(allows), "{text} {}", hands[1]);
                }
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
