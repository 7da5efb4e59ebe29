//! What one side can make sure of without seeing the hidden hands, against
//! opponents who see everything.
//!
//! That is the best-defence model (Frank and Basin, "Search in games with
//! incomplete information: a case study using Bridge card play", Artificial
//! Intelligence 100, 1998). The search is αμ (Cazenave and Ventos, "The αμ Search
//! Algorithm for the Game of Bridge", arXiv 1911.07960; Cazenave, Legras and
//! Ventos, "Optimizing αμ", arXiv 2101.12639): a position's value is a Pareto
//! front of sets of worlds; a move of the side joins fronts, a move of the
//! opponents meets them. After `depth` moves of the side every world is valued
//! with all cards known, which is optimistic; without a limit the front is exact,
//! and [`best_defence`](crate::best_defence) faster. `search` has the cuts.

mod search;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use setrograde_beliefs::Layout;
use setrograde_cards::Card;

use self::search::Search;
use crate::games::Game;
use crate::player::PlayerError;
use crate::view::View;
use crate::worlds::{At, Stop, Subject, Valuation};
pub use crate::worlds::{EXACT, Front};

/// A search about one view: who wants how many tricks, and in which worlds.
pub struct AlphaMu<'a, G> {
    search: Search<'a, G>,
    root: At,
}

/// The cards that may be played, and how much the worlds weigh in which the side
/// can make sure of its target.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The best card and its weight; then others, each with a weight that its own
    /// does not exceed. Of cards that are worth the same one is here.
    pub cards: Vec<(Card, f64)>,
    /// How many of its moves the side looked ahead.
    pub depth: u8,
}

impl<'a, G: Game> AlphaMu<'a, G> {
    /// A search for the side of the seat to play in `view`, which wants `target`
    /// of the tricks left. Both hands of the side should be seen. `worlds` are at
    /// most [`Worlds::MOST`](crate::worlds::Worlds::MOST) layouts with their weights;
    /// later ones are left out. `value` values worlds with all cards known; it is
    /// needed only for a limited depth, and otherwise saves time. The search gives up
    /// after `most_visits` positions.
    pub fn new(
        view: &View<G>,
        target: u8,
        (worlds, weights): (&'a [Layout], &[f64]),
        value: Option<&'a mut Valuation<'a>>,
        most_visits: u64,
    ) -> AlphaMu<'a, G> {
        let subject = Subject::new(view, target, worlds);
        AlphaMu {
            root: subject.root(view),
            search: Search::new(subject, value, weights.to_vec(), most_visits),
        }
    }

    /// The same search, which ends once `cancel` is set.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Arc<AtomicBool>) -> AlphaMu<'a, G> {
        self.search.visits.cancel = Some(cancel);
        self
    }

    fn root(&self, depth: u8) -> At {
        At { depth, ..self.root }
    }

    /// The front of every card that may be played, with the side looking `depth`
    /// of its moves ahead, this one included, at least 1; [`EXACT`] for no limit.
    /// `None` if the search gave up.
    ///
    /// # Errors
    ///
    /// If the search is cancelled or a world cannot be valued.
    pub fn cards(&mut self, depth: u8) -> Result<Option<Vec<(Card, Front)>>, PlayerError> {
        let root = self.root(depth.max(1));
        self.search.floor = f64::NEG_INFINITY;
        let seat = root.trick.to_play();
        let hand = self.search.subject.seen[seat.index()];
        let mut fronts = Vec::new();
        for card in self.search.subject.game.legal(hand, &root.trick) {
            match Stop::answer(self.search.after(&root, card))? {
                Some(found) => fronts.push((card, found.front)),
                None => return Ok(None),
            }
        }
        Ok(Some(fronts))
    }

    /// The best card, with the side looking `depth` of its moves ahead, at least
    /// 1; [`EXACT`] for no limit. The search goes deeper and deeper; it stops when
    /// a card keeps the weight that no other had before (a root cut), and if it
    /// must give up it returns what it found less deep. `order` are cards that may
    /// be played, of equally good ones the preferred first.
    ///
    /// # Errors
    ///
    /// If the search is cancelled or a world cannot be valued.
    pub fn best(&mut self, depth: u8, order: &[Card]) -> Result<Option<Best>, PlayerError> {
        let root = self.root(1);
        let distinct = self.search.subject.own_cards(&root);
        let equal = |card: Card| {
            let above = distinct.iter().filter(|of| of.suit == card.suit);
            above.filter(|of| **of >= card).min().copied()
        };
        let mut seen = Vec::new();
        let mut best = Best {
            cards: Vec::new(),
            depth: 1,
        };
        for &card in order {
            let run = equal(card);
            if run.is_none() || seen.contains(&run) {
                continue;
            }
            seen.push(run);
            let Some(weight) = self.weight_of(1, card, f64::NEG_INFINITY)? else {
                return Ok(None);
            };
            best.cards.push((card, weight));
        }
        best.cards.sort_by(|a, b| b.1.total_cmp(&a.1));
        let depths = match depth {
            EXACT => EXACT..=EXACT,
            depth => 2..=depth,
        };
        for depth in depths {
            let Some(cards) = self.deeper(depth, &best.cards)? else {
                break;
            };
            best = Best { cards, depth };
        }
        Ok((!best.cards.is_empty()).then_some(best))
    }

    /// The cards, which have these weights less deep, at a depth; best first.
    /// `None` if the search gives up.
    fn deeper(
        &mut self,
        depth: u8,
        before: &[(Card, f64)],
    ) -> Result<Option<Vec<(Card, f64)>>, PlayerError> {
        let hoped = before.first().map_or(0.0, |of| of.1);
        let mut cards = before.to_vec();
        let mut best: Option<usize> = None;
        for at in 0..cards.len() {
            let most = best.map_or(f64::NEG_INFINITY, |best| cards[best].1);
            let (card, weight) = cards[at];
            if weight <= most + 1e-9 {
                continue;
            }
            let Some(found) = self.weight_of(depth, card, most)? else {
                return Ok(None);
            };
            cards[at].1 = found.min(weight);
            if found > most + 1e-9 {
                best = Some(at);
            }
            if found >= hoped - 1e-9 {
                break;
            }
        }
        if let Some(best) = best {
            let (card, weight) = cards.remove(best);
            // Those that were not searched have at most this much: see above.
            for (_, other) in &mut cards {
                *other = other.min(weight);
            }
            cards.sort_by(|a, b| b.1.total_cmp(&a.1));
            cards.insert(0, (card, weight));
        }
        Ok(Some(cards))
    }

    /// The weight that a card makes sure of, or `floor` if it is no more than
    /// that. `None` if the search gives up.
    fn weight_of(&mut self, depth: u8, card: Card, floor: f64) -> Result<Option<f64>, PlayerError> {
        let root = self.root(depth);
        self.search.floor = floor;
        let Some(found) = Stop::answer(self.search.after(&root, card))? else {
            return Ok(None);
        };
        let best = found.front.best(&self.search.weights);
        Ok(Some(best.max(floor)))
    }

    /// Positions that were looked at.
    #[must_use]
    pub const fn visits(&self) -> u64 {
        self.search.visits.made
    }
}
