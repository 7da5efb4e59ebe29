//! `setrograde compare`: contracts by their scores, over layouts of the hidden hands.

use clap::Args;
use setrograde::ask::{Compare, Contracts};
use setrograde::cards::Vulnerability;
use std::ffi::OsString;

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
    /// The contracts, such as 3NT,4S; or 3NTN,4SS if it matters who declares.
    #[arg(value_name = "CONTRACTS")]
    contracts: Contracts,
    /// The two hands of a side, or a deal in which `?` are hidden; or `-` to read one per line
    /// from standard input.
    #[arg(required = true, value_name = "HANDS")]
    hands: Vec<OsString>,
}

pub fn run(arguments: &CompareArguments) -> anyhow::Result<Outcome> {
    let hidden = &arguments.hidden;
    // More contracts may follow without a comma.
    let mut contracts = arguments.contracts.clone();
    let mut hands = &arguments.hands[..];
    while let [word, others @ ..] = hands
        && let Some(Ok(more)) = word.to_str().map(str::parse)
    {
        contracts = contracts.and(more);
        hands = others;
    }
    let ask = Compare {
        contracts,
        vulnerable: arguments.vulnerable,
        conditions: hidden.condition.texts(),
        draw: hidden.draw.draw,
        until: hidden.draw.until,
        seed: hidden.draw.seed,
    };
    hidden.run(&ask, hands)
}
