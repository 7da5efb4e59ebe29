//! Plans that win in all layouts of a set, as the plans of claims.

use std::collections::HashMap;

use setrograde_cards::{Card, Hand, Seat};
use setrograde_claim::{Pair, Plan, PlanBuilder, PlanTooLarge, Step, fixed_order};

use crate::best_defence::{At, Search, Together};
use crate::error::SearchError;
use crate::layout_set::LayoutSet;

/// With so few tricks left, the smallest of all plans is looked for.
const FEW_TRICKS: u8 = 5;

/// The steps of earlier positions that are tried on a new one.
const MOST_TRIED: usize = 24;

/// A position, up to the order in which its cards were played.
type Key = (Hand, Hand, Seat, u8, LayoutSet);

struct Planner<'s, 'a> {
    search: &'s mut Search<'a>,
    builder: PlanBuilder,
    known: HashMap<Key, usize>,
    /// The steps so far, by leader, cards on the table and tricks left.
    steps: HashMap<(Seat, usize, u8), Vec<usize>>,
    /// Whether a step wins from a position.
    wins: HashMap<(usize, Key), bool>,
}

impl Search<'_> {
    /// A plan that begins with `card` and wins in all layouts that are alive; `None` if
    /// there is none.
    pub fn plan(&mut self, at: &At, card: Card) -> Result<Option<Plan>, SearchError> {
        let (need, hidden) = (self.need(at), self.hidden());
        let layouts = at.alive.iter().map(|number| &self.layouts[number]);
        let among = layouts.map(|layout| hidden.map(|seat| layout[seat.index()]));
        let among = Some(among.collect());
        let mut planner = Planner {
            search: self,
            builder: PlanBuilder::default(),
            known: HashMap::new(),
            steps: HashMap::new(),
            wins: HashMap::new(),
        };
        let root = planner.play(at, card)?;
        Ok(root.map(|root| Plan {
            among,
            ..planner.builder.finish(root, need)
        }))
    }
}

impl Planner<'_, '_> {
    fn key(&self, at: &At) -> Key {
        let trick = at.state.trick();
        (
            at.played,
            trick.set(),
            trick.leader(),
            self.search.need(at),
            at.alive,
        )
    }

    /// A plan that is too large counts as given up.
    fn added(&self, step: Result<usize, PlanTooLarge>) -> Result<usize, SearchError> {
        step.map_err(|_| SearchError::TooLong(self.search.visits.most))
    }

    fn add(&mut self, step: Step) -> Result<usize, SearchError> {
        let step = self.builder.add(step);
        self.added(step)
    }

    /// The step that plays `card`, if the rest can be won then.
    fn play(&mut self, at: &At, card: Card) -> Result<Option<usize>, SearchError> {
        let next = self.search.next(at, card, at.alive);
        if let Together::Lost(_) = self.search.together(&next)? {
            return Ok(None);
        }
        let then = self.build(&next)?;
        self.add(Step::Play { card, then }).map(Some)
    }

    /// The step for a position that can be won in all layouts that are alive.
    fn build(&mut self, at: &At) -> Result<usize, SearchError> {
        if at.alive.is_empty() || self.search.need(at) == 0 {
            return Ok(PlanBuilder::DONE);
        }
        let key = self.key(at);
        if let Some(&step) = self.known.get(&key) {
            return Ok(step);
        }
        let trick = at.state.trick();
        let place = (trick.leader(), trick.len(), self.search.left(at));
        let step = if let Some(order) = self.order(at) {
            self.add(Step::Order(order))?
        } else if let Some(step) = self.earlier(place, at)? {
            step
        } else {
            let step = match self.search.is_own(at) {
                true => self.choose(at)?,
                false => self.watch(at)?,
            };
            self.steps.entry(place).or_default().push(step);
            step
        };
        self.known.insert(key, step);
        Ok(step)
    }

    /// The smallest step of an earlier position that wins from here, too.
    fn earlier(&mut self, place: (Seat, usize, u8), at: &At) -> Result<Option<usize>, SearchError> {
        let mut steps = self.steps.get(&place).cloned().unwrap_or_default();
        steps.sort_by_key(|&step| self.builder.size(step));
        steps.dedup();
        for step in steps.into_iter().take(MOST_TRIED) {
            if self.wins(step, at)? {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// A fixed order that wins, if the side is to lead.
    fn order(&self, at: &At) -> Option<Vec<Pair>> {
        let search = &self.search;
        if !at.state.trick().is_empty() || !search.is_own(at) {
            return None;
        }
        let known = search.knowledge(at)?;
        let hidden = known.hidden();
        let layouts = at.alive.iter();
        let layouts = layouts.map(|number| hidden.map(|seat| search.hand(at, seat, number)));
        fixed_order(&known.among(&layouts.collect::<Vec<_>>()), search.need(at))
    }

    /// The step that plays a card of the side: with few tricks left the one of the
    /// smallest plan.
    fn choose(&mut self, at: &At) -> Result<usize, SearchError> {
        let mut best: Option<usize> = None;
        let left = self.search.left(at);
        for card in self.search.own_cards(at) {
            let Some(step) = self.play(at, card)? else {
                continue;
            };
            let size = |step: usize| self.builder.size(step);
            if best.is_none_or(|best| size(step) < size(best)) {
                best = Some(step);
            }
            if left > FEW_TRICKS {
                break;
            }
        }
        Ok(best.expect("a position that can be won has a card that wins"))
    }

    /// The step that watches an opponent's card, and goes the same way after as many
    /// cards as it can.
    fn watch(&mut self, at: &At) -> Result<usize, SearchError> {
        let mut ways: Vec<(Hand, usize)> = Vec::new();
        let mut playable = Hand::EMPTY;
        for (card, layouts) in self.search.replies(at) {
            playable.insert(card);
            let next = self.search.next(at, card, layouts);
            let mut found = None;
            for (n, &(_, then)) in ways.iter().enumerate() {
                if self.wins(then, &next)? {
                    found = Some(n);
                    break;
                }
            }
            let then = match found {
                Some(n) => ways[n].1,
                None => self.build(&next)?,
            };
            match ways.iter_mut().find(|(_, way)| *way == then) {
                Some((cards, _)) => *cards |= card.into(),
                None => ways.push((card.into(), then)),
            }
        }
        let step = self.builder.watch(ways, playable);
        self.added(step)
    }

    /// Whether the plan from `step` on wins in all layouts that are alive.
    fn wins(&mut self, step: usize, at: &At) -> Result<bool, SearchError> {
        if self.search.need(at) == 0 {
            return Ok(true);
        }
        let key = (step, self.key(at));
        if let Some(&known) = self.wins.get(&key) {
            return Ok(known);
        }
        self.search.visits.count()?;
        let own = self.search.is_own(at);
        let wins = match self.builder.steps()[step].clone() {
            Step::Order(pairs) => self.order_wins(&pairs, at),
            Step::Play { card, then } if own && self.may_play(card, at) => {
                self.wins(then, &self.search.next(at, card, at.alive))?
            }
            Step::Watch { seen, otherwise } if !own => {
                let mut all = true;
                for (card, alive) in self.search.replies(at) {
                    let way = seen.iter().find(|(cards, _)| cards.contains(card));
                    let then = way.map_or(otherwise, |&(_, then)| then);
                    all = all && self.wins(then, &self.search.next(at, card, alive))?;
                }
                all
            }
            _ => false,
        };
        self.wins.insert(key, wins);
        Ok(wins)
    }

    /// Whether the side, which is to play, may play `card`.
    fn may_play(&self, card: Card, at: &At) -> bool {
        at.state.legal(&self.search.rules).contains(card)
    }

    /// Whether pairs, played one after the other, win all their tricks.
    fn order_wins(&self, pairs: &[Pair], at: &At) -> bool {
        let search = &self.search;
        if search.need(at) == 0 {
            return true;
        }
        let Some((&(lead, follow), rest)) = pairs.split_first() else {
            return false;
        };
        if !at.state.trick().is_empty() || !search.is_own(at) || !self.may_play(lead, at) {
            return false;
        }
        let led = search.next(at, lead, at.alive);
        search.replies(&led).into_iter().all(|(card, alive)| {
            let second = search.next(&led, card, alive);
            self.may_play(follow, &second) && {
                let third = search.next(&second, follow, alive);
                search.replies(&third).into_iter().all(|(card, alive)| {
                    let ended = search.next(&third, card, alive);
                    search.need(&ended) < search.need(at) && self.order_wins(rest, &ended)
                })
            }
        })
    }
}
