//! `setrograde claim line` and `setrograde claim adjudicate`: the tricks of a stated line.

use std::ffi::OsString;

use clap::Args;
use setrograde::ask::{Adjudicate, Conditions, Line, Tricks};
use setrograde::cards::Seat;

use crate::Outcome;
use crate::arguments::boards::BoardArgument;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::desk;
use crate::arguments::numbers::whole;
use crate::questions::sources::{InputSource, is_path};
use crate::questions::{Questions, answer_only};

/// Say what a stated line takes at worst.
#[derive(Args)]
#[command(after_help = include_str!("../../help/claim_line.txt"))]
pub struct ClaimLineArguments {
    /// The seat that claims; needed if the visible hands are opponents.
    #[arg(long, value_name = "SEAT")]
    by: Option<Seat>,
    #[command(flatten)]
    condition: ConditionArgument,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
    /// The question, in quotes, in the form that `claim` reads.
    question: String,
    /// The line, in quotes.
    #[arg(default_value = "rest")]
    line: String,
}

/// Adjudicate a contested claim: all four hands are known.
#[derive(Args)]
#[command(after_help = include_str!("../../help/claim_adjudicate.txt"))]
pub struct AdjudicateArguments {
    /// The seat that claims; of a board its declarer unless set.
    #[arg(long, value_name = "SEAT")]
    by: Option<Seat>,
    /// The seat whose hand is on the table; the claimer's partner unless set.
    #[arg(long, value_name = "SEAT")]
    dummy: Option<Seat>,
    /// The tricks claimed, or all that remain, which is the default for a position.
    #[arg(long, value_name = "K|all")]
    tricks: Option<Tricks>,
    #[command(flatten)]
    condition: ConditionArgument,
    /// Give up after N search nodes for one part of the ruling: exit status 4.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = whole::<u64>(..))]
    limit: u64,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    board: BoardArgument,
    /// STRAIN LEADER DEAL with all four hands, in quotes; or a file of boards, whose plays end with
    /// the claim; `-` is standard input.
    position: OsString,
    /// The line stated, in quotes.
    #[arg(default_value = "rest")]
    line: String,
}

pub fn line(arguments: &ClaimLineArguments) -> anyhow::Result<Outcome> {
    let ask = Line {
        by: arguments.by,
        conditions: arguments.condition.texts(),
        line: arguments.line.clone(),
    };
    let (text, json) = (&arguments.question, arguments.json);
    answer_only(&ask, &mut desk(), Some(text), json)
}

pub fn adjudicate(arguments: &AdjudicateArguments) -> anyhow::Result<Outcome> {
    let ask = Adjudicate {
        by: arguments.by,
        dummy: arguments.dummy,
        tricks: arguments.tricks,
        line: arguments.line.clone(),
        conditions: arguments.condition.texts(),
        if_left: Conditions::default(),
        limit: arguments.limit,
    };
    let position = std::slice::from_ref(&arguments.position);
    if InputSource::all(position).is_some() || is_path(&arguments.position) {
        let questions = Questions {
            question: position,
            json: arguments.json,
            piece: 1,
            boards: true,
            wanted: arguments.board.numbers(),
            ..Questions::default()
        };
        return questions.ask(&ask, || Ok(desk()));
    }
    let text = arguments.position.to_string_lossy();
    answer_only(&ask, &mut desk(), Some(&text), arguments.json)
}
