//! Perfect-information Monte Carlo that plays the last tricks as declarer by the best line over
//! the layouts of the hidden hands, not card by card with all cards known.

use std::collections::HashMap;
use std::sync::Arc;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Game, Layout, View};
use setrograde_cards::Card;
use setrograde_single_dummy::{BestLine, LineOptions, Objective, Seen, best_line_of};

use super::choice::{forced, with_tricks_of};
use super::pimc::Pimc;
use crate::player::{CardWorth, Player, PlayerChoice, PlayerError};

/// Plays as [`Pimc`]; as declarer, in the last tricks, the card that begins the [best
/// line](best_line_of), which does not assume later knowledge. Among equal cards, and if the search
/// does not finish, it plays the choice of [`Pimc`].
pub(super) struct Exact {
    pub(super) pimc: Pimc,
    /// Number of last tricks.
    pub(super) tricks: usize,
    /// Maximum number of layouts: all of them, or a sample.
    pub(super) layouts: usize,
    /// Maximum number of positions of a search.
    pub(super) visits: u64,
}

impl<G: Game> Player<G> for Exact {
    fn new_board(&mut self) {
        Player::<G>::new_board(&mut self.pimc);
    }

    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<PlayerChoice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let mut choice = self.pimc.choose(view, rng)?;
        let Some(found) = self.best_line(view, rng)? else {
            return Ok(choice);
        };
        let mut worth: HashMap<Card, (f64, bool)> = HashMap::new();
        for of in &found.cards {
            for card in std::iter::once(of.card).chain(of.equals.iter().copied()) {
                worth.insert(card, (of.value.worth, of.value.is_exact()));
            }
        }
        if !worth.values().all(|(_, exact)| *exact) {
            return Ok(choice);
        }
        let value = |of: &CardWorth| worth.get(&of.card).map_or(f64::NEG_INFINITY, |of| of.0);
        // The order is stable: equal cards stay in the order of the mean.
        choice
            .worth
            .sort_by(|a, b| ((value(b) * 1e6).round()).total_cmp(&(value(a) * 1e6).round()));
        for of in &mut choice.worth {
            of.value = value(of);
        }
        if let Some(best) = choice.worth.first() {
            choice.card = best.card;
        }
        Ok(choice)
    }
}

impl Exact {
    /// The best line of the declarer in the last tricks; `None` if there is none.
    fn best_line<G: Game>(
        &self,
        view: &View<G>,
        rng: &mut Rng,
    ) -> Result<Option<BestLine>, PlayerError> {
        let game = view.game();
        let left = view.tricks_left();
        let declares = view
            .dummy()
            .is_some_and(|dummy| dummy == view.observer().partner());
        let Some(strain) = game.strain().filter(|_| declares && left <= self.tricks) else {
            return Ok(None);
        };
        let (layouts, weights) = self.layouts(&view.beliefs(&self.pimc.rules)?, rng);
        let seat = view.to_play();
        let party = game.party(seat);
        let mut worth = [0.0; 14];
        let state = view.state(&Layout::default());
        for (tricks, worth) in (0..).zip(&mut worth[..=left]) {
            *worth = game.utility(&with_tricks_of(&state, party, tricks), party);
        }
        let seen = Seen {
            strain,
            side: seat.side(),
            hands: *state.hands(),
            trick: *view.trick(),
            unseen: view.unseen(),
        };
        let options = LineOptions {
            database: self.pimc.database.clone(),
            most_visits: self.visits,
            all_cards: true,
            stop: Arc::clone(&self.pimc.clock.cancel).into(),
            ..LineOptions::default()
        };
        let found = best_line_of(
            &seen,
            &layouts,
            &weights,
            &Objective::Worth(worth),
            &options,
        )?;
        Ok(Some(found))
    }

    /// All layouts with their weights, or drawn ones.
    fn layouts(&self, beliefs: &Beliefs, rng: &mut Rng) -> (Vec<Layout>, Vec<f64>) {
        if beliefs.count() > self.layouts as u128 {
            let drawn = beliefs.stratified(self.layouts, rng);
            return (drawn, Vec::new());
        }
        let weighed = |layout: Layout| (layout, beliefs.log_probability(&layout).exp());
        let possible = beliefs
            .layouts()
            .map(weighed)
            .filter(|(_, weight)| *weight > 0.0);
        possible.unzip()
    }
}
