//! `setrograde compare`: contracts by their scores, over layouts of the hidden hands.

use std::str::FromStr;

use clap::Args;
use setrograde_cards::{Bid, Contract, Doubling, Seat, Vulnerability};
use setrograde_games::{Strengths, View};
use setrograde_review::TwoHands;
use setrograde_single_dummy::{Compared, Comparison};

use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::draw::{DrawArguments, solver};
use crate::arguments::shared::AnswerArguments;
use crate::{Outcome, questions};

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
struct Written {
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
    let solver = solver(database.as_ref());
    let questions = arguments.answers.questions(&arguments.hands, 1, false);
    let sampling = arguments.draw.sampling(questions.threads_for_each(), false);
    questions.run(
        || (),
        |(), question: &questions::Question<'_, TwoHands>| {
            let view = View::of_bridge(&arguments.condition.ask(&question.ask.0)?)?;
            let beliefs = view.beliefs(&Strengths::NONE)?;
            let contract = |of: &Written| {
                let declarer = of.declarer.unwrap_or(view.observer());
                Contract::new(of.bid, of.doubling, declarer)
            };
            let contracts: Vec<Contract> = arguments.contracts.0.iter().map(contract).collect();
            let compared = Compared {
                contracts: &contracts,
                vulnerability: arguments.vulnerable,
                side: contracts[0].side(),
            };
            Ok(Comparison::drawn(
                &view, &beliefs, compared, sampling, &solver,
            )?)
        },
    )
}
