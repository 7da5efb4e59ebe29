//! What one side can make sure of without seeing the hidden hands, against
//! opponents who see everything: the best-defence model (Frank and Basin, "Search
//! in games with incomplete information: a case study using Bridge card play",
//! Artificial Intelligence 100, 1998), solved exactly.
//!
//! `together` decides whether one plan wins in all of a set of worlds; `heaviest`
//! finds the heaviest such set; `plan` writes the plan down.

mod claims;
mod heaviest;
mod hitting;
mod plan;
mod together;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use setrograde_beliefs::Layout;
use setrograde_cards::Card;
use setrograde_claim::Claims;

use self::claims::ClaimedPlaces;
pub use self::plan::Plan;
use self::together::Search;
use crate::error::SearchError;
use crate::worlds::{At, OpenWorlds, Stop, Subject, Valuation, Visits, Worlds};
use setrograde_games::{Game, View};

/// A search about one view: who wants how many tricks, and in which worlds.
pub struct BestDefence<'a, G> {
    search: Search<'a, G>,
    root: At,
}

impl<'a, G: Game> BestDefence<'a, G> {
    /// A search for the side of the seat to play in `view`, which wants `target`
    /// of the tricks left. Both hands of the side should be seen. `worlds` are at
    /// most [`Worlds::MOST`] layouts with their weights; later ones are left out,
    /// and those without a weight weigh nothing. `value` values worlds with all
    /// cards known, which saves time. The search gives up after `most_visits`
    /// positions.
    pub fn new(
        view: &View<G>,
        target: u8,
        (worlds, weights): (&'a [Layout], &[f64]),
        value: Option<&'a mut Valuation<'a>>,
        most_visits: u64,
    ) -> BestDefence<'a, G> {
        let subject = Subject::new(view, target, worlds);
        let mut weights = weights.to_vec();
        weights.resize(subject.worlds.len(), 0.0);
        let visits = Visits::at_most(most_visits);
        BestDefence {
            root: subject.root(view),
            search: Search::new(subject, weights, OpenWorlds::new(value), visits),
        }
    }

    /// The same search, which asks at the start of tricks whether the side can
    /// claim its target whatever the hidden cards. The answers are the same.
    #[must_use]
    pub fn with_claims(mut self, claims: &'a mut Claims) -> BestDefence<'a, G> {
        self.search.claimed = Some(ClaimedPlaces::new(claims));
        self
    }

    /// The same search, which ends once `cancel` is set.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Arc<AtomicBool>) -> BestDefence<'a, G> {
        self.search.visits.cancel = Some(cancel);
        self
    }

    /// The cards that may be played, each with a heaviest set of worlds in which
    /// the side can make sure of the target together. `None` if the search gave
    /// up.
    ///
    /// # Errors
    ///
    /// If the search is cancelled or a world cannot be valued.
    pub fn cards(&mut self) -> Result<Option<Vec<(Card, Worlds)>>, SearchError> {
        Stop::answer(self.by_card())
    }

    fn by_card(&mut self) -> Result<Vec<(Card, Worlds)>, Stop> {
        let root = self.root;
        let subject = &self.search.subject;
        let runs = subject.own_cards(&root);
        let hand = subject.seen[root.trick.to_play().index()];
        let mut found: Vec<(Card, Worlds)> = Vec::new();
        let mut cards = Vec::new();
        for card in subject.game.legal(hand, &root.trick) {
            // The highest of a run stands for all of it.
            let alike = |run: &&Card| run.suit == card.suit && **run >= card;
            let Some(&run) = runs.iter().filter(alike).min() else {
                continue;
            };
            let known = found.iter().find(|(known, _)| *known == run);
            let worlds = match known {
                Some(&(_, worlds)) => worlds,
                None => {
                    let next = self.search.subject.next(&root, run, root.alive);
                    let worlds = self.search.heaviest(&next)?;
                    found.push((run, worlds));
                    worlds
                }
            };
            cards.push((card, worlds));
        }
        Ok(cards)
    }

    /// A plan that wins in all worlds of `goal`, beginning with `card`; `None` if
    /// there is none, or the search gave up.
    ///
    /// # Errors
    ///
    /// If the search is cancelled or a world cannot be valued.
    pub fn plan(&mut self, card: Card, goal: Worlds) -> Result<Option<Plan>, SearchError> {
        let root = At {
            alive: goal,
            ..self.root
        };
        Ok(Stop::answer(self.search.plan_with(&root, card))?.flatten())
    }

    /// Positions that were looked at.
    #[must_use]
    pub const fn visits(&self) -> u64 {
        self.search.visits.made
    }
}
