//! Reading holdings and hands.

use std::str::FromStr;

use super::error::{TextError, TextProblem};
use super::field::missing;
use crate::card::read_rank;
use crate::{Card, Hand, Holding};

/// Reads ranks in any order; an empty text is a void.
impl FromStr for Holding {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut holding = Holding::EMPTY;
        // A rank that is read is a single byte, so offsets are columns.
        for offset in 0..text.len() {
            let rank = read_rank(&text[offset..]).map_err(|e| e.shifted(offset))?;
            if !holding.insert(rank) {
                return Err(TextError::new(
                    offset + 1,
                    TextProblem::RepeatedRank { rank },
                ));
            }
        }
        Ok(holding)
    }
}

/// Reads four holdings separated by dots, spades first, ranks in any order.
impl FromStr for Hand {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        if text.is_empty() {
            return Err(missing(text, "a hand (spades.hearts.diamonds.clubs)"));
        }
        let mut holdings = [Holding::EMPTY; 4];
        let mut column = 1;
        for (suit, holding) in text.split('.').enumerate() {
            let Some(place) = holdings.get_mut(suit) else {
                // The dot that starts the fifth suit is one too many.
                let found = text.split('.').count();
                return Err(TextError::new(column - 1, TextProblem::SuitCount { found }));
            };
            *place = holding
                .parse::<Holding>()
                .map_err(|e| e.shifted(column - 1))?;
            column += holding.len() + 1; // bytes, but all ASCII once parsed
        }
        match text.split('.').count() {
            4 => Ok(Hand::new(holdings)),
            found => Err(TextError::new(column - 1, TextProblem::SuitCount { found })),
        }
    }
}

/// The column, within the text of a hand, at which `card` is written.
///
/// Returns 1 if the card is not there.
pub(super) fn column_of(text: &str, card: Card) -> usize {
    let mut suit = 0;
    for (offset, letter) in text.chars().enumerate() {
        if letter == '.' {
            suit += 1;
        } else if suit == card.suit.index() && letter.eq_ignore_ascii_case(&card.rank.letter()) {
            return offset + 1;
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding_error(text: &str) -> String {
        text.parse::<Holding>().unwrap_err().to_string()
    }

    fn error(text: &str) -> String {
        text.parse::<Hand>().unwrap_err().to_string()
    }

    #[test]
    fn holding_errors_name_their_column() {
        assert_eq!(
            holding_error("AKX"),
            "column 3: 'X' is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2"
        );
        assert_eq!(
            holding_error("A102"),
            "column 2: '10' is not a rank; write T for the ten"
        );
        assert_eq!(
            holding_error("AQ3q"),
            "column 4: the queen (Q) occurs twice in the same suit of one hand"
        );
        assert!(holding_error("A é").starts_with("column 2: ' ' is not a rank"));
    }

    #[test]
    fn errors_name_their_column() {
        assert_eq!(
            error("AK.Q.T2"),
            "column 8: a hand has 4 suits separated by dots \
             (spades.hearts.diamonds.clubs), found 3"
        );
        assert!(error("AK.Q..T2.").starts_with("column 9: a hand has 4 suits"));
        assert!(error("AK.Q..T2.").ends_with("found 5"));
        assert!(error("-").starts_with("column 1: '-' is not a rank"));
        assert!(error("AK.Q..10").starts_with("column 7: '10' is not a rank"));
        assert!(error("AK.QQ..").starts_with("column 5: the queen (Q)"));
        assert!(error("").starts_with("column 1: expected a hand"));
    }

    #[test]
    fn cards_are_found_in_their_suit() {
        assert_eq!(column_of("AK.kq..A", "HK".parse().unwrap()), 4);
        assert_eq!(column_of("AK.kq..A", "CA".parse().unwrap()), 8);
        assert_eq!(column_of("AK.kq..A", "DA".parse().unwrap()), 1);
    }
}
