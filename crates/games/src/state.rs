//! All four hands, and the play of the cards.

use setrograde_beliefs::CardSet;
use setrograde_cards::{Card, Seat};

use crate::error::TableError;
use crate::game::{Game, Tally};
use crate::trick::Trick;

/// A position with all cards known: what searches and roll-outs play on. 64
/// bytes at most, and copied freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    hands: [CardSet; 4],
    trick: Trick,
    tally: Tally,
}

const _: () = assert!(size_of::<State>() <= 64);

impl State {
    /// The position before the first card.
    #[must_use]
    pub fn new<G: Game>(game: &G, hands: [CardSet; 4]) -> State {
        State {
            hands,
            trick: Trick::new(game.first_leader()),
            tally: Tally::default(),
        }
    }

    /// A position in the play.
    #[must_use]
    pub const fn at(hands: [CardSet; 4], trick: Trick, tally: Tally) -> State {
        State {
            hands,
            trick,
            tally,
        }
    }

    /// The cards still held, by seat.
    #[inline]
    #[must_use]
    pub const fn hands(&self) -> &[CardSet; 4] {
        &self.hands
    }

    /// The trick on the table; never complete.
    #[inline]
    #[must_use]
    pub const fn trick(&self) -> &Trick {
        &self.trick
    }

    /// What has been won.
    #[inline]
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub const fn to_play(&self) -> Seat {
        self.trick.to_play()
    }

    /// Whether all cards are played.
    #[inline]
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.hands[self.to_play().index()].is_empty()
    }

    /// Tricks not finished yet.
    #[inline]
    #[must_use]
    pub const fn tricks_left(&self) -> usize {
        self.hands[self.to_play().index()].len()
    }

    /// The cards that may be played.
    #[inline]
    #[must_use]
    pub fn legal<G: Game>(&self, game: &G) -> CardSet {
        game.legal(self.hands[self.to_play().index()], &self.trick)
    }

    /// Plays a card, which must be one of [`legal`](Self::legal).
    #[inline]
    pub fn play<G: Game>(&mut self, game: &G, card: Card) {
        let seat = self.to_play();
        self.hands[seat.index()] -= CardSet::of(card);
        game.play_to(&mut self.trick, card);
        if self.trick.len() == 4 {
            let winner = self.trick.winner();
            // The last to play has no card left after the last trick.
            let last = self.hands[seat.index()].is_empty();
            self.tally.take(game, &self.trick, last);
            self.trick = Trick::new(winner);
        }
    }
}

/// The cards of disjoint hands together.
///
/// # Errors
///
/// If two of them share a card.
pub(crate) fn pack_of(hands: impl IntoIterator<Item = CardSet>) -> Result<CardSet, TableError> {
    hands
        .into_iter()
        .try_fold(CardSet::EMPTY, |pack, hand| match (pack & hand).first() {
            Some(card) => Err(TableError::SharedCard(card)),
            None => Ok(pack | hand),
        })
}
