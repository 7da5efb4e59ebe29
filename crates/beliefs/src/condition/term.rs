//! The terms of conditions: their values and whether they hold.

use setrograde_cards::{Card, Hand, Seat, Suit};

use super::{ConditionError, Shapes};
use crate::limits::Measure;

/// One statement about the hidden cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A sum of measures is within bounds.
    Linear(Linear),
    /// A hidden hand has one of some shapes; this applies to each hidden hand if none is named.
    Shape {
        /// The hand; each hidden hand if `None`.
        seat: Option<Seat>,
        /// The shapes.
        shapes: Shapes,
    },
    /// A hidden hand has a card.
    Holds {
        /// The hand.
        seat: Seat,
        /// The card.
        card: Card,
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
}

/// A measure of a hidden hand, or of each hidden hand, and its sign: 1 if it is added, -1 if it is
/// subtracted.
pub type Summand = (Option<Seat>, Measure, i16);

/// A sum of measures of hidden hands, each added or subtracted, and its bounds: `N.hcp=15-17`,
/// `N.S+S.S>=8` or `N.S>N.H`; or one measure of each hidden hand, as in `S<=3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    parts: [Option<Summand>; 2 * Linear::MOST],
    least: i16,
    most: i16,
}

impl Linear {
    /// Maximum number of parts of one sign.
    const MOST: usize = 4;

    /// The sum of `parts` is from `least` to `most`, with `i16::MIN` or `i16::MAX` for no bound.
    ///
    /// What is added precedes what is subtracted, and a difference with one bound has a minimum:
    /// other sums are multiplied by -1. Returns `None` if there are no parts, more than four of one
    /// sign, or a measure of each hidden hand and another part.
    pub fn new(parts: &[Summand], (least, most): (i16, i16)) -> Option<Linear> {
        let of_sign = |sign: i16| parts.iter().filter(move |part| part.2 == sign);
        let (lowest, highest) = range(parts.iter().copied());
        let (least, most) = (least.max(lowest), most.min(highest));
        let is_open_below = lowest < 0 && least == lowest && most < highest;
        let sign = if is_open_below || highest == 0 { -1 } else { 1 };
        let of_each = parts.iter().any(|(seat, ..)| seat.is_none());
        let are_many = [1, -1]
            .iter()
            .any(|&sign| of_sign(sign).count() > Linear::MOST);
        if parts.is_empty() || are_many || of_each && parts.len() > 1 {
            return None;
        }
        let mut linear = Linear {
            parts: [None; 2 * Linear::MOST],
            least: if sign == 1 { least } else { -most },
            most: if sign == 1 { most } else { -least },
        };
        let ordered = of_sign(sign).chain(of_sign(-sign));
        for (part, &(seat, of, before)) in linear.parts.iter_mut().zip(ordered) {
            *part = Some((seat, of, before * sign));
        }
        Some(linear)
    }

    /// The measures, those that are added first.
    pub fn parts(&self) -> impl Iterator<Item = Summand> + '_ {
        self.parts.iter().map_while(|part| *part)
    }

    /// Minimum and maximum of the sum.
    pub const fn bounds(&self) -> (i16, i16) {
        (self.least, self.most)
    }

    /// The least and the greatest number that the sum may be, with each measure at its own.
    pub fn range(&self) -> (i16, i16) {
        range(self.parts())
    }

    /// Returns true unless it is a measure of each hidden hand.
    pub(super) fn names_hands(&self) -> bool {
        self.parts().all(|(seat, ..)| seat.is_some())
    }

    /// The measure, and the hand or each hidden hand, if the sum has one part.
    pub(crate) const fn single(&self) -> Option<(Option<Seat>, Measure)> {
        match self.parts {
            [Some((seat, of, _)), None, ..] => Some((seat, of)),
            _ => None,
        }
    }

    /// Returns true if nothing is subtracted.
    pub(crate) fn is_sum(&self) -> bool {
        self.parts().all(|(.., sign)| sign == 1)
    }

    /// The same sum with bounds that include all numbers outside these, if those are one range.
    pub(super) fn outside(&self) -> Option<Linear> {
        let (lowest, highest) = self.range();
        let bounds = match (self.least, self.most) {
            (least, most) if least == lowest && most < highest => (most + 1, highest),
            (least, most) if least > lowest && most >= highest => (lowest, least - 1),
            _ => return None,
        };
        let parts: Vec<Summand> = self.parts().collect();
        Linear::new(&parts, bounds).filter(Linear::names_hands)
    }

    /// The same sum within the bounds of both, if the parts are the same, of hands that are named,
    /// and the bounds overlap.
    pub(super) fn and(&self, other: &Linear) -> Option<Linear> {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        (self.names_hands() && self.parts == other.parts && least <= most).then_some(Linear {
            least,
            most,
            ..*self
        })
    }

    /// Returns true if the sum of these values of measures is within the bounds. `hidden` are the
    /// hands of a measure of each hidden hand.
    pub fn holds(&self, hidden: &[Seat], value: impl Fn(Seat, Measure) -> u8) -> bool {
        let within = |sum: i16| self.least <= sum && sum <= self.most;
        if let Some((None, of)) = self.single() {
            return hidden.iter().all(|&seat| within(value(seat, of).into()));
        }
        let signed = |(seat, of, sign): Summand| Some(sign * i16::from(value(seat?, of)));
        within(self.parts().filter_map(signed).sum())
    }
}

/// The least and the greatest number that a sum may be.
fn range(parts: impl Iterator<Item = Summand>) -> (i16, i16) {
    let ends = parts.map(|(_, of, sign)| sign * i16::from(of.top()));
    ends.fold((0, 0), |(low, high), end| {
        (low + end.min(0), high + end.max(0))
    })
}

impl Term {
    /// The term that a measure is `least` to `most`: of the hand of `seat`, or of each hidden hand.
    pub fn range(seat: Option<Seat>, of: Measure, (least, most): (u8, u8)) -> Term {
        let bounds = (least.into(), most.into());
        Term::Linear(Linear::new(&[(seat, of, 1)], bounds).expect("one part"))
    }

    /// The hands that the term names.
    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        let seat = match self {
            Term::Shape { seat, .. } => *seat,
            Term::Holds { seat, .. } => Some(*seat),
            Term::Linear(_) | Term::Split { .. } => None,
        };
        seat.into_iter()
            .chain(self.parts().filter_map(|(seat, ..)| seat))
    }

    /// The measures of hands that the term speaks of.
    pub fn measures(&self) -> impl Iterator<Item = Measure> + '_ {
        self.parts().map(|(_, of, _)| of)
    }

    /// The sum, if the term is one.
    pub const fn linear(&self) -> Option<&Linear> {
        match self {
            Term::Linear(linear) => Some(linear),
            Term::Shape { .. } | Term::Holds { .. } | Term::Split { .. } => None,
        }
    }

    fn parts(&self) -> impl Iterator<Item = Summand> + '_ {
        self.linear().into_iter().flat_map(Linear::parts)
    }

    pub(super) fn check(self, hidden: &[Seat], unseen: Hand) -> Result<(), ConditionError> {
        if let Some(seat) = self.seats().find(|seat| !hidden.contains(seat)) {
            return Err(ConditionError::VisibleSeat { seat });
        }
        match self {
            Term::Holds { card, .. } if !unseen.contains(card) => {
                Err(ConditionError::NotUnseen { card })
            }
            Term::Split {
                suit,
                first,
                second,
            } => {
                let (hidden, unseen) = (hidden.len(), unseen.suit(suit).len());
                if hidden != 2 {
                    Err(ConditionError::SplitOfMany { hidden })
                } else if usize::from(first + second) != unseen {
                    Err(ConditionError::UnfitSplit {
                        suit,
                        unseen,
                        first,
                        second,
                    })
                } else {
                    Ok(())
                }
            }
            Term::Linear(_) | Term::Shape { .. } | Term::Holds { .. } => Ok(()),
        }
    }

    pub(super) fn holds(self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        match self {
            Term::Linear(linear) => linear.holds(hidden, |seat, of| of.of(hands[seat])),
            Term::Shape { seat, shapes } => {
                let mut seats = seat.as_ref().map_or(hidden, std::slice::from_ref).iter();
                seats.all(|&seat| shapes.has(hands[seat]))
            }
            Term::Holds { seat, card } => hands[seat].contains(card),
            Term::Split { suit, first, .. } => hidden
                .iter()
                .any(|&seat| Measure::Length(suit).of(hands[seat]) == first),
        }
    }
}
