//! `Solver::table`: the 20 results of a deal.

use std::borrow::Borrow;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use setrograde_cards::{Deal, Seat, Strain};
use setrograde_parallel::in_order;

use crate::board::Board;
use crate::error::SolveError;
use crate::first_guess;
use crate::shared_result::SharedResult;
use crate::solver::{Options, Solver};
use crate::state::is_north_south;
use crate::zero_window::most_tricks;

/// The tricks that each declarer takes in each strain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrickTable {
    tricks: [[u8; 4]; 5],
}

impl TrickTable {
    /// The table with these tricks, 0 to 13, by strain as in [`Strain::ALL`]
    /// and then by declarer from North.
    pub const fn new(tricks: [[u8; 4]; 5]) -> TrickTable {
        TrickTable { tricks }
    }

    /// The tricks that `declarer` takes, the seat to his left leading.
    pub const fn tricks(&self, strain: Strain, declarer: Seat) -> u8 {
        self.tricks[strain.index()][declarer.index()]
    }

    /// All results: strains as in [`Strain::ALL`], in each the declarers North,
    /// East, South, West.
    pub fn results(&self) -> impl Iterator<Item = (Strain, Seat, u8)> + '_ {
        Strain::ALL.into_iter().flat_map(move |strain| {
            Seat::ALL
                .into_iter()
                .map(move |seat| (strain, seat, self.tricks(strain, seat)))
        })
    }
}

/// Writes the 20 numbers in the order of [`TrickTable::results`], with spaces
/// between them.
impl fmt::Display for TrickTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (_, _, tricks)) in self.results().enumerate() {
            write!(f, "{}{tricks}", if n == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl Solver {
    /// Returns the tricks of all declarers in all strains.
    ///
    /// # Errors
    ///
    /// If the hands are empty or not equally long, if the search was cancelled,
    /// and if the database fails.
    pub fn table(&mut self, deal: &Deal) -> Result<TrickTable, SolveError> {
        let mut tricks = [[0; 4]; 5];
        for (tricks, strain) in tricks.iter_mut().zip(Strain::ALL) {
            *tricks = self.declarer_tricks(deal, strain)?;
        }
        Ok(TrickTable { tricks })
    }

    /// Returns what [`table`](Self::table) does, computed by this thread and `threads - 1` others
    /// with their own solvers.
    ///
    /// Each thread takes a strain at a time. A thread that finds none left helps with the last
    /// results of the other threads: the first result counts, and the other search stops. Threads
    /// share results but no memory, so more nodes are searched in all.
    ///
    /// # Errors
    ///
    /// As for [`table`](Self::table).
    pub fn table_on(&mut self, threads: usize, deal: &Deal) -> Result<TrickTable, SolveError> {
        let helpers = threads.min(20).saturating_sub(1);
        // WebAssembly starts no threads.
        if helpers == 0 || cfg!(target_family = "wasm") {
            return self.table(deal);
        }
        let shared = SharedTable::default();
        let options = self.options();
        std::thread::scope(|scope| {
            let help = || {
                let mut solver = Solver::new(options.clone());
                let done = shared.work(&mut solver, deal);
                done.map(|()| *solver.nodes_by_tricks_left())
            };
            // Fewer threads are enough if the system starts no more.
            let start = |_| std::thread::Builder::new().spawn_scoped(scope, help).ok();
            let helpers: Vec<_> = (0..helpers).map_while(start).collect();
            let mut done = shared.work(self, deal);
            for helper in helpers {
                match helper.join() {
                    Ok(Ok(visits)) => self.add_visits(&visits),
                    Ok(Err(error)) => done = done.and(Err(error)),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        })?;
        Ok(shared.into_table())
    }

    /// Returns the tricks of all declarers in one strain, from North on.
    ///
    /// # Errors
    ///
    /// As for [`table`](Self::table).
    pub fn declarer_tricks(&mut self, deal: &Deal, strain: Strain) -> Result<[u8; 4], SolveError> {
        let results = SharedStrain::default();
        self.find(deal, strain, LEADERS, &results)?;
        Ok(results.into_tricks())
    }

    /// Finds the results of one strain for these leaders, except those that are known or become
    /// known meanwhile.
    fn find(
        &mut self,
        deal: &Deal,
        strain: Strain,
        leaders: impl IntoIterator<Item = usize>,
        results: &SharedStrain,
    ) -> Result<(), SolveError> {
        let Some(left) = deal.cards_per_hand() else {
            return Err(SolveError::UnequalHands(
                deal.hands().map(|hand| hand.len()),
            ));
        };
        if left == 0 {
            return Err(SolveError::NoCards);
        }
        let left = left as i32;
        let board = Board::from_deal(strain, deal);
        let mut guess = first_guess::north_south_tricks(&board.start, 0, left);
        let mut search = self.search(deal, strain, &board);
        for leader in leaders {
            if let Some(known) = results.last() {
                guess = known;
            }
            let result = results.of_leader(leader);
            if result.is_known() {
                continue;
            }
            search.stop_when_known(result);
            let found = most_tricks(left, guess, |need| {
                let proof = search.lead(leader, need, left);
                search.finished()?;
                Ok(proof.reached)
            });
            match found {
                Ok(north_south) => results.set(leader, north_south, left),
                Err(SolveError::Cancelled) if result.is_known() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The order of leaders: partners next to each other, because they mostly take the
/// same tricks.
const LEADERS: [usize; 4] = [0, 2, 1, 3];

/// The results of one strain.
#[derive(Default)]
struct SharedStrain {
    /// By declarer.
    tricks: [SharedResult; 4],
    /// The tricks of North and South with the last leader that was finished.
    north_south: SharedResult,
}

impl SharedStrain {
    fn of_leader(&self, leader: usize) -> &SharedResult {
        &self.tricks[(leader + 3) & 3]
    }

    /// Returns a guess at the tricks of North and South: those with another leader.
    fn last(&self) -> Option<i32> {
        self.north_south.get().map(i32::from)
    }

    fn set(&self, leader: usize, north_south: i32, left: i32) {
        self.north_south.set(north_south as u8);
        let mine = is_north_south(leader);
        let tricks = if mine {
            left - north_south
        } else {
            north_south
        };
        self.of_leader(leader).set(tricks as u8);
    }

    fn into_tricks(self) -> [u8; 4] {
        self.tricks
            .map(|result| result.get().expect("every result was found"))
    }
}

/// A table that several threads fill, without a lock.
#[derive(Default)]
struct SharedTable {
    /// The next strain that no thread has begun.
    next: AtomicUsize,
    strains: [SharedStrain; 5],
    /// By strain and leader, whether a thread helps with the result.
    helped: [[AtomicBool; 4]; 5],
}

impl SharedTable {
    fn into_table(self) -> TrickTable {
        TrickTable {
            tricks: self.strains.map(SharedStrain::into_tricks),
        }
    }

    /// Fills the table until there is nothing to help with.
    fn work(&self, solver: &mut Solver, deal: &Deal) -> Result<(), SolveError> {
        let filled = self.fill(solver, deal);
        if filled.is_err() {
            // Nobody needs the rest.
            self.next.store(5, Ordering::Relaxed);
            for helped in self.helped.iter().flatten() {
                helped.store(true, Ordering::Relaxed);
            }
        }
        filled
    }

    fn fill(&self, solver: &mut Solver, deal: &Deal) -> Result<(), SolveError> {
        while let Some(strain) = self.next_strain() {
            solver.find(deal, Strain::ALL[strain], LEADERS, &self.strains[strain])?;
        }
        // Helpers begin at the end, which the owner of the strain reaches last.
        while let Some(strain) = self.most_open() {
            let leaders = LEADERS.into_iter().rev().filter(|&leader| {
                self.is_open(strain, leader)
                    && !self.helped[strain][leader].swap(true, Ordering::Relaxed)
            });
            solver.find(deal, Strain::ALL[strain], leaders, &self.strains[strain])?;
        }
        Ok(())
    }

    /// Returns a strain that no other thread begins.
    fn next_strain(&self) -> Option<usize> {
        let strain = self.next.fetch_add(1, Ordering::Relaxed);
        (strain < self.strains.len()).then_some(strain)
    }

    /// Returns true if a result is unknown and nobody helps with it.
    fn is_open(&self, strain: usize, leader: usize) -> bool {
        !self.strains[strain].of_leader(leader).is_known()
            && !self.helped[strain][leader].load(Ordering::Relaxed)
    }

    /// Returns the strain with the most open results.
    fn most_open(&self) -> Option<usize> {
        let open = |&strain: &usize| {
            (0..4)
                .filter(|&leader| self.is_open(strain, leader))
                .count()
        };
        (0..5).max_by_key(open).filter(|strain| open(strain) > 0)
    }
}

/// Returns the results of many deals in their order, computed by `threads` threads: the table of
/// each, or its error. An error of one deal does not affect the remaining deals.
///
/// Once [`Options::stop`] is due, the deals that are not finished have
/// [`SolveError::Cancelled`].
///
/// ```
/// use setrograde_solver::cards::{Deal, Seat, Strain};
/// use setrograde_solver::{Options, SolveError, tables};
///
/// let deals: Vec<Deal> = ["N:AQ... 76... 54... K3...", "N:A... K... Q... ..."]
///     .iter()
///     .map(|deal| deal.parse())
///     .collect::<Result<_, _>>()?;
/// let tables = tables(&deals, 2, &Options::default());
/// assert_eq!(tables[0].as_ref().unwrap().tricks(Strain::NoTrump, Seat::North), 2);
/// assert!(matches!(tables[1], Err(SolveError::UnequalHands([1, 1, 1, 0]))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tables(
    deals: &[Deal],
    threads: usize,
    options: &Options,
) -> Vec<Result<TrickTable, SolveError>> {
    let mut all = Vec::with_capacity(deals.len());
    let _ = each_table(deals, threads, options, |_, table| {
        all.push(table);
        ControlFlow::<()>::Continue(())
    });
    all
}

/// Solves many deals on `threads` threads and hands the results to `take` in the order of the deals,
/// each as soon as all before it are done: the number of the deal, from 0, and its table or its
/// error. `threads` may be 0: one is used.
///
/// Once `take` breaks, no deal is begun, the searches under way are awaited, and their results are
/// dropped. Once [`Options::stop`] is due, the deals that are not finished have
/// [`SolveError::Cancelled`], and those that other threads finished follow them: continue to get
/// these, too.
///
/// `deals` yields deals or references to deals, and need not know their number.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use setrograde_solver::cards::Deal;
/// use setrograde_solver::{Options, each_table};
///
/// let deals: Vec<Deal> = ["N:AQ... 76... 54... K3...", "N:A... K... Q... ...", "N:A... K... Q... J..."]
///     .iter()
///     .map(|deal| deal.parse())
///     .collect::<Result<_, _>>()?;
/// // Up to the first error.
/// let mut solved = Vec::new();
/// let end = each_table(&deals, 2, &Options::default(), |number, table| match table {
///     Ok(table) => {
///         solved.push(table);
///         ControlFlow::Continue(())
///     }
///     Err(error) => ControlFlow::Break((number, error)),
/// });
/// let ControlFlow::Break((number, error)) = end else { panic!("one hand is empty") };
/// assert_eq!((solved.len(), number), (1, 1));
/// assert!(error.to_string().contains("equally long"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn each_table<B, D: Borrow<Deal> + Send>(
    deals: impl IntoIterator<Item = D, IntoIter: Send>,
    threads: usize,
    options: &Options,
    mut take: impl FnMut(usize, Result<TrickTable, SolveError>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let solver = || Solver::new(options.clone());
    let deals = deals.into_iter();
    let most = deals.size_hint().1.unwrap_or(usize::MAX);
    let mut taken = 0;
    in_order(
        deals,
        threads.min(most),
        solver,
        |solver, deal| solver.table(deal.borrow()),
        |table| match table {
            Some(table) => {
                taken += 1;
                take(taken - 1, table)
            }
            None => ControlFlow::Continue(()),
        },
    )
}
