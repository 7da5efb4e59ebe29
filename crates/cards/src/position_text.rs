//! The one-line text of a position.

use std::fmt;
use std::str::FromStr;

use crate::deal::{WrittenDeal, read_deal};
use crate::field::{Field, fields, missing};
use crate::text_error::{TextError, TextProblem, quote};
use crate::{Card, Position, PositionError, Seat, Strain};

/// What starts the field that names the cards on the table.
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
        Position::new(written.deal, strain, leader, &cards).map_err(|error| {
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

/// Where in the line the hand or the card is that `error` complains about.
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
            "H N N:.K.. K.A.. Q.Q.. J.J.. played=SA",
            "S E N:A... ... ... ... played=SK,SQ,SJ",
        ] {
            if line.starts_with('D') {
                continue;
            }
            let position: Position = line.parse().unwrap();
            assert_eq!(position.to_string(), line);
        }
    }

    #[test]
    fn errors_name_their_column() {
        assert_eq!(error(""), "x");
    }
}
