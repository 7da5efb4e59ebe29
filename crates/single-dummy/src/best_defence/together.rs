//! Whether the side can win in all worlds of a set together.
//!
//! If it cannot, a few of the worlds show that: at a position of the side those
//! that refute each of its cards, at one of the opponents those that refute the
//! reply. Such a *core* refutes every set of worlds that it is part of.

use std::collections::HashMap;

use setrograde_beliefs::CardSet;

use super::claims::ClaimedPlaces;
use crate::worlds::{At, Cores, Front, OpenWorlds, Stop, Subject, Visits, Worlds};
use setrograde_games::Game;

/// With fewer worlds a claim is not asked for: they are soon decided.
const CLAIM_FROM: usize = 8;

/// Whether worlds can be won together.
#[derive(Clone, Copy)]
pub(super) enum Together {
    Won,
    /// They cannot; this core says why.
    Lost(Worlds),
}

/// What is known of a position at the start of a trick.
#[derive(Default)]
struct Decided {
    /// What can be won together.
    won: Front,
    lost: Cores,
}

impl Decided {
    fn of(&self, alive: Worlds) -> Option<Together> {
        if self.won.covers(alive) {
            return Some(Together::Won);
        }
        self.lost.within(alive).map(Together::Lost)
    }

    fn add(&mut self, alive: Worlds, found: Together) {
        match found {
            Together::Won => self.won.add(alive),
            Together::Lost(core) => self.lost.add(core),
        }
    }
}

/// The cards played, the leader, and the tricks won.
type Place = (CardSet, u8, u8);

/// A search about one subject, and what it has found.
pub(super) struct Search<'a, G> {
    pub subject: Subject<'a, G>,
    pub weights: Vec<f64>,
    open: OpenWorlds<'a>,
    decided: HashMap<Place, Decided>,
    pub claimed: Option<ClaimedPlaces<'a>>,
    pub visits: Visits,
}

impl<'a, G: Game> Search<'a, G> {
    pub fn new(
        subject: Subject<'a, G>,
        weights: Vec<f64>,
        open: OpenWorlds<'a>,
        visits: Visits,
    ) -> Search<'a, G> {
        Search {
            subject,
            weights,
            open,
            decided: HashMap::new(),
            claimed: None,
            visits,
        }
    }

    /// Whether the side can win in all worlds that are alive.
    pub fn together(&mut self, at: &At) -> Result<Together, Stop> {
        let Some(first) = at.alive.iter().next() else {
            return Ok(Together::Won);
        };
        let (won, target) = (self.subject.won(at), self.subject.target);
        if won >= target {
            return Ok(Together::Won);
        }
        let to_play = at.trick.to_play();
        let left = self.subject.hand(to_play, first, at.played).len() as u8;
        if won + left < target {
            return Ok(Together::Lost(Worlds::one(first)));
        }
        self.visits.count(1)?;
        if !at.trick.is_empty() {
            return self.by_cards(at);
        }
        let place = (at.played, at.trick.leader().index() as u8, won);
        if let Some(found) = self.decided.get(&place).and_then(|of| of.of(at.alive)) {
            return Ok(found);
        }
        let open = self.open.of(&self.subject, at)?;
        if let Some(lost) = at.alive.without(open).iter().next() {
            return Ok(Together::Lost(Worlds::one(lost)));
        }
        // Who knows all the cards plays as well as double dummy.
        if self.open.are_known() && at.alive == Worlds::one(first) {
            return Ok(Together::Won);
        }
        if at.alive.len() >= CLAIM_FROM
            && let Some(claimed) = &mut self.claimed
            && claimed.can_claim(&self.subject, at)?
        {
            return Ok(Together::Won);
        }
        let found = self.by_cards(at)?;
        self.decided.entry(place).or_default().add(at.alive, found);
        Ok(found)
    }

    fn by_cards(&mut self, at: &At) -> Result<Together, Stop> {
        if self.subject.is_own(at) {
            let mut core = Worlds::NONE;
            for card in self.subject.own_cards(at) {
                match self.together(&self.subject.next(at, card, at.alive))? {
                    Together::Won => return Ok(Together::Won),
                    Together::Lost(of) => core = core | of,
                }
            }
            return Ok(Together::Lost(core));
        }
        for (card, worlds) in self.subject.replies(at) {
            let found = self.together(&self.subject.next(at, card, worlds))?;
            if let Together::Lost(_) = found {
                return Ok(found);
            }
        }
        Ok(Together::Won)
    }

    /// A core without the worlds that it can do without.
    pub fn least_core(&mut self, at: &At, core: Worlds) -> Result<Worlds, Stop> {
        let mut least = core;
        for one in core.iter() {
            let alive = least.without(Worlds::one(one));
            if !alive.is_empty()
                && let Together::Lost(core) = self.together(&At { alive, ..*at })?
            {
                least = core;
            }
        }
        Ok(least)
    }
}
