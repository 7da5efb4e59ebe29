//! Tricks over all layouts of the hidden cards, and what is sure without seeing
//! them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyTimeoutError};
use pyo3::prelude::*;
use setrograde_cards::{Contract, Vulnerability};
use setrograde_games::Strengths;
use setrograde_single_dummy::{
    LineOptions, Objective, Odds, Options, SearchError, SuitHolding, best_line, card_odds,
    layouts_of, single_dummy,
};

use crate::database::Database;
use crate::input::{deals, parse, value_error};
use crate::parallel::{text, watched};
use crate::views::read_bridge;

/// Layouts, counts by tricks, chances by tricks.
type Found = (u128, Vec<u128>, Vec<f64>);

fn found(odds: &Odds, tricks_left: usize) -> Found {
    let counts = odds.counts[..=tricks_left].to_vec();
    (odds.layouts, counts, odds.chances[..=tricks_left].to_vec())
}

/// The odds of the side that leads, or led, to the current trick; and those
/// after each card of the seat to play.
#[pyfunction]
pub fn odds_of(
    py: Python<'_>,
    question: &str,
    db: &Bound<'_, Database>,
    cards: bool,
) -> PyResult<(Found, Vec<(String, Found)>)> {
    let view = read_bridge(question)?;
    let database = &db.get().database;
    let cancel = AtomicBool::new(false);
    let (all, of_cards) = watched(py, &cancel, || {
        let beliefs = view.beliefs(&Strengths::NONE).map_err(value_error)?;
        let all = setrograde_single_dummy::odds(&view, &beliefs, database, &cancel)
            .map_err(value_error)?;
        let of_cards = match cards {
            true => card_odds(&view, &beliefs, database, &cancel).map_err(value_error)?,
            false => Vec::new(),
        };
        Ok::<_, PyErr>((all, of_cards))
    })??;
    let left = view.tricks_left();
    let of_cards = of_cards
        .iter()
        .map(|(card, odds)| (card.to_string(), found(odds, left)));
    Ok((found(&all.all, left), of_cards.collect()))
}

/// The number of layouts, and in how many of them each card of the seat to play
/// is sure to reach the target against best defence.
#[pyfunction]
pub fn single(
    py: Python<'_>,
    question: &str,
    target: u8,
    limit: u64,
    db: Option<&Bound<'_, Database>>,
) -> PyResult<(usize, Vec<(String, usize)>)> {
    let view = read_bridge(question)?;
    let cancel = Arc::new(AtomicBool::new(false));
    let options = Options {
        database: db.map(|db| &*db.get().database),
        most_visits: limit,
        plan: false,
        cancel: Arc::clone(&cancel),
    };
    let found = watched(py, &cancel, || {
        let beliefs = view.beliefs(&Strengths::NONE).map_err(value_error)?;
        let found = single_dummy(&view, &beliefs, target, &options);
        found.map_err(|error| match error {
            SearchError::HandHidden(_)
            | SearchError::PlayerHidden(_)
            | SearchError::Target { .. }
            | SearchError::TooManyLayouts { .. }
            | SearchError::Finished => value_error(error),
            error => PyRuntimeError::new_err(text(&error)),
        })
    })??;
    let cards = found.cards.iter();
    let cards = cards.map(|(card, sure)| (card.to_string(), *sure));
    Ok((found.layouts, cards.collect()))
}

/// The best line over layouts that are given, as JSON.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "the options of a Python function"
)]
pub fn best_line_of(
    py: Python<'_>,
    question: &str,
    layouts: &Bound<'_, PyAny>,
    weights: Vec<f64>,
    target: Option<u8>,
    score: Option<(&str, &str, u8)>,
    wanted: (bool, bool),
    limit: u64,
    seconds: Option<f64>,
    db: Option<&Bound<'_, Database>>,
) -> PyResult<String> {
    let view = read_bridge(question)?;
    let objective = match (target, score) {
        (Some(target), _) => Objective::Target(target),
        (None, Some((contract, vulnerable, won))) => Objective::Score {
            contract: parse::<Contract>("score", contract)?,
            vulnerability: parse::<Vulnerability>("vulnerable", vulnerable)?,
            won,
        },
        (None, None) => Objective::Mean,
    };
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let cancel = Arc::new(AtomicBool::new(false));
    let options = LineOptions {
        database: db.map(|db| Arc::clone(&db.get().database)),
        most_visits: limit,
        time: time.map_err(|error| value_error(format_args!("seconds: {error}")))?,
        all_cards: wanted.0,
        line: wanted.1,
        cancel: Arc::clone(&cancel),
    };
    let layouts = layouts_of(&view, &deals(layouts)?).map_err(value_error)?;
    let found = watched(py, &cancel, || {
        best_line(&view, &layouts, &weights, &objective, &options)
    })?;
    let found = found.map_err(|error| match error {
        SearchError::Cancelled | SearchError::Solve(_) | SearchError::Database(_) => {
            PyRuntimeError::new_err(text(&error))
        }
        error => value_error(error),
    })?;
    serde_json::to_string(&found).map_err(value_error)
}

/// The best play of one suit, as JSON.
#[pyfunction]
pub fn suit_of(
    py: Python<'_>,
    hands: [String; 2],
    gone: &str,
    vacant: [usize; 2],
    entries: [Option<u8>; 2],
    tricks: Option<usize>,
    seconds: f64,
) -> PyResult<String> {
    let [north, south] = &hands;
    let suit = SuitHolding::read([north, south], gone, vacant).map_err(value_error)?;
    let cancel = Arc::new(AtomicBool::new(false));
    let suit = suit.with_entries(entries).with_cancel(Arc::clone(&cancel));
    let time = Duration::try_from_secs_f64(seconds);
    let time = time.map_err(|error| value_error(format_args!("seconds: {error}")))?;
    let by = Instant::now().checked_add(time);
    let found = watched(py, &cancel, || suit.answer_by(tricks, by))?.map_err(value_error)?;
    let too_long = || PyTimeoutError::new_err(format!("no answer within {seconds} seconds"));
    serde_json::to_string(&found.ok_or_else(too_long)?).map_err(value_error)
}
