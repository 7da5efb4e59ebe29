//! `setrograde compare`: contracts by their scores, over layouts of the hidden hands.

use std::str::FromStr;

use clap::Args;
use setrograde_cards::{Bid, Contract, Doubling, Seat, Vulnerability};
use setrograde_review::TwoHands;
use setrograde_single_dummy::{Compared, Comparison};

use crate::Outcome;
use crate::arguments::draw::BeforeLeadArguments;

/// Compare contracts by their scores.
#[derive(Args)]
#[command(after_help = include_str!("../help/compare.txt"))]
pub struct CompareArguments {
    #[command(flatten)]
    hidden: BeforeLeadArguments,
    /// The vulnerable sides: none, NS, EW or both.
    #[arg(long, value_name = "SIDES", default_value = "none")]
    vulnerable: Vulnerability,
    /// The contracts, as 3NT,4S; or 3NTN,4SS if it matters who declares.
    #[arg(value_name = "CONTRACTS")]
    contracts: List,
    /// The two hands of a side, or a deal in which `?` are hidden; or `-` to read one a line
    /// from standard input.
    #[arg(required = true, value_name = "HANDS")]
    hands: Vec<String>,
}

/// Contracts with commas between them.
#[derive(Clone)]
struct List(Vec<Written>);

impl FromStr for List {
    type Err = String;

    fn from_str(text: &str) -> Result<List, String> {
        text.split(',')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(List)
    }
}

/// A contract as it is written, perhaps without a declarer.
#[derive(Clone, Copy, Debug)]
struct Written {
    bid: Bid,
    doubling: Doubling,
    declarer: Option<Seat>,
}

impl Written {
    /// The contract; `seat` declares it if it does not say who does.
    fn by(&self, seat: Seat) -> Contract {
        Contract::new(self.bid, self.doubling, self.declarer.unwrap_or(seat))
    }
}

impl FromStr for Written {
    type Err = String;

    fn from_str(text: &str) -> Result<Written, String> {
        if let Ok(contract) = text.parse::<Contract>() {
            return Ok(Written {
                bid: contract.bid,
                doubling: contract.doubling,
                declarer: Some(contract.declarer),
            });
        }
        let undoubled = text.trim_end_matches(['x', 'X']);
        let crosses = text.len() - undoubled.len();
        if let (Ok(bid), Some(&doubling)) = (undoubled.parse(), Doubling::ALL.get(crosses)) {
            return Ok(Written {
                bid,
                doubling,
                declarer: None,
            });
        }
        Err(match undoubled.parse::<Contract>() {
            Ok(contract) if crosses <= 2 => {
                let right = Contract::new(contract.bid, Doubling::ALL[crosses], contract.declarer);
                format!("the declarer comes last, as {right}")
            }
            _ => "expected a contract, as 3NT, 4SX or 4SXN".to_owned(),
        })
    }
}

pub fn run(arguments: &CompareArguments) -> anyhow::Result<Outcome> {
    arguments.hidden.run(
        &arguments.hands,
        |hands: &TwoHands| hands.0.clone(),
        |drawing| {
            let observer = drawing.view.observer();
            let contracts = arguments.contracts.0.iter();
            let contracts = contracts.map(|of| of.by(observer));
            let contracts: Vec<Contract> = contracts.collect();
            let compared = Compared {
                contracts: &contracts,
                vulnerability: arguments.vulnerable,
                side: contracts[0].side(),
            };
            let (view, beliefs) = (&drawing.view, &drawing.beliefs);
            Comparison::drawn(view, beliefs, compared, drawing.sampling, drawing.solver)
        },
    )
}
