//! Many questions side by side.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use setrograde_cards::Deal;

use crate::solver::{Options, SolveError, Solver};
use crate::table::TrickTable;

/// Returns the results of `work` for 0 to `count`, in order. Each of `workers` is the state of
/// a thread of its own, which takes one number after the other, until `cancel` is set.
pub fn side_by_side<S: Send, T: Send>(
    workers: &mut [S],
    count: usize,
    cancel: &AtomicBool,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let share = |state: &mut S| {
        let take = || match cancel.load(Ordering::Relaxed) {
            true => None,
            false => Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < count),
        };
        let numbers = std::iter::from_fn(take);
        let made: Vec<(usize, T)> = numbers
            .map(|number| (number, work(state, number)))
            .collect();
        made
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let share = &share;
        let threads: Vec<_> = workers
            .iter_mut()
            .map(|state| scope.spawn(move || share(state)))
            .collect();
        let made = threads.into_iter().map(|thread| thread.join());
        made.flat_map(|made| made.unwrap_or_else(|why| resume_unwind(why)))
            .collect()
    });
    all.sort_unstable_by_key(|&(number, _)| number);
    all.into_iter().map(|(_, made)| made).collect()
}

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
/// let deals: Vec<Deal> = ["N:AQ... 76... 54... K3...", "N:AK... 76... 54... Q3..."]
///     .iter()
///     .map(|deal| deal.parse())
///     .collect::<Result<_, _>>()?;
/// let tables = tables(&deals, 2, &Options::default())?;
/// let tricks = tables.iter().map(|table| table.tricks(Strain::NoTrump, Seat::North));
/// assert_eq!(tricks.collect::<Vec<_>>(), [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tables(
    deals: &[Deal],
    threads: usize,
    options: &Options,
) -> Result<Vec<TrickTable>, SolveError> {
    let threads = threads.clamp(1, deals.len().max(1));
    let mut solvers: Vec<Solver> = (0..threads).map(|_| Solver::new(options.clone())).collect();
    let never = AtomicBool::new(false);
    let tables = side_by_side(&mut solvers, deals.len(), &never, |solver, number| {
        solver.table(&deals[number])
    });
    tables.into_iter().collect()
}
