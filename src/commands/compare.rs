//! `setrograde compare`: contracts by their scores, over layouts of the hidden hands.

use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use setrograde_beliefs::Beliefs;
use setrograde_cards::{Bid, Contract, Doubling, Field, Hand, Seat, Vulnerability, fields};
use setrograde_games::{Strengths, View, Whist};
use setrograde_lookup::Database;
use setrograde_single_dummy::{Compared, Sampling, sampled_contracts};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::draw::{DrawArguments, solver};
use crate::arguments::shared::AnswerArguments;
use crate::json::{ContractsAnswer, ScoredContract, Whole};
use crate::output::chances::{drawn, head, side_name};
use crate::questions::{Answer, NoAnswer};

/// Compare contracts by their scores.
#[derive(Args)]
#[command(after_help = include_str!("../help/compare.txt"))]
pub struct CompareArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    #[command(flatten)]
    draw: DrawArguments,
    /// The vulnerable sides: none, NS, EW or both.
    #[arg(long, value_name = "SIDES", default_value = "none")]
    vulnerable: Vulnerability,
    #[command(flatten)]
    answers: AnswerArguments,
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
pub struct Written {
    bid: Bid,
    doubling: Doubling,
    declarer: Option<Seat>,
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
    arguments.condition.read()?;
    let database = arguments.db.open()?;
    let questions = arguments.answers.questions(&arguments.hands, 1, None);
    let threads = questions.threads_for_each();
    questions.run(
        || (),
        |(), question| {
            let view = View::of_bridge(&arguments.condition.ask(&question_text(question.text)?)?)?;
            let beliefs = view.beliefs(&Strengths::NONE)?;
            let sampling = arguments.draw.sampling(threads, false);
            let asked = (&arguments.contracts.0[..], arguments.vulnerable);
            let json = arguments.answers.json;
            answer(
                question.text,
                &view,
                &beliefs,
                asked,
                sampling,
                database.as_ref(),
                json,
            )
        },
    )
}

/// The question of two hands, which are North's and South's, or of a deal.
fn question_text(text: &str) -> Result<String, NoAnswer> {
    let words: Vec<Field<'_>> = fields(text).collect();
    match words[..] {
        [north, south] if !text.contains(':') => {
            for field in [north, south] {
                let hand = field.text.parse::<Hand>();
                let hand = hand.map_err(|error| error.shifted(field.column - 1))?;
                if hand.len() != 13 {
                    return Err(NoAnswer::At {
                        column: field.column,
                        problem: format!("the hand has {} cards, expected 13", hand.len()),
                    });
                }
            }
            Ok(format!("NT W N:{} ? {} ?", north.text, south.text))
        }
        [first, ..] if first.text.contains(':') => Ok(format!("NT W {text}")),
        _ => Ok(text.to_owned()),
    }
}

/// The answer for the hands of `view`, before the lead.
pub fn answer(
    text: &str,
    view: &View<Whist>,
    beliefs: &Beliefs,
    (written, vulnerability): (&[Written], Vulnerability),
    sampling: Sampling,
    database: Option<&Arc<Database>>,
    json: bool,
) -> Result<Answer, NoAnswer> {
    let contract = |of: &Written| {
        let declarer = of.declarer.unwrap_or(view.observer());
        Contract::new(of.bid, of.doubling, declarer)
    };
    let contracts: Vec<Contract> = written.iter().map(contract).collect();
    let side = contracts[0].side();
    let compared = Compared {
        contracts: &contracts,
        vulnerability,
        side,
    };
    let found = sampled_contracts(view, beliefs, compared, sampling, &solver(database))?;
    if json {
        return Ok(Answer::json(ContractsAnswer {
            question: text,
            side,
            layouts: Whole(beliefs.count()),
            seed: sampling.seed,
            contracts: found.iter().map(ScoredContract::new).collect(),
        }));
    }
    let layouts = found.first().map_or(0, |of| of.odds.layouts);
    let mut answer = format!("{text}\n{}", head(layouts, beliefs, sampling.seed));
    answer += &format!("  Scores, matchpoints and IMPs of {}\n", side_name(side));
    answer += "  contract    makes  in 95 of 100  score  in 95 of 100  matchpoints   IMPs\n";
    for of in &found {
        let makes = drawn(of.odds.at_least(of.contract.bid.tricks().into()), layouts);
        let (score, half) = (of.score, of.score_half_width);
        let interval = format!("{:.0} to {:.0}", score - half, score + half);
        let (points, imps) = (100.0 * of.matchpoints, of.imps);
        let contract = of.contract.to_string();
        answer += &format!(
            "  {contract:8}  {makes}  {score:5.0}  {interval:>12}  {points:9.1} %  {imps:5.2}\n"
        );
    }
    Ok(Answer::Text(answer))
}
