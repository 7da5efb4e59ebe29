//! `setrograde claim line` and `setrograde claim adjudicate`: what a stated line
//! takes.

use clap::Args;
use setrograde::ToldLine;
use setrograde_cards::{Position, Seat};
use setrograde_claim::{ClaimError, Claims, Knowledge, Line, Options};

use super::too_many;
use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::interrupt;
use crate::output::say;
use crate::questions::{print_only, refused};
use crate::session::Session;

/// Say what a stated line takes at worst.
#[derive(Args)]
#[command(after_help = include_str!("../../help/claim_line.txt"))]
pub struct LineArguments {
    /// The seat that claims; needed if the visible hands are opponents.
    #[arg(long, value_name = "SEAT")]
    by: Option<Seat>,
    #[command(flatten)]
    condition: ConditionArgument,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
    /// The question, as for `claim`, in quotes.
    question: String,
    /// The line, in quotes.
    #[arg(default_value = "rest")]
    line: String,
}

/// Adjudicate a contested claim: all four hands are known.
#[derive(Args)]
#[command(after_help = include_str!("../../help/claim_adjudicate.txt"))]
pub struct AdjudicateArguments {
    /// The seat that claims.
    #[arg(long, value_name = "SEAT")]
    by: Seat,
    /// The seat whose hand is on the table; the claimer's partner unless set.
    #[arg(long, value_name = "SEAT")]
    dummy: Option<Seat>,
    /// The tricks claimed; all that are left unless set.
    #[arg(long, value_name = "K")]
    tricks: Option<u8>,
    /// The line stated.
    #[arg(long, value_name = "LINE", default_value = "rest")]
    line: String,
    #[command(flatten)]
    condition: ConditionArgument,
    /// Give up after N search nodes for one part of the ruling: exit status 4.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    limit: u64,
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
    /// STRAIN LEADER DEAL with all four hands.
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
}

pub fn line(arguments: &LineArguments) -> anyhow::Result<Outcome> {
    arguments.condition.read()?;
    let question = &arguments.question;
    let knowledge = arguments.condition.read_knowledge(arguments.by, question)?;
    let line = read_line("the line", &arguments.line)?;
    let worst = Claims::new(Options::default()).line(&knowledge, &line);
    let told = ToldLine {
        line,
        found: worst.map_err(refused)?,
        knowledge,
    };
    print_only(Session::terminal(), &told, Some(question), arguments.json)?;
    Ok(Outcome::Done)
}

fn read_line(name: &str, text: &str) -> anyhow::Result<Line> {
    text.parse()
        .map_err(|error| refused(format_args!("{name}: {error}")))
}

pub fn adjudicate(arguments: &AdjudicateArguments) -> anyhow::Result<Outcome> {
    let text = arguments.position.join(" ");
    let position: Position = text.parse().map_err(refused)?;
    let line = read_line("--line", &arguments.line)?;
    let conditions = arguments.condition.read()?;
    let dummy = arguments.dummy.unwrap_or(arguments.by.partner());
    let mut knowledge =
        Knowledge::from_position(&position, arguments.by, dummy).map_err(refused)?;
    for condition in &conditions {
        knowledge = knowledge.given(condition).map_err(refused)?;
    }
    let left = knowledge.tricks_left() as u8;
    let claimed = arguments.tricks.unwrap_or(left);
    if claimed > left {
        return Err(refused(too_many(claimed, left)));
    }
    let layout = knowledge.hidden().map(|seat| position.deal().hand(seat));
    let mut claims = Claims::new(Options {
        limit: Some(arguments.limit),
        stop: interrupt::stop(),
        ..Options::default()
    });
    let found = match claims.adjudicate(&knowledge, layout, claimed, &line) {
        Err(error @ ClaimError::LimitReached { .. }) => {
            say(format_args!("setrograde: {error}; --limit sets another"));
            return Ok(Outcome::Unknown);
        }
        found => found.map_err(refused)?,
    };
    let told = ToldLine {
        line,
        found,
        knowledge,
    };
    print_only(Session::terminal(), &told, Some(&text), arguments.json)?;
    Ok(Outcome::Done)
}
