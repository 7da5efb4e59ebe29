//! Reading seats and sides.

use std::str::FromStr;

use super::error::{TextError, TextProblem};
use super::field::word;
use crate::{Seat, Side};

/// Reads a seat's letter or name, in upper or lower case.
impl FromStr for Seat {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let seat = Seat::ALL.into_iter().find(|seat| {
            let name = seat.name();
            text.eq_ignore_ascii_case(&name[..1]) || text.eq_ignore_ascii_case(name)
        });
        word(text, "a seat (N E S W)", seat, |found| {
            TextProblem::NotASeat { found }
        })
    }
}

/// Reads `NS` or `EW`, in upper or lower case.
impl FromStr for Side {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let side = match text.to_ascii_lowercase().as_str() {
            "ns" => Some(Side::NorthSouth),
            "ew" => Some(Side::EastWest),
            _ => None,
        };
        word(text, "a side (NS EW)", side, |found| {
            TextProblem::NotASide { found }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats() {
        for seat in Seat::ALL {
            assert_eq!(seat.to_string(), seat.letter().to_string());
            assert_eq!(seat.to_string().parse(), Ok(seat));
            assert_eq!(seat.name().to_lowercase().parse(), Ok(seat));
        }
        assert_eq!(
            "X".parse::<Seat>().unwrap_err().to_string(),
            "column 1: \"X\" is not a seat; expected one of N E S W"
        );
        assert_eq!(
            "".parse::<Seat>().unwrap_err().to_string(),
            "column 1: expected a seat (N E S W), found nothing"
        );
    }

    #[test]
    fn sides() {
        for side in Side::ALL {
            assert_eq!(Side::from_index(side.index()), side);
            assert_eq!(side.to_string().parse(), Ok(side));
            assert_eq!(side.to_string().to_lowercase().parse(), Ok(side));
        }
        assert_eq!(
            "SN".parse::<Side>().unwrap_err().to_string(),
            "column 1: \"SN\" is not a side; expected NS or EW"
        );
        assert!("".parse::<Side>().is_err());
    }
}
