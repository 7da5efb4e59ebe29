//! The opening leads against a contract.

use serde::Deserialize;
use setrograde_beliefs::{BridgeView, Strengths};
use setrograde_cards::{PartialContract, Seat};
use setrograde_records::Board;

use super::options::{Conditions, Drawing, USUAL, seed, text};
use crate::desk::{Ask, Desk};
use crate::refusal::Refusal;
use crate::subjects::OnLead;

/// The opening leads against a contract, over drawn layouts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Leads {
    /// The contract, as `3NT`; or `3NTN` if North declares and so East leads.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[serde(deserialize_with = "text")]
    pub contract: PartialContract,
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
    /// The number of layouts to draw; 1000 unless set, or as many as `until` takes.
    #[serde(default)]
    pub draw: Option<u32>,
    /// Stop drawing once every chance is known to within this share of 1.
    #[serde(default)]
    pub until: Option<f64>,
    /// The seed of the layouts.
    #[serde(default = "seed")]
    pub seed: u64,
}

impl Leads {
    const fn drawing(&self) -> Drawing {
        Drawing {
            draw: self.draw,
            until: self.until,
            seed: self.seed,
        }
    }
}

impl Ask for Leads {
    const NAME: &'static str = "leads";
    type Subject = OnLead;
    type Answer = setrograde_single_dummy::Leads;

    fn check(&self) -> Result<(), Refusal> {
        self.conditions.read()?;
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
        let leader = declarer.map_or(Seat::West, Seat::next);
        let question = hand.against(bid.strain(), leader);
        let view = BridgeView::of_bridge(&self.conditions.of(&question)?)?;
        let beliefs = desk.beliefs(&view.facts(&Strengths::NONE)?)?;
        let sampling = self.drawing().sampling(USUAL, desk.threads(), true);
        let options = desk.layout_options();
        let found = Self::Answer::drawn(&view, &beliefs, bid, sampling, &options);
        Ok(found?)
    }
}
