//! A board being played, with all cards.

use fastrand::Rng;
use setrograde_beliefs::{Game, Limits, NotPlayable, State, View};
use setrograde_cards::{Card, Hand, Seat};
use thiserror::Error;

/// Hands that cannot be dealt, or a card that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// Hands of different lengths.
    #[error("the hands hold {}, {}, {} and {} cards; all four must hold as many, and some", .0[0], .0[1], .0[2], .0[3])]
    UnequalHands([usize; 4]),
    /// A card in two hands.
    #[error("{0} is in two hands")]
    SharedCard(Card),
    /// A card that cannot be played.
    #[error(transparent)]
    Card(#[from] NotPlayable),
}

/// A board being played.
#[derive(Clone, Debug)]
pub struct Table<G> {
    game: G,
    dealt: [Hand; 4],
    state: State,
    history: Vec<Card>,
    limits: [Limits; 4],
}

impl<G: Game> Table<G> {
    /// A table with these hands, by seat, before the first card. `limits` are the common knowledge
    /// about each seat's hand.
    ///
    /// # Errors
    ///
    /// If the hands are empty, not equally long, or share a card.
    pub fn new(game: G, hands: [Hand; 4], limits: [Limits; 4]) -> Result<Table<G>, TableError> {
        let lengths = hands.map(Hand::len);
        if lengths[0] == 0 || lengths != [lengths[0]; 4] {
            return Err(TableError::UnequalHands(lengths));
        }
        let mut pack = Hand::EMPTY;
        for hand in hands {
            if let Some(card) = (pack & hand).iter().next() {
                return Err(TableError::SharedCard(card));
            }
            pack |= hand;
        }
        Ok(Table {
            game,
            dealt: hands,
            state: State::new(&game, hands),
            history: Vec::with_capacity(52),
            limits,
        })
    }

    /// The rules.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The hands at the deal.
    pub const fn dealt(&self) -> &[Hand; 4] {
        &self.dealt
    }

    /// The same table before the first card.
    #[must_use]
    pub fn at_start(&self) -> Table<G> {
        Table {
            state: State::new(&self.game, self.dealt),
            history: Vec::with_capacity(52),
            ..*self
        }
    }

    /// The position.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The cards played so far.
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
        let (seat, allowed) = (self.state.to_play(), self.state.legal(&self.game));
        NotPlayable::check(seat, card, self.state.hand(), allowed)?;
        self.state.play(&self.game, card);
        self.history.push(card);
        Ok(())
    }

    /// The view of the seat that chooses the next card.
    pub fn view(&self) -> View<G> {
        self.view_of(self.game.chooser(self.state.to_play()))
    }

    /// The view of `seat`.
    pub fn view_of(&self, seat: Seat) -> View<G> {
        View::of_state(self.game, seat, &self.state, &self.history, self.limits)
    }
}

/// A random deal of the game's pack.
pub fn deal<G: Game>(game: &G, rng: &mut Rng) -> [Hand; 4] {
    let mut pack: Vec<Card> = game.pack().iter().collect();
    rng.shuffle(&mut pack);
    let each = pack.len() / 4;
    std::array::from_fn(|seat| pack.iter().skip(seat * each).take(each).copied().collect())
}
