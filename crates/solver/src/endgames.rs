//! External sources of endgame values.

use std::error::Error;
use std::fmt::Debug;

use setrograde_endgame::diagram::Verdict;
use setrograde_endgame::ending::Ending;

/// A source of endgame values, asked at the start of a trick.
///
/// `setrograde_lookup::Database` is one, with the feature `database`. Other types may implement it:
///
/// ```
/// use std::sync::Arc;
///
/// use setrograde_cards::Deal;
/// use setrograde_solver::{Endgames, EndgamesError, Ending, Options, Solver, Verdict};
///
/// /// Plays out the last two tricks.
/// #[derive(Debug)]
/// struct TwoTricks;
///
/// impl Endgames for TwoTricks {
///     fn max_tricks(&self) -> usize {
///         2
///     }
///
///     fn verdict(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, EndgamesError> {
///         let tricks = Solver::new(Options::default()).tricks(&ending.to_position())?;
///         // The proof names every card. One that names fewer holds for more endings, and
///         // saves the search more work.
///         let (reached, known) = (tricks >= target, ending.all_cards());
///         Ok(Some(Verdict { reached, known }))
///     }
/// }
///
/// let deal: Deal = "N:AQ7.K4.. K65..J3. .A32.Q9. J.Q8.A7.".parse()?;
/// let options = Options { endgames: Some(Arc::new(TwoTricks)), ..Options::default() };
/// let table = Solver::new(options).table(&deal)?;
/// assert_eq!(table, Solver::new(Options::default()).table(&deal)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Endgames: Debug + Send + Sync {
    /// Returns the maximum number of tricks that an ending may have for a value to be there.
    /// Endings with more are not asked about.
    fn max_tricks(&self) -> usize;

    /// Returns the maximum number of tricks up to which nearly every question is answered. The
    /// search asks about endings with more tricks last, after all that it knows itself.
    fn exact_tricks(&self) -> usize {
        self.max_tricks()
    }

    /// Returns whether the leader's side takes at least `target` tricks, 1 up to the number of
    /// cards in each hand, and the cards that prove it; `None` if the source does not hold this
    /// ending, and the search must continue.
    ///
    /// The ending's suits are the search's own: if there is a trump suit, it is
    /// clubs.
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
