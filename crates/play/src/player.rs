//! The trait of players: a view in, a card with its reasons out.

use crate::TableError;
use fastrand::Rng;
use setrograde_beliefs::{BeliefsError, Game, View};
use setrograde_cards::Card;
use setrograde_lookup::ProbeError;
use setrograde_single_dummy::SearchError;
use thiserror::Error;

/// A player of cards. It sits in one seat, board after board; as declarer it also plays dummy's
/// cards.
pub trait Player<G: Game>: Send {
    /// Clears the state of an earlier board.
    fn new_board(&mut self) {}

    /// Chooses one of the cards that the view's [`legal`](View::legal) has.
    /// Everything random comes from `rng`.
    ///
    /// # Errors
    ///
    /// If the view is impossible, the player was cancelled, or a database or solver failed.
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<PlayerChoice, PlayerError>;
}

/// A card, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerChoice {
    /// The card.
    pub card: Card,
    /// The value of each card to the player, best first; empty if it does not compare cards.
    pub worth: Vec<CardWorth>,
    /// Number of layouts of the hidden hands examined.
    pub layouts: usize,
    /// The effective sample size, the number of equally weighted layouts with the same information:
    /// the square of the sum of their weights over the sum of the squares.
    pub effective: f64,
}

/// The value of a card to a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardWorth {
    /// The card.
    pub card: Card,
    /// The mean of the quantity that the player maximizes.
    pub value: f64,
    /// Number of times it was tried.
    pub visits: usize,
}

/// A player's failure to choose a card.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// No card is legal: it is not the observer's turn.
    #[error("there is no card to choose")]
    NothingToPlay,
    /// It was stopped.
    #[error("the player was cancelled")]
    Cancelled,
    /// No layout of the hidden hands matches.
    #[error(transparent)]
    Beliefs(#[from] BeliefsError),
    /// The solver or the database failed.
    #[error(transparent)]
    Search(SearchError),
    /// The hands of a board cannot be played.
    #[error(transparent)]
    Table(#[from] TableError),
    /// An external program failed.
    #[error("player {command:?}: {problem}")]
    External {
        /// Its command.
        command: String,
        /// The problem.
        problem: String,
    },
}

impl From<SearchError> for PlayerError {
    fn from(error: SearchError) -> PlayerError {
        match error {
            SearchError::Cancelled => PlayerError::Cancelled,
            error => PlayerError::Search(error),
        }
    }
}

impl From<ProbeError> for PlayerError {
    fn from(error: ProbeError) -> PlayerError {
        PlayerError::Search(error.into())
    }
}
