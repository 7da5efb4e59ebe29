//! Questions that the page asks before the play: the contracts to compare, and conditions in words.

use serde::{Deserialize, Serialize};
use setrograde_beliefs::{CONDITIONS, Condition};
use setrograde_cards::{Bid, Contract, Deal, Doubling, Seat, Strain, Suit, Vulnerability};

use crate::ask::NoSubject;
use crate::{Ask, Board, Desk, Example, Refusal, Report, causes};

/// Maximum number of contracts.
const MOST_CONTRACTS: usize = 6;

/// The contracts to compare: the contract played, the best contract of the declarer's side in the
/// table, and a game in each of its longest fits.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ContractsToCompare {
    /// The declarer.
    by: Seat,
    /// The vulnerable sides.
    vulnerable: Vulnerability,
    /// The contract that was played.
    #[serde(default)]
    contract: Option<Contract>,
    /// The 20 results of the deal by strain from no trump and in each by declarer from North, if
    /// they are known.
    #[serde(default)]
    tricks: Vec<u8>,
}

/// Contracts to compare.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContractList {
    /// The contracts.
    contracts: Vec<Contract>,
}

/// A condition on hidden hands in words, and the forms of conditions.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConditionWords {
    /// The condition.
    #[serde(rename = "if", default)]
    text: String,
}

/// A condition, explained.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConditionInWords {
    /// The condition in words; null of none.
    words: Option<String>,
    /// The forms that conditions have, each with its meaning.
    forms: Vec<[&'static str; 2]>,
}

/// The page alone shows it.
impl Report for ContractList {}

/// The page alone shows it.
impl Report for ConditionInWords {}

impl Ask for ConditionWords {
    const NAME: &'static str = "condition";
    const EXAMPLE: Example = Example {
        json: r#"{"if": "N.balanced"}"#,
        command: "",
    };
    type Subject = NoSubject;
    type Answer = ConditionInWords;

    fn answer(
        &self,
        _: &mut Desk,
        _: &NoSubject,
        _: Option<&Board>,
    ) -> Result<ConditionInWords, Refusal> {
        let words = match self.text.trim() {
            "" => None,
            text => {
                let condition = text.parse::<Condition>();
                let condition = condition.map_err(|error| Refusal::question(causes(&error)));
                Some(condition?.in_words())
            }
        };
        let forms = CONDITIONS.lines().filter_map(|line| line.split_once("  "));
        let forms = forms.map(|(text, meaning)| [text, meaning.trim()]);
        Ok(ConditionInWords {
            words,
            forms: forms.collect(),
        })
    }
}

impl Ask for ContractsToCompare {
    const NAME: &'static str = "contracts";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76", "by": "W", "vulnerable": "All"}"#,
        command: "",
    };
    type Subject = Deal;
    type Answer = ContractList;

    fn answer(
        &self,
        _: &mut Desk,
        deal: &Deal,
        _: Option<&Board>,
    ) -> Result<ContractList, Refusal> {
        let (by, results) = (self.by, &self.tricks);
        let pair = [by, by.partner()];
        let played = self.contract.into_iter();
        let played = played.filter(|contract| contract.declarer.side() == by.side());
        let mut found: Vec<Contract> = played.collect();
        if results.len() == 20 {
            // Of contracts with the same score the lowest is the safest; a pair has the same tricks in
            // most deals, and then `by` declares.
            let mut best: Option<(i32, Contract)> = None;
            for bid in Bid::all() {
                for seat in pair {
                    let at = Strain::ALL
                        .iter()
                        .position(|strain| *strain == bid.strain());
                    let tricks = results[4 * at.expect("all strains") + seat as usize];
                    let contract = undoubled(bid, seat);
                    let score = contract.score(tricks, self.vulnerable, by.side());
                    if tricks >= bid.tricks() && best.is_none_or(|(most, _)| score > most) {
                        best = Some((score, contract));
                    }
                }
            }
            found.extend(best.map(|(_, contract)| contract));
        }
        let length = |suit: Suit| pair.map(|seat| deal.hand(seat).holding(suit).len());
        let fit = |suit: &Suit| length(*suit).iter().sum::<usize>();
        let longest = Suit::ALL.iter().map(fit).max().unwrap_or_default();
        for suit in Suit::ALL.into_iter().filter(|suit| fit(suit) == longest) {
            let level = match suit {
                Suit::Spades | Suit::Hearts => 4,
                Suit::Diamonds | Suit::Clubs => 5,
            };
            let [own, other] = length(suit);
            let seat = if other > own { by.partner() } else { by };
            let bid = Bid::new(level, Strain::Trump(suit)).expect("a level of 4 or 5");
            found.push(undoubled(bid, seat));
        }
        let mut kept: Vec<Contract> = Vec::new();
        for contract in found {
            if kept.iter().all(|other| other.bid != contract.bid) {
                kept.push(contract);
            }
        }
        kept.truncate(MOST_CONTRACTS);
        Ok(ContractList { contracts: kept })
    }
}

/// The contract of a bid without a double.
const fn undoubled(bid: Bid, declarer: Seat) -> Contract {
    Contract {
        bid,
        doubling: Doubling::Undoubled,
        declarer,
    }
}
