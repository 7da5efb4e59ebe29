//! The endgame database in use: the built-in one, unless the user has a larger one.
//!
//! Faults are reported once on standard error. The only other way to report them would be a return
//! code, and no answer is wrong without a database.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use setrograde_lookup::Database;
use setrograde_lookup::in_use::{InUse, own_files};
use setrograde_solver::{Endgames, EndgamesError, Ending, Verdict};

/// Opens the database in use as [`Database::in_use`] does; the installed one may also be
/// beside this library.
///
/// # Errors
///
/// As [`Database::in_use`].
pub fn in_use() -> Result<Option<InUse>, setrograde_lookup::Error> {
    Database::in_use_beside(None, &own_files())
}

/// The database in use; `None` if `SETROGRADE_DB` says none.
pub fn open() -> Option<Arc<dyn Endgames>> {
    let found = in_use().ok().flatten()?;
    if let Some(problem) = &found.problem {
        eprintln!("libdds: {problem}");
    }
    Some(Arc::new(Forgiving::new(found.database)))
}

/// A source of endgame values that holds none once it has failed, so a search continues without it.
#[derive(Debug)]
struct Forgiving<E> {
    endgames: Arc<E>,
    failed: AtomicBool,
}

impl<E> Forgiving<E> {
    fn new(endgames: Arc<E>) -> Forgiving<E> {
        Forgiving {
            endgames,
            failed: AtomicBool::new(false),
        }
    }
}

impl<E: Endgames> Endgames for Forgiving<E> {
    fn max_tricks(&self) -> usize {
        self.endgames.max_tricks()
    }

    fn exact_tricks(&self) -> usize {
        self.endgames.exact_tricks()
    }

    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        if self.failed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        self.endgames.verdict(ending, target).or_else(|error| {
            if !self.failed.swap(true, Ordering::Relaxed) {
                eprintln!("libdds: the endgame database fails and is used no more: {error}");
            }
            Ok(None)
        })
    }
}

#[cfg(test)]
mod tests {
    use setrograde_cards::{Deal, Position, Seat, Strain};
    use setrograde_solver::{Options, Solver};

    use super::*;

    /// A database that fails at every question.
    #[derive(Debug)]
    struct Broken;

    impl Endgames for Broken {
        fn max_tricks(&self) -> usize {
            3
        }

        fn verdict(&self, _: &Ending, _: u8) -> Result<Option<Verdict>, EndgamesError> {
            Err("a broken page".into())
        }
    }

    #[test]
    fn a_search_goes_on_without_a_database_that_fails() {
        let deal: Deal = "N:AQ.32.. K4.A5.. ..AK.32 ..Q4.AK".parse().expect("a deal");
        let position = Position::new(Strain::NoTrump, Seat::North, deal, &[]).expect("a position");
        let tricks = |endgames: Option<Arc<dyn Endgames>>| {
            let options = Options {
                endgames,
                ..Options::default()
            };
            Solver::new(options).tricks(&position)
        };
        assert!(tricks(Some(Arc::new(Broken))).is_err());
        let forgiving = tricks(Some(Arc::new(Forgiving::new(Arc::new(Broken)))));
        assert_eq!(forgiving.ok(), tricks(None).ok());
    }
}
