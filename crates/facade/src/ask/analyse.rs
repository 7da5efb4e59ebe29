//! The mistakes of a play.

use serde::Deserialize;
use setrograde_records::Board;
use setrograde_solver::SolveError;

use crate::desk::{Ask, Desk};
use crate::mistakes::{Explained, Review};
use crate::refusal::Refusal;
use crate::subjects::{Play, Start};
use crate::tables::Table;
use crate::words::{Either, causes};

/// The mistakes of a play: the cost of each card, and the right cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Analyse {
    /// All tricks with their winners, if the answer is a text.
    pub explain: bool,
}

impl Ask for Analyse {
    const NAME: &'static str = "analyse";
    type Subject = Play;
    type Answer = Either<Table, Either<Explained, Review>>;

    fn answer(
        &self,
        desk: &mut Desk,
        play: &Play,
        board: Option<&Board>,
    ) -> Result<Self::Answer, Refusal> {
        let start = match &play.start {
            Start::Position(start) => start,
            Start::Deal(deal) => {
                let tricks = desk.table(deal)?;
                return Ok(Either::One(Table { tricks }));
            }
        };
        let review =
            Review::new(desk.solver(), start, &play.cards).map_err(|error| match error {
                SolveError::IllegalCard { index, .. } if board.is_none() => {
                    Refusal::in_line(play.columns[index], causes(&error))
                }
                error => error.into(),
            })?;
        let review = match board {
            Some(board) => review.of_board(board),
            None => review,
        };
        Ok(Either::Other(match self.explain {
            true => Either::One(Explained(review)),
            false => Either::Other(review),
        }))
    }
}
