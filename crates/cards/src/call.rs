//! The calls of an auction.

use std::fmt;
use std::str::FromStr;

use crate::Bid;
use crate::contract::read_bid;
use crate::text::{TextError, longest, without_selectors, word};

/// A call of an auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Pass.
    Pass,
    /// Double.
    Double,
    /// Redouble.
    Redouble,
    /// A bid.
    Bid(Bid),
}

/// The words for calls that are not bids. Those of contracts are in `contract`.
const WORDS: [(&str, Call); 20] = {
    use Call::{Double, Pass, Redouble};
    [
        ("P", Pass),
        ("Pass", Pass),
        ("Pas", Pass),
        ("Passes", Pass),
        ("No", Pass),
        ("NB", Pass),
        ("No bid", Pass),
        ("X", Double),
        ("×", Double),
        ("D", Double),
        ("Dbl", Double),
        ("Double", Double),
        ("Doubled", Double),
        ("XX", Redouble),
        ("××", Redouble),
        ("R", Redouble),
        ("Rd", Redouble),
        ("Rdbl", Redouble),
        ("Redbl", Redouble),
        ("Redouble", Redouble),
    ]
};

impl Call {
    /// The call that `text` begins with, in any word that there is for it, and the length of
    /// the word in bytes.
    pub fn at_start(text: &str) -> Option<(Call, usize)> {
        longest(text, &WORDS).or_else(|| {
            let (bid, rest) = read_bid(text).ok()?;
            Some((Call::Bid(bid), text.len() - rest.len()))
        })
    }
}

/// Writes `Pass`, `X`, `XX` or the bid.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Pass => f.write_str("Pass"),
            Call::Double => f.write_str("X"),
            Call::Redouble => f.write_str("XX"),
            Call::Bid(bid) => bid.fmt(f),
        }
    }
}

/// Reads a bid, or a word for another call, such as `P`, `pass`, `X`, `Dbl`, `XX` or `Rdbl`, in
/// upper or lower case.
impl FromStr for Call {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        without_selectors(text, |text| {
            let call = Call::at_start(text).filter(|&(_, length)| length == text.len());
            word(
                text,
                "a call",
                "Pass X XX and bids",
                call.map(|(call, _)| call),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_in_any_word() {
        for (texts, call) in [
            ("p P pass PASS passes Pas NB no", "Pass"),
            ("x X dbl Dbl D double ×", "X"),
            ("xx XX rdbl R redouble redbl ××", "XX"),
            ("1s 1S 1♠ 1♤ 1spades 1♠\u{fe0f}", "1S"),
            ("3n 3NT 3nt 3notrump", "3NT"),
        ] {
            for text in texts.split(' ') {
                let read: Call = text.parse().unwrap();
                assert_eq!(read.to_string(), call, "{text}");
            }
        }
        assert_eq!("no bid".parse(), Ok(Call::Pass));
        for bad in ["", "8S", "xxx", "1sp", "passs", "-"] {
            assert!(bad.parse::<Call>().is_err(), "{bad}");
        }
        assert_eq!(Call::at_start("1sp4sppp").unwrap().1, 2);
    }
}
