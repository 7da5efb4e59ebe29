//! A board being played, with all cards.

use fastrand::Rng;
use setrograde_beliefs::Limits;
use setrograde_cards::{Card, Hand, Seat};
use thiserror::Error;

use crate::game::Game;
use crate::state::State;
use crate::view::View;

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
    /// A card that the hand does not have.
    #[error("{} is to play and does not hold {card}", seat.name())]
    NotHeld {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A card that the rules do not allow.
    #[error("{} may not play {card}; it must play one of {allowed}", seat.name())]
    NotAllowed {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
        /// The cards that may be played.
        allowed: Hand,
    },
    /// All cards are played.
    #[error("all cards are played")]
    Over,
}

impl TableError {
    /// An error unless `seat` has `card` in `hand` and may play it.
    pub(crate) fn unless_playable(
        seat: Seat,
        card: Card,
        hand: Hand,
        allowed: Hand,
    ) -> Result<(), TableError> {
        if hand.is_empty() {
            return Err(TableError::Over);
        }
        if !hand.contains(card) {
            return Err(TableError::NotHeld { seat, card });
        }
        match allowed.contains(card) {
            true => Ok(()),
            false => Err(TableError::NotAllowed {
                seat,
                card,
                allowed,
            }),
        }
    }
}

/// A board being played.
#[derive(Clone, Debug)]
pub struct Table<G> {
    pub(crate) game: G,
    pub(crate) dealt: [Hand; 4],
    pub(crate) state: State,
    pub(crate) history: Vec<Card>,
    pub(crate) limits: [Limits; 4],
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
            if let Some(card) = (pack & hand).first() {
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
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The hands at the deal.
    #[must_use]
    pub const fn dealt(&self) -> &[Hand; 4] {
        &self.dealt
    }

    /// The common knowledge about each seat's hand.
    #[must_use]
    pub const fn limits(&self) -> &[Limits; 4] {
        &self.limits
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
        let (seat, allowed) = (self.state.to_play(), self.state.legal(&self.game));
        TableError::unless_playable(seat, card, self.state.hand(), allowed)?;
        self.state.play(&self.game, card);
        self.history.push(card);
        Ok(())
    }

    /// The view of the seat that chooses the next card.
    #[must_use]
    pub fn view(&self) -> View<G> {
        self.view_of(self.game.chooser(self.state.to_play()))
    }

    /// The view of `seat`.
    #[must_use]
    pub fn view_of(&self, seat: Seat) -> View<G> {
        View::of_table(self, seat)
    }
}

/// A random deal of the game's pack.
#[must_use]
pub fn deal<G: Game>(game: &G, rng: &mut Rng) -> [Hand; 4] {
    let mut pack: Vec<Card> = game.pack().iter().collect();
    rng.shuffle(&mut pack);
    let each = pack.len() / 4;
    std::array::from_fn(|seat| pack.iter().skip(seat * each).take(each).copied().collect())
}
