//! Questions to double-dummy solvers, each of which runs in a process of its
//! own.
//!
//! Two versions of DDS have the same symbols and cannot be linked into one
//! program. So every solver is a program that reads questions from standard
//! input and measures its own time: [`serve`] is all of it but the solver. The
//! program that asks them in turn is `compare`.

pub mod dds;

use std::fmt;
use std::io::{BufRead, Write};
use std::str::FromStr;
use std::time::Instant;

use setrograde_cards::{Deal, Position, TextError};
use setrograde_solver::TrickTable;

/// The kind of question.
#[derive(Clone, Debug)]
pub enum Question {
    /// The 20 results of a deal.
    Table(Deal),
    /// The tricks for the leader's side at the start of a trick.
    Tricks(Box<Position>),
}

impl FromStr for Question {
    type Err = TextError;

    /// Reads a deal, or `STRAIN LEADER DEAL`.
    fn from_str(text: &str) -> Result<Question, TextError> {
        if text
            .split_once(' ')
            .is_some_and(|(first, _)| !first.contains(':'))
        {
            text.parse().map(Box::new).map(Question::Tricks)
        } else {
            text.parse().map(Question::Table)
        }
    }
}

/// The answer to a question.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// To [`Question::Table`].
    Table(TrickTable),
    /// To [`Question::Tricks`].
    Tricks(u8),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Table(table) => table.fmt(f),
            Answer::Tricks(tricks) => tricks.fmt(f),
        }
    }
}

/// A solver.
pub trait Solve {
    /// The name in the comparison.
    fn name(&self) -> String;

    /// Answers a question. The time that this takes is what is compared.
    fn answer(&mut self, question: &Question) -> anyhow::Result<Answer>;

    /// Answers several questions: one after another, unless the solver has a
    /// better way.
    fn answer_all(&mut self, questions: &[Question]) -> anyhow::Result<Vec<Answer>> {
        questions
            .iter()
            .map(|question| self.answer(question))
            .collect()
    }

    /// The nodes searched so far; 0 for a solver that does not count them.
    fn nodes(&self) -> u64 {
        0
    }
}

/// Says the solver's name, then answers questions until the input ends.
///
/// Questions come a line each, and an empty line after as many as shall be
/// answered together. The reply is one line: the nanoseconds that all answers
/// took, the nodes searched for them, and the answers, with tabs between them.
pub fn serve(mut solver: impl Solve) -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{}", solver.name())?;
    output.flush()?;
    let mut questions: Vec<Question> = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if !line.is_empty() {
            questions.push(line.parse()?);
            continue;
        }
        let nodes = solver.nodes();
        let start = Instant::now();
        let answers = solver.answer_all(&questions)?;
        let time = start.elapsed().as_nanos();
        write!(output, "{time}\t{}", solver.nodes() - nodes)?;
        for answer in &answers {
            write!(output, "\t{answer}")?;
        }
        writeln!(output)?;
        output.flush()?;
        questions.clear();
    }
    Ok(())
}
