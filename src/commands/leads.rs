//! `setrograde leads`: the opening leads against a contract.

use clap::Args;
use setrograde::ask::Leads;
use setrograde::cards::PartialContract;
use std::ffi::OsString;

use crate::Outcome;
use crate::arguments::draw::BeforeLeadArguments;

/// Rank the opening leads against a contract.
#[derive(Args)]
#[command(after_help = include_str!("../help/leads.txt"))]
pub struct LeadsArguments {
    #[command(flatten)]
    hidden: BeforeLeadArguments,
    /// The contract, such as 3NT; or 3NTN if North declares and so East leads.
    #[arg(value_name = "CONTRACT")]
    contract: PartialContract,
    /// The hand on lead, or `-` to read one per line from standard input.
    #[arg(required = true, value_name = "HAND")]
    hand: Vec<OsString>,
}

pub fn run(arguments: &LeadsArguments) -> anyhow::Result<Outcome> {
    let hidden = &arguments.hidden;
    let ask = Leads {
        contract: arguments.contract,
        conditions: hidden.condition.texts(),
        draw: hidden.draw.draw,
        until: hidden.draw.until,
        seed: hidden.draw.seed,
    };
    hidden.run(&ask, &arguments.hand)
}
