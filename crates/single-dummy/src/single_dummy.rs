//! How sure a target is for a side that sees its own two hands only, against
//! defenders who see everything: the [best defence](crate::best_defence) over all
//! layouts of the hidden hands.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use setrograde_beliefs::{Beliefs, Layout};
use setrograde_cards::{Card, Seat};
use setrograde_claim::Claims;
use setrograde_lookup::Database;
use thiserror::Error;

use crate::best_defence::{BestDefence, Plan};
use crate::double_dummy::OpenCards;
use crate::error::SearchError;
use crate::worlds::{Valuation, Worlds};
use setrograde_games::{Game, State, View};

/// Memory for the search for claims, in bytes.
const CLAIMS_MEMORY: usize = 16 << 20;

/// How [`single_dummy`] searches.
#[derive(Clone)]
pub struct Options<'a> {
    /// Values layouts with all cards known; faster, same answers.
    pub database: Option<&'a Database>,
    /// It gives up after that many positions.
    pub most_visits: u64,
    /// Whether a plan is wanted.
    pub plan: bool,
    /// Ends the search once it is set.
    pub cancel: Arc<AtomicBool>,
}

/// In how many layouts a target is sure.
#[derive(Clone, Debug)]
pub struct SingleDummy {
    /// How many layouts there are.
    pub layouts: usize,
    /// The cards that may be played: in how many layouts the side reaches the
    /// target after each, playing as well as it can.
    pub cards: Vec<(Card, usize)>,
    /// How to play in as many layouts as any card is sure of, if that was wanted.
    pub plan: Option<Plan>,
}

impl SingleDummy {
    /// The most layouts in which a card is sure.
    #[must_use]
    pub fn sure(&self) -> usize {
        let sure = self.cards.iter().map(|&(_, sure)| sure);
        sure.max().unwrap_or(0)
    }
}

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SingleDummyError {
    /// A hand of the side to play is hidden.
    #[error("the hands of {} and {} must be shown", .0[0].name(), .0[1].name())]
    HandHidden([Seat; 2]),
    /// More tricks than are left.
    #[error("a target of {target} tricks: there are {left} left")]
    Target {
        /// What was asked.
        target: u8,
        /// How many are left.
        left: usize,
    },
    /// More layouts than a search can hold.
    #[error("{0} layouts; at most {most} can be searched", most = Worlds::MOST)]
    TooMany(u128),
    /// There are no cards left to play.
    #[error("there are no cards left to play")]
    Finished,
    /// It gave up.
    #[error("no answer within {0} positions")]
    TooLong(u64),
    /// It was cancelled, or the database or the solver failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// In how many layouts of `beliefs` the side of the seat to play in `view`
/// reaches `target` of the tricks left, after each card that it may play.
///
/// # Errors
///
/// If the view does not show both hands of the side, the target is higher than
/// the tricks left, there are more layouts than [`Worlds::MOST`] or no cards to
/// play, or the search gives up, is cancelled, or fails.
pub fn single_dummy<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    target: u8,
    options: &Options<'_>,
) -> Result<SingleDummy, SingleDummyError> {
    let seat = view.to_play();
    let side = [seat, seat.partner()];
    if side.iter().any(|&seat| view.hand(seat).is_none()) {
        return Err(SingleDummyError::HandHidden(side));
    }
    let left = view.tricks_left();
    if usize::from(target) > left {
        return Err(SingleDummyError::Target { target, left });
    }
    if beliefs.count() > Worlds::MOST as u128 {
        return Err(SingleDummyError::TooMany(beliefs.count()));
    }
    let layouts: Vec<Layout> = beliefs.layouts().collect();
    let weights = vec![1.0; layouts.len()];
    let cancel = || Some(Arc::clone(&options.cancel));
    let mut open = OpenCards::new(view, target, options.database, cancel());
    let mut value = open
        .as_mut()
        .map(|open| |world: usize, state: &State| open.reaches(world, state));
    let value = value.as_mut().map(|value| value as &mut Valuation<'_>);
    let mut claims = Claims::new(setrograde_claim::Options {
        memory: CLAIMS_MEMORY,
        cancel: cancel(),
        ..Default::default()
    });
    let known = (&layouts[..], &weights[..]);
    let mut search = BestDefence::new(view, target, known, value, options.most_visits)
        .with_claims(&mut claims)
        .with_cancel(Arc::clone(&options.cancel));
    let too_long = SingleDummyError::TooLong(options.most_visits);
    let found = search.cards()?.ok_or(too_long)?;

    let best = found.iter().max_by_key(|(_, worlds)| worlds.len());
    let &(card, goal) = best.ok_or(SingleDummyError::Finished)?;
    let plan = match options.plan {
        true => search.plan(card, goal)?,
        false => None,
    };
    let cards = found.iter().map(|&(card, worlds)| (card, worlds.len()));
    Ok(SingleDummy {
        layouts: layouts.len(),
        cards: cards.collect(),
        plan,
    })
}
