//! `setrograde claim line` and `setrograde claim adjudicate`: what a stated line
//! takes.

use clap::Args;
use setrograde_cards::{Card, Position, Seat};
use setrograde_claim::{Claims, Knowledge, Line, Options};
use std::io::{self, Write};

use crate::Outcome;
use crate::arguments::condition::{ConditionArgument, described};
use crate::json::{self, Adjudication, LineAnswer, WorstPlay};
use crate::questions::refused;

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
    /// Print a JSON object.
    #[arg(long)]
    json: bool,
    /// STRAIN LEADER DEAL with all four hands.
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
}

fn cards_text(cards: &[Card]) -> String {
    let cards: Vec<String> = cards.iter().map(Card::to_string).collect();
    cards.join(" ")
}

pub fn line(arguments: &LineArguments) -> anyhow::Result<Outcome> {
    if let Err(error) = arguments.condition.read() {
        return refused(error);
    }
    let asked = arguments
        .condition
        .knowledge(arguments.by, &arguments.question);
    let knowledge = match asked {
        Ok(knowledge) => knowledge,
        Err(error) => return refused(described(&error, false)),
    };
    let line: Line = match arguments.line.parse() {
        Ok(line) => line,
        Err(error) => return refused(format_args!("the line: {error}")),
    };
    let worst = match Claims::new(Options::default()).line(&knowledge, &line) {
        Ok(worst) => worst,
        Err(error) => return refused(error),
    };
    if arguments.json {
        json::print(LineAnswer {
            question: &arguments.question,
            line: line.to_string(),
            worst: WorstPlay {
                tricks: worst.tricks,
                play: json::texts(&worst.play),
            },
        })?;
    } else {
        writeln!(
            io::stdout(),
            "{}\t{}",
            worst.tricks,
            cards_text(&worst.play)
        )?;
    }
    Ok(Outcome::Done)
}

pub fn adjudicate(arguments: &AdjudicateArguments) -> anyhow::Result<Outcome> {
    let text = arguments.position.join(" ");
    let position: Position = match text.parse() {
        Ok(position) => position,
        Err(error) => return refused(error),
    };
    let line: Line = match arguments.line.parse() {
        Ok(line) => line,
        Err(error) => return refused(format_args!("--line: {error}")),
    };
    let conditions = match arguments.condition.read() {
        Ok(conditions) => conditions,
        Err(error) => return refused(error),
    };
    let dummy = arguments.dummy.unwrap_or(arguments.by.partner());
    let knowledge = Knowledge::from_position(&position, arguments.by, dummy);
    let knowledge = knowledge.and_then(|knowledge| {
        let mut conditions = conditions.iter();
        conditions.try_fold(knowledge, |knowledge, condition| knowledge.given(condition))
    });
    let knowledge = match knowledge {
        Ok(knowledge) => knowledge,
        Err(error) => return refused(error),
    };
    let left = knowledge.tricks_left() as u8;
    let claimed = arguments.tricks.unwrap_or(left);
    if claimed > left {
        return refused(format_args!(
            "{claimed} tricks are claimed, but only {left} are left"
        ));
    }
    let layout = knowledge.hidden().map(|seat| position.deal().hand(seat));
    let mut claims = Claims::new(Options::default());
    let found = match claims.adjudicate(&knowledge, layout, claimed, &line) {
        Ok(found) => found,
        Err(error) => return refused(error),
    };
    if arguments.json {
        json::print(Adjudication {
            question: &text,
            line: line.to_string(),
            claimed: found.claimed,
            sure: found.sure,
            double_dummy: found.double_dummy,
            worst: WorstPlay {
                tricks: found.worst.tricks,
                play: json::texts(&found.worst.play),
            },
            awarded: found.awarded,
        })?;
    } else {
        writeln!(io::stdout(), "claimed       {}", found.claimed)?;
        writeln!(io::stdout(), "sure          {}", found.sure)?;
        writeln!(io::stdout(), "double dummy  {}", found.double_dummy)?;
        writeln!(
            io::stdout(),
            "worst normal  {}  {}",
            found.worst.tricks,
            cards_text(&found.worst.play)
        )?;
        writeln!(io::stdout(), "awarded       {}", found.awarded)?;
    }
    Ok(Outcome::Done)
}
