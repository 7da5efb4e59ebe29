//! Odds by looking up every layout.

use std::sync::atomic::AtomicBool;

use setrograde_beliefs::Beliefs;
use setrograde_cards::Card;
use setrograde_lookup::Database;

use super::chances::{BySplit, Gather, Odds};
use super::error::{MOST_VISITED, OddsError, check_cancelled};
use crate::endings::Endings;
use setrograde_games::{Game, View};

/// The odds of each card that may be played, for the side of the seat that
/// plays it: every layout is looked up, and the rest of the trick is searched.
///
/// # Errors
///
/// As [`odds`](super::odds).
pub fn card_odds<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
    cancel: &AtomicBool,
) -> Result<Vec<(Card, Odds)>, OddsError> {
    let endings = Endings::new(view.game(), Some(database)).ok_or(OddsError::Game(G::NAME))?;
    check_visits(beliefs)?;
    let party = view.game().party(view.to_play());
    let mut cards: Vec<(Card, Odds)> = view
        .playable()
        .iter()
        .map(|card| (card, Odds::NONE))
        .collect();
    let before = view.tally().tricks[party];
    for layout in beliefs.layouts() {
        check_cancelled(cancel)?;
        let weight = beliefs.log_probability(&layout).exp();
        let state = view.state(&layout);
        for (card, odds) in &mut cards {
            if state.legal(view.game()).contains(*card) {
                let tally = endings.finish_with(&state, *card)?;
                odds.add(tally.tricks[party] - before, weight);
            }
        }
    }
    Ok(cards
        .into_iter()
        .map(|(card, odds)| (card, odds.normal()))
        .collect())
}

/// The odds by looking up every layout.
///
/// # Errors
///
/// As [`odds`](super::odds).
pub fn visited<G: Game>(
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
/// As [`odds`](super::odds).
pub fn visited_by_split<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
    cancel: &AtomicBool,
) -> Result<BySplit, OddsError> {
    gathered(view, beliefs, database, cancel)
}

pub(super) fn gathered<G: Game, T: Gather>(
    view: &View<G>,
    beliefs: &Beliefs,
    database: &Database,
    cancel: &AtomicBool,
) -> Result<T, OddsError> {
    let endings = Endings::new(view.game(), Some(database)).ok_or(OddsError::Game(G::NAME))?;
    check_visits(beliefs)?;
    let party = view.game().party(view.trick().leader());
    let before = view.tally().tricks[party];
    let mut found = T::none();
    for layout in beliefs.layouts() {
        check_cancelled(cancel)?;
        let weight = beliefs.log_probability(&layout).exp();
        let tricks = endings.finish(&view.state(&layout))?.tricks[party] - before;
        found.add_layout(&layout, tricks, weight);
    }
    Ok(found.normal())
}

fn check_visits(beliefs: &Beliefs) -> Result<(), OddsError> {
    match beliefs.count() {
        count if count > MOST_VISITED => Err(OddsError::TooMany(count)),
        _ => Ok(()),
    }
}
