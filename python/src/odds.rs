//! Tricks over all layouts of the hidden cards, and what is sure without seeing
//! them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use setrograde_beliefs::Layout;
use setrograde_play::State;
use setrograde_play::alpha_mu::{AlphaMu, EXACT, Valuation, Worlds};
use setrograde_play::clues::Strengths;
use setrograde_play::double_dummy::OpenCards;
use setrograde_play::odds::{self, Odds};

use crate::database::Database;
use crate::input::value_error;
use crate::parallel::{text, watched};
use crate::views::{limits, read_bridge};

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
    limits: Vec<String>,
) -> PyResult<(Found, Vec<(String, Found)>)> {
    let view = read_bridge(question, self::limits(&limits)?)?;
    let database = &db.get().database;
    let (all, of_cards) = watched(
        py,
        &AtomicBool::new(false),
        |_| Ok(()),
        || {
            let beliefs = view.beliefs(&Strengths::NONE).map_err(value_error)?;
            let all = odds::odds(&view, &beliefs, database).map_err(value_error)?;
            let of_cards = match cards {
                true => odds::card_odds(&view, &beliefs, database).map_err(value_error)?,
                false => Vec::new(),
            };
            Ok::<_, PyErr>((all, of_cards))
        },
    )??;
    let left = view.tricks_left();
    let of_cards = of_cards
        .iter()
        .map(|(card, odds)| (card.to_string(), found(odds, left)));
    Ok((found(&all, left), of_cards.collect()))
}

/// The number of layouts, and in how many of them each card of the seat to play
/// is sure to reach the target against best defence.
#[pyfunction]
pub fn single(
    py: Python<'_>,
    question: &str,
    target: u8,
    limit: u64,
    limits: Vec<String>,
    db: Option<&Bound<'_, Database>>,
) -> PyResult<(usize, Vec<(String, usize)>)> {
    let view = read_bridge(question, self::limits(&limits)?)?;
    let seat = view.to_play();
    if view.hand(seat).is_none() || view.hand(seat.partner()).is_none() {
        let (seat, partner) = (seat.name(), seat.partner().name());
        return Err(value_error(format_args!(
            "question: the hands of {seat} and {partner} must be shown"
        )));
    }
    if usize::from(target) > view.tricks_left() {
        let left = view.tricks_left();
        return Err(value_error(format_args!(
            "target: {target} of {left} tricks"
        )));
    }
    let database = db.map(|db| &*db.get().database);
    let cancel = Arc::new(AtomicBool::new(false));
    watched(
        py,
        &cancel,
        |_| Ok(()),
        || {
            let beliefs = view.beliefs(&Strengths::NONE).map_err(value_error)?;
            if beliefs.count() > Worlds::MOST as u128 {
                let (count, most) = (beliefs.count(), Worlds::MOST);
                return Err(value_error(format_args!(
                    "question: {count} layouts; at most {most} can be searched"
                )));
            }
            let layouts: Vec<Layout> = beliefs.layouts().collect();
            let weights = vec![1.0; layouts.len()];
            let mut open = OpenCards::new(&view, target, database, Some(Arc::clone(&cancel)));
            let mut value = open
                .as_mut()
                .map(|open| |world: usize, state: &State| open.reaches(world, state));
            let value = value.as_mut().map(|value| value as &mut Valuation<'_>);
            let known = (&layouts[..], &weights[..]);
            let mut search = AlphaMu::new(&view, target, known, value, limit);
            let failed = |error| PyRuntimeError::new_err(text(&error));
            let fronts = search.cards(EXACT).map_err(failed)?;
            let too_long = || format!("no answer within {limit} positions");
            let fronts = fronts.ok_or_else(|| PyRuntimeError::new_err(too_long()))?;
            let sure = fronts
                .iter()
                .map(|(card, front)| (card.to_string(), front.best(&weights) as usize));
            Ok((layouts.len(), sure.collect()))
        },
    )?
}
