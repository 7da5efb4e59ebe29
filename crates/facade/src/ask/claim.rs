//! Claims: how many tricks are sure.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use setrograde_beliefs::Question;
use setrograde_cards::Seat;
use setrograde_claim::{ClaimParts, tricks};

use super::options::{Conditions, yes};
use crate::claims::claimed;
use crate::subjects::ClaimKind;
use crate::words::kinds_of_answer;
use crate::{
    AnsweredClaim, Ask, Board, ClaimSubject, Desk, Example, JudgedClaim, NoClaim, Refusal,
    StyleOption,
};

/// The tricks that are sure, whatever the hidden cards and the defence. The claim of a board is
/// judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Decide whether this number of tricks is sure, or `all` remaining ones.
    #[cfg_attr(feature = "schema", schemars(with = "Option<TricksText>"))]
    #[serde(default)]
    pub tricks: Option<Tricks>,
    /// The seat that claims; needed if the visible hands are opponents.
    #[serde(default)]
    pub by: Option<Seat>,
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// True to show a plan that makes the tricks, or layouts that refute them.
    #[serde(default)]
    pub explain: bool,
    /// The weakest assumptions that make the tricks sure.
    #[serde(default)]
    pub assume: bool,
    /// Maximum number of search nodes for an answer; 10,000 for the claim of a board unless set.
    #[serde(default)]
    pub limit: Option<u64>,
    /// The tricks that are sure in all and with each card, too.
    #[serde(default = "yes")]
    pub cards: bool,
}

/// Maximum number of assumptions in an answer.
const ASSUMPTIONS: usize = 5;

/// Limit for the claim of a board: a hopeless one may take long to refute.
const BOARD_LIMIT: u64 = 10_000;

/// A number of tricks, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tricks {
    /// All remaining tricks.
    All,
    /// This number.
    These(u8),
}

impl FromStr for Tricks {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Tricks, Self::Err> {
        if text == "all" {
            return Ok(Tricks::All);
        }
        let tricks = text.parse().ok().filter(|&tricks| tricks <= 13);
        tricks
            .map(Tricks::These)
            .ok_or("expected 0 to 13, or `all`")
    }
}

/// The number or the text that a number of tricks is written as.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code)]
pub(super) enum TricksText {
    Number(u8),
    Text(String),
}

impl Serialize for Tricks {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Tricks::All => to.serialize_str("all"),
            Tricks::These(tricks) => to.serialize_u8(*tricks),
        }
    }
}

impl<'de> Deserialize<'de> for Tricks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Tricks, D::Error> {
        from.deserialize_any(TricksVisitor)
    }
}

struct TricksVisitor;

impl Visitor<'_> for TricksVisitor {
    type Value = Tricks;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("0 to 13, or `all`")
    }

    fn visit_u64<E: de::Error>(self, tricks: u64) -> Result<Tricks, E> {
        self.visit_str(&tricks.to_string())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Tricks, E> {
        text.parse().map_err(E::custom)
    }
}

/// Returns the number of tricks claimed out of the remaining ones.
///
/// # Errors
///
/// If fewer remain.
pub fn of_left(claimed: u8, left: u8) -> Result<u8, Refusal> {
    if claimed <= left {
        return Ok(claimed);
    }
    let are = |count| if count == 1 { "is" } else { "are" };
    Err(Refusal::question(format_args!(
        "{} {} claimed, but only {left} {} left",
        tricks(claimed),
        are(claimed),
        are(left)
    )))
}

kinds_of_answer! {
    /// The answer to a question about a claim.
    ClaimReply:
    /// The judged claim of a board.
    Judged(JudgedClaim),
    /// A board without a claim.
    NoClaim(NoClaim),
    /// The tricks that are sure.
    Sure(AnsweredClaim)
}

impl Ask for Claim {
    const NAME: &'static str = "claim";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... ? 32... ? out=KJT9...", "tricks": 1, "assume": true}"#,
        command: "claim --tricks 1 --assume",
    };
    type Subject = ClaimSubject;
    type Answer = ClaimReply;
    const STYLES: &'static [StyleOption] = &[StyleOption {
        name: "all",
        meaning: "True to list every playable card with its sure tricks in a text; an object always has them.",
        set: |style, all| style.by_card = all,
    }];

    fn check(&self) -> Result<(), Refusal> {
        self.conditions.check()
    }

    fn answer(
        &self,
        desk: &mut Desk,
        ClaimSubject(claim): &ClaimSubject,
        board: Option<&Board>,
    ) -> Result<ClaimReply, Refusal> {
        match (board, claim) {
            (Some(board), claim) => self.judge(desk, board, claim),
            (None, ClaimKind::Hidden(question)) => {
                self.of_line(desk, question).map(ClaimReply::Sure)
            }
            (None, ClaimKind::Open(_)) => Err(Refusal::question("no hand is hidden")),
        }
    }
}

impl Claim {
    /// Judges a record's claim.
    fn judge(
        &self,
        desk: &mut Desk,
        board: &Board,
        claim: &ClaimKind,
    ) -> Result<ClaimReply, Refusal> {
        let of_questions = [
            ("tricks", self.tricks.is_some()),
            ("by", self.by.is_some()),
            ("assume", self.assume),
        ];
        if let Some((name, _)) = of_questions.into_iter().find(|&(_, is_set)| is_set) {
            let problem = "is for questions; the claim of a board is judged as it was made";
            return Err(Refusal::is(name, problem));
        }
        let judged = match (claimed(board), claim) {
            (Some(_), ClaimKind::Hidden(question)) => {
                let knowledge = self.conditions.knowledge(None, question)?;
                let claims = desk.claims(self.limit.or(Some(BOARD_LIMIT)));
                JudgedClaim::new(claims, board, &knowledge)?
            }
            _ => None,
        };
        Ok(match judged {
            Some(judged) => ClaimReply::Judged(judged),
            None => ClaimReply::NoClaim(NoClaim::of(board)),
        })
    }

    fn of_line(&self, desk: &mut Desk, question: &Question) -> Result<AnsweredClaim, Refusal> {
        let knowledge = self.conditions.knowledge(self.by, question)?;
        let left = knowledge.tricks_left() as u8;
        let tricks = match self.tricks {
            None => None,
            Some(Tricks::All) => Some(left),
            Some(Tricks::These(tricks)) => Some(of_left(tricks, left)?),
        };
        let mut cards = self.cards;
        if desk.has_parts() && cards {
            // Those of each card take longer.
            let wanted = ClaimParts {
                sure: true,
                ..ClaimParts::default()
            };
            let part = desk.claims(self.limit).answer(&knowledge, wanted)?;
            cards = part.sure.is_some();
            desk.part(&part);
        }
        let wanted = ClaimParts {
            tricks,
            sure: self.cards,
            cards,
            proof: self.explain,
            assume: if self.assume { ASSUMPTIONS } else { 0 },
        };
        let answer = desk.claims(self.limit).answer(&knowledge, wanted)?;
        Ok(AnsweredClaim {
            explained: self.explain,
            counted: tricks.is_none(),
            ..AnsweredClaim::new(answer, &knowledge)
        })
    }
}
