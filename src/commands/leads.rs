//! `setrograde leads`: the opening leads against a contract.

use clap::Args;
use setrograde_cards::{Bid, Contract, Seat};
use setrograde_games::{Strengths, View};
use setrograde_review::OnLead;
use setrograde_single_dummy::Leads;

use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::draw::{DrawArguments, solver};
use crate::arguments::shared::AnswerArguments;
use crate::{Outcome, questions};

/// Rank the opening leads against a contract.
#[derive(Args)]
#[command(after_help = include_str!("../help/leads.txt"))]
pub struct LeadsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    #[command(flatten)]
    draw: DrawArguments,
    #[command(flatten)]
    answers: AnswerArguments,
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
    arguments.condition.read()?;
    let database = arguments.db.open()?;
    let solver = solver(database.as_ref());
    let questions = arguments.answers.questions(&arguments.hand, 1, false);
    let sampling = arguments.draw.sampling(questions.threads_for_each(), true);
    let (bid, leader) = arguments.contract;
    questions.run(
        || (),
        |(), question: &questions::Question<'_, OnLead>| {
            let question = question.ask.against(bid.strain(), leader);
            let view = View::of_bridge(&arguments.condition.ask(&question)?)?;
            let beliefs = view.beliefs(&Strengths::NONE)?;
            Ok(Leads::drawn(&view, &beliefs, bid, sampling, &solver)?)
        },
    )
}
