//! `setrograde leads`: the opening leads against a contract.

use clap::Args;
use setrograde_cards::{Bid, Contract, Seat};
use setrograde_review::OnLead;
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
    #[arg(value_name = "CONTRACT", value_parser = contract)]
    contract: (Bid, Seat),
    /// The hand on lead, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "HAND")]
    hand: Vec<String>,
}

/// The bid, and the seat on lead: West, unless the declarer is named.
fn contract(text: &str) -> Result<(Bid, Seat), String> {
    if let Ok(contract) = text.parse::<Contract>() {
        return Ok((contract.bid, contract.leader()));
    }
    let undoubled = text.trim_end_matches(['x', 'X']);
    let bid = undoubled.parse().map_err(|error| format!("{error}"))?;
    Ok((bid, Seat::West))
}

pub fn run(arguments: &LeadsArguments) -> anyhow::Result<Outcome> {
    let (bid, leader) = arguments.contract;
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
