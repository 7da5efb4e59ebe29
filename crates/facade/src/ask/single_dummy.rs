//! The layouts in which a number of tricks is sure.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use setrograde_beliefs::Strengths;
use setrograde_claim::Knowledge;
use setrograde_single_dummy::{Options, SureTarget, card_odds, single_dummy};

use super::options::Conditions;
use crate::words::kinds_of_answer;
use crate::{Ask, Board, Desk, Example, HiddenHands, Refusal, SureTargets, SureTricks};

/// The number of layouts in which a number of tricks is sure against best defence, and a plan for
/// it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SingleDummy {
    /// The target of the side to play, out of the remaining tricks; each number unless set.
    #[serde(default)]
    pub tricks: Option<u8>,
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// A plan that is sure in the maximum number of layouts, with `tricks`.
    #[serde(default)]
    pub plan: bool,
    /// Maximum number of search nodes for a number of tricks.
    #[serde(default = "limit")]
    pub limit: u64,
}

kinds_of_answer! {
    /// The layouts in which tricks are sure.
    SingleDummyAnswer:
    /// A number of tricks.
    Tricks(SureTricks),
    /// Each number of tricks.
    Targets(SureTargets)
}

const fn limit() -> u64 {
    100_000_000
}

impl Ask for SingleDummy {
    const NAME: &'static str = "single_dummy";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... ? 32... ? out=KJT9..."}"#,
        command: "single-dummy",
    };
    type Subject = HiddenHands;
    type Answer = SingleDummyAnswer;

    fn check(&self) -> Result<(), Refusal> {
        self.conditions.check()?;
        if self.plan && self.tricks.is_none() {
            Err(Refusal::needs("plan", &["tricks"]))
        } else {
            Ok(())
        }
    }

    fn answer(
        &self,
        desk: &mut Desk,
        HiddenHands(question): &HiddenHands,
        _: Option<&Board>,
    ) -> Result<Self::Answer, Refusal> {
        let question = self.conditions.of(question)?;
        let (view, beliefs) = desk.seen(&question, &Strengths::NONE)?;
        let (database, stop) = (desk.database().map(Arc::as_ref), desk.stop());
        let options = Options {
            database,
            most_visits: self.limit,
            plan: self.plan,
            stop: stop.clone(),
        };
        let double_dummy = match database {
            Some(database) if view.tricks_left() <= database.max_tricks() => {
                card_odds(&view, &beliefs, database, stop)?
            }
            _ => Vec::new(),
        };
        let find = |tricks| single_dummy(&view, &beliefs, tricks, &options);
        if let Some(tricks) = self.tricks {
            let found = find(tricks)?;
            return Ok(SingleDummyAnswer::Tricks(SureTricks {
                of: found.layouts,
                target: SureTarget::new(tricks, &found, &double_dummy),
                knowledge: match found.plan {
                    Some(_) => Some(Knowledge::of(&question)?),
                    None => None,
                },
                plan: found.plan,
            }));
        }
        let (mut of, mut targets) = (0, Vec::new());
        for tricks in 1..=view.tricks_left() as u8 {
            let found = find(tricks)?;
            of = found.layouts;
            targets.push(SureTarget::new(tricks, &found, &double_dummy));
            if found.sure() == 0 {
                break;
            }
        }
        Ok(SingleDummyAnswer::Targets(SureTargets { of, targets }))
    }
}
