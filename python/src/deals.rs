//! Deals drawn at random, and what contracts score.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use fastrand::Rng;
use pyo3::prelude::*;
use setrograde_beliefs::{Beliefs, Condition, Facts, QuestionError};
use setrograde_cards::{Card, Contract, Deal, Hand, Seat, Vulnerability};
use setrograde_parallel::Stop;

use crate::input::{parse, value_error};
use crate::parallel::{report, telling};

/// Deals of the whole pack in which some hands are known and the others are as the
/// condition says, each with the same probability.
#[pyfunction]
pub fn draw(
    py: Python<'_>,
    count: usize,
    condition: Option<&str>,
    known: [Option<String>; 4],
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let mut hands = [Hand::EMPTY; 4];
    let mut unseen: Hand = Card::pack().collect();
    let mut sizes = [13; 4];
    for seat in Seat::ALL {
        let Some(text) = &known[seat.index()] else {
            continue;
        };
        let hand: Hand = parse("hands", text)?;
        if hand.len() != 13 || !hand.is_subset(unseen) {
            let name = seat.name();
            return Err(value_error(format_args!(
                "hands: {name}'s must be 13 cards that no other hand has; found {hand}"
            )));
        }
        (hands[seat.index()], sizes[seat.index()]) = (hand, 0);
        for card in hand.cards() {
            unseen.remove(card);
        }
    }
    let mut facts = Facts::new(unseen, sizes);
    if let Some(text) = condition {
        let wrong = |column: usize, problem: &dyn std::fmt::Display| {
            value_error(format_args!("condition: column {column}: {problem}"))
        };
        let read: Condition = text
            .parse()
            .map_err(|error: QuestionError| wrong(error.column(), &error.problem()))?;
        let hidden: Vec<Seat> = Seat::ALL
            .into_iter()
            .filter(|seat| sizes[seat.index()] > 0)
            .collect();
        facts
            .suppose(&read, &hidden)
            .map_err(|error| wrong(error.column(), &error.problem()))?;
    }
    let (done, cancel) = (AtomicUsize::new(0), Arc::new(AtomicBool::new(false)));
    let stop = Stop::from(cancel.clone());
    let tell = |py: Python<'_>| report(py, progress.as_ref(), &done);
    telling(py, &cancel, tell, || {
        let beliefs = Beliefs::until(&facts, &stop).map_err(value_error)?;
        let mut rng = Rng::with_seed(seed);
        // Deals drawn after an interrupt are discarded.
        let numbers = (0..count).take_while(|_| !cancel.load(Ordering::Relaxed));
        let drawn = numbers.map(|number| {
            let layout = beliefs.sample_until(&mut rng, &stop).map_err(value_error)?;
            let hand = |seat: usize| hands[seat] | layout[seat];
            let deal = Deal::new([0, 1, 2, 3].map(hand)).map_err(value_error)?;
            done.store(number + 1, Ordering::Relaxed);
            Ok(deal.to_string())
        });
        drawn.collect()
    })?
}

/// The score of the declarer's side.
#[pyfunction]
pub fn score(contract: &str, tricks: u8, vulnerability: &str) -> PyResult<i32> {
    let contract: Contract = parse("contract", contract)?;
    let vulnerability: Vulnerability = parse("vulnerability", vulnerability)?;
    if tricks > 13 {
        return Err(value_error(format_args!(
            "tricks: {tricks} are more than 13"
        )));
    }
    Ok(contract.score(tricks, vulnerability, contract.side()))
}

/// The international match points for a difference of scores.
#[pyfunction]
pub fn imps(difference: i32) -> i32 {
    setrograde_cards::imps(difference)
}
