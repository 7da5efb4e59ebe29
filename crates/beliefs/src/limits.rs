//! What is known of a hand as a whole: suit lengths and high-card points.

use std::fmt;
use std::str::FromStr;

use setrograde_cards::{Card, Rank, Seat, Suit};
use thiserror::Error;

use crate::card_set::CardSet;

/// A card's high-card points: 4 for an ace, 3, 2 and 1 for king, queen and
/// jack, else 0.
#[must_use]
pub const fn card_points(rank: Rank) -> u8 {
    rank.value().saturating_sub(10)
}

/// The high-card points of some cards.
#[must_use]
pub fn points(cards: CardSet) -> u8 {
    cards.iter().map(|card| card_points(card.rank)).sum()
}

/// Bounds on a hand's suit lengths and high-card points, all inclusive.
///
/// Written as `S5-8,11-15hcp`: parts in any order, separated by commas; `S5` is
/// exactly five, `S5-` at least five, `S-3` at most three. Each suit, and the points,
/// stand there at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Least and greatest length of each suit, from spades.
    pub lengths: [(u8, u8); 4],
    /// Least and greatest number of high-card points.
    pub points: (u8, u8),
}

/// No limits at all.
impl Default for Limits {
    fn default() -> Limits {
        Limits {
            lengths: [Limits::ANY_LENGTH; 4],
            points: Limits::ANY_POINTS,
        }
    }
}

impl Limits {
    const ANY_LENGTH: (u8, u8) = (0, 13);
    const ANY_POINTS: (u8, u8) = (0, 40);

    /// Whether a hand of these cards is within the limits.
    #[must_use]
    pub fn allow(&self, cards: CardSet) -> bool {
        let within = |value: u8, (low, high): (u8, u8)| low <= value && value <= high;
        within(points(cards), self.points)
            && Suit::ALL.into_iter().all(|suit| {
                let length = cards.suit(suit).len() as u8;
                within(length, self.lengths[suit.index()])
            })
    }

    /// The limits of the rest of a hand from which these cards are gone; `None`
    /// if they are more than the limits allow.
    #[must_use]
    pub fn without(&self, cards: CardSet) -> Option<Limits> {
        let less = |(low, high): (u8, u8), gone: u8| {
            Some((low.saturating_sub(gone), high.checked_sub(gone)?))
        };
        let mut rest = *self;
        for suit in Suit::ALL {
            let bounds = &mut rest.lengths[suit.index()];
            *bounds = less(*bounds, cards.suit(suit).len() as u8)?;
        }
        rest.points = less(rest.points, points(cards))?;
        Some(rest)
    }

    /// The limits that say what both say; no hand is within them if the two
    /// contradict each other.
    #[must_use]
    pub fn and(&self, other: &Limits) -> Limits {
        let both = |a: (u8, u8), b: (u8, u8)| (a.0.max(b.0), a.1.min(b.1));
        Limits {
            lengths: std::array::from_fn(|suit| both(self.lengths[suit], other.lengths[suit])),
            points: both(self.points, other.points),
        }
    }

    pub(crate) fn limit_lengths(&self) -> bool {
        self.lengths != [Limits::ANY_LENGTH; 4]
    }

    pub(crate) fn limit_points(&self) -> bool {
        self.points != Limits::ANY_POINTS
    }
}

/// Writes the limits as they are read; `any` where there are none.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for suit in Suit::ALL {
            let (low, high) = self.lengths[suit.index()];
            if (low, high) != Limits::ANY_LENGTH {
                write!(f, "{comma}{}{low}-{high}", suit.letter())?;
                comma = ",";
            }
        }
        if self.limit_points() {
            let (low, high) = self.points;
            write!(f, "{comma}{low}-{high}hcp")?;
            comma = ",";
        }
        f.write_str(if comma.is_empty() { "any" } else { "" })
    }
}

/// Why a text is not limits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{part:?} {problem}")]
pub struct LimitsError {
    part: String,
    problem: &'static str,
}

impl LimitsError {
    const NO_LIMIT: &str = "is not a limit; expected one as S5-8 or 11-15hcp";
    const NO_SEAT: &str = "is not a limit; expected one as S5-8 or 11-15hcp, after a seat as E:";
    const REPEATED: &str = "limits what an earlier part limits; expected one part for each";
}

impl FromStr for Limits {
    type Err = LimitsError;

    fn from_str(text: &str) -> Result<Limits, LimitsError> {
        let mut lengths = [None; 4];
        let mut points = None;
        for part in text.split(',').map(str::trim) {
            let error = |problem| LimitsError {
                part: part.to_owned(),
                problem,
            };
            let no_limit = || error(LimitsError::NO_LIMIT);
            let lower = part.to_ascii_lowercase();
            let earlier = if let Some(range) = lower.strip_suffix("hcp") {
                points.replace(range_of(range, Limits::ANY_POINTS).ok_or_else(no_limit)?)
            } else {
                let suit = lower.chars().next().and_then(Suit::from_letter);
                let suit = suit.ok_or_else(no_limit)?;
                // A suit's letter is a single byte.
                let range = range_of(&lower[1..], Limits::ANY_LENGTH).ok_or_else(no_limit)?;
                lengths[suit.index()].replace(range)
            };
            if earlier.is_some() {
                return Err(error(LimitsError::REPEATED));
            }
        }
        Ok(Limits {
            lengths: lengths.map(|range| range.unwrap_or(Limits::ANY_LENGTH)),
            points: points.unwrap_or(Limits::ANY_POINTS),
        })
    }
}

/// Reads `5`, `5-8`, `5-` or `-8` within `(least, most)`.
fn range_of(text: &str, (least, most): (u8, u8)) -> Option<(u8, u8)> {
    let number = |text: &str, default: u8| match text.trim() {
        "" => Some(default),
        text => text.parse().ok().filter(|n| (least..=most).contains(n)),
    };
    let (low, high) = match text.split_once('-') {
        _ if text.trim().is_empty() => return None,
        None => (number(text, 0)?, number(text, 0)?),
        Some((low, high)) => (number(low, least)?, number(high, most)?),
    };
    (low <= high).then_some((low, high))
}

/// Limits of one seat's hand, written as `E:S5-8,11-15hcp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeatLimits {
    /// Whose hand.
    pub seat: Seat,
    /// Its limits.
    pub limits: Limits,
}

impl SeatLimits {
    /// The limits on each hand; of two on one hand both hold.
    #[must_use]
    pub fn by_seat(all: &[SeatLimits]) -> [Limits; 4] {
        let mut limits = [Limits::default(); 4];
        for of in all {
            let limits = &mut limits[of.seat.index()];
            *limits = limits.and(&of.limits);
        }
        limits
    }
}

impl FromStr for SeatLimits {
    type Err = LimitsError;

    fn from_str(text: &str) -> Result<SeatLimits, LimitsError> {
        let error = || LimitsError {
            part: text.to_owned(),
            problem: LimitsError::NO_SEAT,
        };
        let (seat, limits) = text.split_once(':').ok_or_else(error)?;
        Ok(SeatLimits {
            seat: seat.trim().parse().map_err(|_| error())?,
            limits: limits.parse()?,
        })
    }
}

impl fmt::Display for SeatLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seat, self.limits)
    }
}

/// The points of one card, for a class of cards that are alike.
pub(crate) fn points_of(card: Card) -> u8 {
    card_points(card.rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text() {
        let limits: SeatLimits = "E:S5-8,11-15hcp".parse().expect("limits");
        assert_eq!(limits.seat, Seat::East);
        assert_eq!(limits.limits.lengths, [(5, 8), (0, 13), (0, 13), (0, 13)]);
        assert_eq!(limits.limits.points, (11, 15));
        assert_eq!(limits.to_string(), "E:S5-8,11-15hcp");
        let open: Limits = "h-3, d4-, c2, 20hcp".parse().expect("limits");
        assert_eq!(open.lengths, [(0, 13), (0, 3), (4, 13), (2, 2)]);
        assert_eq!(open.points, (20, 20));
        assert_eq!(Limits::default().to_string(), "any");
        for wrong in [
            "",
            "S",
            "S5-4",
            "S14",
            "X5",
            "5-8",
            "41hcp",
            "hcp",
            "é5",
            "S5-8,",
            "S5,s5",
            "9hcp,1hcp",
        ] {
            assert!(wrong.parse::<Limits>().is_err(), "{wrong:?}");
        }
        for wrong in ["S5", "Q:S5", "E:", ":S5"] {
            assert!(wrong.parse::<SeatLimits>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn of_several_limits_on_a_hand_all_hold() {
        let all = ["E:S2-3", "W:S1", "E:H0,S3-", "E:-9hcp"]
            .map(|text| text.parse::<SeatLimits>().expect("limits"));
        let by_seat = SeatLimits::by_seat(&all);
        assert_eq!(by_seat[1].to_string(), "S3-3,H0-0,0-9hcp");
        assert_eq!(by_seat[3].to_string(), "S1-1");
        assert_eq!(by_seat[0], Limits::default());
    }

    #[test]
    fn hands_within_limits() {
        let hand = CardSet::from(
            "AKQJT.432.5.6"
                .parse::<setrograde_cards::Hand>()
                .expect("hand"),
        );
        assert_eq!(points(hand), 10);
        let limits: Limits = "S5-8,9-11hcp".parse().expect("limits");
        assert!(limits.allow(hand));
        let ace = CardSet::from("A...".parse::<setrograde_cards::Hand>().expect("hand"));
        assert!(!limits.allow(hand - ace));
        let rest = limits.without(ace).expect("within");
        assert!(rest.allow(hand - ace));
        assert_eq!(rest.points, (5, 7));
        assert_eq!("S-0".parse::<Limits>().expect("limits").without(ace), None);
    }
}
