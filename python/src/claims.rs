//! Claims: how many tricks are sure whatever the unseen cards.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use setrograde_claim::{Claims, Knowledge, Options};
use setrograde_solver::Endgames;

use crate::database::Database;
use crate::input::value_error;
use crate::parallel::{text, watched};

/// The tricks that are sure, and those with each card of the seat to play, if
/// the claimer plays for it.
#[pyfunction]
pub fn claim(
    py: Python<'_>,
    question: &str,
    db: Option<&Bound<'_, Database>>,
    limit: Option<u64>,
) -> PyResult<(u8, Vec<(String, u8)>)> {
    let knowledge: Knowledge = question
        .trim()
        .parse()
        .map_err(|error| value_error(format_args!("question: {error}")))?;
    let cancel = Arc::new(AtomicBool::new(false));
    let options = Options {
        endgames: db.map(|db| Arc::clone(&db.get().database) as Arc<dyn Endgames>),
        limit,
        stop: Arc::clone(&cancel).into(),
        ..Options::default()
    };
    let found = watched(py, &cancel, || {
        let mut claims = Claims::new(options);
        let sure = claims.sure(&knowledge)?;
        let cards = if knowledge.plays_for(knowledge.to_play()) {
            claims.cards(&knowledge)?
        } else {
            Vec::new()
        };
        Ok::<_, setrograde_claim::ClaimError>((sure, cards))
    })?;
    let (sure, cards) = found.map_err(|error| PyRuntimeError::new_err(text(&error)))?;
    let cards = cards
        .iter()
        .map(|found| (found.card.to_string(), found.sure));
    Ok((sure, cards.collect()))
}
