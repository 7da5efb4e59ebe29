//! Reading bids and contracts.

use std::str::FromStr;

use super::error::{TextError, TextProblem, quote};
use super::field::missing;
use crate::{Bid, Contract, Doubling, Seat};

/// Reads a level and a strain, as `4S`, `3NT` or `3n`.
impl FromStr for Bid {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        match read_bid(text)? {
            (bid, "") => Ok(bid),
            (_, rest) => Err(left_over(text, rest, "the bid")),
        }
    }
}

/// Reads the bid at the start of `text`; returns it and what follows.
fn read_bid(text: &str) -> Result<(Bid, &str), TextError> {
    if text.is_empty() {
        return Err(missing(text, "a bid, as 4S or 3NT"));
    }
    let not_a_bid = || {
        let found = quote(text);
        TextError::new(1, TextProblem::NotABid { found })
    };
    let level = text.bytes().next().unwrap_or(0).wrapping_sub(b'0');
    let after_level = text.get(1..).ok_or_else(not_a_bid)?;
    let two = after_level.get(..2);
    let length = if two.is_some_and(|two| two.eq_ignore_ascii_case("NT")) {
        2
    } else {
        1
    };
    let strain = after_level
        .get(..length)
        .and_then(|strain| strain.parse().ok())
        .ok_or_else(not_a_bid)?;
    let bid = Bid::new(level, strain).ok_or_else(not_a_bid)?;
    Ok((bid, &after_level[length..]))
}

fn left_over(text: &str, rest: &str, after: &'static str) -> TextError {
    let before = text.len() - rest.len();
    let found = quote(rest);
    // Everything read before it is ASCII.
    TextError::new(before + 1, TextProblem::LeftOver { found, after })
}

/// Reads an empty text, `X` or `XX`, in upper or lower case.
impl FromStr for Doubling {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        match read_doubling(text) {
            (doubling, "") => Ok(doubling),
            (_, rest) => Err(left_over(text, rest, "the doubling")),
        }
    }
}

/// Reads up to two crosses at the start of `text`; returns what follows, too.
fn read_doubling(text: &str) -> (Doubling, &str) {
    let crosses = text
        .bytes()
        .take(2)
        .take_while(|byte| byte.eq_ignore_ascii_case(&b'X'))
        .count();
    (Doubling::ALL[crosses], &text[crosses..])
}

/// Reads bid, doubling and declarer, as `4SXN`, `3NTW` or `3nw`.
impl FromStr for Contract {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let (bid, rest) = read_bid(text)?;
        let (doubling, seat) = read_doubling(rest);
        let column = text.len() - seat.len(); // what was read is ASCII
        let declarer = seat.parse::<Seat>().map_err(|e| e.shifted(column))?;
        Ok(Contract::new(bid, doubling, declarer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Contract>().unwrap_err().to_string()
    }

    #[test]
    fn errors_name_their_column() {
        assert_eq!(
            error(""),
            "column 1: expected a bid, as 4S or 3NT, found nothing"
        );
        assert_eq!(
            error("8SN"),
            "column 1: \"8SN\" is not a bid; expected a level and a strain, as 4S or 3NT"
        );
        for bad in ["é", "4", "4é", "S4", "0N"] {
            assert!(error(bad).starts_with("column 1: "), "{bad}");
        }
        assert_eq!(
            error("4SX"),
            "column 4: expected a seat (N E S W), found nothing"
        );
        assert!(error("4SXXXN").starts_with("column 5: \"XN\" is not a seat"));
        assert_eq!(
            "4SX".parse::<Bid>().unwrap_err().to_string(),
            "column 3: \"X\" is left over after the bid"
        );
        assert!("xxx".parse::<Doubling>().is_err());
    }
}
