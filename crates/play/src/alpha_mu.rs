//! What one side can make sure of without seeing the hidden hands, against
//! opponents who see everything.
//!
//! That is the best-defence model (Frank and Basin, "Search in games with
//! incomplete information: a case study using Bridge card play", Artificial
//! Intelligence 100, 1998). The search is αμ (Cazenave and Ventos, "The αμ Search
//! Algorithm for the Game of Bridge", arXiv 1911.07960; Cazenave, Legras and
//! Ventos, "Optimizing αμ", arXiv 2101.12639): a position's value is a Pareto
//! front of sets of worlds; a move of the side joins fronts, a move of the
//! opponents meets them. After `depth` moves of the side every world is valued
//! with all cards known, which is optimistic; without a limit the front is exact.

use std::collections::HashMap;

use setrograde_beliefs::{CardSet, Layout};
use setrograde_cards::{Card, Seat};

use crate::fronts::{Front, Worlds};
use crate::games::{Game, Tally};
use crate::players::PlayerError;
use crate::state::State;
use crate::trick::Trick;
use crate::view::View;

/// Values a world with all cards known: whether the side reaches its target from
/// a position of that world.
pub type Value<'a> = dyn FnMut(usize, &State) -> Result<bool, PlayerError> + 'a;

/// A search about one view: who wants how many tricks, and in which worlds.
pub struct AlphaMu<'a, G> {
    game: G,
    party: usize,
    /// The tricks wanted, with those won before.
    target: u8,
    worlds: &'a [Layout],
    seen: [CardSet; 4],
    trick: Trick,
    tally: Tally,
    value: Option<&'a mut Value<'a>>,
    fronts: HashMap<Key, Front>,
    visits: u64,
    most_visits: u64,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    played: CardSet,
    leader: u8,
    won: u8,
    depth: u8,
    alive: Worlds,
}

/// A position as the side sees it.
#[derive(Clone, Copy)]
struct At {
    played: CardSet,
    trick: Trick,
    tally: Tally,
    alive: Worlds,
    /// Moves of the side until worlds are valued.
    depth: u8,
}

/// No limit on the depth.
pub const EXACT: u8 = u8::MAX;

/// How to make sure of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing is left to be done.
    Won,
    /// The side plays a card.
    Play {
        /// Who plays.
        seat: Seat,
        /// The card.
        card: Card,
        /// What follows.
        then: Box<Plan>,
    },
    /// An opponent plays; cards after which the plan is the same stand together.
    Reply {
        /// Who plays.
        seat: Seat,
        /// What follows each of the cards that the opponent may play.
        branches: Vec<(CardSet, Plan)>,
    },
}

enum Stop {
    TooLong,
    Failed(PlayerError),
}

impl From<PlayerError> for Stop {
    fn from(error: PlayerError) -> Stop {
        Stop::Failed(error)
    }
}

impl<'a, G: Game> AlphaMu<'a, G> {
    /// A search for the side of the seat to play in `view`, which wants `target`
    /// of the tricks left. Both hands of the side should be seen. `worlds` are at
    /// most [`Worlds::MOST`] layouts; later ones are left out. `value` values
    /// worlds with all cards known; it is needed only for a limited depth, and
    /// otherwise saves time. The search gives up after `most_visits` positions.
    pub fn new(
        view: &View<G>,
        target: u8,
        worlds: &'a [Layout],
        value: Option<&'a mut Value<'a>>,
        most_visits: u64,
    ) -> AlphaMu<'a, G> {
        let party = view.game().party(view.to_play());
        AlphaMu {
            game: *view.game(),
            party,
            target: view.tally().tricks[party] + target,
            worlds: &worlds[..worlds.len().min(Worlds::MOST)],
            seen: Seat::ALL.map(|seat| view.hand(seat).unwrap_or_default()),
            trick: *view.trick(),
            tally: *view.tally(),
            value,
            fronts: HashMap::new(),
            visits: 0,
            most_visits,
        }
    }

    /// The front of every card that may be played, with the side looking `depth`
    /// of its moves ahead, this one included; [`EXACT`] for no limit. `None` if
    /// the search gave up.
    ///
    /// # Errors
    ///
    /// If a world cannot be valued.
    pub fn cards(&mut self, depth: u8) -> Result<Option<Vec<(Card, Front)>>, PlayerError> {
        let at = At {
            played: CardSet::EMPTY,
            trick: self.trick,
            tally: self.tally,
            alive: Worlds::first(self.worlds.len()),
            depth,
        };
        let hand = self.seen[at.trick.to_play().index()];
        let mut fronts = Vec::new();
        for card in self.game.legal(hand, &at.trick) {
            match self.after(&at, card, at.alive) {
                Ok(front) => fronts.push((card, front)),
                Err(Stop::TooLong) => return Ok(None),
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        Ok(Some(fronts))
    }

    /// A plan that wins in all worlds of `goal`, beginning with `card`; `None` if
    /// there is none, or the search gave up.
    ///
    /// # Errors
    ///
    /// If a world cannot be valued.
    pub fn plan(&mut self, card: Card, goal: Worlds) -> Result<Option<Plan>, PlayerError> {
        let at = At {
            played: CardSet::EMPTY,
            trick: self.trick,
            tally: self.tally,
            alive: goal,
            depth: EXACT,
        };
        match self.plan_with(&at, card) {
            Ok(plan) => Ok(plan),
            Err(Stop::TooLong) => Ok(None),
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    fn plan_with(&mut self, at: &At, card: Card) -> Result<Option<Plan>, Stop> {
        if !self.after(at, card, at.alive)?.covers(at.alive) {
            return Ok(None);
        }
        let then = self.plan_from(&self.next(at, card, at.alive))?;
        Ok(Some(Plan::Play {
            seat: at.trick.to_play(),
            card,
            then: Box::new(then),
        }))
    }

    /// A plan for a position that can be won in all worlds that are alive.
    fn plan_from(&mut self, at: &At) -> Result<Plan, Stop> {
        let Some(first) = at.alive.iter().next() else {
            return Ok(Plan::Won);
        };
        if at.tally.tricks[self.party] >= self.target {
            return Ok(Plan::Won);
        }
        let seat = at.trick.to_play();
        if self.game.party(seat) == self.party {
            let hand = self.hand(seat, first, at.played);
            for card in self.distinct(at, hand, first) {
                if let Some(plan) = self.plan_with(at, card)? {
                    return Ok(plan);
                }
            }
            return Ok(Plan::Won);
        }
        let mut branches: Vec<(CardSet, Plan)> = Vec::new();
        for (card, worlds) in self.replies(at) {
            let plan = self.plan_from(&self.next(at, card, worlds))?;
            match branches.iter_mut().find(|(_, known)| *known == plan) {
                Some((cards, _)) => *cards |= card.into(),
                None => branches.push((card.into(), plan)),
            }
        }
        Ok(Plan::Reply { seat, branches })
    }

    /// Positions that were looked at.
    #[must_use]
    pub const fn visits(&self) -> u64 {
        self.visits
    }

    fn hand(&self, seat: Seat, world: usize, played: CardSet) -> CardSet {
        (self.seen[seat.index()] | self.worlds[world][seat.index()]) - played
    }

    fn state(&self, at: &At, world: usize) -> State {
        let hands = Seat::ALL.map(|seat| self.hand(seat, world, at.played));
        State::at(hands, at.trick, at.tally)
    }

    /// What follows a card that is played in the worlds `alive`.
    fn after(&mut self, at: &At, card: Card, alive: Worlds) -> Result<Front, Stop> {
        self.front(self.next(at, card, alive))
    }

    /// The position after a card that is played in the worlds `alive`.
    fn next(&self, at: &At, card: Card, alive: Worlds) -> At {
        let mut next = *at;
        next.alive = alive;
        next.played |= card.into();
        if self.game.party(at.trick.to_play()) == self.party {
            next.depth = if at.depth == EXACT {
                EXACT
            } else {
                at.depth - 1
            };
        }
        next.trick.push(&self.game, card);
        if next.trick.len() == 4 {
            let winner = next.trick.winner();
            next.tally.tricks[self.game.party(winner)] += 1;
            next.trick = Trick::new(winner);
        }
        next
    }

    fn front(&mut self, mut at: At) -> Result<Front, Stop> {
        let Some(first) = at.alive.iter().next() else {
            return Ok(Front::of(Worlds::NONE));
        };
        let won = at.tally.tricks[self.party];
        let left = self.hand(at.trick.to_play(), first, at.played).len() as u8;
        if won >= self.target {
            return Ok(Front::of(at.alive));
        }
        if won + left < self.target {
            return Ok(Front::of(Worlds::NONE));
        }
        self.visits += 1;
        if self.visits > self.most_visits {
            return Err(Stop::TooLong);
        }
        let boundary = at.trick.is_empty();
        if at.depth == 0 || boundary {
            at.alive = self.still_open(&at)?;
            if at.depth == 0 || at.alive.is_empty() {
                return Ok(Front::of(at.alive));
            }
        }
        let key = Key {
            played: at.played,
            leader: at.trick.leader().index() as u8,
            won,
            depth: at.depth,
            alive: at.alive,
        };
        if boundary && let Some(front) = self.fronts.get(&key) {
            return Ok(front.clone());
        }
        let front = match self.game.party(at.trick.to_play()) == self.party {
            true => self.own(&at, first)?,
            false => self.theirs(&at)?,
        };
        if boundary {
            self.fronts.insert(key, front.clone());
        }
        Ok(front)
    }

    /// The worlds that can still be won with all cards known: the others are
    /// lost whatever the side does. All of them, if worlds cannot be valued.
    fn still_open(&mut self, at: &At) -> Result<Worlds, PlayerError> {
        let mut open = Worlds::NONE;
        for world in at.alive.iter() {
            let state = self.state(at, world);
            let is_open = match &mut self.value {
                Some(value) => value(world, &state)?,
                None => true,
            };
            if is_open {
                open.insert(world);
            }
        }
        Ok(open)
    }

    /// The side chooses: fronts are joined.
    fn own(&mut self, at: &At, world: usize) -> Result<Front, Stop> {
        let seat = at.trick.to_play();
        let hand = self.hand(seat, world, at.played);
        let mut front = Front::default();
        for card in self.distinct(at, hand, world) {
            front.join(&self.after(at, card, at.alive)?);
            if front.covers(at.alive) {
                break;
            }
        }
        Ok(front)
    }

    /// The opponents choose, world by world: fronts are met.
    fn theirs(&mut self, at: &At) -> Result<Front, Stop> {
        let mut front = Front::of(at.alive);
        for (card, worlds) in self.replies(at) {
            // Worlds that are lost already need not be looked at.
            let hopes = front
                .sets()
                .iter()
                .fold(Worlds::NONE, |all, &set| all | set);
            let open = worlds & hopes;
            if open.is_empty() {
                continue;
            }
            let other = self.after(at, card, open)?;
            front = front.meet(&other, open, at.alive);
        }
        Ok(front)
    }

    /// The cards that the opponent to play may have, each with the worlds in which
    /// it may play it.
    fn replies(&self, at: &At) -> Vec<(Card, Worlds)> {
        let seat = at.trick.to_play();
        let mut cards: Vec<(Card, Worlds)> = Vec::new();
        for world in at.alive.iter() {
            let hand = self.hand(seat, world, at.played);
            for card in self.game.legal(hand, &at.trick) {
                match cards.iter_mut().find(|(known, _)| *known == card) {
                    Some((_, worlds)) => worlds.insert(world),
                    None => cards.push((card, [world].into_iter().collect())),
                }
            }
        }
        cards
    }

    /// One card of each run that no card outside the hand divides.
    fn distinct(&self, at: &At, hand: CardSet, world: usize) -> Vec<Card> {
        let others = Seat::ALL
            .into_iter()
            .filter(|&seat| seat != at.trick.to_play())
            .fold(at.trick.set(), |all, seat| {
                all | self.hand(seat, world, at.played)
            });
        let mut cards: Vec<Card> = Vec::new();
        for card in self.game.legal(hand, &at.trick) {
            let same = cards.last().is_some_and(|last| {
                let between = |other: Card| *last < other && other < card;
                last.suit == card.suit && !others.suit(card.suit).iter().any(between)
            });
            if same {
                cards.pop();
            }
            cards.push(card);
        }
        cards
    }
}
