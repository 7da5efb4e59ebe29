//! The mistakes of a play.

use serde::{Deserialize, Serialize};
use setrograde_solver::SolveError;

use crate::words::kinds_of_answer;
use crate::{Ask, Board, Desk, Example, Play, Refusal, Review, Start, StyleOption, Table};

/// The mistakes of a play: the cost of each card, and the right cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Analyse {}

kinds_of_answer! {
    /// The review of a play.
    AnalyseAnswer:
    /// A deal without a strain: its 20 results.
    Table(Table),
    /// A play.
    Play(Review)
}

impl Ask for Analyse {
    const NAME: &'static str = "analyse";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... 76... 54... K3... S4 S3 SA S6"}"#,
        command: "analyse",
    };
    type Subject = Play;
    type Answer = AnalyseAnswer;
    const STYLES: &'static [StyleOption] = &[StyleOption {
        name: "explain",
        meaning: "All tricks with their winners, if the answer is a text.",
        set: |style, explain| style.explain = explain,
    }];

    fn answer(
        &self,
        desk: &mut Desk,
        play: &Play,
        board: Option<&Board>,
    ) -> Result<Self::Answer, Refusal> {
        let start = match &play.start {
            Start::Position(start, _) => start,
            Start::Deal(deal) => {
                let tricks = desk.table(deal)?;
                return Ok(AnalyseAnswer::Table(Table { tricks }));
            }
        };
        let review =
            Review::new(desk.solver(), start, &play.cards).map_err(|error| match error {
                SolveError::IllegalCard { index, source } if board.is_none() => {
                    Refusal::in_line(play.columns[index], source)
                }
                error => error.into(),
            })?;
        let of_line = Board {
            contract: play.start.contract(),
            ..Board::default()
        };
        let review = review.of_board(board.unwrap_or(&of_line));
        Ok(AnalyseAnswer::Play(review))
    }
}
