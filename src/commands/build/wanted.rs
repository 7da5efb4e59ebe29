//! `setrograde build --for`: the partitions that the solver needs for some deals.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use setrograde::grouped;
use setrograde::table_deal;
use setrograde_builder::{Build, BuildError, BuildObserver, Work};
use setrograde_cards::Deal;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::{Database, Ending};
use setrograde_ordered::{cores, each};
use setrograde_records::{Problem, Records};
use setrograde_solver::{Endgames, EndgamesError, Options, SolveError, Solver, Verdict};

use crate::interrupt;
use crate::output::say;
use crate::questions::complaint;
use crate::questions::sources::Source;

/// The work that was done for some deals.
pub struct Built {
    pub deals: usize,
    pub partitions: usize,
    pub work: Work,
}

/// The deals of a source, in any format that records have, and the number of boards
/// without one; these are named on standard error.
pub fn read_deals(source: &Source) -> anyhow::Result<(Vec<Deal>, usize)> {
    let name = source.name();
    let (mut deals, mut refused) = (Vec::new(), 0);
    for board in Records::new(source.open()?, &name)? {
        let deal = match &board {
            Ok(board) => {
                table_deal(board).map_err(|error| complaint(&name, board, &error.to_string()))
            }
            Err(error) if matches!(error.problem, Problem::Io(_)) => {
                anyhow::bail!("{name}: cannot read: {error}")
            }
            Err(error) => Err(error.to_string()),
        };
        match deal {
            Ok(deal) => deals.push(deal),
            Err(complaint) => {
                say(format_args!("setrograde: {complaint}"));
                refused += 1;
            }
        }
    }
    anyhow::ensure!(!deals.is_empty(), "{name}: no deals in it");
    Ok((deals, refused))
}

/// Builds the partitions of the level of `build.cards` that the solver asks for
/// when it makes the tables of these deals. Returns `None` if the level is whole
/// already.
///
/// The answers decide the later questions, so solving and building what was missing
/// take turns until nothing is missing.
pub fn build_for(
    build: &Build,
    deals: &[Deal],
    observer: &impl BuildObserver,
) -> anyhow::Result<Option<Built>> {
    // The level is checked here, and the levels below are there afterwards.
    let Some(none) = build.run_partitions(Vec::new(), observer, interrupt::flag())? else {
        return Ok(None);
    };
    let mut built = Built {
        deals: deals.len(),
        partitions: none.partitions,
        work: none.work,
    };
    let index = Arc::new(PartitionIndex::new(build.cards / 4));
    let threads = build.threads.unwrap_or_else(cores);
    let mut done = 0;
    for deals in deals.chunks(threads) {
        loop {
            let wanted = Arc::new(Wanted {
                database: Database::open(&build.directory)?,
                index: Arc::clone(&index),
                missing: Mutex::default(),
            });
            solve(deals, &wanted, threads)?;
            let missing = wanted.take_missing();
            // The level at work is replaced by one that has them.
            drop(wanted);
            if missing.is_empty() {
                break;
            }
            let Some(round) = build.run_partitions(missing, observer, interrupt::flag())? else {
                return Ok(None);
            };
            built.partitions += round.partitions;
            built.work += round.work;
        }
        done += deals.len();
        say(format_args!(
            "{:>2} cards: {done} deals, {} partitions built",
            build.cards,
            grouped(built.partitions as u64)
        ));
    }
    Ok(Some(built))
}

/// Makes the tables of deals, side by side.
fn solve(deals: &[Deal], wanted: &Arc<Wanted>, threads: usize) -> anyhow::Result<()> {
    let options = Options {
        endgames: Some(Arc::clone(wanted) as Arc<dyn Endgames>),
        cancel: Some(Arc::clone(interrupt::flag())),
        ..Options::default()
    };
    let solver = || Solver::new(options.clone());
    let tables = each(deals.len(), threads, solver, |solver, n| {
        solver.table(&deals[n])
    });
    for table in tables {
        match table {
            Err(SolveError::Cancelled) => return Err(BuildError::Cancelled.into()),
            table => table.map(|_| ())?,
        }
    }
    Ok(())
}

/// A database, and the partitions that it lacks in the next level.
#[derive(Debug)]
struct Wanted {
    database: Database,
    /// The numbering of the next level.
    index: Arc<PartitionIndex>,
    missing: Mutex<HashSet<usize>>,
}

impl Wanted {
    fn take_missing(&self) -> Vec<usize> {
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.drain().collect()
    }
}

impl Endgames for Wanted {
    fn max_tricks(&self) -> usize {
        self.index.level()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        let verdict = match self.database.locate(ending)? {
            Some(located) => Some(located.decide(target)?),
            None => None,
        };
        if verdict.is_none() && ending.level() == self.index.level() {
            let number = self.index.number(ending.canonical().partition);
            let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
            missing.insert(number);
        }
        Ok(verdict)
    }
}
