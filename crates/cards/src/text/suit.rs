//! Reading suits and strains.

use std::str::FromStr;

use super::error::{TextError, TextProblem};
use super::field::word;
use crate::{Strain, Suit};

/// Reads a suit's letter or name in upper or lower case, or its symbol.
impl FromStr for Suit {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut chars = text.chars();
        let single = chars.next().filter(|_| chars.next().is_none());
        let suit = Suit::ALL.into_iter().find(|suit| {
            text.eq_ignore_ascii_case(suit.name())
                || single
                    .is_some_and(|c| c == suit.symbol() || c.eq_ignore_ascii_case(&suit.letter()))
        });
        word(text, "a suit (S H D C)", suit, |found| {
            TextProblem::NotASuit { found }
        })
    }
}

/// Reads `NT`, `N`, `S`, `H`, `D` or `C`, in upper or lower case.
impl FromStr for Strain {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut chars = text.chars();
        let single = chars.next().filter(|_| chars.next().is_none());
        let strain = match text.eq_ignore_ascii_case("NT") {
            true => Some(Strain::NoTrump),
            false => single.and_then(|letter| match letter {
                'N' | 'n' => Some(Strain::NoTrump),
                letter => Suit::from_letter(letter).map(Strain::Trump),
            }),
        };
        word(text, "a strain (NT S H D C)", strain, |found| {
            TextProblem::NotAStrain { found }
        })
    }
}
