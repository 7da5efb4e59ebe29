//! Players, those of the library and those of Python, and tournaments.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use fastrand::Rng;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use setrograde::causes;
use setrograde_beliefs::{Jass, Mode, Whist};
use setrograde_cards::{Card, Contract, Strain};
use setrograde_parallel::lock;
use setrograde_play::players::{Player, PlayerChoice, PlayerError, Roster, Spec, SpecError};
use setrograde_play::tournament::{
    BoardSeries, BridgeBoards, JassBoards, Standing, Tournament, WhistBoards,
};
use setrograde_play::{Bridge, Goal};

use crate::database::Database;
use crate::input::{parse, value_error};
use crate::parallel::{report, reporting, watched};
use crate::views::{Playable, View, with_view};

/// The card, the value of each card with its number of tries, and the number of layouts examined.
type ChosenCard = (String, Vec<(String, f64, usize)>, usize);

fn roster(db: Option<&Bound<'_, Database>>) -> Roster {
    Roster {
        database: db.map(|db| Arc::clone(&db.get().database)),
        ..Roster::default()
    }
}

fn spec(name: &str) -> PyResult<Spec> {
    name.parse().map_err(value_error)
}

/// The card that a player of the library plays.
#[pyfunction]
pub fn choose(
    py: Python<'_>,
    player: &str,
    view: &Bound<'_, View>,
    seed: u64,
    db: Option<&Bound<'_, Database>>,
) -> PyResult<ChosenCard> {
    let spec = spec(player)?;
    let roster = roster(db);
    let cancel = Arc::clone(&roster.cancel);
    let view = &view.get().view;
    let choice = watched(py, &cancel, || {
        with_view!(view, view => {
            let mut player = roster.player(&spec).map_err(value_error)?;
            let choice = player.choose(view, &mut Rng::with_seed(seed));
            choice.map_err(|error| PyRuntimeError::new_err(causes(&error)))
        })
    })??;
    let worth = choice
        .worth
        .iter()
        .map(|card| (card.card.to_string(), card.value, card.visits));
    Ok((choice.card.to_string(), worth.collect(), choice.layouts))
}

/// A player that is an object of Python.
struct PythonPlayer {
    object: Py<PyAny>,
    /// True if the object is notified of each new board: once a table.
    notified: bool,
    /// The first error that Python raised.
    raised: Arc<Mutex<Option<PyErr>>>,
    cancel: Arc<AtomicBool>,
}

impl PythonPlayer {
    fn keep(&self, error: PyErr) {
        let mut raised = lock(&self.raised);
        raised.get_or_insert(error);
    }
}

impl<G: Playable> Player<G> for PythonPlayer {
    fn new_board(&mut self) {
        if self.notified {
            let notified = Python::attach(|py| self.object.call_method0(py, "new_board"));
            if let Err(error) = notified {
                self.keep(error);
            }
        }
    }

    fn choose(
        &mut self,
        view: &setrograde_beliefs::View<G>,
        _: &mut Rng,
    ) -> Result<PlayerChoice, PlayerError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(PlayerError::Cancelled);
        }
        let chosen = Python::attach(|py| -> PyResult<Card> {
            let view = View {
                view: G::any(view.clone()),
            };
            let card = self.object.call_method1(py, "_choose", (view,))?;
            parse("card", &card.extract::<String>(py)?)
        });
        match chosen {
            Ok(card) => Ok(PlayerChoice {
                card,
                worth: Vec::new(),
                layouts: 0,
                effective: 0.0,
            }),
            Err(error) => {
                self.keep(error);
                Err(PlayerError::Cancelled)
            }
        }
    }
}

/// A player: a name, or an object with methods `new_board` and `_choose`.
#[derive(FromPyObject)]
pub enum Entrant {
    Name(String),
    Object(Py<PyAny>),
}

/// Boards, boards won, tied and lost, mean gain, half the width of its interval,
/// and the same in international match points.
type Gains = (u32, u32, u32, u32, f64, f64, f64, f64);

/// The settings of a tournament.
struct Settings {
    entrants: Vec<Entrant>,
    roster: Roster,
    boards: u32,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
}

/// The standing of each pair of players.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python gives them one by one")]
pub fn tournament(
    py: Python<'_>,
    players: Vec<Entrant>,
    game: &str,
    boards: u32,
    cards: Option<usize>,
    trump: Option<&str>,
    contract: Option<&str>,
    goal: &str,
    seed: u64,
    threads: Option<usize>,
    db: Option<&Bound<'_, Database>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Gains>> {
    let settings = Settings {
        entrants: players,
        roster: roster(db),
        boards,
        seed,
        threads: threads.unwrap_or_else(setrograde_parallel::cores),
        progress,
    };
    let count = |most: usize| match cards {
        Some(cards) if cards < 1 || cards > most => Err(value_error(format_args!(
            "cards: {cards}; expected 1 to {most}"
        ))),
        cards => Ok(cards.unwrap_or(most)),
    };
    match game {
        "whist" => {
            let strain = trump.map(|trump| parse::<Strain>("trump", trump));
            let boards = WhistBoards {
                seed,
                cards: count(13)?,
                strain: strain.transpose()?,
            };
            settings.play::<Whist, _>(py, &boards)
        }
        "bridge" => {
            let contract = contract.map(|contract| parse::<Contract>("contract", contract));
            let goal = goal.parse::<Goal>();
            let boards = BridgeBoards {
                seed,
                goal: goal.map_err(|problem| value_error(format_args!("goal: {problem}")))?,
                contract: contract.transpose()?,
            };
            settings.play::<Bridge, _>(py, &boards)
        }
        "jass" => {
            let mode = trump.map(|trump| trump.parse::<Mode>().map_err(value_error));
            let boards = JassBoards {
                seed,
                cards: count(9)?,
                mode: mode.transpose()?,
            };
            settings.play::<Jass, _>(py, &boards)
        }
        _ => Err(value_error(format_args!(
            "game: {game:?} is none of 'whist', 'bridge', 'jass'"
        ))),
    }
}

impl Settings {
    fn play<G: Playable, B: BoardSeries<G>>(
        &self,
        py: Python<'_>,
        boards: &B,
    ) -> PyResult<Vec<Gains>> {
        let done = AtomicUsize::new(0);
        let raised = Arc::new(Mutex::new(None));
        let progress_report = |py: Python<'_>| report(py, self.progress.as_ref(), &done);
        let seat = |player: usize, index: usize| -> Result<Box<dyn Player<G>>, SpecError> {
            match &self.entrants[player] {
                Entrant::Name(name) => self.roster.player(&name.parse()?),
                Entrant::Object(object) => Ok(Box::new(PythonPlayer {
                    object: Python::attach(|py| object.clone_ref(py)),
                    // One of North and East has a seat at every table.
                    notified: index < 2,
                    raised: Arc::clone(&raised),
                    cancel: Arc::clone(&self.roster.cancel),
                })),
            }
        };
        // Errors in names and parameters come before anything is played.
        for player in 0..self.entrants.len() {
            seat(player, 0).map_err(value_error)?;
        }
        let names: Vec<String> = self
            .entrants
            .iter()
            .map(|entrant| match entrant {
                Entrant::Name(name) => name.clone(),
                Entrant::Object(_) => "an object".to_owned(),
            })
            .collect();
        let objects = self
            .entrants
            .iter()
            .filter(|entrant| matches!(entrant, Entrant::Object(_)));
        let has_objects = objects.count() > 0;
        let tournament = Tournament {
            boards,
            players: &names,
            seed: self.seed,
            count: self.boards,
            until: None,
            // No two objects of Python play at the same time.
            threads: if has_objects { 1 } else { self.threads },
        };
        let mut forfeited = None;
        let found = reporting(py, &self.roster.cancel, progress_report, || {
            tournament.run::<G>(seat, &[], |event, _| {
                done.fetch_add(1, Ordering::Relaxed);
                // Players that decide at once never look.
                if self.roster.cancel.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                let mut tables = event.pairs.iter().flat_map(|(tables, _)| tables);
                let forfeit = tables.find_map(|table| table.forfeit.as_ref());
                let Some(forfeit) = forfeit.filter(|_| has_objects) else {
                    return ControlFlow::Continue(());
                };
                let (board, seat) = (event.board.number, forfeit.seat.name());
                forfeited = Some(format!("board {board}: {seat}: {}", forfeit.problem));
                ControlFlow::Break(())
            })
        })?;
        if let Some(error) = lock(&raised).take() {
            return Err(error);
        }
        if let Some(problem) = forfeited {
            return Err(value_error(problem));
        }
        let found = found.map_err(|error| PyRuntimeError::new_err(causes(&error)))?;
        let standings = found.into_iter().map(|of: Standing| {
            let (imps, imps_half_width) = of.imps();
            (
                of.boards,
                of.won,
                of.tied,
                of.lost,
                of.mean(),
                of.half_width(),
                imps,
                imps_half_width,
            )
        });
        Ok(standings.collect())
    }
}
