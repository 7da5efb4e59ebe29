//! The one-line text of a position.

use std::fmt;
use std::str::FromStr;

use super::deal::{WrittenDeal, read_deal};
use super::error::{TextError, TextProblem, quote};
use super::field::{Field, fields, missing};
use crate::{Card, Position, PositionError, Seat, Strain};

/// The start of the field that names the cards on the table.
const PLAYED: &str = "played=";

/// Writes `STRAIN LEADER PBN`, and ` played=` with the cards on the table if
/// there are any.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.strain(), self.leader(), self.deal())?;
        for (n, card) in self.played().iter().enumerate() {
            f.write_str(if n == 0 { " played=" } else { "," })?;
            write!(f, "{card}")?;
        }
        Ok(())
    }
}

/// Reads `STRAIN LEADER PBN`, as `NT W N:A.K.. K.A.. Q.Q.. J.J..`.
///
/// The fields are separated by one or more blanks. With cards on the table,
/// the leader is who led, and a last field names the cards in the order of
/// play, as `played=SA,S3`; they are then in no hand. A position without any
/// cards is refused.
impl FromStr for Position {
    type Err = TextError;

    fn from_str(line: &str) -> Result<Self, TextError> {
        let mut line_fields = fields(line);
        let strain = line_fields
            .next()
            .ok_or_else(|| missing(line, "a strain (NT S H D C)"))?;
        let leader = line_fields
            .next()
            .ok_or_else(|| missing(line, "the leader (N E S W)"))?;
        let strain: Strain = read_field(strain)?;
        let leader: Seat = read_field(leader)?;

        let pbn = line_fields
            .next()
            .ok_or_else(|| missing(line, "a deal in PBN, as N:A.K.. K.A.. Q.Q.. J.J.."))?;
        let played = fields(&line[pbn.start..]).find(is_played);
        let pbn_end = played.map_or(line.len(), |field| pbn.start + field.start);
        let written = read_deal(&line[pbn.start..pbn_end])
            .map_err(|e| e.shifted(pbn.column - 1))
            .map(|written| shift_columns(written, pbn.column - 1))?;

        let (cards, card_columns) = match played {
            None => (Vec::new(), Vec::new()),
            Some(field) => {
                let after = &line[pbn_end + field.text.len()..];
                let column = pbn.column + field.column - 1;
                check_nothing_after(after, column + field.text.chars().count())?;
                read_played(field.text, column)?
            }
        };
        if cards.is_empty() && written.deal.cards_left() == 0 {
            return Err(TextError::new(pbn.column, TextProblem::NoCards));
        }
        Position::new(strain, leader, written.deal, &cards).map_err(|error| {
            let column = column_of(&error, &written.columns, &cards, &card_columns);
            TextError::new(column, TextProblem::Position(error))
        })
    }
}

fn read_field<T: FromStr<Err = TextError>>(field: Field<'_>) -> Result<T, TextError> {
    field
        .text
        .parse()
        .map_err(|e: TextError| e.shifted(field.column - 1))
}

fn is_played(field: &Field<'_>) -> bool {
    field
        .text
        .get(..PLAYED.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(PLAYED))
}

fn shift_columns(mut written: WrittenDeal, by: usize) -> WrittenDeal {
    for column in &mut written.columns {
        *column += by;
    }
    written
}

fn check_nothing_after(text: &str, column: usize) -> Result<(), TextError> {
    match fields(text).next() {
        None => Ok(()),
        Some(field) => {
            let problem = TextProblem::LeftOver {
                found: quote(field.text),
                after: "the cards on the table",
            };
            Err(TextError::new(column + field.column - 1, problem))
        }
    }
}

/// Reads the cards of a `played=` field that stands at `column`, and where
/// each of them is.
fn read_played(text: &str, column: usize) -> Result<(Vec<Card>, Vec<usize>), TextError> {
    let list = &text[PLAYED.len()..];
    let mut column = column + PLAYED.len();
    let mut cards = Vec::new();
    let mut columns = Vec::new();
    for card in list.split(',') {
        if cards.len() == 3 {
            let count = list.split(',').count();
            let error = PositionError::TooManyPlayed { count };
            return Err(TextError::new(column, TextProblem::Position(error)));
        }
        cards.push(card.parse::<Card>().map_err(|e| e.shifted(column - 1))?);
        columns.push(column);
        column += card.len() + 1; // cards are ASCII
    }
    Ok((cards, columns))
}

/// Returns the column of the hand or card that `error` names.
fn column_of(
    error: &PositionError,
    hands: &[usize; 4],
    cards: &[Card],
    card_columns: &[usize],
) -> usize {
    let bad_card = match *error {
        PositionError::UnequalHands { second, .. } => return hands[second.index()],
        PositionError::UnfitHand { seat, .. } => return hands[seat.index()],
        PositionError::TooManyPlayed { .. } => None,
        PositionError::PlayedTwice { card }
        | PositionError::PlayedAndHeld { card, .. }
        | PositionError::Revoke { card, .. } => Some(card),
    };
    // From the right, for of a card played twice the second is the wrong one.
    cards
        .iter()
        .rposition(|&card| Some(card) == bad_card)
        .and_then(|n| card_columns.get(n).copied())
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        line.parse::<Position>().unwrap_err().to_string()
    }

    #[test]
    fn round_trips() {
        for line in [
            "NT W N:A.K.. K.A.. Q.Q.. J.J..",
            "D S N:Q4.9.K. .K.A95. .8.3.T6 T.7..KJ",
            "NT N N:.K.. K.A.. Q.Q.. J.J.. played=SA",
            "S E N:A... ... ... ... played=SK,SQ,SJ",
        ] {
            let position: Position = line.parse().unwrap();
            assert_eq!(position.to_string(), line);
        }
    }

    #[test]
    fn blanks_case_and_first_seat_are_free() {
        let position: Position = "  n  north e:k.a.. q.q..  j.j.. .k..  PLAYED=dA "
            .parse()
            .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(
            position.to_string(),
            "NT N N:.K.. K.A.. Q.Q.. J.J.. played=DA"
        );
    }

    #[test]
    fn errors_name_their_column() {
        assert_eq!(
            error(""),
            "column 1: expected a strain (NT S H D C), found nothing"
        );
        assert_eq!(
            error("NT "),
            "column 3: expected the leader (N E S W), found nothing"
        );
        assert!(error("NT W").starts_with("column 5: expected a deal in PBN"));
        assert!(error(" X W").starts_with("column 2: \"X\" is not a strain"));
        assert!(error("NT  Ö").starts_with("column 5: \"Ö\" is not a seat"));
        assert!(error("NT W A...").starts_with("column 6: \"A...\" does not begin a deal"));
        assert!(error("NT W played=SA").starts_with("column 6: expected the first seat"));
        assert_eq!(
            error("NT W N:.Q.. .Q.. ... ..."),
            "column 14: the queen of hearts (HQ) is held by both North and East"
        );
        assert!(error("NT W N:A... X").starts_with("column 13: 'X' is not a rank"));
        assert_eq!(
            error("NT W N:A... K... Q... J... 1"),
            "column 28: \"1\" is left over after the fourth hand"
        );
        assert_eq!(
            error("NT W N:... ... ... ..."),
            "column 6: no cards: all four hands are empty"
        );
        assert_eq!(
            error("NT W E:K... Q... J... A2..."),
            "column 8: North has 2 cards, East has 1: all hands must have the same number of cards"
        );
    }

    #[test]
    fn errors_in_the_cards_on_the_table_name_their_column() {
        let on_table = |cards: &str| error(&format!("NT N N:... K... Q... J... played={cards}"));
        assert!(on_table("").starts_with("column 34: expected a card"));
        assert!(on_table("S10").starts_with("column 35: '10' is not a rank"));
        assert!(on_table("SA,").starts_with("column 37: expected a card"));
        assert!(on_table("SA,S2,SA").starts_with("column 40: the ace of spades (SA) is on"));
        assert!(on_table("SK").starts_with("column 34: the king of spades (SK) is on"));
        assert!(on_table("SA,HA").starts_with("column 12: East has 1 card, expected 0"));
        assert_eq!(
            on_table("SA,S2,S3,S4,S5"),
            "column 43: at most 3 cards can be on the table, found 5"
        );
        assert_eq!(
            on_table("SA S2"),
            "column 37: \"S2\" is left over after the cards on the table"
        );
        assert_eq!(
            error("NT N N:A... K... Q3... J4... played=S2,D3"),
            "column 40: East revoked: it played the three of diamonds (D3) and still holds spades"
        );
    }
}
