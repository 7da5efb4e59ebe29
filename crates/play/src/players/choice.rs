//! Choices that need no search, and the order of equals.

use setrograde_cards::Card;

use crate::player::{CardWorth, Choice, PlayerError};
use setrograde_games::{Game, View};

/// A card without reasons.
pub(super) fn plain(card: Option<Card>) -> Result<Choice, PlayerError> {
    Ok(Choice {
        card: card.ok_or(PlayerError::NothingToPlay)?,
        worth: Vec::new(),
        worlds: 0,
        effective: 0.0,
    })
}

/// The only card that may be played, if there is but one.
pub(super) fn forced<G: Game>(view: &View<G>) -> Result<Option<Choice>, PlayerError> {
    let legal = view.legal();
    match legal.len() {
        0 => Err(PlayerError::NothingToPlay),
        1 => plain(legal.first()).map(Some),
        _ => Ok(None),
    }
}

/// Sorts what cards are worth: most first; of equals the lowest rank, then the
/// earlier suit.
pub(super) fn sort_worth(worth: &mut [CardWorth], by: impl Fn(&CardWorth) -> f64) {
    worth.sort_by(|a, b| {
        by(b)
            .total_cmp(&by(a))
            .then(a.card.rank.cmp(&b.card.rank))
            .then(a.card.suit.cmp(&b.card.suit))
    });
}

/// The effective sample size: how many layouts of equal weights say as much as
/// layouts of these weights.
pub(super) fn effective(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    if squares > 0.0 {
        sum * sum / squares
    } else {
        0.0
    }
}
