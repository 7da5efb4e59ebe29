//! A position in the play, and the moves from it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::deal::{WrittenDeal, read_deal};
use crate::fields::{Field, fields};
use crate::text::{TextError, TextProblem, missing, without_selectors};
use crate::{Card, Contract, Deal, Hand, Seat, Strain, Suit, Trick};

/// A position in the play: the cards still held, what is trump, who led or
/// leads to the current trick, and the 0 to 3 cards on the table.
///
/// A position is always consistent: counting the cards on the table, every seat has the same number
/// of cards, no card occurs twice, and no seat has revoked in the current trick (but see
/// [`Position::with_revokes`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    deal: Deal,
    strain: Strain,
    trick: Trick,
}

impl Position {
    /// The position in which `leader` led (or is to lead, if `played` is
    /// empty) to the current trick and the cards `played` are on the table, in
    /// the order of play, no longer in `deal`.
    ///
    /// A deal without any cards makes a finished position.
    ///
    /// # Errors
    ///
    /// A [`PositionError`] if there are more than three cards on the table, a
    /// card occurs twice, the lengths of the hands do not fit, or a card on
    /// the table is a revoke.
    pub fn new(
        strain: Strain,
        leader: Seat,
        deal: Deal,
        played: &[Card],
    ) -> Result<Position, PositionError> {
        let position = Position::with_revokes(strain, leader, deal, played)?;
        check_revokes(&deal, &position.trick)?;
        Ok(position)
    }

    /// Like [`new`](Self::new), except that a card on the table may be a revoke, as in uncorrected
    /// play. The rest of the play is well defined without it.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new), except revokes.
    pub fn with_revokes(
        strain: Strain,
        leader: Seat,
        deal: Deal,
        played: &[Card],
    ) -> Result<Position, PositionError> {
        let too_many = PositionError::TooManyPlayed {
            count: played.len(),
        };
        let mut trick = Trick::new(leader);
        for &card in played {
            if trick.cards().contains(&card) {
                return Err(PositionError::PlayedTwice { card });
            }
            if let Some(seat) = deal.owner(card) {
                return Err(PositionError::PlayedAndHeld { card, seat });
            }
            trick = trick.with(card).ok_or(too_many)?;
        }
        if trick.is_complete() {
            return Err(too_many);
        }
        check_lengths(&deal, &trick)?;
        Ok(Position {
            deal,
            strain,
            trick,
        })
    }

    /// The cards still held.
    pub const fn deal(&self) -> &Deal {
        &self.deal
    }

    /// Returns the strain.
    pub const fn strain(&self) -> Strain {
        self.strain
    }

    /// Returns the seat that led, or is to lead, to the current trick.
    pub const fn leader(&self) -> Seat {
        self.trick.leader()
    }

    /// The current trick: the leader and the 0 to 3 cards on the table.
    pub const fn trick(&self) -> &Trick {
        &self.trick
    }

    /// The cards on the table, 0 to 3, the lead first.
    pub fn played(&self) -> &[Card] {
        self.trick.cards()
    }

    /// Returns the seat whose turn it is; in a finished position, the winner of the
    /// last trick.
    pub const fn to_play(&self) -> Seat {
        self.trick.to_play()
    }

    /// Returns true if no card is on the table.
    pub fn is_trick_boundary(&self) -> bool {
        self.played().is_empty()
    }

    /// Returns the number of tricks still to be finished, including the one under way: 0 to 13.
    pub fn tricks_left(&self) -> usize {
        // The hand to play needs one card for each of them.
        self.deal.hand(self.to_play()).len()
    }

    /// The cards that the seat to play may play, spades first, each suit high
    /// to low. Empty only in a finished position.
    pub fn legal_cards(&self) -> impl Iterator<Item = Card> + use<> {
        self.legal_hand().cards()
    }

    /// The cards that the seat to play may play, as a hand.
    fn legal_hand(&self) -> Hand {
        let hand = self.deal.hand(self.to_play());
        match self.trick.led_suit() {
            Some(suit) if !hand.holding(suit).is_empty() => hand.suit(suit),
            _ => hand,
        }
    }

    /// The position after the seat to play has played `card`. The fourth card
    /// ends the trick, and its winner leads to the next.
    ///
    /// # Errors
    ///
    /// [`PlayError::NotHeld`] if the seat to play does not hold the card, and
    /// [`PlayError::MustFollow`] if it must follow suit with another one.
    pub fn play(&self, card: Card) -> Result<Position, PlayError> {
        let seat = self.to_play();
        let hand = self.deal.hand(seat);
        if !hand.contains(card) {
            return Err(PlayError::NotHeld { seat, card });
        }
        if let Some(suit) = self.trick.led_suit()
            && suit != card.suit
            && !hand.holding(suit).is_empty()
        {
            return Err(PlayError::MustFollow { seat, card, suit });
        }

        let mut after = *self;
        after.deal.remove(card);
        let trick = self.trick.with(card);
        after.trick = trick.expect("a position's trick is never complete");
        if after.trick.is_complete() {
            let winner = after.trick.winner(self.strain);
            after.trick = Trick::new(winner.expect("a complete trick has a winner"));
        }
        Ok(after)
    }
}

/// Checks that the seats that have played to `trick` have one card fewer than
/// those that have not.
fn check_lengths(deal: &Deal, trick: &Trick) -> Result<(), PositionError> {
    let len = |seat: Seat| deal.hand(seat).len();
    if trick.cards().is_empty() {
        let first = Seat::North;
        return match Seat::ALL.into_iter().find(|&s| len(s) != len(first)) {
            None => Ok(()),
            Some(second) => Err(PositionError::UnequalHands {
                first,
                first_cards: len(first),
                second,
                second_cards: len(second),
            }),
        };
    }
    // Go by the seat to play, unless it has nothing left to play.
    let full = len(trick.to_play()).max(1);
    for seat in Seat::ALL {
        let has_played = seat.distance_from(trick.leader()) < trick.cards().len();
        let expected = full - usize::from(has_played);
        if len(seat) != expected {
            return Err(PositionError::UnfitHand {
                seat,
                cards: len(seat),
                expected,
            });
        }
    }
    Ok(())
}

/// Checks that no seat that failed to follow suit in `trick` has a card of the suit led.
fn check_revokes(deal: &Deal, trick: &Trick) -> Result<(), PositionError> {
    let Some(suit) = trick.led_suit() else {
        return Ok(());
    };
    let revoke = trick
        .plays()
        .find(|&(seat, card)| card.suit != suit && !deal.hand(seat).holding(suit).is_empty());
    match revoke {
        None => Ok(()),
        Some((seat, card)) => Err(PositionError::Revoke { seat, card, suit }),
    }
}

/// Cards that cannot be those of a position in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// Hands of different lengths, with no card on the table.
    #[error(
        "{} has {first_cards} {}, {} has {second_cards}: \
         all hands must have the same number of cards",
        first.name(), plural(*first_cards), second.name()
    )]
    UnequalHands {
        /// North.
        first: Seat,
        /// Number of cards that `first` has.
        first_cards: usize,
        /// The first seat clockwise with another number of cards.
        second: Seat,
        /// Number of cards that `second` has.
        second_cards: usize,
    },
    /// A hand that does not fit the number of cards on the table.
    #[error(
        "{} has {cards} {}, expected {expected}: a seat that has played to the \
         trick must have one card fewer than a seat that has not",
        seat.name(), plural(*cards)
    )]
    UnfitHand {
        /// The seat.
        seat: Seat,
        /// Number of cards it has.
        cards: usize,
        /// The number it should have, going by the hand of the seat to play.
        expected: usize,
    },
    /// More than three cards on the table.
    #[error("at most 3 cards can be on the table, found {count}")]
    TooManyPlayed {
        /// Number of cards.
        count: usize,
    },
    /// A card that was played to the trick twice.
    #[error("the {} is on the table twice", card.described())]
    PlayedTwice {
        /// The card.
        card: Card,
    },
    /// A card that is both on the table and in a hand.
    #[error("the {} is on the table, but {} still holds it", card.described(), seat.name())]
    PlayedAndHeld {
        /// The card.
        card: Card,
        /// The seat that holds it.
        seat: Seat,
    },
    /// A card on the table with which a seat did not follow suit although it
    /// could have done.
    #[error(
        "{} revoked: it played the {} and still holds {}",
        seat.name(), card.described(), suit.name()
    )]
    Revoke {
        /// The seat that revoked.
        seat: Seat,
        /// The card that was played.
        card: Card,
        /// The suit that was led.
        suit: Suit,
    },
}

/// A card that may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The seat to play does not hold the card.
    #[error("{} is to play and does not hold the {}", seat.name(), card.described())]
    NotHeld {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// The seat to play must follow suit.
    #[error(
        "{} cannot play the {}: it holds {} and must follow suit",
        seat.name(), card.described(), suit.name()
    )]
    MustFollow {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
        /// The suit that was led.
        suit: Suit,
    },
}

fn plural(cards: usize) -> &'static str {
    if cards == 1 { "card" } else { "cards" }
}

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

/// Reads `STRAIN LEADER PBN`, as in `NT W N:A.K.. K.A.. Q.Q.. J.J..`, or a contract such as `3NTS`
/// in place of strain and leader.
///
/// The fields are separated by one or more spaces. With cards on the table, the leader is the seat
/// that led, and a last field names the cards in the order of play, such as `played=SA,S3`; they
/// are then in no hand. A position without any cards is refused.
impl FromStr for Position {
    type Err = TextError;

    fn from_str(line: &str) -> Result<Self, TextError> {
        without_selectors(line, read_position)
    }
}

fn read_position(line: &str) -> Result<Position, TextError> {
    let mut line_fields = fields(line);
    let mut next = |expected: &str| line_fields.next().ok_or_else(|| missing(line, expected));
    let first = next("a strain (NT S H D C)")?;
    let (strain, leader) = match first.text.parse::<Contract>() {
        Ok(contract) => (contract.bid.strain(), contract.leader()),
        Err(error) if first.text.starts_with(|c: char| c.is_ascii_digit()) => {
            return Err(error.shifted(first.column - 1));
        }
        Err(_) => {
            let leader = next("the leader (N E S W)")?;
            (read_field(first)?, read_field(leader)?)
        }
    };

    let pbn = next("a deal in PBN, as N:A.K.. K.A.. Q.Q.. J.J..")?;
    let played = fields(&line[pbn.start..]).find(is_played);
    let pbn_end = played.map_or(line.len(), |field| pbn.start + field.start);
    let WrittenDeal { deal, columns } =
        read_deal(&line[pbn.start..pbn_end]).map_err(|e| e.shifted(pbn.column - 1))?;
    let columns = columns.map(|column| column + pbn.column - 1);

    let (cards, card_columns) = match played {
        None => (Vec::new(), Vec::new()),
        Some(field) => {
            let column = pbn.column + field.column - 1;
            if let Some(rest) = fields(&line[pbn_end..]).nth(1) {
                let column = column + rest.column - 1;
                let after = "the cards on the table";
                return Err(TextError::left_over(column, rest.text, after));
            }
            read_played(field.text, column)?
        }
    };
    if cards.is_empty() && deal.cards_left() == 0 {
        return Err(TextError::new(pbn.column, TextProblem::NoCards));
    }
    Position::new(strain, leader, deal, &cards).map_err(|error| {
        let column = column_of(&error, &columns, &cards, &card_columns);
        TextError::new(column, TextProblem::Position(error))
    })
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

/// Reads the cards of a `played=` field at `column`, and where
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
        column += card.chars().count() + 1;
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
        PositionError::UnequalHands { second, .. } => return hands[second],
        PositionError::UnfitHand { seat, .. } => return hands[seat],
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
    use crate::text::assert_errors;

    fn cards(text: &str) -> Vec<Card> {
        text.split_whitespace()
            .map(|card| card.parse().unwrap())
            .collect()
    }

    fn new(deal: &str, played: &str) -> Result<Position, PositionError> {
        let deal = deal.parse().unwrap();
        Position::new(Strain::NoTrump, Seat::West, deal, &cards(played))
    }

    #[test]
    fn playing_a_trick() {
        let mut position = new("N:A.2.. K..2. Q3... ..KA.", "").unwrap();
        assert_eq!(position.tricks_left(), 2);
        assert!(position.is_trick_boundary());
        // North, East and South discard, so West's king wins.
        for (n, card) in cards("DK SA D2 S3").into_iter().enumerate() {
            assert_eq!(position.played().len(), n);
            assert_eq!(position.to_play(), Seat::West.plus(n));
            position = position.play(card).unwrap();
        }
        assert_eq!(position.to_play(), Seat::West);
        assert_eq!(position.tricks_left(), 1);
        for card in cards("DA H2 SK SQ") {
            assert!(position.tricks_left() > 0);
            position = position.play(card).unwrap();
        }
        assert!(position.tricks_left() == 0);
        assert_eq!(position.leader(), Seat::West);
        assert_eq!(position.legal_cards().count(), 0);
        assert_eq!(Ok(position), new("N:... ... ... ...", ""));
    }

    #[test]
    fn following_suit() {
        let position = new("N:A.2.. K..2. Q3... ..K.", "DA").unwrap();
        assert_eq!(position.to_play(), Seat::North);
        assert_eq!(position.tricks_left(), 2);
        // North has no diamonds and may play anything it holds.
        assert_eq!(position.legal_cards().collect::<Vec<_>>(), cards("SA H2"));
        let heart_nine = "H9".parse().unwrap();
        assert_eq!(
            position.play(heart_nine).unwrap_err().to_string(),
            "North is to play and does not hold the nine of hearts (H9)"
        );
        // East must follow with its only diamond.
        let position = position.play("H2".parse().unwrap()).unwrap();
        assert_eq!(position.played(), cards("DA H2"));
        assert_eq!(position.legal_cards().collect::<Vec<_>>(), cards("D2"));
        assert_eq!(
            position
                .play("SK".parse().unwrap())
                .unwrap_err()
                .to_string(),
            "East cannot play the king of spades (SK): it holds diamonds and must follow suit"
        );
    }

    #[test]
    fn impossible_positions() {
        let cases = "
            N:A234... K... Q... J...||North has 4 cards, East has 1: all hands must have the same number of cards
            N:A... ... Q... J...||North has 1 card, East has 0: all hands must have the same number of cards
            N:A... K... Q... J...|S2|West has 1 card, expected 0: a seat that has played to the trick must have one card fewer than a seat that has not
            N:... K... Q... ...|S2|North has 0 cards, expected 1: a seat that has played to the trick must have one card fewer than a seat that has not
            N:... ... ... ...|S2 S3 S4 S5|at most 3 cards can be on the table, found 4
            N:... K... Q... ...|S2 S2|the deuce of spades (S2) is on the table twice
            N:... K... Q... ...|S2 SQ|the queen of spades (SQ) is on the table, but South still holds it
            N:A... K3... Q4... 5...|S2 HA|North revoked: it played the ace of hearts (HA) and still holds spades
        ";
        for case in cases.trim().lines() {
            let [deal, played, expected] = case.trim().split('|').collect::<Vec<_>>()[..] else {
                panic!("{case}");
            };
            assert_eq!(
                new(deal, played).unwrap_err().to_string(),
                expected,
                "{case}"
            );
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
        assert_errors::<Position>(
            r#"
            || column 1: expected a strain (NT S H D C), found nothing
            |NT | column 3: expected the leader (N E S W), found nothing
            |NT W| column 5: expected a deal in PBN…
            | X W| column 2: "X" is not a strain…
            |NT  Ö| column 5: "Ö" is not a seat…
            |NT W A...| column 6: "A..." does not begin a deal…
            |NT W played=SA| column 6: expected the first seat…
            |NT W N:.Q.. .Q.. ... ...| column 14: the queen of hearts (HQ) is held by both North and East
            |NT W N:A... X| column 13: 'X' is not a rank…
            |NT W N:A... K... Q... J... 1| column 28: "1" is left over after the fourth hand
            |NT W N:... ... ... ...| column 6: no cards: all four hands are empty
            |NT W E:K... Q... J... A2...| column 8: North has 2 cards, East has 1: all hands must have the same number of cards
            |NT N N:A... K... Q3... J4... played=S2,D3| column 40: East revoked: it played the three of diamonds (D3) and still holds spades
            |NT N N:... K... Q... J... played=| column 34: expected a card…
            |NT N N:... K... Q... J... played=SX| column 35: 'X' is not a rank…
            |NT N N:... K... Q... J... played=SA,| column 37: expected a card…
            |NT N N:... K... Q... J... played=SA,S2,SA| column 40: the ace of spades (SA) is on…
            |NT N N:... K... Q... J... played=SK| column 34: the king of spades (SK) is on…
            |NT N N:... K... Q... J... played=SA,HA| column 12: East has 1 card, expected 0…
            |NT N N:... K... Q... J... played=SA,S2,S3,S4,S5| column 43: at most 3 cards can be on the table, found 5
            |NT N N:... K... Q... J... played=SA S2| column 37: "S2" is left over after the cards on the table
            "#,
        );
    }
}
