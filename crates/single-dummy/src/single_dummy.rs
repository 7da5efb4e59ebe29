//! The layouts in which a target is sure for a side that sees its own two hands only, against
//! defenders who see everything: the [best defence](crate::best_defence) over all
//! layouts of the hidden hands.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use setrograde_beliefs::{Beliefs, Layout};
use setrograde_cards::{Card, Hand, Trick};
use setrograde_claim::{ClaimError, Claims, Knowledge, Plan};
use setrograde_games::{View, Whist};
use setrograde_lookup::Database;

use crate::best_defence::BestDefence;
use crate::double_dummy::OpenCards;
use crate::error::SearchError;
use crate::layout_set::LayoutSet;

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
    view: &View<Whist>,
    beliefs: &Beliefs,
    target: u8,
    options: &Options<'_>,
) -> Result<SingleDummy, SearchError> {
    let seat = view.to_play();
    let side = [seat, seat.partner()];
    if side.iter().any(|&seat| view.hand(seat).is_none()) {
        return Err(SearchError::HandHidden(side));
    }
    let left = view.tricks_left();
    if usize::from(target) > left {
        return Err(SearchError::Target { target, left });
    }
    SearchError::unless_at_most(LayoutSet::MOST as u128, beliefs.count())?;
    let cancel = || Some(Arc::clone(&options.cancel));
    let mut claims = Claims::new(setrograde_claim::Options {
        memory: CLAIMS_MEMORY,
        cancel: cancel(),
        ..Default::default()
    });
    let layouts: Vec<_> = beliefs.layouts().collect();
    let mut search = BestDefence::new(view, target, layouts.clone())?
        .with_open_cards(OpenCards::new(view, target, options.database, cancel()))
        .with_claims(&mut claims)
        .with_limit(options.most_visits)
        .with_cancel(Arc::clone(&options.cancel));
    let found = search.cards()?;
    let best = found.iter().max_by_key(|(_, sure)| sure.len());
    let &(_, goal) = best.ok_or(SearchError::Finished)?;
    let plan = match options.plan && !goal.is_empty() {
        true => plan(
            &mut claims,
            view,
            target,
            goal.iter().map(|number| &layouts[number]),
        )?,
        false => None,
    };
    let cards = found.iter().map(|&(card, sure)| (card, sure.len()));
    Ok(SingleDummy {
        layouts: beliefs.count() as usize,
        cards: cards.collect(),
        plan,
    })
}

/// A plan that takes the target in all of `layouts`; `None` if it is too large to be of use.
fn plan<'a>(
    claims: &mut Claims,
    view: &View<Whist>,
    target: u8,
    layouts: impl Iterator<Item = &'a Layout>,
) -> Result<Option<Plan>, SearchError> {
    let seat = view.to_play();
    let visible = [seat, seat.partner()].map(|seat| (seat, view.hand(seat).unwrap_or_default()));
    let trick = Trick::new(view.trick().leader());
    let trick = view.trick().cards().iter().fold(trick, |trick, &card| {
        trick
            .with(card)
            .expect("a trick under way has room for a card")
    });
    let knowledge = Knowledge::new(view.game().strain(), trick, visible, view.unseen(), None)
        .expect("a view is a possible position");
    let hidden = knowledge.hidden();
    let among: Vec<[Hand; 2]> = layouts
        .map(|layout| hidden.map(|seat| layout[seat.index()]))
        .collect();
    match claims.plan(&knowledge.among(&among), target) {
        Ok(plan) => Ok(Some(Plan {
            among: Some(among),
            ..plan
        })),
        Err(ClaimError::PlanTooLarge(_) | ClaimError::LimitReached { .. }) => Ok(None),
        Err(ClaimError::Cancelled) => Err(SearchError::Cancelled),
        Err(ClaimError::Solve(error)) => Err(error.into()),
        Err(error) => unreachable!("a plan of single dummy: {error}"),
    }
}
