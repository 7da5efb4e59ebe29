//! Deals drawn at random, and what contracts score.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pyo3::prelude::*;
use setrograde::ask::{Deal, DealFound};
use setrograde::{Desk, Refusal};
use setrograde_cards::{Contract, Vulnerability};
use setrograde_parallel::cores;

use crate::database::Database;
use crate::input::{parse, value_error};
use crate::parallel::{report, reporting};

/// Deals of the full pack as the question `deal` draws them, whose options are `question` in JSON.
/// With `accept`, only deals for which it returns true.
#[pyfunction]
pub fn deals(
    py: Python<'_>,
    question: &str,
    accept: Option<Py<PyAny>>,
    threads: Option<usize>,
    db: Option<&Bound<'_, Database>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<String>> {
    let mut ask: Deal = serde_json::from_str(question).map_err(value_error)?;
    let count = ask.plan().map_err(refused)?.count as usize;
    if accept.is_some() && count > 0 {
        ask.count = Some(u32::MAX);
    }
    let (done, cancel) = (AtomicUsize::new(0), Arc::new(AtomicBool::new(false)));
    let mut desk = Desk::new(db.map(|db| Arc::clone(&db.get().database)))
        .with_threads(threads.unwrap_or_else(cores));
    desk.set_stop(Arc::clone(&cancel).into());
    let accepts = |deal: &str| match &accept {
        Some(accept) => Python::attach(|py| accept.call1(py, (deal,))?.is_truthy(py)),
        None => Ok(true),
    };
    let progress_report = |py: Python<'_>| report(py, progress.as_ref(), &done);
    reporting(py, &cancel, progress_report, || {
        let mut found = Vec::new();
        let end = ask.each(&desk, |step: DealFound| {
            let Some(deal) = step.board.and_then(|board| board.deal()) else {
                return ControlFlow::Continue(());
            };
            let deal = deal.to_string();
            match accepts(&deal) {
                Ok(true) => found.push(deal),
                Ok(false) => return ControlFlow::Continue(()),
                Err(error) => return ControlFlow::Break(Some(error)),
            }
            done.store(found.len(), Ordering::Relaxed);
            if found.len() == count {
                ControlFlow::Break(None)
            } else {
                ControlFlow::Continue(())
            }
        });
        match end.map_err(refused)? {
            (_, Some(Some(error))) => Err(error),
            _ => Ok(found),
        }
    })?
}

fn refused(error: Refusal) -> PyErr {
    value_error(error)
}

/// The score of the declarer's side.
#[pyfunction]
pub fn score(contract: &str, tricks: u8, vulnerable: &str) -> PyResult<i32> {
    let contract: Contract = parse("contract", contract)?;
    let vulnerability: Vulnerability = parse("vulnerable", vulnerable)?;
    if tricks > 13 {
        return Err(value_error(format_args!(
            "tricks: {tricks} are more than 13"
        )));
    }
    Ok(contract.score(tricks, vulnerability, contract.declarer.side()))
}

/// The international match points for a difference of scores.
#[pyfunction]
pub fn imps(difference: i32) -> i32 {
    setrograde_cards::imps(difference)
}
