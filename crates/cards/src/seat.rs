//! The four seats at the table.

use std::fmt;
use std::str::FromStr;

use crate::Side;
use crate::text::{TextError, word};

/// One of the four players, named by compass point.
///
/// Seats are numbered 0 to 3 clockwise from North; that is the order of
/// [`Seat::ALL`], of `Ord`, and of arrays indexed by seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Seat {
    /// North, partner of South.
    North = 0,
    /// East, partner of West.
    East = 1,
    /// South, partner of North.
    South = 2,
    /// West, partner of East.
    West = 3,
}

impl Seat {
    /// All seats, clockwise from North.
    pub const ALL: [Seat; 4] = [Seat::North, Seat::East, Seat::South, Seat::West];

    /// The seat's number, 0 (North) to 3 (West).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The seat numbered `index` modulo 4.
    pub const fn from_index(index: usize) -> Seat {
        Seat::ALL[index % 4]
    }

    /// The seat `n` steps clockwise, for any `n`.
    #[must_use]
    pub const fn plus(self, n: usize) -> Seat {
        Seat::from_index(self.index() + n % 4)
    }

    /// The seat to the left, which plays after this one.
    #[must_use]
    pub const fn next(self) -> Seat {
        self.plus(1)
    }

    /// The seat opposite.
    #[must_use]
    pub const fn partner(self) -> Seat {
        self.plus(2)
    }

    /// Returns the number of steps clockwise from `other` to this seat, 0 to 3.
    ///
    /// ```
    /// use setrograde_cards::Seat;
    ///
    /// assert_eq!(Seat::North.distance_from(Seat::West), 1);
    /// assert_eq!(Seat::West.distance_from(Seat::North), 3);
    /// ```
    pub const fn distance_from(self, other: Seat) -> usize {
        (self.index() + 4 - other.index()) % 4
    }

    /// The seat's initial: N, E, S or W.
    pub const fn letter(self) -> char {
        match self {
            Seat::North => 'N',
            Seat::East => 'E',
            Seat::South => 'S',
            Seat::West => 'W',
        }
    }

    /// The seat's English name, such as `North`.
    pub const fn name(self) -> &'static str {
        match self {
            Seat::North => "North",
            Seat::East => "East",
            Seat::South => "South",
            Seat::West => "West",
        }
    }
}

/// Writes the seat's letter.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name()[..1])
    }
}

/// Reads a seat's letter or name, in upper or lower case.
impl FromStr for Seat {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let seat = Seat::ALL.into_iter().find(|seat| {
            let name = seat.name();
            text.eq_ignore_ascii_case(&name[..1]) || text.eq_ignore_ascii_case(name)
        });
        word(text, "a seat", "N E S W", seat)
    }
}

impl Seat {
    /// The side that this seat belongs to.
    pub const fn side(self) -> Side {
        Side::from_index(self.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::assert_errors;

    #[test]
    fn seats() {
        for seat in Seat::ALL {
            assert_eq!(seat.to_string(), seat.letter().to_string());
            assert_eq!(seat.to_string().parse(), Ok(seat));
            assert_eq!(seat.name().to_lowercase().parse(), Ok(seat));
        }
        assert_errors::<Seat>(
            r#"
            |X| column 1: "X" is not a seat; expected one of N E S W
            || column 1: expected a seat (N E S W), found nothing
            "#,
        );
    }

    #[test]
    fn going_round_the_table() {
        for seat in Seat::ALL {
            assert_eq!(Seat::from_index(seat.index() + 8), seat);
            assert_eq!(seat.next().next(), seat.partner());
            assert_eq!(seat.plus(usize::MAX), seat.plus(3));
            for n in 0..4 {
                assert_eq!(seat.plus(n).distance_from(seat), n);
            }
        }
        assert_eq!(Seat::North.next(), Seat::East);
    }
}
