//! The solver: its options, its memory, and the simplest question.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8};

use setrograde_cards::{Deal, Hand, Position, Seat, Strain};

use crate::board::Board;
use crate::endgames::Endgames;
use crate::error::SolveError;
use crate::question::Question;
use crate::search::Search;
use crate::transposition::Transposition;

/// What a [`Solver`] may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// About how many bytes the transposition table may take; when it is full
    /// it is emptied. 256 MiB unless set; a table of 20 results seldom needs
    /// more than 30 MiB.
    pub memory: usize,
    /// Answers about endings; none unless set.
    pub endgames: Option<Arc<dyn Endgames>>,
    /// Set this to true from another thread and the search stops soon with
    /// [`SolveError::Cancelled`]; none unless set.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Where the search writes how many tricks are left at the position that it
    /// is at, the trick under way included, and between searches one more: a
    /// thread that looks at it now and then learns where the time goes. None
    /// unless set.
    pub watch: Option<Arc<AtomicU8>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            memory: 256 << 20,
            endgames: None,
            cancel: None,
            watch: None,
        }
    }
}

/// A double-dummy solver.
///
/// It keeps what it has learned for as long as the questions are about one deal
/// in one strain, so a solver should be kept for a whole table or a whole play.
/// Answers do not depend on what was asked before. For several threads make
/// several solvers.
#[derive(Debug)]
pub struct Solver {
    options: Options,
    table: Transposition,
    /// What the table is about.
    subject: Option<(Deal, Strain)>,
    visits: [u64; 14],
}

impl Solver {
    /// A solver with an empty table.
    #[must_use]
    pub fn new(options: Options) -> Solver {
        let table = Transposition::new(options.memory);
        Solver {
            options,
            table,
            subject: None,
            visits: [0; 14],
        }
    }

    /// Nodes searched in the questions that were answered so far: positions at
    /// the start of a trick that were not decided by the tricks left alone.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.visits.iter().sum()
    }

    /// The same by the number of tricks left, 0 to 13.
    #[must_use]
    pub fn nodes_by_tricks_left(&self) -> &[u64; 14] {
        &self.visits
    }

    /// Forgets everything learned and frees the memory.
    pub fn clear(&mut self) {
        self.table = Transposition::new(self.options.memory);
        self.subject = None;
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
        let mut question = self.question(position)?;
        let tricks = question.tricks();
        let visits = question.visits();
        self.count(&visits);
        let leaders = position
            .to_play()
            .distance_from(position.leader())
            .is_multiple_of(2);
        Ok(if leaders { tricks? } else { left - tricks? })
    }

    /// A search set up for a position.
    pub(crate) fn question(&mut self, position: &Position) -> Result<Question<'_>, SolveError> {
        let mut hands = *position.deal().hands();
        for (seat, card) in position.trick().plays() {
            hands[seat.index()].insert(card);
        }
        let mut board = Board::new(position);
        let search = self.search(hands, position.strain(), &mut board);
        Ok(Question::new(position, board, search))
    }

    /// A search on a board; the table is emptied if it is about another deal.
    pub(crate) fn search(
        &mut self,
        hands: [Hand; 4],
        strain: Strain,
        board: &mut Board,
    ) -> Search<'_> {
        let known = self.subject.is_some_and(|(deal, of)| {
            of == strain
                && Seat::ALL.iter().all(|&seat| {
                    let hand = hands[seat.index()];
                    hand.intersection(&deal.hand(seat)) == hand
                })
        });
        if !known {
            self.table.clear();
            self.subject = Deal::new(hands).ok().map(|deal| (deal, strain));
        }
        Search::new(
            board,
            &mut self.table,
            self.options.endgames.as_deref(),
            self.options.cancel.as_deref(),
            self.options.watch.as_deref(),
        )
    }

    pub(crate) fn count(&mut self, visits: &[u64; 14]) {
        for (sum, more) in self.visits.iter_mut().zip(visits) {
            *sum += more;
        }
    }
}
