//! Tables of deals that were asked before: a record of a tournament has every
//! deal once for each table at which it was played.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use setrograde_cards::Deal;
use setrograde_solver::{SolveError, Solver, TrickTable};

/// The number of tables kept: more than a tournament has deals.
const MOST: usize = 1 << 12;

/// The tables of the last deals.
#[derive(Default)]
pub struct Seen(Mutex<HashMap<Deal, TrickTable>>);

impl Seen {
    /// The table of a deal, solved unless it was before.
    pub fn table(&self, solver: &mut Solver, deal: &Deal) -> Result<TrickTable, SolveError> {
        let tables = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = tables().get(deal) {
            return Ok(known);
        }
        let solved = solver.table(deal)?;
        let mut tables = tables();
        if tables.len() >= MOST {
            tables.clear();
        }
        tables.insert(*deal, solved);
        Ok(solved)
    }
}
