//! What a player is: a view in, a card with its reasons out.

use fastrand::Rng;
use setrograde_beliefs::BeliefsError;
use setrograde_cards::Card;
use setrograde_lookup::ProbeError;
use setrograde_single_dummy::SearchError;
use thiserror::Error;

use setrograde_games::{Game, View};

/// Somebody who plays cards. A player sits in one seat, for one board after the
/// other; as declarer it plays dummy's cards too.
pub trait Player<G: Game>: Send {
    /// Forgets what was kept of an earlier board.
    fn new_board(&mut self) {}

    /// Chooses one of the cards that the view's [`legal`](View::legal) has.
    /// Everything random comes from `rng`.
    ///
    /// # Errors
    ///
    /// If the view cannot be, the player was cancelled, or what it relies on
    /// failed.
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError>;
}

/// A card, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The card.
    pub card: Card,
    /// What each card is worth to the player, best first; empty where it does
    /// not compare cards.
    pub worth: Vec<CardWorth>,
    /// How many layouts of the hidden hands it looked at.
    pub worlds: usize,
    /// How many layouts of equal weights say as much as these: the square of the
    /// sum of their weights over the sum of the squares.
    pub effective: f64,
}

/// What a card is worth to a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardWorth {
    /// The card.
    pub card: Card,
    /// The mean of what the player tries to make large.
    pub value: f64,
    /// How often it was tried.
    pub visits: usize,
}

/// Why a player has no card.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// Nothing may be played: it is not the observer's turn.
    #[error("there is no card to choose")]
    NothingToPlay,
    /// It was told to stop.
    #[error("the player was cancelled")]
    Cancelled,
    /// No layout of the hidden hands fits.
    #[error(transparent)]
    Beliefs(#[from] BeliefsError),
    /// The solver or the database failed.
    #[error(transparent)]
    Search(SearchError),
    /// An external program failed.
    #[error("player {command:?}: {problem}")]
    External {
        /// Its command.
        command: String,
        /// What is wrong.
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
