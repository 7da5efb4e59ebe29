//! `setrograde table`: the 20 results of a deal.

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde::Serialize;
use setrograde::cards::{Deal, Seat, Strain};
use setrograde::solver::{SolveError, TrickTable};
use setrograde::{
    Desk, QuestionKind, Refusal, Report, ResultCondition, Setting, Table, Words, ask, results,
};
use setrograde_parallel::lock;
use setrograde_records::{Board, dlm, lin, pbn, write_bri, write_dup};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Mutex;

use super::certificates::{CertificateArgument, proved};
use crate::Outcome;
use crate::arguments::condition::ResultArgument;
use crate::arguments::solver::SolverArguments;
use crate::questions::raw_bytes::RawBytes;
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
    #[command(flatten)]
    certificate: CertificateArgument,
    #[command(flatten)]
    solver: SolverArguments,
    /// A deal in PBN, or files with one deal per line or with boards; `-` is
    /// standard input.
    #[arg(required = true, value_name = "DEAL")]
    deal: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Numbers,
    Text,
    Pbn,
    /// The board in LIN, which has no field for results.
    Lin,
    /// For a dealing machine: Duplimate's DLM, boards 1 to 99.
    Dlm,
    /// For a dealing machine: Duplimate's DUP.
    Dup,
    /// For a dealing machine: BRI, which has no numbers of boards.
    Bri,
    Digits,
}

impl TableFormat {
    /// Returns true if it cannot hold results.
    fn is_without_results(self) -> bool {
        use TableFormat::{Bri, Dlm, Dup, Lin};
        matches!(self, Lin | Dlm | Dup | Bri)
    }
}

/// The order of declarers in the tag DoubleDummyTricks.
const PARTNERS_TOGETHER: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

pub fn run(arguments: &TableArguments) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let conditions = arguments.results.read()?;
    if let Some(format) = arguments
        .format
        .filter(|format| format.is_without_results())
    {
        if arguments.certificate.is_given() {
            bail!("--certificate proves results, and this format has none");
        }
        return write_deals(arguments, format, &conditions);
    }
    let questions = Questions {
        games: arguments.format == Some(TableFormat::Pbn),
        filtered: !conditions.is_empty(),
        ..solver.questions(&arguments.deal)
    };
    let is_one = questions.is_one();
    let formatted = |question: &Question<'_, Deal>, table: Table| {
        let usual = if is_one || question.board.is_some() {
            TableFormat::Text
        } else {
            TableFormat::Numbers
        };
        let format = arguments.format.unwrap_or(usual);
        Formatted {
            deal: *question.ask,
            text: text(format, &table.tricks, question),
            table,
        }
    };
    let desk = solver.desk()?;
    if arguments.certificate.is_given() {
        return arguments.certificate.run(
            questions,
            desk,
            |desk, question, threads| {
                if !fits(desk, &conditions, question)? {
                    return Ok(None);
                }
                proved(desk, question.ask, threads).map(Some)
            },
            |_, question, tricks| Ok(formatted(question, Table { tricks })),
        );
    }
    let desk = desk.with_threads(questions.threads_for_each());
    let answer = |desk: &mut Desk, question: &Question<'_, Deal>| {
        if !fits(desk, &conditions, question)? {
            return Ok(None);
        }
        let table = desk.answer(&ask::Table {}, question.ask, question.board)?;
        Ok(Some(formatted(question, table)))
    };
    questions.run(&desk, answer)
}

/// Writes the deals in a format that has no results, which are then not computed.
fn write_deals(
    arguments: &TableArguments,
    format: TableFormat,
    conditions: &[ResultCondition],
) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let questions = Questions {
        filtered: !conditions.is_empty(),
        ..solver.questions(&arguments.deal)
    };
    let desk = solver.desk()?.with_threads(questions.threads_for_each());
    if format == TableFormat::Lin {
        let answer = |desk: &mut Desk, question: &Question<'_, Deal>| {
            let wanted = fits(desk, conditions, question)?;
            if question.ask.cards_per_hand().is_none() {
                let lengths = question.ask.hands().map(|hand| hand.len());
                return Err(SolveError::UnequalHands(lengths).into());
            }
            let board = wanted.then(|| RawBytes(lin::write(&board_of(question)).into_bytes()));
            Ok(board)
        };
        return questions.run(&desk, answer);
    }
    // A file as a whole has the first and the last number; the boards stay in their order.
    let questions = Questions {
        threads: Some(1),
        ..questions
    };
    let boards = Mutex::new(BTreeMap::new());
    let answer = |desk: &mut Desk, question: &Question<'_, Deal>| {
        if fits(desk, conditions, question)? {
            let number = question.board.and_then(|board| board.number);
            add_deal(&mut lock(&boards), format, number, question.ask)
                .map_err(Refusal::question)?;
        }
        Ok(None::<RawBytes>)
    };
    let after = || {
        let boards = lock(&boards);
        let deals: Vec<Deal> = boards.values().copied().collect();
        let first = boards.first_key_value().map_or(1, |(&number, _)| number);
        let bytes = match format {
            TableFormat::Dlm => dlm::write(&boards).into_bytes(),
            TableFormat::Dup => write_dup(first, &deals),
            _ => write_bri(&deals),
        };
        (!deals.is_empty()).then_some(RawBytes(bytes))
    };
    questions.run_then(&desk, answer, after)
}

/// Adds a deal to those of a file for a dealing machine.
fn add_deal(
    boards: &mut BTreeMap<u32, Deal>,
    format: TableFormat,
    number: Option<u32>,
    deal: &Deal,
) -> Result<(), String> {
    if deal.cards_per_hand() != Some(13) {
        return Err("a dealing machine needs 13 cards in each hand".to_owned());
    }
    let last = boards.last_key_value().map_or(0, |(&last, _)| last);
    let number = number.unwrap_or(last + 1);
    match boards.get(&number) {
        // The same board of another table.
        Some(there) if there == deal => return Ok(()),
        Some(_) => return Err(format!("another board {number} with other cards is there")),
        None => {}
    }
    if format == TableFormat::Dlm && !(1..=99).contains(&number) {
        return Err(format!(
            "DLM has the boards 1 to 99, and this is board {number}"
        ));
    }
    if format == TableFormat::Dup && last > 0 && number != last + 1 {
        return Err(format!(
            "DUP numbers its boards without gaps, and board {number} follows board {last}; \
             choose with --board, or write DLM"
        ));
    }
    boards.insert(number, *deal);
    Ok(())
}

/// The board of a question, which has its deal alone unless it is of a record.
fn board_of(question: &Question<'_, Deal>) -> Board {
    question.board.cloned().unwrap_or_else(|| Board {
        hands: question.ask.hands().map(Some),
        ..Board::default()
    })
}

/// Returns whether a deal meets the conditions on results.
fn fits(
    desk: &mut Desk,
    conditions: &[ResultCondition],
    question: &Question<'_, Deal>,
) -> Result<bool, Refusal> {
    let setting = question.board.map(Setting::of_board).unwrap_or_default();
    for condition in conditions {
        if !desk.fits(question.ask, condition, &setting)? {
            return Ok(false);
        }
    }
    Ok(true)
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

/// A table in a form other than text.
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
        // `run` writes the formats without results.
        TableFormat::Text
        | TableFormat::Lin
        | TableFormat::Dlm
        | TableFormat::Dup
        | TableFormat::Bri => None,
        TableFormat::Numbers => Some(OtherForm::Line(table.to_string())),
        TableFormat::Digits => Some(OtherForm::Line(digits(table))),
        TableFormat::Pbn => {
            let mut board = board_of(question);
            board.double_dummy = results(table, &board);
            Some(OtherForm::Record(match question.game {
                Some(game) => game.with_double_dummy(&board.double_dummy),
                None => pbn::write(&board).into_bytes(),
            }))
        }
    }
}

fn digits(table: &TrickTable) -> String {
    let declarer = |seat| Strain::ALL.map(|strain| format!("{:x}", table.tricks(strain, seat)));
    PARTNERS_TOGETHER.into_iter().flat_map(declarer).collect()
}
