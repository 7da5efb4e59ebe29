//! Reading suits and strains.

use std::str::FromStr;

use super::error::{TextError, TextProblem, quote};
use super::field::missing;
use crate::{Strain, Suit};

/// Reads a suit's letter or name in upper or lower case, or its symbol.
impl FromStr for Suit {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        if text.is_empty() {
            return Err(missing(text, "a suit (S H D C)"));
        }
        let mut chars = text.chars();
        let single = chars.next().filter(|_| chars.next().is_none());
        Suit::ALL
            .into_iter()
            .find(|suit| {
                text.eq_ignore_ascii_case(suit.name())
                    || single.is_some_and(|c| {
                        c == suit.symbol() || c.eq_ignore_ascii_case(&suit.letter())
                    })
            })
            .ok_or_else(|| TextError::new(1, TextProblem::NotASuit { found: quote(text) }))
    }
}

/// Reads `NT`, `N`, `S`, `H`, `D` or `C`, in upper or lower case.
impl FromStr for Strain {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        if text.is_empty() {
            return Err(missing(text, "a strain (NT S H D C)"));
        }
        if text.eq_ignore_ascii_case("NT") || text.eq_ignore_ascii_case("N") {
            return Ok(Strain::NoTrump);
        }
        let mut chars = text.chars();
        chars
            .next()
            .and_then(Suit::from_letter)
            .filter(|_| chars.next().is_none())
            .map(Strain::Trump)
            .ok_or_else(|| TextError::new(1, TextProblem::NotAStrain { found: quote(text) }))
    }
}
