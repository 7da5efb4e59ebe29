//! The exact distribution of double-dummy tricks over all layouts that a seat
//! cannot tell apart.
//!
//! At the start of a trick the layouts are not visited: for every way to split
//! the suits among the hidden hands they are counted on the diagram of that
//! partition. In the middle of a trick, for single cards, and under limits on
//! high-card points every layout is looked up.

mod chances;
mod counting;
mod error;
mod visiting;

use std::sync::atomic::AtomicBool;

use setrograde_beliefs::{Beliefs, Limits};
use setrograde_cards::Seat;
use setrograde_lookup::Database;

use self::chances::Gather;
pub use self::chances::{BySplit, Odds};
use self::counting::Counting;
pub use self::error::{MOST_VISITED, OddsError};
pub use self::visiting::{card_odds, visited, visited_by_split};
use setrograde_games::{Game, View};

/// The odds of the side of the seat that leads, or led, to the current trick.
///
/// # Errors
///
/// If the game is not played as bridge, the database does not hold the endings
/// or is damaged, layouts must be visited and are too many, or `cancel` is set
/// meanwhile.
pub fn odds<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
    cancel: &AtomicBool,
) -> Result<Odds, OddsError> {
    gathered(view, beliefs, database, cancel)
}

/// The same odds, and those for every way to split each suit.
///
/// # Errors
///
/// As [`odds`].
pub fn odds_by_split<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
    cancel: &AtomicBool,
) -> Result<BySplit, OddsError> {
    gathered(view, beliefs, database, cancel)
}

fn gathered<G: Game, T: Gather>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
    cancel: &AtomicBool,
) -> Result<T, OddsError> {
    if must_visit(view, beliefs) {
        return visiting::gathered(view, beliefs, database, cancel);
    }
    let mut found = T::none();
    Counting::new(view, beliefs, database, cancel, &mut found)?.run()?;
    Ok(found.normal())
}

/// Whether the layouts cannot be counted.
fn must_visit<G: Game>(view: &View<G>, beliefs: &Beliefs) -> bool {
    let points_limited = |seat: Seat| {
        let limits = beliefs.limits(seat);
        limits.points != Limits::default().points
    };
    !view.trick().is_empty() || Seat::ALL.into_iter().any(points_limited)
}
