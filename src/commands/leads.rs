//! `setrograde leads`: the opening leads against a contract.

use std::sync::Arc;

use clap::Args;
use setrograde_beliefs::Beliefs;
use setrograde_cards::{Bid, Contract, Hand, Seat};
use setrograde_games::{Strengths, View, Whist};
use setrograde_lookup::Database;
use setrograde_review::shown;
use setrograde_single_dummy::{Sampling, defeating, interval, mean_half_width, sampled_leads};

use super::odds::tricks_in_words;
use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::draw::{DrawArguments, solver};
use crate::arguments::shared::AnswerArguments;
use crate::json::{
    CardChances, Chances, DrawnAnswer, LeadChances, LeadsAnswer, OddsAnswer, Whole, intervals,
};
use crate::output::chances::{drawn, drawn_mean, head, side_name};
use crate::questions::{Answer, NoAnswer};

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
    let questions = arguments.answers.questions(&arguments.hand, 1, None);
    let threads = questions.threads_for_each();
    questions.run(
        || (),
        |(), question| {
            let (bid, leader) = arguments.contract;
            let text = question_text(question.text, bid, leader)?;
            let view = View::of_bridge(&arguments.condition.ask(&text)?)?;
            let beliefs = view.beliefs(&Strengths::NONE)?;
            let sampling = arguments.draw.sampling(threads, true);
            let json = arguments.answers.json;
            answer(
                question.text,
                &view,
                &beliefs,
                bid,
                sampling,
                database.as_ref(),
                json,
            )
        },
    )
}

/// The question of a hand; a question that is whole stays as it is.
fn question_text(text: &str, bid: Bid, leader: Seat) -> Result<String, NoAnswer> {
    if text.contains(':') {
        return Ok(text.to_owned());
    }
    let hand: Hand = text.parse()?;
    if hand.len() != 13 {
        let problem = format!("the hand has {} cards, expected 13", hand.len());
        return Err(NoAnswer::Refused(problem));
    }
    Ok(format!("{} {leader} {leader}:{hand} ? ? ?", bid.strain()))
}

/// The answer for a hand of which `view` is the view before the lead.
pub fn answer(
    text: &str,
    view: &View<Whist>,
    beliefs: &Beliefs,
    bid: Bid,
    sampling: Sampling,
    database: Option<&Arc<Database>>,
    json: bool,
) -> Result<Answer, NoAnswer> {
    let found = sampled_leads(view, beliefs, bid, sampling, &solver(database))?;
    let (all, left, target) = (&found.all, view.tricks_left(), defeating(bid));
    let side = view.to_play().side();
    if json {
        let lead = |(card, odds): &(_, setrograde_single_dummy::Odds)| {
            let defeats = odds.at_least(target);
            LeadChances {
                card: CardChances::new(*card, odds, left),
                defeats,
                defeats_interval: interval(defeats, odds.layouts).into(),
            }
        };
        return Ok(Answer::json(LeadsAnswer {
            contract: bid.to_string(),
            cards: found.cards.iter().map(lead).collect(),
            drawn: DrawnAnswer {
                answer: OddsAnswer {
                    question: text,
                    side,
                    to_play: view.to_play(),
                    all: Chances::new(all, left),
                    cards: None,
                    splits: None,
                },
                drawn_of: Whole(beliefs.count()),
                seed: sampling.seed,
                intervals: intervals(all, left),
                mean_half_width: mean_half_width(all),
            },
        }));
    }
    let leader = view.to_play().name();
    let mut answer = format!("{text}\n{}", head(all.layouts, beliefs, sampling.seed));
    answer += &format!(
        "  {leader} leads against {bid}: tricks of {}\n",
        side_name(side)
    );
    answer += "  lead   tricks  in 95 of 100   defeats  in 95 of 100\n";
    for (card, odds) in &found.cards {
        let (mean, defeats) = (drawn_mean(odds), drawn(odds.at_least(target), odds.layouts));
        answer += &format!("  {:4}   {mean}   {defeats}\n", shown(*card));
    }
    answer += "\n  With the best lead in each layout\n";
    answer += &tricks_in_words(all, left);
    Ok(Answer::Text(answer))
}
