//! The terms of conditions: their values and whether they hold.

use setrograde_cards::{Card, Hand, Seat, Sorting, Suit};

use super::ConditionError;
use crate::limits::Measure;

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
    /// A hidden hand is of a kind; this applies to each hidden hand if none is named.
    Kind {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
        /// The kind.
        kind: Kind,
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
        /// What is added to the right side.
        plus: i16,
    },
}

/// A kind of hands, by the lengths of their suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// 4-3-3-3, 4-4-3-2 or 5-3-3-2.
    Balanced,
    /// Balanced, 5-4-2-2 or 6-3-2-2.
    Semibalanced,
    /// With a suit of no card.
    Void,
    /// With a suit of one card.
    Singleton,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [
        Kind::Balanced,
        Kind::Semibalanced,
        Kind::Void,
        Kind::Singleton,
    ];

    /// The name, as it is read and written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Balanced => "balanced",
            Kind::Semibalanced => "semibalanced",
            Kind::Void => "void",
            Kind::Singleton => "singleton",
        }
    }

    /// Its shapes, or the length of a suit that makes a hand one of this kind.
    pub(super) const fn shapes(self) -> Result<&'static [[u8; 4]], u8> {
        const SHAPES: [[u8; 4]; 5] = [
            [4, 3, 3, 3],
            [4, 4, 3, 2],
            [5, 3, 3, 2],
            [5, 4, 2, 2],
            [6, 3, 2, 2],
        ];
        match self {
            Kind::Balanced => Ok(SHAPES.split_at(3).0),
            Kind::Semibalanced => Ok(&SHAPES),
            Kind::Void => Err(0),
            Kind::Singleton => Err(1),
        }
    }

    fn holds(self, hand: Hand) -> bool {
        let shape = shape(hand);
        match self.shapes() {
            Ok(shapes) => shapes.contains(&shape),
            Err(length) => shape.contains(&length),
        }
    }
}

/// A sum of one to four measures of hidden hands, such as `N.S+S.S`.
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
    pub const fn holds(self, left: i16, right: i16) -> bool {
        match self {
            Relation::Greater => left > right,
            Relation::AtLeast => left >= right,
            Relation::Equal => left == right,
        }
    }
}

impl Term {
    /// The hand that the term is about; `None` if it is about each hidden one.
    pub(super) const fn seat(self) -> Option<Seat> {
        match self {
            Term::Range { seat, .. } | Term::Shape { seat, .. } | Term::Kind { seat, .. } => seat,
            Term::Holds { seat, .. } | Term::Lack { seat, .. } => Some(seat),
            Term::Split { .. } | Term::Sum { .. } | Term::Compare { .. } => None,
        }
    }

    /// The hands that the term names.
    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seat().into_iter().chain(self.parts().map(|of| of.0))
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

    pub(super) fn check(self, hidden: &[Seat], unseen: Hand) -> Result<(), ConditionError> {
        if let Some(seat) = self.seats().find(|seat| !hidden.contains(seat)) {
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

    pub(super) fn holds(self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
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
            Term::Kind { kind, .. } => all.all(|&seat| kind.holds(hand(seat))),
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
                plus,
            } => {
                let [left, right] = [left, right].map(|sum| i16::from(sum.of(&value)));
                Some(relation.holds(left, right + plus))
            }
            _ => None,
        }
    }
}

/// The lengths of a hand's suits, the longest first.
fn shape(hand: Hand) -> [u8; 4] {
    let mut lengths = Suit::ALL.map(|suit| hand.suit(suit).len() as u8);
    lengths.in_any_order_by(|a, b| b.cmp(a));
    lengths
}
