//! Reading ranks and cards.

use std::str::FromStr;

use super::error::{TextError, TextProblem, quote};
use super::field::missing;
use crate::{Card, Rank, Suit};

/// Reads a rank's letter or digit; the ten is `T`, never `10`.
impl FromStr for Rank {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let rank = read_rank(text)?;
        // A rank's letter is a single byte.
        match &text[1..] {
            "" => Ok(rank),
            rest => Err(left_over(rest, "the rank").shifted(1)),
        }
    }
}

/// Reads the rank at the start of `text`, reporting it in column 1.
pub(super) fn read_rank(text: &str) -> Result<Rank, TextError> {
    // Writing 10 is the likeliest mistake, so it gets an answer of its own.
    if text.starts_with("10") {
        return Err(TextError::new(1, TextProblem::TenInDigits));
    }
    let Some(found) = text.chars().next() else {
        return Err(missing(text, "a rank (A K Q J T 9 8 7 6 5 4 3 2)"));
    };
    Rank::from_letter(found).ok_or(TextError::new(1, TextProblem::NotARank { found }))
}

fn left_over(rest: &str, after: &'static str) -> TextError {
    let found = quote(rest);
    TextError::new(1, TextProblem::LeftOver { found, after })
}

/// Reads a suit letter and a rank, as `SA` or `ht`, in upper or lower case.
impl FromStr for Card {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let Some(first) = text.chars().next() else {
            return Err(missing(text, "a card, as SA"));
        };
        let suit = Suit::from_letter(first).ok_or_else(|| {
            let found = first.to_string();
            TextError::new(1, TextProblem::NotASuit { found })
        })?;
        // A suit's letter is a single byte.
        let rank = text[1..].parse::<Rank>().map_err(|e| e.shifted(1))?;
        Ok(Card { suit, rank })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card_error(text: &str) -> String {
        text.parse::<Card>().unwrap_err().to_string()
    }

    #[test]
    fn the_ten_is_a_letter() {
        let error = "10".parse::<Rank>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "column 1: '10' is not a rank; write T for the ten"
        );
        assert_eq!(
            card_error("S10"),
            "column 2: '10' is not a rank; write T for the ten"
        );
    }

    #[test]
    fn card_errors_name_their_column() {
        assert_eq!(
            card_error(""),
            "column 1: expected a card, as SA, found nothing"
        );
        assert_eq!(
            card_error("♠A"),
            "column 1: \"♠\" is not a suit; expected one of S H D C"
        );
        assert_eq!(
            card_error("S"),
            "column 2: expected a rank (A K Q J T 9 8 7 6 5 4 3 2), found nothing"
        );
        assert_eq!(
            card_error("Sé"),
            "column 2: 'é' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2"
        );
        assert_eq!(
            card_error("SAK"),
            "column 3: \"K\" is left over after the rank"
        );
    }
}
