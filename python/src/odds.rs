//! Tricks over all layouts of the hidden cards, and what is sure without seeing
//! them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use setrograde_games::Strengths;
use setrograde_single_dummy::{Odds, Options, SearchError, card_odds, single_dummy};

use crate::database::Database;
use crate::input::value_error;
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
    let (all, of_cards) = watched(
        py,
        &cancel,
        |_| Ok(()),
        || {
            let beliefs = view.beliefs(&Strengths::NONE).map_err(value_error)?;
            let all = setrograde_single_dummy::odds(&view, &beliefs, database, &cancel)
                .map_err(value_error)?;
            let of_cards = match cards {
                true => card_odds(&view, &beliefs, database, &cancel).map_err(value_error)?,
                false => Vec::new(),
            };
            Ok::<_, PyErr>((all, of_cards))
        },
    )??;
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
    let found = watched(
        py,
        &cancel,
        |_| Ok(()),
        || {
            let beliefs = view.beliefs(&Strengths::NONE).map_err(value_error)?;
            let found = single_dummy(&view, &beliefs, target, &options);
            found.map_err(|error| match error {
                SearchError::HandHidden(_)
                | SearchError::Target { .. }
                | SearchError::TooManyLayouts { .. }
                | SearchError::Finished => value_error(error),
                error => PyRuntimeError::new_err(text(&error)),
            })
        },
    )??;
    let cards = found.cards.iter();
    let cards = cards.map(|(card, sure)| (card.to_string(), *sure));
    Ok((found.layouts, cards.collect()))
}
