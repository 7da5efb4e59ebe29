//! The points of a search, and what is found at them.

use setrograde_solver::SolveError;

use crate::double_dummy::path::Path;
use crate::knowledge::state::State;
use crate::search::trick::Trick;

/// A search that ended without an answer.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The card has had its nodes of this round.
    Paused,
    /// All nodes that were allowed have been searched.
    Limit,
    /// The search was cancelled.
    Cancelled,
    /// Double dummy failed.
    Failed(Box<SolveError>),
}

/// A result, and what it rests on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    /// Whether the tricks are sure.
    pub reached: bool,
    /// The cards whose ranks mattered. The same is true wherever these cards and
    /// all that are higher lie alike, whatever the order of the others.
    pub used: u64,
    /// The cards of the first hidden hand in a layout in which some line failed,
    /// if one was noted: likely to refute other lines too.
    pub layout: Option<u64>,
}

impl Proof {
    /// A result without a search.
    #[inline]
    pub fn at_sight(reached: bool, used: u64) -> Proof {
        Proof {
            reached,
            used,
            layout: None,
        }
    }
}

/// A point of the search: is the claimer's side sure of `need` of the `left` tricks?
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    pub state: &'a State,
    /// The seat to play.
    pub seat: usize,
    /// The trick under way; `None` if the seat leads.
    pub trick: Option<&'a Trick>,
    pub need: u8,
    /// The tricks left, the one under way included.
    pub left: u8,
    /// The way from the root.
    pub path: Path,
    /// The number of nodes with which the card under way is put off.
    pub pause_at: u64,
}

impl Node<'_> {
    /// The number of cards on the table.
    #[inline]
    pub fn played(&self) -> usize {
        self.trick.map_or(0, |trick| trick.played)
    }
}
