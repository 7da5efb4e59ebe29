//! Rulings on contested claims.

use serde::{Deserialize, Serialize};
use setrograde_cards::{Position, Seat};
use setrograde_claim::{Knowledge, Line};
use setrograde_records::Board;

use super::line::rest;
use super::of_left;
use super::options::Conditions;
use crate::claims::{AdjudicateAnswer, StatedLine};
use crate::desk::{Ask, Desk};
use crate::refusal::Refusal;

/// The ruling on a contested claim, with all four hands known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Adjudicate {
    /// The seat that claims.
    pub by: Seat,
    /// The seat whose hand is on the table; the claimer's partner unless set.
    #[serde(default)]
    pub dummy: Option<Seat>,
    /// The tricks claimed; all remaining ones unless set.
    #[serde(default)]
    pub tricks: Option<u8>,
    /// The line that was stated, in words.
    #[serde(default = "rest")]
    pub line: String,
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// Maximum number of search nodes for one part of the ruling.
    #[serde(default = "limit")]
    pub limit: u64,
}

const fn limit() -> u64 {
    200_000
}

impl Adjudicate {
    fn line(&self) -> Result<Line, Refusal> {
        let read = self.line.parse::<Line>();
        read.map_err(|error| Refusal::question(format_args!("the line: {error}")))
    }
}

impl Ask for Adjudicate {
    const NAME: &'static str = "adjudicate";
    type Subject = Position;
    type Answer = AdjudicateAnswer;

    fn check(&self) -> Result<(), Refusal> {
        self.line()?;
        self.conditions.read().map(drop)
    }

    fn answer(
        &self,
        desk: &mut Desk,
        position: &Position,
        _: Option<&Board>,
    ) -> Result<Self::Answer, Refusal> {
        let line = self.line()?;
        let conditions = self.conditions.read()?;
        let dummy = self.dummy.unwrap_or(self.by.partner());
        let mut knowledge = Knowledge::from_position(position, self.by, dummy)?;
        for condition in &conditions {
            knowledge = knowledge.given(condition)?;
        }
        let left = knowledge.tricks_left() as u8;
        let claimed = of_left(self.tricks.unwrap_or(left), left)?;
        let layout = knowledge.hidden().map(|seat| position.deal().hand(seat));
        let claims = desk.claims(Some(self.limit));
        let found = claims.adjudicate(&knowledge, layout, claimed, &line);
        Ok(AdjudicateAnswer(StatedLine {
            line,
            found: found?,
            knowledge,
        }))
    }
}
