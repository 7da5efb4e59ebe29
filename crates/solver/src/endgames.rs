//! External sources of endgame values.

use std::error::Error;
use std::fmt::Debug;

use setrograde_endgame::diagram::Verdict;
use setrograde_endgame::ending::Ending;

#[cfg(doc)]
use crate::CheckedProofs;

/// A source of endgame values, asked at the start of a trick.
///
/// `setrograde_lookup::Database` is one, with the feature `database`. Another type implements it
/// like this one, which answers from a database and counts the questions:
///
/// ```
/// # #[cfg(feature = "database")] {
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use setrograde_solver::cards::Deal;
/// use setrograde_lookup::Database;
/// use setrograde_solver::{Endgames, EndgamesError, Ending, Options, Solver, Verdict};
///
/// #[derive(Debug)]
/// struct Counted {
///     database: Database,
///     asked: AtomicUsize,
/// }
///
/// impl Endgames for Counted {
///     fn max_tricks(&self) -> usize {
///         self.database.max_tricks()
///     }
///
///     fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
///         self.asked.fetch_add(1, Ordering::Relaxed);
///         // The verdict names the few cards that prove it.
///         Ok(self.database.decide(ending, target)?)
///     }
/// }
///
/// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
/// let database = Database::open(directory)?;
/// let source = Arc::new(Counted { database, asked: AtomicUsize::new(0) });
/// let deal: Deal = "N:AQ7.K4.. K65..J3. .A32.Q9. J.Q8.A7.".parse()?;
/// let options = Options { endgames: Some(source.clone()), ..Options::default() };
/// let table = Solver::new(options).table(&deal)?;
/// assert_eq!(table, Solver::new(Options::default()).table(&deal)?);
/// assert!(source.asked.load(Ordering::Relaxed) > 0);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The search stores a verdict for all endings with the same known cards. Two things follow. The
/// cards are trusted: a source that names too few gives wrong results without an error, so test
/// one within [`CheckedProofs`]. And a source that names all cards ([`Ending::all_cards`]) makes
/// the search slower than none, because its verdicts hold for one ending each; `docs/rust.md` of
/// the project has figures.
pub trait Endgames: Debug + Send + Sync {
    /// Returns the maximum number of tricks that an ending may have for a value to be there. The
    /// search does not ask about endings with more.
    fn max_tricks(&self) -> usize;

    /// Returns the maximum number of tricks up to which nearly every question is answered, by default
    /// [`max_tricks`](Self::max_tricks). For endings with more tricks the search tries its own table
    /// and bounds first.
    fn exact_tricks(&self) -> usize {
        self.max_tricks()
    }

    /// Returns whether the leader's side takes at least `target` tricks, 1 up to the number of
    /// cards in each hand, and the cards that prove it; `None` if the source does not hold this
    /// ending, and the search must continue.
    ///
    /// The ending's suits are the search's own: if there is a trump suit, it is clubs. A table of
    /// canonical endings is asked for those of [`Ending::to_canonical`].
    ///
    /// # Errors
    ///
    /// If the source cannot be read; the search stops with
    /// [`SolveError::Endgames`](crate::SolveError::Endgames).
    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError>;
}

/// The error of a source of endgame values: any.
pub type EndgamesError = Box<dyn Error + Send + Sync>;

#[cfg(feature = "database")]
impl Endgames for setrograde_lookup::Database {
    fn max_tricks(&self) -> usize {
        (1..14)
            .take_while(|&level| self.level(level).is_some())
            .count()
    }

    fn exact_tricks(&self) -> usize {
        let is_exact = |level: &usize| {
            let level = self.level(*level);
            level.is_some_and(|level| !level.is_coarse())
        };
        (1..14).take_while(is_exact).count()
    }

    #[inline]
    fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
        Ok(self.decide(ending, target)?)
    }
}
