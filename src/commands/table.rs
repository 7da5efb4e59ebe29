//! `setrograde table`: the 20 results of a deal.

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde::Serialize;
use setrograde::{
    Desk, QuestionKind, Refusal, Report, ResultCondition, Setting, Table, Words, ask, results,
};
use setrograde_cards::{Deal, Seat, Strain};
use setrograde_parallel::threads;
use setrograde_records::pbn::write;
use setrograde_records::{Board, lin};
use setrograde_solver::TrickTable;
use std::ffi::OsString;

use super::data_set::{DataFormat, DataSet};
use crate::Outcome;
use crate::arguments::condition::ResultArgument;
use crate::arguments::numbers::whole;
use crate::arguments::solver::SolverArguments;
use crate::questions::{Question, Questions};

/// Find the tricks of all declarers in all strains.
#[derive(Args)]
#[command(after_help = include_str!("../help/table.txt"))]
pub struct TableArguments {
    /// Form of the results. [default: numbers for files of deals, otherwise text]
    #[arg(long, value_enum, conflicts_with = "json")]
    format: Option<TableFormat>,
    #[command(flatten)]
    results: ResultArgument,
    /// Make a data set of this many random deals with all results and par, as --format npy,
    /// csv or pbn in the file of --output; the same command continues it.
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["deal", "json", "board", "results"],
        requires_all = ["output", "format"],
        value_parser = whole::<u32>(1..)
    )]
    random: Option<u32>,
    /// Seed of the random deals, those of `setrograde deal`.
    #[arg(long, value_name = "SEED", requires = "random", default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    solver: SolverArguments,
    /// A deal in PBN, or files with one deal per line or with boards; `-` is
    /// standard input.
    #[arg(required_unless_present = "random", value_name = "DEAL")]
    deal: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Numbers,
    Text,
    Pbn,
    /// The board in LIN, which has no field for results.
    Lin,
    Digits,
    /// With --random: a NumPy array.
    Npy,
    /// With --random: values separated by commas.
    Csv,
}

/// The order of declarers in the tag DoubleDummyTricks.
const PARTNERS_TOGETHER: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

pub fn run(arguments: &TableArguments) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let data_format = match arguments.format {
        Some(TableFormat::Npy) => Some(DataFormat::Npy),
        Some(TableFormat::Csv) => Some(DataFormat::Csv),
        Some(TableFormat::Pbn) => Some(DataFormat::Pbn),
        _ => None,
    };
    match (arguments.random, data_format, &solver.answers.output) {
        (Some(count), Some(format), Some(path)) => {
            let set = DataSet {
                count,
                seed: arguments.seed,
                format,
                path,
            };
            return set.make(&solver.desk()?, threads(solver.answers.threads.count()));
        }
        (Some(_), ..) => bail!("--random: expected --format npy, csv or pbn"),
        (None, Some(DataFormat::Npy | DataFormat::Csv), _) => {
            bail!("--format npy and csv are for --random")
        }
        _ => {}
    }
    let conditions = arguments.results.read()?;
    let questions = Questions {
        games: arguments.format == Some(TableFormat::Pbn),
        filtered: !conditions.is_empty(),
        ..solver.questions(&arguments.deal)
    };
    let is_one = questions.is_one();
    let desk = solver.desk()?.with_threads(questions.threads_for_each());
    let answer = |desk: &mut Desk, question: &Question<'_, Deal>| {
        if !fits(desk, &conditions, question)? {
            return Ok(Filtered(None));
        }
        let usual = if is_one || question.board.is_some() {
            TableFormat::Text
        } else {
            TableFormat::Numbers
        };
        let table = desk.answer(&ask::Table {}, question.ask, question.board)?;
        let format = arguments.format.unwrap_or(usual);
        Ok(Filtered(Some(Formatted {
            deal: *question.ask,
            text: text(format, &table.tricks, question),
            table,
        })))
    };
    questions.run(|| desk.another(), answer)
}

/// Returns whether a deal meets the conditions on results.
fn fits(
    desk: &mut Desk,
    conditions: &[ResultCondition],
    question: &Question<'_, Deal>,
) -> Result<bool, Refusal> {
    let setting = question.board.map(Setting::of_board).unwrap_or_default();
    for condition in conditions {
        // Passed out, it has no contract to speak of.
        let has_none = question.board.is_some_and(|board| board.passed_out);
        if has_none && condition.names_all().is_err()
            || !desk.fits(question.ask, condition, &setting)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A table, unless the deal does not meet the conditions.
#[derive(Serialize)]
struct Filtered(Option<Formatted>);

impl Report for Filtered {
    fn words(&self, to: &mut Words) {
        if let Some(table) = &self.0 {
            table.words(to);
        }
    }

    fn is_left_out(&self) -> bool {
        self.0.is_none()
    }
}

/// A table in the form that was asked for.
#[derive(Serialize)]
struct Formatted {
    #[serde(flatten)]
    table: Table,
    #[serde(skip)]
    deal: Deal,
    /// Instead of the usual text.
    #[serde(skip)]
    text: Option<OtherForm>,
}

/// A table in another form than as a table.
enum OtherForm {
    Line(String),
    Record(Vec<u8>),
}

impl Report for Formatted {
    fn words(&self, to: &mut Words) {
        match &self.text {
            Some(OtherForm::Record(bytes)) => to.only(&bytes[..]),
            Some(OtherForm::Line(line)) if to.asked() == QuestionKind::Board => {
                to.only(format!("{}\t{line}\n", self.deal));
            }
            Some(OtherForm::Line(line)) => to.beside(line),
            None => self.table.words(to),
        }
    }
}

/// The table in a form other than as a table.
fn text(
    format: TableFormat,
    table: &TrickTable,
    question: &Question<'_, Deal>,
) -> Option<OtherForm> {
    match format {
        // `run` refuses the formats of data sets.
        TableFormat::Text | TableFormat::Npy | TableFormat::Csv => None,
        TableFormat::Numbers => Some(OtherForm::Line(table.to_string())),
        TableFormat::Digits => Some(OtherForm::Line(digits(table))),
        TableFormat::Lin => {
            let hands = question.ask.hands().map(Some);
            let bare = Board {
                hands,
                ..Board::default()
            };
            let board = question.board.unwrap_or(&bare);
            Some(OtherForm::Record(lin::write(board).into_bytes()))
        }
        TableFormat::Pbn => Some(OtherForm::Record(match (question.game, question.board) {
            (Some(game), Some(board)) => game.with_double_dummy(&results(table, board)),
            (_, Some(board)) => pbn(table, board.clone()),
            (_, None) => {
                let hands = question.ask.hands().map(Some);
                pbn(
                    table,
                    Board {
                        hands,
                        ..Board::default()
                    },
                )
            }
        })),
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
