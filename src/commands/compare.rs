//! `setrograde compare`: contracts by their scores, over layouts of the hidden hands.

use clap::Args;
use setrograde::TwoHands;
use setrograde_cards::{Contract, PartialContract, TextError, Vulnerability};
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
    #[arg(value_name = "CONTRACTS", value_parser = contracts)]
    contracts: Contracts,
    /// The two hands of a side, or a deal in which `?` are hidden; or `-` to read one a line
    /// from standard input.
    #[arg(required = true, value_name = "HANDS")]
    hands: Vec<String>,
}

/// Contracts with commas between them.
type Contracts = Vec<PartialContract>;

fn contracts(text: &str) -> Result<Contracts, TextError> {
    text.split(',').map(str::parse).collect()
}

pub fn run(arguments: &CompareArguments) -> anyhow::Result<Outcome> {
    arguments.hidden.run(
        &arguments.hands,
        |hands: &TwoHands| hands.0.clone(),
        |drawing| {
            let observer = drawing.view.observer();
            let contracts = arguments.contracts.iter();
            let contracts = contracts.map(|of| of.or_by(observer));
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
