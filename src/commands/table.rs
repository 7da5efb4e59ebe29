//! `setrograde table`: the 20 results of a deal.

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde::Serialize;
use setrograde::{
    Desk, QuestionKind, Refusal, Report, ResultCondition, Setting, Table, Words, ask, results,
};
use setrograde_cards::{Deal, Seat, Strain};
use setrograde_parallel::threads;
use setrograde_prove::{ProveError, certify};
use setrograde_records::pbn::write;
use setrograde_records::{Board, dlm, lin, write_bri, write_dup};
use setrograde_solver::TrickTable;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::data_set::{DataFormat, DataSet};
use crate::Outcome;
use crate::arguments::condition::ResultArgument;
use crate::arguments::numbers::whole;
use crate::arguments::solver::SolverArguments;
use crate::output::whole_file::WholeFile;
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
    /// Write a certificate of the deal, which proves the results to `setrograde-check`.
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    certificate: Option<PathBuf>,
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
    /// For a dealing machine: Duplimate's DLM, boards 1 to 99.
    Dlm,
    /// For a dealing machine: Duplimate's DUP.
    Dup,
    /// For a dealing machine: BRI, which has no numbers of boards.
    Bri,
    Digits,
    /// With --random: a NumPy array.
    Npy,
    /// With --random: values separated by commas.
    Csv,
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
    if let Some(format) = arguments
        .format
        .filter(|format| format.is_without_results())
    {
        if arguments.certificate.is_some() {
            bail!("--certificate proves results, and this format has none");
        }
        return write_deals(arguments, format, &conditions);
    }
    let mut questions = Questions {
        games: arguments.format == Some(TableFormat::Pbn),
        filtered: !conditions.is_empty(),
        ..solver.questions(&arguments.deal)
    };
    let is_one = questions.is_one();
    let desk = solver.desk()?.with_threads(questions.threads_for_each());
    let certificate = arguments.certificate.as_deref();
    let certificate = certificate.map(WholeFile::create).transpose()?;
    let proved = Mutex::new(Vec::new());
    let wants_proof = certificate.is_some();
    let proof_threads = threads(solver.answers.threads.count());
    if wants_proof {
        questions.threads = Some(1);
    }
    let answer = |desk: &mut Desk, question: &Question<'_, Deal>| {
        if !fits(desk, &conditions, question)? {
            return Ok(Filtered(None));
        }
        let usual = if is_one || question.board.is_some() {
            TableFormat::Text
        } else {
            TableFormat::Numbers
        };
        let table = if wants_proof {
            let mut proved = proved.lock().unwrap_or_else(PoisonError::into_inner);
            if !proved.is_empty() {
                return Err(Refusal::question(
                    "a certificate is of one deal; choose it with --board",
                ));
            }
            let made = certify(question.ask, proof_threads, &desk.solver_options());
            let (tricks, bytes) = made.map_err(refusal)?;
            *proved = bytes;
            Table { tricks }
        } else {
            desk.answer(&ask::Table {}, question.ask, question.board)?
        };
        let format = arguments.format.unwrap_or(usual);
        Ok(Filtered(Some(Formatted {
            deal: *question.ask,
            text: text(format, &table.tricks, question),
            table,
        })))
    };
    let outcome = questions.run(|| desk.another(), answer)?;
    if let Some(mut file) = certificate.filter(|_| outcome == Outcome::Done) {
        file.write_all(&proved.into_inner().unwrap_or_else(PoisonError::into_inner))?;
        file.finish()?;
    }
    Ok(outcome)
}

/// The refusal of a deal without a certificate.
fn refusal(error: ProveError) -> Refusal {
    match error {
        ProveError::Solve(error) => error.into(),
        error @ ProveError::Missing(_) => Refusal::question(error),
    }
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
            let board = wanted.then(|| lin::write(&board_of(question)).into_bytes());
            Ok(Written(board))
        };
        return questions.run(|| desk.another(), answer);
    }
    // A file as a whole has the first and the last number; the boards stay in their order.
    let questions = Questions {
        threads: Some(1),
        ..questions
    };
    let boards = Mutex::new(BTreeMap::new());
    let boards = || boards.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = |desk: &mut Desk, question: &Question<'_, Deal>| {
        if fits(desk, conditions, question)? {
            let number = question.board.and_then(|board| board.number);
            add_deal(&mut boards(), format, number, question.ask).map_err(Refusal::question)?;
        }
        Ok(Written(None))
    };
    let after = || {
        let boards = boards();
        let deals: Vec<Deal> = boards.values().copied().collect();
        let first = boards.first_key_value().map_or(1, |(&number, _)| number);
        let bytes = match format {
            TableFormat::Dlm => dlm::write(&boards).into_bytes(),
            TableFormat::Dup => write_dup(first, &deals),
            _ => write_bri(&deals),
        };
        (!deals.is_empty()).then_some(Written(Some(bytes)))
    };
    questions.run_then(|| desk.another(), answer, after)
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

/// Deals in a format without results, unless they are left out.
#[derive(Serialize)]
struct Written(Option<Vec<u8>>);

impl Report for Written {
    fn words(&self, to: &mut Words) {
        if let Some(bytes) = &self.0 {
            to.only(&bytes[..]);
        }
    }

    fn is_left_out(&self) -> bool {
        self.0.is_none()
    }
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
        if has_none && condition.names_all(false).is_err()
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
        // `run` refuses the formats of data sets, and writes those without results.
        TableFormat::Text
        | TableFormat::Npy
        | TableFormat::Csv
        | TableFormat::Lin
        | TableFormat::Dlm
        | TableFormat::Dup
        | TableFormat::Bri => None,
        TableFormat::Numbers => Some(OtherForm::Line(table.to_string())),
        TableFormat::Digits => Some(OtherForm::Line(digits(table))),
        TableFormat::Pbn => Some(OtherForm::Record(match (question.game, question.board) {
            (Some(game), Some(board)) => game.with_double_dummy(&results(table, board)),
            _ => pbn(table, board_of(question)),
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
