//! Many questions side by side.

use setrograde_cards::Deal;
use setrograde_ordered::each;

use crate::solver::{Options, SolveError, Solver};
use crate::table::TrickTable;

/// Returns the tables of many deals, computed by `threads` threads.
///
/// # Errors
///
/// As for [`Solver::table`], of the first deal that has one.
///
/// ```
/// use setrograde_cards::{Deal, Seat, Strain};
/// use setrograde_solver::{Options, tables};
///
/// let deals: Vec<Deal> = ["N:AQ... 76... 54... K3...", "N:KQ... 76... 54... A3..."]
///     .iter()
///     .map(|deal| deal.parse())
///     .collect::<Result<_, _>>()?;
/// let tables = tables(&deals, 2, &Options::default())?;
/// let tricks = tables.iter().map(|table| table.tricks(Strain::NoTrump, Seat::North));
/// assert_eq!(tricks.collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tables(
    deals: &[Deal],
    threads: usize,
    options: &Options,
) -> Result<Vec<TrickTable>, SolveError> {
    let solver = || Solver::new(options.clone());
    let tables = each(deals.len(), threads, solver, |solver, number| {
        solver.table(&deals[number])
    });
    tables.into_iter().collect()
}
