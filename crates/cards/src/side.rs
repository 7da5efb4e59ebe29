//! The two partnerships.

use std::fmt;
use std::str::FromStr;

use crate::Seat;
use crate::text::{TextError, letters, word};

/// One of the two partnerships.
///
/// Sides are numbered 0 (North-South) and 1 (East-West); that is the order of
/// [`Side::ALL`], of `Ord`, and of arrays indexed by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// North and South.
    NorthSouth = 0,
    /// East and West.
    EastWest = 1,
}

impl Side {
    /// Both sides, North-South first.
    pub const ALL: [Side; 2] = [Side::NorthSouth, Side::EastWest];

    /// The side's number, 0 (North-South) or 1 (East-West).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side numbered `index` modulo 2.
    pub(crate) const fn from_index(index: usize) -> Side {
        Side::ALL[index % 2]
    }

    /// The other side.
    #[must_use]
    pub const fn opponents(self) -> Side {
        Side::from_index(self.index() + 1)
    }

    /// The side's seats: North and South, or East and West.
    pub const fn seats(self) -> [Seat; 2] {
        match self {
            Side::NorthSouth => [Seat::North, Seat::South],
            Side::EastWest => [Seat::East, Seat::West],
        }
    }
}

/// Writes `NS` or `EW`.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::NorthSouth => "NS",
            Side::EastWest => "EW",
        })
    }
}

/// Reads `NS` or `EW`, in upper or lower case, or both seats by name; signs between them, as in
/// `N/S`, mean nothing.
impl FromStr for Side {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let side = match letters(text).as_str() {
            "ns" | "sn" | "northsouth" | "northandsouth" => Some(Side::NorthSouth),
            "ew" | "we" | "eastwest" | "eastandwest" => Some(Side::EastWest),
            _ => None,
        };
        word(text, "a side", "NS EW", side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::assert_errors;

    #[test]
    fn seats_and_sides() {
        for seat in Seat::ALL {
            assert_eq!(seat.side(), seat.partner().side());
            assert_eq!(seat.side().opponents(), seat.next().side());
            assert!(seat.side().seats().contains(&seat));
        }
        assert_eq!(Seat::West.side(), Side::EastWest);
    }

    #[test]
    fn sides_survive_text() {
        for side in Side::ALL {
            assert_eq!(Side::from_index(side.index()), side);
            assert_eq!(side.to_string().parse(), Ok(side));
            assert_eq!(side.to_string().to_lowercase().parse(), Ok(side));
        }
        assert_errors::<Side>(
            r#"
            |NW| column 1: "NW" is not a side; expected one of NS EW
            || column 1: …
            "#,
        );
    }
}
