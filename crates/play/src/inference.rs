//! Inference from the play about the hidden hands, if the players knew what they
//! were doing: plays that lose tricks double dummy are unlikely.
//!
//! In a layout the probability of a play is a softmax of the tricks that the
//! cards would have lost with all cards known (after Rebstock, Solinas and Buro,
//! "Policy Based Inference in Trick-Taking Card Games", arXiv 1905.10911), mixed
//! with a small probability of any card. The product over the plays of others
//! is the layout's likelihood.

use setrograde_beliefs::Layout;
use setrograde_cards::{Card, Seat, Strain};
use setrograde_games::{Game, State, View};
use setrograde_single_dummy::tricks_of_cards;
use setrograde_solver::Solver;

use crate::player::PlayerError;

/// The skill that is assumed of other seats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inference {
    /// A card that loses n tricks is exp(−n / temperature) times as likely as
    /// one that loses none. Above 0.
    pub temperature: f64,
    /// The share of plays that are any card, all equally likely: 0 to 1.
    pub slips: f64,
    /// Plays with more tricks left than this are not looked at.
    pub tricks: usize,
}

impl Inference {
    /// The best fit to the play of `pimc` with dummy in view, from `fit_inference`
    /// among the experiments.
    const WITH_DUMMY: Inference = Inference {
        temperature: 0.45,
        slips: 0.04,
        tricks: 9,
    };

    /// And where it is not: with three hidden hands plays say far less.
    const WITHOUT_DUMMY: Inference = Inference {
        temperature: 0.6,
        slips: 0.45,
        tricks: 9,
    };

    /// The best fit to self-play of `pimc` at this game.
    #[must_use]
    pub fn fitted<G: Game>(game: &G) -> Inference {
        match game.dummy() {
            Some(_) => Inference::WITH_DUMMY,
            None => Inference::WITHOUT_DUMMY,
        }
    }

    /// The probability of a play.
    #[must_use]
    pub fn probability(&self, play: &Losses) -> f64 {
        let weight = |loss: u8| (-f64::from(loss) / self.temperature).exp();
        let sum: f64 = play.all.iter().map(|&loss| weight(loss)).sum();
        let count = play.all.len().max(1) as f64;
        (1.0 - self.slips) * weight(play.played) / sum + self.slips / count
    }
}

/// The inference of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inferring {
    /// The [fitted](Inference::fitted) one.
    Fitted,
    /// With this temperature, else as fitted.
    At(f64),
}

impl Inferring {
    /// The inference at a game.
    #[must_use]
    pub fn inference<G: Game>(self, game: &G) -> Inference {
        let fitted = Inference::fitted(game);
        match self {
            Inferring::Fitted => fitted,
            Inferring::At(temperature) => Inference {
                temperature,
                ..fitted
            },
        }
    }
}

/// The double-dummy losses of the cards that could have been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Losses {
    /// Of the card that was played.
    pub played: u8,
    /// Of all cards that could have been played.
    pub all: Vec<u8>,
}

impl Losses {
    /// The losses in a position in which `card` was played.
    ///
    /// # Errors
    ///
    /// If the solver was cancelled or fails.
    pub fn new(
        solver: &mut Solver,
        state: &State,
        strain: Strain,
        card: Card,
    ) -> Result<Losses, PlayerError> {
        let tricks = tricks_of_cards(solver, state, strain)?;
        let best = tricks.iter().map(|&(_, tricks)| tricks).max().unwrap_or(0);
        let loss = |&(_, tricks): &(Card, u8)| best - tricks;
        let played = tricks.iter().find(|(of, _)| *of == card);
        Ok(Losses {
            played: played.map_or(0, loss),
            all: tricks.iter().map(loss).collect(),
        })
    }
}

/// The plays that others than the observer chose, from the one numbered `from`
/// on: the position before each, in a layout, and the card. Plays without a
/// choice are left out.
pub fn plays_of_others<G: Game>(
    view: &View<G>,
    layout: &Layout,
    from: usize,
) -> impl Iterator<Item = (State, Card)> {
    let game = *view.game();
    let observer = view.observer();
    let mut hands = Seat::ALL.map(|seat| {
        let seen = view.hand(seat).unwrap_or_default();
        seen | layout[seat.index()]
    });
    for play in view.plays() {
        hands[play.seat.index()] |= play.card.into();
    }
    let mut state = State::new(&game, hands);
    let plays = view.history().iter().enumerate();
    plays.filter_map(move |(number, &card)| {
        let before = state;
        let chosen = game.chooser(before.to_play()) != observer
            && number >= from
            && before.legal(&game).len() > 1;
        state.play(&game, card);
        chosen.then_some((before, card))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one() {
        let inference = Inference {
            temperature: 0.5,
            slips: 0.1,
            tricks: 13,
        };
        let all = vec![0, 2, 1, 0];
        let of = |&played: &u8| {
            let all = all.clone();
            inference.probability(&Losses { played, all })
        };
        let sum: f64 = all.iter().map(of).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        let ratio = (of(&0) - 0.025) / (of(&1) - 0.025);
        assert!((ratio - 2f64.exp()).abs() < 1e-9);
    }
}
