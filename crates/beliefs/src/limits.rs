//! Limits on a hand: suit lengths, high-card points, cards.

use std::fmt;

use setrograde_cards::{Card, Hand, Holding, Rank, Suit};

use crate::text::joined;

/// A card's high-card points: 4 for an ace, 3, 2 and 1 for king, queen and
/// jack, else 0.
pub const fn card_points(rank: Rank) -> u8 {
    rank.value().saturating_sub(10)
}

/// A card's controls: 2 for an ace, 1 for a king.
pub(crate) const fn card_controls(rank: Rank) -> u8 {
    rank.value().saturating_sub(12)
}

/// The losers of a hand: in each suit one for each of ace, king and queen that is missing, but
/// not more than it has cards there; the queen does not count in a suit of two cards, nor the
/// king in one of a single card (the losing trick count).
pub fn losers(hand: Hand) -> u8 {
    Measure::Losers.of(hand)
}

/// The losers in a suit of `length` cards with these honours.
fn suit_losers(honours: Holding, length: u8) -> u8 {
    let counted = length.min(3);
    let winners = Rank::all().take(counted.into());
    counted - winners.filter(|&rank| honours.contains(rank)).count() as u8
}

/// The high-card points of some cards.
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
    /// Number of the highest cards of a suit, of the pack's top two to five.
    Top(Suit, u8),
}

/// How a measure is counted. What depends on that matches all kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MeasureKind {
    /// The number of cards of a suit, which [`Limits`] bound.
    Length(Suit),
    /// The high-card points, which [`Limits`] bound.
    Points,
    /// The sum of a number for each card.
    SumOfCards(fn(Rank) -> u8),
    /// The sum of a number for each suit, of its honours and its length.
    SumOfSuits(fn(Holding, u8) -> u8),
    /// The number of cards that are among the highest of a suit.
    Top(Suit, u8),
}

/// A measure of a whole hand, and its names.
#[derive(Debug)]
pub(crate) struct NamedMeasure {
    pub of: Measure,
    /// The names under which it is read; the first is written.
    pub names: &'static [&'static str],
    /// The name of what is counted: of one, and of several.
    pub things: [&'static str; 2],
}

impl Measure {
    /// The measures of a whole hand.
    pub(crate) const NAMED: &[NamedMeasure] = &[
        NamedMeasure {
            of: Measure::Points,
            names: &["hcp", "points", "pts"],
            things: ["point", "points"],
        },
        NamedMeasure {
            of: Measure::Controls,
            names: &["controls"],
            things: ["control", "controls"],
        },
        NamedMeasure {
            of: Measure::Losers,
            names: &["losers"],
            things: ["loser", "losers"],
        },
    ];

    pub(crate) const fn kind(self) -> MeasureKind {
        match self {
            Measure::Length(suit) => MeasureKind::Length(suit),
            Measure::Points => MeasureKind::Points,
            Measure::Controls => MeasureKind::SumOfCards(card_controls),
            Measure::Losers => MeasureKind::SumOfSuits(suit_losers),
            Measure::Top(suit, top) => MeasureKind::Top(suit, top),
        }
    }

    /// All measures as they are written, for refusals.
    pub(crate) fn list() -> String {
        let named = Measure::NAMED.iter().map(|named| named.names[0]);
        let named = joined(named, ", ");
        format!("a suit (S H D C), {named} or S.top2 to S.top5")
    }

    /// The name of what is counted, for a number: `1 point`, `2 points`, `2 spades`.
    pub(crate) fn things(self, count: i16) -> String {
        match self.kind() {
            MeasureKind::Length(suit) if count == 1 => suit.name().trim_end_matches('s').to_owned(),
            MeasureKind::Length(suit) => suit.name().to_owned(),
            MeasureKind::Top(suit, top) => format!("of the top {top} {}", suit.name()),
            MeasureKind::Points | MeasureKind::SumOfCards(_) | MeasureKind::SumOfSuits(_) => {
                self.named().things[usize::from(count != 1)].to_owned()
            }
        }
    }

    /// The names of a measure of a whole hand.
    fn named(self) -> &'static NamedMeasure {
        let named = Measure::NAMED.iter().find(|named| named.of == self);
        named.expect("measures of a whole hand have names")
    }

    /// The measure of a hand.
    pub fn of(self, hand: Hand) -> u8 {
        match self.kind() {
            MeasureKind::Length(suit) => hand.suit(suit).len() as u8,
            MeasureKind::Points => points(hand),
            MeasureKind::SumOfCards(_) | MeasureKind::SumOfSuits(_) => {
                let holdings = Suit::ALL.into_iter().map(|suit| hand.holding(suit));
                holdings
                    .map(|held| self.of_suit(held, held.len() as u8))
                    .sum()
            }
            MeasureKind::Top(suit, top) => {
                let held = hand.holding(suit);
                let ranks = Rank::all().take(top.into());
                ranks.filter(|&rank| held.contains(rank)).count() as u8
            }
        }
    }

    /// What a suit of `length` cards with these honours adds to a measure of a whole hand.
    pub(crate) fn of_suit(self, honours: Holding, length: u8) -> u8 {
        match (self.of_card(), self.kind()) {
            (Some(of), _) => honours.iter().map(of).sum(),
            (None, MeasureKind::SumOfSuits(of)) => of(honours, length),
            (None, _) => 0,
        }
    }

    /// The number that a card adds to the measure, if each adds one whatever the others are.
    pub(crate) const fn of_card(self) -> Option<fn(Rank) -> u8> {
        match self.kind() {
            MeasureKind::Points => Some(card_points),
            MeasureKind::SumOfCards(of) => Some(of),
            MeasureKind::Length(_) | MeasureKind::SumOfSuits(_) | MeasureKind::Top(..) => None,
        }
    }

    /// The cards of `among` that add to the measure; `None` if that depends on the other cards of
    /// the hand.
    pub fn counted(self, among: Hand) -> Option<Hand> {
        match self.kind() {
            MeasureKind::SumOfSuits(_) => None,
            MeasureKind::Length(_)
            | MeasureKind::Points
            | MeasureKind::SumOfCards(_)
            | MeasureKind::Top(..) => {
                let counts = |&card: &Card| self.of(card.into()) > 0;
                Some(among.iter().filter(counts).collect())
            }
        }
    }

    /// Maximum for a hand.
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
        match self.kind() {
            MeasureKind::Length(suit) => suit.fmt(f),
            MeasureKind::Top(suit, top) => write!(f, "{suit}.top{top}"),
            MeasureKind::Points | MeasureKind::SumOfCards(_) | MeasureKind::SumOfSuits(_) => {
                f.write_str(self.named().names[0])
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

/// A case: limits on each hand, from North.
pub(crate) type Case = [Limits; 4];

/// No limits on any hand.
pub(crate) const ANY_CASE: Case = [Limits::ANY; 4];

/// No limits.
impl Default for Limits {
    fn default() -> Limits {
        Limits::ANY
    }
}

impl Limits {
    const ANY: Limits = Limits {
        lengths: [Limits::ANY_LENGTH; 4],
        points: Limits::ANY_POINTS,
        cards: Hand::EMPTY,
        lacks: Hand::EMPTY,
    };
    const ANY_LENGTH: (u8, u8) = (0, 13);
    const ANY_POINTS: (u8, u8) = (0, 40);

    /// Returns true if a hand of these cards is within the limits.
    pub fn allow(&self, cards: Hand) -> bool {
        let within = |value: u8, (low, high): (u8, u8)| low <= value && value <= high;
        within(points(cards), self.points)
            && (self.cards - cards).is_empty()
            && (self.lacks & cards).is_empty()
            && Suit::ALL.into_iter().all(|suit| {
                let length = cards.suit(suit).len() as u8;
                within(length, self.lengths[suit])
            })
    }

    /// The limits of a hand without these cards; `None` if they are more than the limits allow.
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
        let cards = (self.cards | other.cards, self.lacks | other.lacks);
        self.joined(other, cards, |a, b| (a.0.max(b.0), a.1.min(b.1)))
    }

    /// The narrowest limits that include all hands within either of the two.
    #[must_use]
    pub fn around(&self, other: &Limits) -> Limits {
        let cards = (self.cards & other.cards, self.lacks & other.lacks);
        self.joined(other, cards, |a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    fn joined(
        &self,
        other: &Limits,
        (cards, lacks): (Hand, Hand),
        both: impl Fn((u8, u8), (u8, u8)) -> (u8, u8),
    ) -> Limits {
        Limits {
            lengths: std::array::from_fn(|suit| both(self.lengths[suit], other.lengths[suit])),
            points: both(self.points, other.points),
            cards,
            lacks,
        }
    }

    /// Returns true if a hand may be within the limits, judged by the limits alone.
    pub(crate) fn can_be(&self) -> bool {
        let some = |&(low, high): &(u8, u8)| low <= high;
        self.lengths.iter().all(some) && some(&self.points) && (self.cards & self.lacks).is_empty()
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

    /// Limits a measure further; `None` if limits do not bound it, which only suits' lengths and
    /// the points are.
    pub fn and_range(mut self, of: Measure, least: u8, most: u8) -> Option<Limits> {
        let bounds = match of.kind() {
            MeasureKind::Length(suit) => &mut self.lengths[suit],
            MeasureKind::Points => &mut self.points,
            MeasureKind::SumOfCards(_) | MeasureKind::SumOfSuits(_) | MeasureKind::Top(..) => {
                return None;
            }
        };
        *bounds = (bounds.0.max(least), bounds.1.min(most));
        Some(self)
    }

    pub(crate) fn limit_lengths(&self) -> bool {
        self.lengths != [Limits::ANY_LENGTH; 4]
    }

    pub(crate) fn limit_points(&self) -> bool {
        self.points != Limits::ANY_POINTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of every measure of a hand, its value, its maximum, and the cards that it counts.
    #[test]
    fn measures_have_their_values() {
        let values = [("hcp", 19), ("controls", 6), ("losers", 5)];
        let hand: Hand = "AKQ2.AJ3.T9.KQ54".parse().expect("hand");
        let low: Hand = "432.432.432.432".parse().expect("hand");
        let measured = |named: &NamedMeasure| (named.names[0], named.of.of(hand));
        let found: Vec<_> = Measure::NAMED.iter().map(measured).collect();
        assert_eq!(found, values);
        for (named, (name, value)) in Measure::NAMED.iter().zip(values) {
            assert!(named.names.contains(&named.things[1]), "{name}");
            let most = named.of.of(Hand::PACK).max(named.of.of(low));
            assert_eq!(named.of.top(), most, "{name}");
            let by_card = named.of.of_card();
            let added = by_card.map(|of| hand.iter().map(|card| of(card.rank)).sum());
            assert!(added.is_none_or(|added: u8| added == value), "{name}");
            let is_sum = !matches!(named.of.kind(), MeasureKind::SumOfSuits(_));
            assert_eq!(by_card.is_some(), is_sum, "{name}");
            assert_eq!(named.of.counted(hand).is_some(), is_sum, "{name}");
        }
    }

    #[test]
    fn hands_within_limits() {
        let hand: Hand = "AKQJT.432.5.6".parse().expect("hand");
        assert_eq!(points(hand), 10);
        let limits = Limits::default().and_range(Measure::Length(Suit::Spades), 5, 8);
        let limits = limits.and_then(|limits| limits.and_range(Measure::Points, 9, 11));
        let mut limits = limits.expect("bounds of limits");
        for of in [
            Measure::Controls,
            Measure::Losers,
            Measure::Top(Suit::Hearts, 3),
        ] {
            assert_eq!(limits.and_range(of, 0, 1), None);
        }
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
        let none = Limits::default().and_range(Measure::Length(Suit::Spades), 0, 0);
        let none = none.expect("bounds of limits");
        assert_eq!(none.without(ace), None);
        assert!(!none.and(&limits).allow(hand));
    }
}
