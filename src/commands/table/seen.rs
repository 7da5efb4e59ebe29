//! Tables of deals that were asked before: a record of a tournament has every
//! deal once for each table at which it was played.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use setrograde_cards::Deal;
use setrograde_solver::{Solver, TrickTable};

use crate::arguments::solver::deal_and_table;
use crate::questions::NoAnswer;

/// The number of tables kept: more than a tournament has deals.
const MOST: usize = 1 << 12;

/// The tables of the last deals.
#[derive(Default)]
pub struct Seen(Mutex<HashMap<String, (Deal, TrickTable)>>);

impl Seen {
    /// A deal and its table, solved unless it was before.
    pub fn deal_and_table(
        &self,
        solver: &mut Solver,
        text: &str,
    ) -> Result<(Deal, TrickTable), NoAnswer> {
        let tables = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = tables().get(text) {
            return Ok(known);
        }
        let solved = deal_and_table(solver, 1, text)?;
        let mut tables = tables();
        if tables.len() >= MOST {
            tables.clear();
        }
        tables.insert(text.to_owned(), solved);
        Ok(solved)
    }
}
