//! Contracts by their scores.

use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use setrograde_beliefs::Strengths;
use setrograde_cards::{Contract, PartialContract, TextError, Vulnerability, quote};
use setrograde_single_dummy::{Compared, Comparison};

use super::options::{Conditions, OneOrMore, USUAL, with_drawing};
use crate::{Ask, Board, CompareAnswer, Desk, Example, Refusal, TwoHands};

/// Contracts, read from a text such as `3NT,4S`, or from a list of texts. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "OneOrMore")]
pub struct Contracts(Vec<PartialContract>);

/// Maximum number of contracts.
const MOST_CONTRACTS: usize = 64;

impl Contracts {
    /// Returns these contracts and others.
    #[must_use]
    pub fn and(mut self, others: Contracts) -> Contracts {
        self.0.extend(others.0);
        self
    }
}

impl TryFrom<OneOrMore> for Contracts {
    type Error = String;

    fn try_from(texts: OneOrMore) -> Result<Contracts, String> {
        let mut contracts = Vec::new();
        for text in texts.all() {
            let read = text.parse::<Contracts>();
            contracts.extend(
                read.map_err(|error| format!("{:?}: {error}", quote(&text)))?
                    .0,
            );
        }
        if contracts.is_empty() {
            return Err("expected at least one contract, found none".to_owned());
        }
        Ok(Contracts(contracts))
    }
}

impl Serialize for Contracts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(ToString::to_string))
    }
}

impl FromStr for Contracts {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Contracts, TextError> {
        let contracts: Result<_, _> = text.split(',').map(str::parse).collect();
        contracts.map(Contracts)
    }
}

with_drawing! {
/// Contracts by their scores, over drawn layouts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The contracts, such as `3NT,4S` or a list of them; or `3NTN,4SS` with declarers.
    #[cfg_attr(feature = "schema", schemars(with = "OneOrMore"))]
    pub contracts: Contracts,
    /// The vulnerable sides: `none`, `NS`, `EW` or `both`.
    #[serde(default = "none")]
    pub vulnerable: Vulnerability,
    /// Conditions on the hidden hands.
    #[serde(rename = "if", default)]
    pub conditions: Conditions,
}
draw: "The number of layouts to draw; 1000 unless set, or as many as `until` takes."
}

const fn none() -> Vulnerability {
    Vulnerability::None
}

impl Ask for Compare {
    const NAME: &'static str = "compare";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "AK5.KJ42.Q73.A64 QJT92.A3.K64.852", "contracts": "3NT", "draw": 1}"#,
        command: "compare --draw 1 3NT",
    };
    type Subject = TwoHands;
    type Answer = CompareAnswer;

    fn check(&self) -> Result<(), Refusal> {
        if self.contracts.0.len() > MOST_CONTRACTS {
            let problem = format_args!("more than {MOST_CONTRACTS} contracts");
            return Err(Refusal::option("contracts", problem));
        }
        self.conditions.check()?;
        self.drawing().check()
    }

    fn answer(
        &self,
        desk: &mut Desk,
        hands: &TwoHands,
        _: Option<&Board>,
    ) -> Result<CompareAnswer, Refusal> {
        desk.check_drawn(self.draw)?;
        let (view, beliefs) = desk.seen(&self.conditions.of(&hands.0)?, &Strengths::NONE)?;
        let contracts = self.contracts.0.iter();
        let contracts = contracts.map(|of| of.or_by(view.observer()));
        let contracts: Vec<Contract> = contracts.collect();
        let compared = Compared {
            contracts: &contracts,
            vulnerability: self.vulnerable,
            side: contracts[0].declarer.side(),
        };
        let sampling = self.drawing().sampling(USUAL, desk.threads(), true);
        let options = desk.layout_options();
        let found = Comparison::drawn(&view, &beliefs, compared, sampling, &options);
        Ok(CompareAnswer(found?))
    }
}
