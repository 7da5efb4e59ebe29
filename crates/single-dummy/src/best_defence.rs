//! The tricks that one side can make sure of without seeing the hidden hands, against
//! opponents who see everything: the best-defence model (Frank and Basin, "Search
//! in games with incomplete information: a case study using Bridge card play",
//! Artificial Intelligence 100, 1998), solved exactly.
//!
//! [`Search::together`] decides whether one plan wins in all of a set of layouts. If
//! none does, a few of the layouts show that: at a position of the side those that
//! refute each of its cards, at one of the opponents those that refute the reply. Such
//! a *core* refutes every set that it is part of.
//!
//! [`Search::heaviest`] finds the heaviest set that can be won together. It leaves out
//! a layout of each core. So as much weight as it takes to hit all cores that are known
//! is lost at least, and what remains is the answer if it can be won together; if not,
//! it has cores that are new. (Davies and Bacchus, "Solving MAXSAT by solving a sequence
//! of simpler SAT instances", CP 2011, with positions in place of clauses.)

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use setrograde_beliefs::Layout;
use setrograde_cards::{Card, Hand, Seat, Side, Trick};
use setrograde_claim::{ClaimError, Claims, Knowledge, Plan};
use setrograde_games::{BridgeView, State, Whist};

use crate::double_dummy::{OpenCards, runs};
use crate::error::{SearchError, Visits};
use crate::hitting::lightest;
use crate::layout_set::LayoutSet;

/// With fewer layouts a claim is not asked for: they are soon decided.
const CLAIM_FROM: usize = 8;

/// A search about one view: the layouts in which the side to play makes its target.
pub struct BestDefence<'a> {
    search: Search<'a>,
    root: At,
}

impl<'a> BestDefence<'a> {
    /// A search for the side of the seat to play in `view`, which wants `target`
    /// of the tricks left. Both hands of the side should be seen.
    ///
    /// # Errors
    ///
    /// If there are more than [`LayoutSet::MOST`] layouts.
    pub fn new(
        view: &BridgeView,
        target: u8,
        layouts: Vec<Layout>,
    ) -> Result<BestDefence<'a>, SearchError> {
        SearchError::unless_at_most(LayoutSet::MOST as u128, layouts.len() as u128)?;
        let side = view.to_play().side();
        let [won, lost] = [side, side.opponents()].map(|side| view.tally().tricks[side.index()]);
        let root = At {
            played: Hand::EMPTY,
            state: view.state(&Layout::default()),
            alive: LayoutSet::first(layouts.len()),
        };
        let search = Search {
            rules: *view.game(),
            side,
            target: won + target,
            tricks: won + lost + view.tricks_left() as u8,
            weights: vec![1.0; layouts.len()],
            layouts,
            open: None,
            claims: None,
            positions: HashMap::new(),
            visits: Visits {
                made: 0,
                most: u64::MAX,
                cancel: Arc::default(),
            },
        };
        Ok(BestDefence { search, root })
    }

    /// The same search, with a weight for each layout; 1 unless set.
    #[must_use]
    pub fn with_weights(mut self, weights: &[f64]) -> BestDefence<'a> {
        self.search.weights.fill(0.0);
        let all = self.search.weights.iter_mut().zip(weights);
        all.for_each(|(weight, given)| *weight = *given);
        self
    }

    /// The same search, which leaves out layouts that are lost with all cards known. The
    /// answers are the same.
    #[must_use]
    pub fn with_open_cards(mut self, open: OpenCards<'a>) -> BestDefence<'a> {
        self.search.open = Some(open);
        self
    }

    /// The same search, which asks at the start of tricks whether the side can
    /// claim its target whatever the hidden cards. The answers are the same.
    #[must_use]
    pub fn with_claims(mut self, claims: &'a mut Claims) -> BestDefence<'a> {
        self.search.claims = Some(claims);
        self
    }

    /// The same search, which gives up after that many positions.
    #[must_use]
    pub fn with_limit(mut self, most_visits: u64) -> BestDefence<'a> {
        self.search.visits.most = most_visits;
        self
    }

    /// The same search, which ends once `cancel` is set.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Arc<AtomicBool>) -> BestDefence<'a> {
        self.search.visits.cancel = cancel;
        self
    }

    /// The cards that may be played, each with a heaviest set of layouts in which
    /// the side can make sure of the target together.
    ///
    /// # Errors
    ///
    /// If the search gives up, is cancelled, or a layout cannot be valued.
    pub fn cards(&mut self) -> Result<Vec<(Card, LayoutSet)>, SearchError> {
        let root = self.root;
        let runs = self.search.own_cards(&root);
        let mut found: Vec<(Card, LayoutSet)> = Vec::new();
        for run in runs {
            let next = self.search.next(&root, run, root.alive);
            found.push((run, self.search.heaviest(&next)?));
        }
        let of_run = |card: Card| {
            // The highest of a run stands for all of it.
            let higher = found
                .iter()
                .filter(|(run, _)| run.suit == card.suit && *run >= card);
            higher
                .min_by_key(|(run, _)| *run)
                .map(|&(_, sure)| (card, sure))
        };
        Ok(root
            .state
            .legal(&self.search.rules)
            .iter()
            .filter_map(of_run)
            .collect())
    }

    /// A plan that wins in all layouts of `goal`; `None` if it would be too large to be of
    /// use, or there is none.
    ///
    /// # Errors
    ///
    /// If the search is cancelled.
    pub fn plan(self, goal: LayoutSet) -> Result<Option<Plan>, SearchError> {
        let BestDefence { search, root } = self;
        let knowledge = search.knowledge(&root);
        let layouts = goal.iter().map(|number| &search.layouts[number]);
        let hidden = knowledge.hidden();
        let among = layouts.map(|layout| hidden.map(|seat| layout[seat]));
        let among: Vec<[Hand; 2]> = among.collect();
        let need = search.need(&root);
        let Some(claims) = search.claims.filter(|_| !among.is_empty()) else {
            return Ok(None);
        };
        match claims.plan(&knowledge.among(&among), need) {
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

    /// Positions that were looked at.
    #[must_use]
    pub const fn visits(&self) -> u64 {
        self.search.visits.made
    }
}

/// A position as the side sees it, in the layouts that are alive: those in which the
/// opponents could have played as they did.
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// The cards played since the root.
    pub played: Hand,
    /// The position, without the hidden hands.
    pub state: State,
    pub alive: LayoutSet,
}

/// The cards played, the leader, and the tricks won.
type Key = (Hand, Seat, u8);

/// Whether layouts can be won together.
#[derive(Clone, Copy)]
pub(crate) enum Together {
    Won,
    /// They cannot; this core says why.
    Lost(LayoutSet),
}

/// Findings about a position at the start of a trick.
#[derive(Default)]
struct Known {
    /// Sets that can be won together, none part of another.
    won: Vec<LayoutSet>,
    /// Cores, none part of another.
    lost: Vec<LayoutSet>,
    /// Layouts that were looked at with all cards known, and those that are won then.
    opened: LayoutSet,
    open: LayoutSet,
    /// Whether the side can claim the tricks it needs.
    claimed: Option<bool>,
}

impl Known {
    fn find(&self, alive: LayoutSet) -> Option<Together> {
        if self.won.iter().any(|&set| alive.is_subset(set)) {
            return Some(Together::Won);
        }
        let core = self.lost.iter().find(|core| core.is_subset(alive));
        core.map(|&core| Together::Lost(core))
    }

    fn add(&mut self, alive: LayoutSet, found: Together) {
        match found {
            Together::Won => keep(&mut self.won, alive, |set, other| other.is_subset(set)),
            Together::Lost(core) => keep(&mut self.lost, core, LayoutSet::is_subset),
        }
    }
}

/// Adds a set, unless one of the others says as much; those that say less go.
fn keep(
    sets: &mut Vec<LayoutSet>,
    new: LayoutSet,
    says_more: impl Fn(LayoutSet, LayoutSet) -> bool,
) {
    if !sets.iter().any(|&old| says_more(old, new)) {
        sets.retain(|&old| !says_more(new, old));
        sets.push(new);
    }
}

/// A search about one side and its target, and what it has found.
pub(crate) struct Search<'a> {
    pub rules: Whist,
    side: Side,
    /// The tricks wanted, with those won before the root.
    pub target: u8,
    /// All tricks, with those before the root.
    tricks: u8,
    pub layouts: Vec<Layout>,
    weights: Vec<f64>,
    open: Option<OpenCards<'a>>,
    claims: Option<&'a mut Claims>,
    positions: HashMap<Key, Known>,
    pub visits: Visits,
}

impl Search<'_> {
    /// Whether the side can win in all layouts that are alive.
    pub fn together(&mut self, at: &At) -> Result<Together, SearchError> {
        let Some(first) = at.alive.iter().next() else {
            return Ok(Together::Won);
        };
        if self.need(at) == 0 {
            return Ok(Together::Won);
        }
        if self.need(at) > self.left(at) {
            return Ok(Together::Lost(LayoutSet::one(first)));
        }
        self.visits.count()?;
        if !at.state.trick().is_empty() {
            return self.by_cards(at);
        }
        let key = (at.played, at.state.to_play(), self.need(at));
        let mut known = self.positions.remove(&key).unwrap_or_default();
        let found = self.at_start(at, first, &mut known);
        self.positions.insert(key, known);
        match found? {
            Some(found) => Ok(found),
            None => {
                let found = self.by_cards(at)?;
                self.positions.entry(key).or_default().add(at.alive, found);
                Ok(found)
            }
        }
    }

    /// The same at the start of a trick, if that can be said without playing a card.
    fn at_start(
        &mut self,
        at: &At,
        first: usize,
        known: &mut Known,
    ) -> Result<Option<Together>, SearchError> {
        if let Some(found) = known.find(at.alive) {
            return Ok(Some(found));
        }
        if let Some(mut open) = self.open.take() {
            let opened = at
                .alive
                .without(known.opened)
                .iter()
                .try_for_each(|number| {
                    if open.reaches(number, &self.state(at, number))? {
                        known.open.insert(number);
                    }
                    known.opened.insert(number);
                    Ok::<_, SearchError>(())
                });
            self.open = Some(open);
            opened?;
            if let Some(lost) = at.alive.without(known.open).iter().next() {
                return Ok(Some(Together::Lost(LayoutSet::one(lost))));
            }
            // A side that knows all the cards plays as well as double dummy.
            if at.alive == LayoutSet::one(first) {
                return Ok(Some(Together::Won));
            }
        }
        if at.alive.len() < CLAIM_FROM || self.claims.is_none() {
            return Ok(None);
        }
        let claimed = match known.claimed {
            Some(claimed) => claimed,
            None => self.can_claim(at)?,
        };
        known.claimed = Some(claimed);
        Ok(claimed.then_some(Together::Won))
    }

    fn can_claim(&mut self, at: &At) -> Result<bool, SearchError> {
        let (knowledge, need) = (self.knowledge(at), self.need(at));
        let claims = self.claims.as_mut();
        match claims.map(|claims| claims.is_sure(&knowledge, need)) {
            Some(Err(ClaimError::Cancelled)) => Err(SearchError::Cancelled),
            // Without a claim there is no bound.
            sure => Ok(matches!(sure, Some(Ok(true)))),
        }
    }

    fn by_cards(&mut self, at: &At) -> Result<Together, SearchError> {
        if self.is_own(at) {
            let mut all = LayoutSet::NONE;
            for card in self.own_cards(at) {
                match self.together(&self.next(at, card, at.alive))? {
                    Together::Won => return Ok(Together::Won),
                    Together::Lost(core) => all = all | core,
                }
            }
            return Ok(Together::Lost(all));
        }
        for (card, alive) in self.replies(at) {
            let found = self.together(&self.next(at, card, alive))?;
            if let Together::Lost(_) = found {
                return Ok(found);
            }
        }
        Ok(Together::Won)
    }

    /// A heaviest set of the layouts alive that the side can win together.
    fn heaviest(&mut self, at: &At) -> Result<LayoutSet, SearchError> {
        let mut cores = Vec::new();
        let mut best = LayoutSet::NONE;
        loop {
            let spared = best.weight(&self.weights);
            let limit = at.alive.weight(&self.weights) - spared;
            let Some(lost) = lightest(&cores, &self.weights, limit, &mut self.visits)? else {
                return Ok(best);
            };
            let hoped = at.alive.without(lost);
            let found = self.largest_within(at, hoped, &mut cores)?;
            if found == hoped {
                return Ok(hoped);
            }
            if found.weight(&self.weights) > spared {
                best = found;
            }
        }
    }

    /// A set that can be won together: what remains of `hoped` without the cores
    /// in it, and then every layout alive that can be added. The cores that are met
    /// join `cores`.
    fn largest_within(
        &mut self,
        at: &At,
        hoped: LayoutSet,
        cores: &mut Vec<LayoutSet>,
    ) -> Result<LayoutSet, SearchError> {
        let mut alive = hoped;
        while let Some(core) = self.least_core(at, alive)? {
            alive = alive.without(core);
            keep(cores, core, LayoutSet::is_subset);
        }
        if alive == hoped {
            return Ok(alive);
        }
        for one in at.alive.without(alive).iter() {
            let more = alive | LayoutSet::one(one);
            match self.least_core(at, more)? {
                None => alive = more,
                Some(core) => keep(cores, core, LayoutSet::is_subset),
            }
        }
        Ok(alive)
    }

    /// A core among the layouts `alive` from which none can be left out, if they cannot
    /// be won together.
    fn least_core(&mut self, at: &At, alive: LayoutSet) -> Result<Option<LayoutSet>, SearchError> {
        let Together::Lost(core) = self.together(&At { alive, ..*at })? else {
            return Ok(None);
        };
        let mut least = core;
        for one in core.iter() {
            let alive = least.without(LayoutSet::one(one));
            if !alive.is_empty()
                && let Together::Lost(core) = self.together(&At { alive, ..*at })?
            {
                least = core;
            }
        }
        Ok(Some(least))
    }

    /// The hand of a seat in a layout.
    pub fn hand(&self, at: &At, seat: Seat, number: usize) -> Hand {
        at.state.hands()[seat] | (self.layouts[number][seat] - at.played)
    }

    /// The position in one of the layouts.
    fn state(&self, at: &At, number: usize) -> State {
        let hands = Seat::ALL.map(|seat| self.hand(at, seat, number));
        State::at(hands, *at.state.trick(), *at.state.tally())
    }

    /// Tricks left, the one under way included.
    pub fn left(&self, at: &At) -> u8 {
        self.tricks - at.state.tally().tricks.iter().sum::<u8>()
    }

    /// Tricks that the side still needs.
    pub fn need(&self, at: &At) -> u8 {
        self.target
            .saturating_sub(at.state.tally().tricks[self.side.index()])
    }

    /// Whether the side is to play.
    pub fn is_own(&self, at: &At) -> bool {
        at.state.to_play().side() == self.side
    }

    /// The position after a card that is played in the layouts `alive`.
    pub fn next(&self, at: &At, card: Card, alive: LayoutSet) -> At {
        let state = at.state.after(&self.rules, card);
        let played = at.played | card.into();
        At {
            played,
            state,
            alive,
        }
    }

    /// The cards that the opponent to play may have, each with the layouts in
    /// which it may play it, those of the most layouts first.
    pub fn replies(&self, at: &At) -> Vec<(Card, LayoutSet)> {
        let mut cards: Vec<(Card, LayoutSet)> = Vec::new();
        for number in at.alive.iter() {
            for card in self.state(at, number).legal(&self.rules) {
                match cards.iter_mut().find(|(known, _)| *known == card) {
                    Some((_, alive)) => alive.insert(number),
                    None => cards.push((card, LayoutSet::one(number))),
                }
            }
        }
        cards.sort_by_key(|(_, alive)| std::cmp::Reverse(alive.len()));
        cards
    }

    /// The side's own cards: one of each run that no card outside the hand
    /// divides, the highest.
    pub fn own_cards(&self, at: &At) -> Vec<Card> {
        // The hidden cards are the same ones in all layouts.
        let all = self.layouts.first().into_iter().flatten().copied();
        let all = (all.collect::<Hand>() - at.played) | at.state.hands().iter().copied().collect();
        let own = at.state.hands()[at.state.to_play()];
        let legal = at.state.legal(&self.rules);
        runs(legal, (all | at.state.trick().set()) - own).collect()
    }

    /// The knowledge of the side.
    fn knowledge(&self, at: &At) -> Knowledge {
        let visible = self.side.seats();
        let visible = visible.map(|seat| (seat, at.state.hands()[seat]));
        let hidden = self.layouts.first().into_iter().flatten().copied();
        let hidden = hidden.collect::<Hand>() - at.played;
        let mut trick = Trick::new(at.state.trick().leader());
        for &card in at.state.trick().cards() {
            trick = trick.with(card).expect("a trick under way has room");
        }
        let knowledge = Knowledge::new(self.rules.strain(), trick, visible, hidden, None);
        knowledge.expect("a position of a layout")
    }
}
