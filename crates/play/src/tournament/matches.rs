//! A round robin: all pairs of players on the same boards, on several threads.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;

use setrograde_cards::Seat;
use setrograde_solver::SolveError;
use thiserror::Error;

use super::board::{Board, Boards};
use super::log::Logged;
use super::standing::{BoardResult, Standing};
use super::table::{Decisions, TableResult, play_table, replay};
use crate::players::{Player, PlayerError, Roster, Spec, SpecError};
use setrograde_games::Game;

/// A tournament: who plays, on what, and for how long.
#[derive(Clone, Debug)]
pub struct Tournament<'a, B> {
    /// The boards.
    pub boards: &'a B,
    /// The players; every two of them meet on every board.
    pub players: &'a [Spec],
    /// What they share.
    pub roster: &'a Roster,
    /// The seed of their decisions.
    pub seed: u64,
    /// How many boards are played.
    pub count: u32,
    /// Stop as soon as half the width of every pair's 95 % interval is at most
    /// this; looked at after every 16 boards.
    pub until: Option<f64>,
    /// How many boards are played at the same time.
    pub threads: usize,
}

/// A board that was played by all pairs.
#[derive(Clone, Debug)]
pub struct Event<G> {
    /// The board.
    pub board: Board<G>,
    /// Whether it was in the log.
    pub from_log: bool,
    /// By pair, in the order of [`Tournament::pairs`]: both tables, and what
    /// they say.
    pub pairs: Vec<([TableResult; 2], BoardResult)>,
    /// The decisions of each player: those on the side that has undertaken a
    /// contract, and the others; none on boards from a log.
    pub decisions: Vec<[Decisions; 2]>,
}

/// Why a tournament stopped.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// A player cannot be had.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A player failed.
    #[error("board {board}, {player}: {source}")]
    Player {
        /// On which board.
        board: u32,
        /// The two players.
        player: String,
        /// Why.
        source: PlayerError,
    },
    /// A board could not be made.
    #[error("board {board} could not be made: {source}")]
    Board {
        /// Its number.
        board: u32,
        /// Why.
        source: SolveError,
    },
    /// A log does not fit the boards.
    #[error("the log does not fit board {board}: {problem}")]
    Log {
        /// The board's number.
        board: u32,
        /// What is wrong.
        problem: String,
    },
}

/// How often `until` is looked at.
const ROUND: u32 = 16;

impl<B> Tournament<'_, B> {
    /// All pairs of players, by number.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<B> {
        let count = self.players.len();
        (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)))
    }

    /// Plays, and tells of each board in the order of their numbers. Boards in
    /// `logged` are not played again. Returns the standing of each pair.
    ///
    /// When the players are cancelled it returns what there is.
    ///
    /// # Errors
    ///
    /// If a player or a board fails, or `logged` does not fit.
    pub fn run<G: Game>(
        &self,
        logged: &[Logged],
        mut tell: impl FnMut(&Event<G>),
    ) -> Result<Vec<Standing>, TournamentError>
    where
        B: Boards<G>,
    {
        let mut standings = vec![Standing::default(); self.pairs().count()];
        let mut take = |event: &Event<G>, standings: &mut Vec<Standing>| {
            for (standing, (_, result)) in standings.iter_mut().zip(&event.pairs) {
                standing.add(result);
            }
            tell(event);
            let narrow = |until| standings.iter().all(|of| of.half_width() <= until);
            event.board.number.is_multiple_of(ROUND) && self.until.is_some_and(narrow)
        };
        let mut next = 1;
        while let Some(event) = self.logged_board(next, logged)? {
            next += 1;
            if take(&event, &mut standings) || next > self.count {
                return Ok(standings);
            }
        }
        let counter = AtomicU32::new(next);
        let enough = AtomicBool::new(false);
        let (send, receive) = mpsc::channel();
        let mut failed = None;
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let send = send.clone();
                let (counter, enough) = (&counter, &enough);
                scope.spawn(move || {
                    let mut seats = Seats::default();
                    while !enough.load(Ordering::Relaxed) {
                        let number = counter.fetch_add(1, Ordering::Relaxed);
                        if number > self.count {
                            break;
                        }
                        let event = self.board(number, &mut seats);
                        let end = event.is_err();
                        if send.send((number, event)).is_err() || end {
                            break;
                        }
                    }
                });
            }
            drop(send);
            let mut waiting = std::collections::BTreeMap::new();
            for (number, event) in receive {
                waiting.insert(number, event);
                while let Some(event) = waiting.remove(&next) {
                    next += 1;
                    match event {
                        _ if enough.load(Ordering::Relaxed) => {}
                        Ok(event) => {
                            if take(&event, &mut standings) {
                                enough.store(true, Ordering::Relaxed);
                            }
                        }
                        Err(error) => {
                            enough.store(true, Ordering::Relaxed);
                            failed = Some(error);
                        }
                    }
                }
            }
        });
        match failed {
            Some(TournamentError::Player {
                source: PlayerError::Cancelled,
                ..
            })
            | None => Ok(standings),
            Some(error) => Err(error),
        }
    }

    fn board<G: Game>(&self, number: u32, seats: &mut Seats<G>) -> Result<Event<G>, TournamentError>
    where
        B: Boards<G>,
    {
        let board = self.make_board(number)?;
        if seats.players.is_empty() {
            for spec in self.players {
                let player = || self.roster.player::<G>(spec);
                seats
                    .players
                    .push([player()?, player()?, player()?, player()?]);
            }
        }
        let mut decisions = vec![[Decisions::default(); 2]; self.players.len()];
        let mut pairs = Vec::new();
        for (first, second) in self.pairs() {
            let mut tables = Vec::new();
            for sides in [[first, second], [second, first]] {
                let mut spent = [Decisions::default(); 2];
                let result = seats.play(&board, self.seed, sides, &mut spent);
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
        B: Boards<G>,
    {
        let failed = |source| TournamentError::Board {
            board: number,
            source,
        };
        self.boards.board(number).map_err(failed)
    }

    /// The board of this number as it was logged; `None` unless all of it was.
    fn logged_board<G: Game>(
        &self,
        number: u32,
        logged: &[Logged],
    ) -> Result<Option<Event<G>>, TournamentError>
    where
        B: Boards<G>,
    {
        let of_board: Vec<&Logged> = logged.iter().filter(|of| of.board == number).collect();
        if of_board.is_empty() || of_board.len() < 2 * self.pairs().count() {
            return Ok(None);
        }
        let board = self.make_board(number)?;
        let mut pairs = Vec::new();
        for (first, second) in self.pairs() {
            let mut tables = Vec::new();
            for sides in [[first, second], [second, first]] {
                let wrong = |problem: String| TournamentError::Log {
                    board: number,
                    problem,
                };
                let found = of_board.iter().find(|of| of.players == sides);
                let found = found.ok_or_else(|| wrong(format!("players {sides:?} are missing")))?;
                let result = replay(&board, &found.cards, found.forfeit.clone());
                tables.push(result.map_err(|error| wrong(error.to_string()))?);
            }
            pairs.push(tables);
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
        let tables: [TableResult; 2] = tables.try_into().ok()?;
        let result = BoardResult::new(&board, &tables);
        Some((tables, result))
    };
    Event {
        board,
        // Every pair has two tables.
        pairs: pairs.into_iter().filter_map(both).collect(),
        from_log: decisions.is_none(),
        decisions: decisions.unwrap_or_default(),
    }
}

/// Each player's four seats, on one thread.
struct Seats<G> {
    players: Vec<[Box<dyn Player<G>>; 4]>,
}

impl<G> Default for Seats<G> {
    fn default() -> Seats<G> {
        Seats {
            players: Vec::new(),
        }
    }
}

impl<G: Game> Seats<G> {
    fn play(
        &mut self,
        board: &Board<G>,
        seed: u64,
        [north_south, east_west]: [usize; 2],
        spent: &mut [Decisions; 2],
    ) -> Result<TableResult, PlayerError> {
        let pair = self.players.get_disjoint_mut([north_south, east_west]);
        // The players of a pair are two.
        let Ok([[n, _, s, _], [_, e, _, w]]) = pair else {
            return Err(PlayerError::NothingToPlay);
        };
        play_table(board, seed, &mut [n, e, s, w], spent)
    }
}
