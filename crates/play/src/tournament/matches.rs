//! A round robin: all pairs of players on the same boards, on several threads.

use std::ops::ControlFlow;

use setrograde_beliefs::Game;
use setrograde_cards::Seat;
use setrograde_parallel::in_order;
use setrograde_solver::SolveError;
use thiserror::Error;

use super::board::{Board, BoardSeries};
use super::log::Logged;
use super::standing::{BoardResult, Standing, pairs};
use super::table::{Decisions, TableResult, play_table, replay};
use crate::players::{Player, PlayerError, SpecError};

/// A tournament: its players, boards and length.
#[derive(Clone, Debug)]
pub struct Tournament<'a, B> {
    /// The boards.
    pub boards: &'a B,
    /// The names of the players; every two of them meet on every board.
    pub players: &'a [String],
    /// The seed of their decisions.
    pub seed: u64,
    /// Number of boards.
    pub count: u32,
    /// Stop as soon as half the width of every pair's 95 % interval is at most this; checked after
    /// every 16 boards.
    pub until: Option<f64>,
    /// Number of boards that are played at the same time.
    pub threads: usize,
}

/// A board that was played by all pairs.
#[derive(Clone, Debug)]
pub struct Event<G> {
    /// The board.
    pub board: Board<G>,
    /// True if it was in the log.
    pub from_log: bool,
    /// By pair, in the order of [`Tournament::pairs`]: both tables, and their messages.
    pub pairs: Vec<([TableResult; 2], BoardResult)>,
    /// The decisions of each player: those on the side that has undertaken a
    /// contract, and for the remaining boards; none on boards from a log.
    pub decisions: Vec<[Decisions; 2]>,
}

/// A failure that ends a tournament.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// A player cannot be created.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A player failed.
    #[error("board {board}, {player}: {source}")]
    Player {
        /// On which board.
        board: u32,
        /// The two players.
        player: String,
        /// The reason.
        source: PlayerError,
    },
    /// A board could not be made.
    #[error("board {board} could not be made: {source}")]
    Board {
        /// Its number.
        board: u32,
        /// The reason.
        source: SolveError,
    },
    /// A line of a log does not fit its board.
    #[error("line {line}: {problem}")]
    Log {
        /// The line, from 1.
        line: usize,
        /// The problem.
        problem: String,
    },
}

/// `until` is checked after this number of boards.
const ROUND: u32 = 16;

impl<B> Tournament<'_, B> {
    /// All pairs of players, by number.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<B> {
        pairs(self.players.len())
    }

    /// Plays the boards and passes each to `take`, in the order of their numbers, with the standing of
    /// each pair so far, until `take` breaks. `seat` makes the player with a number, once for each
    /// thread and for each of the four seats, which have numbers, too. Boards in `logged` come first and are not played
    /// again. Returns the standing of each pair, of the boards so far if the players are
    /// cancelled.
    ///
    /// # Errors
    ///
    /// If a player or a board fails, or `logged` does not fit.
    pub fn run<G: Game>(
        &self,
        seat: impl Fn(usize, usize) -> Result<Box<dyn Player<G>>, SpecError> + Sync,
        logged: &[Logged],
        mut take: impl FnMut(&Event<G>, &[Standing]) -> ControlFlow<()>,
    ) -> Result<Vec<Standing>, TournamentError>
    where
        B: BoardSeries<G>,
    {
        let mut standings = vec![Standing::default(); self.pairs().count()];
        let mut is_last = |event: &Event<G>, standings: &mut Vec<Standing>| {
            for (standing, (_, result)) in standings.iter_mut().zip(&event.pairs) {
                standing.add(result);
            }
            if take(event, standings).is_break() {
                return true;
            }
            let narrow = |until| standings.iter().all(|of| of.half_width() <= until);
            event.board.number.is_multiple_of(ROUND) && self.until.is_some_and(narrow)
        };
        let mut next = 1;
        while let Some(event) = self.logged_board(next, logged)? {
            next += 1;
            if is_last(&event, &mut standings) || next > self.count {
                return Ok(standings);
            }
        }
        let board = |seats: &mut Seats<G>, number| self.board(number, seats, &seat);
        let numbers = next..=self.count;
        let end = in_order(
            numbers,
            self.threads,
            Seats::default,
            board,
            |event| match event {
                Some(Ok(event)) if is_last(&event, &mut standings) => ControlFlow::Break(Ok(())),
                Some(Err(error)) => ControlFlow::Break(Err(error)),
                _ => ControlFlow::Continue(()),
            },
        );
        match end {
            ControlFlow::Break(Err(TournamentError::Player {
                source: PlayerError::Cancelled,
                ..
            })) => Ok(standings),
            ControlFlow::Break(Err(error)) => Err(error),
            _ => Ok(standings),
        }
    }

    fn board<G: Game>(
        &self,
        number: u32,
        seats: &mut Seats<G>,
        seat: &impl Fn(usize, usize) -> Result<Box<dyn Player<G>>, SpecError>,
    ) -> Result<Event<G>, TournamentError>
    where
        B: BoardSeries<G>,
    {
        let board = self.make_board(number)?;
        if seats.is_empty() {
            for player in 0..self.players.len() {
                let seat = |index| seat(player, index);
                seats.push([seat(0)?, seat(1)?, seat(2)?, seat(3)?]);
            }
        }
        let mut decisions = vec![[Decisions::default(); 2]; self.players.len()];
        let mut pairs = Vec::new();
        for (first, second) in self.pairs() {
            let mut tables = Vec::new();
            for sides in [[first, second], [second, first]] {
                let mut spent = [Decisions::default(); 2];
                let pair = seats.get_disjoint_mut(sides);
                let [[n, _, s, _], [_, e, _, w]] = pair.expect("the players of a pair are two");
                let result = play_table(&board, self.seed, &mut [n, e, s, w], &mut spent);
                let result = result.map_err(|source| TournamentError::Player {
                    board: number,
                    player: format!("{} against {}", self.players[first], self.players[second]),
                    source,
                })?;
                for (seat, spent) in [Seat::North, Seat::East].into_iter().zip(spent) {
                    let declares = board.game.tricks_wanted(seat).is_some();
                    decisions[sides[seat.index()]][usize::from(!declares)].add(&spent);
                }
                tables.push(result);
            }
            pairs.push(tables);
        }
        Ok(event(board, pairs, Some(decisions)))
    }

    fn make_board<G: Game>(&self, number: u32) -> Result<Board<G>, TournamentError>
    where
        B: BoardSeries<G>,
    {
        let failed = |source| TournamentError::Board {
            board: number,
            source,
        };
        self.boards.board(number).map_err(failed)
    }

    /// The logged board with this number; `None` unless it is complete.
    fn logged_board<G: Game>(
        &self,
        number: u32,
        logged: &[Logged],
    ) -> Result<Option<Event<G>>, TournamentError>
    where
        B: BoardSeries<G>,
    {
        let tables = 2 * self.pairs().count();
        let start = tables * (number as usize - 1);
        let Some(of_board) = logged.get(start..start + tables) else {
            return Ok(None);
        };
        let board = self.make_board(number)?;
        let replayed = |of: &Logged| {
            let result = replay(&board, &of.cards, of.forfeit.clone());
            result.map_err(|error| TournamentError::Log {
                line: of.line,
                problem: error.to_string(),
            })
        };
        let mut pairs = Vec::new();
        for both in of_board.chunks(2) {
            pairs.push(both.iter().map(replayed).collect::<Result<Vec<_>, _>>()?);
        }
        Ok(Some(event(board, pairs, None)))
    }
}

fn event<G: Game>(
    board: Board<G>,
    pairs: Vec<Vec<TableResult>>,
    decisions: Option<Vec<[Decisions; 2]>>,
) -> Event<G> {
    let both = |tables: Vec<TableResult>| {
        let tables: [TableResult; 2] = tables.try_into().expect("every pair has two tables");
        let result = BoardResult::new(&board, &tables);
        (tables, result)
    };
    Event {
        board,
        pairs: pairs.into_iter().map(both).collect(),
        from_log: decisions.is_none(),
        decisions: decisions.unwrap_or_default(),
    }
}

/// Each player's four seats, on one thread.
type Seats<G> = Vec<[Box<dyn Player<G>>; 4]>;
