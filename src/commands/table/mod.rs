//! `setrograde table`: the 20 results of a deal.

mod resume;
mod seen;

use anyhow::bail;
use clap::{Args, ValueEnum};
use setrograde_cards::{Seat, Strain};
use setrograde_records::Board;
use setrograde_records::pbn::write;
use setrograde_review::{results, table_deal, table_in_words};
use setrograde_solver::{Options, Solver, TrickTable};

use self::resume::resume;
use self::seen::Seen;
use crate::Outcome;
use crate::arguments::solver::{SolverArguments, deal_and_table};
use crate::json;
use crate::output::unfinished::Unfinished;
use crate::questions::pieces::Reading;
use crate::questions::replies::Output;
use crate::questions::{Answer, NoAnswer, Question};

/// Find the tricks of all declarers in all strains.
#[derive(Args)]
#[command(after_help = include_str!("../../help/table.txt"))]
pub struct TableArguments {
    /// Form of the results. [default: numbers for files of deals, text for all else]
    #[arg(long, value_enum, conflicts_with = "json")]
    format: Option<Format>,
    /// Continue FILE.unfinished of an earlier run (with --format pbn and one
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
    if arguments.resume && arguments.format != Some(Format::Pbn) {
        bail!("--resume needs --format pbn");
    }
    let solver = &arguments.solver;
    solver.with_options(|options| answer_all(arguments, options))
}

fn answer_all(arguments: &TableArguments, options: &Options) -> anyhow::Result<Outcome> {
    let questions = arguments.solver.questions(&arguments.deal, line);
    let reading = Reading {
        boards: true,
        games: arguments.format == Some(Format::Pbn),
        skipped: 0,
        piece: 1,
    };
    let start = || Solver::new(options.clone());
    let seen = Seen::default();
    let threads = questions.threads_for_each();
    let is_one = questions.is_one();
    let answer = |solver: &mut Solver, question: &Question<'_>| {
        let usual = match is_one || question.board.is_some() {
            true => Format::Text,
            false => Format::Numbers,
        };
        let format = arguments.format.unwrap_or(usual);
        arguments.answer(solver, threads, &seen, question, format)
    };
    let Some(path) = questions.output else {
        let mut output = Output::standard();
        return questions.run_to(&mut output, reading, start, answer);
    };
    let (unfinished, kept) = match arguments.resume {
        true => resume(path, &arguments.deal, line)?,
        false => (Unfinished::create(path)?, Default::default()),
    };
    let mut output = Output::new(unfinished.name(), unfinished);
    output.add_unanswered(kept.unanswered);
    let reading = Reading {
        skipped: kept.games,
        ..reading
    };
    let outcome = questions.run_to(&mut output, reading, start, answer)?;
    let next = match arguments.format {
        Some(Format::Pbn) => "--resume continues it",
        _ => "remove it to begin anew",
    };
    output.finish(outcome, next)?;
    Ok(outcome)
}

fn line(board: &Board) -> Result<String, String> {
    table_deal(board).map(|deal| deal.to_string())
}

impl TableArguments {
    fn answer(
        &self,
        solver: &mut Solver,
        threads: usize,
        seen: &Seen,
        question: &Question<'_>,
        format: Format,
    ) -> Result<Answer, NoAnswer> {
        let text = question.text;
        let (deal, table) = match question.board {
            Some(_) => seen.deal_and_table(solver, text)?,
            None => deal_and_table(solver, threads, text)?,
        };
        Ok(match (format, question.board) {
            _ if self.solver.answers.json => Answer::json(json::Table::new(text, &table)),
            (Format::Numbers, _) => Answer::Text(format!("{text}\t{table}")),
            (Format::Text, _) => Answer::Text(question.told_below(&table_in_words(&table))),
            (Format::Digits, _) => Answer::Text(format!("{text}\t{}", digits(&table))),
            (Format::Pbn, None) => {
                let board = Board {
                    hands: deal.hands().map(Some),
                    ..Board::default()
                };
                Answer::Bytes(pbn(&table, board))
            }
            (Format::Pbn, Some(board)) => Answer::Bytes(match question.game {
                Some(game) => game.with_double_dummy(&results(&table, board)),
                None => pbn(&table, board.clone()),
            }),
        })
    }
}

/// A PBN game with a board and its results.
fn pbn(table: &TrickTable, mut board: Board) -> Vec<u8> {
    board.double_dummy = results(table, &board);
    write(&board).into_bytes()
}

fn digits(table: &TrickTable) -> String {
    let declarer = |seat| Strain::ALL.map(|strain| format!("{:x}", table.tricks(strain, seat)));
    PARTNERS_TOGETHER.into_iter().flat_map(declarer).collect()
}
