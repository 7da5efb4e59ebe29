//! The search for fronts, with its cuts and its table.
//!
//! A set of worlds is of no use in a position if a choice made earlier by the
//! side already has a plan for all of them (a deep cut), or if even with
//! everything that may be won elsewhere it weighs no more than a card known at
//! the root (a root cut). A front that was found under such bounds is right but
//! for sets of no use; those that were left out stand beside it, so that the
//! table can tell when it may be used again.

use std::collections::HashMap;

use setrograde_beliefs::CardSet;
use setrograde_cards::Card;

use crate::games::Game;
use crate::worlds::{At, EXACT, Front, OpenWorlds, Stop, Subject, Valuation, Visits, Worlds};

/// What a search found below a position.
#[derive(Clone, Default)]
pub(super) struct Found {
    /// Sets that the side can make sure of: all, but for those of no use.
    pub front: Front,
    /// Sets that it may or may not make sure of, all of no use. Together with the
    /// front they bound the true front from above.
    left_out: Front,
}

impl Found {
    fn exactly(worlds: Worlds) -> Found {
        Found {
            front: Front::of(worlds),
            left_out: Front::default(),
        }
    }

    fn no_use(worlds: Worlds) -> Found {
        Found {
            front: Front::default(),
            left_out: Front::of(worlds),
        }
    }
}

/// Which sets of worlds are of no use in a position.
pub(super) struct Bound {
    /// Sets for which there is a plan without coming here, as far as they can be
    /// told apart here.
    known: Front,
    /// The most that worlds which are not alive here can weigh in any plan that
    /// comes here.
    elsewhere: f64,
}

impl Bound {
    /// Everything is of use.
    pub fn none() -> Bound {
        Bound {
            known: Front::default(),
            elsewhere: 0.0,
        }
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    played: CardSet,
    leader: u8,
    won: u8,
    depth: u8,
    alive: Worlds,
}

/// How many pairs of sets are compared in the time of a visit, or less.
const PAIRS_PER_VISIT: u64 = 256;

pub(super) struct Search<'a, G> {
    pub subject: Subject<'a, G>,
    pub weights: Vec<f64>,
    /// Sets that weigh no more than this are of no use.
    pub floor: f64,
    open: OpenWorlds<'a>,
    fronts: HashMap<Key, Found>,
    pub visits: Visits,
}

impl<'a, G: Game> Search<'a, G> {
    pub fn new(
        subject: Subject<'a, G>,
        value: Option<&'a mut Valuation<'a>>,
        weights: Vec<f64>,
        most_visits: u64,
    ) -> Search<'a, G> {
        Search {
            subject,
            weights,
            floor: f64::NEG_INFINITY,
            open: OpenWorlds::new(value),
            fronts: HashMap::new(),
            visits: Visits::at_most(most_visits),
        }
    }

    fn is_useless(&self, set: Worlds, bound: &Bound) -> bool {
        bound.known.covers(set)
            || self.floor > f64::NEG_INFINITY
                && bound.elsewhere + set.weight(&self.weights) <= self.floor + 1e-9
    }

    /// What the side can make sure of from a position on.
    pub fn front(&mut self, mut at: At, bound: &Bound) -> Result<Found, Stop> {
        let Some(first) = at.alive.iter().next() else {
            return Ok(Found::exactly(Worlds::NONE));
        };
        let (won, target) = (self.subject.won(&at), self.subject.target);
        let to_play = at.trick.to_play();
        let left = self.subject.hand(to_play, first, at.played).len() as u8;
        if won >= target {
            return Ok(Found::exactly(at.alive));
        }
        if won + left < target {
            return Ok(Found::exactly(Worlds::NONE));
        }
        self.visits.count(1)?;
        let boundary = at.trick.is_empty();
        if at.depth == 0 || boundary {
            at.alive = self.open.of(&self.subject, &at)?;
            if at.depth == 0 || at.alive.is_empty() {
                return Ok(Found::exactly(at.alive));
            }
        }
        if self.is_useless(at.alive, bound) {
            return Ok(Found::no_use(at.alive));
        }
        if boundary && let Some(found) = self.known(&at, bound) {
            return Ok(found);
        }
        let found = match self.subject.is_own(&at) {
            true => self.own(&at, bound)?,
            false => self.theirs(&at, bound)?,
        };
        if boundary {
            self.fronts.insert(self.key(&at, at.depth), found.clone());
        }
        Ok(found)
    }

    /// Counts what it takes to compare sets of two fronts with each other, which
    /// can be many times what the visits take that found them.
    fn count_pairs(&mut self, front: &Front, other: &Front) -> Result<(), Stop> {
        let pairs = front.sets().len() as u64 * other.sets().len() as u64;
        self.visits.count(pairs / PAIRS_PER_VISIT)
    }

    fn key(&self, at: &At, depth: u8) -> Key {
        Key {
            played: at.played,
            leader: at.trick.leader().index() as u8,
            won: self.subject.won(at),
            depth,
            alive: at.alive,
        }
    }

    /// What the table says of a position, if that is enough.
    fn known(&self, at: &At, bound: &Bound) -> Option<Found> {
        let useless = |front: &Front| {
            let mut sets = front.sets().iter();
            sets.all(|&set| self.is_useless(set, bound))
        };
        if let Some(found) = self.fronts.get(&self.key(at, at.depth)) {
            return useless(&found.left_out).then(|| found.clone());
        }
        // A search less deep was too hopeful, if anything (an early cut).
        if at.depth == EXACT || at.depth < 2 {
            return None;
        }
        let shallow = self.fronts.get(&self.key(at, at.depth - 1))?;
        if !(useless(&shallow.left_out) && useless(&shallow.front)) {
            return None;
        }
        let mut left_out = shallow.left_out.clone();
        left_out.join(&shallow.front);
        Some(Found {
            front: Front::default(),
            left_out,
        })
    }

    /// The side chooses: fronts are joined.
    fn own(&mut self, at: &At, bound: &Bound) -> Result<Found, Stop> {
        let mut found = Found::default();
        let mut below = Bound {
            known: bound.known.clone(),
            elsewhere: bound.elsewhere,
        };
        for card in self.subject.own_cards(at) {
            let next = self.subject.next(at, card, at.alive);
            let after = self.front(next, &below)?;
            self.count_pairs(&found.front, &after.front)?;
            self.count_pairs(&found.left_out, &after.left_out)?;
            self.count_pairs(&below.known, &after.front)?;
            found.front.join(&after.front);
            found.left_out.join(&after.left_out);
            below.known.join(&after.front);
            if found.front.covers(at.alive) {
                break;
            }
        }
        // What some card makes sure of is not left out.
        found.left_out.remove_covered(&found.front);
        Ok(found)
    }

    /// The opponents choose, world by world: fronts are met.
    fn theirs(&mut self, at: &At, bound: &Bound) -> Result<Found, Stop> {
        let mut found = Found::exactly(at.alive);
        for (card, worlds) in self.subject.replies(at) {
            // Worlds that are lost already need not be looked at.
            let open = worlds & found.front.union();
            if open.is_empty() {
                continue;
            }
            let below = self.bound_after(bound, &found.front, open);
            let next = self.subject.next(at, card, open);
            let after = self.front(next, &below)?;
            let mut front = Front::default();
            for &mine in found.front.sets() {
                self.count_pairs(&after.front, &front)?;
                self.count_pairs(&after.front, &bound.known)?;
                self.count_pairs(&after.left_out, &found.left_out)?;
                for &theirs in after.front.sets() {
                    let both = mine & (theirs | mine.without(open));
                    match self.is_useless(both, bound) {
                        true => found.left_out.add(both),
                        false => front.add(both),
                    }
                }
                for &theirs in after.left_out.sets() {
                    found.left_out.add(mine & (theirs | mine.without(open)));
                }
            }
            found.front = front;
            if found.front.sets().is_empty() {
                break;
            }
        }
        found.left_out.remove_covered(&found.front);
        Ok(found)
    }

    /// The bound after a reply that is possible in the worlds `open`, where
    /// `front` holds in the others.
    fn bound_after(&self, bound: &Bound, front: &Front, open: Worlds) -> Bound {
        let rest = || front.sets().iter().map(|set| set.without(open));
        let mut known = Front::default();
        for &set in bound.known.sets() {
            if rest().all(|rest| rest.is_subset(set)) {
                known.add(set & open);
            }
        }
        let elsewhere = match self.floor > f64::NEG_INFINITY {
            true => rest()
                .map(|rest| rest.weight(&self.weights))
                .fold(0.0, f64::max),
            false => 0.0,
        };
        Bound {
            known,
            elsewhere: bound.elsewhere + elsewhere,
        }
    }

    /// What follows a card of the side at the root.
    pub fn after(&mut self, at: &At, card: Card) -> Result<Found, Stop> {
        self.front(self.subject.next(at, card, at.alive), &Bound::none())
    }
}
