//! The layouts in which a target is sure for a side that sees its own two hands only, against
//! defenders who see everything: the best line for that target over all layouts of the hidden
//! hands, after each card.

use setrograde_beliefs::{Beliefs, BridgeView, Layout};
use setrograde_cards::{Card, Hand, Seat, Sorting};
use setrograde_claim::{ClaimError, Claims, Knowledge, Plan};
use setrograde_lookup::Database;
use setrograde_parallel::Stop;

use crate::error::SearchError;
use crate::given::best::Optimum;
use crate::given::dropped::Worth;
use crate::given::search::Search;
use crate::given::{Objective, Seen};
use crate::odds::MOST_VISITED;

/// Maximum number of layouts: enough for the 924 of two hidden hands of six cards.
const MOST: u128 = 1024;

/// Memory for the search for claims, in bytes.
const CLAIMS_MEMORY: usize = 16 << 20;

/// Options of [`single_dummy`].
#[derive(Clone)]
pub struct Options<'a> {
    /// The database for values with all cards known; faster, with the same answers.
    pub database: Option<&'a Database>,
    /// Maximum number of positions to search.
    pub most_visits: u64,
    /// True to return a plan.
    pub plan: bool,
    /// Ends the search once it is due.
    pub stop: Stop,
}

/// The number of layouts in which a target is sure.
#[derive(Clone, Debug)]
pub struct SingleDummy {
    /// Number of layouts.
    pub layouts: usize,
    /// The playable cards, each with the number of layouts in which the side reaches the target
    /// after it with best play.
    pub cards: Vec<(Card, usize)>,
    /// A plan for the maximum number of layouts, on request.
    pub plan: Option<Plan>,
}

impl SingleDummy {
    /// Returns the maximum number of layouts in which a card is sure.
    pub fn sure(&self) -> usize {
        let sure = self.cards.iter().map(|&(_, sure)| sure);
        sure.max().unwrap_or(0)
    }
}

/// Returns the number of layouts of `beliefs` in which the side of the seat to play in `view`
/// reaches `target` of the remaining tricks, after each playable card.
///
/// # Errors
///
/// If the view does not show both hands of the side, the target is higher than the tricks left,
/// there are more than 1,024 layouts or no cards to play, or the search reaches its limit, is
/// cancelled, or fails.
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
        return Err(if theirs {
            SearchError::PlayerHidden(seat)
        } else {
            SearchError::HandHidden(side)
        });
    }
    let left = view.tricks_left();
    if usize::from(target) > left {
        return Err(SearchError::Target { target, left });
    }
    SearchError::unless_at_most(MOST, beliefs.count())?;
    SearchError::unless_at_most(MOST_VISITED, beliefs.count_looked_at())?;
    let layouts: Vec<Layout> = beliefs.layouts().until(&options.stop).collect();
    SearchError::if_due(&options.stop)?;
    SearchError::unless_at_most(MOST, layouts.len() as u128)?;
    let seen = Seen::of(view, seat.side());
    let mut claims = Claims::new(setrograde_claim::Options {
        memory: CLAIMS_MEMORY,
        stop: options.stop.clone(),
        ..Default::default()
    });
    let sources = (options.database, None);
    let (mut search, root) =
        Search::new(&seen, &layouts, sources, options.most_visits, &options.stop);
    search.claims = Some(&mut claims);
    let worth = Objective::Target(target).worth(seen.side, left as u8);
    let worth = Worth(vec![worth; layouts.len()]);
    let mut hopes = vec![0; layouts.len()];
    for (number, hope) in (0..).zip(&mut hopes) {
        let state = search.state(&root, number);
        if search.takes(&state, target)? {
            *hope = target;
        }
    }
    let mut found: Vec<(Card, Vec<u8>)> = Vec::new();
    for run in search.own_cards(&root) {
        let next = search.next(&root, run);
        let mut optimum = Optimum {
            search: &mut search,
            worth: &worth,
            cores: Vec::new(),
        };
        let reached = optimum.whole(&next, &hopes)?;
        let equals = search.equals(&root, run).into_iter();
        found.extend(equals.map(|card| (card, reached.clone())));
        found.push((run, reached));
    }
    found.in_order_by_key(|(card, _)| *card);
    let sure = |reached: &[u8]| reached.iter().filter(|&&tricks| tricks >= target).count();
    let best = found.iter().max_by_key(|(_, reached)| sure(reached));
    let (_, best) = best.ok_or(SearchError::Finished)?;
    let goal: Vec<&Layout> = layouts
        .iter()
        .zip(best)
        .filter(|&(_, &won)| won >= target)
        .map(|(layout, _)| layout)
        .collect();
    let knowledge = search.knowledge(&root);
    Ok(SingleDummy {
        layouts: layouts.len(),
        cards: (found.iter())
            .map(|(card, reached)| (*card, sure(reached)))
            .collect(),
        plan: if options.plan {
            plan(&mut claims, &knowledge, &goal, target)?
        } else {
            None
        },
    })
}

/// Returns a plan that takes the target in all layouts of `goal`; `None` if there is none, or if it
/// would be too large to be useful.
fn plan(
    claims: &mut Claims,
    knowledge: &Knowledge,
    goal: &[&Layout],
    target: u8,
) -> Result<Option<Plan>, SearchError> {
    if goal.is_empty() {
        return Ok(None);
    }
    let hidden = knowledge.hidden();
    let among = goal.iter().map(|layout| hidden.map(|seat| layout[seat]));
    let among: Vec<[Hand; 2]> = among.collect();
    match claims.plan(&knowledge.among(&among), target) {
        Ok(plan) => Ok(Some(Plan {
            among: Some(among),
            ..plan
        })),
        Err(ClaimError::Cancelled) => Err(SearchError::Cancelled),
        Err(ClaimError::Solve(error)) => Err(error.into()),
        Err(ClaimError::PlanTooLarge(_) | ClaimError::LimitReached { .. }) => Ok(None),
        Err(error) => unreachable!("a set that can be won has a plan: {error}"),
    }
}
