//! Endings looked up in a database.

use setrograde_beliefs::CardSet;
use setrograde_cards::{Card, Deal, Hand, Strain};
use setrograde_lookup::{Database, Ending, ProbeError};

use setrograde_games::{Game, State, Tally};

/// The endings of a game that is played as bridge, in a database.
pub struct Endings<'a, G> {
    game: &'a G,
    strain: Strain,
    database: &'a Database,
    depth: usize,
}

impl<'a, G: Game> Endings<'a, G> {
    /// `None` for another kind of game, or without a database.
    pub fn new(game: &'a G, database: Option<&'a Database>) -> Option<Endings<'a, G>> {
        let (strain, database) = (game.strain()?, database?);
        Some(Endings {
            game,
            strain,
            database,
            depth: database.max_level(),
        })
    }

    /// The most tricks left in an ending that is held.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The tally at the end of the board with best play by all, all cards
    /// known.
    pub fn finish(&self, state: &State) -> Result<Tally, ProbeError> {
        let won = self.tricks(state)?;
        Ok(with_tricks(state, won))
    }

    /// The tally at the end when the seat to play plays `card`.
    pub fn finish_with(&self, state: &State, card: Card) -> Result<Tally, ProbeError> {
        let mut after = *state;
        after.play(self.game, card);
        self.finish(&after)
    }

    /// The tricks of party 0 from here on. The rest of a trick is searched.
    fn tricks(&self, state: &State) -> Result<u8, ProbeError> {
        if state.is_over() {
            return Ok(0);
        }
        if state.trick().is_empty() {
            let leader = state.to_play();
            let Ok(deal) = Deal::new(state.hands().map(Hand::from)) else {
                return Ok(0); // hands of a state are disjoint
            };
            let Ok(ending) = Ending::from_deal(self.strain, leader, &deal) else {
                return Ok(0); // and of one length
            };
            let tricks = self.database.value(&ending)?;
            return Ok(match self.game.party(leader) {
                0 => tricks,
                _ => state.tricks_left() as u8 - tricks,
            });
        }
        let first = self.game.party(state.to_play()) == 0;
        let mut best = if first { 0 } else { u8::MAX };
        for card in distinct(state, state.legal(self.game)) {
            let mut after = *state;
            after.play(self.game, card);
            let won = after.tally().tricks[0] - state.tally().tricks[0];
            let tricks = won + self.tricks(&after)?;
            best = if first {
                best.max(tricks)
            } else {
                best.min(tricks)
            };
        }
        Ok(best)
    }
}

/// One card of each run that no card in another hand or on the table divides.
fn distinct(state: &State, legal: CardSet) -> impl Iterator<Item = Card> {
    let mine = state.hands()[state.to_play().index()];
    let hands = state.hands().iter();
    let others = hands.fold(state.trick().set(), |all, &hand| all | hand) - mine;
    let mut last: Option<Card> = None;
    legal.iter().filter(move |&card| {
        let same = last.is_some_and(|last| {
            last.suit == card.suit && !others.suit(card.suit).iter().any(|c| last < c && c < card)
        });
        last = Some(card);
        !same
    })
}

/// The tally when party 0 takes `won` of the tricks left.
pub fn with_tricks(state: &State, won: u8) -> Tally {
    let mut tally = *state.tally();
    let lost = state.tricks_left() as u8 - won;
    for (party, tricks) in [won, lost].into_iter().enumerate() {
        tally.tricks[party] += tricks;
        tally.points[party] += i16::from(tricks);
    }
    tally
}
