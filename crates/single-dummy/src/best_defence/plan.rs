//! Plans that win in all worlds of a set, as the plans of claims.

use std::collections::HashMap;

use setrograde_beliefs::CardSet;
use setrograde_cards::{Card, Hand, Seat};
use setrograde_claim::{Knowledge, Pair, Plan, PlanBuilder, Step, fixed_order};
use setrograde_games::Game;

use super::claims::knowledge;
use super::together::{Search, Together};
use crate::worlds::{At, Stop, Worlds};

/// With so few tricks left, the smallest of all plans is looked for.
const FEW_TRICKS: usize = 4;

/// A position, up to the order in which its cards were played.
type Key = (CardSet, CardSet, Seat, u8, Worlds);

struct Planner<'s, 'a, G> {
    search: &'s mut Search<'a, G>,
    builder: PlanBuilder,
    known: HashMap<Key, usize>,
    /// Whether a step wins from a position.
    wins: HashMap<(usize, Key), bool>,
}

impl<G: Game> Search<'_, G> {
    /// A plan that begins with `card` and wins in all worlds that are alive; `None` if
    /// there is none, or it would be too large.
    pub fn plan_with(&mut self, at: &At, card: Card) -> Result<Option<Plan>, Stop> {
        let need = self.subject.target - self.subject.won(at);
        let hidden = self.subject.hidden();
        let layouts = at.alive.iter().map(|world| {
            let layout = &self.subject.worlds[world];
            hidden.map(|seat| layout[seat.index()])
        });
        let among = Some(layouts.collect());
        let mut planner = Planner {
            search: self,
            builder: PlanBuilder::default(),
            known: HashMap::new(),
            wins: HashMap::new(),
        };
        let root = planner.play(at, card)?;
        Ok(root.map(|root| Plan {
            among,
            ..planner.builder.finish(root, need)
        }))
    }
}

impl<G: Game> Planner<'_, '_, G> {
    fn key(&self, at: &At) -> Key {
        let won = self.search.subject.won(at);
        (at.played, at.trick.set(), at.trick.leader(), won, at.alive)
    }

    fn add(&mut self, step: Step) -> Result<usize, Stop> {
        self.builder.add(step).map_err(|_| Stop::TooLong)
    }

    /// The step that plays `card`, if the rest can be won then.
    fn play(&mut self, at: &At, card: Card) -> Result<Option<usize>, Stop> {
        let next = self.search.subject.next(at, card, at.alive);
        if let Together::Lost(_) = self.search.together(&next)? {
            return Ok(None);
        }
        let then = self.build(&next)?;
        self.add(Step::Play { card, then }).map(Some)
    }

    /// The step for a position that can be won in all worlds that are alive.
    fn build(&mut self, at: &At) -> Result<usize, Stop> {
        let subject = &self.search.subject;
        if at.alive.is_empty() || subject.won(at) >= subject.target {
            return Ok(PlanBuilder::DONE);
        }
        let key = self.key(at);
        if let Some(&step) = self.known.get(&key) {
            return Ok(step);
        }
        let step = match (self.order(at), self.search.subject.is_own(at)) {
            (Some(order), _) => self.add(Step::Order(order))?,
            (None, true) => self.choose(at)?,
            (None, false) => self.watch(at)?,
        };
        self.known.insert(key, step);
        Ok(step)
    }

    /// A fixed order that wins, if the side is to lead.
    fn order(&self, at: &At) -> Option<Vec<Pair>> {
        let subject = &self.search.subject;
        if !at.trick.is_empty() || !subject.is_own(at) {
            return None;
        }
        let known: Knowledge = knowledge(subject, at)?;
        let hidden = known.hidden();
        let layouts = at.alive.iter().map(|world| {
            let hand = |seat: Seat| subject.hand(seat, world, at.played);
            hidden.map(hand)
        });
        let layouts: Vec<[Hand; 2]> = layouts.collect();
        fixed_order(&known.among(&layouts), subject.target - subject.won(at))
    }

    /// The step that plays a card of the side: with few tricks left the one of the
    /// smallest plan.
    fn choose(&mut self, at: &At) -> Result<usize, Stop> {
        let mut best: Option<usize> = None;
        let left = self.search.subject.left(at);
        for card in self.search.subject.own_cards(at) {
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
    fn watch(&mut self, at: &At) -> Result<usize, Stop> {
        let mut ways: Vec<(Hand, usize)> = Vec::new();
        let mut playable = Hand::EMPTY;
        for (card, worlds) in self.search.subject.replies(at) {
            playable.insert(card);
            let next = self.search.subject.next(at, card, worlds);
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
        step.map_err(|_| Stop::TooLong)
    }

    /// Whether the plan from `step` on wins in all worlds that are alive.
    fn wins(&mut self, step: usize, at: &At) -> Result<bool, Stop> {
        let subject = &self.search.subject;
        if subject.won(at) >= subject.target {
            return Ok(true);
        }
        let key = (step, self.key(at));
        if let Some(&known) = self.wins.get(&key) {
            return Ok(known);
        }
        self.search.visits.count(1)?;
        let own = self.search.subject.is_own(at);
        let wins = match self.builder.steps()[step].clone() {
            Step::Done => false,
            Step::Order(pairs) => self.order_wins(&pairs, at),
            Step::Play { card, then } => {
                own && self.may_play(card, at) && {
                    let next = self.search.subject.next(at, card, at.alive);
                    self.wins(then, &next)?
                }
            }
            Step::Watch { seen, otherwise } => {
                let mut all = !own;
                let replies = match all {
                    true => self.search.subject.replies(at),
                    false => Vec::new(),
                };
                for (card, worlds) in replies {
                    let way = seen.iter().find(|(cards, _)| cards.contains(card));
                    let then = way.map_or(otherwise, |&(_, then)| then);
                    let next = self.search.subject.next(at, card, worlds);
                    all = all && self.wins(then, &next)?;
                }
                all
            }
        };
        self.wins.insert(key, wins);
        Ok(wins)
    }

    /// Whether the side, which is to play, may play `card`.
    fn may_play(&self, card: Card, at: &At) -> bool {
        let subject = &self.search.subject;
        let seat = at.trick.to_play();
        let hand = subject.seen[seat.index()] - at.played;
        subject.game.legal(hand, &at.trick).contains(card)
    }

    /// Whether pairs, played one after the other, win all their tricks.
    fn order_wins(&self, pairs: &[Pair], at: &At) -> bool {
        let subject = &self.search.subject;
        if subject.won(at) >= subject.target {
            return true;
        }
        let Some((&(lead, follow), rest)) = pairs.split_first() else {
            return false;
        };
        let after = |card: Card, at: &At| subject.next(at, card, at.alive);
        if !at.trick.is_empty() || !subject.is_own(at) || !self.may_play(lead, at) {
            return false;
        }
        let led = after(lead, at);
        subject.replies(&led).into_iter().all(|(card, worlds)| {
            let second = subject.next(&led, card, worlds);
            self.may_play(follow, &second) && {
                let third = after(follow, &second);
                subject.replies(&third).into_iter().all(|(card, worlds)| {
                    let ended = subject.next(&third, card, worlds);
                    subject.won(&ended) > subject.won(at) && self.order_wins(rest, &ended)
                })
            }
        })
    }
}
