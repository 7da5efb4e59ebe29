//! What a log holds, and what can be wrong with it.

use setrograde_cards::Card;
use thiserror::Error;

use crate::tournament::board::Board;
use crate::tournament::table::{Forfeit, TableResult};

/// One board at one table, to be written.
pub(super) struct Record<'a, G> {
    pub board: &'a Board<G>,
    /// 0 for the open room, 1 for the closed room.
    pub table: usize,
    /// The players of North and South, and of East and West, by number.
    pub players: [usize; 2],
    pub names: [&'a str; 2],
    pub result: &'a TableResult,
}

/// What a log says of one board at one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The board's number.
    pub board: u32,
    /// The players of North and South, and of East and West, by number.
    pub players: [usize; 2],
    /// The cards.
    pub cards: Vec<Card>,
    /// Whether it was forfeited.
    pub forfeit: Option<Forfeit>,
}

/// Why a log cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LogError {
    /// It begins with something else.
    #[error("it is not the log of a tournament: its first line does not say which")]
    NotALog,
    /// It is of another tournament.
    #[error("it is the log of another tournament: {key} is {theirs} there, {ours} here")]
    OtherTournament {
        /// What differs.
        key: String,
        /// Its value in the log.
        theirs: String,
        /// Its value in this tournament.
        ours: String,
    },
    /// Something in it makes no sense.
    #[error("line {line}: {problem}")]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}
