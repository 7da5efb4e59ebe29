//! [`Solver`]: its options, its memory, and the simplest question.

use std::sync::Arc;

use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_parallel::Stop;

use crate::board::{Board, deal_at_trick_start};
use crate::endgames::Endgames;
use crate::error::SolveError;
use crate::moves::cutoffs::Cutoffs;
use crate::root::Root;
use crate::search::Search;
use crate::transposition::Transposition;

/// The resources of a [`Solver`]: memory, a source of endgame values, and when to stop.
///
/// Fields may be added: end a literal with `..Options::default()`.
#[derive(Clone, Debug)]
pub struct Options {
    /// Approximate maximum size of the transposition table in bytes, by default 256 MiB. When it is
    /// full, the positions with the fewest tricks left are dropped; a table of 20 results seldom
    /// needs more than 16 MiB. Memory is taken as it is needed.
    pub memory: usize,
    /// A source of endgame values; none by default.
    pub endgames: Option<Arc<dyn Endgames>>,
    /// Once this is due, the search ends soon with [`SolveError::Cancelled`]; never by default.
    pub stop: Stop,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            memory: 256 << 20,
            endgames: None,
            stop: Stop::default(),
        }
    }
}

/// Size in bytes above which a table is emptied between two layouts: a larger one costs more time
/// than its entries save for another layout.
const LAYOUTS_TABLE: usize = 32 << 20;

/// A double-dummy solver.
///
/// It keeps what it has learned for as long as the questions are about one deal in one strain, or
/// about other layouts of two hands of it, so keep a solver for a complete table, a complete play,
/// or all layouts with the same visible hands. Answers do not depend on what was asked before. Use
/// one solver for each thread.
///
/// ```
/// use setrograde_solver::cards::Position;
/// use setrograde_solver::{Options, Solver, Target, Wanted};
///
/// let mut solver = Solver::new(Options::default());
/// let start: Position = "NT W N:A2... K3... Q4... J5...".parse()?;
/// let led = start.play("SJ".parse()?)?;
/// let ducked = led.play("S2".parse()?)?;
/// assert_eq!(solver.tricks(&ducked)?, 1);
/// // The card is taken back: most of what is asked now is known.
/// let cards = solver.solve(&led, Target::Most, Wanted::All)?.cards;
/// assert_eq!(cards.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    options: Options,
    table: Transposition,
    cutoffs: Cutoffs,
    /// The deal and strain of both.
    subject: Option<(Deal, Strain)>,
    /// The board of the deal that [`reaches`](Solver::reaches) was last asked
    /// about.
    pub(crate) board: Option<(Deal, Strain, Arc<Board>)>,
    visits: [u64; 14],
}

impl Solver {
    /// Returns a solver with an empty table.
    pub fn new(options: Options) -> Solver {
        let table = Transposition::new(options.memory);
        Solver {
            options,
            table,
            cutoffs: Cutoffs::new(),
            subject: None,
            board: None,
            visits: [0; 14],
        }
    }

    /// Sets the end of the searches that follow. What the solver has learned is kept.
    pub fn set_stop(&mut self, stop: Stop) {
        self.options.stop = stop;
    }

    /// Returns the nodes searched in the questions that were answered so far: positions at
    /// the start of a trick that were not decided by the tricks left alone.
    pub fn nodes(&self) -> u64 {
        self.visits.iter().sum()
    }

    /// Returns the nodes of [`nodes`](Self::nodes) by the number of tricks left, 0 to 13.
    pub fn nodes_by_tricks_left(&self) -> &[u64; 14] {
        &self.visits
    }

    /// Returns a copy of the options.
    pub(crate) fn options(&self) -> Options {
        self.options.clone()
    }

    /// Counts the nodes that another solver searched for a question to this one.
    pub(crate) fn add_visits(&mut self, visits: &[u64; 14]) {
        for (mine, theirs) in self.visits.iter_mut().zip(visits) {
            *mine += theirs;
        }
    }

    /// Returns about how many bytes its tables take.
    pub fn memory(&self) -> usize {
        self.table.memory() + self.cutoffs.memory()
    }

    /// Forgets everything learned and frees the memory.
    pub fn clear(&mut self) {
        self.table = Transposition::new(self.options.memory);
        self.cutoffs = Cutoffs::new();
        self.subject = None;
        self.board = None;
    }

    /// The tricks, of those not finished yet, that go to the side of the seat
    /// that led or leads to the current trick: 0 to 13.
    ///
    /// # Errors
    ///
    /// If the search was cancelled, and if the database fails.
    pub fn tricks(&mut self, position: &Position) -> Result<u8, SolveError> {
        let left = position.tricks_left() as u8;
        if left == 0 {
            return Ok(0);
        }
        let board = Board::new(position);
        let tricks = self.root(position, &board).tricks()?;
        let leaders = position
            .to_play()
            .distance_from(position.leader())
            .is_multiple_of(2);
        Ok(if leaders { tricks } else { left - tricks })
    }

    /// The root of a search for `position`, whose board is `board`.
    pub(crate) fn root<'a>(&'a mut self, position: &Position, board: &'a Board) -> Root<'a> {
        let deal = deal_at_trick_start(position);
        let search = self.search(&deal, position.strain(), board);
        Root::new(position, board, search)
    }

    /// A search on a board; the table is emptied if it is about another deal, unless that has
    /// two hands in common with the last one.
    pub(crate) fn search<'a>(
        &'a mut self,
        deal: &Deal,
        strain: Strain,
        board: &'a Board,
    ) -> Search<'a> {
        let hands_within = self.subject.map_or(0, |(subject, of)| {
            let within = |&seat: &Seat| (deal.hand(seat) - subject.hand(seat)).is_empty();
            Seat::ALL.into_iter().filter(within).count() * usize::from(of == strain)
        });
        if hands_within < 4 {
            // Patterns hold for any deal. If two hands are the same, and the other two are another
            // layout of their cards, many patterns occur again.
            if hands_within < 2 || self.table.memory() > LAYOUTS_TABLE {
                self.table.clear();
            }
            self.cutoffs.restart(board.start.all);
            self.subject = Some((*deal, strain));
        }
        Search::new(
            board,
            &mut self.table,
            &mut self.cutoffs,
            &mut self.visits,
            self.options.endgames.as_deref(),
            &self.options.stop,
        )
    }
}
