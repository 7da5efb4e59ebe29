//! Scripts in the language of *dealer*, the program by Hans van Staveren.
//!
//! `lex`, `parse`, `statements`, `actions` and `braces` read a script, `expression` finds the values
//! of its expressions, `counts` has what they count, `shapes` sets of shapes, and `lower` finds
//! conditions that hold whenever an expression is true, by which deals are drawn.

mod actions;
mod braces;
mod counts;
mod expression;
mod lex;
mod lower;
mod parse;
mod shapes;
mod statements;
#[cfg(test)]
mod tests;

pub use expression::{Expression, ScriptResult, Values};

use std::collections::BTreeMap;

use setrograde_cards::{Hand, Seat, Vulnerability};
use thiserror::Error;

use self::counts::PointTable;
use self::expression::Operation;
use self::shapes::ShapeSet;
use crate::condition::Condition;

/// A script: conditions on a deal, and what is to be printed.
///
/// ```
/// use setrograde_beliefs::Script;
/// use setrograde_cards::Seat;
///
/// let script = Script::read(
///     "strong = hcp(north)>14 and shape(north, any 4333 + any 4432 + any 5332)
///      condition strong and spades(south)>=5
///      dealer south
///      action printpbn, average \"points\" hcp(north) + hcp(south)",
/// )?;
/// assert_eq!(script.dealer, Some(Seat::South));
/// assert_eq!(script.actions.len(), 2);
/// let error = Script::read("condition hcp(north)>14 and\n  strange(south)").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 3));
/// # Ok::<(), setrograde_beliefs::ScriptError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The expressions; the parts of each come before it.
    nodes: Vec<Operation>,
    /// The byte at which the text of each expression begins, as line and column.
    places: Vec<(u32, u32)>,
    shapes: Vec<ShapeSet>,
    tables: Vec<PointTable>,
    names: BTreeMap<String, Expression>,
    /// The condition on deals; `None` if any deal will do.
    pub condition: Option<Expression>,
    /// The cards that each hand is given, from North.
    pub predealt: [Hand; 4],
    /// The numbers of cards that hands are given in suits, and other conditions on cards.
    pub lengths: Vec<Condition>,
    /// The number of deals wanted.
    pub produce: Option<u32>,
    /// Maximum number of deals tried.
    pub generate: Option<u64>,
    /// The number of the first board.
    pub first: Option<u32>,
    /// The dealer.
    pub dealer: Option<Seat>,
    /// The vulnerable sides.
    pub vulnerability: Option<Vulnerability>,
    /// The seed of the deals.
    pub seed: Option<u64>,
    /// What is printed.
    pub actions: Vec<ScriptAction>,
}

/// An action of a script.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ScriptAction {
    /// The deal is printed as PBN.
    PrintPbn,
    /// The deal is printed in another form, by its name.
    Print(&'static str),
    /// The mean of an expression over all deals is printed.
    Average {
        /// The text before it.
        label: String,
        /// The expression.
        of: Expression,
    },
    /// The deals are counted by one or two expressions.
    Frequency {
        /// The text before the counts.
        label: String,
        /// The expressions.
        of: Vec<Buckets>,
    },
    /// Text with values and hands of the deal is printed.
    Report(Vec<ReportPart>),
}

/// An expression by which deals are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buckets {
    /// The expression.
    pub of: Expression,
    /// The least value that is counted on its own.
    pub least: i64,
    /// The greatest such value.
    pub most: i64,
    /// How many values from `least` on are counted together.
    pub size: i64,
}

/// A part of the text that a script prints for a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReportPart {
    /// Text.
    Text(String),
    /// The value of an expression.
    Value(Expression),
    /// The number of deals found.
    Number,
    /// Hands, as `n AK3.QJ4.KQ98.765 s ...`.
    Hands(Vec<Seat>),
    /// Hands as options that deal them in advance, as `-N SAK3,HQJ4,DKQ98,C765`.
    Predeal(Vec<Seat>),
}

/// A script that cannot be read, or an expression without a value.
///
/// Written as `line 3, column 5: ` followed by the problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ScriptError {
    line: u32,
    column: u32,
    problem: String,
}

impl ScriptError {
    /// The problem at a byte of a script.
    fn at(text: &str, byte: usize, problem: impl Into<String>) -> ScriptError {
        let (line, column) = place(text, &line_starts(text), byte);
        ScriptError {
            line,
            column,
            problem: problem.into(),
        }
    }

    /// The line, from 1.
    pub const fn line(&self) -> u32 {
        self.line
    }

    /// The column, a count of characters from 1.
    pub const fn column(&self) -> u32 {
        self.column
    }

    /// The problem, without its place.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

/// The bytes at which the lines of a text begin.
fn line_starts(text: &str) -> Vec<usize> {
    let after = text.match_indices('\n').map(|(at, _)| at + 1);
    [0].into_iter().chain(after).collect()
}

/// The line and the column of a byte.
fn place(text: &str, lines: &[usize], byte: usize) -> (u32, u32) {
    let line = lines.partition_point(|&start| start <= byte);
    let before = &text[lines[line - 1]..byte];
    (line as u32, before.chars().count() as u32 + 1)
}

impl Script {
    /// Maximum size of a script, in bytes.
    pub const LONGEST: usize = 64 << 10;

    /// Reads a script.
    ///
    /// # Errors
    ///
    /// If it is not one, or says something that cannot be done here, with line and column.
    pub fn read(text: &str) -> Result<Script, ScriptError> {
        parse::script(text)
    }

    /// Returns true if the script counts deals and prints none.
    pub fn only_counts(&self) -> bool {
        let counts = |action: &ScriptAction| match action {
            ScriptAction::Average { .. } | ScriptAction::Frequency { .. } => true,
            ScriptAction::PrintPbn | ScriptAction::Print(_) | ScriptAction::Report(_) => false,
        };
        !self.actions.is_empty() && self.actions.iter().all(counts)
    }

    /// The expression that the script calls `name`.
    pub fn named(&self, name: &str) -> Option<Expression> {
        self.names.get(name).copied()
    }

    /// The names of the script, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }
}
