//! `setrograde query`: asks a database.

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;
use setrograde::{PositionTricks, Report, Start, Words};
use setrograde_cards::{Position, Seat, Suit};
use setrograde_lookup::{Database, Ending, EndingSet};

use crate::Outcome;
use crate::arguments::boards::BoardArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::output::explanation::Explanation;
use crate::questions::{NoAnswer, Questions};
use crate::session::Session;

/// Look up endings: tricks for the leader's side with best play.
#[derive(Args)]
#[command(after_help = include_str!("../help/query.txt"))]
pub struct QueryArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Show the deal, and the set of endings that proves the value.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Print the size of that set: the number of deals with the same proof. For
    /// positions at the start of a trick.
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    board: BoardArgument,
    #[command(flatten)]
    answers: AnswerArguments,
    /// STRAIN LEADER DEAL, or files with one question a line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &QueryArguments, session: &Session) -> anyhow::Result<Outcome> {
    let database = arguments.db.required(session)?;
    let answers = &arguments.answers;
    let questions = Questions {
        wanted: arguments.board.numbers(),
        session,
        ..answers.questions(&arguments.question, 256, true)
    };
    questions.run(
        || (),
        |(), question| {
            let position = position(question.ask)?;
            let found = Explanation::new(&database, position)?;
            let deals = match arguments.count {
                true => Some(deals(&database, &found)?),
                false => None,
            };
            let proof = found.proof.as_ref();
            Ok(Found {
                tricks: PositionTricks::new(position, found.value, deals),
                set: proof.map(|(ending, set)| Owners::new(ending, set)),
                explanation: arguments.explain.then(|| found.to_string()),
            })
        },
    )
}

/// The position of a question that cannot be about a deal alone.
pub fn position(start: &Start) -> Result<&Position, NoAnswer> {
    match start {
        Start::Position(position) => Ok(position),
        Start::Deal(_) => Err(NoAnswer::refused(
            "it has no contract: no strain, no leader",
        )),
    }
}

/// The number of tricks of an ending, and the set that proves it.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    tricks: PositionTricks,
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<Owners>,
    #[serde(skip)]
    explanation: Option<String>,
}

impl Report for Found {
    fn words(&self, to: &mut Words) {
        let tricks = &self.tricks;
        to.beside(tricks.tricks);
        if let Some(deals) = tricks.deals {
            to.beside(format_args!(" deals={}", deals.0));
        }
        if let Some(explanation) = &self.explanation {
            to.line(format_args!("\n{explanation}"));
        }
    }
}

/// By suit, the seats that may own each of the top cards that a set knows.
#[derive(Serialize)]
pub struct Owners(BTreeMap<Suit, Vec<String>>);

impl Owners {
    pub fn new(ending: &Ending, set: &EndingSet) -> Owners {
        let suits = Suit::ALL.into_iter();
        let held = suits.filter(|&suit| ending.lengths(suit).total() > 0);
        let owners = held.map(|suit| {
            let known = (0..set.known(suit.index())).map(|place| {
                let mask = set.mask(suit.index(), place);
                let seats = Seat::ALL.into_iter();
                let owners = seats.filter(|seat| mask >> seat.index() & 1 == 1);
                owners.map(Seat::letter).collect()
            });
            (suit, known.collect())
        });
        Owners(owners.collect())
    }
}

/// The number of deals in the set that proves the value.
fn deals(database: &Database, found: &Explanation) -> Result<u128, NoAnswer> {
    let Some((ending, set)) = &found.proof else {
        let problem = "--count is for positions at the start of a trick";
        return Err(NoAnswer::refused(problem));
    };
    let located = database.locate(ending)?;
    let located = located.ok_or_else(|| database.not_held(ending))?;
    Ok(located.distribution(set)?.iter().sum())
}
