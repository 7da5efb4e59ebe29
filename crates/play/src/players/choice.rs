//! Shared parts of searching players: the time for a card, choices without a search, and the order
//! of equal cards.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use setrograde_beliefs::{Game, State, Tally, View};
use setrograde_cards::Card;
use setrograde_single_dummy::with_tricks;

use crate::player::{CardWorth, PlayerChoice, PlayerError};

/// A card without reasons.
pub(super) fn plain(card: Option<Card>) -> Result<PlayerChoice, PlayerError> {
    Ok(PlayerChoice {
        card: card.ok_or(PlayerError::NothingToPlay)?,
        worth: Vec::new(),
        layouts: 0,
        effective: 0.0,
    })
}

/// The only card that may be played, if there is but one.
pub(super) fn forced<G: Game>(view: &View<G>) -> Result<Option<PlayerChoice>, PlayerError> {
    let legal = view.legal();
    match legal.len() {
        0 => Err(PlayerError::NothingToPlay),
        1 => plain(legal.iter().next()).map(Some),
        _ => Ok(None),
    }
}

/// Sorts the values of cards, highest first; of equal cards the lowest rank, then the earlier suit.
pub(super) fn sort_worth(worth: &mut [CardWorth], by: impl Fn(&CardWorth) -> f64) {
    worth.sort_by(|a, b| {
        by(b)
            .total_cmp(&by(a))
            .then(a.card.rank.cmp(&b.card.rank))
            .then(a.card.suit.cmp(&b.card.suit))
    });
}

/// The tally when a party takes this number of the tricks left.
pub(crate) fn with_tricks_of(state: &State, party: usize, tricks: u8) -> Tally {
    let first = match party {
        0 => tricks,
        _ => state.tricks_left() as u8 - tricks,
    };
    with_tricks(state, first)
}

/// The effective sample size: the number of equally weighted layouts with the same information.
pub(super) fn effective(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    if squares > 0.0 {
        sum * sum / squares
    } else {
        0.0
    }
}

/// The time that a player has, and the flag that cancels it.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    pub(super) time: Option<Duration>,
    pub(super) cancel: Arc<AtomicBool>,
}

impl Clock {
    pub(super) fn start(&self) -> Running<'_> {
        Running {
            deadline: self.time.map(|time| Instant::now() + time),
            cancel: &self.cancel,
        }
    }
}

pub(super) struct Running<'a> {
    deadline: Option<Instant>,
    cancel: &'a AtomicBool,
}

impl Running<'_> {
    pub(super) fn is_over(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(super) fn check_cancelled(&self) -> Result<(), PlayerError> {
        if self.cancel.load(Ordering::Relaxed) {
            Err(PlayerError::Cancelled)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unequal_weights_say_less() {
        assert_eq!(effective(&[2.0; 5]), 5.0);
        assert_eq!(effective(&[3.0, 1.0]), 1.6);
        assert_eq!(effective(&[0.0; 3]), 0.0);
    }

    #[test]
    fn time_is_over_when_it_is_and_never_without_a_limit() {
        let is_over = |time| {
            let cancel = Arc::default();
            Clock { time, cancel }.start().is_over()
        };
        assert!(is_over(Some(Duration::ZERO)));
        assert!(!is_over(Some(Duration::from_secs(3600))));
        assert!(!is_over(None));
    }
}
