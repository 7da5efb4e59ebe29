//! `setrograde leads`: the opening leads against a contract.

use clap::Args;
use setrograde::OnLead;
use setrograde_cards::{PartialContract, Seat};
use setrograde_single_dummy::Leads;

use crate::Outcome;
use crate::arguments::draw::{BeforeLeadArguments, Drawing};

/// Rank the opening leads against a contract.
#[derive(Args)]
#[command(after_help = include_str!("../help/leads.txt"))]
pub struct LeadsArguments {
    #[command(flatten)]
    hidden: BeforeLeadArguments,
    /// The contract, as 3NT; or 3NTN if North declares and so East leads.
    #[arg(value_name = "CONTRACT")]
    contract: PartialContract,
    /// The hand on lead, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "HAND")]
    hand: Vec<String>,
}

pub fn run(arguments: &LeadsArguments) -> anyhow::Result<Outcome> {
    let PartialContract { bid, declarer, .. } = arguments.contract;
    let leader = declarer.map_or(Seat::West, Seat::next);
    arguments.hidden.run(
        &arguments.hand,
        |hand: &OnLead| hand.against(bid.strain(), leader),
        |Drawing {
             view,
             beliefs,
             sampling,
             solver,
         }| Leads::drawn(&view, &beliefs, bid, sampling, solver),
    )
}
