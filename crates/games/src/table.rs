//! A board being played, with all cards.

use fastrand::Rng;
use setrograde_beliefs::{CardSet, Limits};
use setrograde_cards::{Card, Seat};

use crate::error::TableError;
use crate::game::Game;
use crate::state::{State, pack_of};
use crate::view::View;

/// A board being played.
#[derive(Clone, Debug)]
pub struct Table<G> {
    game: G,
    dealt: [CardSet; 4],
    state: State,
    history: Vec<Card>,
    limits: [Limits; 4],
}

impl<G: Game> Table<G> {
    /// A table with these hands, by seat, before the first card. `limits` are
    /// what all know of each seat's hand.
    ///
    /// # Errors
    ///
    /// If the hands are empty, not equally long, or share a card.
    pub fn new(game: G, hands: [CardSet; 4], limits: [Limits; 4]) -> Result<Table<G>, TableError> {
        let lengths = hands.map(CardSet::len);
        if lengths
            .iter()
            .any(|&length| length != lengths[0] || length == 0)
        {
            return Err(TableError::UnequalHands(lengths));
        }
        pack_of(hands)?;
        Ok(Table {
            game,
            dealt: hands,
            state: State::new(&game, hands),
            history: Vec::with_capacity(52),
            limits,
        })
    }

    /// The rules.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The hands as they were dealt.
    #[must_use]
    pub const fn dealt(&self) -> &[CardSet; 4] {
        &self.dealt
    }

    /// The position.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The cards played so far.
    #[must_use]
    pub fn history(&self) -> &[Card] {
        &self.history
    }

    /// Plays a card.
    ///
    /// # Errors
    ///
    /// If the board is over, or the seat to play does not hold the card or may
    /// not play it.
    pub fn play(&mut self, card: Card) -> Result<(), TableError> {
        let seat = self.state.to_play();
        if self.state.is_over() {
            return Err(TableError::Over);
        }
        let hand = self.state.hands()[seat.index()];
        let seat = seat.name();
        if !hand.contains(card) {
            return Err(TableError::NotHeld { seat, card });
        }
        let allowed = self.state.legal(&self.game);
        if !allowed.contains(card) {
            return Err(TableError::NotAllowed {
                seat,
                card,
                allowed,
            });
        }
        self.state.play(&self.game, card);
        self.history.push(card);
        Ok(())
    }

    /// What the seat that chooses the next card sees.
    #[must_use]
    pub fn view(&self) -> View<G> {
        self.view_of(self.game.chooser(self.state.to_play()))
    }

    /// What `seat` sees.
    #[must_use]
    pub fn view_of(&self, seat: Seat) -> View<G> {
        let open = |dummy: &Seat| *dummy != seat && !self.history.is_empty();
        let dummy = self.game.dummy().filter(open);
        let dealt = |seat: Seat| self.dealt[seat.index()];
        let seen = dealt(seat) | dummy.map_or(CardSet::EMPTY, dealt);
        let pack = self.dealt.into_iter().collect();
        let remaining: CardSet = self.state.hands().iter().copied().collect();
        let hands = Seat::ALL.map(|s| match s == seat || Some(s) == dummy {
            true => self.state.hands()[s.index()],
            false => CardSet::EMPTY,
        });
        View::of_table(
            self.game,
            (seat, dummy),
            hands,
            (pack, seen & remaining),
            (&self.state, &self.history),
            self.limits,
        )
    }
}

/// A random deal of the game's pack.
#[must_use]
pub fn deal<G: Game>(game: &G, rng: &mut Rng) -> [CardSet; 4] {
    let mut pack: Vec<Card> = game.pack().iter().collect();
    rng.shuffle(&mut pack);
    let each = pack.len() / 4;
    std::array::from_fn(|seat| pack.iter().skip(seat * each).take(each).copied().collect())
}
