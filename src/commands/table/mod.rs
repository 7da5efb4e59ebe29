//! `setrograde table`: the 20 results of a deal.

mod results;
mod seen;
mod unfinished;

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use setrograde_cards::{Deal, Seat, Strain};
use setrograde_records::Board;
use setrograde_solver::{Options, SolveError, Solver, TrickTable};

use self::results::results;
use self::seen::Seen;
use self::unfinished::Unfinished;
use crate::Outcome;
use crate::arguments::solver::{SolverArguments, deal_and_table};
use crate::output::say;
use crate::questions::boards;
use crate::questions::pieces::Reading;
use crate::questions::replies::Output;
use crate::questions::{Answer, NoAnswer, Question};

const EXAMPLES: &str = "\
A deal is four hands in PBN, clockwise from the named seat, each as
spades.hearts.diamonds.clubs; all of the same length, 13 cards or fewer. The
answer is the deal, a tab and the declarers' tricks: strains NT S H D C, in each
the declarers N E S W.

Files may be in PBN, LIN, lists of DDS, GIB's .sol, or one deal a line. A board that
cannot be read is named on standard error, and the others are answered.

Formats:
  numbers  20 numbers, as above
  text     a table to read
  pbn      PBN: a PBN file is written back with the tags DoubleDummyTricks,
           OptimumScore, ParContract and OptimumResultTable added or replaced and
           every other byte kept
  digits   20 hexadecimal digits as in the tag DoubleDummyTricks: declarers
           N S E W, in each the strains NT S H D C

Examples:
  setrograde table N:AK.2.. QJ.A.. 32..A. ..K2.A
  setrograde table --format text N:AK.2.. QJ.A.. 32..A. ..K2.A
  setrograde table --threads 4 - < deals.txt > tables.txt
  setrograde table --format pbn --output solved.pbn deals.pbn
  setrograde table --format pbn --output solved.pbn --resume deals.pbn";

/// Find the tricks of all declarers in all strains.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TableArguments {
    /// Form of the results.
    #[arg(long, value_enum, default_value = "numbers", conflicts_with = "json")]
    format: Format,
    /// Write to this file, which appears whole or not at all; until then it is
    /// FILE.unfinished.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on with FILE.unfinished of an earlier run (with --format pbn and one
    /// PBN file).
    #[arg(long, requires = "output")]
    resume: bool,
    #[command(flatten)]
    solver: SolverArguments,
    /// A deal in PBN, or files with one deal a line or with boards; `-` is
    /// standard input.
    #[arg(required = true, value_name = "DEAL")]
    deal: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Numbers,
    Text,
    Pbn,
    Digits,
}

/// The order of declarers in the tag DoubleDummyTricks.
const PARTNERS_TOGETHER: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

pub fn run(arguments: &TableArguments) -> anyhow::Result<Outcome> {
    if arguments.resume && arguments.format != Format::Pbn {
        bail!("--resume needs --format pbn");
    }
    let solver = &arguments.solver;
    solver.with_options(|options| answer_all(arguments, options))
}

fn answer_all(arguments: &TableArguments, options: &Options) -> anyhow::Result<Outcome> {
    let questions = arguments.solver.questions(&arguments.deal, line);
    let reading = Reading {
        boards: true,
        games: arguments.format == Format::Pbn,
        skipped: 0,
        piece: 1,
    };
    let start = || Solver::new(options.clone());
    let seen = Seen::default();
    let threads = questions.threads_for_each();
    let answer = |solver: &mut Solver, question: &Question<'_>| {
        arguments.answer(solver, threads, &seen, question)
    };
    let Some(path) = &arguments.output else {
        let mut output = Output::standard();
        return questions.run_to(&mut output, reading, start, answer);
    };
    let (unfinished, kept) = match arguments.resume {
        true => Unfinished::resume(path, &arguments.deal, line)?,
        false => (Unfinished::create(path)?, Default::default()),
    };
    let mut output = Output::new(unfinished.name(), unfinished);
    output.add_unanswered(kept.unanswered);
    let reading = Reading {
        skipped: kept.games,
        ..reading
    };
    let outcome = questions.run_to(&mut output, reading, start, answer)?;
    let unfinished = output.into_inner()?;
    match outcome {
        Outcome::Interrupted => {
            let name = unfinished.name();
            let next = match arguments.format {
                Format::Pbn => "--resume goes on with it",
                _ => "remove it to begin anew",
            };
            say(format_args!(
                "setrograde: {name} keeps what is done; {next}"
            ));
        }
        _ => unfinished.finish()?,
    }
    Ok(outcome)
}

/// The deal of a board, if it has a table.
fn line(board: &Board) -> Result<String, String> {
    let deal = boards::deal(board)?;
    match deal.cards_per_hand() {
        None => Err(SolveError::UnequalHands(deal.hands().map(|hand| hand.len())).to_string()),
        Some(0) => Err(SolveError::NoCards.to_string()),
        Some(_) => Ok(deal.to_string()),
    }
}

impl TableArguments {
    fn answer(
        &self,
        solver: &mut Solver,
        threads: usize,
        seen: &Seen,
        question: &Question<'_>,
    ) -> Result<Answer, NoAnswer> {
        let text = question.text;
        let (deal, table) = match question.board {
            Some(_) => seen.deal_and_table(solver, text)?,
            None => deal_and_table(solver, threads, text)?,
        };
        Ok(match (self.format, question.board) {
            _ if self.solver.json => {
                Answer::Json(json!({ "deal": text, "tricks": to_json(&table) }))
            }
            (Format::Numbers, _) => Answer::Text(format!("{text}\t{table}")),
            (Format::Text, _) => Answer::Text(format!("{text}\n{}", readable(&table))),
            (Format::Digits, _) => Answer::Text(format!("{text}\t{}", digits(&table))),
            (Format::Pbn, None) => Answer::Text(pbn(&deal, &table)),
            (Format::Pbn, Some(board)) => Answer::Bytes(match question.game {
                Some(game) => game.with_double_dummy(&results(&table, board)),
                None => results::game(&deal, &table, board),
            }),
        })
    }
}

/// By strain, then by declarer.
fn to_json(table: &TrickTable) -> Value {
    let mut strains = Map::new();
    for strain in Strain::ALL {
        let seats =
            Seat::ALL.map(|seat| (seat.to_string(), Value::from(table.tricks(strain, seat))));
        strains.insert(
            strain.to_string(),
            Value::Object(seats.into_iter().collect()),
        );
    }
    Value::Object(strains)
}

fn readable(table: &TrickTable) -> String {
    let mut text = String::from("      NT   S   H   D   C\n");
    for seat in Seat::ALL {
        let _ = write!(text, "  {:2}", seat.letter());
        for strain in Strain::ALL {
            let _ = write!(text, "{:4}", table.tricks(strain, seat));
        }
        text.push('\n');
    }
    text
}

fn pbn(deal: &Deal, table: &TrickTable) -> String {
    let mut text = format!("[Deal \"{deal}\"]\n");
    text.push_str("[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n");
    for seat in Seat::ALL {
        for strain in Strain::ALL {
            let tricks = table.tricks(strain, seat);
            let _ = writeln!(text, "{seat} {:>2} {tricks:>2}", strain.to_string());
        }
    }
    text
}

fn digits(table: &TrickTable) -> String {
    let declarer = |seat| Strain::ALL.map(|strain| format!("{:x}", table.tricks(strain, seat)));
    PARTNERS_TOGETHER.into_iter().flat_map(declarer).collect()
}
