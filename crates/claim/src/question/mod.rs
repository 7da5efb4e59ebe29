//! The one-line text of a question.

pub(crate) mod condition;
pub(crate) mod error;
pub(crate) mod fields;
pub(crate) mod given;

use std::str::FromStr;

use setrograde_cards::{Card, Hand, Seat, Strain};

use crate::knowledge::Knowledge;
use crate::knowledge::error::KnowledgeError;
use crate::lanes::{bits, hand, missing};
use crate::question::condition::Condition;
use crate::question::error::{Problem, QuestionError};
use crate::question::fields::{Field, Fields};

/// A question as it was written: `STRAIN LEADER DEAL`, then in this order what
/// is needed of `out=`, `played=`, `by=`, `if=` and the cards played since.
///
/// Two hands of the deal are `?`. `out=` has their cards together, as one hand;
/// without it they are all the cards of the pack that are nowhere else.
/// `played=` has the cards on the table. `by=` is the seat that claims; without
/// it the two visible hands must be partners. `if=` is a [`Condition`] that
/// holds before the cards at the end are played. A hidden hand that does not
/// follow suit to one of these is known to be void.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    strain: Strain,
    leader: Seat,
    hands: [Option<Hand>; 4],
    hand_columns: [usize; 4],
    out: Option<(usize, Hand)>,
    played: Vec<(usize, Card)>,
    by: Option<(usize, Seat)>,
    condition: Option<(usize, Condition)>,
    play: Vec<(usize, Card)>,
}

impl FromStr for Question {
    type Err = QuestionError;

    fn from_str(line: &str) -> Result<Question, QuestionError> {
        let mut fields = Fields::new(line);
        let strain = fields.required("a strain (NT S H D C)")?.read()?;
        let leader = fields.required("the leader (N E S W)")?.read()?;
        let (hands, hand_columns) = read_hands(&mut fields)?;
        let out = option(&mut fields, "out=")?;
        let mut played = Vec::new();
        if let Some(cards) = fields.value_of("played=") {
            for card in cards.split_at_commas() {
                played.push((card.column, card.read()?));
            }
        }
        let by = option(&mut fields, "by=")?;
        let condition = option(&mut fields, "if=")?;
        let mut play = Vec::new();
        for field in fields {
            if field.text.contains('=') {
                let found = field.text.chars().take(20).collect();
                let problem = Problem::LeftOver { found };
                return Err(QuestionError::new(field.column, problem));
            }
            play.push((field.column, field.read()?));
        }
        Ok(Question {
            strain,
            leader,
            hands,
            hand_columns,
            out,
            played,
            by,
            condition,
            play,
        })
    }
}

/// The value of an option, with its column, if it is the next field.
fn option<T: FromStr>(
    fields: &mut Fields<'_>,
    name: &str,
) -> Result<Option<(usize, T)>, QuestionError>
where
    QuestionError: From<T::Err>,
{
    let value = fields.value_of(name);
    let read = |field: Field<'_>| Ok((field.column, field.read()?));
    value.map(read).transpose()
}

/// The four hands by seat, two of them `?`, and the column of each.
fn read_hands(fields: &mut Fields<'_>) -> Result<([Option<Hand>; 4], [usize; 4]), QuestionError> {
    let deal = fields.required("a deal, as N:AQ... ? 32... ?")?;
    let Some((seat, _)) = deal.text.split_once(':') else {
        let found = format!("{:?} does not begin a deal; expected as N:AQ...", deal.text);
        return Err(QuestionError::new(deal.column, Problem::Text(found)));
    };
    let first_hand = deal.after(seat.len() + 1);
    let seat = Field {
        column: deal.column,
        text: seat,
    };
    let first: Seat = seat.read()?;
    let start = first_hand.column;
    let mut first_hand = Some(first_hand).filter(|hand| !hand.text.is_empty());
    let (mut hands, mut columns) = ([None; 4], [0; 4]);
    for place in 0..4 {
        let field = match first_hand.take() {
            Some(field) => field,
            None => fields.required("four hands, two of them '?'")?,
        };
        let seat = first.plus(place).index();
        columns[seat] = field.column;
        if field.text != "?" {
            hands[seat] = Some(field.read::<Hand>()?);
        }
    }
    let found = hands.iter().filter(|hand| hand.is_none()).count();
    match found {
        2 => Ok((hands, columns)),
        _ => Err(QuestionError::new(start, Problem::HiddenCount { found })),
    }
}

impl Question {
    /// What is known, if `claimer` claims where the question does not say who,
    /// and if `condition` holds, at the end, besides.
    ///
    /// # Errors
    ///
    /// A [`QuestionError`] that names the column of what does not fit.
    pub fn knowledge(
        &self,
        claimer: Option<Seat>,
        condition: Option<&Condition>,
    ) -> Result<Knowledge, QuestionError> {
        let at = |column: usize| move |error| QuestionError::new(column, Problem::Knowledge(error));
        let [first, second] = self.visible();
        let visible = [first, second].map(|seat| {
            let hand = self.hands[seat.index()].unwrap_or_default();
            (seat, hand)
        });
        let played: Vec<Card> = self.played.iter().map(|&(_, card)| card).collect();
        let seen = visible
            .iter()
            .flat_map(|(_, hand)| hand.cards())
            .chain(played.iter().copied())
            .collect();
        let out = self
            .out
            .map_or_else(|| hand(missing(bits(&seen))), |(_, out)| out);
        let claimer = self.by.map(|(_, seat)| seat).or(claimer);
        let mut knowledge =
            Knowledge::new(self.strain, self.leader, visible, out, &played, claimer)
                .map_err(|error| at(self.column_of(&error))(error))?;
        if let Some((column, condition)) = &self.condition {
            knowledge = knowledge.given(condition).map_err(at(*column))?;
        }
        for &(column, card) in &self.play {
            knowledge = knowledge.play(card).map_err(at(column))?;
        }
        match condition {
            None => Ok(knowledge),
            Some(condition) => knowledge.given(condition).map_err(at(1)),
        }
    }

    /// The visible seats.
    fn visible(&self) -> [Seat; 2] {
        let mut shown = Seat::ALL
            .into_iter()
            .filter(|seat| self.hands[seat.index()].is_some());
        [shown.next(), shown.next()].map(|seat| seat.unwrap_or(Seat::North))
    }

    /// Where the card or hand stands that `error` complains about.
    fn column_of(&self, error: &KnowledgeError) -> usize {
        let deal = self.hand_columns.iter().copied().min().unwrap_or(1);
        let hand = |seat: Seat| self.hand_columns[seat.index()];
        let on_table = |card: Card| {
            let found = self
                .played
                .iter()
                .rev()
                .find(|(_, on_table)| *on_table == card);
            found.map(|(column, _)| *column)
        };
        match *error {
            KnowledgeError::HiddenClaimer { .. } => self.by.map_or(deal, |(column, _)| column),
            KnowledgeError::UnfitHand { seat, .. } => hand(seat),
            KnowledgeError::Revoke { card, .. } => on_table(card).unwrap_or(deal),
            KnowledgeError::TooManyPlayed { .. } => {
                self.played.get(3).map_or(deal, |(column, _)| *column)
            }
            KnowledgeError::UnfitUnseen { .. } => {
                let hidden = Seat::ALL
                    .iter()
                    .find(|seat| self.hands[seat.index()].is_none());
                let hidden = hidden.map_or(deal, |&seat| hand(seat));
                self.out.map_or(hidden, |(column, _)| column)
            }
            KnowledgeError::Twice { card } => {
                let in_out = self.out.filter(|(_, out)| out.contains(card));
                let holder =
                    self.visible().into_iter().rev().find(|seat| {
                        self.hands[seat.index()].is_some_and(|hand| hand.contains(card))
                    });
                on_table(card)
                    .or(in_out.map(|(column, _)| column))
                    .or(holder.map(hand))
                    .unwrap_or(deal)
            }
            _ => deal,
        }
    }
}

/// Reads a [`Question`] in which everything needed is said.
impl FromStr for Knowledge {
    type Err = QuestionError;

    fn from_str(line: &str) -> Result<Knowledge, QuestionError> {
        line.parse::<Question>()?.knowledge(None, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        line.parse::<Knowledge>().unwrap_err().to_string()
    }

    #[test]
    fn questions() {
        let knowledge: Knowledge = "D N S:KQ.5.. ? 65.A.. ? out=32..K.542".parse().unwrap();
        assert_eq!(knowledge.tricks_left(), 3);
        assert_eq!(knowledge.layouts(), 20);
        assert_eq!(knowledge.to_play(), Seat::North);
        let line = "NT S N:AQ... ? 32... ? out=KJT9... if=W+SK S2 S9";
        let knowledge: Knowledge = line.parse().unwrap();
        assert_eq!(knowledge.layouts(), 1);
        let line = "NT S N:AQ... ? 2... ? out=JT9... played=S3,SK";
        let knowledge: Knowledge = line.parse().unwrap();
        assert_eq!(knowledge.to_play(), Seat::North);
        // A whole deal needs no list of what is out.
        let line = "NT W N:AKQJ.AKQ.AKQ.AKQ ? T987.JT9.JT9.JT9 ?";
        let knowledge: Knowledge = line.parse().unwrap();
        assert_eq!(knowledge.layouts(), 10_400_600);
        assert_eq!(knowledge.unseen().len(), 26);
        // A defender claims, with dummy on the left.
        let line = "NT W N:A... ? ? K... out=Q2... by=W";
        let knowledge: Knowledge = line.parse().unwrap();
        assert_eq!(knowledge.hidden(), [Seat::East, Seat::South]);
    }

    #[test]
    fn errors_name_their_column() {
        for (line, start) in [
            ("", "column 1: expected a strain"),
            ("NT S", "column 5: expected a deal"),
            ("NT S N", "column 6: \"N\" does not begin a deal"),
            ("NT S N:A... ? K...", "column 19: expected four hands"),
            (
                "NT S N:A... ? K... 2...",
                "column 8: two of the four hands must be '?', found 1",
            ),
            (
                "NT S N:A... ? ? ?",
                "column 8: two of the four hands must be '?', found 3",
            ),
            ("NT S N:A... ? X... ?", "column 15: 'X' is not a rank"),
            (
                "NT S N:A... ? K... ?",
                "column 13: 50 cards are unseen, expected 2",
            ),
            (
                "NT S N:A... ? K... ? out=Q2.3..",
                "column 26: 3 cards are unseen, expected 2",
            ),
            (
                "NT S N:A... ? K... ? out=A2...",
                "column 26: the SA is given twice",
            ),
            (
                "NT S N:A... ? A... ? out=32...",
                "column 15: the SA is given twice",
            ),
            (
                "NT S N:A... ? KQ... ? out=32...",
                "column 15: South has 2 cards, expected 1",
            ),
            (
                "NT S N:A... ? ? K... out=Q2...",
                "column 8: North and West are opponents",
            ),
            (
                "NT S N:A... ? K... ? out=Q2... by=E",
                "column 35: East claims, but its hand",
            ),
            (
                "NT S N:A... ? K... ? out=Q2... SQ",
                "column 32: South cannot play the SQ",
            ),
            (
                "NT S N:A... ? K... ? out=Q2... if=E.S=2",
                "column 35: no layout",
            ),
            (
                "NT S N:A... ? K... ? out=Q2... if=N+SA",
                "column 35: North is visible",
            ),
            (
                "NT S N:A... ? K... ? out=Q2... if=E+SA",
                "column 35: the SA is not one",
            ),
            (
                "NT S N:A... ? K... ? out=Q2... if=S=3-0",
                "column 35: 2 spades are unseen",
            ),
            (
                "NT W N:A.2.. ? K.3.. ? out=QJ.4.. played=SQ,H3",
                "column 45: the H3 is given twice",
            ),
            (
                "NT W N:A... ? K.3.. ? out=JT.4.. played=SQ,H5",
                "column 44: North revoked",
            ),
            (
                "NT W N:A... ? K.3.. ? out=JT.4.. played=SQ,S2 out=2...",
                "column 47: \"out=2...\" is left",
            ),
        ] {
            let found = error(line);
            assert!(found.starts_with(start), "{line}\n{found}");
        }
    }
}
