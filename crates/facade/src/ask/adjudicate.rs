//! Rulings on contested claims.

use serde::{Deserialize, Serialize};
use setrograde_beliefs::Budget;
use setrograde_cards::Seat;
use setrograde_claim::Knowledge;

use super::claim::Tricks;
use super::line::{rest, stated};
use super::of_left;
use super::options::Conditions;
use crate::claims::{StatedLine, claimed};
use crate::{AdjudicateAnswer, Ask, Board, Desk, Example, Play, Refusal};

/// The ruling on a contested claim, with all four hands known. For a board it is the claim at the end
/// of its play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Adjudicate {
    /// The seat that claims. By default the declarer of the board, or of the contract of the line.
    #[serde(default)]
    pub by: Option<Seat>,
    /// The seat whose hand is on the table; the claimer's partner unless set.
    #[serde(default)]
    pub dummy: Option<Seat>,
    /// The tricks claimed, or `all` remaining ones. By default those that the board says, or all.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<super::claim::TricksText>")
    )]
    #[serde(default)]
    pub tricks: Option<Tricks>,
    /// The line that was stated, in words.
    #[serde(default = "rest")]
    pub line: String,
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// Conditions on the cards that are left in the hidden hands after the play.
    #[serde(default)]
    pub if_left: Conditions,
    /// Maximum number of search nodes for one part of the ruling.
    #[serde(default = "limit")]
    pub limit: u64,
}

const fn limit() -> u64 {
    200_000
}

impl Ask for Adjudicate {
    const NAME: &'static str = "adjudicate";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... 76... 54... K3...", "by": "N"}"#,
        command: "claim adjudicate --by N",
    };
    type Subject = Play;
    type Answer = AdjudicateAnswer;

    fn check(&self) -> Result<(), Refusal> {
        stated(&self.line)?;
        self.if_left.check()?;
        self.conditions.check()
    }

    fn answer(
        &self,
        desk: &mut Desk,
        play: &Play,
        board: Option<&Board>,
    ) -> Result<Self::Answer, Refusal> {
        let line = stated(&self.line)?;
        let mut budget = Budget::default();
        let conditions = self.conditions.read(&mut budget)?;
        let if_left = self.if_left.read(&mut budget)?;
        let contract = play.start.contract().map(|contract| contract.declarer);
        let declarer = board.and_then(|board| board.declarer).or(contract);
        let by = self.by.or(declarer).ok_or_else(|| Refusal::missing("by"))?;
        let position = play.end()?;
        let dummy = self.dummy.unwrap_or(by.partner());
        let mut knowledge = Knowledge::from_position(play.start.position()?, by, dummy)?;
        for condition in &conditions {
            knowledge = knowledge.given(condition)?;
        }
        for &card in &play.cards {
            // The claimer saw who did not follow suit.
            knowledge = knowledge.play(card)?;
        }
        for condition in &if_left {
            knowledge = knowledge.given(condition)?;
        }
        let left = knowledge.tricks_left() as u8;
        let claimed = match self.tricks {
            Some(Tricks::These(tricks)) => of_left(tricks, left)?,
            Some(Tricks::All) => left,
            None => board
                .and_then(claimed)
                .map_or(left, |claimed| claimed.min(left)),
        };
        let layout = knowledge.hidden().map(|seat| position.deal().hand(seat));
        let claims = desk.claims(Some(self.limit));
        let found = claims.adjudicate(&knowledge, layout, claimed, &line);
        Ok(AdjudicateAnswer(StatedLine {
            line,
            unmade: None,
            found: found?,
            knowledge,
        }))
    }
}
