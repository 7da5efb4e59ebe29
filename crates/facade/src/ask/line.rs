//! The tricks of a stated line.

use serde::{Deserialize, Serialize};
use setrograde_cards::Seat;

use super::options::Conditions;
use crate::claims::StatedLine;
use crate::{Ask, Board, Desk, Example, HiddenHands, LineAnswer, Refusal};

/// The tricks that a stated line takes at worst.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The seat that claims; needed if the visible hands are opponents.
    #[serde(default)]
    pub by: Option<Seat>,
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// The line that was stated, in words.
    #[serde(default = "rest")]
    pub line: String,
}

/// A line without a statement.
pub(super) fn rest() -> String {
    "rest".to_owned()
}

/// Reads a line that was stated in words.
pub(super) fn stated(text: &str) -> Result<setrograde_claim::Line, Refusal> {
    let read = text.parse::<setrograde_claim::Line>();
    read.map_err(|error| Refusal::question(format_args!("the line: {error}")))
}

impl Ask for Line {
    const NAME: &'static str = "line";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... ? 32... ? out=KJT9..."}"#,
        command: "claim line",
    };
    type Subject = HiddenHands;
    type Answer = LineAnswer;

    fn check(&self) -> Result<(), Refusal> {
        self.conditions.check()?;
        stated(&self.line).map(drop)
    }

    fn answer(
        &self,
        desk: &mut Desk,
        HiddenHands(question): &HiddenHands,
        _: Option<&Board>,
    ) -> Result<Self::Answer, Refusal> {
        let knowledge = self.conditions.knowledge(self.by, question)?;
        let line = stated(&self.line)?;
        let found = desk.claims(None).line(&knowledge, &line)?;
        Ok(LineAnswer(StatedLine {
            unmade: line.unmade(&knowledge, &found.play),
            line,
            found,
            knowledge,
        }))
    }
}
