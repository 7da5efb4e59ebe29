//! The layouts in which a target is sure for a side that sees its own two hands only, against
//! defenders who see everything: the [best defence](crate::best_defence) over all
//! layouts of the hidden hands.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use setrograde_beliefs::{Beliefs, Layout};
use setrograde_cards::{Card, Seat};
use setrograde_claim::{Claims, Plan};
use setrograde_games::BridgeView;
use setrograde_lookup::Database;

use crate::best_defence::BestDefence;
use crate::double_dummy::OpenCards;
use crate::error::SearchError;
use crate::layout_set::LayoutSet;
use crate::odds::MOST_VISITED;

/// Memory for the search for claims, in bytes.
const CLAIMS_MEMORY: usize = 16 << 20;

/// Options of [`single_dummy`].
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
    /// Number of layouts.
    pub layouts: usize,
    /// The cards that may be played: in how many layouts the side reaches the
    /// target after each, playing as well as it can.
    pub cards: Vec<(Card, usize)>,
    /// A plan for as many layouts as any card is sure of, if it was wanted.
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

/// In how many layouts of `beliefs` the side of the seat to play in `view`
/// reaches `target` of the tricks left, after each card that it may play.
///
/// # Errors
///
/// If the view does not show both hands of the side, the target is higher than
/// the tricks left, there are more layouts than [`LayoutSet::MOST`] or no cards to
/// play, or the search gives up, is cancelled, or fails.
pub fn single_dummy(
    view: &BridgeView,
    beliefs: &Beliefs,
    target: u8,
    options: &Options<'_>,
) -> Result<SingleDummy, SearchError> {
    let seat = view.to_play();
    let side = [seat, seat.partner()];
    let open = |seat: Seat| view.hand(seat).is_some();
    if !side.into_iter().all(open) {
        let theirs = [seat.next(), seat.plus(3)].into_iter().all(open);
        return Err(match theirs {
            true => SearchError::PlayerHidden(seat),
            false => SearchError::HandHidden(side),
        });
    }
    let left = view.tricks_left();
    if usize::from(target) > left {
        return Err(SearchError::Target { target, left });
    }
    SearchError::unless_at_most(LayoutSet::MOST as u128, beliefs.count())?;
    SearchError::unless_at_most(MOST_VISITED, beliefs.count_looked_at())?;
    let cancel = || Some(Arc::clone(&options.cancel));
    let mut claims = Claims::new(setrograde_claim::Options {
        memory: CLAIMS_MEMORY,
        cancel: cancel(),
        ..Default::default()
    });
    let all: Vec<Layout> = beliefs.layouts().collect();
    let layouts = all.len();
    SearchError::unless_at_most(LayoutSet::MOST as u128, layouts as u128)?;
    let mut search = BestDefence::new(view, target, all)?
        .with_open_cards(OpenCards::new(view, target, options.database, cancel()))
        .with_claims(&mut claims)
        .with_limit(options.most_visits)
        .with_cancel(Arc::clone(&options.cancel));
    let found = search.cards()?;
    let best = found.iter().max_by_key(|(_, sure)| sure.len());
    let &(_, goal) = best.ok_or(SearchError::Finished)?;
    let plan = match options.plan {
        true => search.plan(goal)?,
        false => None,
    };
    let cards = found.iter().map(|&(card, sure)| (card, sure.len()));
    Ok(SingleDummy {
        layouts,
        cards: cards.collect(),
        plan,
    })
}
