//! Limits on a hand: suit lengths, high-card points, cards.

use std::fmt;

use setrograde_cards::{Card, Hand, Rank, Suit};

/// A card's high-card points: 4 for an ace, 3, 2 and 1 for king, queen and
/// jack, else 0.
#[must_use]
pub const fn card_points(rank: Rank) -> u8 {
    rank.value().saturating_sub(10)
}

/// A card's controls: 2 for an ace, 1 for a king.
#[must_use]
pub(crate) const fn card_controls(rank: Rank) -> u8 {
    rank.value().saturating_sub(12)
}

/// The losers of a hand: in each suit one for each of ace, king and queen that is missing, but
/// not more than it has cards there; the queen does not count in a suit of two cards, nor the
/// king in one of a single card (the losing trick count).
#[must_use]
pub fn losers(hand: Hand) -> u8 {
    let of_suit = |suit: Suit| {
        let held = hand.holding(suit);
        let counted = held.len().min(3);
        let winners = Rank::all()
            .take(counted)
            .filter(|&rank| held.contains(rank));
        (counted - winners.count()) as u8
    };
    Suit::ALL.into_iter().map(of_suit).sum()
}

/// The high-card points of some cards.
#[must_use]
pub fn points(cards: Hand) -> u8 {
    cards.iter().map(|card| card_points(card.rank)).sum()
}

/// A number that describes a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Number of cards of a suit, 0 to 13.
    Length(Suit),
    /// The high-card points, 0 to 40.
    Points,
    /// The controls, 0 to 12.
    Controls,
    /// The losers, 0 to 12.
    Losers,
    /// Number of the highest cards of a suit, of the pack's top three or five.
    Top(Suit, u8),
}

impl Measure {
    /// The measures of a whole hand, each with the names under which it is read; the first is
    /// written.
    pub(crate) const NAMED: [(Measure, &[&str]); 3] = [
        (Measure::Points, &["hcp", "points", "pts"]),
        (Measure::Controls, &["controls"]),
        (Measure::Losers, &["losers"]),
    ];

    /// All measures as they are written, for refusals.
    pub(crate) fn list() -> String {
        let named = Measure::NAMED.map(|(_, names)| names[0]).join(", ");
        format!("a suit (S H D C), {named} or S.top2 to S.top5")
    }

    /// The measure of a hand.
    #[must_use]
    pub fn of(self, hand: Hand) -> u8 {
        match self {
            Measure::Length(suit) => hand.suit(suit).len() as u8,
            Measure::Points => points(hand),
            Measure::Controls => hand.iter().map(|card| card_controls(card.rank)).sum(),
            Measure::Losers => losers(hand),
            Measure::Top(suit, top) => {
                let held = hand.holding(suit);
                let ranks = Rank::all().take(top.into());
                ranks.filter(|&rank| held.contains(rank)).count() as u8
            }
        }
    }

    /// Maximum for a hand.
    #[must_use]
    pub const fn top(self) -> u8 {
        match self {
            Measure::Length(_) => 13,
            Measure::Points => 40,
            Measure::Controls | Measure::Losers => 12,
            Measure::Top(_, top) => top,
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measure::Length(suit) => suit.fmt(f),
            Measure::Top(suit, top) => write!(f, "{suit}.top{top}"),
            Measure::Points | Measure::Controls | Measure::Losers => {
                let named = Measure::NAMED.iter().find(|(of, _)| of == self);
                f.write_str(named.map_or("", |(_, names)| names[0]))
            }
        }
    }
}

/// Inclusive bounds on a hand's suit lengths and high-card points, and cards that it has or does
/// not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Minimum and maximum length of each suit, from spades.
    pub lengths: [(u8, u8); 4],
    /// Minimum and maximum number of high-card points.
    pub points: (u8, u8),
    /// Cards that the hand has.
    pub cards: Hand,
    /// Cards that it does not have.
    pub lacks: Hand,
}

/// No limits.
impl Default for Limits {
    fn default() -> Limits {
        Limits {
            lengths: [Limits::ANY_LENGTH; 4],
            points: Limits::ANY_POINTS,
            cards: Hand::EMPTY,
            lacks: Hand::EMPTY,
        }
    }
}

impl Limits {
    const ANY_LENGTH: (u8, u8) = (0, 13);
    const ANY_POINTS: (u8, u8) = (0, 40);

    /// Returns true if a hand of these cards is within the limits.
    #[must_use]
    pub fn allow(&self, cards: Hand) -> bool {
        let within = |value: u8, (low, high): (u8, u8)| low <= value && value <= high;
        within(points(cards), self.points)
            && self.cards.is_subset(cards)
            && (self.lacks & cards).is_empty()
            && Suit::ALL.into_iter().all(|suit| {
                let length = cards.suit(suit).len() as u8;
                within(length, self.lengths[suit])
            })
    }

    /// The limits of a hand without these cards; `None` if they are more than the limits allow.
    #[must_use]
    pub fn without(&self, cards: Hand) -> Option<Limits> {
        let less = |(low, high): (u8, u8), gone: u8| {
            Some((low.saturating_sub(gone), high.checked_sub(gone)?))
        };
        let mut rest = *self;
        if !(rest.lacks & cards).is_empty() {
            return None;
        }
        for suit in Suit::ALL {
            let bounds = &mut rest.lengths[suit];
            *bounds = less(*bounds, cards.suit(suit).len() as u8)?;
        }
        rest.points = less(rest.points, points(cards))?;
        rest.cards -= cards;
        Some(rest)
    }

    /// The limits of the hand before it lost these cards.
    #[must_use]
    pub fn with(&self, cards: Hand) -> Limits {
        let more = |(low, high): (u8, u8), gone: usize, any: (u8, u8)| {
            if (low, high) == any {
                any
            } else {
                (low + gone as u8, high.saturating_add(gone as u8).min(any.1))
            }
        };
        let length = |suit: Suit| {
            let bounds = self.lengths[suit];
            more(bounds, cards.suit(suit).len(), Limits::ANY_LENGTH)
        };
        Limits {
            lengths: Suit::ALL.map(length),
            points: more(self.points, usize::from(points(cards)), Limits::ANY_POINTS),
            cards: self.cards,
            lacks: self.lacks,
        }
    }

    /// The conjunction of both limits; no hand is within it if they contradict each other.
    #[must_use]
    pub fn and(&self, other: &Limits) -> Limits {
        let both = |a: (u8, u8), b: (u8, u8)| (a.0.max(b.0), a.1.min(b.1));
        Limits {
            lengths: std::array::from_fn(|suit| both(self.lengths[suit], other.lengths[suit])),
            points: both(self.points, other.points),
            cards: self.cards | other.cards,
            lacks: self.lacks | other.lacks,
        }
    }

    /// Returns true if a hand may be within the limits, judged by the limits alone.
    #[must_use]
    pub(crate) fn can_be(&self) -> bool {
        let some = |&(low, high): &(u8, u8)| low <= high;
        self.lengths.iter().all(some) && some(&self.points) && (self.cards & self.lacks).is_empty()
    }

    /// The narrowest limits that include all hands within either of the two.
    #[must_use]
    pub fn around(&self, other: &Limits) -> Limits {
        let both = |a: (u8, u8), b: (u8, u8)| (a.0.min(b.0), a.1.max(b.1));
        Limits {
            lengths: std::array::from_fn(|suit| both(self.lengths[suit], other.lengths[suit])),
            points: both(self.points, other.points),
            cards: self.cards & other.cards,
            lacks: self.lacks & other.lacks,
        }
    }

    /// The part of the limits outside `other`, in disjoint parts.
    pub(crate) fn minus(self, other: &Limits) -> Vec<Limits> {
        let mut rest = self;
        let mut parts = Vec::new();
        for at in 0..5 {
            let bounds = |limits: &Limits| match limits.lengths.get(at) {
                Some(&bounds) => bounds,
                None => limits.points,
            };
            let with = |limits: Limits, bounds: (u8, u8)| {
                let mut with = limits;
                *with.lengths.get_mut(at).unwrap_or(&mut with.points) = bounds;
                with
            };
            let ((low, high), (least, most)) = (bounds(&rest), bounds(other));
            if low < least {
                parts.push(with(rest, (low, high.min(least - 1))));
            }
            if most < high {
                parts.push(with(rest, (low.max(most + 1), high)));
            }
            rest = with(rest, (low.max(least), high.min(most)));
            if !rest.can_be() {
                return parts;
            }
        }
        for card in other.cards - rest.cards {
            let mut part = rest;
            part.lacks |= card.into();
            parts.push(part);
            rest.cards |= card.into();
        }
        for card in other.lacks - rest.lacks {
            let mut part = rest;
            part.cards |= card.into();
            parts.push(part);
            rest.lacks |= card.into();
        }
        parts.retain(Limits::can_be);
        parts
    }

    /// Limits a suit's length, or the points, further; other measures have no limits.
    pub fn and_range(&mut self, of: Measure, least: u8, most: u8) {
        let bounds = match of {
            Measure::Length(suit) => &mut self.lengths[suit],
            Measure::Points => &mut self.points,
            Measure::Controls | Measure::Losers | Measure::Top(..) => return,
        };
        *bounds = (bounds.0.max(least), bounds.1.min(most));
    }

    pub(crate) fn limit_lengths(&self) -> bool {
        self.lengths != [Limits::ANY_LENGTH; 4]
    }

    pub(crate) fn limit_points(&self) -> bool {
        self.points != Limits::ANY_POINTS
    }
}

/// The points of one card of a class.
pub(crate) fn points_of(card: Card) -> u8 {
    card_points(card.rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_within_limits() {
        let hand: Hand = "AKQJT.432.5.6".parse().expect("hand");
        assert_eq!(points(hand), 10);
        let mut limits = Limits::default();
        limits.and_range(Measure::Length(Suit::Spades), 5, 8);
        limits.and_range(Measure::Points, 9, 11);
        assert!(limits.allow(hand));
        let ace: Hand = "A...".parse().expect("hand");
        assert!(!limits.allow(hand - ace));
        let rest = limits.without(ace).expect("within");
        assert!(rest.allow(hand - ace));
        assert_eq!(rest.points, (5, 7));
        limits.cards = ace;
        assert!(limits.allow(hand));
        assert!(!limits.allow(hand - ace));
        assert_eq!(limits.without(ace).expect("within").cards, Hand::EMPTY);
        let jack = Limits {
            cards: "J...".parse().expect("hand"),
            ..Limits::default()
        };
        assert_eq!(limits.and(&jack).cards, ace | jack.cards);
        let before = limits.without(ace).expect("within").with(ace);
        assert_eq!(
            (before.lengths, before.points),
            (limits.lengths, limits.points)
        );
        assert_eq!(Limits::default().with(hand), Limits::default());
        let mut none = Limits::default();
        none.and_range(Measure::Length(Suit::Spades), 0, 0);
        assert_eq!(none.without(ace), None);
        assert!(!none.and(&limits).allow(hand));
    }
}
