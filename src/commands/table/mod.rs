//! `setrograde table`: the 20 results of a deal.

mod seen;

use clap::{Args, ValueEnum};
use setrograde_cards::{Seat, Strain};
use setrograde_records::Board;
use setrograde_records::pbn::write;
use setrograde_review::{results, table_deal, table_in_words};
use setrograde_solver::{Options, Solver, TrickTable};

use self::seen::Seen;
use crate::Outcome;
use crate::arguments::solver::{SolverArguments, deal_and_table};
use crate::json;
use crate::questions::{Answer, NoAnswer, Question, Questions};

/// Find the tricks of all declarers in all strains.
#[derive(Args)]
#[command(after_help = include_str!("../../help/table.txt"))]
pub struct TableArguments {
    /// Form of the results. [default: numbers for files of deals, text for all else]
    #[arg(long, value_enum, conflicts_with = "json")]
    format: Option<Format>,
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
    let solver = &arguments.solver;
    solver.with_options(|options| answer_all(arguments, options))
}

fn answer_all(arguments: &TableArguments, options: &Options) -> anyhow::Result<Outcome> {
    let questions = Questions {
        games: arguments.format == Some(Format::Pbn),
        ..arguments.solver.questions(&arguments.deal, line)
    };
    let seen = Seen::default();
    let threads = questions.threads_for_each();
    let is_one = questions.is_one();
    let start = || Solver::new(options.clone());
    questions.run(start, |solver, question| {
        let usual = match is_one || question.board.is_some() {
            true => Format::Text,
            false => Format::Numbers,
        };
        let format = arguments.format.unwrap_or(usual);
        arguments.answer(solver, threads, &seen, question, format)
    })
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
