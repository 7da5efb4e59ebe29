//! Reading deals.

use std::str::FromStr;

use super::error::{TextError, TextProblem, quote};
use super::field::{end_column, fields, missing};
use super::hand::column_of;
use crate::{Deal, DealError, Hand, Seat};

/// Reads a deal in PBN: the first seat, a colon, and four hands clockwise from
/// it, separated by blanks. A hand may have any number of cards.
impl FromStr for Deal {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        read_deal(text).map(|written| written.deal)
    }
}

/// A deal that was read from text.
pub(super) struct WrittenDeal {
    pub deal: Deal,
    /// The column of each seat's hand.
    pub columns: [usize; 4],
}

/// Reads a deal in PBN, keeping track of where the hands are.
pub(super) fn read_deal(text: &str) -> Result<WrittenDeal, TextError> {
    let Some(start) = fields(text).next() else {
        return Err(missing(text, "the first seat and a colon, as N:"));
    };
    let Some((seat, _)) = start.text.split_once(':') else {
        let found = quote(start.text);
        let problem = TextProblem::NoFirstSeat { found };
        return Err(TextError::new(start.column, problem));
    };
    let first = seat
        .parse::<Seat>()
        .map_err(|e| e.shifted(start.column - 1))?;

    let hands_start = start.start + seat.len() + 1;
    let hands_column = start.column + seat.len() + 1; // seats are ASCII
    let hands_text = &text[hands_start..];

    let mut hands = [Hand::EMPTY; 4];
    let mut columns = [0; 4];
    let mut found = 0;
    for field in fields(hands_text) {
        let column = hands_column + field.column - 1;
        if found == 4 {
            let problem = TextProblem::LeftOver {
                found: quote(field.text),
                after: "the fourth hand",
            };
            return Err(TextError::new(column, problem));
        }
        let seat = first.plus(found);
        hands[seat.index()] = field
            .text
            .parse::<Hand>()
            .map_err(|e| e.shifted(column - 1))?;
        columns[seat.index()] = column;
        for earlier in 0..found {
            Deal::check_disjoint(&hands, first.plus(earlier), seat).map_err(|error| {
                let DealError::SharedCard { card, .. } = error;
                let column = column + column_of(field.text, card) - 1;
                TextError::new(column, TextProblem::Deal(error))
            })?;
        }
        found += 1;
    }
    if found < 4 {
        return Err(TextError::new(
            hands_column + end_column(hands_text) - 1,
            TextProblem::HandCount { found },
        ));
    }
    let deal = Deal::of_disjoint(hands);
    Ok(WrittenDeal { deal, columns })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Deal>().unwrap_err().to_string()
    }

    #[test]
    fn blanks_case_and_order_do_not_matter() {
        let deal: Deal = " e:  k2... q... \t j... a...  ".parse().unwrap();
        assert_eq!(deal.to_string(), "N:A... K2... Q... J...");
        assert_eq!(deal.cards_per_hand(), None);
        assert_eq!(deal.cards_left(), 5);
    }

    #[test]
    fn errors_name_their_column() {
        assert_eq!(
            error(""),
            "column 1: expected the first seat and a colon, as N:, found nothing"
        );
        assert_eq!(
            error(" A... K... Q... J..."),
            "column 2: \"A...\" does not begin a deal; expected the first seat and a colon, as N:"
        );
        assert!(error(":A... K...").starts_with("column 1: expected a seat"));
        assert!(error("  X:A...").starts_with("column 3: \"X\" is not a seat"));
        assert!(error("N:A... X...").starts_with("column 8: 'X' is not a rank"));
        assert!(error("N:A... é").starts_with("column 8: 'é' is not a rank"));
        assert_eq!(
            error("N:A... K... Q...  "),
            "column 17: a deal has 4 hands separated by blanks, found 3"
        );
        assert_eq!(
            error("N:"),
            "column 3: a deal has 4 hands separated by blanks, found 0"
        );
        assert_eq!(
            error("N:A... K... Q... J... 3"),
            "column 23: \"3\" is left over after the fourth hand"
        );
        assert!(error("N:A... K... Q.. J...").starts_with("column 16: a hand has 4 suits"));
    }
}
