//! The opening leads against a contract.

use serde::{Deserialize, Serialize};
use setrograde_beliefs::Strengths;
use setrograde_cards::PartialContract;

use super::options::{Conditions, USUAL, as_text, text, with_drawing};
use crate::{Ask, Board, Desk, Example, LeadsAnswer, OnLead, Refusal};

with_drawing! {
/// The opening leads against a contract, over drawn layouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Leads {
    /// The contract, such as `3NT`; or `3NTN` if North declares and so East leads.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(serialize_with = "as_text", deserialize_with = "text")]
    pub contract: PartialContract,
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
}
draw: "The number of layouts to draw; 1000 unless set, or as many as `until` takes."
}

impl Ask for Leads {
    const NAME: &'static str = "leads";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "AQ732.K5.J83.T92", "contract": "3NT", "draw": 1}"#,
        command: "leads --draw 1 3NT",
    };
    type Subject = OnLead;
    type Answer = LeadsAnswer;

    fn check(&self) -> Result<(), Refusal> {
        self.conditions.check()?;
        self.drawing().check()
    }

    fn answer(
        &self,
        desk: &mut Desk,
        hand: &OnLead,
        _: Option<&Board>,
    ) -> Result<Self::Answer, Refusal> {
        desk.check_drawn(self.draw)?;
        let PartialContract { bid, declarer, .. } = self.contract;
        let question = hand.against(bid, declarer)?;
        let (view, beliefs) = desk.seen(&self.conditions.of(&question)?, &Strengths::NONE)?;
        let sampling = self.drawing().sampling(USUAL, desk.threads(), true);
        let options = desk.layout_options();
        let found = setrograde_single_dummy::Leads::drawn(&view, &beliefs, bid, sampling, &options);
        Ok(LeadsAnswer(found?))
    }
}
